// SPDX-License-Identifier: GPL-2.0-only
/* Two threads, each with a source and a server of its own; the sources are neighbours. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/util.h"
#include "tools/bench/xics/bench.h"

/* The jobs of two threads, with two sources that are neighbours. */
static void jobs_set(struct job jobs[2], const struct model *model)
{
	struct controller *c = controller_new(model, 2, XICS_BLOCK);

	for (uint32_t i = 0; i < 2; i++) {
		jobs[i] = (struct job){.m = c, .server = i, .source = XICS_BLOCK / 2 + i};
		model->set_xive(&c->xics, jobs[i].source, i, PRIORITY);
	}
}

void bench_threads(void)
{
	struct job itself[2], locked[2];
	struct cas_lines *lines[2] = {cas_lines_new(), cas_lines_new()};
	struct contest contests[] = {
		{.name = "threads", .run = cycle_run, .ctx = {&itself[0], &itself[1]}},
		{.name = "threads.block-lock", .run = cycle_run, .ctx = {&locked[0], &locked[1]}},
		{.name = "threads.cas", .run = cas_run, .ctx = {lines[0], lines[1]}},
	};

	if (allowed_cpu(1) < 0) {
		fprintf(stderr, "bench: xics: one CPU only: no figures of two threads\n");
		return;
	}
	jobs_set(itself, &model_itself);
	jobs_set(locked, &model_block_lock);
	contests_run(contests, ARRAY_SIZE(contests));
	contests_print(contests, ARRAY_SIZE(contests));
	for (size_t i = 0; i < 2; i++) {
		cycle_check(&itself[i]);
		cycle_check(&locked[i]);
		free(lines[i]);
	}
	controller_free(itself[0].m);
	controller_free(locked[0].m);
}
