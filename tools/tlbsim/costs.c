// SPDX-License-Identifier: GPL-2.0-only
/* tlbsim costs, rows, predict: what instructions cost, from the published times of 2017. */
#include <errno.h>
#include <math.h>

#include "lib/util.h"
#include "tools/tlbsim/fit.h"
#include "tools/tlbsim/tlbsim.h"

enum cost {
	MUNMAP_CALL,
	MUNMAP_PAGE,
	MUNMAP_TABLES,
	MPROTECT_CALL,
	MPROTECT_PAGE,
	PTESYNC,
	TLBSYNC,
	TLBIEL,
	TLBIE,
	TLBIE_PWC,
	TLBIE_PID,
	COSTS,
};

static const struct {
	const char *name, *what;
} costs[COSTS] = {
	{"munmap", "a call but for its flush"},
	{"munmap-page", "of that a page"},
	{"munmap-tables", "of that for freed page tables"},
	{"mprotect", "a call but for its flush"},
	{"mprotect-page", "of that a page"},
	{"ptesync", "each"},
	{"tlbsync", "an eieio and a tlbsync"},
	{"tlbiel", "a page or a set"},
	{"tlbie", "a page"},
	{"tlbie-pwc", "RIC=1 of a PID"},
	{"tlbie-pid", "RIC=0 or 2 of a PID"},
};

static const struct published {
	uint64_t pages;
	const char *policy[2]; /* before, after */
	double us[2];
	enum operation op;
	bool local, tables;
} published[] = {
#define PUBLISHED(op_, local_, pages_, tables_, before, us_before, after, us_after)                \
	{                                                                                          \
		.pages = (pages_),                                                                 \
		.policy = {before, after},                                                         \
		.us = {us_before, us_after},                                                       \
		.op = (op_),                                                                       \
		.local = (local_),                                                                 \
		.tables = (tables_),                                                               \
	},
#include "tools/tlbsim/published.def"
};

/* How often each cost is paid. */
static void factors_of(const struct settings *s, uint64_t pages, const struct tlb_plan *plan,
		       double *factor)
{
	for (size_t i = 0; i < COSTS; i++)
		factor[i] = 0;
	factor[s->op == MUNMAP ? MUNMAP_CALL : MPROTECT_CALL] = 1;
	factor[s->op == MUNMAP ? MUNMAP_PAGE : MPROTECT_PAGE] = (double)pages;
	factor[MUNMAP_TABLES] = s->op == MUNMAP && s->free_tables;
	factor[PTESYNC] = (double)plan->counts.ptesync;
	factor[TLBSYNC] = (double)plan->counts.tlbsync;
	factor[TLBIEL] = (double)plan->counts.tlbiel;
	/* What a fault of the processor adds is taken for one of a page. */
	factor[TLBIE] = (double)plan->counts.fixups;
	for (size_t i = 0; !plan->local && i < plan->nr_steps; i++) {
		const struct tlb_step *step = &plan->steps[i];

		factor[!step->pid	      ? TLBIE
		       : step->ric == RIC_PWC ? TLBIE_PWC
					      : TLBIE_PID] += (double)step->count;
	}
}

/* A published row: of POWER9, pages of 64 KiB, no workarounds yet. */
static void factors_of_row(const struct published *row, int after, double *factor)
{
	const struct settings s = {
		.machine = {.page_shift = 16, .sets = 128, .thp = true, .gtse = true},
		.op = row->op,
		.local = row->local,
		.free_tables = row->tables,
	};
	struct tlb_plan plan;

	plan_for(&s, tlb_policy_find(row->policy[after]), row->pages, &plan, NULL);
	factors_of(&s, row->pages, &plan, factor);
}

#define NONE SIZE_MAX

/* To all rows but one, or all; rows are numbered with their two columns. */
static void fit_published(struct fit *f, size_t without)
{
	double factor[COSTS];

	*f = (struct fit){.params = COSTS};
	for (size_t i = 0; i < ARRAY_SIZE(published); i++)
		for (int after = 0; after < 2; after++) {
			if (2 * i + (size_t)after == without)
				continue;
			factors_of_row(&published[i], after, factor);
			fit_add(f, factor, published[i].us[after]);
		}
	fit_solve(f);
}

int verb_costs(const struct settings *s, struct why *why)
{
	static const struct out_column columns[] = {
		{"cost", OUT_WORD, 13, 0},
		{"us", OUT_REAL, 8, 4},
		{"error_us", OUT_REAL, 8, 4},
		{"of", OUT_WORD, 1, 0},
	};
	struct out o;
	struct fit f;

	(void)why;
	fit_published(&f, NONE);
	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < COSTS; i++)
		out_row(&o, costs[i].name, f.value[i], f.error[i], costs[i].what);
	out_note(&o,
		 "Fitted to %zu published times; root mean square of the relative errors %.1f %%.",
		 f.rows, 100 * f.rms);
	out_note(&o, "error_us is the standard error: where it is near the value, the data do not "
		     "tell it.");
	out_note(&o, "No time here is that of finding again what a flush of a PID lost: the "
		     "benchmarks");
	out_note(&o, "did not use it.");
	return out_end(&o);
}

/* Percent by which the model is off a published time. */
static double error_of(const struct fit *f, const struct published *row, int after, double *model)
{
	double factor[COSTS];

	factors_of_row(row, after, factor);
	*model = fit_predict(f, factor);
	return 100 * (*model / row->us[after] - 1);
}

int verb_rows(const struct settings *s, struct why *why)
{
	static const struct out_column columns[] = {
		{"op", OUT_WORD, 8, 0},	       {"tables", OUT_WORD, 6, 0},
		{"scope", OUT_WORD, 6, 0},     {"pages", OUT_COUNT, 5, 0},
		{"policy", OUT_WORD, 8, 0},    {"published", OUT_REAL, 9, 1},
		{"model", OUT_REAL, 6, 1},     {"error_pc", OUT_REAL, 8, 1},
		{"unseen_pc", OUT_REAL, 9, 1},
	};
	double worst = 0, worst_unseen = 0;
	struct fit all, others;
	struct out o;

	(void)why;
	fit_published(&all, NONE);
	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t n = 0; n < 2 * ARRAY_SIZE(published); n++) {
		const struct published *row = &published[n / 2];
		int after = n & 1 ? 1 : 0;
		double model, error, other, unseen;

		fit_published(&others, n);
		unseen = error_of(&others, row, after, &other);
		error = error_of(&all, row, after, &model);
		worst = fmax(worst, fabs(error));
		worst_unseen = fmax(worst_unseen, fabs(unseen));
		out_row(&o, operation_names[row->op], row->tables ? "freed" : "kept",
			row->local ? "local" : "global", row->pages, row->policy[after],
			row->us[after], model, error, unseen);
	}
	out_note(&o, "%zu rows: root mean square of the errors %.1f %%, largest %.1f %%.", all.rows,
		 100 * all.rms, worst);
	out_note(&o,
		 "unseen_pc: the error where that row was not among those that were fitted to; "
		 "largest %.1f %%.",
		 worst_unseen);
	out_note(&o, "Published times are rounded to 0.1 us, which is up to 4 %% of the shortest.");
	return out_end(&o);
}

double growth_factor(const struct settings *s, double cpus)
{
	double reference = (double)s->reference;

	switch (s->growth) {
	case GROW_LOG:
		return log2(1 + cpus) / log2(1 + reference);
	case GROW_SQRT:
		return sqrt(cpus / reference);
	case GROW_LINEAR:
		return cpus / reference;
	default:
		return 1;
	}
}

/*
 * With @factor of a call: microseconds, on so many processors and with so many that flush; the
 * part @shared of the time of tlbies excludes others.
 */
static double time_of(const struct settings *s, const struct fit *f, const double *factor,
		      double cpus, double shared)
{
	double all = fit_predict(f, factor), broadcast = 0;

	for (size_t i = 0; i < COSTS; i++)
		if (i == TLBSYNC || i >= TLBIE)
			broadcast += f->value[i] * factor[i];
	all -= broadcast;
	broadcast *= growth_factor(s, cpus);
	all += (1 - shared) * broadcast;
	return all + at_station(s->flushers, all, shared * broadcast);
}

static void predict_row(const struct settings *s, const struct fit *f, uint64_t cpus,
			uint64_t pages, double shared, struct out *o)
{
	struct tlb_policy by_pid = s->policy;
	const struct tlb_policy *policies[] = {tlb_policy_find("before"), &s->policy, &by_pid};
	double us[ARRAY_SIZE(policies)], factor[COSTS];
	struct tlb_plan plan;

	by_pid.ceiling_global = by_pid.ceiling_local = 0;
	for (size_t i = 0; i < ARRAY_SIZE(policies); i++) {
		plan_for(s, policies[i], pages, &plan, NULL);
		factors_of(s, pages, &plan, factor);
		us[i] = time_of(s, f, factor, (double)cpus, shared);
	}
	out_row(o, cpus, pages, us[0], us[1], us[2], us[1] - us[2]);
}

int verb_predict(const struct settings *s, struct why *why)
{
	static const struct out_column columns[] = {
		{"cpus", OUT_COUNT, 6, 0},     {"pages", OUT_COUNT, 6, 0},
		{"before_us", OUT_REAL, 9, 1}, {"policy_us", OUT_REAL, 9, 1},
		{"pid_us", OUT_REAL, 8, 1},    {"refill_us", OUT_REAL, 9, 1},
	};
	double shared = shared_part();
	struct out o;
	struct fit f;

	if (s->op != MUNMAP && s->op != MPROTECT)
		return why_set(why, -EINVAL,
			       "no times were published for %s, only for munmap and mprotect",
			       operation_names[s->op]);
	for (size_t i = 0; i < s->pages.count; i++) {
		struct tlb_plan plan;
		int err = plan_for(s, &s->policy, s->pages.item[i], &plan, why);

		if (err)
			return err;
	}
	fit_published(&f, NONE);
	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < s->cpus.count; i++)
		for (size_t j = 0; j < s->pages.count; j++)
			predict_row(s, &f, s->cpus.item[i], s->pages.item[j], shared, &o);
	out_note(&o, "%s, %s: by Linux 4.14, by policy %s, and if the PID were flushed.",
		 operation_names[s->op], s->local ? "local" : "global", s->policy.name);
	out_note(&o, "refill_us: what a flush of the PID may cost later, in translations to find "
		     "again, before");
	out_note(&o, "addresses are the better choice.");
	out_note(&o,
		 "Assumed: a tlbie's time grows with the processors (--growth %s), and those of "
		 "the table",
		 growth_names[s->growth]);
	out_note(&o,
		 "are of a machine with %llu (--reference). From tlbsim fork: %.0f %% of it "
		 "excludes others.",
		 (unsigned long long)s->reference, 100 * shared);
	return out_end(&o);
}
