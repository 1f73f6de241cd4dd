// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures of the XICS model: xics [GROUP...], by default all. A line is NAME VALUE, and
 * for what was measured in rounds VALUE is the median and the quartiles follow it. Costs
 * are in uncontended compare-and-swaps. tools/bench/native makes figures of them.
 */
#include "lib/util.h"
#include "tools/bench/xics/bench.h"

static const struct group groups[] = {
	{"cycle", bench_cycle},	  {"resend", bench_resend}, {"threads", bench_threads},
	{"lookup", bench_lookup}, {"memory", bench_memory},
};

int main(int argc, char **argv)
{
	return groups_run(argc, argv, groups, ARRAY_SIZE(groups));
}
