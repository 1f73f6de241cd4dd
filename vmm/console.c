// SPDX-License-Identifier: GPL-2.0-only
/*
 * Everything here runs on the loop's thread. One read and one write are under way
 * at most, so that bytes keep their order. Input is read as long as `pending` has
 * room for a whole read, also while the guest takes none: the quit key must work
 * then. A write that blocks leaves output in the guest's terminal, which tells the
 * guest to try later, but only for a while; a closed output swallows it.
 */
#include "vmm/console.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/util.h"
#include "vmm/terminal.h"

#define PENDING_SIZE 65536

/*
 * Guests print early messages a byte at a time. One that comes soon after a write waits
 * for more to join it; one that comes alone, as an echo does, does not wait.
 */
#define GATHER_NS 2000000

static void start_read(struct console *c);
static void start_write(struct console *c);

/* Hand the guest's terminal what it takes; it says when it takes more. */
static void pump_input(struct console *c)
{
	const uint8_t *at;
	size_t len;

	while ((len = ring_peek(&c->pending, &at))) {
		size_t n = vty_input(c->vty, at, len);

		ring_skip(&c->pending, n);
		if (n < len)
			break;
	}
}

static void on_readable(struct loop_op *op, int res)
{
	struct console *c = container_of(op, struct console, read_op);

	(void)res;
	c->reading = false;
	start_read(c);
}

static void on_read(struct loop_op *op, int res)
{
	struct console *c = container_of(op, struct console, read_op);
	size_t len = (size_t)res;
	bool quit = false;

	c->reading = false;
	if (res == -EAGAIN) {
		c->reading = true;
		c->read_op.done = on_readable;
		loop_poll(c->loop, &c->read_op, c->in_fd, POLLIN);
		return;
	}
	if (res <= 0 && res != -EINTR) {
		c->in_closed = true;
		return;
	}
	if (res > 0) {
		if (c->terminal)
			len = escape_filter(&c->escape, c->read_buf, len, &quit);
		ring_put(&c->pending, c->read_buf, len);
		pump_input(c);
	}
	if (quit)
		c->quit(c->ctx);
	else
		start_read(c);
}

static void start_read(struct console *c)
{
	if (c->reading || c->in_closed || ring_room(&c->pending) < sizeof(c->read_buf))
		return;
	c->reading = true;
	c->read_op.done = on_read;
	/* The buffer's last byte is for an escape key that was held back. */
	loop_read(c->loop, &c->read_op, c->in_fd, c->read_buf, sizeof(c->read_buf) - 1);
}

void console_input(struct console *c)
{
	pump_input(c);
	start_read(c);
}

static void on_writable(struct loop_op *op, int res)
{
	struct console *c = container_of(op, struct console, write_op);

	(void)res;
	c->writing = false;
	start_write(c);
}

static void on_written(struct loop_op *op, int res)
{
	struct console *c = container_of(op, struct console, write_op);

	c->writing = false;
	if (c->stuck)
		vty_set_drop(c->vty, false);
	c->stuck = false;
	if (res > 0) {
		c->write_done += (size_t)res;
	} else if (res == -EAGAIN) {
		c->writing = true;
		c->write_op.done = on_writable;
		loop_poll(c->loop, &c->write_op, c->out_fd, POLLOUT);
		return;
	} else if (res != -EINTR) {
		c->out_closed = true; /* closed pipe, full disk, terminal gone */
		c->lost += c->write_len - c->write_done;
		c->write_done = c->write_len;
	}
	start_write(c);
}

static void start_write(struct console *c)
{
	if (c->writing)
		return;
	while (c->write_done == c->write_len) {
		c->write_done = 0;
		c->write_len = vty_output(c->vty, c->write_buf, sizeof(c->write_buf));
		if (!c->write_len)
			return;
		if (!c->out_closed)
			break;
		c->lost += c->write_len;
		c->write_done = c->write_len;
	}
	c->writing = true;
	c->last_write_ns = now_ns();
	c->write_op.done = on_written;
	loop_write(c->loop, &c->write_op, c->out_fd, c->write_buf + c->write_done,
		   c->write_len - c->write_done);
}

static void on_delay(struct loop_op *op, int res)
{
	struct console *c = container_of(op, struct console, delay_op);

	(void)res;
	c->delayed = false;
	start_write(c);
}

void console_output(struct console *c)
{
	if (c->writing || c->delayed)
		return;
	if (now_ns() - c->last_write_ns > GATHER_NS) {
		start_write(c);
		return;
	}
	c->delayed = true;
	c->delay.tv_nsec = GATHER_NS;
	c->delay_op.done = on_delay;
	loop_timer(c->loop, &c->delay_op, &c->delay);
}

void console_is_stuck(struct console *c)
{
	if (!c->writing || c->stuck)
		return;
	c->stuck = true;
	vty_set_drop(c->vty, true);
}

/* Empty the guest's terminal; how much was in it. */
static uint64_t discard_output(struct vty *vty)
{
	uint8_t scratch[512];
	uint64_t total = 0;
	size_t n;

	while ((n = vty_output(vty, scratch, sizeof(scratch))))
		total += n;
	return total;
}

uint64_t console_drain(struct console *c, int patience_ms)
{
	start_write(c);
	while (c->writing) {
		size_t before = c->write_done + c->write_len;

		if (loop_step(c->loop, patience_ms) && before == c->write_done + c->write_len)
			break;
	}
	return c->lost + vty_dropped(c->vty) + (c->write_len - c->write_done) +
	       discard_output(c->vty);
}

int console_init(struct console *c, struct loop *loop, struct vty *vty, int in_fd, int out_fd,
		 void (*quit)(void *ctx), void *ctx)
{
	memset(c, 0, sizeof(*c));
	c->loop = loop;
	c->vty = vty;
	c->in_fd = in_fd;
	c->out_fd = out_fd;
	c->quit = quit;
	c->ctx = ctx;
	return ring_init(&c->pending, PENDING_SIZE);
}

void console_fini(struct console *c)
{
	terminal_restore();
	ring_free(&c->pending);
}

void console_start(struct console *c)
{
	c->terminal = terminal_raw(c->in_fd);
	start_read(c);
}

const char *console_input_kind(int fd)
{
	struct pollfd poll_in = {.fd = fd, .events = POLLIN};
	struct stat st;

	if (fstat(fd, &st))
		return "none";
	if (isatty(fd))
		return "terminal";
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)) /* /dev/null */
		return "none";
	if (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) >= st.st_size)
		return "none";
	/* A pipe whose other end is closed, with nothing in it. */
	if (S_ISFIFO(st.st_mode) && poll(&poll_in, 1, 0) == 1 && !(poll_in.revents & POLLIN))
		return "none";
	return "file";
}
