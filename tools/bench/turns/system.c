// SPDX-License-Identifier: GPL-2.0-only
/* The clock, the CPUs, and how to end when something is wrong. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tools/bench/turns/turns.h"

void fail(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", program_invocation_short_name, what);
	exit(2);
}

void check_counter(const char *what, uint64_t counted, uint64_t done)
{
	if (counted == done)
		return;
	fprintf(stderr, "bench: %s: %s: %llu counted, %llu done\n", program_invocation_short_name,
		what, (unsigned long long)counted, (unsigned long long)done);
	exit(2);
}

double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static cpu_set_t allowed;

int allowed_cpu(int i)
{
	/* Before anyone is pinned. */
	if (!CPU_COUNT(&allowed) && sched_getaffinity(0, sizeof(allowed), &allowed))
		fail("cannot tell the CPUs");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && i-- == 0)
			return cpu;
	return -1;
}

void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("cannot pin a thread to a CPU");
}
