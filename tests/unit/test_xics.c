// SPDX-License-Identifier: GPL-2.0-only
/*
 * devices/xics/xics.c: what each call does to sources, presenters and lines, by the
 * rules of PAPR and, where implementations differ, of this project.
 */
#include <errno.h>
#include <string.h>

#include "devices/xics/xics.h"
#include "lib/util.h"
#include "tests/unit/alloc.h"
#include "tests/unit/unit.h"

#define SERVERS 3
#define FIRST	0x1000
#define SOURCES 6
#define A	(FIRST + 0)
#define B	(FIRST + 1)
#define LSI	(FIRST + 5)
#define NONE	0

static struct xics xics;
static bool line[SERVERS];
static int changes[SERVERS];

static bool on_raise(void *ctx, uint32_t server)
{
	ck_assert_ptr_eq(ctx, &xics);
	ck_assert_uint_lt(server, SERVERS);
	ck_assert_msg(!line[server], "line %u raised twice", server);
	line[server] = true;
	changes[server]++;
	return false;
}

static void on_lower(void *ctx, uint32_t server)
{
	ck_assert_ptr_eq(ctx, &xics);
	ck_assert_uint_lt(server, SERVERS);
	ck_assert_msg(line[server], "line %u lowered twice", server);
	line[server] = false;
	changes[server]++;
}

static const struct xics_ops ops = {on_raise, on_lower};

/* Servers accept everything, sources A and B have priorities 5 and 6 on server 0. */
static void setup(void)
{
	memset(line, 0, sizeof(line));
	memset(changes, 0, sizeof(changes));
	ck_assert_int_eq(xics_init(&xics, SERVERS, &ops, &xics), 0);
	for (uint32_t source = FIRST; source < FIRST + SOURCES; source++)
		ck_assert_int_eq(xics_add_source(&xics, source, source == LSI), 0);
	for (uint32_t server = 0; server < SERVERS; server++)
		xics_set_cppr(&xics, server, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, A, 0, 5), 0);
	ck_assert_int_eq(xics_set_xive(&xics, B, 0, 6), 0);
	ck_assert_int_eq(xics_set_xive(&xics, LSI, 0, 7), 0);
}

static void teardown(void)
{
	xics_fini(&xics);
}

/* What server's presenter holds: CPPR, pending source, MFRR, and its line. */
static void check(uint32_t server, uint8_t cppr, uint32_t xisr, uint8_t mfrr)
{
	uint32_t xirr;
	uint8_t got;

	ck_assert_int_eq(xics_ipoll(&xics, server, &xirr, &got), 0);
	ck_assert_uint_eq(XICS_CPPR(xirr), cppr);
	ck_assert_uint_eq(XICS_XISR(xirr), xisr);
	ck_assert_uint_eq(got, mfrr);
	ck_assert_int_eq(line[server], xisr != NONE);
}

static void accepts(uint32_t server, uint8_t cppr, uint32_t source)
{
	uint32_t xirr;

	ck_assert_int_eq(xics_accept(&xics, server, &xirr), 0);
	ck_assert_uint_eq(xirr, (uint32_t)cppr << 24 | source);
}

static void ends(uint32_t server, uint8_t cppr, uint32_t source)
{
	ck_assert_int_eq(xics_eoi(&xics, server, (uint32_t)cppr << 24 | source), 0);
}

START_TEST(after_power_on_nothing_is_accepted)
{
	xics_reset(&xics);
	for (uint32_t server = 0; server < SERVERS; server++)
		check(server, 0, NONE, 0xff);
	for (uint32_t source = FIRST; source < FIRST + SOURCES; source++) {
		uint32_t server = 9;
		uint8_t priority = 9;

		ck_assert_int_eq(xics_get_xive(&xics, source, &server, &priority), 0);
		ck_assert_uint_eq(server, 0);
		ck_assert_uint_eq(priority, XICS_MASKED);
	}
}
END_TEST

START_TEST(accepting_nothing_changes_nothing)
{
	xics_set_cppr(&xics, 0, 0x42);
	accepts(0, 0x42, NONE);
	check(0, 0x42, NONE, 0xff);
	accepts(0, 0x42, NONE);
	ck_assert_int_eq(changes[0], 0);
}
END_TEST

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

START_TEST(what_does_not_exist_is_refused)
{
	static const uint32_t sources[] = {0, XICS_IPI, FIRST - 1, FIRST + SOURCES, UINT32_MAX};
	uint32_t n;
	uint8_t b;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		ck_assert_int_eq(xics_set_xive(&xics, sources[i], 0, 5), -EINVAL);
		ck_assert_int_eq(xics_get_xive(&xics, sources[i], &n, &b), -EINVAL);
		ck_assert_int_eq(xics_int_on(&xics, sources[i]), -EINVAL);
		ck_assert_int_eq(xics_int_off(&xics, sources[i]), -EINVAL);
	}
	ck_assert_int_eq(xics_set_xive(&xics, A, SERVERS, 5), -EINVAL);
	ck_assert_int_eq(xics_set_xive(&xics, A, UINT32_MAX, 5), -EINVAL);
	ck_assert_int_eq(xics_ipi(&xics, SERVERS, SERVERS, 5), -EINVAL);
	ck_assert_int_eq(xics_ipi(&xics, UINT32_MAX, UINT32_MAX, 5), -EINVAL);
	ck_assert_int_eq(xics_ipoll(&xics, SERVERS, &n, &b), -EINVAL);
}
END_TEST

START_TEST(reset_drops_all_but_levels)
{
	xics_pulse(&xics, A);
	xics_ipi(&xics, 1, 1, 3);
	accepts(0, 0xff, A);
	xics_pulse(&xics, A);
	xics_set_level(&xics, LSI, true);
	xics_reset(&xics);
	for (uint32_t server = 0; server < SERVERS; server++)
		check(server, 0, NONE, 0xff);
	xics_set_cppr(&xics, 0, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, A, 0, 5), 0);
	check(0, 0xff, NONE, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, LSI, 0, 7), 0);
	check(0, 0xff, LSI, 0xff);
}
END_TEST

START_TEST(no_memory_is_an_error_that_leaves_nothing)
{
	for (int n = 0; n < 2; n++) {
		struct xics other;

		alloc_fail_after(n);
		ck_assert_int_eq(xics_init(&other, SERVERS, &ops, &other), -ENOMEM);
		/* The owner sees that there is nothing to end. */
		ck_assert_ptr_null(other.ops);
	}
	alloc_fail_after(0);
	ck_assert_int_eq(xics_add_source(&xics, 0x2000, false), -ENOMEM);
	ck_assert_int_eq(xics_pulse(&xics, 0x2000), -EINVAL);
	ck_assert_int_eq(xics_add_source(&xics, 0x2000, false), 0);
}
END_TEST

void xics_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, after_power_on_nothing_is_accepted);
	tcase_add_test(tc, accepting_nothing_changes_nothing);
	tcase_add_test(tc, an_msi_from_pulse_to_eoi);
	tcase_add_test(tc, a_second_msi_waits_for_eoi_and_coalesces);
	tcase_add_test(tc, pulses_before_acceptance_coalesce);
	tcase_add_test(tc, an_asserted_lsi_is_presented_again_at_eoi);
	tcase_add_test(tc, an_lsi_that_comes_again_before_eoi_is_presented_once);
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
	tcase_add_test(tc, a_masked_source_stays_pending);
	tcase_add_test(tc, a_rejected_source_that_is_masked_stays_pending);
	tcase_add_test(tc, masking_by_set_xive_keeps_what_waits);
	tcase_add_test(tc, int_on_restores_the_priority);
	tcase_add_test(tc, a_source_moves_with_what_waits);
	tcase_add_test(tc, a_rejected_source_goes_to_its_new_server);
	tcase_add_test(tc, a_source_taken_back_goes_to_its_new_server);
	tcase_add_test(tc, an_ipi_sends_a_source_to_its_new_server);
	tcase_add_test(tc, a_rejected_source_rejects_another);
	tcase_add_test(tc, what_does_not_exist_is_refused);
	tcase_add_test(tc, reset_drops_all_but_levels);
	tcase_add_test(tc, no_memory_is_an_error_that_leaves_nothing);
}
