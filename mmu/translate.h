/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an effective address of a guest means, as hardware would find it: through the
 * segment lookaside buffer and the hashed page table (Power ISA 2.07 III 5.7), or
 * through the process table and the radix tree (Power ISA 3.0 III 5.7.10). For people
 * who look, not for the way of a guest: nothing is cached, no bit is set.
 */
#ifndef MMU_TRANSLATE_H
#define MMU_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/gmem.h"
#include "mmu/hpte.h"

#define SLB_ENTRIES 64

/* An entry as slbmte takes it: RB (ESID, V, index) and RS (B, VSID, Ks, Kp, N, L, LP). */
struct slb_entry {
	uint64_t rb, rs;
};

struct hash_mmu {
	struct slb_entry slb[SLB_ENTRIES];
	uint32_t order; /* of the table, log2 of bytes */
	/* An entry of the table, 0 or negative errno. */
	int (*read)(void *ctx, uint64_t index, struct hpte *entry);
	void *ctx;
};

struct radix_mmu {
	const struct gmem *mem;
	uint64_t patb1; /* process table: base and size */
	uint32_t pid;	/* of the process that runs */
};

#define RADIX_LEVELS 5 /* more than any tree has */

/* How far it went, and what was found there. */
struct translation {
	uint64_t real;	     /* real address, if it was found */
	uint32_t page_shift; /* of the page */
	union {
		struct {
			uint32_t slb;	     /* which entry, SLB_ENTRIES if none */
			uint64_t vsid;	     /* of it */
			uint32_t base_shift; /* of its pages */
			bool large_segment;  /* 1 TiB */
			bool secondary;	     /* found in the secondary group */
			uint64_t index;	     /* of the entry; of the primary group if none */
			struct hpte entry;
		} hash;
		struct {
			uint32_t pid;					/* whose tree */
			uint32_t levels;				/* entries read */
			uint64_t at[RADIX_LEVELS], entry[RADIX_LEVELS]; /* where, and what */
		} radix;
	};
};

/*
 * 0; -EFAULT where there is no segment, no page, or no such quadrant; -EINVAL for tables
 * that cannot be, or are not in memory; else what read() failed with.
 */
int hash_translate(const struct hash_mmu *mmu, uint64_t ea, struct translation *t);
int radix_translate(const struct radix_mmu *mmu, uint64_t ea, struct translation *t);

#endif
