/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Costs of the XICS model in units of one uncontended compare-and-swap, which is what no
 * implementation without a big lock can do without. Bare times would say more of the
 * machine than of the model.
 */
#ifndef BENCH_XICS_BENCH_H
#define BENCH_XICS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/bench/xics/model.h"

/* What is measured: do it @n times. */
struct subject {
	char name[40];
	void (*run)(void *ctx, unsigned long n);
	void *ctx;
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

/* The unit: @n times the five that deliver, accept and EOI of an MSI cannot avoid. */
#define CAS_A_CYCLE 5
struct cas_lines;
struct cas_lines *cas_lines_new(void);
void cas_run(void *lines, unsigned long n);

/* A model with servers, all receptive, and all sources below @end: MSIs of priority 5. */
struct controller {
	const struct model *model;
	struct xics xics;
};
#define PRIORITY 5
struct controller *controller_new(const struct model *model, uint32_t servers, uint32_t end);
void controller_free(struct controller *m);

/* MSIs of one source, one after the other: the device's edge, H_XIRR, H_EOI. */
struct job {
	struct controller *m;
	uint32_t server, source;
	uint64_t done;
};
void cycle_run(void *job, unsigned long n);
/* All of them were accepted. */
void cycle_check(const struct job *job);
/* What the model counted must be what was done: else it was not what we think. */
void check_counter(const char *what, uint64_t counted, uint64_t done);

double now_ns(void);
void pin_to_cpu(int cpu);
/* The CPU number @i of those that we may use, or -1. */
int allowed_cpu(int i);
_Noreturn void fail(const char *what);

void bench_cycle(void);
void bench_resend(void);
void bench_threads(void);
void bench_lookup(void);
void bench_memory(void);

#endif
