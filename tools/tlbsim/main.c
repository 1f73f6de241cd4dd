// SPDX-License-Identifier: GPL-2.0-only
/* tlbsim: what TLB flushes execute, cost, and how that grows. docs/TLB.md. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/stop.h"
#include "lib/util.h"
#include "tools/tlbsim/tlbsim.h"

static const struct {
	const char *name, *summary;
	unsigned int bit;
	int (*run)(const struct settings *s, struct why *why);
} verbs[] = {
	{"counts", "instructions and barriers of one flush", VERB_COUNTS, verb_counts},
	{"costs", "what each of them costs, fitted to published times", VERB_COSTS, verb_costs},
	{"rows", "the published times, the model's, and the errors", VERB_ROWS, verb_rows},
	{"predict", "times of a global flush with more processors", VERB_PREDICT, verb_predict},
	{"fork", "hash guests that fork, with a lock around tlbie and without", VERB_FORK,
	 verb_fork},
	{"pollution", "e500mc: flushes when virtual processors take turns", VERB_POLLUTION,
	 verb_pollution},
};

static const struct settings defaults = {
	.machine = {.page_shift = 16, .sets = 128, .thp = true, .gtse = true},
	.pages = {{33}, 1},
	.ceiling_global = CEILING_OF_POLICY,
	.ceiling_local = CEILING_OF_POLICY,
	.growth = GROW_LOG,
	.reference = 32,
	.flushers = 1,
	.host_cpus = 1,
	.partitions = 2,
	.vcpus = 1,
	.slice_us = 6000,
	.measured_slice_us = 6000,
	.entries = 384,
};

static int help(void)
{
	puts("usage: tlbsim VERB [options]\n\n"
	     "What kernels on POWER flush from the TLB, by the policies of mmu/, and what that "
	     "costs\n"
	     "by a model that is fitted to published times. docs/TLB.md says how far to trust "
	     "it.\n");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].summary);
	puts("\n'tlbsim VERB --help' shows a verb's options. Exit codes: 0; 1 output or a file "
	     "failed;\n"
	     "2 usage, or a schedule that is none.");
	return 0;
}

static int run(size_t verb, int argc, char **argv)
{
	static struct settings s;
	struct why why = {"output failed"};
	int err;

	for (int a = 0; a < argc; a++)
		if (!strcmp(argv[a], "--help") || !strcmp(argv[a], "-h")) {
			printf("usage: tlbsim %s [options]\n\n%s.\n\n", verbs[verb].name,
			       verbs[verb].summary);
			settings_help(verbs[verb].bit);
			return 0;
		}
	s = defaults;
	s.policy = *tlb_policy_find("linux-6.12");
	for (uint64_t n = verbs[verb].bit == VERB_FORK ? 1 : 32; n <= 1024; n *= 2)
		s.cpus.item[s.cpus.count++] = n;
	err = settings_parse(&s, verbs[verb].bit, argc, argv, &why);
	if (err || (err = verbs[verb].run(&s, &why)))
		fprintf(stderr, "tlbsim %s: %s\n", verbs[verb].name, why.text);
	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_FAILED : 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	struct why why;

	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return help();
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(name, verbs[i].name))
			return run(i, argc - 2, argv + 2);
	why_set(&why, -EINVAL, argc > 1 ? "unknown verb '%s'" : "no verb given%s", name);
	fprintf(stderr, "tlbsim: %s (tlbsim --help lists them)\n", why.text);
	return EXIT_USAGE;
}
