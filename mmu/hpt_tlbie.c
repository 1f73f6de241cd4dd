// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/hpt_tlbie.h"

void hpt_tlbies_begin(struct hpt_tlbies *t, const struct hpt_tlbie_policy *policy, bool global,
		      bool need_sync)
{
	*t = (struct hpt_tlbies){
		.global = global,
		.locked = global && (policy->serialize || !policy->lockless),
	};
	if (t->locked)
		t->counts.locks++;
	if (need_sync)
		t->counts.ptesync++;
}

void hpt_tlbies_add(struct hpt_tlbies *t)
{
	if (t->global)
		t->counts.tlbie++;
	else
		t->counts.tlbiel++;
}

void hpt_tlbies_end(struct hpt_tlbies *t, const struct tlb_machine *machine)
{
	if (t->global) {
		uint64_t n = (machine->erat_bug ? 1 : 0) + (machine->stq_bug ? 1 : 0);

		t->counts.fixups += n;
		t->counts.tlbie += n;
		t->counts.ptesync += n;
		t->counts.tlbsync++;
	}
	t->counts.ptesync++;
	if (t->locked)
		t->counts.unlocks++;
	t->locked = false;
}
