// SPDX-License-Identifier: GPL-2.0-only
/* Sources that wait for their presenter: a bit a source, and a bit a block (internal.h). */
#include "devices/xics/internal.h"

struct bit {
	_Atomic uint64_t *word;
	uint64_t mask;
};

static struct bit waiting_bit(struct xics *xics, uint32_t source)
{
	struct xics_block *block = xics->blocks[source / XICS_BLOCK];
	uint32_t n = source % XICS_BLOCK;

	return (struct bit){&block->waiting[n / 64], 1ull << n % 64};
}

bool source_waits(struct xics *xics, uint32_t source)
{
	struct bit leaf = waiting_bit(xics, source);

	xics_step();
	return atomic_load(leaf.word) & leaf.mask;
}

void source_set_waiting(struct xics *xics, struct xics_presenter *icp, uint32_t source)
{
	struct bit leaf = waiting_bit(xics, source);
	uint32_t block = source / XICS_BLOCK;

	xics_step();
	atomic_fetch_or(leaf.word, leaf.mask);
	xics_step();
	atomic_fetch_or(&icp->blocks[block / 64], 1ull << block % 64);
}

void source_clear_waiting(struct xics *xics, uint32_t source)
{
	struct bit leaf = waiting_bit(xics, source);

	xics_step();
	atomic_fetch_and(leaf.word, ~leaf.mask);
}

/* It may have been moved or sent since its bit was seen: only the lock tells. */
static void resend_source(struct xics *xics, uint32_t server, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (unlikely(!s))
		return;
	word = source_lock(s);
	if ((uint32_t)(word & SOURCE_SERVER) != server || !source_waits(xics, source)) {
		source_unlock(s, word);
		return;
	}
	source_clear_waiting(xics, source);
	count_alone(&s->resent);
	count_shared(&xics->presenters[server].resent);
	redeliver(xics, source_send(xics, s, source, word));
}

static void resend_block(struct xics *xics, uint32_t server, uint32_t number)
{
	struct xics_block *block = xics->blocks[number];

	for (uint32_t i = 0; i < ARRAY_SIZE(block->waiting); i++) {
		uint64_t bits;

		xics_step();
		for (bits = atomic_load(&block->waiting[i]); bits; bits &= bits - 1)
			resend_source(xics, server,
				      number * XICS_BLOCK + i * 64 +
					      (uint32_t)__builtin_ctzll(bits));
	}
}

void resend(struct xics *xics, uint32_t server)
{
	struct xics_presenter *icp = &xics->presenters[server];

	for (uint32_t i = 0; i * 64 < xics->nr_blocks; i++) {
		uint64_t bits;

		xics_step();
		if (!atomic_load(&icp->blocks[i]))
			continue;
		xics_step();
		for (bits = atomic_exchange(&icp->blocks[i], 0); bits; bits &= bits - 1)
			resend_block(xics, server, i * 64 + (uint32_t)__builtin_ctzll(bits));
	}
}
