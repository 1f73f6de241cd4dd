/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a kernel with radix page tables flushes when it changed some: which entries, with which
 * instructions, between which barriers. Decisions only, as Linux makes them in
 * arch/powerpc/mm/book3s64/radix_tlb.c (6.12), and as it made them before and within the series
 * of 2017 (4.15), so that the variants can be counted and compared.
 *
 * A translation can be held in the TLB, its way there in the page walk cache (PWC), and the root
 * of a process's tree in the cache of process table entries; RIC says which of them a tlbie or
 * tlbiel is for (Power ISA 3.0 III 5.9.3.3).
 */
#ifndef MMU_TLB_FLUSH_H
#define MMU_TLB_FLUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLB_EA_BITS  52 /* of an effective address of a process */
#define TLB_SHIFT_2M 21
#define TLB_SHIFT_1G 30

enum tlb_ric {
	RIC_TLB = 0,
	RIC_PWC = 1,
	RIC_ALL = 2, /* and process table entries */
};

enum tlb_flush_kind {
	TLB_FLUSH_RANGE,  /* flush_tlb_range: pages of any size; mremap, mprotect until 5.18 */
	TLB_FLUSH_GATHER, /* tlb_flush: pages of one size; munmap, mprotect since 5.19 */
	TLB_FLUSH_EXIT,	  /* the same, of a process that ends: its PID can be used again */
};

/* What differs between kernels. */
struct tlb_policy {
	const char *name;
	bool barrier_each;	/* barriers around each tlbie(l) of a run, not around the run */
	bool range_by_address;	/* flush_tlb_range: addresses, not the PID */
	bool range_with_pwc;	/* and it is also used where page tables moved (mremap) */
	bool tables_by_address; /* page tables freed: addresses and the PWC, not everything */
	enum tlb_flush_kind mprotect; /* by which of them it flushes */
	bool exit_clears_first; /* the process table entry goes before the last flush, not after */
	uint32_t ceiling_global, ceiling_local; /* pages; for more the PID is flushed */
};

/*
 * By name: "before" is Linux 4.14; "barriers", "ranges" and "ceilings" are the steps of the
 * series, each with those before it; "after" is all of it; "linux-6.12" what became of that.
 * NULL if there is no such policy, or none with that number.
 */
const struct tlb_policy *tlb_policy_find(const char *name);
const struct tlb_policy *tlb_policy_nth(size_t n);

/* What differs between processors, and in how a kernel was built. */
struct tlb_machine {
	uint32_t page_shift; /* log2 of the base page, 12 or 16 */
	uint32_t sets;	     /* tlbiels that flush a PID: 128 sets on POWER9; 1 since POWER10 */
	bool erat_bug;	     /* a tlbie can miss the ERAT (CPU_FTR_P9_TLBIE_ERAT_BUG) */
	bool stq_bug;	     /* or stores in the queue (CPU_FTR_P9_TLBIE_STQ_BUG) */
	bool thp;	     /* transparent huge pages of 2 MiB */
	bool gtse;	     /* tlbie is allowed; else H_RPT_INVALIDATE, a hypervisor's call */
};

struct tlb_flush {
	enum tlb_flush_kind kind;
	uint64_t start, end; /* effective addresses, of base pages; not for TLB_FLUSH_EXIT */
	uint32_t page_shift; /* of the pages, for TLB_FLUSH_GATHER */
	bool local;	     /* the process ran on this processor only */
	bool freed_tables;   /* page tables were taken out too */
};

/* How often each is executed. */
struct tlb_counts {
	uint64_t tlbie, tlbiel;
	uint64_t fixups;  /* of tlbie, those for faults of the processor */
	uint64_t ptesync; /* in all */
	uint64_t tlbsync; /* each with the eieio before it; its ptesync is counted above */
	uint64_t slbia;	  /* that invalidate the ERAT, each with an isync */
	uint64_t hcalls;  /* H_RPT_INVALIDATE: the rest is then the hypervisor's */
	uint64_t locks;	  /* of tlbie, for hash guests: see mmu/hpt_tlbie.h */
	uint64_t unlocks;
};

/* A run of the same instruction. */
struct tlb_step {
	bool pid;	     /* all of the PID, else pages from @start */
	enum tlb_ric ric;    /* a local flush of the PID: of the first set, the others RIC_TLB */
	uint32_t page_shift; /* of pages: size and step */
	uint64_t start;
	uint64_t count; /* instructions */
};

#define TLB_STEPS_MAX 3

struct tlb_plan {
	struct tlb_step steps[TLB_STEPS_MAX];
	size_t nr_steps;
	bool local;	   /* tlbiel, else tlbie */
	bool clears_first; /* the process table entry is cleared before all this */
	struct tlb_counts counts;
};

/**
 * tlb_flush_plan - what is to be done for a flush
 *
 * 0, or -EINVAL for a machine or a range that cannot be.
 */
int tlb_flush_plan(const struct tlb_policy *policy, const struct tlb_machine *machine,
		   const struct tlb_flush *flush, struct tlb_plan *plan);

#endif
