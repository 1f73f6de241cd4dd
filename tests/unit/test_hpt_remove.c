// SPDX-License-Identifier: GPL-2.0-only
/* H_REMOVE and H_BULK_REMOVE: what goes, what is answered, what stays. */
#include <string.h>

#include "tests/unit/hpt_rig.h"

/* ---- H_REMOVE */

START_TEST(what_is_removed_is_answered_with_r_and_c)
{
	has(8, V1, R1);
	has(9, V2, R2);
	hpt_hw_touch(&hw, 9, HPTE_R_R);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	ck_assert_uint_eq(args[0], V1);
	ck_assert_uint_eq(args[1], R1);
	ck_assert_uint_eq(args[2], UNTOUCHED);
	is_free(8);
	holds(9, V2, R2 | 0x100);
	gives(H_SUCCESS, H_REMOVE, 0, 9);
	ck_assert_uint_eq(args[0], V2);
	ck_assert_uint_eq(args[1], R2 | 0x100);
	has(9, V1, R1);
	hpt_hw_touch(&hw, 9, HPTE_R_RC);
	gives(H_SUCCESS, H_REMOVE, 0, 9);
	ck_assert_uint_eq(args[1], R1 | 0x180);
	ck_assert_uint_eq(hw.invalidates, 3);
}
END_TEST

START_TEST(r_and_c_that_the_guest_entered_are_kept)
{
	has(8, V1, R1 | 0x80);
	hpt_hw_touch(&hw, 8, HPTE_R_R);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	ck_assert_uint_eq(args[1], R1 | 0x180);
	hpt_rig_without_backing();
	has(8, V1, R1 | 0x100);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	ck_assert_uint_eq(args[1], R1 | 0x100);
}
END_TEST

START_TEST(nothing_is_removed_twice)
{
	gives(H_NOT_FOUND, H_REMOVE, 0, 8);
	ck_assert_uint_eq(args[0], 0);
	ck_assert_uint_eq(args[1], 8);
	has(8, V1, R1);
	gives(H_SUCCESS, H_REMOVE, 0, 8);
	gives(H_NOT_FOUND, H_REMOVE, 0, 8);
	gives(H_NOT_FOUND, H_REMOVE, AVPN, 8, AVPN1);
	ck_assert_uint_eq(hw.invalidates, 1);
}
END_TEST

START_TEST(the_conditions_of_a_removal_hold_or_it_is_not_found)
{
	static const struct {
		uint64_t flags, value;
		int64_t result;
	} cases[] = {
		{AVPN, AVPN1, H_SUCCESS},
		{AVPN, AVPN1 ^ 0x80, H_NOT_FOUND},
		{AVPN, AVPN1 ^ 1ull << 61, H_NOT_FOUND},
		/* The segment's size counts, the bits below do not and must be zero. */
		{AVPN, AVPN1 ^ 1ull << 62, H_NOT_FOUND},
		{AVPN, V1, H_NOT_FOUND},
		{ANDCOND, 0, H_SUCCESS},
		{ANDCOND, 0x10, H_SUCCESS},
		{ANDCOND, ~V1, H_SUCCESS},
		{ANDCOND, 0x01, H_NOT_FOUND},
		{ANDCOND, 0x90, H_NOT_FOUND},
		/* Both: of the same value, so that the page's number must be 0 to match. */
		{AVPN | ANDCOND, AVPN1, H_NOT_FOUND},
		{AVPN | ANDCOND, 0, H_NOT_FOUND},
		/* Without flags the value is nothing. */
		{0, AVPN1 ^ 0x80, H_SUCCESS},
		{EXACT | READ_4 | ZERO_PAGE | 0x1ff, 1, H_SUCCESS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ret;

		has(i, V1, R1);
		ret = CALL(H_REMOVE, cases[i].flags, i, cases[i].value);
		ck_assert_msg(ret == cases[i].result, "case %zu: %lld", i, (long long)ret);
		if (ret == H_SUCCESS)
			is_free(i);
		else
			holds(i, V1, R1);
	}
	has(100, 1, R1);
	gives(H_SUCCESS, H_REMOVE, AVPN | ANDCOND, 100, 0);
}
END_TEST

/* ---- H_BULK_REMOVE */

#define REQUEST 0x4000000000000000ull
#define END	0xc000000000000000ull
#define COND(n) ((uint64_t)(n) << 56)

/* Answers. */
#define GONE	0x8000000000000000ull
#define GONE_R	0x8800000000000000ull
#define GONE_C	0x8400000000000000ull
#define GONE_RC 0x8c00000000000000ull
#define UNFOUND 0x9000000000000000ull
#define WRONG	0xa000000000000000ull

static int64_t bulk(const uint64_t requests[8])
{
	int64_t ret;

	memset(args, 0x33, sizeof(args));
	memcpy(args, requests, 8 * sizeof(args[0]));
	ret = fake_hcall(&fake, H_BULK_REMOVE, args);
	hpt_rig_check();
	ck_assert_uint_eq(args[8], UNTOUCHED);
	for (int i = 1; i < 8; i += 2)
		ck_assert_uint_eq(args[i], requests[i]);
	return ret;
}

static void answers(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	ck_assert_uint_eq(args[0], a);
	ck_assert_uint_eq(args[2], b);
	ck_assert_uint_eq(args[4], c);
	ck_assert_uint_eq(args[6], d);
}

START_TEST(four_are_removed_with_one_invalidation_and_r_and_c_answered)
{
	const uint64_t requests[] = {REQUEST | 8,  1, REQUEST | 9,  2,
				     REQUEST | 10, 3, REQUEST | 11, 4};

	for (uint64_t i = 8; i < 12; i++)
		has(i, V1 + (i << 7), R1);
	hpt_hw_touch(&hw, 9, HPTE_R_R);
	hpt_hw_touch(&hw, 10, HPTE_R_C);
	hpt_hw_touch(&hw, 11, HPTE_R_RC);
	ck_assert_int_eq(bulk(requests), H_SUCCESS);
	answers(GONE | 8, GONE_R | 9, GONE_C | 10, GONE_RC | 11);
	ck_assert_uint_eq(hw.invalidates, 1);
	for (uint64_t i = 8; i < 12; i++)
		is_free(i);
}
END_TEST

START_TEST(r_and_c_that_the_guest_entered_are_in_a_bulk_answer)
{
	const uint64_t requests[] = {REQUEST | 8, 0, REQUEST | 9, 0, END, 0, 0, 0};

	hpt_rig_without_backing();
	has(8, V1, R1 | 0x80);
	has(9, V1, R1 | 0x100);
	ck_assert_int_eq(bulk(requests), H_SUCCESS);
	answers(GONE_C | 8, GONE_R | 9, END, 0);
	is_free(8);
	is_free(9);
}
END_TEST

START_TEST(what_is_not_there_is_not_found_and_the_others_go)
{
	const uint64_t requests[] = {REQUEST | 8,
				     0,
				     REQUEST | COND(2) | 9,
				     AVPN2,
				     REQUEST | COND(1) | 10,
				     0x80,
				     REQUEST | COND(2) | (HPT_RIG_COUNT - 1),
				     AVPN2};

	has(9, V1, R1);
	has(10, V1, R1);
	has(HPT_RIG_COUNT - 1, V2, R2);
	ck_assert_int_eq(bulk(requests), H_SUCCESS);
	answers(UNFOUND | 8, UNFOUND | COND(2) | 9, UNFOUND | COND(1) | 10,
		GONE | COND(2) | (HPT_RIG_COUNT - 1));
	holds(9, V1, R1);
	holds(10, V1, R1);
	is_free(HPT_RIG_COUNT - 1);
}
END_TEST

START_TEST(the_conditions_of_bulk_requests_hold)
{
	const uint64_t requests[] = {REQUEST | COND(2) | 8,  AVPN1,
				     REQUEST | COND(1) | 9,  0x10,
				     REQUEST | COND(2) | 10, AVPN1 | 1,
				     REQUEST | 11,	     UINT64_MAX};

	for (uint64_t i = 8; i < 12; i++)
		has(i, V1, R1);
	ck_assert_int_eq(bulk(requests), H_SUCCESS);
	answers(GONE | COND(2) | 8, GONE | COND(1) | 9, UNFOUND | COND(2) | 10, GONE | 11);
	holds(10, V1, R1);
}
END_TEST

START_TEST(requests_end_where_the_mark_says)
{
	for (size_t n = 0; n < 4; n++) {
		uint64_t requests[8];

		for (size_t i = 0; i < 4; i++) {
			has(8 * n + i, V1, R1);
			requests[2 * i] = (i == n ? END | COND(3) : REQUEST) | (8 * n + i);
			requests[2 * i + 1] = 0;
		}
		ck_assert_int_eq(bulk(requests), H_SUCCESS);
		for (size_t i = 0; i < 4; i++)
			ck_assert_uint_eq(args[2 * i],
					  i < n ? GONE | (8 * n + i) : requests[2 * i]);
		for (size_t i = 0; i < 4; i++)
			holds(8 * n + i, i < n ? 0 : V1, i < n ? 0 : R1);
	}
}
END_TEST

START_TEST(a_bad_request_ends_the_list_and_those_before_it_go)
{
	static const uint64_t bad[] = {
		0,					      /* no type */
		9,					      /* the same */
		0x8000000000000000 | 9,			      /* a response */
		REQUEST | COND(3) | 9,			      /* both conditions */
		REQUEST | HPT_RIG_COUNT,		      /* beyond the table */
		REQUEST | COND(2) | 0x00ffffffffffffff,	      /* far beyond */
		REQUEST | 0x3c00000000000000 | HPT_RIG_COUNT, /* and bits that mean nothing */
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const uint64_t requests[] = {REQUEST | 8, 0, bad[i], 7, REQUEST | 9, 0, 0, 0};

		has(8, V1, R1);
		has(9, V2, R2);
		ck_assert_int_eq(bulk(requests), H_PARAMETER);
		answers(GONE | 8, WRONG | (bad[i] & 0x03ffffffffffffff), REQUEST | 9, 0);
		is_free(8);
		holds(9, V2, R2);
		gives(H_SUCCESS, H_REMOVE, 0, 9);
	}
}
END_TEST

START_TEST(the_first_request_may_be_the_bad_one)
{
	const uint64_t requests[] = {
		REQUEST | HPT_RIG_COUNT, 0, REQUEST | 8, 0, REQUEST | 9, 0, END, 0};

	has(8, V1, R1);
	ck_assert_int_eq(bulk(requests), H_PARAMETER);
	answers(WRONG | HPT_RIG_COUNT, REQUEST | 8, REQUEST | 9, END);
	holds(8, V1, R1);
	ck_assert_uint_eq(hw.invalidates, 0);
}
END_TEST

START_TEST(bits_that_mean_nothing_do_not_matter_in_a_request)
{
	const uint64_t requests[] = {REQUEST | 0x3c00000000000000 | 8, 0, END, 0, 0, 0, 0, 0};

	has(8, V1, R1);
	ck_assert_int_eq(bulk(requests), H_SUCCESS);
	answers(GONE | 8, END, 0, 0);
	is_free(8);
}
END_TEST

START_TEST(the_same_entry_twice_goes_once)
{
	const uint64_t twice[] = {REQUEST | 8, 0, REQUEST | 8, 0, REQUEST | 9, 0, REQUEST | 8, 0};
	const uint64_t kept[] = {REQUEST | COND(2) | 8, AVPN2, REQUEST | 8, 0, END, 0, 0, 0};

	has(8, V1, R1);
	has(9, V1, R1);
	hpt_hw_touch(&hw, 8, HPTE_R_RC);
	ck_assert_int_eq(bulk(twice), H_SUCCESS);
	answers(GONE_RC | 8, UNFOUND | 8, GONE | 9, UNFOUND | 8);
	is_free(8);
	is_free(9);
	has(8, V1, R1);
	ck_assert_int_eq(bulk(kept), H_SUCCESS);
	answers(UNFOUND | COND(2) | 8, GONE | 8, END, 0);
	is_free(8);
}
END_TEST

void hpt_remove_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, hpt_rig_setup, hpt_rig_teardown);
	tcase_add_test(tc, what_is_removed_is_answered_with_r_and_c);
	tcase_add_test(tc, r_and_c_that_the_guest_entered_are_kept);
	tcase_add_test(tc, nothing_is_removed_twice);
	tcase_add_test(tc, the_conditions_of_a_removal_hold_or_it_is_not_found);
	tcase_add_test(tc, four_are_removed_with_one_invalidation_and_r_and_c_answered);
	tcase_add_test(tc, r_and_c_that_the_guest_entered_are_in_a_bulk_answer);
	tcase_add_test(tc, what_is_not_there_is_not_found_and_the_others_go);
	tcase_add_test(tc, the_conditions_of_bulk_requests_hold);
	tcase_add_test(tc, requests_end_where_the_mark_says);
	tcase_add_test(tc, a_bad_request_ends_the_list_and_those_before_it_go);
	tcase_add_test(tc, the_first_request_may_be_the_bad_one);
	tcase_add_test(tc, bits_that_mean_nothing_do_not_matter_in_a_request);
	tcase_add_test(tc, the_same_entry_twice_goes_once);
}
