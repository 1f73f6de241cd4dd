// SPDX-License-Identifier: GPL-2.0-only
/* mmu/hpt_tlbie.c: the tlbies of hash guests, with and without a lock. */
#include "mmu/hpt_tlbie.h"
#include "tests/unit/unit.h"

static const struct tlb_machine power8 = {.page_shift = 16, .sets = 512};

static struct tlb_counts run(struct hpt_tlbie_policy policy, bool global, bool need_sync,
			     unsigned int entries)
{
	struct hpt_tlbies t;

	hpt_tlbies_begin(&t, &policy, global, need_sync);
	for (unsigned int i = 0; i < entries; i++)
		hpt_tlbies_add(&t);
	hpt_tlbies_end(&t, &power8);
	return t.counts;
}

START_TEST(a_batch_is_one_sequence)
{
	struct hpt_tlbie_policy lockless = {.lockless = true};

	for (unsigned int n = 1; n <= HPT_TLBIES_MAX; n++) {
		struct tlb_counts c = run(lockless, true, true, n);

		ck_assert_uint_eq(c.tlbie, n);
		ck_assert_uint_eq(c.ptesync, 2);
		ck_assert_uint_eq(c.tlbsync, 1);
		ck_assert_uint_eq(c.tlbiel | c.locks | c.unlocks, 0);
		c = run(lockless, false, true, n);
		ck_assert_uint_eq(c.tlbiel, n);
		ck_assert_uint_eq(c.ptesync, 2);
		ck_assert_uint_eq(c.tlbie | c.tlbsync, 0);
	}
	/* Where only R is cleared nothing need be seen before. */
	ck_assert_uint_eq(run(lockless, true, false, 1).ptesync, 1);
	ck_assert_uint_eq(run(lockless, false, false, 1).ptesync, 1);
}
END_TEST

START_TEST(a_lock_is_taken_once_a_batch_and_only_for_tlbie)
{
	for (int lockless = 0; lockless < 2; lockless++)
		for (int serialize = 0; serialize < 2; serialize++) {
			struct hpt_tlbie_policy policy = {lockless, serialize};
			struct tlb_counts c = run(policy, true, true, HPT_TLBIES_MAX);
			uint64_t locks = !lockless || serialize;

			ck_assert_uint_eq(c.locks, locks);
			ck_assert_uint_eq(c.unlocks, locks);
			c = run(policy, false, true, HPT_TLBIES_MAX);
			ck_assert_uint_eq(c.locks | c.unlocks, 0);
		}
}
END_TEST

/* Whatever the switch says by the end. */
START_TEST(who_locked_unlocks)
{
	for (int locked = 0; locked < 2; locked++) {
		struct hpt_tlbie_policy policy = {.lockless = true, .serialize = locked};
		struct hpt_tlbies t;

		hpt_tlbies_begin(&t, &policy, true, true);
		policy.serialize = !locked;
		hpt_tlbies_add(&t);
		hpt_tlbies_end(&t, &power8);
		ck_assert_uint_eq(t.counts.locks, locked);
		ck_assert_uint_eq(t.counts.unlocks, locked);
		ck_assert(!t.locked);
	}
}
END_TEST

START_TEST(faults_of_the_processor_cost_one_tlbie_a_batch_each)
{
	struct tlb_machine faulty = {
		.page_shift = 16, .sets = 256, .erat_bug = true, .stq_bug = true};
	struct hpt_tlbie_policy lockless = {.lockless = true};

	for (int global = 0; global < 2; global++) {
		struct hpt_tlbies t;

		hpt_tlbies_begin(&t, &lockless, global, true);
		hpt_tlbies_add(&t);
		hpt_tlbies_add(&t);
		hpt_tlbies_end(&t, &faulty);
		ck_assert_uint_eq(t.counts.tlbie, global ? 4 : 0);
		ck_assert_uint_eq(t.counts.fixups, global ? 2 : 0);
		ck_assert_uint_eq(t.counts.ptesync, global ? 4 : 2);
	}
}
END_TEST

void hpt_tlbie_tests(TCase *tc)
{
	tcase_add_test(tc, a_batch_is_one_sequence);
	tcase_add_test(tc, a_lock_is_taken_once_a_batch_and_only_for_tlbie);
	tcase_add_test(tc, who_locked_unlocks);
	tcase_add_test(tc, faults_of_the_processor_cost_one_tlbie_a_batch_each);
}
