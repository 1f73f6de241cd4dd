// SPDX-License-Identifier: GPL-2.0-only
/* The server's side of the control socket. All of it runs on the loop's thread. */
#include "vmm/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/util.h"
#include "vmm/irqchip_state.h"
#include "vmm/vm_internal.h"

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

	peer->done = res > 0 ? peer->done + (size_t)res : peer->len;
	write_on(peer);
}

/* What @request, a line and what follows it, comes to. */
static int serve(struct vm *vm, const char *request, FILE *to, struct why *why)
{
	static const char load[] = "irqchip load\n";
	int err;

	vm_exclusive_begin(vm, NULL);
	if (!strcmp(request, "irqchip text\n") || !strcmp(request, "irqchip json\n"))
		err = irqchip_print(vm, request[8] == 'j', to, why);
	else if (!strncmp(request, load, strlen(load)))
		err = irqchip_load(vm, request + strlen(load), why);
	else
		err = why_set(why, -EINVAL, "unknown request '%.40s'", request);
	vm_exclusive_end(vm, NULL);
	return err;
}

/* The request is whole: put the answer in its place. */
static int answer(struct control_peer *peer)
{
	char *request = peer->buf, *text = NULL;
	size_t len = 0;
	struct why why;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return -ENOMEM;
	request[peer->len] = '\0';
	fputs("ok\n", to);
	if (serve(peer->control->vm, request, to, &why)) {
		rewind(to);
		fprintf(to, "error\n%s\n", why.text);
	}
	if (fclose(to))
		return -ENOMEM;
	free(request);
	peer->buf = text;
	peer->len = len;
	peer->done = 0;
	return 0;
}

static void read_on(struct control_peer *peer);

static void on_read(struct loop_op *op, int res)
{
	struct control_peer *peer = container_of(op, struct control_peer, op);

	if (res > 0) {
		peer->len += (size_t)res;
		read_on(peer);
	} else if (res || answer(peer)) {
		forget(peer);
	} else {
		peer->op.done = on_written;
		write_on(peer);
	}
}

/* Until the other side has said all; a longer request than allowed is cut off. */
static void read_on(struct control_peer *peer)
{
	if (peer->len == CONTROL_REQUEST_MAX)
		forget(peer);
	else
		loop_read(peer->control->loop, &peer->op, peer->fd, peer->buf + peer->len,
			  CONTROL_REQUEST_MAX - peer->len);
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

static void on_accept(struct loop_op *op, int res)
{
	struct control *control = container_of(op, struct control, accept_op);
	struct control_peer *peer = free_peer(control);
	char *buf = NULL;

	if (res >= 0 && peer && is_allowed(control, res))
		buf = malloc(CONTROL_REQUEST_MAX + 1);
	if (buf) {
		*peer = (struct control_peer){.control = control, .fd = res, .buf = buf};
		peer->op.done = on_read;
		read_on(peer);
	} else if (res >= 0) {
		close(res);
	}
	/* What fails for good must not be tried without end. */
	if (res >= 0 || res == -EINTR || res == -ECONNABORTED)
		loop_accept(control->loop, &control->accept_op, control->fd);
}

void control_start(struct control *control, struct loop *loop, struct vm *vm)
{
	control->loop = loop;
	control->vm = vm;
	for (size_t i = 0; i < CONTROL_PEERS; i++)
		control->peers[i].fd = -1;
	control->accept_op.done = on_accept;
	loop_accept(loop, &control->accept_op, control->fd);
}

void control_fini(struct control *control)
{
	for (size_t i = 0; control->loop && i < CONTROL_PEERS; i++)
		if (control->peers[i].fd >= 0)
			forget(&control->peers[i]);
	if (control->fd >= 0)
		close(control->fd);
}
