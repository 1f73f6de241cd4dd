// SPDX-License-Identifier: GPL-2.0-only
/* Hypercalls about processors and their MMU. */
#include <errno.h>
#include <sys/random.h>

#include "hcall/hcall.h"
#include "hcall/papr.h"
#include "lib/util.h"

/* H_SET_MODE's resources (PAPR, "H_SET_MODE") that reach the monitor. */
enum { RESOURCE_ADDR_TRANS = 3, RESOURCE_LE = 4 };

static int64_t set_lpcr(struct hcpu *cpu, uint64_t mask, uint64_t value)
{
	return cpu->machine->ops->set_lpcr(cpu, mask, value) ? H_HARDWARE : H_SUCCESS;
}

/*
 * args: flags, resource, value 1, value 2. Breakpoint resources are KVM's. Interrupts
 * with translation on (AIL) are at their normal place or at AIL 3's; KVM has no other.
 */
int64_t h_set_mode(struct hcpu *cpu, uint64_t args[])
{
	uint64_t flags = args[0], resource = args[1];

	if (resource != RESOURCE_LE && resource != RESOURCE_ADDR_TRANS)
		return H_P2;
	if (args[2])
		return H_P3;
	if (args[3])
		return H_P4;
	if (resource == RESOURCE_LE)
		return flags > 1 ? H_UNSUPPORTED_FLAG
				 : set_lpcr(cpu, LPCR_ILE, flags ? LPCR_ILE : 0);
	if (flags != 0 && flags != 3)
		return H_UNSUPPORTED_FLAG;
	return set_lpcr(cpu, LPCR_AIL, flags ? LPCR_AIL_3 : 0);
}

/* Check what H_REGISTER_PROC_TBL registers, and make its partition table word. */
static int64_t process_table(const uint64_t args[], uint64_t *patb1)
{
	uint64_t flags = args[0], base = args[1], page_size = args[2], size = args[3];
	bool radix = flags & PROC_TABLE_RADIX;

	if (radix && (base & 0xfff || base >> 60))
		return H_P2;
	if (!radix && base >> 38)
		return H_P2;
	if (radix ? page_size : page_size & ~7ull)
		return H_P3;
	if (size > 24)
		return H_P4;
	*patb1 = radix ? PATB_GR | base | size : base << 25 | page_size << 5 | size;
	return H_SUCCESS;
}

/*
 * args: flags, base, page size, table size (log2 of bytes, less 12). The guest says
 * here which MMU it uses. Hash with segment tables is not something KVM offers.
 */
int64_t h_register_proc_tbl(struct hcpu *cpu, uint64_t args[])
{
	struct machine *m = cpu->machine;
	uint64_t flags = args[0], patb1 = m->patb1;
	bool radix = flags & PROC_TABLE_RADIX;
	int64_t ret;

	if (flags & ~(uint64_t)PROC_TABLE_FLAGS || flags & PROC_TABLE_HPT_SEGT)
		return H_PARAMETER;
	/* KVM would give up its hashed table, of which ours is the model. */
	if (radix && m->hpt.slots)
		return H_PARAMETER;
	if (!(flags & PROC_TABLE_MODIFY)) {
		/* Only the guest's use of tlbie (GTSE) changes. */
		if (radix != !!(patb1 & PATB_GR))
			return H_PARAMETER;
	} else if (flags & PROC_TABLE_REGISTER) {
		ret = process_table(args, &patb1);
		if (ret)
			return ret;
	} else {
		/* Deregister: an empty table of the kind in use, whatever the flag says. */
		patb1 &= PATB_GR;
		radix = !!patb1;
	}
	if (m->ops->set_process_table(cpu, radix, flags & PROC_TABLE_GTSE, patb1))
		return H_PARAMETER;
	m->patb1 = patb1;
	return H_SUCCESS;
}

int64_t h_get_cpu_characteristics(struct hcpu *cpu, uint64_t args[])
{
	args[0] = cpu->machine->cpu_character;
	args[1] = cpu->machine->cpu_behaviour;
	return H_SUCCESS;
}

/*
 * args: flags (1: a virtual processor), its server number. Answers: the associativity
 * list, packed in six registers with ones for what is not used (PAPR 14.11.4.1.1). All
 * processors are in one domain.
 */
int64_t h_home_node_associativity(struct hcpu *cpu, uint64_t args[])
{
	uint64_t server = args[1];

	if (args[0] != 1)
		return H_PARAMETER;
	if (server >= cpu->machine->nr_cpus)
		return H_P2;
	args[0] = args[1] = 0;
	args[2] = server << 32 | 0xffffffff;
	args[3] = args[4] = args[5] = UINT64_MAX;
	return H_SUCCESS;
}

int64_t h_random(struct hcpu *cpu, uint64_t args[])
{
	(void)cpu;
	return getrandom(args, 8, 0) == 8 ? H_SUCCESS : H_HARDWARE;
}

/* args: a server, or -1 for all, -2 for all but the caller. */
int64_t h_signal_sys_reset(struct hcpu *cpu, uint64_t args[])
{
	struct machine *m = cpu->machine;
	int64_t target = (int64_t)args[0];

	if (target >= 0)
		return target > UINT32_MAX || m->ops->system_reset(m, (uint32_t)target)
			       ? H_PARAMETER
			       : H_SUCCESS;
	if (target < -2)
		return H_PARAMETER;
	for (uint32_t server = 0; server < m->nr_cpus; server++)
		if (target == -1 || server != cpu->server)
			m->ops->system_reset(m, server);
	return H_SUCCESS;
}
