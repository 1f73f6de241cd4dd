// SPDX-License-Identifier: GPL-2.0-only
/*
 * devices/xics/ under every schedule of some small scenarios, and under mutations that
 * must be found. One line a case, and "N passed, N failed, N skipped" last; with a word
 * as argument, only the cases that have it in their names.
 */
#include <stdio.h>
#include <string.h>

#include "tests/interleave/scenarios.h"

static unsigned int passed, failed;

static void report(bool good, const char *prefix, const char *name, const char *text)
{
	printf("%s - interleave/%s%s: %s\n", good ? "ok" : "not ok", prefix, name, text);
	fflush(stdout);
	good ? passed++ : failed++;
}

static void run_scenario(const struct scenario *s)
{
	struct outcome o;
	char text[100];

	explore(s, s->preemptions, &o);
	if (o.bounded)
		snprintf(text, sizeof(text), "%lu schedules, all with %d preemptions", o.schedules,
			 s->preemptions);
	else
		snprintf(text, sizeof(text), "%lu schedules, all there are", o.schedules);
	report(!o.fault[0], "", s->name, o.fault[0] ? o.fault : text);
}

/* With ever more preemptions, so that the schedule shown is of the simplest. */
static void run_mutant(const struct mutant *m)
{
	struct outcome o = {0};
	char text[sizeof(o.fault) + 100];

	mutation = m->mutation;
	for (int n = 0; n <= m->scenario.preemptions; n++) {
		explore(&m->scenario, n, &o);
		if (o.fault[0])
			break;
	}
	mutation = NO_MUTATION;
	snprintf(text, sizeof(text), "%s", o.fault[0] ? o.fault : "not found");
	report(o.fault[0], "found: ", m->name, text);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	for (const struct scenario *s = scenarios; s->name; s++)
		if (strstr(s->name, word))
			run_scenario(s);
	for (const struct mutant *m = mutants; m->name; m++)
		if (strstr(m->name, word))
			run_mutant(m);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
