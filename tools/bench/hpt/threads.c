// SPDX-License-Identifier: GPL-2.0-only
/* Two threads that enter and remove in two groups of one table, which are neighbours. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/util.h"
#include "tools/bench/hpt/bench.h"

void bench_threads(void)
{
	struct table *t = table_new(false, 0);
	void *locked = one_lock_new();
	struct job itself[2] = {job_of(t, 8), job_of(t, 16)};
	struct job other[2] = {one_lock_job(locked, 8), one_lock_job(locked, 16)};
	struct cas_lines *lines[2] = {cas_lines_new(), cas_lines_new()};
	struct contest contests[] = {
		{.name = "threads", .run = pair_run, .ctx = {&itself[0], &itself[1]}},
		{.name = "threads.one-lock", .run = pair_run, .ctx = {&other[0], &other[1]}},
		{.name = "threads.cas", .run = cas_run, .ctx = {lines[0], lines[1]}},
	};

	if (allowed_cpu(1) < 0) {
		fprintf(stderr, "bench: hpt: one CPU only: no figures of two threads\n");
	} else {
		contests_run(contests, ARRAY_SIZE(contests));
		contests_print(contests, ARRAY_SIZE(contests));
	}
	for (size_t i = 0; i < 2; i++)
		free(lines[i]);
	one_lock_free(locked);
	table_free(t);
}
