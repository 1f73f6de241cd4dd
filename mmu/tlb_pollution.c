// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/tlb_pollution.h"

#include <errno.h>
#include <stddef.h>

int tlb_pollution_load(struct tlb_pollution *p, uint32_t cpu, struct tlb_vcpu *vcpu, bool *flush)
{
	const struct tlb_vcpu **last;

	if (cpu >= p->cpus || vcpu->lpid >= p->lpids)
		return -ERANGE;
	last = &p->last[(size_t)cpu * p->lpids];
	if (p->policy == TLB_LAST_OF_LPID)
		last += vcpu->lpid;
	*flush = vcpu->last_cpu != cpu || *last != vcpu;
	*last = vcpu;
	vcpu->last_cpu = cpu;
	return 0;
}
