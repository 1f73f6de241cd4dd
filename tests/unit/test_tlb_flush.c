// SPDX-License-Identifier: GPL-2.0-only
/* mmu/tlb_flush.c: what is flushed, how, and that nothing stale is left. */
#include <errno.h>
#include <string.h>

#include "lib/util.h"
#include "mmu/tlb_flush.h"
#include "tests/unit/unit.h"

static const struct tlb_machine power9 = {.page_shift = 16, .sets = 128, .thp = true, .gtse = true};

#define BASE GIB(64) /* where ranges begin: at a border of 2 MiB */

static struct tlb_plan plan_of(const char *policy, const struct tlb_machine *machine,
			       const struct tlb_flush *flush)
{
	struct tlb_plan plan;

	ck_assert_int_eq(tlb_flush_plan(tlb_policy_find(policy), machine, flush, &plan), 0);
	return plan;
}

/* Instructions and barriers of flushes of pages of 64 KiB, by hand from the kernels' sources. */
static const struct golden {
	const char *policy;
	enum tlb_flush_kind kind;
	bool local, tables;
	uint64_t pages;
	uint64_t instructions, ptesync, tlbsync, slbia;
	enum tlb_ric ric; /* of a PID; unless by_address */
	bool by_address;
} golden[] = {
#define GATHER TLB_FLUSH_GATHER
#define RANGE  TLB_FLUSH_RANGE
	/* munmap of a few pages: barriers around each, then around all. */
	{"before", GATHER, true, false, 30, 30, 60, 0, 0, RIC_TLB, true},
	{"before", GATHER, false, false, 30, 30, 60, 30, 0, RIC_TLB, true},
	{"barriers", GATHER, true, false, 30, 30, 2, 0, 0, RIC_TLB, true},
	{"barriers", GATHER, false, false, 30, 30, 2, 1, 0, RIC_TLB, true},
	{"linux-6.12", GATHER, true, false, 30, 30, 2, 0, 0, RIC_TLB, true},
	{"linux-6.12", GATHER, false, false, 30, 30, 2, 1, 0, RIC_TLB, true},
	/* mprotect: the PID, then addresses up to one ceiling, then up to two. */
	{"before", RANGE, true, false, 1, 128, 2, 0, 1, RIC_TLB, false},
	{"before", RANGE, false, false, 1, 1, 2, 1, 0, RIC_TLB, false},
	{"ranges", RANGE, true, false, 1, 1, 2, 0, 0, RIC_TLB, true},
	{"ranges", RANGE, false, false, 1, 1, 2, 1, 0, RIC_TLB, true},
	/* 32 pages are a page of 2 MiB too. */
	{"ranges", RANGE, true, false, 31, 31, 2, 0, 0, RIC_TLB, true},
	{"ranges", RANGE, true, false, 32, 33, 2, 0, 0, RIC_TLB, true},
	{"ranges", RANGE, true, false, 33, 34, 2, 0, 0, RIC_TLB, true},
	{"ranges", RANGE, true, false, 34, 128, 2, 0, 1, RIC_TLB, false},
	{"ranges", RANGE, false, false, 33, 34, 2, 1, 0, RIC_TLB, true},
	{"ranges", RANGE, false, false, 34, 1, 2, 1, 0, RIC_TLB, false},
	{"ceilings", RANGE, true, false, 34, 35, 2, 0, 0, RIC_TLB, true},
	{"ceilings", RANGE, true, false, 256, 264, 2, 0, 0, RIC_TLB, true},
	{"ceilings", RANGE, true, false, 257, 128, 2, 0, 1, RIC_TLB, false},
	{"ceilings", RANGE, false, false, 34, 1, 2, 1, 0, RIC_TLB, false},
	/* 6.12 moves page tables with mremap: the walk cache too, from 2 MiB on. */
	{"linux-6.12", RANGE, true, false, 31, 31, 2, 0, 0, RIC_TLB, true},
	{"linux-6.12", RANGE, true, false, 32, 34, 2, 0, 0, RIC_PWC, true},
	{"linux-6.12", RANGE, false, false, 33, 35, 2, 1, 0, RIC_PWC, true},
	{"linux-6.12", RANGE, false, false, 34, 1, 2, 1, 0, RIC_ALL, false},
	{"linux-6.12", RANGE, true, false, 257, 128, 2, 0, 1, RIC_ALL, false},
	/* munmap that frees page tables: everything, then addresses and the walk cache. */
	{"before", GATHER, true, true, 1, 128, 2, 0, 1, RIC_ALL, false},
	{"before", GATHER, false, true, 1, 1, 2, 1, 0, RIC_ALL, false},
	{"ceilings", GATHER, false, true, 1, 1, 2, 1, 0, RIC_ALL, false},
	{"after", GATHER, true, true, 1, 2, 2, 0, 0, RIC_PWC, true},
	{"after", GATHER, false, true, 1, 2, 2, 1, 0, RIC_PWC, true},
	{"after", GATHER, true, true, 64, 65, 2, 0, 0, RIC_PWC, true},
	{"after", GATHER, false, true, 33, 34, 2, 1, 0, RIC_PWC, true},
	{"after", GATHER, false, true, 34, 1, 2, 1, 0, RIC_ALL, false},
	{"linux-6.12", GATHER, true, true, 256, 257, 2, 0, 0, RIC_PWC, true},
	{"linux-6.12", GATHER, true, true, 257, 128, 2, 0, 1, RIC_ALL, false},
	{"linux-6.12", GATHER, true, false, 257, 128, 2, 0, 1, RIC_TLB, false},
	/* The last flush of a process. */
	{"before", TLB_FLUSH_EXIT, true, false, 0, 128, 2, 0, 1, RIC_TLB, false},
	{"before", TLB_FLUSH_EXIT, false, true, 0, 1, 2, 1, 0, RIC_ALL, false},
	{"after", TLB_FLUSH_EXIT, true, false, 0, 128, 2, 0, 1, RIC_ALL, false},
	{"linux-6.12", TLB_FLUSH_EXIT, false, false, 0, 1, 2, 1, 0, RIC_ALL, false},
};

START_TEST(counts_are_those_of_the_kernels)
{
	for (size_t i = 0; i < ARRAY_SIZE(golden); i++) {
		const struct golden *g = &golden[i];
		struct tlb_flush flush = {g->kind, BASE,     BASE + (g->pages << 16),
					  16,	   g->local, g->tables};
		struct tlb_plan plan = plan_of(g->policy, &power9, &flush);
		struct tlb_counts want = {.tlbie = g->local ? 0 : g->instructions,
					  .tlbiel = g->local ? g->instructions : 0,
					  .ptesync = g->ptesync,
					  .tlbsync = g->tlbsync,
					  .slbia = g->slbia};
		bool old_exit = g->kind == TLB_FLUSH_EXIT && !strcmp(g->policy, "before");

		ck_assert_msg(!memcmp(&plan.counts, &want, sizeof(want)), "row %zu: counts", i);
		ck_assert_msg(plan.steps[0].ric == g->ric, "row %zu: RIC", i);
		ck_assert_msg(plan.steps[plan.nr_steps - 1].pid == !g->by_address, "row %zu: PID",
			      i);
		ck_assert_msg(plan.clears_first == (g->kind == TLB_FLUSH_EXIT && !old_exit),
			      "row %zu: process table entry", i);
	}
}
END_TEST

START_TEST(ceilings_are_the_policy_s)
{
	struct tlb_policy policy = *tlb_policy_find("linux-6.12");
	struct tlb_flush flush = {TLB_FLUSH_GATHER, BASE, BASE + KIB(64) * 5, 16, false, false};
	struct tlb_plan plan;

	policy.ceiling_global = 5;
	policy.ceiling_local = 4;
	ck_assert_int_eq(tlb_flush_plan(&policy, &power9, &flush, &plan), 0);
	ck_assert(!plan.steps[0].pid);
	flush.local = true;
	ck_assert_int_eq(tlb_flush_plan(&policy, &power9, &flush, &plan), 0);
	ck_assert(plan.steps[0].pid);
	policy.ceiling_global = 0;
	flush.local = false;
	ck_assert_int_eq(tlb_flush_plan(&policy, &power9, &flush, &plan), 0);
	ck_assert(plan.steps[0].pid);
}
END_TEST

/* With both faults: two more tlbies and ptesyncs a run, none of tlbiel or the walk cache. */
START_TEST(faults_of_the_processor_cost_more_tlbies)
{
	struct tlb_machine faulty = power9, other = power9;
	struct tlb_flush flush = {TLB_FLUSH_RANGE, BASE, BASE + MIB(2), 16, false, false};
	struct tlb_plan plan;

	faulty.erat_bug = faulty.stq_bug = true;
	plan = plan_of("linux-6.12", &faulty, &flush); /* PWC, 32 pages, one of 2 MiB */
	ck_assert_uint_eq(plan.counts.fixups, 4);
	ck_assert_uint_eq(plan.counts.tlbie, 34 + 4);
	ck_assert_uint_eq(plan.counts.ptesync, 2 + 4);

	other.erat_bug = true;
	flush.kind = TLB_FLUSH_EXIT;
	plan = plan_of("linux-6.12", &other, &flush);
	ck_assert_uint_eq(plan.counts.tlbie, 1 + 1);
	ck_assert_uint_eq(plan.counts.ptesync, 2 + 1);

	flush = (struct tlb_flush){TLB_FLUSH_GATHER, BASE, BASE + MIB(1), 16, false, false};
	plan = plan_of("before", &faulty, &flush); /* 16 times 3 and 4 */
	ck_assert_uint_eq(plan.counts.tlbie, 48);
	ck_assert_uint_eq(plan.counts.ptesync, 64);
	ck_assert_uint_eq(plan.counts.tlbsync, 16);

	flush.local = true;
	plan = plan_of("linux-6.12", &faulty, &flush);
	ck_assert_uint_eq(plan.counts.fixups, 0);
	ck_assert_uint_eq(plan.counts.tlbiel, 16);
}
END_TEST

START_TEST(pages_of_2_mib_are_those_that_are_all_in_the_range)
{
	static const struct {
		uint64_t offset, pages, huge, first;
	} known[] = {{0, 31, 0, 0}, {0, 32, 1, 0}, {1, 32, 0, 0}, {31, 2, 0, 0}, {31, 33, 1, 1}};
	struct tlb_machine small = power9;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		uint64_t start = BASE + (known[i].offset << 16);
		struct tlb_flush flush = {TLB_FLUSH_RANGE, start, start + (known[i].pages << 16), 0,
					  false,	   false};
		struct tlb_plan plan = plan_of("after", &power9, &flush);
		const struct tlb_step *last = &plan.steps[plan.nr_steps - 1];

		ck_assert_uint_eq(plan.nr_steps, known[i].huge ? 2 : 1);
		ck_assert_uint_eq(last->page_shift, known[i].huge ? 21 : 16);
		if (known[i].huge) {
			ck_assert_uint_eq(last->count, known[i].huge);
			ck_assert_uint_eq(last->start, BASE + MIB(2) * known[i].first);
		}
	}
	/* No such pages, no second run. */
	small.thp = false;
	ck_assert_uint_eq(
		plan_of("after", &small,
			&(struct tlb_flush){TLB_FLUSH_RANGE, BASE, BASE + MIB(2), 0, false, false})
			.nr_steps,
		1);
}
END_TEST

START_TEST(pages_of_other_sizes)
{
	struct tlb_flush flush = {TLB_FLUSH_GATHER, BASE, BASE + GIB(1), TLB_SHIFT_2M, true, false};
	struct tlb_plan plan = plan_of("linux-6.12", &power9, &flush);
	struct tlb_machine power10 = power9, small = power9;

	ck_assert_uint_eq(plan.steps[0].pid, true); /* 512 are more than 256 */
	flush.end = BASE + MIB(512);
	plan = plan_of("linux-6.12", &power9, &flush);
	ck_assert_uint_eq(plan.counts.tlbiel, 256);
	flush.page_shift = TLB_SHIFT_1G;
	flush.end = BASE + GIB(3);
	plan = plan_of("linux-6.12", &power9, &flush);
	ck_assert_uint_eq(plan.counts.tlbiel, 3);
	/* A size that no tree has here: all of the PID. */
	flush.page_shift = 24;
	plan = plan_of("linux-6.12", &power9, &flush);
	ck_assert(plan.steps[0].pid && plan.steps[0].ric == RIC_TLB);
	flush.freed_tables = true;
	plan = plan_of("linux-6.12", &power9, &flush);
	ck_assert(plan.steps[0].pid && plan.steps[0].ric == RIC_ALL);
	/* POWER10 has one tlbiel for all sets. */
	power10.sets = 1;
	plan = plan_of("linux-6.12", &power10, &flush);
	ck_assert_uint_eq(plan.counts.tlbiel, 1);
	/* Base pages of 4 KiB are 16 times as many. */
	small.page_shift = 12;
	flush = (struct tlb_flush){TLB_FLUSH_GATHER, BASE, BASE + KIB(128), 12, false, false};
	plan = plan_of("linux-6.12", &small, &flush);
	ck_assert_uint_eq(plan.counts.tlbie, 32);
}
END_TEST

START_TEST(without_gtse_a_hypervisor_flushes)
{
	struct tlb_machine guest = power9;
	struct tlb_flush flush = {TLB_FLUSH_RANGE, BASE, BASE + MIB(2), 16, false, false};
	struct tlb_plan plan;

	guest.gtse = false;
	/* Walk cache, 32 pages, one of 2 MiB: each between barriers of its own. */
	plan = plan_of("linux-6.12", &guest, &flush);
	ck_assert_uint_eq(plan.counts.hcalls, 1);
	ck_assert_uint_eq(plan.counts.tlbie, 34);
	ck_assert_uint_eq(plan.counts.ptesync, 6);
	ck_assert_uint_eq(plan.counts.tlbsync, 3);
	/* From where the range begins: two steps of 2 MiB to reach the page that is in it. */
	flush.start = BASE + MIB(2) - KIB(64);
	flush.end = BASE + MIB(4);
	plan = plan_of("linux-6.12", &guest, &flush);
	ck_assert_uint_eq(plan.steps[2].page_shift, TLB_SHIFT_2M);
	ck_assert_uint_eq(plan.steps[2].count, 2);
	flush.start = BASE;
	flush.end = BASE + MIB(2);
	/* Locally tlbiel does. */
	flush.local = true;
	plan = plan_of("linux-6.12", &guest, &flush);
	ck_assert_uint_eq(plan.counts.hcalls, 0);
	ck_assert_uint_eq(plan.counts.tlbiel, 34);
	/* Page tables freed above the ceiling: two sequences instead of one RIC=2. */
	flush = (struct tlb_flush){TLB_FLUSH_GATHER, BASE, BASE + MIB(4), 16, false, true};
	plan = plan_of("linux-6.12", &guest, &flush);
	ck_assert_uint_eq(plan.counts.tlbie, 2);
	ck_assert_uint_eq(plan.counts.ptesync, 4);
	ck_assert_int_eq(plan.steps[0].ric, RIC_PWC);
	ck_assert_int_eq(plan.steps[1].ric, RIC_TLB);
	flush.kind = TLB_FLUSH_EXIT;
	plan = plan_of("linux-6.12", &guest, &flush);
	ck_assert_uint_eq(plan.counts.hcalls, 1);
	ck_assert_uint_eq(plan.counts.tlbie, 1);
	ck_assert_int_eq(plan.steps[0].ric, RIC_ALL);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
	const struct tlb_policy *policy = tlb_policy_find("after");
	static const struct tlb_flush bad[] = {
		{TLB_FLUSH_RANGE, BASE, BASE, 16, false, false},
		{TLB_FLUSH_RANGE, BASE + MIB(2), BASE, 16, false, false},
		{TLB_FLUSH_RANGE, BASE + 1, BASE + MIB(2), 16, false, false},
		{TLB_FLUSH_GATHER, BASE, BASE + KIB(64) - 1, 16, false, false},
		{TLB_FLUSH_GATHER, BASE, (1ull << 52) + KIB(64), 16, false, false},
		{TLB_FLUSH_GATHER, BASE, UINT64_MAX & ~0xffffull, 16, false, false},
		{(enum tlb_flush_kind)3, BASE, BASE + MIB(2), 16, false, false},
	};
	struct tlb_flush good = {TLB_FLUSH_RANGE, 0, 1ull << 52, 16, false, false};
	struct tlb_machine machine = power9;
	struct tlb_plan plan;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(tlb_flush_plan(policy, &power9, &bad[i], &plan) == -EINVAL, "%zu", i);
	ck_assert_int_eq(tlb_flush_plan(policy, &power9, &good, &plan), 0);
	machine.page_shift = 13;
	ck_assert_int_eq(tlb_flush_plan(policy, &machine, &good, &plan), -EINVAL);
	machine = power9;
	machine.sets = 0;
	ck_assert_int_eq(tlb_flush_plan(policy, &machine, &good, &plan), -EINVAL);
	ck_assert_ptr_null(tlb_policy_find("never"));
	ck_assert_ptr_null(tlb_policy_nth(6));
}
END_TEST

void tlb_flush_tests(TCase *tc)
{
	tcase_add_test(tc, counts_are_those_of_the_kernels);
	tcase_add_test(tc, ceilings_are_the_policy_s);
	tcase_add_test(tc, faults_of_the_processor_cost_more_tlbies);
	tcase_add_test(tc, pages_of_2_mib_are_those_that_are_all_in_the_range);
	tcase_add_test(tc, pages_of_other_sizes);
	tcase_add_test(tc, without_gtse_a_hypervisor_flushes);
	tcase_add_test(tc, what_cannot_be_is_refused);
}
