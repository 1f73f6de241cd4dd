// SPDX-License-Identifier: GPL-2.0-only
/*
 * hpt: the page table calls of a hash guest, one by one, and what hardware makes of the
 * entries: translations, protections, R and C. Boot arguments: "user" says that the monitor
 * serves the calls (--hpt user), which then does what KVM does not.
 */
#include "guest.h"

#define EA   0x100000000ul
#define VSID 0x123400000ul

static u8 memory[4 * 65536] __attribute__((aligned(65536)));
static u64 nentries;
static long rc; /* of the last call */

/* A call with its results in @h; its return code. */
#define CALL(h, ...) (*(h) = (struct hcall){{__VA_ARGS__}}, rc = hcall_do(h))

static u64 word(const struct vpage *page)
{
	return *(volatile u64 *)page->real;
}

/* Enter a page; the entry's index. */
static u64 enter(const struct vpage *page, bool secondary, u64 bits)
{
	struct hcall h;

	CALL(&h, H_ENTER, 0, hpt_group(page, secondary) * 8,
	     hpt_v(page) | (secondary ? HPTE_V_SECONDARY : 0), hpt_r(page) | bits);
	return rc ? nentries : h.r[1];
}

static u64 read_rc(u64 index)
{
	struct hcall h;

	return CALL(&h, H_READ, 0, index) ? ~0ul : h.r[2] & HPTE_R_RC;
}

static void remove(u64 index)
{
	struct hcall h;

	CALL(&h, H_REMOVE, 0, index, 0);
}

static void test_enter(const struct vpage *page)
{
	u64 v = hpt_v(page), r = hpt_r(page), group = hpt_group(page, false) * 8, seen = 0, at[8];
	struct hcall h;
	int i, n;

	check_eq("H_ENTER", CALL(&h, H_ENTER, H_EXACT, group + 3, v, r), H_SUCCESS);
	check_eq("says where", (long)h.r[1], (long)group + 3);
	check_eq("a place that is taken is refused", CALL(&h, H_ENTER, H_EXACT, group + 3, v, r),
		 H_PTEG_FULL);
	for (n = 0; n < 8 && !CALL(&h, H_ENTER, 0, group + 5, v, r); n++) {
		at[n] = h.r[1];
		seen |= 1ul << (at[n] - group);
	}
	check_eq("a full group is refused", rc, H_PTEG_FULL);
	check("the rest of the group was taken, each place once",
	      n == __builtin_popcountl(seen) && !(seen & 1 << 3) && seen < 256);
	for (i = 0; i < n; i++)
		remove(at[i]);
	remove(group + 3);
	check_eq("an index behind the table is refused", CALL(&h, H_ENTER, H_EXACT, nentries, v, r),
		 H_PARAMETER);
	check_eq("and one far behind", CALL(&h, H_ENTER, 0, ~0ul, v, r), H_PARAMETER);
	check_eq("so is a page size that does not exist",
		 CALL(&h, H_ENTER, 0, group, v | HPTE_V_LARGE, r | 0xf000), H_PARAMETER);
	check_eq("and a segment size that does not",
		 CALL(&h, H_ENTER, 0, group, v | HPTE_V_RESERVED_B, r), H_PARAMETER);
}

static void test_remove(const struct vpage *page)
{
	u64 v = hpt_v(page), r = hpt_r(page), index = enter(page, false, 0);
	struct hcall h;

	check_eq("H_REMOVE with another AVPN", CALL(&h, H_REMOVE, H_AVPN, index, v ^ 0x80),
		 H_NOT_FOUND);
	check_eq("H_REMOVE with a condition that does not hold",
		 CALL(&h, H_REMOVE, H_ANDCOND, index, v & HPTE_V_AVPN), H_NOT_FOUND);
	check_eq("H_REMOVE", CALL(&h, H_REMOVE, H_AVPN, index, v & ~0x7ful), H_SUCCESS);
	check("gives what was entered", h.r[1] == v && h.r[2] == r);
	check_eq("it is gone", CALL(&h, H_REMOVE, 0, index, 0), H_NOT_FOUND);
	check_eq("H_REMOVE behind the table", CALL(&h, H_REMOVE, 0, nentries, 0), H_PARAMETER);
	index = enter(page, false, 0);
	check_eq("H_REMOVE with a condition that holds",
		 CALL(&h, H_REMOVE, H_ANDCOND, index, HPTE_V_SECONDARY), H_SUCCESS);
}

static void test_read(const struct vpage *page)
{
	u64 v = hpt_v(page), r = hpt_r(page) | HPTE_R_N | HPTE_R_KEY_LO;
	u64 group = hpt_group(page, false) * 8;
	struct hcall h;

	CALL(&h, H_ENTER, H_EXACT, group + 2, v | 0x10, r);
	check_eq("H_READ", CALL(&h, H_READ, 0, group + 2), H_SUCCESS);
	check("gives what was entered, software's bits too", h.r[1] == (v | 0x10) && h.r[2] == r);
	check_eq("H_READ of four", CALL(&h, H_READ, H_READ_4, group + 1), H_SUCCESS);
	check("begins where they do", h.r[5] == (v | 0x10) && h.r[6] == r);
	check("of free entries it says so", !((h.r[1] | h.r[3] | h.r[7]) & HPTE_V_VALID));
	check_eq("H_READ behind the table", CALL(&h, H_READ, H_READ_4, nentries), H_PARAMETER);
	remove(group + 2);
}

static void test_bulk(const struct vpage *pages)
{
	u64 at[2] = {enter(&pages[0], false, HPTE_R_R), enter(&pages[1], false, HPTE_R_C)};
	struct hcall h;

	check_eq("H_BULK_REMOVE",
		 CALL(&h, H_BULK_REMOVE, BULK_REQUEST | BULK_AVPN | at[0],
		      hpt_v(&pages[0]) & ~0x7ful, BULK_REQUEST | at[1], 0, BULK_REQUEST | at[1], 0,
		      BULK_END, 0),
		 H_SUCCESS);
	check("gives R of the first",
	      h.r[1] == (BULK_RESPONSE | BULK_AVPN | at[0] | HPTE_R_R << BULK_RC_SHIFT));
	check("C of the second", h.r[3] == (BULK_RESPONSE | at[1] | HPTE_R_C << BULK_RC_SHIFT));
	check("no longer finds it then", h.r[5] == (BULK_RESPONSE | BULK_NOT_FOUND | at[1]));
	check("and leaves what is behind the end", h.r[7] == BULK_END);
	at[0] = enter(&pages[0], false, 0);
	at[1] = enter(&pages[1], false, 0);
	check_eq("a request that is none",
		 CALL(&h, H_BULK_REMOVE, BULK_REQUEST | at[0], 0,
		      BULK_REQUEST | BULK_CONDITION | at[1], 0, BULK_REQUEST | at[1], 0, BULK_END,
		      0),
		 H_PARAMETER);
	check("what was before it is done", h.r[1] == (BULK_RESPONSE | at[0]));
	check("it is marked", h.r[3] == (BULK_RESPONSE | BULK_PARAMETER | BULK_CONDITION | at[1]));
	check("what is behind it is not done",
	      h.r[5] == (BULK_REQUEST | at[1]) && read_rc(at[1]) == 0);
	remove(at[1]);
}

/* Hardware finds the entry, in this group, and sets R and C. */
static void test_translation(const struct vpage *page, bool secondary)
{
	u64 index, value;

	printf("# a page of %d KiB, %s group\n", 1 << (page->shift - 10),
	       secondary ? "secondary" : "primary");
	check_eq("no entry: a load is interrupted", hpt_load(page->ea, &value), DSISR_NOHPTE);
	check_eq("so is a store", hpt_store(page->ea, 1), DSISR_NOHPTE | DSISR_STORE);
	index = enter(page, secondary, 0);
	check_eq("a new entry has no R nor C", (long)read_rc(index), 0);
	*(volatile u64 *)page->real = 0x1234567812345678ul;
	check("a load goes there", !hpt_load(page->ea, &value) && value == word(page));
	check_eq("and sets R", (long)read_rc(index), HPTE_R_R);
	check("a store goes there", !hpt_store(page->ea, 42) && word(page) == 42);
	check_eq("and sets C", (long)read_rc(index), HPTE_R_RC);
	check("the end of the page too",
	      !hpt_store(page->ea + (1ul << page->shift) - 8, 43) &&
		      *(volatile u64 *)(page->real + (1ul << page->shift) - 8) == 43);
	remove(index);
	check_eq("after H_REMOVE a load is interrupted", hpt_load(page->ea, &value), DSISR_NOHPTE);
}

static void test_rc(const struct vpage *page)
{
	u64 index = enter(page, false, 0), value;
	struct hcall h;

	hpt_store(page->ea, 1);
	check_eq("H_CLEAR_REF", CALL(&h, H_CLEAR_REF, 0, index), H_SUCCESS);
	check("gives R and C as they were", (h.r[1] & HPTE_R_RC) == HPTE_R_RC);
	check_eq("R is clear", (long)read_rc(index), HPTE_R_C);
	hpt_load(page->ea, &value);
	check_eq("a load sets it again", (long)read_rc(index), HPTE_R_RC);
	check_eq("H_CLEAR_MOD", CALL(&h, H_CLEAR_MOD, 0, index), H_SUCCESS);
	check("gives R and C as they were", (h.r[1] & HPTE_R_RC) == HPTE_R_RC);
	check_eq("C is clear", (long)read_rc(index), HPTE_R_R);
	hpt_load(page->ea, &value);
	check_eq("a load leaves it", (long)read_rc(index), HPTE_R_R);
	hpt_store(page->ea, 2);
	check_eq("a store sets it again", (long)read_rc(index), HPTE_R_RC);
	check_eq("H_REMOVE gives R and C",
		 CALL(&h, H_REMOVE, 0, index, 0) ? -1l : (long)(h.r[2] & HPTE_R_RC), HPTE_R_RC);
	index = enter(page, false, 0);
	hpt_load(page->ea, &value);
	CALL(&h, H_BULK_REMOVE, BULK_REQUEST | index, 0, BULK_END);
	check("so does H_BULK_REMOVE",
	      h.r[1] == (BULK_RESPONSE | index | HPTE_R_R << BULK_RC_SHIFT));
	check_eq("H_CLEAR_REF of a free entry", CALL(&h, H_CLEAR_REF, 0, index), H_NOT_FOUND);
	check_eq("H_CLEAR_MOD of a free entry", CALL(&h, H_CLEAR_MOD, 0, index), H_NOT_FOUND);
	check_eq("H_CLEAR_MOD behind the table", CALL(&h, H_CLEAR_MOD, 0, nentries), H_PARAMETER);
}

static void test_protect(const struct vpage *page)
{
	u64 index = enter(page, false, 0), v = hpt_v(page) & ~0x7ful, value;
	struct hcall h;

	hpt_store(page->ea, 7);
	check_eq("H_PROTECT with another AVPN", CALL(&h, H_PROTECT, H_AVPN | 3, index, v ^ 0x80),
		 H_NOT_FOUND);
	check_eq("H_PROTECT to read only", CALL(&h, H_PROTECT, H_AVPN | 3, index, v), H_SUCCESS);
	check_eq("a store is interrupted", hpt_store(page->ea, 8), DSISR_PROT | DSISR_STORE);
	check("and does nothing", word(page) == 7);
	check("a load goes on", !hpt_load(page->ea, &value) && value == 7);
	check_eq("R and C are as they were", (long)read_rc(index), HPTE_R_RC);
	check_eq("H_PROTECT to read and write", CALL(&h, H_PROTECT, 0, index, 0), H_SUCCESS);
	check("a store goes on", !hpt_store(page->ea, 9) && word(page) == 9);
	/* pp0 and the key's upper bits come from other places. */
	CALL(&h, H_PROTECT, 0x100 | 0x3000 | 0xe00 | 4 | 2, index, 0);
	CALL(&h, H_READ, 0, index);
	check_eq("all bits of H_PROTECT arrive", (long)(h.r[2] & HPTE_R_PROT),
		 (long)(HPTE_R_PP0 | HPTE_R_KEY_HI | HPTE_R_KEY_LO | HPTE_R_N | 2));
	check_eq("and that is read only", hpt_store(page->ea, 10), DSISR_PROT | DSISR_STORE);
	remove(index);
	check_eq("H_PROTECT of a free entry", CALL(&h, H_PROTECT, 3, index, 0), H_NOT_FOUND);
	check_eq("H_PROTECT behind the table", CALL(&h, H_PROTECT, 3, nentries, 0), H_PARAMETER);
}

/* What KVM does not do, or does otherwise. */
static void test_monitor(const struct vpage *page)
{
	u64 index, group = hpt_group(page, false) * 8;
	struct hcall h;

	memset((void *)page->real, 0x55, 0x1000);
	CALL(&h, H_ENTER, H_ZERO_PAGE, group, hpt_v(page), hpt_r(page));
	index = h.r[1];
	check("H_ENTER zeroes the page when asked",
	      word(page) == 0 && *(volatile u64 *)(page->real + 0xff8) == 0);
	hpt_store(page->ea, 1);
	remove(index);
	CALL(&h, H_READ, 0, index);
	if (h.r[1] | h.r[2])
		printf("# 0x%lx 0x%lx\n", h.r[1], h.r[2]);
	check("H_READ of a free entry tells nothing", !h.r[1] && !h.r[2]);
}

static void test_unused(struct vpage page)
{
	u64 index;
	struct hcall h;

	page.real = dt_memory_end();
	index = enter(&page, false, HPTE_R_R);
	CALL(&h, H_CLEAR_REF, 0, index);
	check_eq("R is clear after H_CLEAR_REF of an entry that is not used", (long)read_rc(index),
		 0);
	remove(index);
	CALL(&h, H_ENTER, 0, index, hpt_v(&page) | HPTE_V_LARGE, HPTE_R_M);
	check_eq("a page in memory larger than the host's is refused", rc, H_PARAMETER);
}

/* An entry beyond memory: loads give ones, from the monitor. */
static void test_beyond(struct vpage page)
{
	u64 index, value = 0;

	page.real = dt_memory_end() + 0x10000;
	index = enter(&page, false, 0);
	check_eq("an entry beyond memory can be had", rc, H_SUCCESS);
	check("a load there gives ones", !hpt_load(page.ea, &value) && value == ~0ul);
	remove(index);
	check_eq("and it goes", rc, H_SUCCESS);
}

int main(void)
{
	struct vpage pages[2] = {
		{.ea = EA + 0x5000, .vsid = VSID, .shift = 12, .real = (u64)memory},
		{.ea = EA + 0x6000, .vsid = VSID, .shift = 12, .real = (u64)memory + 0x1000},
	};
	struct vpage big = {.ea = EA + 0x10000000ul,
			    .vsid = VSID + 1,
			    .shift = 16,
			    .real = (u64)memory + 65536};
	u64 sum = text_sum(), bits;

	if (!check("this is a hash guest", !dt_radix()))
		return 1;
	hpt_init();
	nentries = 8ul << hpt_group_bits();
	hpt_set_segment(&pages[0], 1);
	test_enter(&pages[0]);
	test_remove(&pages[0]);
	test_read(&pages[0]);
	test_bulk(pages);
	test_translation(&pages[0], false);
	test_translation(&pages[1], true);
	if (hpt_has_64k(&bits)) {
		hpt_set_segment(&big, 2);
		test_translation(&big, false);
		test_translation(&big, true);
	} else {
		printf("# no pages of 64 KiB\n");
	}
	test_rc(&pages[0]);
	test_protect(&pages[0]);
	test_beyond(pages[1]);
	if (dt_bootarg("user")) {
		test_monitor(&pages[0]);
		test_unused(pages[0]);
	}
	check("code and constants are as they were", text_sum() == sum);
	return 0;
}
