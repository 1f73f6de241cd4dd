// SPDX-License-Identifier: GPL-2.0-only
/* hpt-digest: what is asked: valid, on the edge, rubbish. */
#include "digest.h"

u64 draw(struct run *run)
{
	return random_next(&run->random);
}

/* Below @n; the generator's upper bits are its best. */
u64 below(struct run *run, u64 n)
{
	return (draw(run) >> 16) % n;
}

bool one_in(struct run *run, u64 n)
{
	return below(run, n) == 0;
}

/* A place, mostly of an entry of ours, never of one of the hypervisor. */
static int draw_place(struct run *run)
{
	int place = (int)below(run, ENTRIES), tries;
	bool used = !one_in(run, 6);

	for (tries = 0; tries < ENTRIES; tries++, place = (place + 1) % ENTRIES)
		if (!run->table[place].foreign && (!used || run->table[place].v))
			return place;
	return 0;
}

u64 draw_index(struct run *run)
{
	switch (below(run, 40)) {
	case 0:
		return machine.nentries + below(run, 1000);
	case 1:
		return draw(run) | 1ul << 55;
	default:
		return index_of(run, draw_place(run));
	}
}

/* What to compare with: what fits, what does not, a condition, or anything. */
u64 draw_value(struct run *run, u64 index)
{
	int place = place_of(run, index);
	u64 v = place < 0 ? 0 : run->table[place].v;
	u64 bit = below(run, 4) ? 1ul << (1 + below(run, 4)) : 1ul << (7 + below(run, 45));

	switch (below(run, 8)) {
	case 0:
		return (v & ~0x7ful) ^ 1ul << (7 + below(run, 45));
	case 1:
		return v & ~SOFTWARE_COND;
	case 2:
	case 3:
		return bit & ~SOFTWARE_COND;
	case 4:
		return draw(run) & ~SOFTWARE_COND;
	case 5:
		return 0;
	default:
		return v & ~0x7ful;
	}
}

u64 draw_condition(struct run *run)
{
	static const u64 flags[] = {0, 0, H_AVPN, H_AVPN, H_ANDCOND, H_AVPN | H_ANDCOND};
	u64 rubbish = one_in(run, 8) ? draw(run) & ~(H_AVPN | H_ANDCOND) : 0;

	return flags[below(run, ARRAY_SIZE(flags))] | rubbish;
}

u64 draw_protection(struct run *run)
{
	u64 r = draw(run) & HPTE_R_PROT;

	/* RESERVED_PP */
	if ((r & HPTE_R_PP) != 2)
		r &= ~HPTE_R_PP0;
	return r;
}

/* Real addresses: of the program, of any memory, just beyond, and anything. */
u64 draw_real(struct run *run)
{
	switch (below(run, 4)) {
	case 0:
		return run->pages[below(run, (u64)run->npages)].real;
	case 1:
		return below(run, machine.memory_end) & ~0xffful;
	case 2:
		return machine.memory_end + (below(run, 256) << 12);
	default:
		return draw(run) & HPTE_R_RPN;
	}
}

u64 draw_request(struct run *run)
{
	static const u64 types[] = {0, BULK_RESPONSE, BULK_END, BULK_END};
	u64 index = draw_index(run) & BULK_INDEX;
	u64 condition = one_in(run, 32) ? BULK_CONDITION : below(run, 3) * BULK_ANDCOND;
	u64 type = one_in(run, 12) ? types[below(run, ARRAY_SIZE(types))] : BULK_REQUEST;
	u64 noise = one_in(run, 8) ? draw(run) & 0x3c00000000000000ul : 0;

	return type | condition | noise | index;
}

/* Mostly one that is mapped. */
int draw_page(struct run *run)
{
	int n = (int)below(run, (u64)run->npages), tries = one_in(run, 4) ? 0 : run->npages;

	for (; tries && run->where[n] == NO_PAGE; tries--)
		n = (n + 1) % run->npages;
	return n;
}
