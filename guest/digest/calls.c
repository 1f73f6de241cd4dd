// SPDX-License-Identifier: GPL-2.0-only
/* hpt-digest: the calls, each with the answer that the plain model expects. */
#include "digest.h"

static void enter(struct run *run, bool exact, u64 index, u64 v, u64 r, int page)
{
	u64 noise = one_in(run, 8) ? draw(run) & ~(H_EXACT | H_ZERO_PAGE) : 0;
	struct hcall h = {{H_ENTER, (exact ? H_EXACT : 0) | noise, index, v, r}};
	int place = index < machine.nentries ? place_of(run, exact ? index : index & ~7ul) : -1,
	    i = 0;
	u64 at;

	if (place < 0 || (v & HPTE_V_RESERVED_B) || !page_shift(v, r)) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	while (i < (exact ? 1 : GROUP) && run->table[place + i].v)
		i++;
	if (i == (exact ? 1 : GROUP)) {
		call(run, &h, H_PTEG_FULL, 0, NULL, NULL);
		return;
	}
	place += i;
	at = index_of(run, place);
	call(run, &h, H_SUCCESS, 1, &at, NULL);
	run->table[place] = (struct entry){
		.v = (v & ~HV_SOFTWARE & ~machine.lost) | HPTE_V_VALID,
		.r = r & ~HPTE_R_TS,
		.page = page,
	};
	if (page != NO_PAGE)
		run->where[page] = place;
}

/* Map a page that is not mapped, where hardware looks for it. */
void enter_page(struct run *run)
{
	int n = (int)below(run, (u64)run->npages);
	bool secondary = one_in(run, 3), exact = one_in(run, 2);
	struct vpage *page = &run->pages[n];
	u64 index = hpt_group(page, secondary) * GROUP + below(run, GROUP);

	if (run->where[n] != NO_PAGE)
		return;
	enter(run, exact, index,
	      hpt_v(page) | (secondary ? HPTE_V_SECONDARY : 0) | (draw(run) & 0x78),
	      hpt_r(page) | draw_protection(run) | (draw(run) & HPTE_R_RC), n);
}

void enter_rubbish(struct run *run)
{
	u64 v = draw(run) | RUBBISH_VSID, r, index = draw_index(run), size;
	static const u8 sizes[] = {0x00, 0x01, 0x03, 0x07, 0x08, 0x38};

	if (!one_in(run, 8))
		v &= ~HPTE_V_RESERVED_B;
	r = draw_real(run) | (draw(run) & 0xfff) | draw_protection(run) | (draw(run) & HPTE_R_TS);
	if (one_in(run, 2))
		r = (r & ~0xff000ul) | (u64)sizes[below(run, ARRAY_SIZE(sizes))] << 12;
	/* draw_protection() has the last word. */
	if ((r & HPTE_R_PP) != 2)
		r &= ~HPTE_R_PP0;
	/* LARGE_IN_MEMORY */
	size = 1ul << page_shift(v, r);
	if ((r & HPTE_R_RPN & ~(size - 1)) < machine.memory_end &&
	    size > (machine.has_64k ? 0x10000 : 0x1000))
		v &= ~HPTE_V_LARGE;
	enter(run, one_in(run, 2), index, v, r, NO_PAGE);
}

void remove(struct run *run)
{
	u64 index = draw_index(run), flags = draw_condition(run), value = draw_value(run, index);
	struct hcall h = {{H_REMOVE, flags, index, value}};
	struct entry *e;
	u64 want[2];

	if (place_of(run, index) < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	e = &run->table[place_of(run, index)];
	if (!fits(e, flags & H_AVPN, flags & H_ANDCOND, value)) {
		call(run, &h, H_NOT_FOUND, 0, NULL, NULL);
		return;
	}
	want[0] = e->v;
	want[1] = e->r;
	call(run, &h, H_SUCCESS, 2, want, NULL);
	forget(run, e);
}

/* One request's answer; false if it is the last. */
static bool expect_removal(struct run *run, u64 request, u64 value, u64 *want, long *rc)
{
	u64 index = request & BULK_INDEX, condition = request & BULK_CONDITION;
	u64 answer = BULK_RESPONSE | condition | index;
	struct entry *e;

	*want = request;
	if ((request & BULK_END) == BULK_END)
		return false;
	if ((request & BULK_END) != BULK_REQUEST || condition == BULK_CONDITION ||
	    index >= machine.nentries) {
		*want = answer | BULK_PARAMETER;
		*rc = H_PARAMETER;
		return false;
	}
	e = &run->table[place_of(run, index)];
	if (!fits(e, condition == BULK_AVPN, condition == BULK_ANDCOND, value)) {
		*want = answer | BULK_NOT_FOUND;
		return true;
	}
	*want = answer | (e->r & HPTE_R_RC) << BULK_RC_SHIFT;
	forget(run, e);
	return true;
}

void bulk_remove(struct run *run)
{
	struct hcall h = {{H_BULK_REMOVE}};
	long rc = H_SUCCESS;
	bool more = true;
	u64 want[8];
	int i;

	for (i = 1; i < 9; i += 2) {
		h.r[i] = draw_request(run);
		h.r[i + 1] = draw_value(run, h.r[i] & BULK_INDEX);
	}
	memcpy(want, &h.r[1], sizeof(want));
	for (i = 0; more && i < 8; i += 2)
		more = expect_removal(run, h.r[1 + i], h.r[2 + i], &want[i], &rc);
	call(run, &h, rc, 8, want, NULL);
}

void protect(struct run *run)
{
	u64 index = draw_index(run), value = draw_value(run, index), bits = draw_protection(run);
	/* H_ANDCOND is no flag of this call; the others may be anything. */
	u64 flags = draw_condition(run) & (H_AVPN | H_ANDCOND);
	struct hcall h = {{H_PROTECT,
			   flags | bits >> 55 | (bits & HPTE_R_KEY_HI) >> 48 |
				   (bits & (HPTE_R_KEY_LO | HPTE_R_N | HPTE_R_PP)),
			   index, value}};
	struct entry *e;

	if (place_of(run, index) < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	e = &run->table[place_of(run, index)];
	if (!fits(e, flags & H_AVPN, false, value)) {
		call(run, &h, H_NOT_FOUND, 0, NULL, NULL);
		return;
	}
	call(run, &h, H_SUCCESS, 0, NULL, NULL);
	e->r = (e->r & ~HPTE_R_PROT) | bits;
}

void read(struct run *run)
{
	u64 index = draw_index(run), want[8], mask[8];
	int n = one_in(run, 2) ? 4 : 1, place, i;
	struct hcall h = {{H_READ, n == 4 ? H_READ_4 : 0, index}};

	place = place_of(run, n == 4 ? index & ~3ul : index);
	if (place < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	for (i = 0; i < n; i++) {
		struct entry *e = &run->table[place + i];

		want[2 * i] = e->v;
		want[2 * i + 1] = e->r;
		/* STALE, HYPERVISOR_ENTRIES, CLEARED_UNUSED */
		mask[2 * i] = e->foreign ? 0 : e->v ? ~0ul : HPTE_V_VALID;
		mask[2 * i + 1] = e->foreign || !e->v ? 0 : ~(e->cleared & ~e->r);
	}
	call(run, &h, H_SUCCESS, 2 * n, want, mask);
}

void clear(struct run *run)
{
	bool mod = one_in(run, 2);
	u64 index = draw_index(run), bit = mod ? HPTE_R_C : HPTE_R_R, was;
	struct hcall h = {{mod ? H_CLEAR_MOD : H_CLEAR_REF, 0, index}};
	struct entry *e;

	if (place_of(run, index) < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	e = &run->table[place_of(run, index)];
	if (!e->v) {
		call(run, &h, H_NOT_FOUND, 0, NULL, NULL);
		return;
	}
	was = e->r;
	call(run, &h, H_SUCCESS, 1, &was, NULL);
	if (!e->used)
		e->cleared |= e->r & bit;
	e->r &= ~bit;
}
