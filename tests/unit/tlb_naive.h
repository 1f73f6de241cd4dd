/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a processor holds of one process's translations, as simply as can be: each flush takes
 * out what the Power ISA says that it does, entry by entry.
 */
#ifndef TESTS_UNIT_TLB_NAIVE_H
#define TESTS_UNIT_TLB_NAIVE_H

#include "mmu/tlb_flush.h"

#define NAIVE_ENTRIES 8192

struct naive_entry {
	uint64_t ea;
	uint32_t shift; /* of the page; of the span of a table, in the page walk cache */
	bool valid;
};

struct naive_tlb {
	uint32_t
		sets; /* that the TLB has; one tlbiel for a PID is for one, or for all if it is 1 */
	struct naive_entry tlb[NAIVE_ENTRIES], pwc[NAIVE_ENTRIES];
	uint32_t nr_tlb, nr_pwc;
	bool prt; /* the process table entry */
};

/* Every page of 2^@shift from @start to @end was used, and the table of each 2 MiB. */
void naive_fill(struct naive_tlb *t, uint64_t start, uint64_t end, uint32_t shift);

void naive_flush(struct naive_tlb *t, const struct tlb_plan *plan);

/* Whether any page of 2^@shift that is all in the range is still there; any table of 2 MiB. */
bool naive_has(const struct naive_tlb *t, uint64_t start, uint64_t end, uint32_t shift);
bool naive_has_table(const struct naive_tlb *t, uint64_t start, uint64_t end);

/* How many translations there are. */
uint32_t naive_count(const struct naive_tlb *t);

#endif
