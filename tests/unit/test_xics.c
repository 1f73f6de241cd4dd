// SPDX-License-Identifier: GPL-2.0-only
/*
 * devices/xics/presenter.c: what each call of a processor does to presenters and lines,
 * by the rules of PAPR and, where implementations differ, of this project.
 */
#include <errno.h>

#include "lib/util.h"
#include "tests/unit/xics_rig.h"

START_TEST(accepting_nothing_changes_nothing)
{
	xics_set_cppr(&xics, 0, 0x42);
	accepts(0, 0x42, NONE);
	check(0, 0x42, NONE, 0xff);
	accepts(0, 0x42, NONE);
	ck_assert_int_eq(changes[0], 0);
}
END_TEST

START_TEST(a_more_favoured_source_displaces_one_that_waits)
{
	xics_pulse(&xics, B);
	check(0, 0xff, B, 0xff);
	xics_pulse(&xics, A);
	check(0, 0xff, A, 0xff);
	ck_assert_int_eq(changes[0], 1);
	accepts(0, 0xff, A);
	check(0, 5, NONE, 0xff);
	ends(0, 0xff, A);
	check(0, 0xff, B, 0xff);
	accepts(0, 0xff, B);
	ends(0, 0xff, B);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(an_equal_source_does_not_displace)
{
	ck_assert_int_eq(xics_set_xive(&xics, A, 0, 6), 0);
	xics_pulse(&xics, B);
	xics_pulse(&xics, A);
	accepts(0, 0xff, B);
	check(0, 6, NONE, 0xff);
	ends(0, 0xff, B);
	accepts(0, 0xff, A);
}
END_TEST

START_TEST(interrupts_nest_by_priority)
{
	xics_pulse(&xics, B);
	accepts(0, 0xff, B);
	xics_pulse(&xics, A);
	accepts(0, 6, A);
	check(0, 5, NONE, 0xff);
	ends(0, 6, A);
	check(0, 6, NONE, 0xff);
	ends(0, 0xff, B);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(a_priority_not_above_cppr_waits)
{
	xics_set_cppr(&xics, 0, 5);
	xics_pulse(&xics, A);
	check(0, 5, NONE, 0xff);
	xics_set_cppr(&xics, 0, 6);
	check(0, 6, A, 0xff);
}
END_TEST

START_TEST(lowering_cppr_takes_back_what_waits)
{
	xics_pulse(&xics, A);
	xics_set_cppr(&xics, 0, 5);
	check(0, 5, NONE, 0xff);
	accepts(0, 5, NONE);
	xics_set_cppr(&xics, 0, 0xff);
	check(0, 0xff, A, 0xff);
	ck_assert_int_eq(changes[0], 3);
}
END_TEST

START_TEST(raising_cppr_offers_the_most_favoured)
{
	xics_set_cppr(&xics, 0, 0);
	xics_pulse(&xics, B);
	xics_pulse(&xics, A);
	xics_set_level(&xics, LSI, true);
	xics_set_cppr(&xics, 0, 0xff);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	accepts(0, 0xff, B);
	ends(0, 0xff, B);
	accepts(0, 0xff, LSI);
}
END_TEST

START_TEST(an_ipi_from_mfrr_to_eoi)
{
	ck_assert_int_eq(xics_ipi(&xics, 1, 1, 4), 0);
	check(1, 0xff, XICS_IPI, 4);
	check(0, 0xff, NONE, 0xff);
	accepts(1, 0xff, XICS_IPI);
	check(1, 4, NONE, 4);
	ck_assert_int_eq(xics_ipi(&xics, 1, 1, 0xff), 0);
	ends(1, 0xff, XICS_IPI);
	check(1, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(an_ipi_stays_until_mfrr_is_raised)
{
	xics_ipi(&xics, 0, 0, 4);
	accepts(0, 0xff, XICS_IPI);
	ends(0, 0xff, XICS_IPI);
	check(0, 0xff, XICS_IPI, 4);
	xics_ipi(&xics, 0, 0, 0xff);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(an_ipi_of_equal_priority_wins)
{
	xics_pulse(&xics, A);
	xics_ipi(&xics, 0, 0, 5);
	accepts(0, 0xff, XICS_IPI);
	xics_ipi(&xics, 0, 0, 0xff);
	ends(0, 0xff, XICS_IPI);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	/* And in the other order. */
	xics_ipi(&xics, 0, 0, 5);
	xics_pulse(&xics, A);
	accepts(0, 0xff, XICS_IPI);
}
END_TEST

START_TEST(a_less_favoured_ipi_does_not_displace)
{
	xics_pulse(&xics, A);
	xics_ipi(&xics, 0, 0, 6);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	accepts(0, 0xff, XICS_IPI);
}
END_TEST

START_TEST(a_more_favoured_source_displaces_an_ipi)
{
	xics_ipi(&xics, 0, 0, 6);
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, XICS_IPI, 6);
}
END_TEST

START_TEST(raising_mfrr_offers_what_it_held_back)
{
	xics_ipi(&xics, 0, 0, 5);
	xics_pulse(&xics, B);
	check(0, 0xff, XICS_IPI, 5);
	xics_ipi(&xics, 0, 0, 0xff);
	check(0, 0xff, B, 0xff);
}
END_TEST

START_TEST(mfrr_changes_the_priority_of_an_ipi_that_waits)
{
	xics_ipi(&xics, 0, 0, 4);
	xics_ipi(&xics, 0, 0, 8);
	accepts(0, 0xff, XICS_IPI);
	check(0, 8, NONE, 8);
}
END_TEST

START_TEST(eoi_restores_cppr_before_it_fails)
{
	static const uint32_t sources[] = {0, 1, FIRST - 1, FIRST + SOURCES, 0xffffff};

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		xics_set_cppr(&xics, 0, 1);
		ck_assert_int_eq(xics_eoi(&xics, 0, 0x77000000 | sources[i]), -EINVAL);
		check(0, 0x77, NONE, 0xff);
	}
}
END_TEST

START_TEST(eoi_restores_cppr_before_it_presents_again)
{
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
	xics_pulse(&xics, A);
	ends(0, 5, A); /* still as busy: A must wait */
	check(0, 5, NONE, 0xff);
	xics_set_cppr(&xics, 0, 0xff);
	check(0, 0xff, A, 0xff);
}
END_TEST

START_TEST(an_ipi_taken_back_by_its_own_server_lowers_the_line)
{
	xics_ipi(&xics, 0, 0, 4);
	check(0, 0xff, XICS_IPI, 4);
	xics_ipi(&xics, 0, 0, 0xff);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(changes[0], 2);
}
END_TEST

/* Only the processor's own thread may lower its line. */
START_TEST(an_ipi_taken_back_by_another_server_leaves_the_line_up_for_one_look)
{
	xics_ipi(&xics, 1, 0, 4);
	xics_ipi(&xics, 1, 0, 0xff);
	ck_assert(line[0]);
	accepts(0, 0xff, NONE);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(changes[0], 2);
	accepts(0, 0xff, NONE);
	ck_assert_int_eq(changes[0], 2);
}
END_TEST

START_TEST(a_line_that_was_left_up_serves_the_next_interrupt)
{
	xics_ipi(&xics, 1, 0, 4);
	xics_ipi(&xics, 1, 0, 0xff);
	xics_pulse(&xics, A);
	check(0, 0xff, A, 0xff);
	accepts(0, 0xff, A);
	check(0, 5, NONE, 0xff);
	accepts(0, 5, NONE);
	ck_assert_int_eq(changes[0], 2);
}
END_TEST

START_TEST(an_ipi_taken_back_lets_the_source_through_that_it_rejected)
{
	xics_pulse(&xics, A);
	xics_ipi(&xics, 1, 0, 5);
	check(0, 0xff, XICS_IPI, 5);
	xics_ipi(&xics, 1, 0, 0xff);
	check(0, 0xff, A, 0xff);
}
END_TEST

START_TEST(mfrr_less_favoured_than_cppr_takes_the_ipi_back_until_cppr_follows)
{
	xics_set_cppr(&xics, 0, 9);
	xics_ipi(&xics, 0, 0, 4);
	xics_ipi(&xics, 0, 0, 9);
	check(0, 9, NONE, 9);
	xics_set_cppr(&xics, 0, 10);
	check(0, 10, XICS_IPI, 9);
}
END_TEST

START_TEST(eoi_of_an_ipi_needs_no_source)
{
	xics_ipi(&xics, 0, 0, 4);
	accepts(0, 0xff, XICS_IPI);
	xics_ipi(&xics, 0, 0, 0xff);
	ends(0, 0x12, XICS_IPI);
	check(0, 0x12, NONE, 0xff);
}
END_TEST

START_TEST(eoi_of_what_is_not_in_service_loses_nothing)
{
	xics_set_cppr(&xics, 0, 1);
	xics_pulse(&xics, A);
	ends(0, 1, A);
	ck_assert_int_eq(xics_int_off(&xics, B), 0);
	xics_pulse(&xics, B);
	ends(0, 1, B);
	xics_int_on(&xics, B);
	xics_set_cppr(&xics, 0, 0xff);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	accepts(0, 0xff, B);
	ends(0, 0xff, B);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(servers_keep_to_themselves)
{
	for (uint32_t server = 0; server < SERVERS; server++)
		xics_ipi(&xics, 0, server, (uint8_t)(4 + server));
	for (uint32_t server = 0; server < SERVERS; server++)
		check(server, 0xff, XICS_IPI, (uint8_t)(4 + server));
	accepts(1, 0xff, XICS_IPI);
	check(0, 0xff, XICS_IPI, 4);
	check(1, 5, NONE, 5);
	check(2, 0xff, XICS_IPI, 6);
}
END_TEST

START_TEST(a_server_that_does_not_exist_is_refused_everywhere)
{
	static const uint32_t servers[] = {SERVERS, XICS_SERVERS_MAX, UINT32_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(servers); i++) {
		struct xics_presenter_counters c;
		uint32_t server = servers[i], n = 9;
		uint64_t state;
		uint8_t b = 9;

		ck_assert_int_eq(xics_accept(&xics, server, &n), -EINVAL);
		ck_assert_int_eq(xics_set_cppr(&xics, server, 5), -EINVAL);
		ck_assert_int_eq(xics_eoi(&xics, server, 0xff000000 | A), -EINVAL);
		ck_assert_int_eq(xics_ipi(&xics, 0, server, 5), -EINVAL);
		ck_assert_int_eq(xics_ipi(&xics, server, server, 5), -EINVAL);
		ck_assert_int_eq(xics_ipoll(&xics, server, &n, &b), -EINVAL);
		ck_assert_int_eq(xics_set_xive(&xics, A, server, 5), -EINVAL);
		ck_assert_int_eq(xics_get_presenter(&xics, server, &state), -EINVAL);
		ck_assert_int_eq(xics_set_presenter(&xics, server, ICP_RESET), -EINVAL);
		ck_assert_int_eq(xics_set_source(&xics, A, server), -EINVAL);
		ck_assert_int_eq(xics_presenter_counters(&xics, server, &c), -EINVAL);
		ck_assert_uint_eq(n, 9);
		ck_assert_uint_eq(b, 9);
	}
	/* A is where it was. */
	xics_pulse(&xics, A);
	accepts(0, 0xff, A);
}
END_TEST

void xics_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, rig_setup, rig_teardown);
	tcase_add_test(tc, accepting_nothing_changes_nothing);
	tcase_add_test(tc, a_more_favoured_source_displaces_one_that_waits);
	tcase_add_test(tc, an_equal_source_does_not_displace);
	tcase_add_test(tc, interrupts_nest_by_priority);
	tcase_add_test(tc, a_priority_not_above_cppr_waits);
	tcase_add_test(tc, lowering_cppr_takes_back_what_waits);
	tcase_add_test(tc, raising_cppr_offers_the_most_favoured);
	tcase_add_test(tc, an_ipi_from_mfrr_to_eoi);
	tcase_add_test(tc, an_ipi_stays_until_mfrr_is_raised);
	tcase_add_test(tc, an_ipi_of_equal_priority_wins);
	tcase_add_test(tc, a_less_favoured_ipi_does_not_displace);
	tcase_add_test(tc, a_more_favoured_source_displaces_an_ipi);
	tcase_add_test(tc, raising_mfrr_offers_what_it_held_back);
	tcase_add_test(tc, mfrr_changes_the_priority_of_an_ipi_that_waits);
	tcase_add_test(tc, eoi_restores_cppr_before_it_fails);
	tcase_add_test(tc, eoi_restores_cppr_before_it_presents_again);
	tcase_add_test(tc, an_ipi_taken_back_by_its_own_server_lowers_the_line);
	tcase_add_test(tc, an_ipi_taken_back_by_another_server_leaves_the_line_up_for_one_look);
	tcase_add_test(tc, a_line_that_was_left_up_serves_the_next_interrupt);
	tcase_add_test(tc, an_ipi_taken_back_lets_the_source_through_that_it_rejected);
	tcase_add_test(tc, mfrr_less_favoured_than_cppr_takes_the_ipi_back_until_cppr_follows);
	tcase_add_test(tc, eoi_of_an_ipi_needs_no_source);
	tcase_add_test(tc, eoi_of_what_is_not_in_service_loses_nothing);
	tcase_add_test(tc, servers_keep_to_themselves);
	tcase_add_test(tc, a_server_that_does_not_exist_is_refused_everywhere);
}
