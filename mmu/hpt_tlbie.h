/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The invalidations of a hash guest's page table calls, as KVM makes them (do_tlbies in
 * arch/powerpc/kvm/book3s_hv_rm_mmu.c), and whether they are made under a lock.
 *
 * Processors before POWER5 have one tlbie at a time. Linux says MMU_FTR_LOCKLESS_TLBIE of those
 * where this is not so; until 2018 KVM locked all the same. The kernel series has a switch that
 * locks again (docs/KERNEL.md).
 */
#ifndef MMU_HPT_TLBIE_H
#define MMU_HPT_TLBIE_H

#include <stdbool.h>

#include "mmu/tlb_flush.h"

#define HPT_TLBIES_MAX 4 /* entries of a call: H_BULK_REMOVE takes as many */

struct hpt_tlbie_policy {
	bool lockless;	/* MMU_FTR_LOCKLESS_TLBIE */
	bool serialize; /* lock all the same; whoever may change this, at any time */
};

/* One sequence of invalidations, between barriers. */
struct hpt_tlbies {
	bool global; /* tlbie, else tlbiel: no other processor ran the guest */
	bool locked;
	struct tlb_counts counts;
};

/**
 * hpt_tlbies_begin - the lock, and the ptesync before the first
 * @need_sync: a store to the table has to be seen before; not where only R is cleared
 */
void hpt_tlbies_begin(struct hpt_tlbies *t, const struct hpt_tlbie_policy *policy, bool global,
		      bool need_sync);

/* Invalidate what one entry mapped. */
void hpt_tlbies_add(struct hpt_tlbies *t);

/*
 * The barriers after the last, and the lock back. Who took it gives it back: the policy is not
 * asked again, since it may say something else by now.
 */
void hpt_tlbies_end(struct hpt_tlbies *t, const struct tlb_machine *machine);

#endif
