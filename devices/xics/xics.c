// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING
 *
 * xics->lock protects all state. The set_line callback runs under it, so that
 * a processor's line always follows the presenter's state, in the same order;
 * it must not call back into the model. The lock is a leaf otherwise.
 */
#include "devices/xics/xics.h"

#include <errno.h>
#include <stdlib.h>

/* NULL where the source does not exist; the IPI never does. */
static struct xics_source *source_at(struct xics *xics, uint32_t source)
{
	if (source < xics->first_source || source - xics->first_source >= xics->nr_sources)
		return NULL;
	return &xics->sources[source - xics->first_source];
}

static void update_line(struct xics *xics, uint32_t server)
{
	struct xics_presenter *icp = &xics->presenters[server];
	bool level = icp->xisr != 0;

	if (icp->line == level)
		return;
	icp->line = level;
	xics->ops->set_line(xics->ctx, server, level);
}

/* Make @xisr what the presenter holds; returns what it held, which is rejected now. */
static uint32_t present(struct xics_presenter *icp, uint32_t xisr, uint8_t priority)
{
	uint32_t rejected = icp->xisr;

	icp->xisr = xisr;
	icp->pending_priority = priority;
	return rejected;
}

/*
 * Present a source to its server, or note what it waits for; then the same for the one
 * that it displaces, from the start, since that may have been moved to another server or
 * masked after it was presented. It ends: what is displaced has a less favoured priority,
 * but for one that was changed, and that is looked up again only once.
 */
static void deliver(struct xics *xics, uint32_t source)
{
	struct xics_source *src;

	while ((src = source_at(xics, source))) {
		struct xics_presenter *icp = &xics->presenters[src->server];

		if (src->priority == XICS_MASKED) {
			src->masked_pending = true;
			return;
		}
		if (icp->xisr == source)
			return;
		if (src->priority >= icp->cppr || src->priority >= icp->mfrr ||
		    src->priority >= icp->pending_priority) {
			src->resend = true;
			return;
		}
		source = present(icp, source, src->priority);
		update_line(xics, src->server);
	}
}

static void withdraw(struct xics *xics, struct xics_presenter *icp)
{
	deliver(xics, present(icp, 0, 0xff));
}

static void check_ipi(struct xics *xics, struct xics_presenter *icp)
{
	if (icp->mfrr < icp->cppr && icp->mfrr <= icp->pending_priority && icp->xisr != XICS_IPI)
		deliver(xics, present(icp, XICS_IPI, icp->mfrr));
}

/* The presenter may accept more than before: the IPI first, then sources. */
static void resend(struct xics *xics, uint32_t server)
{
	check_ipi(xics, &xics->presenters[server]);
	for (uint32_t i = 0; i < xics->nr_sources; i++) {
		struct xics_source *src = &xics->sources[i];

		if (src->resend && src->server == server) {
			src->resend = false;
			deliver(xics, xics->first_source + i);
		}
	}
	update_line(xics, server);
}

static void change_cppr(struct xics *xics, uint32_t server, uint8_t cppr)
{
	struct xics_presenter *icp = &xics->presenters[server];

	icp->cppr = cppr;
	if (icp->xisr && icp->pending_priority >= cppr)
		withdraw(xics, icp);
	resend(xics, server);
}

int xics_init(struct xics *xics, uint32_t nr_servers, uint32_t first_source, uint32_t nr_sources,
	      const struct xics_ops *ops, void *ctx)
{
	*xics = (struct xics){
		.presenters = calloc(nr_servers, sizeof(*xics->presenters)),
		.sources = calloc(nr_sources, sizeof(*xics->sources)),
		.nr_servers = nr_servers,
		.first_source = first_source,
		.nr_sources = nr_sources,
		.ops = ops,
		.ctx = ctx,
	};
	pthread_mutex_init(&xics->lock, NULL);
	if (!xics->presenters || !xics->sources) {
		xics_fini(xics);
		return -ENOMEM;
	}
	xics_reset(xics);
	return 0;
}

void xics_fini(struct xics *xics)
{
	free(xics->presenters);
	free(xics->sources);
	pthread_mutex_destroy(&xics->lock);
	*xics = (struct xics){0};
}

void xics_reset(struct xics *xics)
{
	pthread_mutex_lock(&xics->lock);
	for (uint32_t i = 0; i < xics->nr_sources; i++) {
		bool lsi = xics->sources[i].lsi;

		xics->sources[i] = (struct xics_source){
			.priority = XICS_MASKED,
			.saved_priority = XICS_MASKED,
			.lsi = lsi,
			.presented = lsi && xics->sources[i].presented,
		};
		xics->sources[i].masked_pending = xics->sources[i].presented;
	}
	for (uint32_t server = 0; server < xics->nr_servers; server++) {
		struct xics_presenter *icp = &xics->presenters[server];

		icp->cppr = 0;
		icp->mfrr = icp->pending_priority = 0xff;
		icp->xisr = 0;
		update_line(xics, server);
	}
	pthread_mutex_unlock(&xics->lock);
}

void xics_set_lsi(struct xics *xics, uint32_t source, bool lsi)
{
	pthread_mutex_lock(&xics->lock);
	source_at(xics, source)->lsi = lsi;
	pthread_mutex_unlock(&xics->lock);
}

void xics_pulse(struct xics *xics, uint32_t source)
{
	struct xics_source *src;

	pthread_mutex_lock(&xics->lock);
	src = source_at(xics, source);
	if (src->presented) {
		src->queued = true;
	} else {
		src->presented = true;
		deliver(xics, source);
	}
	pthread_mutex_unlock(&xics->lock);
}

void xics_set_level(struct xics *xics, uint32_t source, bool level)
{
	struct xics_source *src;

	pthread_mutex_lock(&xics->lock);
	src = source_at(xics, source);
	if (level && !src->presented)
		deliver(xics, source);
	src->presented = level;
	pthread_mutex_unlock(&xics->lock);
}

uint32_t xics_accept(struct xics *xics, uint32_t server)
{
	struct xics_presenter *icp = &xics->presenters[server];
	uint32_t xirr;

	pthread_mutex_lock(&xics->lock);
	xirr = (uint32_t)icp->cppr << 24 | icp->xisr;
	if (icp->xisr) {
		icp->cppr = icp->pending_priority;
		icp->pending_priority = 0xff;
		icp->xisr = 0;
		update_line(xics, server);
	}
	pthread_mutex_unlock(&xics->lock);
	return xirr;
}

void xics_set_cppr(struct xics *xics, uint32_t server, uint8_t cppr)
{
	pthread_mutex_lock(&xics->lock);
	change_cppr(xics, server, cppr);
	pthread_mutex_unlock(&xics->lock);
}

int xics_eoi(struct xics *xics, uint32_t server, uint32_t xirr)
{
	uint32_t source = XICS_XISR(xirr);
	struct xics_source *src;
	int err = 0;

	pthread_mutex_lock(&xics->lock);
	change_cppr(xics, server, XICS_CPPR(xirr));
	src = source_at(xics, source);
	if (src) {
		if (!src->lsi) {
			src->presented = src->queued;
			src->queued = false;
		}
		if (src->presented)
			deliver(xics, source);
	} else if (source != XICS_IPI) {
		err = -EINVAL;
	}
	pthread_mutex_unlock(&xics->lock);
	return err;
}

int xics_ipi(struct xics *xics, uint32_t server, uint8_t mfrr)
{
	struct xics_presenter *icp;

	if (server >= xics->nr_servers)
		return -EINVAL;
	icp = &xics->presenters[server];

	pthread_mutex_lock(&xics->lock);
	icp->mfrr = mfrr;
	/* An IPI that was not yet accepted has the priority asked for last. */
	if (icp->xisr == XICS_IPI)
		withdraw(xics, icp);
	resend(xics, server);
	pthread_mutex_unlock(&xics->lock);
	return 0;
}

int xics_ipoll(struct xics *xics, uint32_t server, uint32_t *xirr, uint8_t *mfrr)
{
	struct xics_presenter *icp;

	if (server >= xics->nr_servers)
		return -EINVAL;
	icp = &xics->presenters[server];

	pthread_mutex_lock(&xics->lock);
	*xirr = (uint32_t)icp->cppr << 24 | icp->xisr;
	*mfrr = icp->mfrr;
	pthread_mutex_unlock(&xics->lock);
	return 0;
}

/* With the lock held: route a source, and deliver what waited for that. */
static void route(struct xics *xics, uint32_t source, uint32_t server, uint8_t priority)
{
	struct xics_source *src = source_at(xics, source);

	src->server = server;
	src->priority = priority;
	if (priority != XICS_MASKED && (src->masked_pending || src->resend)) {
		src->masked_pending = src->resend = false;
		deliver(xics, source);
	}
}

int xics_set_xive(struct xics *xics, uint32_t source, uint32_t server, uint8_t priority)
{
	struct xics_source *src = source_at(xics, source);

	if (!src || server >= xics->nr_servers)
		return -EINVAL;
	pthread_mutex_lock(&xics->lock);
	src->saved_priority = priority;
	route(xics, source, server, priority);
	pthread_mutex_unlock(&xics->lock);
	return 0;
}

int xics_get_xive(struct xics *xics, uint32_t source, uint32_t *server, uint8_t *priority)
{
	struct xics_source *src = source_at(xics, source);

	if (!src)
		return -EINVAL;
	pthread_mutex_lock(&xics->lock);
	*server = src->server;
	*priority = src->priority;
	pthread_mutex_unlock(&xics->lock);
	return 0;
}

int xics_int_on(struct xics *xics, uint32_t source)
{
	struct xics_source *src = source_at(xics, source);

	if (!src)
		return -EINVAL;
	pthread_mutex_lock(&xics->lock);
	route(xics, source, src->server, src->saved_priority);
	pthread_mutex_unlock(&xics->lock);
	return 0;
}

int xics_int_off(struct xics *xics, uint32_t source)
{
	struct xics_source *src = source_at(xics, source);

	if (!src)
		return -EINVAL;
	pthread_mutex_lock(&xics->lock);
	if (src->priority != XICS_MASKED)
		src->saved_priority = src->priority;
	src->priority = XICS_MASKED;
	pthread_mutex_unlock(&xics->lock);
	return 0;
}
