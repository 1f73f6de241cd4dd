// SPDX-License-Identifier: GPL-2.0-only
/* Taking turns, and what is made of the times. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/bench/turns/turns.h"

#define ROUNDS	301
#define REST_US 1000	/* between rounds: bad moments of the machine last longer than one */
#define TURN_NS 50000.0 /* long against reading the clock, short against a time slice */

struct cas_lines {
	_Alignas(64) _Atomic uint64_t source;
	_Alignas(64) _Atomic uint64_t presenter;
};

struct cas_lines *cas_lines_new(void)
{
	struct cas_lines *lines = aligned_alloc(64, sizeof(*lines));

	if (!lines)
		fail("no memory");
	*lines = (struct cas_lines){0};
	return lines;
}

static inline void cas(_Atomic uint64_t *word)
{
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);

	if (!atomic_compare_exchange_strong(word, &old, old + 1))
		fail("somebody else writes the word");
}

/*
 * In the order of the model: the source is locked; the presenter takes it, is asked for
 * it, and gets its CPPR back; the source is locked again.
 */
void cas_run(void *ctx, unsigned long n)
{
	struct cas_lines *lines = ctx;

	while (n--) {
		cas(&lines->source);
		cas(&lines->presenter);
		cas(&lines->presenter);
		cas(&lines->presenter);
		cas(&lines->source);
	}
}

static int in_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct figure figure_of(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), in_order);
	return (struct figure){
		.median = values[n / 2], .low = values[n / 4], .high = values[n - 1 - n / 4]};
}

void figure_print(const char *name, struct figure f)
{
	printf("%s %.4f %.4f %.4f\n", name, f.median, f.low, f.high);
}

static double turn(const struct subject *s, unsigned long n)
{
	double start;

	if (s->prepare)
		s->prepare(s->ctx, n);
	start = now_ns();
	s->run(s->ctx, n);
	return now_ns() - start;
}

/* How often it is done in a turn; also warms up. */
static unsigned long turn_size(const struct subject *s)
{
	unsigned long n = 1;

	while (turn(s, n) < TURN_NS && (!s->most || 2 * n <= s->most))
		n *= 2;
	return n;
}

void compare(const struct subject *subjects, size_t n)
{
	const struct subject unit = {.name = "cas", .run = cas_run, .ctx = cas_lines_new()};
	unsigned long unit_size = turn_size(&unit);
	unsigned long *sizes = calloc(n, sizeof(*sizes));
	double *ratios = calloc(n * ROUNDS, sizeof(*ratios));

	if (!sizes || !ratios)
		fail("no memory");
	for (size_t i = 0; i < n; i++)
		sizes[i] = turn_size(&subjects[i]);
	for (size_t round = 0; round < ROUNDS; round++) {
		double cas;

		usleep(REST_US);
		cas = turn(&unit, unit_size) / (double)(unit_size * CAS_A_CYCLE);

		for (size_t i = 0; i < n; i++)
			ratios[i * ROUNDS + round] =
				turn(&subjects[i], sizes[i]) / (double)sizes[i] / cas;
	}
	for (size_t i = 0; i < n; i++)
		figure_print(subjects[i].name, figure_of(&ratios[i * ROUNDS], ROUNDS));
	free(ratios);
	free(sizes);
	free(unit.ctx);
}
