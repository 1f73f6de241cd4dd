/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before each file of a variant of the model: a lock a block of sources instead
 * of one a source. There is one lock, for the bench has one block of such sources.
 */
#ifndef BENCH_XICS_BLOCK_LOCK_H
#define BENCH_XICS_BLOCK_LOCK_H

#define source_lock   source_lock_itself
#define source_unlock source_unlock_itself
#include "devices/xics/internal.h"
#undef source_lock
#undef source_unlock

extern atomic_bool block_locked;

static inline uint64_t source_lock(struct xics_source *s)
{
	for (unsigned int tries = 0;; tries++) {
		bool locked = false;

		if (!atomic_load_explicit(&block_locked, memory_order_relaxed) &&
		    atomic_compare_exchange_weak_explicit(&block_locked, &locked, true,
							  memory_order_acquire,
							  memory_order_relaxed))
			return atomic_load_explicit(&s->word, memory_order_relaxed);
		xics_wait(tries);
	}
}

static inline void source_unlock(struct xics_source *s, uint64_t word)
{
	atomic_store_explicit(&s->word, word, memory_order_relaxed);
	atomic_store_explicit(&block_locked, false, memory_order_release);
}

#endif
