// SPDX-License-Identifier: GPL-2.0-only
/* What one thread does: an MSI's cycle, a resend, looking a server up. */
#include <stdio.h>

#include "lib/util.h"
#include "tools/bench/xics/bench.h"

void bench_cycle(void)
{
	struct job job = {.m = controller_new(&model_itself, 1, XICS_BLOCK),
			  .source = XICS_BLOCK - 1};
	struct subject subject = {.name = "cycle", .run = cycle_run, .ctx = &job};

	compare(&subject, 1);
	printf("cycle.cas %d\n", CAS_A_CYCLE);
	cycle_check(&job);
	controller_free(job.m);
}

/* The presenter closes, which rejects the source, and opens, which resends it. */
static void run_resend(void *ctx, unsigned long n)
{
	struct job *job = ctx;
	const struct model *model = job->m->model;

	job->done += n;
	while (n--) {
		model->set_cppr(&job->m->xics, job->server, 0);
		model->set_cppr(&job->m->xics, job->server, 0xff);
	}
}

static uint64_t resent(const struct job *job)
{
	struct xics_source_counters c = {0};

	job->m->model->source_counters(&job->m->xics, job->source, &c);
	return c.resent;
}

/* The last of the sources waits, all others are silent. */
void bench_resend(void)
{
	static const uint32_t ends[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20};
	const struct model *models[] = {&model_itself, &model_byte_scan};
	const char *const names[] = {"resend", "resend.byte-scan"};
	struct subject subjects[2 * ARRAY_SIZE(ends)];
	struct job jobs[ARRAY_SIZE(subjects)];

	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++) {
		uint32_t end = ends[i / 2];
		struct job *job = &jobs[i];

		*job = (struct job){.m = controller_new(models[i % 2], 1, end), .source = end - 1};
		job->m->model->pulse(&job->m->xics, job->source);
		subjects[i] = (struct subject){.run = run_resend, .ctx = job};
		snprintf(subjects[i].name, sizeof(subjects[i].name), "%s.%u", names[i % 2], end);
	}
	compare(subjects, ARRAY_SIZE(subjects));
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++) {
		check_counter(subjects[i].name, resent(&jobs[i]), jobs[i].done);
		controller_free(jobs[i].m);
	}
}

static void run_ipoll(void *ctx, unsigned long n)
{
	struct job *job = ctx;
	uint32_t xirr;
	uint8_t mfrr;

	while (n--)
		job->m->model->ipoll(&job->m->xics, job->server, &xirr, &mfrr);
}

/* H_IPOLL of the last server: but for finding it, it is a load. */
void bench_lookup(void)
{
	static const uint32_t servers[] = {1, 4, 16, 64, 256, 1024, 4096};
	const struct model *models[] = {&model_itself, &model_linear_search};
	const char *const names[] = {"lookup", "lookup.linear-search"};
	struct subject subjects[2 * ARRAY_SIZE(servers)];
	struct job jobs[ARRAY_SIZE(subjects)];

	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++) {
		uint32_t n = servers[i / 2];

		jobs[i] = (struct job){.m = controller_new(models[i % 2], n, 0), .server = n - 1};
		subjects[i] = (struct subject){.run = run_ipoll, .ctx = &jobs[i]};
		snprintf(subjects[i].name, sizeof(subjects[i].name), "%s.%u", names[i % 2], n);
	}
	compare(subjects, ARRAY_SIZE(subjects));
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		controller_free(jobs[i].m);
}
