// SPDX-License-Identifier: GPL-2.0-only
/* H_ENTER and H_REMOVE, next to the accesses of memory that they cannot do without. */
#include <stdlib.h>

#include "lib/util.h"
#include "tools/bench/hpt/bench.h"

#define V 0x0123456789abc081ull
#define R 0x5012ull

static int64_t table_enter(void *table, uint64_t args[])
{
	struct table *t = table;

	return h_enter(&t->cpu, args);
}

static int64_t table_remove(void *table, uint64_t args[])
{
	struct table *t = table;

	return h_remove(&t->cpu, args);
}

struct job job_of(struct table *t, uint64_t group)
{
	return (struct job){table_enter, table_remove, t, group};
}

void pair_run(void *ctx, unsigned long n)
{
	struct job *job = ctx;

	while (n--) {
		uint64_t args[HCALL_ARGS] = {0, job->group, V, R};

		must_succeed(job->enter(job->table, args));
		args[1] = args[0];
		args[0] = 0;
		must_succeed(job->remove(job->table, args));
	}
}

/* The same of the model, without the handlers. */
static void model_run(void *ctx, unsigned long n)
{
	struct job *job = ctx;
	struct table *t = job->table;
	struct hpte old;
	uint64_t at;

	while (n--) {
		must_succeed(
			hpt_enter(&t->machine.hpt, false, job->group, (struct hpte){V, R}, &at));
		must_succeed(hpt_remove(&t->machine.hpt, at, (struct hpt_match){0}, &old));
	}
}

static void take(struct hpt_slot *slot, uint64_t *v)
{
	*v = atomic_load_explicit(&slot->v, memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(&slot->v, v, *v | HPTE_V_LOCKED,
						     memory_order_acquire, memory_order_relaxed))
		fail("somebody else writes the word");
}

/*
 * Each call finds the first doubleword free or valid and locks the entry; one writes the
 * second, the other reads it, which has R and C; both give the first back.
 */
static void bare_run(void *ctx, unsigned long n)
{
	struct hpt_slot *slot = ctx;
	uint64_t v, r, sum = 0;

	while (n--) {
		take(slot, &v);
		atomic_store_explicit(&slot->r, R, memory_order_relaxed);
		atomic_store_explicit(&slot->v, V, memory_order_release);
		take(slot, &v);
		r = atomic_load_explicit(&slot->r, memory_order_relaxed);
		sum += v ^ r;
		atomic_store_explicit(&slot->v, 0, memory_order_release);
	}
	/* It is read, whatever the compiler thinks of it. */
	__asm__ volatile("" : : "r"(sum));
}

void bench_pair(void)
{
	struct hpt_slot *slot = aligned_alloc(64, 64);
	struct table *t = table_new(false, 0);
	void *locked = one_lock_new();
	struct job job = job_of(t, 8), other = one_lock_job(locked, 8);
	const struct subject subjects[] = {
		{.name = "pair.bare", .run = bare_run, .ctx = slot},
		{.name = "pair", .run = pair_run, .ctx = &job},
		{.name = "pair.model", .run = model_run, .ctx = &job},
		{.name = "pair.one-lock", .run = pair_run, .ctx = &other},
	};

	if (!slot)
		fail("no memory");
	*slot = (struct hpt_slot){0};
	compare(subjects, ARRAY_SIZE(subjects));
	one_lock_free(locked);
	table_free(t);
	free(slot);
}
