/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stress: loads for Linux guests that tell by themselves when something goes wrong.
 *
 * A load is run by some processes, the workers, at once, for some seconds. Each does one
 * round after another, counts them in memory that all share, and counts what was not as it
 * should be: a mismatch. The first process watches that every count moves.
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
	unsigned int seconds, workers, pages, stall; /* stall: seconds without a round */
	uint64_t seed;
	bool global; /* a second thread uses the same memory, on another CPU */
};

struct worker {
	_Atomic uint64_t rounds, mismatches;
	_Atomic uint64_t ns; /* in the calls that are measured; 0: the load's time is what counts */
	_Atomic uint64_t ended_ns; /* when it was done */
	unsigned int number;	   /* from 0 */
	uint64_t random;
};

struct load {
	const char *name, *unit; /* what a round is */
	void (*run)(struct worker *w);
	bool range; /* its name is followed by the range: "-PAGES-local" or "-global" */
};

/* The word that makes the program end at once: what exec runs. */
#define EXEC_TARGET "exec-target"

extern const struct options *const options;
extern const struct load loads_fork[], loads_cow[], loads_range[], loads_ipi[], loads_memory[];

/* One round is done. False when time is over. */
bool next_round(struct worker *w);

/* Say what is wrong, the first few times, and count it. */
void mismatch(struct worker *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The worker cannot go on: says WHAT and errno, counts a mismatch and ends the process. */
_Noreturn void give_up(struct worker *w, const char *what);

uint64_t now_ns(void);
size_t page_size(void);

/* The next of the worker's numbers, which follow from the seed. */
uint64_t next_random(struct worker *w);

/* A value that no other page, word or ID has. */
uint64_t value(uint64_t id, size_t page, size_t word);

/* Stay on the Nth of the CPUs that are online, counted around. */
void stay_on(unsigned int n);

/* PAGES of new memory of this process alone; gives up if there is none. */
void *map_pages(struct worker *w, size_t pages);

#endif
