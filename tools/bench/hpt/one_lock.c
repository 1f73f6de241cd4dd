// SPDX-License-Identifier: GPL-2.0-only
/* What a simpler implementation has: plain words, and one lock for all of them. */
#include <stdatomic.h>
#include <stdlib.h>

#include "tests/unit/hpt_naive.h"
#include "tools/bench/hpt/bench.h"

#define H_REMOVE 0x004
#define H_ENTER	 0x008

struct one_lock {
	_Alignas(64) atomic_bool locked;
	_Alignas(64) struct hpt_naive naive;
};

static int64_t call(struct one_lock *t, uint64_t nr, uint64_t args[])
{
	bool held = false;
	int64_t ret;

	/* No yield: each of two threads has its CPU, or the turn does not count. */
	while (atomic_load_explicit(&t->locked, memory_order_relaxed) ||
	       !atomic_compare_exchange_weak_explicit(&t->locked, &held, true, memory_order_acquire,
						      memory_order_relaxed))
		held = false;
	ret = naive_call(&t->naive, nr, args);
	atomic_store_explicit(&t->locked, false, memory_order_release);
	return ret;
}

static int64_t locked_enter(void *table, uint64_t args[])
{
	return call(table, H_ENTER, args);
}

static int64_t locked_remove(void *table, uint64_t args[])
{
	return call(table, H_REMOVE, args);
}

void *one_lock_new(void)
{
	struct one_lock *t = aligned_alloc(64, sizeof(*t));

	if (!t)
		fail("no memory");
	*t = (struct one_lock){0};
	if (!naive_init(&t->naive, ORDER, 4096))
		fail("no memory");
	return t;
}

void one_lock_free(void *table)
{
	struct one_lock *t = table;

	naive_fini(&t->naive);
	free(t);
}

struct job one_lock_job(void *table, uint64_t group)
{
	return (struct job){locked_enter, locked_remove, table, group};
}
