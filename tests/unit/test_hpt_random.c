// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random page frame table calls, with valid, edge and rubbish arguments, of a machine
 * and of the naive model: the same answers, and after each the same tables.
 */
#include "tests/unit/hpt_pair.h"
#include "tests/unit/unit.h"

#define SEEDS 5
#define CALLS 2000 /* a seed */

static uint32_t draw(void *ctx, uint32_t below)
{
	uint32_t *state = ctx;

	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)*state * below >> 32);
}

static void run(bool backed, uint32_t seed)
{
	static struct hpt_pair pair;
	uint32_t state = seed;

	ck_assert(pair_init(&pair, backed));
	for (unsigned int i = 0; i < CALLS; i++) {
		const char *fault = pair_step(&pair, draw, &state);

		if (!fault)
			fault = pair_compare(&pair);
		ck_assert_msg(!fault, "seed %u, call %u: %s", seed, i, fault);
	}
	/* It was not all refused, and not all went well. */
	ck_assert_uint_gt(pair.ok, CALLS / 4);
	ck_assert_uint_gt(pair.refused, CALLS / 4);
	if (backed)
		ck_assert_uint_gt(pair.failed, CALLS / 100);
	else
		ck_assert_uint_eq(pair.failed, 0);
	pair_fini(&pair);
}

START_TEST(a_table_by_itself_is_as_the_naive_model)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++)
		run(false, seed);
}
END_TEST

START_TEST(a_table_with_a_backing_is_as_the_naive_model)
{
	for (uint32_t seed = 101; seed <= 100 + SEEDS; seed++)
		run(true, seed);
}
END_TEST

void hpt_random_tests(TCase *tc)
{
	tcase_add_test(tc, a_table_by_itself_is_as_the_naive_model);
	tcase_add_test(tc, a_table_with_a_backing_is_as_the_naive_model);
}
