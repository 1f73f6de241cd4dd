/* SPDX-License-Identifier: GPL-2.0-only */
/* hpt-digest: what its files share. */
#ifndef DIGEST_H
#define DIGEST_H

#include "guest.h"
#include "random.h"

/*
 * EXCLUDED
 *
 * STALE		H_READ of a free entry: nothing but that it is not valid.
 * SOFTWARE_COND	H_ANDCOND with bits that say what state an entry is in.
 * LARGE_IN_MEMORY	Pages in memory that are larger than the host's.
 * ZERO_PAGE		The flag of H_ENTER.
 * RESERVED_PP		Protections that the architecture does not define.
 * CLEARED_UNUSED	H_READ of R or C after it was cleared in an entry that was never used.
 * HYPERVISOR_ENTRIES	Those of real mode.
 * PASSED_OVER		H_ENTER that takes another free entry than the first.
 */
#define AVPN_HIGH     0x3ff0000000000000ul /* entries of Power ISA 3.0 have no room for these */
#define SOFTWARE_COND 0x61ul

#define MAX_RUNS     4
#define CALLS	     2000
#define WINDOW	     16 /* groups, and as many where their pages are second */
#define GROUP	     8
#define ENTRIES	     (2 * WINDOW * GROUP)
#define SEGMENTS     4 /* of 4 KiB pages, and then one of 64 KiB pages */
#define MAX_PAGES    ((SEGMENTS + 1) * WINDOW)
#define NO_PAGE	     (-1)
#define SHOWN	     10 /* wrong answers */
#define HV_SOFTWARE  0x60ul
#define RUBBISH_VSID 0x0008000000000000ul /* no page has it */

struct entry {
	u64 v, r;    /* free: v is 0 */
	u64 cleared; /* R and C that were, while it was unused */
	int page;
	bool used; /* a translation came of it */
	bool foreign;
};

struct run {
	u64 seed, random, digest, calls;
	u64 wrong, accesses, faults, done;
	u64 good, refused, missed, full; /* calls, by return code */
	u64 first[2];			 /* group of each window */
	int npages;
	struct vpage pages[MAX_PAGES];
	int where[MAX_PAGES]; /* the entry, or NO_PAGE */
	u64 content[MAX_PAGES];
	struct entry table[ENTRIES];
};

/* What main() finds out before other CPUs run. */
extern struct machine {
	u64 nentries, memory_end;
	u64 lost; /* of first doublewords */
	bool has_64k;
} machine;

/* draw.c: all from the run's own generator */
u64 draw(struct run *run);
u64 below(struct run *run, u64 n);
bool one_in(struct run *run, u64 n);
u64 draw_index(struct run *run);
u64 draw_value(struct run *run, u64 index);
u64 draw_condition(struct run *run);
u64 draw_protection(struct run *run);
u64 draw_real(struct run *run);
u64 draw_request(struct run *run);
int draw_page(struct run *run);

/* model.c */
void digest(struct run *run, u64 value);
u64 index_of(const struct run *run, int place);
int place_of(const struct run *run, u64 index);
u32 page_shift(u64 v, u64 r);
bool fits(const struct entry *e, bool avpn, bool andcond, u64 value);
void forget(struct run *run, struct entry *e);
void call(struct run *run, struct hcall *h, long rc, int n, const u64 *want, const u64 *mask);

/* calls.c and touch.c: one of the kind, drawn, made and checked */
void enter_page(struct run *run);
void enter_rubbish(struct run *run);
void remove(struct run *run);
void bulk_remove(struct run *run);
void protect(struct run *run);
void read(struct run *run);
void clear(struct run *run);
void touch(struct run *run);

#endif
