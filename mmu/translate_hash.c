// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "mmu/translate.h"

#define RB_V	   0x0000000008000000ull
#define RS_B_1T	   0x4000000000000000ull
#define RS_L	   0x0000000000000100ull
#define RS_LP	   0x0000000000000030ull
#define SHIFT_256M 28
#define SHIFT_1T   40
#define VSID_256M  12 /* where the VSID begins in RS */
#define VSID_1T	   24
#define GROUP	   8

static uint32_t segment_shift(struct slb_entry e)
{
	return e.rs & RS_B_1T ? SHIFT_1T : SHIFT_256M;
}

/* L and LP: the base page size; 0 for an encoding that no processor has. */
static uint32_t base_shift(struct slb_entry e)
{
	static const uint32_t large[4] = {24, 16, 34, 0};

	return e.rs & RS_L ? large[(e.rs & RS_LP) >> 4] : 12;
}

static uint32_t find_segment(const struct hash_mmu *mmu, uint64_t ea)
{
	for (uint32_t i = 0; i < SLB_ENTRIES; i++) {
		struct slb_entry e = mmu->slb[i];

		if ((e.rb & RB_V) && e.rb >> segment_shift(e) == ea >> segment_shift(e))
			return i;
	}
	return SLB_ENTRIES;
}

/* B and AVPN as an entry of that page has them: what the page's size leaves out is zero. */
static uint64_t avpn_of(const struct translation *t, uint64_t offset)
{
	uint32_t shift = t->hash.large_segment ? SHIFT_1T : SHIFT_256M;
	uint64_t avpn = t->hash.vsid << (shift - 16) | offset >> 16;

	avpn &= t->hash.base_shift >= 24 ? ~((1ull << (t->hash.base_shift - 16)) - 1) : ~0x7full;
	return (avpn & HPTE_V_AVPN) | (t->hash.large_segment ? HPTE_V_1T : 0);
}

/*
 * Whether an entry maps that page. Address bits within the page do not count, which
 * matters where it is larger than its base; nor does L in a segment of 4 KiB pages.
 */
static bool is_it(const struct translation *t, struct hpte e, uint64_t avpn, bool secondary)
{
	uint64_t wanted = avpn | HPTE_V_VALID | (secondary ? HPTE_V_SECONDARY : 0), within = 0;
	uint32_t base, shift = hpte_page_shift(e, &base);

	if (!shift || base != t->hash.base_shift)
		return false;
	if (shift > 23)
		within = ((1ull << (shift - 16)) - 1) & HPTE_V_AVPN;
	within |= HPTE_V_SOFTWARE | HPTE_V_LARGE;
	return (e.v & ~within) == (wanted & ~within);
}

static int find_page(const struct hash_mmu *mmu, uint64_t offset, bool secondary,
		     struct translation *t)
{
	uint64_t mask = (1ull << (mmu->order - 7)) - 1, avpn = avpn_of(t, offset);
	uint64_t hash = hpte_hash(t->hash.vsid, offset, t->hash.large_segment, t->hash.base_shift);
	uint64_t group = (secondary ? ~hash : hash) & mask;

	if (!secondary)
		t->hash.index = group * GROUP;
	for (uint64_t i = 0; i < GROUP; i++) {
		struct hpte e;
		int err = mmu->read(mmu->ctx, group * GROUP + i, &e);

		if (err)
			return err;
		if (!is_it(t, e, avpn, secondary))
			continue;
		t->hash.index = group * GROUP + i;
		t->hash.entry = e;
		t->hash.secondary = secondary;
		return 0;
	}
	return -ENOENT;
}

int hash_translate(const struct hash_mmu *mmu, uint64_t ea, struct translation *t)
{
	struct slb_entry e;
	uint64_t offset, size;
	uint32_t base;
	int err;

	*t = (struct translation){.hash.slb = find_segment(mmu, ea)};
	if (t->hash.slb == SLB_ENTRIES)
		return -EFAULT;
	e = mmu->slb[t->hash.slb];
	t->hash.large_segment = e.rs & RS_B_1T;
	t->hash.vsid = (e.rs & ~(HPTE_V_SSIZE)) >> (t->hash.large_segment ? VSID_1T : VSID_256M);
	t->hash.base_shift = base_shift(e);
	if (!t->hash.base_shift || mmu->order < 18 || mmu->order > 46)
		return -EINVAL;
	offset = ea & ((1ull << segment_shift(e)) - 1);
	err = find_page(mmu, offset, false, t);
	if (err == -ENOENT)
		err = find_page(mmu, offset, true, t);
	if (err)
		return err == -ENOENT ? -EFAULT : err;
	t->page_shift = hpte_page_shift(t->hash.entry, &base);
	size = 1ull << t->page_shift;
	t->real = (t->hash.entry.r & HPTE_R_RPN & ~(size - 1)) | (ea & (size - 1));
	return 0;
}
