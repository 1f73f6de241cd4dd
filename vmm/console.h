/* SPDX-License-Identifier: GPL-2.0-only */
/* The other end of the guest's terminal: standard input and output. */
#ifndef VMM_CONSOLE_H
#define VMM_CONSOLE_H

#include <stdbool.h>

#include "devices/vty.h"
#include "lib/ring.h"
#include "vmm/escape.h"
#include "vmm/loop.h"

struct console {
	struct loop *loop;
	struct vty *vty;
	void (*quit)(void *ctx); /* the user asks to leave */
	void *ctx;

	int in_fd, out_fd;
	bool terminal; /* in_fd is one, in raw mode: the escape key counts */
	struct escape escape;

	bool reading, in_closed;
	struct loop_op read_op;
	uint8_t read_buf[4096 + 1];
	struct ring pending; /* read, not yet taken by the guest's terminal */

	bool writing, out_closed;
	bool delayed; /* a write will start when delay_op is done */
	struct loop_op delay_op;
	struct __kernel_timespec delay;
	uint64_t last_write_ns; /* CLOCK_MONOTONIC */
	bool stuck;		/* the write under way has not moved for long */
	struct loop_op write_op;
	uint8_t write_buf[4096];
	size_t write_len, write_done;
	uint64_t lost; /* bytes that could not be written */
};

/* 0 or -ENOMEM. Nothing is read or written before console_start. */
int console_init(struct console *console, struct loop *loop, struct vty *vty, int in_fd, int out_fd,
		 void (*quit)(void *ctx), void *ctx);
void console_fini(struct console *console);

/* Raw mode if @in_fd is a terminal, and the first read. */
void console_start(struct console *console);

/* On the loop's thread, after vty_ops.output_ready and vty_ops.input_room. */
void console_output(struct console *console);
void console_input(struct console *console);

/* True while output waits to be written. */
static inline bool console_is_writing(const struct console *console)
{
	return console->writing;
}

/* The write under way took too long: the guest loses output until it is done. */
void console_is_stuck(struct console *console);

/*
 * Write what the guest has left, at the end; gives up when nothing moves for
 * @patience_ms. Returns how many bytes were lost.
 */
uint64_t console_drain(struct console *console, int patience_ms);

/* What input there is to expect from @fd: "terminal", "file" or "none". */
const char *console_input_kind(int fd);

#endif
