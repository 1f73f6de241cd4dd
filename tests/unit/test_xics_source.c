// SPDX-License-Identifier: GPL-2.0-only
/* devices/xics/source.c: edges and levels, routes and masks, and which sources there are. */
#include <errno.h>

#include "lib/util.h"
#include "tests/unit/xics_rig.h"

START_TEST(an_msi_from_pulse_to_eoi)
{
	xics_pulse(&xics, A);
	check(0, 0xff, A, 0xff);
	accepts(0, 0xff, A);
	check(0, 5, NONE, 0xff);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(changes[0], 2);
	ck_assert_int_eq(changes[1] + changes[2], 0);
}
END_TEST

START_TEST(a_second_msi_waits_for_eoi_and_coalesces)
{
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	xics_pulse(&xics, A);
	xics_pulse(&xics, A);
	check(0, 5, NONE, 0xff);
	ends(0, 0xff, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(pulses_before_acceptance_coalesce)
{
	xics_pulse(&xics, A);
	xics_pulse(&xics, A); /* it was presented: this one is queued */
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(an_asserted_lsi_is_presented_again_at_eoi)
{
	xics_set_level(&xics, LSI, true);
	xics_set_level(&xics, LSI, true);
	accepts(0, 0xff, LSI);
	ends(0, 0xff, LSI);
	check(0, 0xff, LSI, 0xff);
	accepts(0, 0xff, LSI);
	xics_set_level(&xics, LSI, false);
	ends(0, 0xff, LSI);
	check(0, 0xff, NONE, 0xff);
	xics_set_level(&xics, LSI, true);
	accepts(0, 0xff, LSI);
}
END_TEST

START_TEST(an_lsi_that_comes_again_before_eoi_is_presented_once)
{
	xics_set_level(&xics, LSI, true);
	accepts(0, 0xff, LSI);
	xics_set_level(&xics, LSI, false);
	xics_set_level(&xics, LSI, true);
	ends(0, 0xff, LSI);
	accepts(0, 0xff, LSI);
	xics_set_level(&xics, LSI, false);
	ends(0, 0xff, LSI);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(a_masked_source_stays_pending)
{
	ck_assert_int_eq(xics_int_off(&xics, A), 0);
	xics_pulse(&xics, A);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_int_on(&xics, A), 0);
	accepts(0, 0xff, A);
	check(0, 5, NONE, 0xff);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(a_rejected_source_that_is_masked_stays_pending)
{
	xics_pulse(&xics, B);
	ck_assert_int_eq(xics_int_off(&xics, B), 0);
	check(0, 0xff, B, 0xff); /* it is on its way already */
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_int_on(&xics, B), 0);
	check(0, 0xff, B, 0xff);
}
END_TEST

START_TEST(masking_by_set_xive_keeps_what_waits)
{
	xics_set_cppr(&xics, 0, 1);
	xics_pulse(&xics, A);
	ck_assert_int_eq(xics_set_xive(&xics, A, 0, XICS_MASKED), 0);
	xics_set_cppr(&xics, 0, 0xff);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, A, 1, 5), 0);
	check(1, 0xff, A, 0xff);
}
END_TEST

START_TEST(int_on_restores_the_priority)
{
	uint32_t server;
	uint8_t priority;

	xics_int_off(&xics, A);
	xics_int_off(&xics, A); /* twice: the first priority counts */
	xics_get_xive(&xics, A, &server, &priority);
	ck_assert_uint_eq(priority, XICS_MASKED);
	xics_int_on(&xics, A);
	xics_get_xive(&xics, A, &server, &priority);
	ck_assert_uint_eq(priority, 5);
}
END_TEST

START_TEST(a_source_moves_with_what_waits)
{
	xics_set_cppr(&xics, 0, 1);
	xics_pulse(&xics, A);
	ck_assert_int_eq(xics_set_xive(&xics, A, 2, 5), 0);
	check(2, 0xff, A, 0xff);
	accepts(2, 0xff, A);
	ends(2, 0xff, A);
	xics_set_cppr(&xics, 0, 0xff);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(a_rejected_source_goes_to_its_new_server)
{
	xics_pulse(&xics, B);
	ck_assert_int_eq(xics_set_xive(&xics, B, 1, 6), 0);
	check(0, 0xff, B, 0xff); /* presented before it moved */
	xics_pulse(&xics, A);
	check(0, 0xff, A, 0xff);
	check(1, 0xff, B, 0xff);
}
END_TEST

START_TEST(a_source_taken_back_goes_to_its_new_server)
{
	xics_pulse(&xics, B);
	ck_assert_int_eq(xics_set_xive(&xics, B, 1, 6), 0);
	xics_set_cppr(&xics, 0, 1);
	check(0, 1, NONE, 0xff);
	check(1, 0xff, B, 0xff);
}
END_TEST

START_TEST(an_ipi_sends_a_source_to_its_new_server)
{
	xics_pulse(&xics, B);
	ck_assert_int_eq(xics_set_xive(&xics, B, 1, 6), 0);
	xics_ipi(&xics, 0, 0, 4);
	check(0, 0xff, XICS_IPI, 4);
	check(1, 0xff, B, 0xff);
}
END_TEST

/* B rejects C on server 1, where it goes since A rejected it on server 0. */
START_TEST(a_rejected_source_rejects_another)
{
	uint32_t c = FIRST + 2;

	xics_pulse(&xics, B);
	ck_assert_int_eq(xics_set_xive(&xics, B, 1, 6), 0);
	ck_assert_int_eq(xics_set_xive(&xics, c, 1, 9), 0);
	xics_pulse(&xics, c);
	ck_assert_int_eq(xics_set_xive(&xics, c, 2, 9), 0);
	xics_pulse(&xics, A);
	check(0, 0xff, A, 0xff);
	check(1, 0xff, B, 0xff);
	check(2, 0xff, c, 0xff);
}
END_TEST

START_TEST(a_queued_msi_stays_pending_when_masked_in_service)
{
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	xics_pulse(&xics, A);
	ck_assert_int_eq(xics_int_off(&xics, A), 0);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_int_on(&xics, A), 0);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(an_asserted_lsi_stays_pending_when_masked_in_service)
{
	xics_set_level(&xics, LSI, true);
	accepts(0, 0xff, LSI);
	ck_assert_int_eq(xics_int_off(&xics, LSI), 0);
	ends(0, 0xff, LSI);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_int_on(&xics, LSI), 0);
	check(0, 0xff, LSI, 0xff);
}
END_TEST

START_TEST(an_lsi_that_falls_while_it_waits_is_not_delivered)
{
	xics_set_cppr(&xics, 0, 1);
	xics_set_level(&xics, LSI, true);
	xics_set_level(&xics, LSI, false);
	xics_set_cppr(&xics, 0, 0xff);
	check(0, 0xff, NONE, 0xff);
	xics_set_level(&xics, LSI, true);
	check(0, 0xff, LSI, 0xff);
}
END_TEST

START_TEST(an_lsi_that_falls_while_it_is_masked_is_not_delivered)
{
	ck_assert_int_eq(xics_int_off(&xics, LSI), 0);
	xics_set_level(&xics, LSI, true);
	xics_set_level(&xics, LSI, false);
	ck_assert_int_eq(xics_int_on(&xics, LSI), 0);
	check(0, 0xff, NONE, 0xff);
	xics_set_level(&xics, LSI, true);
	check(0, 0xff, LSI, 0xff);
}
END_TEST

START_TEST(an_lsi_that_rises_while_it_is_masked_comes_when_unmasked)
{
	ck_assert_int_eq(xics_int_off(&xics, LSI), 0);
	xics_set_level(&xics, LSI, true);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, LSI, 1, 7), 0);
	check(0, 0xff, NONE, 0xff);
	check(1, 0xff, LSI, 0xff);
}
END_TEST

START_TEST(an_lsi_that_falls_while_it_is_presented_is_dropped_when_rejected)
{
	xics_set_level(&xics, LSI, true);
	xics_set_level(&xics, LSI, false);
	check(0, 0xff, LSI, 0xff); /* on its way already */
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
	xics_set_level(&xics, LSI, true);
	check(0, 0xff, LSI, 0xff);
}
END_TEST

START_TEST(an_lsi_that_falls_and_rises_while_it_is_presented_is_not_dropped)
{
	xics_set_level(&xics, LSI, true);
	xics_set_level(&xics, LSI, false);
	xics_set_level(&xics, LSI, true);
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	accepts(0, 0xff, LSI);
}
END_TEST

START_TEST(an_lsi_that_falls_in_service_ends)
{
	xics_set_level(&xics, LSI, true);
	accepts(0, 0xff, LSI);
	xics_set_level(&xics, LSI, false);
	xics_set_level(&xics, LSI, false);
	ends(0, 0xff, LSI);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(edges_are_for_msis_and_levels_for_lsis)
{
	ck_assert_int_eq(xics_pulse(&xics, LSI), -EINVAL);
	ck_assert_int_eq(xics_set_level(&xics, A, true), -EINVAL);
	ck_assert_int_eq(xics_set_level(&xics, A, false), -EINVAL);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

static void has_xive(uint32_t source, uint32_t server, uint8_t priority)
{
	uint32_t got_server = 9;
	uint8_t got = 9;

	ck_assert_int_eq(xics_get_xive(&xics, source, &got_server, &got), 0);
	ck_assert_uint_eq(got_server, server);
	ck_assert_uint_eq(got, priority);
}

START_TEST(priority_0xff_stays_masked_through_int_on)
{
	ck_assert_int_eq(xics_set_xive(&xics, A, 1, XICS_MASKED), 0);
	ck_assert_int_eq(xics_int_on(&xics, A), 0);
	has_xive(A, 1, XICS_MASKED);
	xics_pulse(&xics, A);
	check(1, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, A, 1, 4), 0);
	has_xive(A, 1, 4);
	check(1, 0xff, A, 0xff);
}
END_TEST

START_TEST(set_xive_unmasks_what_int_off_masked)
{
	ck_assert_int_eq(xics_int_off(&xics, A), 0);
	has_xive(A, 0, XICS_MASKED);
	ck_assert_int_eq(xics_set_xive(&xics, A, 2, 8), 0);
	has_xive(A, 2, 8);
	ck_assert_int_eq(xics_int_on(&xics, A), 0);
	has_xive(A, 2, 8);
}
END_TEST

START_TEST(a_source_that_waits_follows_its_priority)
{
	xics_set_cppr(&xics, 0, 4);
	xics_pulse(&xics, A);
	check(0, 4, NONE, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, A, 0, 3), 0);
	check(0, 4, A, 0xff);
	accepts(0, 4, A);
	check(0, 3, NONE, 0xff);
}
END_TEST

static const uint32_t good[] = {16, 1023, 1024, 0x1000, 65535, 0xfffff};

START_TEST(sources_of_all_blocks_come_from_pulse_to_eoi)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_int_eq(xics_add_source(&xics, good[i], false), 0);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_int_eq(xics_set_xive(&xics, good[i], 1, (uint8_t)(10 - i)), 0);
	/* One after the other, and all at once out of those that wait. */
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		xics_pulse(&xics, good[i]);
		accepts(1, 0xff, good[i]);
		ends(1, 0xff, good[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		xics_pulse(&xics, good[i]);
	for (size_t i = ARRAY_SIZE(good); i-- > 0;) {
		accepts(1, 0xff, good[i]);
		ends(1, 0xff, good[i]);
	}
	check(1, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(sources_are_found_in_their_order)
{
	const uint32_t n = xics_next_source(&xics, 0), end = XICS_SOURCE_END;

	ck_assert_uint_eq(n, FIRST);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_int_eq(xics_add_source(&xics, good[i], false), 0);
	ck_assert_uint_eq(xics_next_source(&xics, 0), 16);
	ck_assert_uint_eq(xics_next_source(&xics, 17), 1023);
	ck_assert_uint_eq(xics_next_source(&xics, 1024), 1024);
	ck_assert_uint_eq(xics_next_source(&xics, 1025), FIRST);
	ck_assert_uint_eq(xics_next_source(&xics, FIRST + SOURCES), 65535);
	ck_assert_uint_eq(xics_next_source(&xics, 65536), 0xfffff);
	ck_assert_uint_eq(xics_next_source(&xics, 0x100000), end);
	ck_assert_uint_eq(xics_next_source(&xics, UINT32_MAX), end);
}
END_TEST

static void is_no_source(uint32_t source)
{
	struct xics_source_counters c;
	uint64_t state = 9;
	uint32_t n = 9;
	uint8_t b = 9;

	ck_assert_int_eq(xics_pulse(&xics, source), -EINVAL);
	ck_assert_int_eq(xics_set_level(&xics, source, true), -EINVAL);
	ck_assert_int_eq(xics_set_level(&xics, source, false), -EINVAL);
	ck_assert_int_eq(xics_set_xive(&xics, source, 0, 5), -EINVAL);
	ck_assert_int_eq(xics_get_xive(&xics, source, &n, &b), -EINVAL);
	ck_assert_int_eq(xics_int_on(&xics, source), -EINVAL);
	ck_assert_int_eq(xics_int_off(&xics, source), -EINVAL);
	ck_assert_int_eq(xics_get_source(&xics, source, &state), -EINVAL);
	ck_assert_int_eq(xics_set_source(&xics, source, 5ull << 32), -EINVAL);
	ck_assert_int_eq(xics_source_counters(&xics, source, &c), -EINVAL);
	/* H_EOI has 24 bits for it, and the IPI is no source but can be ended. */
	ck_assert_int_eq(xics_eoi(&xics, 0, 0xff000000 | XICS_XISR(source)),
			 source == XICS_IPI ? 0 : -EINVAL);
	ck_assert_uint_eq(state, 9);
	ck_assert_uint_eq(n, 9);
	ck_assert_uint_eq(b, 9);
	check(0, 0xff, NONE, 0xff);
}

START_TEST(a_source_that_does_not_exist_is_refused_everywhere)
{
	static const uint32_t never[] = {0, 1, XICS_IPI, 15, 0x100000, 0xffffff, UINT32_MAX};

	is_no_source(16);
	/* With and without the block that the lowest of them would be in. */
	for (int round = 0; round < 2; round++) {
		is_no_source(17);
		is_no_source(FIRST - 1);
		is_no_source(FIRST + SOURCES);
		is_no_source(0xfffff);
		for (size_t i = 0; i < ARRAY_SIZE(never); i++) {
			ck_assert_int_eq(xics_add_source(&xics, never[i], false), -EINVAL);
			is_no_source(never[i]);
		}
		ck_assert_int_eq(xics_add_source(&xics, 16, false), 0);
	}
}
END_TEST

void xics_source_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, rig_setup, rig_teardown);
	tcase_add_test(tc, an_msi_from_pulse_to_eoi);
	tcase_add_test(tc, a_second_msi_waits_for_eoi_and_coalesces);
	tcase_add_test(tc, pulses_before_acceptance_coalesce);
	tcase_add_test(tc, an_asserted_lsi_is_presented_again_at_eoi);
	tcase_add_test(tc, an_lsi_that_comes_again_before_eoi_is_presented_once);
	tcase_add_test(tc, a_masked_source_stays_pending);
	tcase_add_test(tc, a_rejected_source_that_is_masked_stays_pending);
	tcase_add_test(tc, masking_by_set_xive_keeps_what_waits);
	tcase_add_test(tc, int_on_restores_the_priority);
	tcase_add_test(tc, a_source_moves_with_what_waits);
	tcase_add_test(tc, a_rejected_source_goes_to_its_new_server);
	tcase_add_test(tc, a_source_taken_back_goes_to_its_new_server);
	tcase_add_test(tc, an_ipi_sends_a_source_to_its_new_server);
	tcase_add_test(tc, a_rejected_source_rejects_another);
	tcase_add_test(tc, a_queued_msi_stays_pending_when_masked_in_service);
	tcase_add_test(tc, an_asserted_lsi_stays_pending_when_masked_in_service);
	tcase_add_test(tc, an_lsi_that_falls_while_it_waits_is_not_delivered);
	tcase_add_test(tc, an_lsi_that_falls_while_it_is_masked_is_not_delivered);
	tcase_add_test(tc, an_lsi_that_rises_while_it_is_masked_comes_when_unmasked);
	tcase_add_test(tc, an_lsi_that_falls_while_it_is_presented_is_dropped_when_rejected);
	tcase_add_test(tc, an_lsi_that_falls_and_rises_while_it_is_presented_is_not_dropped);
	tcase_add_test(tc, an_lsi_that_falls_in_service_ends);
	tcase_add_test(tc, edges_are_for_msis_and_levels_for_lsis);
	tcase_add_test(tc, priority_0xff_stays_masked_through_int_on);
	tcase_add_test(tc, set_xive_unmasks_what_int_off_masked);
	tcase_add_test(tc, a_source_that_waits_follows_its_priority);
	tcase_add_test(tc, sources_of_all_blocks_come_from_pulse_to_eoi);
	tcase_add_test(tc, sources_are_found_in_their_order);
	tcase_add_test(tc, a_source_that_does_not_exist_is_refused_everywhere);
}
