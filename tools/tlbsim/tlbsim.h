/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of tlbsim share: settings from the command line, and the verbs. */
#ifndef TOOLS_TLBSIM_TLBSIM_H
#define TOOLS_TLBSIM_TLBSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/why.h"
#include "mmu/tlb_flush.h"
#include "tools/tlbsim/out.h"

enum operation {
	MUNMAP,
	MPROTECT,
	MREMAP,
	EXIT,
	HPT, /* a hypercall of a hash guest */
};

/* How the time of a tlbie grows with the number of processors it goes to. */
enum growth {
	GROW_NONE,
	GROW_LOG,
	GROW_SQRT,
	GROW_LINEAR,
};

extern const char *const operation_names[], *const growth_names[];

#define LIST_MAX 1024

struct list {
	uint64_t item[LIST_MAX];
	size_t count;
};

#define CEILING_OF_POLICY UINT64_MAX

struct settings {
	enum out_format format;
	struct tlb_policy policy;
	uint64_t ceiling_global, ceiling_local; /* CEILING_OF_POLICY, or instead of those */
	struct tlb_machine machine;
	enum operation op;
	struct list pages; /* a flush has */
	uint64_t offset;   /* base pages from a border of 2 MiB to the first */
	bool local, free_tables;
	bool serialize; /* HPT */
	enum growth growth;
	uint64_t reference; /* processors of the machine that was measured */
	struct list cpus;   /* of those that are asked about */
	uint64_t flushers;  /* at the same time */
	const char *schedule;
	uint64_t host_cpus, partitions, vcpus, slice_us, measured_slice_us, move, entries;
};

/*
 * From the command line, for a verb: 0, or a negative errno. The defaults are in @s already.
 * @verb is the bit of the verb in the table of options.
 */
int settings_parse(struct settings *s, unsigned int verb, int argc, char **argv, struct why *why);
void settings_help(unsigned int verb);

/* Verbs, as a set: whom an option is for. */
enum {
	VERB_COUNTS = 1 << 0,
	VERB_COSTS = 1 << 1,
	VERB_ROWS = 1 << 2,
	VERB_PREDICT = 1 << 3,
	VERB_FORK = 1 << 4,
	VERB_POLLUTION = 1 << 5,
	VERB_ALL = (1 << 6) - 1,
};

/* Each prints its table: 0, or a negative errno. */
int verb_counts(const struct settings *s, struct why *why);
int verb_costs(const struct settings *s, struct why *why);
int verb_rows(const struct settings *s, struct why *why);
int verb_predict(const struct settings *s, struct why *why);
int verb_fork(const struct settings *s, struct why *why);
int verb_pollution(const struct settings *s, struct why *why);

/* A flush as the settings say, of a number of pages, by a policy: 0 or -EINVAL. */
int plan_for(const struct settings *s, const struct tlb_policy *policy, uint64_t pages,
	     struct tlb_plan *plan, struct why *why);

/* By how much a tlbie to @cpus processors takes longer than on the machine measured. */
double growth_factor(const struct settings *s, double cpus);

/*
 * Times in a closed system of @n, each alternately by itself for @alone, and at a station that
 * serves one at a time, for @service each on average: exact mean value analysis. The time at the
 * station, waiting included; the throughput is @n / (@alone + that).
 */
double at_station(uint64_t n, double alone, double service);

/* The part of a tlbie's time in which no other can go on, from the fork benchmark. */
double shared_part(void);

#endif
