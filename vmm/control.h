/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way into a running monitor: an abstract Unix socket named after the guest, which
 * leaves nothing behind however the monitor ends. One request a connection, from root or
 * the monitor's own user (control_wire.h, requests.h).
 */
#ifndef VMM_CONTROL_H
#define VMM_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/why.h"
#include "vmm/control_wire.h"
#include "vmm/loop.h"

#define CONTROL_PEERS 4 /* connections at a time */

struct vm;
struct control;

struct control_peer {
	struct control *control;
	struct loop_op op;
	int fd;	   /* -1: free */
	char *buf; /* the request's message, then the answer's */
	size_t len, done;
	bool moved; /* something went on since the clock last looked */
};

struct control {
	struct loop *loop;
	struct vm *vm;
	int fd;
	uid_t uid; /* the monitor's */
	struct loop_op accept_op, clock_op;
	bool clock_runs, accepts;
	struct control_peer peers[CONTROL_PEERS];
};

/*
 * Listen as @name; or, where that is only the default and taken, as "name-PID", and say
 * so. 0, or negative errno with @why set.
 */
int control_open(struct control *control, const char *name, bool is_default, struct why *why);

/* Serve, on @loop. */
void control_start(struct control *control, struct loop *loop, struct vm *vm);
void control_fini(struct control *control);

#endif
