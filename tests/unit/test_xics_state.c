// SPDX-License-Identifier: GPL-2.0-only
/* devices/xics/state.c: a model's life, its state in KVM's form, and its counters. */
#include <errno.h>

#include "lib/util.h"
#include "tests/unit/alloc.h"
#include "tests/unit/xics_rig.h"

/* KVM_XICS_* of linux/kvm.h, above the server and the priority. */
#define KVM_LSI	      (1ull << 40)
#define KVM_MASKED    (1ull << 41)
#define KVM_PENDING   (1ull << 42)
#define KVM_PRESENTED (1ull << 43)
#define KVM_QUEUED    (1ull << 44)

static bool raise_nothing(void *ctx, uint32_t server)
{
	(void)ctx;
	(void)server;
	return false;
}

static bool raise_far(void *ctx, uint32_t server)
{
	(void)ctx;
	return server != 0;
}

static void lower_nothing(void *ctx, uint32_t server)
{
	(void)ctx;
	(void)server;
}

/* Of models beside the rig's. */
static const struct xics_ops silent = {raise_nothing, lower_nothing};

static void saves(uint32_t source, uint64_t state)
{
	uint64_t got;

	ck_assert_int_eq(xics_get_source(&xics, source, &got), 0);
	ck_assert_msg(got == state, "source 0x%x: 0x%llx, not 0x%llx", source,
		      (unsigned long long)got, (unsigned long long)state);
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
		ck_assert_int_eq(xics_init(&other, SERVERS, &silent, NULL), -ENOMEM);
		/* The owner sees that there is nothing to end. */
		ck_assert_ptr_null(other.ops);
	}
	alloc_fail_after(0);
	ck_assert_int_eq(xics_add_source(&xics, 0x2000, false), -ENOMEM);
	ck_assert_int_eq(xics_pulse(&xics, 0x2000), -EINVAL);
	ck_assert_int_eq(xics_add_source(&xics, 0x2000, false), 0);
}
END_TEST

START_TEST(a_model_has_as_many_servers_as_it_is_asked_for)
{
	struct xics other;
	uint32_t xirr;
	uint8_t mfrr;

	for (uint32_t n = 1; n <= XICS_SERVERS_MAX; n *= 8) {
		ck_assert_int_eq(xics_init(&other, n, &silent, NULL), 0);
		ck_assert_int_eq(xics_add_source(&other, A, false), 0);
		ck_assert_int_eq(xics_set_cppr(&other, n - 1, 0xff), 0);
		ck_assert_int_eq(xics_set_xive(&other, A, n - 1, 5), 0);
		ck_assert_int_eq(xics_pulse(&other, A), 0);
		ck_assert_int_eq(xics_accept(&other, n - 1, &xirr), 0);
		ck_assert_uint_eq(xirr, 0xff000000 | A);
		ck_assert_int_eq(xics_ipoll(&other, n, &xirr, &mfrr), -EINVAL);
		xics_fini(&other);
	}
	ck_assert_int_eq(xics_init(&other, XICS_SERVERS_MAX + 1, &silent, NULL), -EINVAL);
	ck_assert_ptr_null(other.ops);
	ck_assert_int_eq(xics_init(&other, UINT32_MAX, &silent, NULL), -EINVAL);
}
END_TEST

START_TEST(only_blocks_that_are_used_take_memory)
{
	static const uint32_t added[] = {16, 1023, 1024, FIRST + 1023, 0xfffff};
	uint32_t used = 0;
	int here, there;

	ck_assert_uint_eq(xics.nr_blocks, FIRST / XICS_BLOCK + 1);
	for (size_t i = 0; i < ARRAY_SIZE(added); i++)
		ck_assert_int_eq(xics_add_source(&xics, added[i], false), 0);
	for (uint32_t i = 0; i < XICS_BLOCKS_MAX; i++)
		used += xics.blocks[i] != NULL;
	ck_assert_uint_eq(used, 4); /* 0, 1, FIRST's, the last */
	/* In a block that is there, a source takes none; in another it does. */
	alloc_fail_after(0);
	here = xics_add_source(&xics, 17, false);
	there = xics_add_source(&xics, 2048, false);
	ck_assert_int_eq(here, 0);
	ck_assert_int_eq(there, -ENOMEM);
}
END_TEST

START_TEST(reset_forgets_routes_and_masks_all)
{
	ck_assert_int_eq(xics_set_xive(&xics, A, 2, 3), 0);
	xics_pulse(&xics, B);
	xics_set_cppr(&xics, 0, 1); /* B waits */
	xics_pulse(&xics, LSI - 1); /* masked: pending */
	xics_ipi(&xics, 1, 2, 4);
	xics_ipi(&xics, 1, 2, 0xff); /* its line is left up */
	xics_reset(&xics);
	rig_audited(0);
	for (uint32_t n = FIRST; n < FIRST + SOURCES; n++)
		saves(n, KVM_MASKED | 0xffull << 32 | (n == LSI ? KVM_LSI : 0));
	for (uint32_t server = 0; server < SERVERS; server++) {
		check(server, 0, NONE, 0xff);
		xics_set_cppr(&xics, server, 0xff);
	}
	for (uint32_t n = FIRST; n < FIRST + SOURCES; n++)
		ck_assert_int_eq(xics_set_xive(&xics, n, 0, 5), 0);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

/* KVM's rules for KVM_REG_PPC_ICP_STATE. */
static const struct {
	uint32_t xisr;
	uint8_t cppr, mfrr, pending;
	bool good;
} presenters[] = {
	{NONE, 0xff, 0xff, 0xff, true},
	{NONE, 0, 0, 0xff, true},
	{NONE, 5, 4, 0xff, true}, /* an IPI could be pending, and is not: so be it */
	{NONE, 0xff, 0xff, 0xfe, false},
	{NONE, 0xff, 4, 4, false},
	{NONE, 5, 0xff, 0, false},
	{XICS_IPI, 5, 4, 4, true},
	{XICS_IPI, 1, 0, 0, true},
	{XICS_IPI, 0xff, 0xfe, 0xfe, true},
	{XICS_IPI, 4, 4, 4, false},
	{XICS_IPI, 3, 4, 4, false},
	{XICS_IPI, 9, 4, 5, false},
	{XICS_IPI, 9, 4, 3, false},
	{XICS_IPI, 9, 4, 0xff, false},
	{XICS_IPI, 0xff, 0xff, 0xff, false},
	{A, 6, 6, 5, true},
	{A, 0xff, 0xff, 0, true},
	{LSI, 0xff, 0xff, 0xfe, true},
	{A, 5, 0xff, 5, false},
	{A, 4, 0xff, 5, false},
	{A, 0xff, 5, 5, false},
	{A, 0xff, 4, 5, false},
	{A, 0xff, 0xff, 0xff, false},
	{1, 0xff, 0xff, 5, false},
	{15, 0xff, 0xff, 5, false},
	{FIRST - 1, 0xff, 0xff, 5, false},
	{0x100000, 0xff, 0xff, 5, false},
	{0xffffff, 0xff, 0xff, 5, false},
};

START_TEST(presenters_take_the_states_that_kvm_takes)
{
	for (size_t i = 0; i < ARRAY_SIZE(presenters); i++) {
		uint64_t old = icp_word(0x33, B, 0x22, 0x11), got;
		uint64_t new = icp_word(presenters[i].cppr, presenters[i].xisr, presenters[i].mfrr,
					presenters[i].pending);
		bool good = presenters[i].good;

		rig_teardown();
		rig_setup();
		ck_assert_int_eq(xics_set_presenter(&xics, 0, old), 0);
		/* The lowest 16 bits are nothing of KVM's. */
		ck_assert_msg(xics_set_presenter(&xics, 0, new | 0xffff) == (good ? 0 : -EINVAL),
			      "row %zu", i);
		xics_get_presenter(&xics, 0, &got);
		ck_assert_msg(got == (good ? new : old), "row %zu", i);
		ck_assert_int_eq(line[0], icp_output(got));
	}
}
END_TEST

START_TEST(each_kind_of_source_state_is_saved_as_kvm_does)
{
	const uint64_t a = 5ull << 32, b = 6ull << 32, lsi = 7ull << 32 | KVM_LSI;

	saves(A, a);
	xics_pulse(&xics, A);
	saves(A, a | KVM_PRESENTED);
	xics_pulse(&xics, A);
	saves(A, a | KVM_PRESENTED | KVM_QUEUED);
	accepts(0, 0xff, A);
	saves(A, a | KVM_PRESENTED | KVM_QUEUED);
	xics_pulse(&xics, B);
	saves(B, b | KVM_PRESENTED | KVM_PENDING);
	xics_int_off(&xics, B);
	saves(B, b | KVM_PRESENTED | KVM_PENDING | KVM_MASKED);
	xics_int_off(&xics, A);
	saves(A, a | KVM_PRESENTED | KVM_QUEUED | KVM_MASKED);
	saves(LSI, lsi);
	xics_set_level(&xics, LSI, true);
	saves(LSI, lsi | KVM_PRESENTED | KVM_PENDING);
	xics_set_level(&xics, LSI, false);
	saves(LSI, lsi);
	ck_assert_int_eq(xics_set_xive(&xics, LSI, 2, 0xff), 0);
	saves(LSI, 2 | 0xffull << 32 | KVM_LSI | KVM_MASKED);
}
END_TEST

START_TEST(a_source_state_that_cannot_be_leaves_the_old_one)
{
	static const uint64_t bad[] = {
		1ull << 45, 1ull << 48, 1ull << 61, 1ull << 62, 1ull << 63, SERVERS, UINT32_MAX,
	};
	const uint64_t old = 5ull << 32 | KVM_PRESENTED | KVM_QUEUED;

	xics_pulse(&xics, A);
	xics_pulse(&xics, A);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(xics_set_source(&xics, A, 7ull << 32 | bad[i]), -EINVAL);
		saves(A, old);
		check(0, 0xff, A, 0xff);
	}
}
END_TEST

START_TEST(a_loaded_source_that_is_pending_is_delivered)
{
	ck_assert_int_eq(xics_set_source(&xics, A, 1 | 9ull << 32 | KVM_PRESENTED | KVM_PENDING),
			 0);
	check(1, 0xff, A, 0xff);
	accepts(1, 0xff, A);
	ends(1, 0xff, A);
	ck_assert_int_eq(xics_set_source(&xics, LSI, 1 | 9ull << 32 | KVM_LSI | KVM_PENDING), 0);
	accepts(1, 0xff, LSI);
	ends(1, 0xff, LSI);
	check(1, 0xff, LSI, 0xff); /* its level is up */
	xics_set_level(&xics, LSI, false);
	accepts(1, 0xff, LSI);
	ends(1, 0xff, LSI);
	check(1, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(a_loaded_source_that_is_presented_waits_for_its_eoi)
{
	ck_assert_int_eq(xics_set_source(&xics, A, 5ull << 32 | KVM_PRESENTED | KVM_QUEUED), 0);
	check(0, 0xff, NONE, 0xff);
	xics_pulse(&xics, A);
	check(0, 0xff, NONE, 0xff);
	ends(0, 0xff, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	check(0, 0xff, NONE, 0xff);
}
END_TEST

START_TEST(a_loaded_presenter_forgets_what_it_displaces)
{
	xics_pulse(&xics, A);
	ck_assert_int_eq(xics_set_presenter(&xics, 0, icp_word(9, B, 0xff, 6)), 0);
	check(0, 9, B, 0xff);
	ck_assert_int_eq(xics_set_presenter(&xics, 0, icp_word(9, NONE, 0xff, 0xff)), 0);
	check(0, 9, NONE, 0xff);
	ck_assert_int_eq(changes[0], 4);
}
END_TEST

START_TEST(a_loaded_presenter_takes_what_waits)
{
	xics_set_cppr(&xics, 0, 0);
	xics_pulse(&xics, A);
	ck_assert_int_eq(xics_set_presenter(&xics, 0, icp_word(9, NONE, 0xff, 0xff)), 0);
	check(0, 9, A, 0xff);
}
END_TEST

/* Masked while it was pending at server 0: it is that, and not pending for the mask. */
START_TEST(a_masked_lsi_is_loaded_once_in_either_order)
{
	const uint64_t source = 7ull << 32 | KVM_LSI | KVM_MASKED | KVM_PRESENTED | KVM_PENDING;
	const uint64_t presenter = icp_word(0xff, LSI, 0xff, 7);

	for (int first = 0; first < 2; first++) {
		rig_teardown();
		rig_setup();
		if (first)
			ck_assert_int_eq(xics_set_source(&xics, LSI, source), 0);
		ck_assert_int_eq(xics_set_presenter(&xics, 0, presenter), 0);
		if (!first)
			ck_assert_int_eq(xics_set_source(&xics, LSI, source), 0);
		accepts(0, 0xff, LSI);
		xics_set_level(&xics, LSI, false);
		xics_int_on(&xics, LSI);
		ends(0, 0xff, LSI);
		check(0, 0xff, NONE, 0xff);
	}
}
END_TEST

START_TEST(an_lsi_that_fell_is_loaded_presented_in_either_order)
{
	const uint64_t source = 1 | 7ull << 32 | KVM_LSI;
	const uint64_t presenter = icp_word(0xff, LSI, 0xff, 7);

	for (int first = 0; first < 2; first++) {
		rig_teardown();
		rig_setup();
		if (first)
			ck_assert_int_eq(xics_set_source(&xics, LSI, source), 0);
		ck_assert_int_eq(xics_set_presenter(&xics, 0, presenter), 0);
		if (!first)
			ck_assert_int_eq(xics_set_source(&xics, LSI, source), 0);
		xics_set_level(&xics, LSI, true);
		check(0, 0xff, LSI, 0xff);
		check(1, 0xff, NONE, 0xff); /* where it goes next */
	}
}
END_TEST

/* Pending at server 1, and moved to server 0 since: known only if 1 is loaded first. */
START_TEST(an_lsi_that_moved_is_loaded_once_if_presenters_come_first)
{
	ck_assert_int_eq(xics_set_presenter(&xics, 0, icp_word(0xff, NONE, 8, 0xff)), 0);
	ck_assert_int_eq(xics_set_presenter(&xics, 1, icp_word(0xff, LSI, 0xff, 7)), 0);
	ck_assert_int_eq(xics_set_source(&xics, LSI, 7ull << 32 | KVM_LSI | KVM_PENDING), 0);
	check(0, 0xff, NONE, 8);
	check(1, 0xff, LSI, 0xff);
}
END_TEST

static void has_source_counters(uint32_t source, uint32_t delivered, uint32_t rejected,
				uint32_t resent, uint32_t coalesced)
{
	struct xics_source_counters c;

	ck_assert_int_eq(xics_source_counters(&xics, source, &c), 0);
	ck_assert_uint_eq(c.delivered, delivered);
	ck_assert_uint_eq(c.rejected, rejected);
	ck_assert_uint_eq(c.resent, resent);
	ck_assert_uint_eq(c.coalesced, coalesced);
}

START_TEST(counters_of_an_msi_add_up)
{
	for (int i = 0; i < 5; i++)
		xics_pulse(&xics, A); /* presented, queued, and three more */
	has_source_counters(A, 1, 0, 0, 3);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	has_source_counters(A, 2, 0, 0, 3);
	has_source_counters(B, 0, 0, 0, 0);
}
END_TEST

START_TEST(counters_of_a_rejection_and_of_ipis_add_up)
{
	struct xics_presenter_counters c;

	xics_pulse(&xics, B);
	xics_pulse(&xics, A); /* B is rejected, and waits */
	has_source_counters(B, 1, 1, 0, 0);
	accepts(0, 0xff, A);
	ends(0, 0xff, A);
	has_source_counters(B, 2, 1, 1, 0);
	xics_ipi(&xics, 0, 0, 6); /* B is rejected again */
	accepts(0, 0xff, XICS_IPI);
	xics_ipi(&xics, 0, 0, 0xff); /* B is offered, and refused */
	has_source_counters(B, 2, 2, 2, 0);
	ends(0, 0xff, XICS_IPI);
	accepts(0, 0xff, B);
	ends(0, 0xff, B);
	accepts(0, 0xff, NONE);
	has_source_counters(A, 1, 0, 0, 0);
	has_source_counters(B, 3, 2, 3, 0);

	ck_assert_int_eq(xics_presenter_counters(&xics, 0, &c), 0);
	ck_assert_uint_eq(c.delivered, 3);
	ck_assert_uint_eq(c.ipis, 1);
	ck_assert_uint_eq(c.rejected, 2);
	ck_assert_uint_eq(c.resent, 3);
	ck_assert_uint_eq(c.raised, 3);
	ck_assert_uint_eq(c.lowered, 3);
	ck_assert_uint_eq(c.kicks, 0);
	/* They count from the beginning, whatever is reset. */
	xics_reset(&xics);
	ck_assert_int_eq(xics_presenter_counters(&xics, 0, &c), 0);
	ck_assert_uint_eq(c.delivered, 3);
	has_source_counters(B, 3, 2, 3, 0);
}
END_TEST

START_TEST(kicks_are_the_raises_from_elsewhere)
{
	static const struct xics_ops far = {raise_far, lower_nothing};
	struct xics_presenter_counters c;
	struct xics other;
	uint32_t xirr;

	ck_assert_int_eq(xics_init(&other, 2, &far, NULL), 0);
	for (uint32_t server = 0; server < 2; server++) {
		xics_set_cppr(&other, server, 0xff);
		xics_ipi(&other, server, server, 4);
		xics_accept(&other, server, &xirr);
	}
	xics_presenter_counters(&other, 0, &c);
	ck_assert_uint_eq(c.raised, 1);
	ck_assert_uint_eq(c.kicks, 0);
	xics_presenter_counters(&other, 1, &c);
	ck_assert_uint_eq(c.raised, 1);
	ck_assert_uint_eq(c.kicks, 1);
	xics_fini(&other);
}
END_TEST

void xics_state_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, rig_setup, rig_teardown);
	tcase_add_test(tc, after_power_on_nothing_is_accepted);
	tcase_add_test(tc, reset_drops_all_but_levels);
	tcase_add_test(tc, no_memory_is_an_error_that_leaves_nothing);
	tcase_add_test(tc, a_model_has_as_many_servers_as_it_is_asked_for);
	tcase_add_test(tc, only_blocks_that_are_used_take_memory);
	tcase_add_test(tc, reset_forgets_routes_and_masks_all);
	tcase_add_test(tc, presenters_take_the_states_that_kvm_takes);
	tcase_add_test(tc, each_kind_of_source_state_is_saved_as_kvm_does);
	tcase_add_test(tc, a_source_state_that_cannot_be_leaves_the_old_one);
	tcase_add_test(tc, a_loaded_source_that_is_pending_is_delivered);
	tcase_add_test(tc, a_loaded_source_that_is_presented_waits_for_its_eoi);
	tcase_add_test(tc, a_loaded_presenter_forgets_what_it_displaces);
	tcase_add_test(tc, a_loaded_presenter_takes_what_waits);
	tcase_add_test(tc, a_masked_lsi_is_loaded_once_in_either_order);
	tcase_add_test(tc, an_lsi_that_fell_is_loaded_presented_in_either_order);
	tcase_add_test(tc, an_lsi_that_moved_is_loaded_once_if_presenters_come_first);
	tcase_add_test(tc, counters_of_an_msi_add_up);
	tcase_add_test(tc, counters_of_a_rejection_and_of_ipis_add_up);
	tcase_add_test(tc, kicks_are_the_raises_from_elsewhere);
}
