// SPDX-License-Identifier: GPL-2.0-only
/* H_PROTECT, H_CLEAR_REF, H_CLEAR_MOD; and all calls when the backing fails. */
#include <string.h>

#include "tests/unit/hpt_rig.h"

/* ---- H_PROTECT */

START_TEST(each_protection_bit_comes_from_its_place_in_the_flags)
{
	static const struct {
		uint64_t flags, r;
	} bits[] = {
		{0, 0},
		{0x001, 0x001}, /* pp */
		{0x002, 0x002},
		{0x004, 0x004},		     /* n */
		{0x100, 0x8000000000000000}, /* pp0 */
		{0x200, 0x200},		     /* key, its lower three bits */
		{0x400, 0x400},
		{0x800, 0x800},
		{0x1000, 0x1000000000000000}, /* and its upper two */
		{0x2000, 0x2000000000000000},
		{0x3f07, 0xb000000000000e07},
		{~(0x3f07ull | AVPN), 0}, /* no other flag does anything */
	};
	const uint64_t all = 0xb000000000000e07, others = 0x0ffffffffffff1f8;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		/* From none set and from all set; what is no protection stays. */
		has(2 * i, V1, others);
		gives(H_SUCCESS, H_PROTECT, bits[i].flags, 2 * i);
		holds(2 * i, V1, others | bits[i].r);
		has(2 * i + 1, V1, all);
		gives(H_SUCCESS, H_PROTECT, bits[i].flags, 2 * i + 1);
		holds(2 * i + 1, V1, bits[i].r);
	}
	ck_assert_uint_eq(hw.updates, 2 * ARRAY_SIZE(bits));
}
END_TEST

START_TEST(protecting_answers_nothing_and_keeps_r_and_c)
{
	has(8, V1, R1);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	gives(H_SUCCESS, H_PROTECT, 0x3, 8);
	ck_assert_uint_eq(args[0], 0x3);
	ck_assert_uint_eq(args[1], 8);
	holds(8, V1, 0x5000 | 0x180 | 0x10 | 0x3);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	ck_assert_uint_eq(args[1], 0x5193);
	hpt_rig_without_backing();
	has(8, V1, R1 | 0x80);
	gives(H_SUCCESS, H_PROTECT, 0x4, 8);
	holds(8, V1, 0x5094);
}
END_TEST

/* Where processors run, after the look and before the invalidation. */
START_TEST(protecting_keeps_r_and_c_that_come_meanwhile)
{
	has(8, V1, R1 | HPTE_R_R);
	hw.meanwhile = HPTE_R_C;
	gives(H_SUCCESS, H_PROTECT, 0x3, 8);
	/* What is read only now is not asked for C. */
	gives(H_SUCCESS, H_READ, 0, 8);
	ck_assert_uint_eq(args[1], 0x5193);
	has(9, V1, R1);
	hw.meanwhile = HPTE_R_RC;
	gives(H_SUCCESS, H_PROTECT, 0, 9);
	gives(H_SUCCESS, H_REMOVE, 0, 9);
	ck_assert_uint_eq(args[1], 0x5190);
}
END_TEST

START_TEST(clearing_r_keeps_c_that_comes_meanwhile)
{
	has(8, V1, R1 | HPTE_R_R);
	hw.meanwhile = HPTE_R_C;
	gives(H_SUCCESS, H_CLEAR_REF, 0, 8);
	ck_assert_uint_eq(args[0] & HPTE_R_RC, HPTE_R_R);
	gives(H_SUCCESS, H_READ, 0, 8);
	ck_assert_uint_eq(args[1] & HPTE_R_RC, HPTE_R_C);
}
END_TEST

START_TEST(only_the_page_that_is_named_is_protected)
{
	has(8, V1, R1);
	gives(H_NOT_FOUND, H_PROTECT, AVPN | 1, 8, AVPN2);
	gives(H_NOT_FOUND, H_PROTECT, AVPN | 1, 8, V1);
	holds(8, V1, R1);
	gives(H_NOT_FOUND, H_PROTECT, AVPN | 1, 9, AVPN1);
	gives(H_NOT_FOUND, H_PROTECT, 1, 9);
	is_free(9);
	gives(H_SUCCESS, H_PROTECT, AVPN | 1, 8, AVPN1);
	holds(8, V1, 0x5011);
	/* It knows no other condition. */
	gives(H_SUCCESS, H_PROTECT, ANDCOND | 3, 8, UINT64_MAX);
	holds(8, V1, 0x5013);
}
END_TEST

/* ---- H_CLEAR_REF and H_CLEAR_MOD */

START_TEST(clearing_answers_what_was_and_clears_its_bit_alone)
{
	has(8, V1, R1);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	gives(H_SUCCESS, H_CLEAR_REF, 0, 8);
	ck_assert_uint_eq(args[0], R1 | 0x180);
	ck_assert_uint_eq(args[1], 8);
	holds(8, V1, R1 | 0x80);
	gives(H_SUCCESS, H_CLEAR_MOD, 0, 8);
	ck_assert_uint_eq(args[0], R1 | 0x80);
	holds(8, V1, R1);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	gives(H_SUCCESS, H_CLEAR_MOD, 0, 8);
	ck_assert_uint_eq(args[0], R1 | 0x180);
	holds(8, V1, R1 | 0x100);
}
END_TEST

START_TEST(clearing_what_is_clear_changes_nothing)
{
	has(8, V1, R1);
	for (int i = 0; i < 2; i++) {
		gives(H_SUCCESS, H_CLEAR_REF, 0, 8);
		ck_assert_uint_eq(args[0], R1);
		gives(H_SUCCESS, H_CLEAR_MOD, 0, 8);
		ck_assert_uint_eq(args[0], R1);
	}
	ck_assert_uint_eq(hw.updates, 0);
	holds(8, V1, R1);
}
END_TEST

START_TEST(clearing_needs_an_entry)
{
	gives(H_NOT_FOUND, H_CLEAR_REF, 0, 8);
	ck_assert_uint_eq(args[0], 0);
	gives(H_NOT_FOUND, H_CLEAR_MOD, 0, 8);
	hpt_rig_without_backing();
	has(8, V1, R1 | 0x180);
	gives(H_SUCCESS, H_CLEAR_REF, 0, 8);
	ck_assert_uint_eq(args[0], R1 | 0x180);
	gives(H_SUCCESS, H_CLEAR_MOD, 0, 8);
	ck_assert_uint_eq(args[0], R1 | 0x80);
	holds(8, V1, R1);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	gives(H_NOT_FOUND, H_CLEAR_MOD, 0, 8);
}
END_TEST

/* ---- a backing that fails */

START_TEST(an_entry_that_the_host_refuses_leaves_its_place_free)
{
	hpt_rig_fails(1, -EINVAL);
	gives(H_PARAMETER, H_ENTER, EXACT, 8, V1, R1);
	ck_assert_uint_eq(args[0], EXACT);
	is_free(8);
	hpt_rig_fails(1, -EIO);
	gives(H_HARDWARE, H_ENTER, 0, 8, V1, R1);
	is_free(8);
	gives(H_SUCCESS, H_ENTER, 0, 8, V2, R2);
	ck_assert_uint_eq(args[0], 8);
	holds(8, V2, R2);
}
END_TEST

START_TEST(an_entry_that_cannot_be_invalidated_stays)
{
	const uint64_t requests[8] = {0x4000000000000008, 0, 0x4000000000000009, 0,
				      0x400000000000000a, 0, 0xc000000000000000, 0};

	has(8, V1, R1);
	has(10, V2, R2);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	hpt_rig_fails(1, -EIO);
	gives(H_HARDWARE, H_REMOVE, 0, 8);
	ck_assert_uint_eq(args[0], 0);
	ck_assert_uint_eq(args[1], 8);
	holds(8, V1, R1 | 0x180);

	hpt_rig_fails(1, -EIO);
	memcpy(args, requests, sizeof(requests));
	ck_assert_int_eq(fake_hcall(&fake, H_BULK_REMOVE, args), H_HARDWARE);
	ck_assert_mem_eq(args, requests, sizeof(requests));
	holds(8, V1, R1 | 0x180);
	is_free(9);
	holds(10, V2, R2);
	/* Afterwards nothing is in the way. */
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	gives(H_SUCCESS, H_REMOVE, 0, 10);
}
END_TEST

START_TEST(an_entry_that_cannot_be_changed_stays)
{
	has(8, V1, R1);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	/* Asking for R and C fails, then telling the new word. */
	for (unsigned int after = 1; after <= 2; after++) {
		hpt_rig_fails(after, -EIO);
		gives(H_HARDWARE, H_PROTECT, 1, 8);
		holds(8, V1, R1 | 0x180);
		hpt_rig_fails(after, -EIO);
		gives(H_HARDWARE, H_CLEAR_REF, 0, 8);
		ck_assert_uint_eq(args[0], 0);
		holds(8, V1, R1 | 0x180);
		hpt_rig_fails(after, -EIO);
		gives(H_HARDWARE, H_CLEAR_MOD, 0, 8);
		holds(8, V1, R1 | 0x180);
	}
}
END_TEST

START_TEST(entries_that_cannot_be_read_are_not_answered)
{
	has(8, V1, R1);
	has(11, V2, R2);
	hpt_rig_fails(1, -EIO);
	gives(H_HARDWARE, H_READ, 0, 8);
	ck_assert_uint_eq(args[0], 0);
	hpt_rig_fails(2, -EIO);
	gives(H_HARDWARE, H_READ, READ_4, 8);
	ck_assert_uint_eq(args[0], READ_4);
	ck_assert_uint_eq(args[2], UNTOUCHED);
	/* What is free is not asked for. */
	hpt_rig_fails(1, -EIO);
	gives(H_SUCCESS, H_READ, 0, 9);
	gives(H_HARDWARE, H_READ, 0, 11);
}
END_TEST

/* ---- no table */

START_TEST(without_a_table_there_are_no_such_calls)
{
	static const uint64_t calls[] = {H_ENTER,     H_REMOVE,	   H_READ,	 H_PROTECT,
					 H_CLEAR_REF, H_CLEAR_MOD, H_BULK_REMOVE};
	unsigned int begun;

	has(8, V1, R1);
	fake.hpt_gone = true;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		gives(H_FUNCTION, calls[i], 0x4000000000000008, 8, V1, R1);
	fake.hpt_gone = false;
	holds(8, V1, R1);
	begun = fake.hpt_begun;
	hpt_rig_without_backing();
	hpt_fini(hpt);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		gives(H_FUNCTION, calls[i], 0x4000000000000008, 8, V1, R1);
	ck_assert_uint_eq(fake.hpt_begun, begun);
}
END_TEST

void hpt_protect_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, hpt_rig_setup, hpt_rig_teardown);
	tcase_add_test(tc, each_protection_bit_comes_from_its_place_in_the_flags);
	tcase_add_test(tc, protecting_answers_nothing_and_keeps_r_and_c);
	tcase_add_test(tc, protecting_keeps_r_and_c_that_come_meanwhile);
	tcase_add_test(tc, clearing_r_keeps_c_that_comes_meanwhile);
	tcase_add_test(tc, only_the_page_that_is_named_is_protected);
	tcase_add_test(tc, clearing_answers_what_was_and_clears_its_bit_alone);
	tcase_add_test(tc, clearing_what_is_clear_changes_nothing);
	tcase_add_test(tc, clearing_needs_an_entry);
	tcase_add_test(tc, an_entry_that_the_host_refuses_leaves_its_place_free);
	tcase_add_test(tc, an_entry_that_cannot_be_invalidated_stays);
	tcase_add_test(tc, an_entry_that_cannot_be_changed_stays);
	tcase_add_test(tc, entries_that_cannot_be_read_are_not_answered);
	tcase_add_test(tc, without_a_table_there_are_no_such_calls);
}
