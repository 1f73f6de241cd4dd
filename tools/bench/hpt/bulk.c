// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four entries, removed by four calls or by one: without a backing, and with backings
 * whose invalidations cost more and more. Entries come back while the clock stands.
 */
#include <stdio.h>
#include <unistd.h>

#include "lib/util.h"
#include "tools/bench/hpt/bench.h"

#define REQUEST 0x4000000000000000ull

static void fill(void *ctx, unsigned long n)
{
	struct table *t = ctx;

	if (n * HPT_BULK > COUNT)
		fail("the table is too small");
	for (uint64_t i = 0; i < n * HPT_BULK; i++)
		hpt_load(&t->machine.hpt, i, (struct hpte){HPTE_V_VALID | i << 7, i << 12});
}

static void run_bulk(void *ctx, unsigned long n)
{
	struct table *t = ctx;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = REQUEST | i * HPT_BULK;
		uint64_t args[HCALL_ARGS] = {at, 0, at + 1, 0, at + 2, 0, at + 3, 0};

		must_succeed(h_bulk_remove(&t->cpu, args));
	}
}

static void run_each(void *ctx, unsigned long n)
{
	struct table *t = ctx;

	for (uint64_t i = 0; i < n * HPT_BULK; i++) {
		uint64_t args[HCALL_ARGS] = {0, i};

		must_succeed(h_remove(&t->cpu, args));
	}
}

/* What any backing outside of this process takes for each call, at least. */
static void run_system_call(void *ctx, unsigned long n)
{
	(void)ctx;
	while (n--)
		if (getppid() < 0)
			fail("no parent");
}

/* That all of them went is what must_succeed() says of each, and an empty table of bulk. */
static void check_empty(const struct table *t)
{
	for (uint64_t i = 0; i < COUNT; i++)
		if (atomic_load(&t->machine.hpt.slots[i].v))
			fail("an entry is left");
}

static void name(char *to, size_t size, bool bulk, unsigned int flush)
{
	const char *kind = bulk ? "bulk" : "bulk.each";

	if (flush)
		snprintf(to, size, "%s.%u", kind, flush);
	else
		snprintf(to, size, "%s.none", kind);
}

void bench_bulk(void)
{
	static const unsigned int flushes[] = {0, 5, 20, 80, 320}; /* 0: no backing */
	struct subject subjects[2 * ARRAY_SIZE(flushes) + 1];
	struct table *tables[ARRAY_SIZE(subjects)] = {NULL};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(flushes); i++) {
		unsigned int flush = flushes[i / 2];

		tables[i] = table_new(flush, flush);
		subjects[i] = (struct subject){.run = i % 2 ? run_bulk : run_each,
					       .ctx = tables[i],
					       .prepare = fill,
					       .most = COUNT / HPT_BULK};
		name(subjects[i].name, sizeof(subjects[i].name), i % 2, flush);
	}
	subjects[2 * ARRAY_SIZE(flushes)] =
		(struct subject){.name = "bulk.system-call", .run = run_system_call};
	compare(subjects, ARRAY_SIZE(subjects));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(flushes); i++) {
		check_empty(tables[i]);
		table_free(tables[i]);
	}
}
