// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures of the page frame table calls: hpt [GROUP...], by default all. A line is NAME VALUE, and
 * for what was measured in rounds VALUE is the median and the quartiles follow it. Costs
 * are in uncontended compare-and-swaps. tools/bench/native makes figures of them.
 */
#include "lib/util.h"
#include "tools/bench/hpt/bench.h"

static const struct group groups[] = {
	{"pair", bench_pair},
	{"bulk", bench_bulk},
	{"threads", bench_threads},
};

int main(int argc, char **argv)
{
	return groups_run(argc, argv, groups, ARRAY_SIZE(groups));
}
