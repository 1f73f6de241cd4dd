/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event loop, on io_uring. One thread owns it and runs all callbacks; other
 * threads reach it through an eventfd.
 */
#ifndef VMM_LOOP_H
#define VMM_LOOP_H

#include <liburing.h>
#include <stddef.h>

#include "lib/why.h"

struct loop {
	struct io_uring ring;
};

/*
 * One operation under way. It, and the buffer it works on, must live until done() was
 * called; done() may start it again.
 */
struct loop_op {
	void (*done)(struct loop_op *op, int res); /* bytes, or negative errno */
};

/* Says which sysctl is in the way where io_uring is forbidden. */
int loop_init(struct loop *loop, struct why *why);
void loop_fini(struct loop *loop);

/* At the file's own position, for files that have one. Never blocks. */
void loop_read(struct loop *loop, struct loop_op *op, int fd, void *to, size_t len);
void loop_write(struct loop *loop, struct loop_op *op, int fd, const void *from, size_t len);

/* Once: done with the descriptor of who connects to @fd. */
void loop_accept(struct loop *loop, struct loop_op *op, int fd);

/* Once: done when @fd is ready for @events (POLLIN, POLLOUT). */
void loop_poll(struct loop *loop, struct loop_op *op, int fd, unsigned int events);

/* Done, with -ETIME, after @delay, which must live as long as @op. */
void loop_timer(struct loop *loop, struct loop_op *op, struct __kernel_timespec *delay);

/**
 * loop_step - start what was asked for, wait for a completion, run callbacks
 * @timeout_ms: how long to wait; negative for ever
 *
 * 0, -ETIME if nothing happened, or negative errno.
 */
int loop_step(struct loop *loop, int timeout_ms);

#endif
