// SPDX-License-Identifier: GPL-2.0-only
/* hpt-digest: accesses through the table. */
#include "digest.h"

static bool read_only(const struct entry *e)
{
	return (e->r & HPTE_R_PP0) || (e->r & HPTE_R_PP) == 3;
}

/* Load or store in a page: what it maps, its protection, its R and C must tell. */
void touch(struct run *run)
{
	int n = draw_page(run);
	struct entry *e = run->where[n] == NO_PAGE ? NULL : &run->table[run->where[n]];
	u64 stored = draw(run), ea = run->pages[n].ea, loaded = 0, wanted = run->content[n];
	bool store = one_in(run, 2);
	u32 fault, want = 0;

	if (!e)
		want = DSISR_NOHPTE | (store ? DSISR_STORE : 0);
	else if (store && read_only(e))
		want = DSISR_PROT | DSISR_STORE;
	fault = store ? hpt_store(ea, stored) : hpt_load(ea, &loaded);
	run->accesses++;
	run->faults += want != 0;
	if (!want) {
		e->r |= store ? HPTE_R_RC : HPTE_R_R;
		e->used = true;
		e->cleared = 0;
		if (store)
			run->content[n] = stored;
	}
	if (store || want)
		loaded = wanted;
	digest(run, fault);
	digest(run, loaded);
	if ((fault != want || loaded != wanted) && run->wrong++ < SHOWN)
		printf("# after call %lu: %s at 0x%lx: dsisr 0x%x, expected 0x%x; 0x%lx, expected "
		       "0x%lx\n",
		       run->calls, store ? "store" : "load", ea, fault, want, loaded, wanted);
}
