// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlbsim fork: what a lock around tlbie costs, from a benchmark of 2018. Virtual processors fork,
 * each for itself; a fork's tlbies take turns with those of others, all of them under the lock,
 * a part of them without, where tlbies meet on the way between processors.
 */
#include <math.h>

#include "lib/util.h"
#include "tools/tlbsim/tlbsim.h"

/*
 * Published with "KVM: PPC: Book3S HV: lockless tlbie for HPT hcalls" (2018): POWER9, a hash guest
 * of 32 virtual processors, 32 instances of the fork benchmark; forks a second, and the part of
 * the host's time in do_tlbies.
 */
#define MEASURED_VCPUS 32

enum measured {
	LOCKED_RATE,
	LOCKED_PART,
	LOCKLESS_RATE,
	LOCKLESS_PART,
	MEASURED,
};

static const struct {
	const char *name;
	double value;
	int digits;
} measured[MEASURED] = {
	{"forks/s with the lock", 13500, 0},
	{"time in do_tlbies with it", 0.745, 3},
	{"forks/s without", 51000, 0},
	{"time in do_tlbies without", 0.21, 3},
};

/* Seconds a fork. */
enum {
	OTHER,	/* not in do_tlbies */
	OWN,	/* in tlbies that others do not wait for */
	SHARED, /* and in what goes on for one at a time */
	DEMANDS,
};

double at_station(uint64_t n, double alone, double service)
{
	double waiting = 0, time = 0;

	for (uint64_t k = 1; k <= n; k++) {
		time = service * (1 + waiting);
		waiting = (double)k * time / (alone + time);
	}
	return time;
}

/* What the benchmark would have measured. */
static void measure(const double *demand, uint64_t vcpus, double *out)
{
	double locked = at_station(vcpus, demand[OTHER], demand[OWN] + demand[SHARED]);
	double lockless =
		demand[OWN] + at_station(vcpus, demand[OTHER] + demand[OWN], demand[SHARED]);

	out[LOCKED_RATE] = (double)vcpus / (demand[OTHER] + locked);
	out[LOCKED_PART] = locked / (demand[OTHER] + locked);
	out[LOCKLESS_RATE] = (double)vcpus / (demand[OTHER] + lockless);
	out[LOCKLESS_PART] = lockless / (demand[OTHER] + lockless);
}

static double squares(const double *demand)
{
	double model[MEASURED], sum = 0;

	measure(demand, MEASURED_VCPUS, model);
	for (size_t i = 0; i < MEASURED; i++)
		sum += pow(model[i] / measured[i].value - 1, 2);
	return sum;
}

/* One demand up or down by a factor while that helps, then by a smaller one. */
static void fit_demands(double *demand)
{
	double best;

	demand[OTHER] = 500e-6;
	demand[OWN] = demand[SHARED] = 50e-6;
	best = squares(demand);
	for (double step = 0.3; step > 1e-7;) {
		bool better = false;

		for (int i = 0; i < 2 * DEMANDS; i++) {
			double *d = &demand[i / 2], old = *d, now;

			*d = i % 2 ? old * (1 + step) : old / (1 + step);
			now = squares(demand);
			if (now < best) {
				best = now;
				better = true;
			} else {
				*d = old;
			}
		}
		if (!better)
			step /= 2;
	}
}

double shared_part(void)
{
	double demand[DEMANDS];

	fit_demands(demand);
	return demand[SHARED] / (demand[OWN] + demand[SHARED]);
}

int verb_fork(const struct settings *s, struct why *why)
{
	static const struct out_column columns[] = {
		{"vcpus", OUT_COUNT, 6, 0},
		{"lock_per_s", OUT_REAL, 10, 0},
		{"lock_tlbies_pc", OUT_REAL, 14, 1},
		{"lockless_per_s", OUT_REAL, 14, 0},
		{"lockless_tlbies_pc", OUT_REAL, 18, 1},
	};
	double demand[DEMANDS], model[MEASURED];
	struct out o;

	(void)why;
	fit_demands(demand);
	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < s->cpus.count; i++) {
		double factor = growth_factor(s, (double)s->cpus.item[i]);
		double grown[DEMANDS] = {demand[OTHER], demand[OWN] * factor,
					 demand[SHARED] * factor};

		measure(grown, s->cpus.item[i], model);
		out_row(&o, s->cpus.item[i], model[LOCKED_RATE], 100 * model[LOCKED_PART],
			model[LOCKLESS_RATE], 100 * model[LOCKLESS_PART]);
	}
	measure(demand, MEASURED_VCPUS, model);
	for (size_t i = 0; i < MEASURED; i++)
		out_note(&o, "Published for 32, %s: %g; model %.*f, error %.1f %%.",
			 measured[i].name, measured[i].value, measured[i].digits, model[i],
			 100 * (model[i] / measured[i].value - 1));
	out_note(&o,
		 "Three times a fork, determined by these four figures if things are as modelled: "
		 "%.0f us outside of",
		 1e6 * demand[OTHER]);
	out_note(&o,
		 "do_tlbies, %.1f us in tlbies beside those of others, %.1f us in which no other "
		 "gets on.",
		 1e6 * demand[OWN], 1e6 * demand[SHARED]);
	out_note(
		&o,
		"Assumed: a processor for each virtual one; service at random; no cost of the lock "
		"itself;");
	out_note(&o,
		 "tlbies that take longer with more processors (--growth %s) than with %llu "
		 "(--reference).",
		 growth_names[s->growth], (unsigned long long)s->reference);
	return out_end(&o);
}
