// SPDX-License-Identifier: GPL-2.0-only
/* The presenter's side: what a processor asks, and its line (LOCKING: internal.h). */
#include <errno.h>

#include "devices/xics/internal.h"

void raise_line(struct xics *xics, uint32_t server)
{
	struct xics_presenter *icp = &xics->presenters[server];

	xics_check_free();
	xics_step();
	if (xics->ops->raise(xics->ctx, server))
		count_shared(&icp->kicks);
	xics_step();
	atomic_fetch_add_explicit(&icp->raised, 1, memory_order_release);
}

static uint64_t times_raised(struct xics_presenter *icp)
{
	xics_step();
	return atomic_load_explicit(&icp->raised, memory_order_acquire);
}

/* On the processor's own thread. */
void lower_line(struct xics *xics, uint32_t server)
{
	struct xics_presenter *icp = &xics->presenters[server];

	icp->raised_seen = times_raised(icp);
	xics_step();
	xics->ops->lower(xics->ctx, server);
	count_alone(&icp->lowered);
}

/* The transitions that take one value. */
typedef struct icp_change transition(uint64_t old, uint8_t value);

static struct icp_change accept(uint64_t old, uint8_t unused)
{
	(void)unused;
	return icp_accept(old);
}

/*
 * Apply a transition, on the processor's own thread if @own, and let the line follow.
 * @lowered says that the caller has lowered it already. The word before in @before.
 */
static inline __attribute__((always_inline)) struct icp_change
update(struct xics *xics, uint32_t server, bool own, bool lowered, transition *apply, uint8_t value,
       uint64_t *before)
{
	struct xics_presenter *icp = &xics->presenters[server];
	uint64_t old = presenter_look(icp);
	struct icp_change c;

	for (;;) {
		c = apply(old, value);
		if (own && !lowered && icp_output(old) && !icp_output(c.word)) {
			lower_line(xics, server);
			lowered = true;
			old = presenter_look(icp);
			continue;
		}
		if (c.word == old || presenter_swap(icp, &old, c.word))
			break;
	}
	if (icp_output(c.word) && (lowered || !icp_output(old)))
		raise_line(xics, server);
	*before = old;
	return c;
}

/* What a change leaves to do, with no lock held. */
static void follow(struct xics *xics, uint32_t server, const struct icp_change *c)
{
	if (c->rejected) {
		count_shared(&xics->presenters[server].rejected);
		redeliver(xics, c->rejected);
	}
	if (c->resend)
		resend(xics, server);
}

int xics_accept(struct xics *xics, uint32_t server, uint32_t *xirr)
{
	struct xics_presenter *icp = presenter_at(xics, server);
	bool lowered = false;
	uint64_t old;

	if (unlikely(!icp))
		return -EINVAL;
	/* Nothing pending but the line is up: it came late, or for an IPI that is no more. */
	if (unlikely(!icp_output(presenter_look(icp)) && times_raised(icp) != icp->raised_seen)) {
		lower_line(xics, server);
		lowered = true;
	}
	update(xics, server, true, lowered, accept, 0, &old);
	*xirr = icp_xirr(old);
	if (likely(icp_output(old)))
		count_alone(&icp->delivered);
	if (icp_xisr(old) == XICS_IPI)
		count_alone(&icp->ipis);
	return 0;
}

int xics_set_cppr(struct xics *xics, uint32_t server, uint8_t cppr)
{
	struct icp_change c;
	uint64_t old;

	if (unlikely(!presenter_at(xics, server)))
		return -EINVAL;
	c = update(xics, server, true, false, icp_set_cppr, cppr, &old);
	follow(xics, server, &c);
	return 0;
}

int xics_eoi(struct xics *xics, uint32_t server, uint32_t xirr)
{
	uint32_t source = XICS_XISR(xirr);
	int err = xics_set_cppr(xics, server, XICS_CPPR(xirr));

	if (unlikely(err) || source == XICS_IPI)
		return err;
	return source_eoi(xics, source);
}

int xics_ipi(struct xics *xics, uint32_t self, uint32_t server, uint8_t mfrr)
{
	struct icp_change c;
	uint64_t old;

	if (unlikely(!presenter_at(xics, server)))
		return -EINVAL;
	c = update(xics, server, self == server, false, icp_set_mfrr, mfrr, &old);
	follow(xics, server, &c);
	return 0;
}

int xics_ipoll(struct xics *xics, uint32_t server, uint32_t *xirr, uint8_t *mfrr)
{
	struct xics_presenter *icp = presenter_at(xics, server);
	uint64_t word;

	if (unlikely(!icp))
		return -EINVAL;
	word = presenter_look(icp);
	*xirr = icp_xirr(word);
	*mfrr = icp_mfrr(word);
	return 0;
}
