// SPDX-License-Identifier: GPL-2.0-only
/* What is measured, set up. */
#include <stdlib.h>

#include "tools/bench/xics/bench.h"

static bool line_raise(void *ctx, uint32_t server)
{
	(void)ctx;
	(void)server;
	return false;
}

static void line_lower(void *ctx, uint32_t server)
{
	(void)ctx;
	(void)server;
}

static const struct xics_ops line_ops = {.raise = line_raise, .lower = line_lower};

/* What the variant with the search looks through. */
static uint32_t numbers[XICS_SERVERS_MAX];

struct controller *controller_new(const struct model *model, uint32_t servers, uint32_t end)
{
	struct controller *m = calloc(1, sizeof(*m));
	int err = 0;

	if (!m)
		fail("no memory");
	m->model = model;
	for (uint32_t i = 0; i < servers; i++)
		numbers[i] = i;
	if (model->init(&m->xics, servers, &line_ops, numbers))
		fail("no memory for the model");
	for (uint32_t i = 0; i < servers; i++)
		err |= model->set_cppr(&m->xics, i, 0xff);
	for (uint32_t i = XICS_SOURCE_FIRST; i < end; i++) {
		err |= model->add_source(&m->xics, i, false);
		err |= model->set_xive(&m->xics, i, 0, PRIORITY);
	}
	if (err)
		fail("the model refuses its set-up");
	return m;
}

void controller_free(struct controller *m)
{
	m->model->fini(&m->xics);
	free(m);
}

void cycle_run(void *ctx, unsigned long n)
{
	struct job *job = ctx;
	const struct model *model = job->m->model;
	uint32_t xirr;

	job->done += n;
	while (n--) {
		model->pulse(&job->m->xics, job->source);
		model->accept(&job->m->xics, job->server, &xirr);
		model->eoi(&job->m->xics, job->server, xirr);
	}
}

void cycle_check(const struct job *job)
{
	struct xics_presenter_counters c = {0};

	job->m->model->presenter_counters(&job->m->xics, job->server, &c);
	check_counter("cycle", c.delivered, job->done);
}
