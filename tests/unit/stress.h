/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests with several threads share. */
#ifndef TESTS_UNIT_STRESS_H
#define TESTS_UNIT_STRESS_H

#include <stdint.h>
#include <time.h>

#include "tests/unit/unit.h"

static inline uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* xorshift: each thread has its own. */
static inline uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* test_xics_stress.c, test_hpt_stress.c, test_park_stress.c: of the area "stress", too. */
void xics_stress_tests(TCase *tc);
void hpt_stress_tests(TCase *tc);
void park_stress_tests(TCase *tc);

#endif
