/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a virtual processor finds the TLB of a processor unfit, on machines whose TLB entries are
 * tagged with the partition (LPID) but not with the virtual processor: Freescale's e500mc and
 * what followed (arch/powerpc/kvm/e500mc.c, kvmppc_core_vcpu_load_e500mc).
 *
 * Two ways to be unfit: polluted, with translations of another virtual processor of the same
 * partition; and stale, with its own from a time before it ran elsewhere, where it may have
 * invalidated some.
 */
#ifndef MMU_TLB_POLLUTION_H
#define MMU_TLB_POLLUTION_H

#include <stdbool.h>
#include <stdint.h>

#define TLB_NO_CPU UINT32_MAX

enum tlb_pollution_policy {
	TLB_LAST_OF_CPU,  /* until 2014: flush if any other virtual processor ran here since */
	TLB_LAST_OF_LPID, /* Linux since: if another one of this partition did */
};

/* A virtual processor; the caller's, and so is its memory. */
struct tlb_vcpu {
	uint32_t lpid;
	uint32_t last_cpu; /* where it ran last, TLB_NO_CPU at first */
};

struct tlb_pollution {
	enum tlb_pollution_policy policy;
	uint32_t cpus, lpids;
	/*
	 * Who ran last: on a processor, for each LPID. @cpus * @lpids, the caller's, NULL at
	 * first. TLB_LAST_OF_CPU uses the first of each processor.
	 */
	const struct tlb_vcpu **last;
};

/**
 * tlb_pollution_load - a virtual processor is about to run on a processor
 * @flush: whether all entries of its LPID are to be flushed there first
 *
 * 0; -ERANGE, and nothing changed, for a processor or an LPID that is not there.
 */
int tlb_pollution_load(struct tlb_pollution *p, uint32_t cpu, struct tlb_vcpu *vcpu, bool *flush);

#endif
