// SPDX-License-Identifier: GPL-2.0-only
/* mmu/hpte.c: the page sizes of entries, and where they are looked for. */
#include "lib/util.h"
#include "mmu/hpte.h"
#include "tests/unit/unit.h"

/* The LP field of an entry whose L is set: a letter where there is such a page. */
static const char *const pages[16] = {
	/*  0123456789abcdef   lower four bits */
	"M6.G...4b.......", /* 0: upper four */
	".6.....4........", /* 1 */
	".6.....4........", /* 2 */
	".6.....4m.......", /* 3 */
	".6.....4........", /* 4 */
	".6.....4........", /* 5 */
	".6.....4........", /* 6 */
	".6.....4........", /* 7 */
	".6.....4........", /* 8 */
	".6.....4........", /* 9 */
	".6.....4........", /* a */
	".6.....4........", /* b */
	".6.....4........", /* c */
	".6.....4........", /* d */
	".6.....4........", /* e */
	".6.....4........", /* f */
};

static const struct {
	char letter;
	uint32_t actual, base;
} sizes[] = {
	{'.', 0, 0},   {'M', 24, 24}, {'G', 34, 34}, {'6', 16, 16},
	{'4', 16, 12}, {'b', 24, 16}, {'m', 24, 12},
};

static size_t size_of(unsigned int lp)
{
	size_t i = 0;

	while (sizes[i].letter != pages[lp / 16][lp % 16])
		i++;
	return i;
}

START_TEST(page_sizes_are_as_the_table_has_them)
{
	for (unsigned int lp = 0; lp < 0x100; lp++) {
		size_t i = size_of(lp);
		struct hpte entry = {HPTE_V_LARGE, (uint64_t)lp << 12};
		uint32_t base = 0;

		/* The other bits do not matter. */
		for (int fill = 0; fill < 2; fill++) {
			ck_assert_msg(hpte_page_shift(entry, &base) == sizes[i].actual, "LP 0x%x",
				      lp);
			if (sizes[i].actual)
				ck_assert_msg(base == sizes[i].base, "LP 0x%x", lp);
			entry = (struct hpte){UINT64_MAX, entry.r | ~0xff000ull};
		}
	}
}
END_TEST

START_TEST(without_l_a_page_is_4_kib_whatever_its_number)
{
	for (unsigned int lp = 0; lp < 0x100; lp++) {
		struct hpte entry = {~HPTE_V_LARGE, (uint64_t)lp << 12};
		uint32_t base = 0;

		ck_assert_uint_eq(hpte_page_shift(entry, &base), 12);
		ck_assert_uint_eq(base, 12);
	}
}
END_TEST

/*
 * By hand. In a segment of 1 TiB the VSID comes twice: 0x123456 << 25 is 0x2468ac000000.
 */
START_TEST(a_page_is_looked_for_where_its_hash_says)
{
	static const struct {
		uint64_t vsid, offset;
		bool large_segment;
		uint32_t base;
		uint64_t hash;
	} known[] = {
		{0, 0, false, 12, 0},
		{0x123456, 0, false, 12, 0x123456},
		{0x123456, 0xfffffff, false, 12, 0x12cba9},
		{0x123456, 0x5432100, false, 12, 0x126064},
		{0x123456, 0x5432100, false, 16, 0x123115},
		{0x123456, 0x5432100, false, 24, 0x123453},
		{0x123456, 0, true, 12, 0x2468ac123456},
		{0x123456, 0x5432100, true, 12, 0x2468ac126064},
		{0x123456, 0xffffffffff, true, 12, 0x2468a3edcba9},
		{0x123456, 0x8700000000, true, 16, 0x2468ac953456},
		{0x123456, 0x8700000000, true, 24, 0x2468ac12b356},
		{0x123456, 0x8700000000, true, 34, 0x2468ac123477},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		uint64_t hash = hpte_hash(known[i].vsid, known[i].offset, known[i].large_segment,
					  known[i].base);

		ck_assert_msg(hash == known[i].hash, "%zu: 0x%llx", i, (unsigned long long)hash);
	}
}
END_TEST

void hpte_tests(TCase *tc)
{
	tcase_add_test(tc, page_sizes_are_as_the_table_has_them);
	tcase_add_test(tc, without_l_a_page_is_4_kib_whatever_its_number);
	tcase_add_test(tc, a_page_is_looked_for_where_its_hash_says);
}
