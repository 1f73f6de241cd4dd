/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page frame table calls of a machine beside those of the naive model: whatever a
 * guest calls, both answer the same and have the same table then. For random calls and
 * for the fuzzer, who differ in where choices come from.
 */
#ifndef TESTS_UNIT_HPT_PAIR_H
#define TESTS_UNIT_HPT_PAIR_H

#include "tests/unit/fake.h"
#include "tests/unit/hpt_hw.h"
#include "tests/unit/hpt_naive.h"

#define PAIR_ORDER HPT_ORDER_MIN

struct hpt_pair {
	struct fake fake;
	struct hpt_hw hw; /* no entries if the model has no backing */
	struct hpt_naive naive;
	unsigned int ok, refused, failed; /* calls: H_SUCCESS, H_HARDWARE, other codes */
	char text[256];			  /* of a fault */
};

/* False if there is no memory. */
bool pair_init(struct hpt_pair *pair, bool backed);
void pair_fini(struct hpt_pair *pair);
/* As it was made, but for the counters. */
void pair_reset(struct hpt_pair *pair);

/* A number below @below, which is at most 2^16. */
typedef uint32_t pair_draw(void *ctx, uint32_t below);

/*
 * Make a call with drawn arguments, after hardware and the backing did what was drawn.
 * What differs, or NULL. The tables are left to pair_compare().
 */
const char *pair_step(struct hpt_pair *pair, pair_draw *draw, void *ctx);
const char *pair_compare(struct hpt_pair *pair);

#endif
