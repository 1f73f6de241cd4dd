// SPDX-License-Identifier: GPL-2.0-only
/* hpt-digest: a plain model of the table, and what came of a call beside what it expects. */
#include "digest.h"

void digest(struct run *run, u64 value)
{
	/* FNV-1a, by doublewords */
	run->digest = (run->digest ^ value) * 0x100000001b3ul;
	run->digest ^= run->digest >> 32;
}

u64 index_of(const struct run *run, int place)
{
	return (run->first[place / (WINDOW * GROUP)] * GROUP) + place % (WINDOW * GROUP);
}

/* Where in table[], or -1: the indexes that are asked for are these or none. */
int place_of(const struct run *run, u64 index)
{
	int w;

	for (w = 0; w < 2; w++)
		if (index - run->first[w] * GROUP < WINDOW * GROUP)
			return (int)(index - run->first[w] * GROUP) + w * WINDOW * GROUP;
	return -1;
}

/* log2 of the size of the page of an entry, 0 if there is none such. */
u32 page_shift(u64 v, u64 r)
{
	u32 lp = (u32)(r >> 12) & 0xff;

	if (!(v & HPTE_V_LARGE))
		return 12;
	if ((lp & 15) == 1 || (lp & 15) == 7)
		return 16;
	if (lp == 0 || lp == 8 || lp == 0x38)
		return 24;
	return lp == 3 ? 34 : 0;
}

bool fits(const struct entry *e, bool avpn, bool andcond, u64 value)
{
	return e->v && !(avpn && (e->v & ~0x7ful) != value) && !(andcond && (e->v & value));
}

void forget(struct run *run, struct entry *e)
{
	if (e->page != NO_PAGE)
		run->where[e->page] = NO_PAGE;
	e->v = 0;
	e->page = NO_PAGE;
}

static void show(const struct run *run, const struct hcall *asked, const struct hcall *got, long rc,
		 int n, const u64 *want)
{
	int i;

	printf("# call %lu: 0x%lx (0x%lx 0x%lx 0x%lx 0x%lx): %ld, expected %ld\n", run->calls,
	       asked->r[0], asked->r[1], asked->r[2], asked->r[3], asked->r[4], (long)got->r[0],
	       rc);
	for (i = 0; i < n; i++)
		printf("#   r%d 0x%lx, expected 0x%lx\n", 4 + i, got->r[1 + i], want[i]);
}

static u64 *count_of(struct run *run, long rc)
{
	switch (rc) {
	case H_SUCCESS:
		return &run->good;
	case H_NOT_FOUND:
		return &run->missed;
	case H_PTEG_FULL:
		return &run->full;
	default:
		return &run->refused;
	}
}

/*
 * PASSED_OVER: H_ENTER that must give entry @at. KVM tries once to lock a free entry, and takes
 * the next if that fails. Then take it out again and ask once more; sooner or later it gives @at.
 */
static long enter_do(struct hcall *h, u64 at)
{
	const struct hcall asked = *h;
	long rc = hcall_do(h);
	int tries;

	for (tries = 0; tries < 8 && !rc && h->r[1] > at && h->r[1] / GROUP == at / GROUP;
	     tries++) {
		hcall(H_REMOVE, 0, h->r[1], 0);
		*h = asked;
		rc = hcall_do(h);
	}
	return rc;
}

/* Make a call whose return code must be @rc, and the @n results @want where @mask has ones. */
void call(struct run *run, struct hcall *h, long rc, int n, const u64 *want, const u64 *mask)
{
	struct hcall asked = *h;
	bool wrong;
	int i;

	wrong = (h->r[0] == H_ENTER && n ? enter_do(h, want[0]) : hcall_do(h)) != rc;
	run->calls++;
	*count_of(run, rc) += 1;
	digest(run, h->r[0]);
	for (i = 0; i < n; i++) {
		u64 m = mask ? mask[i] : ~0ul;

		digest(run, h->r[1 + i] & m);
		wrong |= ((h->r[1 + i] ^ want[i]) & m) != 0;
	}
	if (wrong && run->wrong++ < SHOWN)
		show(run, &asked, h, rc, n, want);
}
