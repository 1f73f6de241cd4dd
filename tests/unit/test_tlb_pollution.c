// SPDX-License-Identifier: GPL-2.0-only
/* mmu/tlb_pollution.c: when a virtual processor may use the TLB as it finds it. */
#include <errno.h>

#include "lib/util.h"
#include "mmu/tlb_pollution.h"
#include "tests/unit/unit.h"

#define CPUS  3
#define LPIDS 3
#define VCPUS 3 /* a partition */

struct host {
	struct tlb_pollution p;
	const struct tlb_vcpu *last[CPUS * LPIDS];
	struct tlb_vcpu vcpus[LPIDS][VCPUS];
};

static void host_init(struct host *h, enum tlb_pollution_policy policy)
{
	*h = (struct host){.p = {policy, CPUS, LPIDS, h->last}};
	for (uint32_t lpid = 0; lpid < LPIDS; lpid++)
		for (uint32_t v = 0; v < VCPUS; v++)
			h->vcpus[lpid][v] = (struct tlb_vcpu){lpid, TLB_NO_CPU};
}

static bool load(struct host *h, uint32_t cpu, uint32_t lpid, uint32_t v)
{
	bool flush = false;

	ck_assert_int_eq(tlb_pollution_load(&h->p, cpu, &h->vcpus[lpid][v], &flush), 0);
	return flush;
}

/* Processor, LPID, virtual processor; a flush with the older policy, with the newer. */
static const struct {
	uint32_t cpu, lpid, vcpu;
	bool of_cpu, of_lpid;
} schedule[] = {
	{0, 1, 0, true, true}, /* the first time */
	{0, 1, 0, false, false}, {0, 2, 0, true, true},
	{0, 1, 0, true, false},				/* another partition ran: no pollution */
	{0, 2, 0, true, false},	 {0, 1, 1, true, true}, /* another one of this partition did */
	{0, 2, 0, true, false},	 {0, 1, 0, true, true},
	{1, 1, 1, true, true},	 {1, 1, 1, false, false},
	{0, 1, 0, false, false}, /* what runs elsewhere does not matter */
	{1, 1, 0, true, true},	 /* moved, */
	{0, 1, 0, true, true},	 /* and back: nobody ran here, but what it has here is old */
};

START_TEST(flushes_are_those_of_the_kernels)
{
	struct host older, newer;

	host_init(&older, TLB_LAST_OF_CPU);
	host_init(&newer, TLB_LAST_OF_LPID);
	for (size_t i = 0; i < ARRAY_SIZE(schedule); i++) {
		uint32_t cpu = schedule[i].cpu, lpid = schedule[i].lpid, v = schedule[i].vcpu;

		ck_assert_msg(load(&older, cpu, lpid, v) == schedule[i].of_cpu, "older, %zu", i);
		ck_assert_msg(load(&newer, cpu, lpid, v) == schedule[i].of_lpid, "newer, %zu", i);
	}
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
	struct tlb_vcpu stray = {LPIDS, TLB_NO_CPU};
	bool flush = false;
	struct host h;

	host_init(&h, TLB_LAST_OF_LPID);
	ck_assert_int_eq(tlb_pollution_load(&h.p, 0, &stray, &flush), -ERANGE);
	ck_assert_int_eq(tlb_pollution_load(&h.p, CPUS, &h.vcpus[0][0], &flush), -ERANGE);
	ck_assert_int_eq(tlb_pollution_load(&h.p, UINT32_MAX, &h.vcpus[0][0], &flush), -ERANGE);
	ck_assert(!flush);
	ck_assert_uint_eq(h.vcpus[0][0].last_cpu, TLB_NO_CPU);
	for (size_t i = 0; i < ARRAY_SIZE(h.last); i++)
		ck_assert_ptr_null(h.last[i]);
	/* The last of each is there. */
	ck_assert(load(&h, CPUS - 1, LPIDS - 1, VCPUS - 1));
}
END_TEST

/* Whose translations a processor holds of a partition, and of when. */
struct contents {
	struct {
		bool any;
		uint32_t vcpu, version;
	} tlb[CPUS][LPIDS];
	uint32_t version[LPIDS][VCPUS]; /* a virtual processor's own, changed as it runs */
};

/* What it would find is another's, or its own of a time before it changed it elsewhere. */
static bool unfit(const struct contents *c, uint32_t cpu, uint32_t lpid, uint32_t v)
{
	return c->tlb[cpu][lpid].any &&
	       (c->tlb[cpu][lpid].vcpu != v || c->tlb[cpu][lpid].version != c->version[lpid][v]);
}

static void use(struct contents *c, uint32_t cpu, uint32_t lpid, uint32_t v)
{
	c->tlb[cpu][lpid].any = true;
	c->tlb[cpu][lpid].vcpu = v;
	c->tlb[cpu][lpid].version = ++c->version[lpid][v];
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)*state * below >> 32);
}

static void check_policy(enum tlb_pollution_policy policy)
{
	uint32_t state = 1, flushes = 0, clean = 0;
	struct contents c = {0};
	struct host h;

	host_init(&h, policy);
	for (int i = 0; i < 100000; i++) {
		uint32_t cpu = draw(&state, CPUS), lpid = draw(&state, LPIDS);
		uint32_t v = draw(&state, 4) ? cpu : draw(&state, VCPUS); /* mostly pinned */
		bool moved = h.vcpus[lpid][v].last_cpu != cpu;
		bool flush = load(&h, cpu, lpid, v);

		ck_assert_msg(flush || !unfit(&c, cpu, lpid, v), "load %d", i);
		/* The newer policy flushes for a reason. */
		if (policy == TLB_LAST_OF_LPID && flush && !moved)
			ck_assert_msg(unfit(&c, cpu, lpid, v), "load %d", i);
		flushes += flush;
		clean += !flush;
		use(&c, cpu, lpid, v);
	}
	ck_assert_uint_gt(flushes, 10000);
	ck_assert_uint_gt(clean, 10000);
}

START_TEST(an_unfit_tlb_is_never_used)
{
	check_policy(TLB_LAST_OF_CPU);
	check_policy(TLB_LAST_OF_LPID);
}
END_TEST

void tlb_pollution_tests(TCase *tc)
{
	tcase_add_test(tc, flushes_are_those_of_the_kernels);
	tcase_add_test(tc, what_is_not_there_is_refused);
	tcase_add_test(tc, an_unfit_tlb_is_never_used);
}
