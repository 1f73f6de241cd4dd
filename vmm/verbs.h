/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs of the command line: each takes its own words and returns the exit code. */
#ifndef VMM_VERBS_H
#define VMM_VERBS_H

#include "vmm/options.h"

int verb_run(int argc, char **argv);
int verb_debug(int argc, char **argv);
int verb_version(int argc, char **argv);
int verb_help(int argc, char **argv);

/* What `run` does once its words are read: run.c, or run_nokvm.c where there is no KVM. */
int run_guest(const struct run_options *options);

#endif
