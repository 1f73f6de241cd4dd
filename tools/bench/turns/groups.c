// SPDX-License-Identifier: GPL-2.0-only
/* The main program of a bench: all groups, or those that the command line names. */
#include <stdio.h>
#include <string.h>

#include "tools/bench/turns/turns.h"

static bool wanted(int argc, char **argv, const char *name)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

int groups_run(int argc, char **argv, const struct group *groups, size_t n)
{
	pin_to_cpu(allowed_cpu(0));
	for (size_t i = 0; i < n; i++) {
		if (!wanted(argc, argv, groups[i].name))
			continue;
		groups[i].run();
		fflush(stdout);
	}
	return 0;
}
