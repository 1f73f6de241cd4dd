// SPDX-License-Identifier: GPL-2.0-only
/* The machine whose calls are measured. */
#include <stdlib.h>

#include "tools/bench/hpt/bench.h"

static bool hpt_begin(struct hcpu *cpu)
{
	(void)cpu;
	return true;
}

static void hpt_end(struct hcpu *cpu)
{
	(void)cpu;
}

static const struct machine_ops ops = {.hpt_begin = hpt_begin, .hpt_end = hpt_end};

static int on_entry(void *ctx, uint64_t index, struct hpte entry)
{
	(void)ctx;
	(void)index;
	(void)entry;
	return 0;
}

static int on_look(void *ctx, uint64_t index, uint64_t *rc)
{
	(void)ctx;
	(void)index;
	*rc = 0;
	return 0;
}

static int on_invalidate(void *ctx, const uint64_t *indexes, size_t count, uint64_t *rc)
{
	struct table *t = ctx;

	(void)indexes;
	for (size_t i = 0; i < count; i++)
		rc[i] = 0;
	cas_run(t->lines, t->flush_cas / CAS_A_CYCLE);
	t->invalidates++;
	return 0;
}

static const struct hpt_backing backing = {on_entry, on_invalidate, on_entry, on_look};

struct table *table_new(bool backed, unsigned int flush_cas)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t || hpt_init(&t->machine.hpt, ORDER, backed ? &backing : NULL, t))
		fail("no memory");
	t->machine.ops = &ops;
	t->cpu.machine = &t->machine;
	t->flush_cas = flush_cas;
	t->lines = cas_lines_new();
	return t;
}

void table_free(struct table *t)
{
	hpt_fini(&t->machine.hpt);
	free(t->lines);
	free(t);
}

void must_succeed(int64_t ret)
{
	if (ret)
		fail("a call is refused");
}
