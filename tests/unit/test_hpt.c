// SPDX-License-Identifier: GPL-2.0-only
/* The hashed page table: making one, H_ENTER and H_READ. */
#include <string.h>

#include "tests/unit/alloc.h"
#include "tests/unit/hpt_rig.h"

#define LARGE 0x4ull /* L of the first doubleword */

/* ---- the table */

START_TEST(orders_are_from_18_to_46)
{
	for (uint32_t order = 0; order < 64; order++) {
		bool known = order >= 18 && order <= 46;
		struct hpt table;
		int err;

		/* One that can be goes as far as asking for memory. */
		alloc_fail_after(0);
		err = hpt_init(&table, order, NULL, NULL);
		alloc_fail_after(-1);
		ck_assert_int_eq(err, known ? -ENOMEM : -EINVAL);
		ck_assert_ptr_null(table.slots);
	}
}
END_TEST

START_TEST(a_new_table_has_an_entry_for_16_bytes_and_all_are_free)
{
	for (uint32_t order = 18; order <= 20; order++) {
		struct hpt table;

		ck_assert_int_eq(hpt_init(&table, order, NULL, NULL), 0);
		ck_assert_uint_eq(hpt_count(&table), (1ull << order) / 16);
		for (uint64_t i = 0; i < hpt_count(&table); i++) {
			struct hpte entry = {1, 1};

			if (hpt_read(&table, i, &entry) || entry.v || entry.r)
				ck_abort_msg("0x%llx is not free", (unsigned long long)i);
		}
		hpt_fini(&table);
		ck_assert_ptr_null(table.slots);
	}
}
END_TEST

START_TEST(what_is_loaded_is_there_but_for_the_hypervisors_bits)
{
	hpt_rig_without_backing();
	hpt_load(hpt, 5, (struct hpte){V1 | 0x60, R1 | 1ull << 62});
	holds(5, V1, R1);
	hpt_load(hpt, 5, (struct hpte){V1 & ~1ull, R1});
	is_free(5);
	hpt_load(hpt, HPT_RIG_COUNT, (struct hpte){V1, R1});
}
END_TEST

/* ---- H_ENTER */

START_TEST(an_entry_keeps_what_hardware_has_room_for)
{
	const uint64_t high = 0x3ff0000000000000ull;

	has(13, V1 | high, R1);
	holds(13, V1 | high, R1);
	hpt->v_lost = high;
	has(14, V1 | high, R1);
	holds(14, V1 & ~high, R1);
	gives(H_NOT_FOUND, H_REMOVE, AVPN, 14, (V1 | high) & ~0x7full);
	gives(H_SUCCESS, H_REMOVE, AVPN, 14, V1 & ~high & ~0x7full);
}
END_TEST

START_TEST(an_exact_entry_goes_where_it_is_told)
{
	has(13, V1, R1);
	holds(13, V1, R1);
	is_free(8);
	is_free(12);
	is_free(14);
	ck_assert_uint_eq(hw.enters, 1);
	gives(H_PTEG_FULL, H_ENTER, EXACT, 13, V2, R2);
	ck_assert_uint_eq(args[0], EXACT);
	holds(13, V1, R1);
	ck_assert_uint_eq(hw.enters, 1);
}
END_TEST

START_TEST(a_group_is_searched_for_a_free_entry)
{
	has(19, V1, R1);
	for (uint64_t i = 0; i < 7; i++) {
		/* Whatever place in the group is named. */
		gives(H_SUCCESS, H_ENTER, 0, 16 + (i * 5) % 8, V2 + (i << 7), R2);
		ck_assert_uint_eq(args[0], 16 + i + (i >= 3));
		ck_assert_uint_eq(args[1], 16 + (i * 5) % 8);
	}
	gives(H_PTEG_FULL, H_ENTER, 0, 18, V1, R1);
	is_free(15);
	is_free(24);
	gives(H_SUCCESS, H_REMOVE, 0, 21);
	gives(H_SUCCESS, H_ENTER, 0, 16, V1, R1);
	ck_assert_uint_eq(args[0], 21);
	gives(H_PTEG_FULL, H_ENTER, 0, 16, V1, R1);
}
END_TEST

START_TEST(entries_end_with_the_table)
{
	static const uint64_t beyond[] = {HPT_RIG_COUNT,  HPT_RIG_COUNT + 7, 1ull << 32,
					  1ull << 56,	  1ull << 63,	     (1ull << 63) + 1,
					  UINT64_MAX - 7, UINT64_MAX};

	has(HPT_RIG_COUNT - 1, V1, R1);
	gives(H_SUCCESS, H_ENTER, 0, HPT_RIG_COUNT - 1, V2, R2);
	ck_assert_uint_eq(args[0], HPT_RIG_COUNT - 8);
	for (size_t i = 0; i < ARRAY_SIZE(beyond); i++) {
		gives(H_PARAMETER, H_ENTER, EXACT, beyond[i], V1, R1);
		gives(H_PARAMETER, H_ENTER, 0, beyond[i], V1, R1);
		gives(H_PARAMETER, H_READ, 0, beyond[i]);
		gives(H_PARAMETER, H_READ, READ_4, beyond[i]);
		ck_assert_uint_eq(args[0], READ_4);
		gives(H_PARAMETER, H_REMOVE, 0, beyond[i]);
		gives(H_PARAMETER, H_PROTECT, 0, beyond[i]);
		gives(H_PARAMETER, H_CLEAR_REF, 0, beyond[i]);
		gives(H_PARAMETER, H_CLEAR_MOD, 0, beyond[i]);
	}
	ck_assert_uint_eq(hw.enters, 2);
}
END_TEST

START_TEST(bits_of_the_hypervisor_are_not_stored)
{
	/* All software bits given: 0x40 and 0x20 are its own, 0x10 and 0x08 the guest's. */
	has(1, V1 | 0x78, R1);
	holds(1, (V1 | 0x18), R1);
	/* Tag select. */
	has(2, V1, UINT64_MAX & ~0xff000ull);
	holds(2, V1, 0xbffffffffff00fff);
	/* Valid, whether it says so or not. */
	has(3, V1 & ~1ull, R1);
	holds(3, V1, R1);
	has(4, 0, 0);
	holds(4, 1, 0);
	has(5, UINT64_MAX >> 1, 0x1000);
	holds(5, 0x7fffffffffffff9f, 0x1000);
}
END_TEST

START_TEST(a_page_size_that_is_none_is_refused)
{
	for (uint64_t lp = 0; lp < 0x100; lp++) {
		struct hpte entry = {V1 | LARGE, lp << 12};
		uint32_t base;
		bool known = hpte_page_shift(entry, &base);

		gives(known ? H_SUCCESS : H_PARAMETER, H_ENTER, EXACT, lp, V1 | LARGE, lp << 12);
		if (known)
			holds(lp, V1 | LARGE, lp << 12);
		else
			is_free(lp);
		gives(H_SUCCESS, H_ENTER, EXACT, 0x100 + lp, V1, lp << 12);
	}
}
END_TEST

/* ---- H_ENTER with H_ZERO_PAGE */

static void fill(void)
{
	memset(fake.machine.mem.base, 0x5a, HPT_RIG_MEM);
}

/* Memory is as filled but for zeroes from @from to before @to. */
static void zeroed(uint64_t from, uint64_t to)
{
	for (uint64_t i = 0; i < HPT_RIG_MEM; i++) {
		uint8_t expected = i >= from && i < to ? 0 : 0x5a;

		if (fake.machine.mem.base[i] != expected)
			ck_abort_msg("0x%llx is 0x%x", (unsigned long long)i,
				     fake.machine.mem.base[i]);
	}
}

START_TEST(a_page_is_zeroed_exactly_when_that_is_asked)
{
	fill();
	has(0, V1, R1);
	zeroed(0, 0);
	/* 4 KiB at 0x5000. */
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 1, V1, R1);
	zeroed(0x5000, 0x6000);
	holds(1, V1, R1);
	/* 64 KiB, LP in the lowest bits of the page's number. */
	fill();
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 2, V1 | LARGE,
	      0xf000000000021fff & ~(1ull << 62));
	zeroed(0x20000, 0x30000);
	fill();
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 3, V1 | LARGE, 0x17000);
	zeroed(0x10000, 0x20000);
	/* 16 MiB at 0. */
	fill();
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 4, V1 | LARGE, 0x38000);
	zeroed(0, MIB(16));
}
END_TEST

START_TEST(only_memory_is_zeroed)
{
	fill();
	/* The last page, and the first behind. */
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 1, V1, HPT_RIG_MEM);
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 2, V1, 0x0ffffffffffff000);
	/* Pages of 16 MiB and 16 GiB that memory ends in. */
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 3, V1 | LARGE, MIB(16));
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 4, V1 | LARGE, 0x3000);
	zeroed(0, 0);
	gives(H_SUCCESS, H_ENTER, EXACT | ZERO_PAGE, 5, V1, HPT_RIG_MEM - 0x1000);
	zeroed(HPT_RIG_MEM - 0x1000, HPT_RIG_MEM);
}
END_TEST

START_TEST(nothing_is_zeroed_for_an_entry_that_is_refused)
{
	has(1, V1, R1);
	fill();
	gives(H_PTEG_FULL, H_ENTER, EXACT | ZERO_PAGE, 1, V1, R1);
	gives(H_PARAMETER, H_ENTER, EXACT | ZERO_PAGE, HPT_RIG_COUNT, V1, R1);
	gives(H_PARAMETER, H_ENTER, EXACT | ZERO_PAGE, 2, V1 | LARGE, 0x2000);
	hpt_rig_fails(1, -EINVAL);
	gives(H_PARAMETER, H_ENTER, EXACT | ZERO_PAGE, 2, V1, R1);
	zeroed(0, 0);
}
END_TEST

/* ---- H_READ */

START_TEST(one_entry_is_read_or_an_aligned_four)
{
	has(8, V1, R1);
	has(10, V2, R2);
	has(11, V1 | 0x200, R1);
	has(12, V2 | 0x200, R2);
	gives(H_SUCCESS, H_READ, 0, 10);
	ck_assert_uint_eq(args[0], V2);
	ck_assert_uint_eq(args[1], R2);
	ck_assert_uint_eq(args[2], UNTOUCHED);
	for (uint64_t i = 8; i < 12; i++) {
		gives(H_SUCCESS, H_READ, READ_4, i);
		ck_assert_uint_eq(args[0], V1);
		ck_assert_uint_eq(args[1], R1);
		ck_assert_uint_eq(args[2], 0);
		ck_assert_uint_eq(args[3], 0);
		ck_assert_uint_eq(args[4], V2);
		ck_assert_uint_eq(args[5], R2);
		ck_assert_uint_eq(args[6], V1 | 0x200);
		ck_assert_uint_eq(args[7], R1);
		ck_assert_uint_eq(args[8], UNTOUCHED);
	}
	has(HPT_RIG_COUNT - 1, V1, R1);
	gives(H_SUCCESS, H_READ, READ_4, HPT_RIG_COUNT - 1);
	ck_assert_uint_eq(args[5], 0);
	ck_assert_uint_eq(args[6], V1);
}
END_TEST

START_TEST(what_hardware_set_is_read_and_what_is_gone_is_not)
{
	has(8, V1, R1);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	holds(8, V1, R1 | 0x180);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	is_free(8);
	has(8, V2, R2);
	holds(8, V2, R2);
}
END_TEST

void hpt_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, hpt_rig_setup, hpt_rig_teardown);
	tcase_add_test(tc, orders_are_from_18_to_46);
	tcase_add_test(tc, a_new_table_has_an_entry_for_16_bytes_and_all_are_free);
	tcase_add_test(tc, what_is_loaded_is_there_but_for_the_hypervisors_bits);
	tcase_add_test(tc, an_entry_keeps_what_hardware_has_room_for);
	tcase_add_test(tc, an_exact_entry_goes_where_it_is_told);
	tcase_add_test(tc, a_group_is_searched_for_a_free_entry);
	tcase_add_test(tc, entries_end_with_the_table);
	tcase_add_test(tc, bits_of_the_hypervisor_are_not_stored);
	tcase_add_test(tc, a_page_size_that_is_none_is_refused);
	tcase_add_test(tc, a_page_is_zeroed_exactly_when_that_is_asked);
	tcase_add_test(tc, only_memory_is_zeroed);
	tcase_add_test(tc, nothing_is_zeroed_for_an_entry_that_is_refused);
	tcase_add_test(tc, one_entry_is_read_or_an_aligned_four);
	tcase_add_test(tc, what_hardware_set_is_read_and_what_is_gone_is_not);
}
