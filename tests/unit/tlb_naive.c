// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/tlb_naive.h"

#include <check.h>

static void add(struct naive_entry *entries, uint32_t *count, uint64_t ea, uint32_t shift)
{
	ck_assert_uint_lt(*count, NAIVE_ENTRIES);
	entries[(*count)++] = (struct naive_entry){ea >> shift << shift, shift, true};
}

void naive_fill(struct naive_tlb *t, uint64_t start, uint64_t end, uint32_t shift)
{
	for (uint64_t ea = start >> shift << shift; ea < end; ea += 1ull << shift)
		add(t->tlb, &t->nr_tlb, ea, shift);
	for (uint64_t ea = start >> 21 << 21; ea < end; ea += 1ull << 21)
		add(t->pwc, &t->nr_pwc, ea, 21);
	t->prt = true;
}

/* The instruction with number @i of a step. */
static void flush_one(struct naive_tlb *t, const struct tlb_step *step, bool local, uint64_t i)
{
	bool first_set = !local || i == 0;

	for (uint32_t n = 0; step->ric != RIC_PWC && n < t->nr_tlb; n++) {
		struct naive_entry *e = &t->tlb[n];
		uint64_t ea = step->start + (i << step->page_shift);

		if (!step->pid)
			e->valid &=
				e->shift != step->page_shift || e->ea >> e->shift != ea >> e->shift;
		else if (!local || (e->ea >> e->shift) % t->sets == i)
			e->valid = false;
	}
	if (step->ric == RIC_TLB || !first_set)
		return;
	t->nr_pwc = 0;
	if (step->ric == RIC_ALL)
		t->prt = false;
}

void naive_flush(struct naive_tlb *t, const struct tlb_plan *plan)
{
	for (size_t s = 0; s < plan->nr_steps; s++)
		for (uint64_t i = 0; i < plan->steps[s].count; i++)
			flush_one(t, &plan->steps[s], plan->local, i);
}

static bool has(const struct naive_entry *e, uint32_t count, uint64_t start, uint64_t end,
		uint32_t shift)
{
	for (uint32_t n = 0; n < count; n++)
		if (e[n].valid && e[n].shift == shift && e[n].ea >= start &&
		    e[n].ea + (1ull << shift) <= end)
			return true;
	return false;
}

bool naive_has(const struct naive_tlb *t, uint64_t start, uint64_t end, uint32_t shift)
{
	return has(t->tlb, t->nr_tlb, start, end, shift);
}

bool naive_has_table(const struct naive_tlb *t, uint64_t start, uint64_t end)
{
	return has(t->pwc, t->nr_pwc, start, end, 21);
}

uint32_t naive_count(const struct naive_tlb *t)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < t->nr_tlb; n++)
		count += t->tlb[n].valid;
	return count;
}
