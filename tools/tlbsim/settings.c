// SPDX-License-Identifier: GPL-2.0-only
/* The options of tlbsim: one table for all verbs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/size.h"
#include "lib/util.h"
#include "tools/tlbsim/tlbsim.h"

#define PAGES_MAX (1ull << 40)
#define CPUS_MAX  65536

const char *const operation_names[] = {"munmap", "mprotect", "mremap", "exit", "hpt", NULL};
const char *const growth_names[] = {"none", "log", "sqrt", "linear", NULL};

static int set_number(uint64_t *to, const char *text, uint64_t min, uint64_t max, struct why *why)
{
	uint64_t n = 0;

	if (parse_number(text, max, &n) || n < min)
		return why_set(why, -EINVAL, "'%s' is not a number of %llu to %llu", text,
			       (unsigned long long)min, (unsigned long long)max);
	*to = n;
	return 0;
}

/* N, N-M, and such with commas between; @text is changed. */
static int set_list(struct list *list, char *text, uint64_t max, struct why *why)
{
	char *rest = text, *item;

	list->count = 0;
	while ((item = strsep(&rest, ","))) {
		char *dash = strchr(item, '-');
		uint64_t first = 0, last = 0;

		if (dash)
			*dash = '\0';
		if (set_number(&first, item, 1, max, why) ||
		    set_number(&last, dash ? dash + 1 : item, 1, max, why))
			return -EINVAL;
		if (first > last)
			return why_set(why, -EINVAL, "a list runs from %s down to %s", item,
				       dash + 1);
		if (last - first >= LIST_MAX - list->count)
			return why_set(why, -EINVAL, "a list has more than %d numbers", LIST_MAX);
		while (first <= last)
			list->item[list->count++] = first++;
	}
	return 0;
}

static int set_word(const char *const *words, const char *text, int *place, struct why *why)
{
	char all[100] = "";

	for (int i = 0; words[i]; i++) {
		if (!strcmp(words[i], text)) {
			*place = i;
			return 0;
		}
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "",
			 words[i]);
	}
	return why_set(why, -EINVAL, "'%s' is none of %s", text, all);
}

static int set_op(struct settings *s, char *text, struct why *why)
{
	int place = 0, err = set_word(operation_names, text, &place, why);

	s->op = (enum operation)place;
	return err;
}

static int set_growth(struct settings *s, char *text, struct why *why)
{
	int place = 0, err = set_word(growth_names, text, &place, why);

	s->growth = (enum growth)place;
	return err;
}

static int set_policy(struct settings *s, char *text, struct why *why)
{
	const struct tlb_policy *policy = tlb_policy_find(text);
	const char *names[16] = {NULL};
	int place;

	for (size_t n = 0; !policy && tlb_policy_nth(n); n++)
		names[n] = tlb_policy_nth(n)->name;
	if (!policy)
		return set_word(names, text, &place, why);
	s->policy = *policy;
	return 0;
}

static const struct {
	const char *name;
	uint32_t sets;
	bool erat_bug, stq_bug;
} processors[] = {
	{"power9", 128, false, false},
	{"power9-dd2.2", 128, true, true},
	{"power9-dd2.3", 128, true, false},
	{"power10", 1, false, false},
};

static int set_processor(struct settings *s, char *text, struct why *why)
{
	const char *names[ARRAY_SIZE(processors) + 1] = {NULL};
	int place = 0, err;

	for (size_t i = 0; i < ARRAY_SIZE(processors); i++)
		names[i] = processors[i].name;
	err = set_word(names, text, &place, why);
	s->machine.sets = processors[place].sets;
	s->machine.erat_bug = processors[place].erat_bug;
	s->machine.stq_bug = processors[place].stq_bug;
	return err;
}

static int set_page_size(struct settings *s, char *text, struct why *why)
{
	static const char *const sizes[] = {"4K", "64K", NULL};
	int place = 0, err = set_word(sizes, text, &place, why);

	s->machine.page_shift = place ? 16 : 12;
	return err;
}

static int set_pages(struct settings *s, char *text, struct why *why)
{
	return set_list(&s->pages, text, PAGES_MAX, why);
}

static int set_cpus(struct settings *s, char *text, struct why *why)
{
	return set_list(&s->cpus, text, CPUS_MAX, why);
}

static int set_schedule(struct settings *s, char *text, struct why *why)
{
	(void)why;
	s->schedule = text;
	return 0;
}

#define FLAG(name, to, value)                                                                      \
	static int name(struct settings *s, char *text, struct why *why)                           \
	{                                                                                          \
		(void)text;                                                                        \
		(void)why;                                                                         \
		s->to = value;                                                                     \
		return 0;                                                                          \
	}
FLAG(set_csv, format, OUT_CSV)
FLAG(set_json, format, OUT_JSON)
FLAG(set_local, local, true)
FLAG(set_free_tables, free_tables, true)
FLAG(set_serialize, serialize, true)
FLAG(set_no_thp, machine.thp, false)
FLAG(set_no_gtse, machine.gtse, false)

#define NUMBER(name, to, min, max)                                                                 \
	static int name(struct settings *s, char *text, struct why *why)                           \
	{                                                                                          \
		return set_number(&s->to, text, min, max, why);                                    \
	}
NUMBER(set_ceiling_global, ceiling_global, 0, UINT32_MAX)
NUMBER(set_ceiling_local, ceiling_local, 0, UINT32_MAX)
NUMBER(set_offset, offset, 0, PAGES_MAX)
NUMBER(set_reference, reference, 1, CPUS_MAX)
NUMBER(set_flushers, flushers, 1, CPUS_MAX)
NUMBER(set_host_cpus, host_cpus, 1, 256)
NUMBER(set_partitions, partitions, 1, 64)
NUMBER(set_vcpus, vcpus, 1, 256)
NUMBER(set_slice, slice_us, 1, 1000000)
NUMBER(set_measured_slice, measured_slice_us, 1, 1000000)
NUMBER(set_move, move, 0, 1000000)
NUMBER(set_entries, entries, 1, 65536)

#define FLUSH (VERB_COUNTS | VERB_PREDICT)
#define GROWS (VERB_PREDICT | VERB_FORK)

/* The order of the help text; of those that set the same, the last on the command line holds. */
static const struct {
	const char *name, *value;
	unsigned int verbs;
	int (*set)(struct settings *s, char *text, struct why *why);
	const char *help;
} options[] = {
	{"pages", "LIST", FLUSH, set_pages,
	 "pages of a flush: numbers and ranges, as 1,2,30-35 (33)"},
	{"op", "OP", FLUSH, set_op,
	 "munmap or mprotect; counts: mremap, exit and hpt, too (munmap)"},
	{"local", NULL, FLUSH, set_local, "a process that ran on one processor: tlbiel"},
	{"free-tables", NULL, FLUSH, set_free_tables, "page tables are freed, too"},
	{"policy", "NAME", FLUSH, set_policy,
	 "before, barriers, ranges, ceilings, after, linux-6.12 (linux-6.12)"},
	{"ceiling-global", "N", FLUSH, set_ceiling_global,
	 "more pages than this flush the PID (33)"},
	{"ceiling-local", "N", FLUSH, set_ceiling_local, "the same, local (256)"},
	{"page-size", "SIZE", VERB_COUNTS, set_page_size, "4K or 64K (64K)"},
	{"offset", "N", FLUSH, set_offset, "pages from a border of 2 MiB to the first (0)"},
	{"cpu", "NAME", VERB_COUNTS, set_processor,
	 "power9, power9-dd2.2, power9-dd2.3 or power10 (power9)"},
	{"no-thp", NULL, VERB_COUNTS, set_no_thp, "no transparent huge pages"},
	{"no-gtse", NULL, VERB_COUNTS, set_no_gtse, "a guest that may not use tlbie"},
	{"serialize", NULL, VERB_COUNTS, set_serialize, "hpt: under a lock"},
	{"cpus", "LIST", GROWS, set_cpus, "processors, or virtual ones that fork"},
	{"growth", "HOW", GROWS, set_growth,
	 "of a tlbie's time with processors: none, log, sqrt, linear (log)"},
	{"reference", "N", GROWS, set_reference,
	 "processors of the machine that was measured (32)"},
	{"flushers", "N", VERB_PREDICT, set_flushers, "processors that flush at the same time (1)"},
	{"schedule", "FILE", VERB_POLLUTION, set_schedule,
	 "lines of CPU LPID VCPU instead of the following"},
	{"host-cpus", "N", VERB_POLLUTION, set_host_cpus, "processors (1)"},
	{"partitions", "N", VERB_POLLUTION, set_partitions, "guests (2)"},
	{"vcpus", "N", VERB_POLLUTION, set_vcpus, "virtual processors of each (1)"},
	{"slice", "US", VERB_POLLUTION, set_slice, "microseconds that one runs at a time (6000)"},
	{"measured-slice", "US", VERB_POLLUTION, set_measured_slice,
	 "the same, of the run that was published (6000)"},
	{"move", "N", VERB_POLLUTION, set_move,
	 "turns after which all move to the next processor (0)"},
	{"entries", "N", VERB_POLLUTION, set_entries, "translations in use: 75 % of 512 (384)"},
	{"csv", NULL, VERB_ALL, set_csv, "print CSV"},
	{"json", NULL, VERB_ALL, set_json, "print JSON"},
};

void settings_help(unsigned int verb)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		char left[40];

		if (!(options[i].verbs & verb))
			continue;
		snprintf(left, sizeof(left), "--%s %s", options[i].name,
			 options[i].value ? options[i].value : "");
		printf("  %-20s  %s\n", left, options[i].help);
	}
}

/* --NAME: its place, or negative. */
static int find_option(const char *text, unsigned int verb)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (!strncmp(text, "--", 2) && !strcmp(text + 2, options[i].name) &&
		    (options[i].verbs & verb))
			return (int)i;
	return -1;
}

int settings_parse(struct settings *s, unsigned int verb, int argc, char **argv, struct why *why)
{
	for (int a = 0; a < argc; a++) {
		char *equals = strchr(argv[a], '='), *value = NULL;
		struct why what;
		int i, err;

		if (equals)
			*equals = '\0';
		i = find_option(argv[a], verb);
		if (i < 0)
			return why_set(why, -EINVAL, "no option '%s'", argv[a]);
		if (!options[i].value && equals)
			return why_set(why, -EINVAL, "%s has no value", argv[a]);
		if (options[i].value) {
			value = equals ? equals + 1 : argv[a + 1];
			if (!value)
				return why_set(why, -EINVAL, "%s needs a value", argv[a]);
		}
		err = options[i].set(s, value, &what);
		if (err)
			return why_set(why, err, "%s: %s", argv[a], what.text);
		a += options[i].value && !equals;
	}
	if (s->ceiling_global != CEILING_OF_POLICY)
		s->policy.ceiling_global = (uint32_t)s->ceiling_global;
	if (s->ceiling_local != CEILING_OF_POLICY)
		s->policy.ceiling_local = (uint32_t)s->ceiling_local;
	return 0;
}
