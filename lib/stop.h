/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a virtual machine ends: one reason, one exit code of `paprika run`. */
#ifndef LIB_STOP_H
#define LIB_STOP_H

enum stop_reason {
	STOP_NONE,
	STOP_POWER_OFF, /* RTAS power-off */
	STOP_REBOOT,	/* RTAS system-reboot */
	STOP_PANIC,	/* RTAS ibm,os-term */
	STOP_OUTSIDE,	/* a signal or the console's quit key */
	STOP_GUEST,	/* the guest cannot go on: an exit that cannot be served */
	STOP_SANDBOX,	/* a system call the sandbox does not allow */
	STOP_HOST,	/* the host or the monitor failed */
};

enum {
	EXIT_FAILED = 1, /* also STOP_HOST */
	EXIT_USAGE = 2,
};

/* The exit code of `run` for a reason; see docs/paprika.1. */
int stop_exit_code(enum stop_reason reason);

/* The reason in a few words, for messages. */
const char *stop_name(enum stop_reason reason);

#endif
