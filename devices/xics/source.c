// SPDX-License-Identifier: GPL-2.0-only
/* The source's side: devices, routing, masks, and delivery (LOCKING: internal.h). */
#include <errno.h>

#include "devices/xics/internal.h"

static uint8_t priority_of(uint64_t word)
{
	return (word & SOURCE_MASKED) ? XICS_MASKED : (uint8_t)(word >> SOURCE_PRIORITY_SHIFT);
}

/* Offer it; the line follows when the lock is gone. False: the presenter refused. */
static bool offer(struct xics_presenter *icp, uint32_t source, uint8_t priority,
		  struct icp_change *c, uint64_t *old)
{
	bool taken;

	*old = presenter_look(icp);
	do {
		taken = icp_present(c, *old, source, priority);
	} while (c->word != *old && !presenter_swap(icp, old, c->word));
	return taken;
}

uint32_t source_send(struct xics *xics, struct xics_source *s, uint32_t source, uint64_t word)
{
	uint32_t server = (uint32_t)(word & SOURCE_SERVER);
	struct xics_presenter *icp = &xics->presenters[server];
	uint8_t priority = priority_of(word);
	struct icp_change c;
	uint64_t old, now;

	if ((word & (SOURCE_LSI | SOURCE_ASSERTED)) == SOURCE_LSI) {
		/* It fell while it was presented, and was rejected. */
		source_unlock(s, word & ~SOURCE_PRESENTED);
		return XICS_NONE;
	}
	word |= SOURCE_PRESENTED;
	if (priority == XICS_MASKED) {
		source_unlock(s, word | SOURCE_PENDING);
		return XICS_NONE;
	}
	while (!offer(icp, source, priority, &c, &old)) {
		source_set_waiting(xics, icp, source);
		now = presenter_look(icp);
		if ((now & ICP_NEED_RESEND) && !icp_would_take(now, priority)) {
			source_unlock(s, word);
			return XICS_NONE;
		}
		/* Whoever made it receptive may have looked before the bits were there. */
		source_clear_waiting(xics, source);
	}
	count_alone(&s->delivered);
	source_unlock(s, word);
	if (!icp_output(old))
		raise_line(xics, server);
	if (c.rejected)
		count_shared(&icp->rejected);
	return c.rejected;
}

/*
 * It ends: what is rejected has a less favoured priority than what rejected it, but for
 * one whose priority was changed, and that is looked up again.
 */
void redeliver(struct xics *xics, uint32_t source)
{
	while (source != XICS_NONE) {
		struct xics_source *s = source_at(xics, source);
		uint64_t word;

		if (unlikely(!s))
			return; /* a state was loaded that named it before it existed */
		word = source_lock(s);
		count_alone(&s->rejected);
		source = source_send(xics, s, source, word);
	}
}

int source_eoi(struct xics *xics, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word, again;

	if (!s)
		return -EINVAL;
	word = source_lock(s);
	if (unlikely(source_waits(xics, source) || (word & SOURCE_PENDING))) {
		/* It is not in service, whatever the guest says. */
		source_unlock(s, word);
		return 0;
	}
	again = word & ((word & SOURCE_LSI) ? SOURCE_ASSERTED : SOURCE_QUEUED);
	word &= ~(SOURCE_PRESENTED | SOURCE_QUEUED);
	if (again)
		redeliver(xics, source_send(xics, s, source, word));
	else
		source_unlock(s, word);
	return 0;
}

/* With the source locked: its route or mask changed, so what waited is sent anew. */
static void reroute(struct xics *xics, struct xics_source *s, uint32_t source, uint64_t word)
{
	bool waits = source_waits(xics, source);

	if (!waits && !(word & SOURCE_PENDING)) {
		source_unlock(s, word);
		return;
	}
	if (waits)
		source_clear_waiting(xics, source);
	redeliver(xics, source_send(xics, s, source, word & ~SOURCE_PENDING));
}

int xics_pulse(struct xics *xics, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (unlikely(!s))
		return -EINVAL;
	word = source_lock(s);
	if (unlikely(word & SOURCE_LSI)) {
		source_unlock(s, word);
		return -EINVAL;
	}
	if (word & SOURCE_PRESENTED) {
		if (word & SOURCE_QUEUED)
			count_alone(&s->coalesced);
		source_unlock(s, word | SOURCE_QUEUED);
	} else {
		redeliver(xics, source_send(xics, s, source, word));
	}
	return 0;
}

/* With the source locked: the level fell. What was not yet presented is not wanted now. */
static uint64_t deassert(struct xics *xics, uint32_t source, uint64_t word)
{
	word &= ~SOURCE_ASSERTED;
	if (source_waits(xics, source)) {
		source_clear_waiting(xics, source);
		word &= ~SOURCE_PRESENTED;
	}
	if (word & SOURCE_PENDING)
		word &= ~(SOURCE_PENDING | SOURCE_PRESENTED);
	return word;
}

int xics_set_level(struct xics *xics, uint32_t source, bool level)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (unlikely(!s))
		return -EINVAL;
	word = source_lock(s);
	if (unlikely(!(word & SOURCE_LSI))) {
		source_unlock(s, word);
		return -EINVAL;
	}
	if (!level)
		source_unlock(s, deassert(xics, source, word));
	else if (word & SOURCE_PRESENTED)
		source_unlock(s, word | SOURCE_ASSERTED);
	else
		redeliver(xics, source_send(xics, s, source, word | SOURCE_ASSERTED));
	return 0;
}

int xics_set_xive(struct xics *xics, uint32_t source, uint32_t server, uint8_t priority)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (!s || !presenter_at(xics, server))
		return -EINVAL;
	word = source_lock(s) & ~(SOURCE_SERVER | SOURCE_PRIORITY | SOURCE_MASKED);
	word |= server | (uint64_t)priority << SOURCE_PRIORITY_SHIFT;
	if (priority == XICS_MASKED)
		word |= SOURCE_MASKED;
	reroute(xics, s, source, word);
	return 0;
}

int xics_get_xive(struct xics *xics, uint32_t source, uint32_t *server, uint8_t *priority)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (!s)
		return -EINVAL;
	word = atomic_load(&s->word);
	*server = (uint32_t)(word & SOURCE_SERVER);
	*priority = priority_of(word);
	return 0;
}

int xics_int_on(struct xics *xics, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (!s)
		return -EINVAL;
	word = source_lock(s);
	/* A source whose priority is 0xff stays masked. */
	if ((word & SOURCE_PRIORITY) != SOURCE_PRIORITY)
		word &= ~SOURCE_MASKED;
	reroute(xics, s, source, word);
	return 0;
}

int xics_int_off(struct xics *xics, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);

	if (!s)
		return -EINVAL;
	reroute(xics, s, source, source_lock(s) | SOURCE_MASKED);
	return 0;
}
