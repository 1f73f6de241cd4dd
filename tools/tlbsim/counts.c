// SPDX-License-Identifier: GPL-2.0-only
/* tlbsim counts: the instructions of one flush, for numbers of pages. */
#include <errno.h>
#include <stdio.h>

#include "lib/util.h"
#include "mmu/hpt_tlbie.h"
#include "tools/tlbsim/tlbsim.h"

static enum tlb_flush_kind kind_of(enum operation op, const struct tlb_policy *policy)
{
	switch (op) {
	case MPROTECT:
		return policy->mprotect;
	case MREMAP:
		return TLB_FLUSH_RANGE;
	case EXIT:
		return TLB_FLUSH_EXIT;
	default:
		return TLB_FLUSH_GATHER;
	}
}

int plan_for(const struct settings *s, const struct tlb_policy *policy, uint64_t pages,
	     struct tlb_plan *plan, struct why *why)
{
	uint32_t shift = s->machine.page_shift;
	uint64_t limit = 1ull << (TLB_EA_BITS - shift);
	struct tlb_flush flush = {
		.kind = kind_of(s->op, policy),
		.start = s->offset << shift,
		.end = (s->offset + pages) << shift,
		.page_shift = shift,
		.local = s->local,
		.freed_tables = s->free_tables,
	};

	*plan = (struct tlb_plan){0};
	/* Neither is above 2^40: see the table of options. */
	if (flush.kind != TLB_FLUSH_EXIT && (!pages || s->offset + pages > limit))
		return why_set(why, -EINVAL,
			       "%llu pages of %llu bytes are not 1 to %llu from page %llu on",
			       (unsigned long long)pages, 1ull << shift, (unsigned long long)limit,
			       (unsigned long long)s->offset);
	return tlb_flush_plan(policy, &s->machine, &flush, plan);
}

/* What is flushed and how: "pwc + 30 pages", "pid ric=2". */
static void describe(const struct tlb_plan *plan, char *text, size_t size)
{
	int at = 0;

	for (size_t i = 0; i < plan->nr_steps && at >= 0 && (size_t)at < size; i++) {
		const struct tlb_step *step = &plan->steps[i];
		const char *plus = i ? " + " : "";

		if (step->pid && step->ric == RIC_PWC)
			at += snprintf(text + at, size - (size_t)at, "%spwc", plus);
		else if (step->pid)
			at += snprintf(text + at, size - (size_t)at, "%spid ric=%d", plus,
				       step->ric);
		else
			at += snprintf(text + at, size - (size_t)at, "%s%llu of %s", plus,
				       (unsigned long long)step->count,
				       step->page_shift == 12	? "4K"
				       : step->page_shift == 16 ? "64K"
								: "2M");
	}
}

static const struct out_column columns[] = {
	{"op", OUT_WORD, 8, 0},	      {"policy", OUT_WORD, 10, 0},  {"scope", OUT_WORD, 6, 0},
	{"pages", OUT_COUNT, 6, 0},   {"tlbie", OUT_COUNT, 6, 0},   {"tlbiel", OUT_COUNT, 6, 0},
	{"ptesync", OUT_COUNT, 7, 0}, {"tlbsync", OUT_COUNT, 7, 0}, {"slbia", OUT_COUNT, 5, 0},
	{"hcall", OUT_COUNT, 5, 0},   {"lock", OUT_COUNT, 4, 0},    {"what", OUT_WORD, 1, 0},
};

/* One line's counts, and @what in words: 0 or -EINVAL. */
static int count(const struct settings *s, uint64_t pages, struct tlb_counts *counts, char *what,
		 size_t size, struct why *why)
{
	struct hpt_tlbie_policy policy = {.lockless = true, .serialize = s->serialize};
	struct hpt_tlbies t;
	struct tlb_plan plan;
	int err;

	if (s->op != HPT) {
		err = plan_for(s, &s->policy, pages, &plan, why);
		*counts = plan.counts;
		describe(&plan, what, size);
		return err;
	}
	if (!pages || pages > HPT_TLBIES_MAX)
		return why_set(why, -EINVAL, "a call for %llu entries is not for 1 to %d",
			       (unsigned long long)pages, HPT_TLBIES_MAX);
	hpt_tlbies_begin(&t, &policy, !s->local, true);
	for (uint64_t i = 0; i < pages; i++)
		hpt_tlbies_add(&t);
	hpt_tlbies_end(&t, &s->machine);
	*counts = t.counts;
	snprintf(what, size, "%llu entries", (unsigned long long)pages);
	return 0;
}

int verb_counts(const struct settings *s, struct why *why)
{
	const char *policy = s->op != HPT   ? s->policy.name
			     : s->serialize ? "serialized"
					    : "lockless";
	struct tlb_counts c = {0};
	char what[80];
	struct out o;

	/* Nothing is printed before all is known to be right. */
	for (size_t i = 0; i < s->pages.count; i++)
		if (count(s, s->pages.item[i], &c, what, sizeof(what), why))
			return -EINVAL;
	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < s->pages.count; i++) {
		count(s, s->pages.item[i], &c, what, sizeof(what), why);
		out_row(&o, operation_names[s->op], policy, s->local ? "local" : "global",
			s->pages.item[i], c.tlbie, c.tlbiel, c.ptesync, c.tlbsync, c.slbia,
			c.hcalls, c.locks, what);
	}
	return out_end(&o);
}
