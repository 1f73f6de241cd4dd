/* SPDX-License-Identifier: GPL-2.0-only */
/* Costs of the page frame table calls, in the unit of turns.h. */
#ifndef BENCH_HPT_BENCH_H
#define BENCH_HPT_BENCH_H

#include "hcall/hcall.h"
#include "tools/bench/turns/turns.h"

#define ORDER HPT_ORDER_MIN
#define COUNT (1ul << (ORDER - 4)) /* entries */

/*
 * A machine that has nothing but a table: its processors need not be stopped. With
 * @flush_cas the table has a backing, which takes so many compare-and-swaps for each
 * call that invalidates, whatever it is told to, as KVM takes one system call, or
 * hardware one wait for all processors.
 */
struct table {
	struct machine machine;
	struct hcpu cpu;
	unsigned int flush_cas;
	struct cas_lines *lines;
	uint64_t invalidates;
};
struct table *table_new(bool backed, unsigned int flush_cas);
void table_free(struct table *t);

/* A call that must succeed. */
void must_succeed(int64_t ret);

/* H_ENTER into a group and H_REMOVE of what was entered. */
struct job {
	int64_t (*enter)(void *table, uint64_t args[HCALL_ARGS]);
	int64_t (*remove)(void *table, uint64_t args[HCALL_ARGS]);
	void *table;
	uint64_t group; /* its first entry */
};
void pair_run(void *job, unsigned long n);
struct job job_of(struct table *t, uint64_t group);

/* one_lock.c: the naive model of the tests, with one lock. */
void *one_lock_new(void);
void one_lock_free(void *table);
struct job one_lock_job(void *table, uint64_t group);

void bench_pair(void);
void bench_bulk(void);
void bench_threads(void);

#endif
