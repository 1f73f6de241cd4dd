// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/tlb_flush.h"

#include <errno.h>
#include <string.h>

#include "lib/util.h"

#define CEILING_GLOBAL 33
#define CEILING_LOCAL  256 /* twice the 128 sets */

static const struct tlb_policy policies[] = {
	{
		.name = "before",
		.barrier_each = true,
		.ceiling_global = CEILING_GLOBAL,
		.ceiling_local = CEILING_GLOBAL,
	},
	{
		.name = "barriers",
		.ceiling_global = CEILING_GLOBAL,
		.ceiling_local = CEILING_GLOBAL,
		.exit_clears_first = true,
	},
	{
		.name = "ranges",
		.range_by_address = true,
		.ceiling_global = CEILING_GLOBAL,
		.ceiling_local = CEILING_GLOBAL,
		.exit_clears_first = true,
	},
	{
		.name = "ceilings",
		.range_by_address = true,
		.ceiling_global = CEILING_GLOBAL,
		.ceiling_local = CEILING_LOCAL,
		.exit_clears_first = true,
	},
	{
		.name = "after",
		.range_by_address = true,
		.tables_by_address = true,
		.ceiling_global = CEILING_GLOBAL,
		.ceiling_local = CEILING_LOCAL,
		.exit_clears_first = true,
	},
	{
		.name = "linux-6.12",
		.range_by_address = true,
		.range_with_pwc = true,
		.mprotect = TLB_FLUSH_GATHER,
		.tables_by_address = true,
		.ceiling_global = CEILING_GLOBAL,
		.ceiling_local = CEILING_LOCAL,
		.exit_clears_first = true,
	},
};

const struct tlb_policy *tlb_policy_nth(size_t n)
{
	return n < ARRAY_SIZE(policies) ? &policies[n] : NULL;
}

const struct tlb_policy *tlb_policy_find(const char *name)
{
	for (size_t n = 0; n < ARRAY_SIZE(policies); n++)
		if (!strcmp(policies[n].name, name))
			return &policies[n];
	return NULL;
}

/* What the functions below share. */
struct planner {
	const struct tlb_policy *policy;
	const struct tlb_machine *machine;
	const struct tlb_flush *flush;
	struct tlb_plan *plan;
};

static void add_step(struct tlb_plan *plan, struct tlb_step step)
{
	plan->steps[plan->nr_steps++] = step;
	*(plan->local ? &plan->counts.tlbiel : &plan->counts.tlbie) += step.count;
}

/* ptesync; tlbiel...; ptesync, or ptesync; tlbie...; eieio; tlbsync; ptesync. */
static void add_barriers(struct tlb_plan *plan, uint64_t sequences)
{
	plan->counts.ptesync += 2 * sequences;
	if (!plan->local)
		plan->counts.tlbsync += sequences;
}

/* For each fault of the processor one more tlbie, after a ptesync. */
static void add_fixups(const struct planner *p, uint64_t runs)
{
	uint64_t n = runs * ((p->machine->erat_bug ? 1 : 0) + (p->machine->stq_bug ? 1 : 0));

	if (p->plan->local)
		return;
	p->plan->counts.fixups += n;
	p->plan->counts.tlbie += n;
	p->plan->counts.ptesync += n;
}

static void add_pwc(struct tlb_plan *plan)
{
	add_step(plan, (struct tlb_step){.pid = true, .ric = RIC_PWC, .count = 1});
}

static void flush_pid(const struct planner *p, enum tlb_ric ric)
{
	struct tlb_plan *plan = p->plan;

	add_step(plan, (struct tlb_step){.pid = true,
					 .ric = ric,
					 .count = plan->local ? p->machine->sets : 1});
	add_fixups(p, 1);
	add_barriers(plan, 1);
	/* After tlbiels for a PID Linux clears the user's part of the ERAT itself. */
	plan->counts.slbia += plan->local ? 1 : 0;
}

static bool by_hcall(const struct planner *p)
{
	return !p->machine->gtse && !p->plan->local;
}

/* Whatever the process has, of any size and at any address. */
static void flush_mm(const struct planner *p, enum tlb_ric ric)
{
	if (by_hcall(p))
		p->plan->counts.hcalls++;
	flush_pid(p, ric);
}

/* Pages from @start until @end is reached. */
static void add_pages(const struct planner *p, uint64_t start, uint64_t end, uint32_t shift)
{
	uint64_t count = (end - start + (1ull << shift) - 1) >> shift;

	add_step(p->plan, (struct tlb_step){.page_shift = shift, .start = start, .count = count});
	add_fixups(p, p->policy->barrier_each ? count : 1);
}

/* Up to three runs between one pair of barriers. */
static void flush_addresses(const struct planner *p, uint32_t shift, bool pwc, bool huge)
{
	uint64_t start = p->flush->start, end = p->flush->end;
	uint64_t huge_end = align_down(end, MIB(2)), huge_start, instructions;
	struct tlb_plan *plan = p->plan;

	if (pwc)
		add_pwc(plan);
	add_pages(p, start, end, shift);
	if (huge && align_up(start, MIB(2), &huge_start) && huge_start < huge_end)
		add_pages(p, huge_start, huge_end, TLB_SHIFT_2M);
	instructions = plan->counts.tlbie - plan->counts.fixups + plan->counts.tlbiel;
	add_barriers(plan, p->policy->barrier_each ? instructions : 1);
}

static bool above_ceiling(const struct planner *p, uint32_t shift)
{
	uint64_t pages = (p->flush->end - p->flush->start) >> shift;

	return pages > (p->plan->local ? p->policy->ceiling_local : p->policy->ceiling_global);
}

/* Pages of one size for H_RPT_INVALIDATE. False if it was the PID, which has all sizes. */
static bool flush_size_by_hcall(const struct planner *p, uint32_t shift)
{
	if (above_ceiling(p, shift)) {
		flush_pid(p, RIC_TLB);
		return false;
	}
	add_pages(p, p->flush->start, p->flush->end, shift);
	add_barriers(p->plan, 1);
	return true;
}

/*
 * H_RPT_INVALIDATE of a range, as KVM serves it (do_h_rpt_invalidate_prt): barriers around each
 * part, and the ceiling, the hypervisor's own, is asked for each size of pages.
 */
static void flush_by_hcall(const struct planner *p, uint32_t shift, bool pwc, bool huge)
{
	p->plan->counts.hcalls++;
	if (pwc) {
		add_pwc(p->plan);
		add_barriers(p->plan, 1);
	}
	if (flush_size_by_hcall(p, shift) && huge)
		flush_size_by_hcall(p, TLB_SHIFT_2M);
}

static void plan_range(const struct planner *p)
{
	uint32_t shift = p->machine->page_shift;
	bool above = above_ceiling(p, shift);
	/* Tables move by the 2 MiB that a table of the last level maps, or more. */
	bool moved = p->policy->range_with_pwc && p->flush->end - p->flush->start >= MIB(2);

	if (!p->policy->range_by_address)
		flush_mm(p, RIC_TLB);
	else if (by_hcall(p))
		/* Above the ceiling Linux asks for no PWC, as if RIC_ALL were to come. */
		flush_by_hcall(p, shift, moved && !above, p->machine->thp);
	else if (above)
		flush_pid(p, p->policy->range_with_pwc ? RIC_ALL : RIC_TLB);
	else
		flush_addresses(p, shift, moved, p->machine->thp);
}

static void plan_gather(const struct planner *p)
{
	uint32_t shift = p->flush->page_shift;
	bool tables = p->flush->freed_tables;
	bool known =
		shift == p->machine->page_shift || shift == TLB_SHIFT_2M || shift == TLB_SHIFT_1G;

	if (!known || (tables && !p->policy->tables_by_address))
		flush_mm(p, tables ? RIC_ALL : RIC_TLB);
	else if (by_hcall(p))
		flush_by_hcall(p, shift, tables, false);
	else if (above_ceiling(p, shift))
		flush_pid(p, tables ? RIC_ALL : RIC_TLB);
	else
		flush_addresses(p, shift, tables, false);
}

static void plan_exit(const struct planner *p)
{
	p->plan->clears_first = p->policy->exit_clears_first;
	flush_mm(p, p->plan->clears_first || p->flush->freed_tables ? RIC_ALL : RIC_TLB);
}

static bool is_range(const struct tlb_flush *flush, uint32_t page_shift)
{
	uint64_t offset = (1ull << page_shift) - 1;

	return flush->start < flush->end && flush->end <= 1ull << TLB_EA_BITS &&
	       !((flush->start | flush->end) & offset);
}

int tlb_flush_plan(const struct tlb_policy *policy, const struct tlb_machine *machine,
		   const struct tlb_flush *flush, struct tlb_plan *plan)
{
	const struct planner p = {policy, machine, flush, plan};

	*plan = (struct tlb_plan){.local = flush->local};
	if ((machine->page_shift != 12 && machine->page_shift != 16) || !machine->sets)
		return -EINVAL;
	if (flush->kind != TLB_FLUSH_EXIT && !is_range(flush, machine->page_shift))
		return -EINVAL;
	switch (flush->kind) {
	case TLB_FLUSH_RANGE:
		plan_range(&p);
		return 0;
	case TLB_FLUSH_GATHER:
		plan_gather(&p);
		return 0;
	case TLB_FLUSH_EXIT:
		plan_exit(&p);
		return 0;
	}
	return -EINVAL;
}
