// SPDX-License-Identifier: GPL-2.0-only
/*
 * The server's side of the control socket. All of it runs on the loop's thread. A peer
 * that is busy has one operation under way, on its descriptor and its buffer: to end it,
 * its socket is shut down, and the operation's completion frees it.
 */
#include "vmm/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/util.h"
#include "vmm/requests.h"

/* Who does not move for one to two of these is sent away. */
static struct __kernel_timespec patience = {.tv_sec = 5};

static int listen_as(int fd, const char *name)
{
	struct sockaddr_un address;
	socklen_t len = control_address(name, &address);

	if (bind(fd, (struct sockaddr *)&address, len) || listen(fd, CONTROL_PEERS))
		return -errno;
	return 0;
}

int control_open(struct control *control, const char *name, bool is_default, struct why *why)
{
	char other[64];
	int err;

	control->uid = geteuid();
	control->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (control->fd < 0)
		return why_set(why, -errno, "control socket: %s", strerror(errno));
	err = listen_as(control->fd, name);
	if (err == -EADDRINUSE && is_default) {
		snprintf(other, sizeof(other), "%s-%d", name, getpid());
		err = listen_as(control->fd, other);
		if (!err)
			fprintf(stderr, "paprika: this guest is named '%s'\n", other);
	}
	if (err == -EADDRINUSE)
		return why_set(why, err, "name '%s' is taken by another guest", name);
	return err ? why_set(why, err, "control socket: %s", strerror(-err)) : 0;
}

static void forget(struct control_peer *peer)
{
	close(peer->fd);
	free(peer->buf);
	peer->fd = -1;
	peer->buf = NULL;
}

/* Write what is left of the answer. */
static void write_on(struct control_peer *peer)
{
	if (peer->done == peer->len)
		forget(peer);
	else
		loop_write(peer->control->loop, &peer->op, peer->fd, peer->buf + peer->done,
			   peer->len - peer->done);
}

static void on_written(struct loop_op *op, int res)
{
	struct control_peer *peer = container_of(op, struct control_peer, op);

	peer->moved = true;
	peer->done = res > 0 ? peer->done + (size_t)res : peer->len;
	write_on(peer);
}

/* The request is whole, or will not be. */
static void answer(struct control_peer *peer, const char *complaint)
{
	char *request = peer->buf, *text = NULL;
	size_t len = 0;
	int err;

	if (!complaint && memchr(request, '\0', peer->len))
		complaint = "a request with a byte of zero";
	request[peer->len] = '\0';
	err = complaint ? request_fail(complaint, &text, &len)
			: request_serve(peer->control->vm, request + CONTROL_HEADER, &text, &len);
	if (err) {
		forget(peer);
		return;
	}
	free(request);
	peer->buf = text;
	peer->len = len;
	peer->done = 0;
	peer->op.done = on_written;
	write_on(peer);
}

/* Until the header and as much as it says is there. */
static void read_on(struct control_peer *peer)
{
	size_t want = CONTROL_HEADER, body = 0;

	if (peer->len >= CONTROL_HEADER) {
		if (control_get_header(peer->buf, CONTROL_REQUEST_MAX, &body)) {
			answer(peer, "a request that is none, or too long");
			return;
		}
		want += body;
	}
	if (peer->len == want && peer->len > CONTROL_HEADER)
		answer(peer, NULL);
	else
		loop_read(peer->control->loop, &peer->op, peer->fd, peer->buf + peer->len,
			  want - peer->len);
}

static void on_read(struct loop_op *op, int res)
{
	struct control_peer *peer = container_of(op, struct control_peer, op);

	peer->moved = true;
	if (res <= 0) {
		forget(peer);
		return;
	}
	peer->len += (size_t)res;
	read_on(peer);
}

static bool is_allowed(const struct control *control, int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (peer.uid == 0 || peer.uid == control->uid);
}

static struct control_peer *free_peer(struct control *control)
{
	for (size_t i = 0; i < CONTROL_PEERS; i++)
		if (control->peers[i].fd < 0)
			return &control->peers[i];
	return NULL;
}

/* Say why and hang up. A new socket has room for a line. */
static void refuse(int fd, const char *why)
{
	char *text;
	size_t len;

	if (!request_fail(why, &text, &len)) {
		ssize_t n = write(fd, text, len);

		(void)n;
		free(text);
	}
	close(fd);
}

static void start_clock(struct control *control)
{
	if (!control->clock_runs)
		loop_timer(control->loop, &control->clock_op, &patience);
	control->clock_runs = true;
}

static void welcome(struct control *control, int fd)
{
	struct control_peer *peer = free_peer(control);
	char *buf = NULL;

	if (!is_allowed(control, fd)) {
		refuse(fd, "only root and the monitor's own user may ask");
		return;
	}
	if (peer)
		buf = malloc(CONTROL_HEADER + CONTROL_REQUEST_MAX + 1);
	if (!buf) {
		refuse(fd, "the monitor is busy with others who ask");
		return;
	}
	*peer = (struct control_peer){.control = control, .fd = fd, .buf = buf, .moved = true};
	peer->op.done = on_read;
	start_clock(control);
	read_on(peer);
}

static void accept_more(struct control *control)
{
	control->accepts = true;
	loop_accept(control->loop, &control->accept_op, control->fd);
}

static void on_accept(struct loop_op *op, int res)
{
	struct control *control = container_of(op, struct control, accept_op);

	control->accepts = false;
	if (res >= 0)
		welcome(control, res);
	/* What fails is not tried without end, but again with the clock. */
	if (res >= 0 || res == -EINTR || res == -ECONNABORTED)
		accept_more(control);
	else
		start_clock(control);
}

static void on_clock(struct loop_op *op, int res)
{
	struct control *control = container_of(op, struct control, clock_op);
	bool busy = false;

	(void)res;
	control->clock_runs = false;
	for (size_t i = 0; i < CONTROL_PEERS; i++) {
		struct control_peer *peer = &control->peers[i];

		if (peer->fd < 0)
			continue;
		busy = true;
		if (!peer->moved)
			shutdown(peer->fd, SHUT_RDWR);
		peer->moved = false;
	}
	if (!control->accepts)
		accept_more(control);
	if (busy)
		start_clock(control);
}

void control_start(struct control *control, struct loop *loop, struct vm *vm)
{
	control->loop = loop;
	control->vm = vm;
	for (size_t i = 0; i < CONTROL_PEERS; i++)
		control->peers[i].fd = -1;
	control->accept_op.done = on_accept;
	control->clock_op.done = on_clock;
	accept_more(control);
}

void control_fini(struct control *control)
{
	for (size_t i = 0; control->loop && i < CONTROL_PEERS; i++)
		if (control->peers[i].fd >= 0)
			forget(&control->peers[i]);
	if (control->fd >= 0)
		close(control->fd);
}
