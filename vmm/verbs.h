/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs of the command line: each takes its own words and returns the exit code. */
#ifndef VMM_VERBS_H
#define VMM_VERBS_H

int verb_run(int argc, char **argv);
int verb_version(int argc, char **argv);
int verb_help(int argc, char **argv);

#endif
