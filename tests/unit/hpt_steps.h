/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before mmu/hpt.c in the ThreadSanitizer build: a step before each store and
 * compare-and-swap of the model, where the stress delays it.
 */
#ifndef TESTS_UNIT_HPT_STEPS_H
#define TESTS_UNIT_HPT_STEPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

void hpt_step(void);

/* Inlined, so that the sanitizer knows the order. */
static inline __attribute__((always_inline)) void step_store(_Atomic uint64_t *word, uint64_t value,
							     memory_order order)
{
	hpt_step();
	atomic_store_explicit(word, value, order);
}

static inline __attribute__((always_inline)) bool step_swap(_Atomic uint64_t *word, uint64_t *old,
							    uint64_t value, memory_order order,
							    memory_order failed)
{
	hpt_step();
	return atomic_compare_exchange_strong_explicit(word, old, value, order, failed);
}

#undef atomic_store_explicit
#undef atomic_compare_exchange_strong_explicit
#define atomic_store_explicit			step_store
#define atomic_compare_exchange_strong_explicit step_swap

#endif
