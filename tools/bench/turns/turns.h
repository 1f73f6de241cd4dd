/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Costs of models in units of one uncontended compare-and-swap, which is what no
 * implementation without a big lock can do without. Bare times would say more of the
 * machine than of the model.
 */
#ifndef BENCH_TURNS_TURNS_H
#define BENCH_TURNS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is measured: do it @n times. */
struct subject {
	char name[40];
	void (*run)(void *ctx, unsigned long n);
	void *ctx;
	void (*prepare)(void *ctx, unsigned long n); /* before the clock starts, or NULL */
	unsigned long most;			     /* for n in a turn, or 0 */
};

/* The median of many rounds, and where the middle half of them lies. */
struct figure {
	double median, low, high;
};

struct figure figure_of(double *values, size_t n);
void figure_print(const char *name, struct figure f);

/*
 * Take turns, round after round: some compare-and-swaps, then some of each subject. What
 * is printed of a subject is the figure of its rounds' ratios, so that what slows the
 * whole machine for a while cancels out, and a moment that hits one turn is outvoted.
 */
void compare(const struct subject *subjects, size_t n);

/* The unit: @n times five, as deliver, accept and EOI of an MSI cannot avoid. */
#define CAS_A_CYCLE 5
struct cas_lines;
struct cas_lines *cas_lines_new(void);
void cas_run(void *lines, unsigned long n);

/* Who takes part: both threads do the same, each with its own. */
#define CONTEST_ROUNDS 51 /* that count */
struct contest {
	const char *name;
	void (*run)(void *ctx, unsigned long n);
	void *ctx[2];
	unsigned long n; /* in a turn */
	double ratios[CONTEST_ROUNDS];
	unsigned int tried, counted;
};

/* What two threads get done in the time in which one gets one done. */
void contests_run(struct contest *contests, size_t n);
void contests_print(struct contest *contests, size_t n);

/* What the model counted must be what was done: else it was not what we think. */
void check_counter(const char *what, uint64_t counted, uint64_t done);

/* Figures that can be had alone. */
struct group {
	const char *name;
	void (*run)(void);
};

/* Run those that the words name, or all, on one CPU. The exit code. */
int groups_run(int argc, char **argv, const struct group *groups, size_t n);

double now_ns(void);
void pin_to_cpu(int cpu);
/* The CPU number @i of those that we may use, or -1. */
int allowed_cpu(int i);
_Noreturn void fail(const char *what);

#endif
