// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lab's agent: process 1 of an emulated POWER host.
 *
 * It mounts what a Linux system needs, loads the modules that the initramfs
 * carries, and then serves the x86 side over a virtio serial port: it mounts
 * shared directories, runs one command at a time and hands out the kernel log.
 * tools/lab/box.py is the other end.
 *
 * A frame is a 32-bit big-endian length of the payload, one byte of type, and
 * the payload. Nothing blocks but poll(): while the other side is slow to take
 * output, signals still come through. Standard input is paced by credit, so it
 * can never clog the port in front of a signal.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "agent.h"

struct lab lab = {.port = -1, .sigfd = -1, .kmsg = -1, .in = -1, .out = -1, .err = -1};

/* Without process 1 the host panics, and ends with it: that is meant. */
void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "lab agent: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void serve(enum frame type, char *data, size_t len)
{
	char *end = data + len;

	switch (type) {
	case F_MOUNT:
		serve_mount(data, end);
		break;
	case F_WARM:
		serve_warm(data, end);
		break;
	case F_RUN:
		serve_run(data, len);
		break;
	case F_STDIN:
		serve_stdin(data, len);
		break;
	case F_SIGNAL:
		serve_signal(data, len);
		break;
	case F_WINCH:
		serve_window(data, len);
		break;
	case F_DMESG:
		serve_dmesg();
		break;
	case F_BYE:
		sync();
		send_text(F_DONE, "");
		break;
	default:
		die("unknown frame %d", type);
	}
}

static void read_port(void)
{
	ssize_t n = read(lab.port, queue_room(&lab.rx, CHUNK), CHUNK);

	/* The x86 side has gone, for whatever reason: nothing is left to do. */
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		die("the other side has gone");
	if (n > 0)
		lab.rx.tail += n;
	while (queue_len(&lab.rx) >= 5) {
		char *p = lab.rx.data + lab.rx.head;
		uint32_t len;

		memcpy(&len, p, sizeof(len));
		len = ntohl(len);
		if (queue_len(&lab.rx) < 5 + (size_t)len)
			break;
		serve(p[4], p + 5, len);
		lab.rx.head += 5 + (size_t)len;
	}
}

static void write_port(void)
{
	size_t len = queue_len(&lab.tx);
	ssize_t n;

	if (!len)
		return;
	n = write(lab.port, lab.tx.data + lab.tx.head, len < CHUNK ? len : CHUNK);
	if (n > 0)
		lab.tx.head += n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		die("write to the port: %m");
}

static void loop(void)
{
	for (;;) {
		/* While output waits for the port, no more is taken in. */
		bool quiet = lab.exact && lab.pid && !lab.ended;
		bool take = lab.pid && !quiet && queue_len(&lab.tx) < CHUNK;
		bool send = queue_len(&lab.tx) && !quiet;
		struct pollfd fds[] = {
			{.fd = lab.port, .events = POLLIN | (send ? POLLOUT : 0)},
			{.fd = lab.sigfd, .events = POLLIN},
			{.fd = take ? lab.out : -1, .events = POLLIN},
			{.fd = take ? lab.err : -1, .events = POLLIN},
			{.fd = queue_len(&lab.input) ? lab.in : -1, .events = POLLOUT},
		};

		if (poll(fds, 5, lab.ended && take ? 0 : quiet ? 1000 : -1) < 0 && errno != EINTR)
			die("poll: %m");
		if (fds[1].revents)
			command_reap();
		if (fds[0].revents & (POLLIN | POLLHUP))
			read_port();
		if (fds[0].revents & POLLOUT)
			write_port();
		if (lab.pid && (fds[4].revents || lab.input_eof || lab.in < 0))
			command_push_input();
		if (quiet) {
			command_relieve_pipes();
			continue;
		}
		if (fds[2].revents)
			command_pull_output(&lab.out, F_STDOUT);
		if (fds[3].revents)
			command_pull_output(&lab.err, F_STDERR);
		if (lab.ended && queue_len(&lab.tx) < CHUNK)
			command_finish();
	}
}

static void say_hello(const struct queue *complaints)
{
	struct queue hello = {0};
	struct utsname uts;

	uname(&uts);
	queue_put(&hello, uts.release, strlen(uts.release));
	queue_put(&hello, "\n", 1);
	queue_put(&hello, complaints->data, queue_len(complaints));
	send_frame(F_HELLO, hello.data, queue_len(&hello));
}

int main(void)
{
	struct queue complaints = {0};
	sigset_t chld;

	system_start(&complaints);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	signal(SIGPIPE, SIG_IGN);
	lab.sigfd = signalfd(-1, &chld, SFD_NONBLOCK | SFD_CLOEXEC);
	lab.kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lab.port = system_open_port();
	say_hello(&complaints);
	loop();
}
