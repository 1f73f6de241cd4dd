// SPDX-License-Identifier: GPL-2.0-only
/* mmu/translate_*.c: effective addresses through tables that were made by hand. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mmu/translate.h"
#include "tests/unit/unit.h"

#define MEM  (1ull << 20)
#define V    0x8000000000000000ull
#define LEAF 0x4000000000000000ull

static struct gmem mem;
static struct hpte table[1 << 14]; /* of 2^18 bytes */
static struct hash_mmu hash;
static struct translation t;

static int on_read(void *ctx, uint64_t index, struct hpte *entry)
{
	(void)ctx;
	ck_assert_uint_lt(index, sizeof(table) / sizeof(table[0]));
	*entry = table[index];
	return 0;
}

/* SLB: 0 is VSID 0x123 of 256 MiB from 0x10000000 with 4 KiB pages; 5 of 1 TiB with 64 KiB. */
static void setup(void)
{
	mem = (struct gmem){.base = calloc(1, MEM), .size = MEM};
	memset(table, 0, sizeof(table));
	hash = (struct hash_mmu){.order = 18, .read = on_read};
	hash.slb[0] = (struct slb_entry){0x0000000018000000ull, 0x123ull << 12};
	hash.slb[5] = (struct slb_entry){0xc000000008000005ull,
					 0x4000000000000000ull | 0x456ull << 24 | 0x110};
}

static void teardown(void)
{
	free(mem.base);
}

static int by_hash(uint64_t ea)
{
	return hash_translate(&hash, ea, &t);
}

/* 0x10001234: page 1 of the segment, group 0x123 ^ 1. */
START_TEST(a_4k_page_is_found_in_its_primary_group)
{
	table[(0x122 << 3) + 3] = (struct hpte){0x123ull << 12 | HPTE_V_VALID, 0x7000 | 0x190};
	ck_assert_int_eq(by_hash(0x10001234), 0);
	ck_assert_uint_eq(t.real, 0x7234);
	ck_assert_uint_eq(t.page_shift, 12);
	ck_assert_uint_eq(t.hash.slb, 0);
	ck_assert_uint_eq(t.hash.vsid, 0x123);
	ck_assert_uint_eq(t.hash.index, (0x122 << 3) + 3);
	ck_assert(!t.hash.secondary && !t.hash.large_segment);
}
END_TEST

/* The complement of 0x122 in 11 bits of groups. */
START_TEST(a_page_is_found_in_its_secondary_group)
{
	table[0x6dd << 3] = (struct hpte){0x123ull << 12 | HPTE_V_SECONDARY | HPTE_V_VALID, 0x7000};
	ck_assert_int_eq(by_hash(0x10001234), 0);
	ck_assert_uint_eq(t.real, 0x7234);
	ck_assert(t.hash.secondary);
	/* An entry that says primary does not count there. */
	table[0x6dd << 3].v &= ~HPTE_V_SECONDARY;
	ck_assert_int_eq(by_hash(0x10001234), -EFAULT);
	ck_assert_uint_eq(t.hash.index, 0x122 << 3);
}
END_TEST

/* 0xc000000000025678: page 2 of VSID 0x456, whose hash is 0x456 ^ 0x456 << 25 ^ 2. */
START_TEST(a_64k_page_of_a_1t_segment_is_found)
{
	table[(0x454 << 3) + 7] =
		(struct hpte){0x4000000000000000ull | 0x456ull << 24 | HPTE_V_LARGE | HPTE_V_VALID,
			      0x90000 | 0x1000};
	ck_assert_int_eq(by_hash(0xc000000000025678ull), 0);
	ck_assert_uint_eq(t.real, 0x95678);
	ck_assert_uint_eq(t.page_shift, 16);
	ck_assert_uint_eq(t.hash.slb, 5);
	ck_assert(t.hash.large_segment);
	/* The same words with the encoding of another base size are another page's. */
	table[(0x454 << 3) + 7].r = 0x90000 | 0x7000;
	ck_assert_int_eq(by_hash(0xc000000000025678ull), -EFAULT);
}
END_TEST

/* A 64 KiB page in the segment of 4 KiB pages: hashed by 4 KiB, and large. */
START_TEST(a_page_larger_than_its_base_is_found)
{
	table[(0x122 << 3) + 1] =
		(struct hpte){0x123ull << 12 | HPTE_V_LARGE | HPTE_V_VALID, 0x50000 | 0x7000};
	ck_assert_int_eq(by_hash(0x10001234), 0);
	ck_assert_uint_eq(t.real, 0x51234);
	ck_assert_uint_eq(t.page_shift, 16);
}
END_TEST

START_TEST(an_address_without_a_segment_is_not_mapped)
{
	ck_assert_int_eq(by_hash(0x20001234), -EFAULT);
	ck_assert_uint_eq(t.hash.slb, SLB_ENTRIES);
	hash.slb[0].rb &= ~0x8000000ull; /* no longer valid */
	ck_assert_int_eq(by_hash(0x10001234), -EFAULT);
	ck_assert_uint_eq(t.hash.slb, SLB_ENTRIES);
	hash.slb[5].rs |= 0x130; /* L and LP that are none */
	ck_assert_int_eq(by_hash(0xc000000000000000ull), -EINVAL);
}
END_TEST

static void put(uint64_t at, uint64_t value)
{
	be64_t raw = be64(value);

	ck_assert_int_eq(gmem_write(&mem, at, &raw, sizeof(raw)), 0);
}

/* A tree of 52 bits: 13, 9, 9 and 5 or, for a large page, 9 less. */
#define RTS (2ull << 61 | 5ull << 5)

static struct radix_mmu radix(uint32_t pid)
{
	put(0x4000 + 16ull * pid, RTS | 0x10000 | 13); /* process table of 4 KiB */
	put(0x10000 + 8 * 1, V | 0x30000 | 9);
	put(0x30000 + 8 * 2, V | 0x31000 | 9);
	put(0x31000 + 8 * 3, V | 0x32000 | 5);
	put(0x31000 + 8 * 4, V | LEAF | 0x800000 | 0x18f);
	put(0x32000 + 8 * 6, V | LEAF | 0x70000 | 0x18f);
	return (struct radix_mmu){.mem = &mem, .patb1 = V | 0x4000, .pid = pid};
}

#define EA (1ull << 39 | 2ull << 30 | 3ull << 21 | 6ull << 16 | 0x1234)

START_TEST(a_64k_page_is_four_levels_down)
{
	struct radix_mmu mmu = radix(7);

	ck_assert_int_eq(radix_translate(&mmu, EA, &t), 0);
	ck_assert_uint_eq(t.real, 0x71234);
	ck_assert_uint_eq(t.page_shift, 16);
	ck_assert_uint_eq(t.radix.pid, 7);
	ck_assert_uint_eq(t.radix.levels, 4);
	ck_assert_uint_eq(t.radix.at[3], 0x32000 + 8 * 6);
	ck_assert_uint_eq(t.radix.entry[3], V | LEAF | 0x70000 | 0x18f);
}
END_TEST

START_TEST(a_2m_page_is_three_levels_down)
{
	struct radix_mmu mmu = radix(7);

	ck_assert_int_eq(radix_translate(&mmu, EA + (1 << 21), &t), 0);
	ck_assert_uint_eq(t.real, 0x800000 + 0x61234);
	ck_assert_uint_eq(t.page_shift, 21);
	ck_assert_uint_eq(t.radix.levels, 3);
}
END_TEST

START_TEST(the_last_quadrant_is_process_0s_and_the_middle_ones_nobodys)
{
	struct radix_mmu mmu = radix(0);

	mmu.pid = 9;
	ck_assert_int_eq(radix_translate(&mmu, 3ull << 62 | EA, &t), 0);
	ck_assert_uint_eq(t.radix.pid, 0);
	ck_assert_uint_eq(t.real, 0x71234);
	ck_assert_int_eq(radix_translate(&mmu, 1ull << 62 | EA, &t), -EFAULT);
	ck_assert_int_eq(radix_translate(&mmu, 2ull << 62 | EA, &t), -EFAULT);
}
END_TEST

START_TEST(what_is_not_valid_is_not_mapped)
{
	struct radix_mmu mmu = radix(7);

	ck_assert_int_eq(radix_translate(&mmu, EA + (1 << 16), &t), -EFAULT);
	ck_assert_uint_eq(t.radix.levels, 4);
	ck_assert_int_eq(radix_translate(&mmu, EA + (1ull << 39), &t), -EFAULT);
	ck_assert_uint_eq(t.radix.levels, 1);
	ck_assert_int_eq(radix_translate(&mmu, 1ull << 52 | EA, &t), -EFAULT); /* beyond the tree */
}
END_TEST

START_TEST(a_tree_that_cannot_be_is_told)
{
	static const uint64_t bad[] = {
		V | 0x31000 | 4,	    /* a directory of 16 entries */
		V | 0x31000 | 17,	    /* of too many */
		V | 0x31000 | 31,	    /* of more than the address has */
		V | 0x0fffffffffffff00 | 9, /* not in memory */
	};
	struct radix_mmu mmu = radix(7);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put(0x30000 + 8 * 2, bad[i]);
		ck_assert_int_eq(radix_translate(&mmu, EA, &t), -EINVAL);
	}
	mmu.pid = 256; /* beyond the process table */
	ck_assert_int_eq(radix_translate(&mmu, EA, &t), -EINVAL);
	mmu.pid = 7;
	mmu.patb1 = V | MEM;
	ck_assert_int_eq(radix_translate(&mmu, EA, &t), -EINVAL);
	mmu = radix(7);
	put(0x4000 + 16ull * 7, 3ull << 61 | 7ull << 5 | 0x10000 | 13); /* 62 bits */
	ck_assert_int_eq(radix_translate(&mmu, EA, &t), -EFAULT);
}
END_TEST

void translate_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_4k_page_is_found_in_its_primary_group);
	tcase_add_test(tc, a_page_is_found_in_its_secondary_group);
	tcase_add_test(tc, a_64k_page_of_a_1t_segment_is_found);
	tcase_add_test(tc, a_page_larger_than_its_base_is_found);
	tcase_add_test(tc, an_address_without_a_segment_is_not_mapped);
	tcase_add_test(tc, a_64k_page_is_four_levels_down);
	tcase_add_test(tc, a_2m_page_is_three_levels_down);
	tcase_add_test(tc, the_last_quadrant_is_process_0s_and_the_middle_ones_nobodys);
	tcase_add_test(tc, what_is_not_valid_is_not_mapped);
	tcase_add_test(tc, a_tree_that_cannot_be_is_told);
}
