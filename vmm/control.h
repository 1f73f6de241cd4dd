/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way into a running monitor: an abstract Unix socket named after the guest, which
 * leaves nothing behind however the monitor ends. One request a connection: a line, and
 * for some what follows it; the answer is "passed" and a text, "differ" and what does, or
 * "failed" and why.
 */
#ifndef VMM_CONTROL_H
#define VMM_CONTROL_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "lib/why.h"
#include "vmm/loop.h"

#define CONTROL_REQUEST_MAX 1048576 /* bytes of a request */
#define CONTROL_PEERS	    4	    /* connections at a time */

struct vm;
struct control;

struct control_peer {
	struct control *control;
	struct loop_op op;
	int fd;	   /* -1: free */
	char *buf; /* the request, then what is left of the answer */
	size_t len, done;
};

struct control {
	struct loop *loop;
	struct vm *vm;
	int fd;
	uid_t uid; /* the monitor's */
	struct loop_op accept_op;
	struct control_peer peers[CONTROL_PEERS];
};

/* The address for a name: its length for bind() and connect(). */
socklen_t control_address(const char *name, struct sockaddr_un *to);

/*
 * Listen as @name; or, where that is only the default and taken, as "name-PID". 0, or
 * negative errno with @why set.
 */
int control_open(struct control *control, const char *name, bool is_default, struct why *why);

/* Serve whoever connects and is root or of the monitor's own user, on @loop. */
void control_start(struct control *control, struct loop *loop, struct vm *vm);
void control_fini(struct control *control);

#endif
