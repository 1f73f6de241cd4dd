// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/stop.h"
#include "lib/util.h"
#include "lib/why.h"
#include "vmm/verbs.h"

#ifndef PAPRIKA_VERSION
#define PAPRIKA_VERSION "0.1"
#endif

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} verbs[] = {
	{"run", verb_run, "boot a guest"},
	{"debug", verb_debug, "look into a running guest's monitor"},
	{"version", verb_version, "print the version"},
	{"help", verb_help, "print this text, or the options of a verb"},
};

int verb_run(int argc, char **argv)
{
	struct run_options options;
	struct why why;

	switch (options_parse(&options, argc, argv, &why)) {
	case OPTIONS_HELP:
		fputs(run_help, stdout);
		return 0;
	case OPTIONS_BAD:
		fprintf(stderr, "paprika run: %s\n", why.text);
		return EXIT_USAGE;
	case OPTIONS_RUN:
		break;
	}
	return run_guest(&options);
}

int verb_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("paprika %s\n", PAPRIKA_VERSION);
	return 0;
}

static int find_verb(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].name, name))
			return (int)i;
	return -1;
}

int verb_help(int argc, char **argv)
{
	char *ask_verb[] = {argc > 1 ? argv[1] : NULL, "--help", NULL};

	if (argc > 1 && !strcmp(argv[1], "run"))
		return verb_run(2, ask_verb);
	if (argc > 1 && !strcmp(argv[1], "debug"))
		return verb_debug(2, ask_verb);
	if (argc > 1 && find_verb(argv[1]) < 0) {
		fprintf(stderr, "paprika help: unknown verb '%.64s'\n", argv[1]);
		return EXIT_USAGE;
	}
	printf("usage: paprika VERB [options]\n\n"
	       "A small monitor for PAPR guests under KVM on 64-bit POWER.\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].summary);
	printf("\n'paprika help VERB' shows a verb's options.\n");
	return 0;
}

/* A closed standard stream would give its number to the next file that is opened. */
static void ensure_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	struct why why;
	int verb;

	ensure_standard_fds();
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help";
	else if (!strcmp(name, "--version"))
		name = "version";
	verb = find_verb(name);
	if (verb < 0) {
		why_set(&why, -EINVAL, "%s'%s' (paprika help lists the verbs)",
			argc > 1 ? "unknown verb " : "no verb given ", name);
		fprintf(stderr, "paprika: %s\n", why.text);
		return EXIT_USAGE;
	}
	return verbs[verb].run(argc - 1, argv + 1);
}
