/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_INTERLEAVE_SCENARIOS_H
#define TESTS_INTERLEAVE_SCENARIOS_H

#include "tests/interleave/world.h"

/* The races of devices/xics/internal.h's LOCKING block; ends with one without a name. */
extern const struct scenario scenarios[];

/* A mutation and the scenario that must find it. */
struct mutant {
	const char *name;
	enum mutation mutation;
	struct scenario scenario;
};
extern const struct mutant mutants[];

#endif
