// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads, each with its own.
 *
 * Each turn is one of: the first thread alone, the second alone, both at once. A turn in
 * which a thread did not have its CPU all the time, or the two did not run at once, says
 * nothing and does not count. To make that rare where others use the CPUs as well, turns
 * are short, and who has nothing to do sleeps: who comes from sleep runs first.
 *
 * LOCKING
 *
 * The second thread's side and `stop` are the first's but from `go` until it finds its
 * turn's number in `done`.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tools/bench/turns/turns.h"

#define PATIENCE 2000 /* rounds */
#define TURN_NS	 150000.0
#define REST_US	 1000 /* between rounds */
#define SPARE	 0.03 /* of a turn, may go by without the CPU: interrupts do that */

struct side {
	void (*run)(void *ctx, unsigned long n);
	void *ctx;
	unsigned long n;
	double start, end, cpu;
};

struct pair {
	struct side sides[2];
	unsigned int turns; /* of the second thread */
	bool stop;
	sem_t go;
	/* The number of the turn: the second thread is awake, shall start, has done it. */
	_Alignas(64) atomic_uint ready;
	_Alignas(64) atomic_uint start;
	_Alignas(64) atomic_uint done;
};

static double thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void side_run(struct side *side)
{
	double cpu = thread_ns();

	side->start = now_ns();
	side->run(side->ctx, side->n);
	side->end = now_ns();
	side->cpu = thread_ns() - cpu;
}

static bool had_its_cpu(const struct side *side)
{
	return side->end - side->start <= side->cpu * (1 + SPARE);
}

static void wait_for(const atomic_uint *word, unsigned int value)
{
	for (unsigned int spins = 0; atomic_load(word) != value; spins++)
		if (spins > 10000)
			sched_yield();
}

static void *second(void *arg)
{
	struct pair *pair = arg;

	pin_to_cpu(allowed_cpu(1));
	for (unsigned int number = 1;; number++) {
		while (sem_wait(&pair->go)) {
		}
		if (pair->stop)
			return NULL;
		atomic_store(&pair->ready, number);
		wait_for(&pair->start, number);
		side_run(&pair->sides[1]);
		atomic_store(&pair->done, number);
	}
}

/* The wall time of the turn, or 0 if it does not count. */
static double turn(struct pair *pair, bool first_runs, bool second_runs)
{
	struct side *a = &pair->sides[0], *b = &pair->sides[1];
	double start, end, late;

	if (second_runs) {
		pair->turns++;
		sem_post(&pair->go);
		wait_for(&pair->ready, pair->turns);
		atomic_store(&pair->start, pair->turns);
	}
	if (first_runs)
		side_run(a);
	if (second_runs)
		wait_for(&pair->done, pair->turns);
	if ((first_runs && !had_its_cpu(a)) || (second_runs && !had_its_cpu(b)))
		return 0;
	if (!first_runs)
		return b->end - b->start;
	if (!second_runs)
		return a->end - a->start;
	start = a->start < b->start ? a->start : b->start;
	end = a->end > b->end ? a->end : b->end;
	/* Not at once, if one of them was late. */
	late = fabs(a->start - b->start);
	return late <= (end - start) * SPARE ? end - start : 0;
}

/* What two get done in the time in which one gets one done, or 0. */
static double speed_up(struct pair *pair)
{
	double first = turn(pair, true, false);
	double second = turn(pair, false, true);
	double both = turn(pair, true, true);

	return first && second && both ? (first + second) / both : 0;
}

static void contest_size(struct contest *c)
{
	struct side side = {.run = c->run, .ctx = c->ctx[0], .n = 1};

	do {
		side.n *= 2;
		side_run(&side);
	} while (side.end - side.start < TURN_NS);
	c->n = side.n;
}

static void contest_try(struct contest *c, struct pair *pair)
{
	double ratio;

	for (size_t i = 0; i < 2; i++)
		pair->sides[i] = (struct side){.run = c->run, .ctx = c->ctx[i], .n = c->n};
	usleep(REST_US);
	c->tried++;
	ratio = speed_up(pair);
	if (ratio)
		c->ratios[c->counted++] = ratio;
}

void contests_run(struct contest *contests, size_t n)
{
	struct pair pair = {0};
	pthread_t thread;

	for (size_t i = 0; i < n; i++)
		contest_size(&contests[i]);
	if (sem_init(&pair.go, 0, 0) || pthread_create(&thread, NULL, second, &pair))
		fail("no thread");
	for (unsigned int round = 0; round < PATIENCE; round++)
		for (size_t i = 0; i < n; i++)
			if (contests[i].counted < CONTEST_ROUNDS)
				contest_try(&contests[i], &pair);
	pair.stop = true;
	sem_post(&pair.go);
	pthread_join(thread, NULL);
}

void contests_print(struct contest *contests, size_t n)
{
	unsigned int tried = 0;

	for (size_t i = 0; i < n; i++) {
		struct contest *c = &contests[i];

		if (c->counted < CONTEST_ROUNDS)
			fail("two CPUs were hardly ever free at once: no figures of two threads");
		tried += c->tried;
		figure_print(c->name, figure_of(c->ratios, CONTEST_ROUNDS));
	}
	printf("threads.counted %zu\n", 100 * n * CONTEST_ROUNDS / tried);
}
