// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures of the page frame table calls: hpt [GROUP...], by default all. A line is NAME VALUE, and
 * for what was measured in rounds VALUE is the median and the quartiles follow it. Costs
 * are in uncontended compare-and-swaps. tools/bench/native makes figures of them.
 */
#include <stdio.h>
#include <string.h>

#include "lib/util.h"
#include "tools/bench/hpt/bench.h"

static const struct {
	const char *name;
	void (*run)(void);
} groups[] = {
	{"pair", bench_pair},
	{"bulk", bench_bulk},
	{"threads", bench_threads},
};

static bool wanted(int argc, char **argv, const char *name)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	pin_to_cpu(allowed_cpu(0));
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		if (!wanted(argc, argv, groups[i].name))
			continue;
		groups[i].run();
		fflush(stdout);
	}
	return 0;
}
