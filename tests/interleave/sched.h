/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads of a scenario as coroutines, driven through every order in which their
 * accesses to the model can follow each other, or all with a bounded number of
 * preemptions: depth first, each schedule from the start.
 */
#ifndef TESTS_INTERLEAVE_SCHED_H
#define TESTS_INTERLEAVE_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#define THREADS 3
#define EVERY	1000 /* preemptions: more than a schedule can have */

struct scenario {
	const char *name;
	void (*setup)(void); /* once, by itself */
	struct {
		void (*run)(void);
		int server; /* the processor that it is, or DEVICE */
	} threads[THREADS];
	void (*settle)(void); /* when all have ended, before what is pending is served */
	int preemptions;
};

#define DEVICE (-1)

struct outcome {
	unsigned long schedules;
	int preemptions;  /* the bound, */
	bool bounded;	  /* and whether it left schedules out */
	char fault[1000]; /* and the schedule that leads there, or empty */
};

void explore(const struct scenario *s, int preemptions, struct outcome *outcome);

/* The server that the running thread is, or DEVICE; when no thread runs, @otherwise. */
int running_server(int otherwise);

/* What is found wrong; ends the schedule. */
void fault(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
