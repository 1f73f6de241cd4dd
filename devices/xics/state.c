// SPDX-License-Identifier: GPL-2.0-only
/* Life, state and counters of the model (LOCKING: internal.h). */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "devices/xics/internal.h"

/* What of a source's word KVM has in the same place. PENDING is more than that there. */
#define SOURCE_SAVED                                                                               \
	(SOURCE_SERVER | SOURCE_PRIORITY | SOURCE_LSI | SOURCE_MASKED | SOURCE_PENDING |           \
	 SOURCE_PRESENTED | SOURCE_QUEUED)

#ifdef XICS_CHECK
_Thread_local struct xics_source *xics_held;
#endif

#ifndef XICS_STEPS
void xics_wait(unsigned int tries)
{
	if (tries < 100)
		atomic_signal_fence(memory_order_seq_cst);
	else
		sched_yield();
}
#endif

static void *alloc_zeroed(size_t size)
{
	void *p = aligned_alloc(XICS_LINE, size);

	return p ? memset(p, 0, size) : NULL;
}

int xics_init(struct xics *xics, uint32_t nr_servers, const struct xics_ops *ops, void *ctx)
{
	*xics = (struct xics){0};
	if (nr_servers > XICS_SERVERS_MAX)
		return -EINVAL;
	*xics = (struct xics){
		.presenters = alloc_zeroed(((size_t)nr_servers + 1) * sizeof(*xics->presenters)),
		.blocks = calloc(XICS_BLOCKS_MAX, sizeof(struct xics_block *)),
		.nr_servers = nr_servers,
		.ops = ops,
		.ctx = ctx,
	};
	if (!xics->presenters || !xics->blocks) {
		xics_fini(xics);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < nr_servers; i++)
		atomic_store(&xics->presenters[i].word, ICP_RESET);
	return 0;
}

void xics_fini(struct xics *xics)
{
	for (uint32_t i = 0; xics->blocks && i < xics->nr_blocks; i++)
		free(xics->blocks[i]);
	free(xics->blocks);
	free(xics->presenters);
	*xics = (struct xics){0};
}

int xics_add_source(struct xics *xics, uint32_t source, bool lsi)
{
	uint32_t number = source / XICS_BLOCK;
	struct xics_block *block;

	if (source < XICS_SOURCE_FIRST || source >= XICS_SOURCE_END)
		return -EINVAL;
	block = xics->blocks[number];
	if (!block) {
		block = alloc_zeroed(sizeof(*block));
		if (!block)
			return -ENOMEM;
		xics->blocks[number] = block;
		if (xics->nr_blocks <= number)
			xics->nr_blocks = number + 1;
	}
	atomic_store(&block->sources[source % XICS_BLOCK].word,
		     SOURCE_EXISTS | SOURCE_MASKED | SOURCE_PRIORITY | (lsi ? SOURCE_LSI : 0));
	return 0;
}

uint32_t xics_next_source(const struct xics *xics, uint32_t from)
{
	while (from / XICS_BLOCK < xics->nr_blocks) {
		if (!xics->blocks[from / XICS_BLOCK])
			from = from / XICS_BLOCK * XICS_BLOCK + XICS_BLOCK;
		else if (source_at(xics, from))
			return from;
		else
			from++;
	}
	return XICS_SOURCE_END;
}

/* Sources first: masked, they deliver nothing to the presenters that follow. */
void xics_reset(struct xics *xics)
{
	for (uint32_t n = xics_next_source(xics, 0); n < XICS_SOURCE_END;
	     n = xics_next_source(xics, n + 1)) {
		struct xics_source *s = source_at(xics, n);
		uint64_t word = source_lock(s);

		source_clear_waiting(xics, n);
		word &= SOURCE_EXISTS | SOURCE_LSI | SOURCE_ASSERTED;
		if (word & SOURCE_ASSERTED)
			word |= SOURCE_PENDING | SOURCE_PRESENTED;
		source_unlock(s, word | SOURCE_MASKED | SOURCE_PRIORITY);
	}
	for (uint32_t server = 0; server < xics->nr_servers; server++) {
		struct xics_presenter *icp = &xics->presenters[server];

		atomic_store(&icp->word, ICP_RESET);
		if (atomic_load(&icp->raised) != icp->raised_seen)
			lower_line(xics, server);
	}
}

int xics_get_presenter(struct xics *xics, uint32_t server, uint64_t *state)
{
	struct xics_presenter *icp = presenter_at(xics, server);

	if (!icp)
		return -EINVAL;
	*state = atomic_load(&icp->word) & ICP_STATE_MASK;
	return 0;
}

/* A source that is presented by a presenter's state waits neither elsewhere nor masked. */
static void stop_waiting(struct xics *xics, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (!s)
		return; /* none, or the IPI */
	word = source_lock(s);
	source_clear_waiting(xics, source);
	source_unlock(s, (word & ~SOURCE_PENDING) | SOURCE_PRESENTED);
}

/* What waits may be taken by the new state: it is all offered, whatever NEED_RESEND was. */
int xics_set_presenter(struct xics *xics, uint32_t server, uint64_t state)
{
	struct xics_presenter *icp = presenter_at(xics, server);
	uint32_t xisr = icp_xisr(state);

	state &= ICP_STATE_MASK;
	if (!icp || !icp_is_valid(state))
		return -EINVAL;
	if (xisr != XICS_NONE && xisr != XICS_IPI && !source_at(xics, xisr))
		return -EINVAL;
	if (icp_output(atomic_load(&icp->word)))
		lower_line(xics, server);
	atomic_store(&icp->word, state);
	stop_waiting(xics, xisr);
	if (icp_output(state))
		raise_line(xics, server);
	resend(xics, server);
	return 0;
}

int xics_get_source(struct xics *xics, uint32_t source, uint64_t *state)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (!s)
		return -EINVAL;
	word = source_lock(s);
	*state = word & SOURCE_SAVED;
	if (word & SOURCE_LSI) {
		/* KVM keeps an LSI's level in P, and says PENDING as well. */
		*state &= ~(SOURCE_PENDING | SOURCE_PRESENTED);
		if (word & SOURCE_ASSERTED)
			*state |= SOURCE_PENDING | SOURCE_PRESENTED;
	} else if (source_waits(xics, source)) {
		*state |= SOURCE_PENDING;
	}
	source_unlock(s, word);
	return 0;
}

/* Whether some presenter holds it. */
static bool is_pending_somewhere(struct xics *xics, uint32_t source)
{
	for (uint32_t server = 0; server < xics->nr_servers; server++)
		if (icp_xisr(atomic_load(&xics->presenters[server].word)) == source)
			return true;
	return false;
}

int xics_set_source(struct xics *xics, uint32_t source, uint64_t state)
{
	struct xics_source *s = source_at(xics, source);
	uint8_t priority = (uint8_t)(state >> SOURCE_PRIORITY_SHIFT);
	bool send, held;

	if (!s || (state & ~SOURCE_SAVED) || !presenter_at(xics, (uint32_t)(state & SOURCE_SERVER)))
		return -EINVAL;
	if (priority == XICS_MASKED)
		state |= SOURCE_MASKED;
	send = state & SOURCE_PENDING;
	state &= ~SOURCE_PENDING;
	if (state & SOURCE_LSI) {
		send = send || (state & SOURCE_PRESENTED);
		state &= ~(SOURCE_PRESENTED | SOURCE_QUEUED);
		if (send)
			state |= SOURCE_ASSERTED | SOURCE_PRESENTED;
	}
	/* KVM's form does not say that an LSI is presented that fell; its presenter does. */
	held = (send || (state & SOURCE_LSI)) && is_pending_somewhere(xics, source);
	if (held)
		state |= SOURCE_PRESENTED;
	source_lock(s);
	source_clear_waiting(xics, source);
	state |= SOURCE_EXISTS;
	if (send && !held)
		redeliver(xics, source_send(xics, s, source, state));
	else
		source_unlock(s, state);
	return 0;
}

int xics_source_counters(const struct xics *xics, uint32_t source, struct xics_source_counters *c)
{
	struct xics_source *s = source_at(xics, source);

	if (!s)
		return -EINVAL;
	*c = (struct xics_source_counters){
		.delivered = s->delivered,
		.rejected = s->rejected,
		.resent = s->resent,
		.coalesced = s->coalesced,
	};
	return 0;
}

int xics_presenter_counters(const struct xics *xics, uint32_t server,
			    struct xics_presenter_counters *c)
{
	struct xics_presenter *icp = presenter_at(xics, server);

	if (!icp)
		return -EINVAL;
	*c = (struct xics_presenter_counters){
		.delivered = icp->delivered,
		.ipis = icp->ipis,
		.rejected = icp->rejected,
		.resent = icp->resent,
		.raised = icp->raised,
		.lowered = icp->lowered,
		.kicks = icp->kicks,
	};
	return 0;
}
