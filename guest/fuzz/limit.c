// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: what keeps arguments from harm that is known: see enum fuzz_limit, and
 * docs/FUZZING.md for the reasons.
 */
#include "fuzz.h"

#define FLAG_PP0 0x100ul /* among the flags of H_PROTECT */

static bool is_memory(u64 address)
{
	return address < memory_end;
}

/* Entries of real mode are the last of their groups. */
static u64 spare_slot(u64 index)
{
	return (index & 7) == 7 ? index ^ 1 : index;
}

static void limit_slots(struct drawn *d)
{
	u32 i;

	/* Requests, and behind each what to compare with. */
	for (i = 0; i < 8 && d->call->limits & FUZZ_BULK; i += 2)
		d->args[i] = spare_slot(d->args[i]);
	/* The others have flags, and then the index. */
	if (!(d->call->limits & FUZZ_BULK))
		d->args[1] = spare_slot(d->args[1]);
}

/*
 * What an entry maps is written by accesses through it, and may be zeroed by H_ENTER: in memory
 * it is of the arena, in pages of 4 or 64 KiB.
 */
static void limit_entry(struct drawn *d)
{
	u64 page = d->args[3] & HPTE_R_RPN, rest = d->args[3] & ~HPTE_R_RPN, lp = page >> 12 & 15;
	bool is_64k = lp == 1 || lp == 7;

	if (d->args[2] & HPTE_V_LARGE && !is_64k && is_memory(page & ~(LARGEST_PAGE - 1)))
		d->args[2] &= ~HPTE_V_LARGE;
	if (!(d->args[2] & HPTE_V_LARGE))
		d->args[3] = rest | (guard_rubbish(page) & ~0xffful & HPTE_R_RPN);
	else if (is_64k)
		d->args[3] = rest | (guard_rubbish(page & ~0xfffful) & ~0xfffful) | lp << 12;
	else
		d->args[0] &= ~H_ZERO_PAGE;
}

static void limit_start(struct drawn *d)
{
	int i;

	for (i = 0; i < ncpus; i++)
		if (cpus[i].server == (u32)d->args[0])
			break;
	if (i == ncpus)
		return;
	if (i >= nfuzzers || d->args[2] & 1) {
		d->args[1] |= 1;
		return;
	}
	d->args[1] = (u32)(u64)cpu_entry;
	d->args[2] = (u32)(u64)&cpus[i];
}

/* Protections that the ISA reserves: an access may never end (docs/FINDINGS.md). */
static void limit_protection(struct drawn *d)
{
	if (d->nr == H_ENTER && (d->args[3] & HPTE_R_PP) != 2)
		d->args[3] &= ~HPTE_R_PP0;
	if (d->nr == H_PROTECT && (d->args[0] & HPTE_R_PP) != 2)
		d->args[0] &= ~FLAG_PP0;
}

void limit(struct fuzzer *f, struct drawn *d)
{
	bool spare = set.kernel_xics && !set.known; /* what KVM's XICS gets wrong */
	u16 limits = d->call->limits;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(d->call->args); i++)
		if (d->call->args[i] == ARG_ADDRESS)
			d->args[i] = guard_rubbish(d->args[i]);
	if (limits & FUZZ_SLOTS)
		limit_slots(d);
	if (d->nr == H_ENTER)
		limit_entry(d);
	if (!set.known || set.agree)
		limit_protection(d);
	/* H_LOGICAL_MEMOP: destination, source, log2 of the size, count */
	if (limits & FUZZ_COPY && is_memory(d->args[0]))
		d->args[3] &= 0xff;
	if (limits & FUZZ_CONSOLE && (d->call->rtas || d->args[0] <= console_unit()))
		for (i = d->call->rtas ? 0 : 2; i < 4; i++)
			d->args[i] = 0;
	if (limits & FUZZ_SELF && nfuzzers > 1 && (d->args[0] < (u64)ncpus || d->args[0] + 2 < 2))
		d->args[0] = this_cpu()->server;
	if (limits & FUZZ_WILD && spare)
		d->args[2] &= 0xff;
	if (limits & FUZZ_SOURCE && spare)
		d->args[0] = present_source(d->args[0]);
	if (limits & FUZZ_POLL && spare && (u32)d->args[0] < (u32)ncpus)
		d->args[0] = this_cpu()->server;
	if (limits & FUZZ_START)
		limit_start(d);
	if (set.agree)
		agree_limit(f, d);
}
