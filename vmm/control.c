// SPDX-License-Identifier: GPL-2.0-only
/* The server's side of the control socket. All of it runs on the loop's thread. */
#include "vmm/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hcall/hcall.h"
#include "lib/util.h"
#include "vmm/hpt_check.h"
#include "vmm/irqchip_state.h"
#include "vmm/translate.h"
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

static int print_irqchip(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	(void)body;
	return irqchip_print(vm, false, to, why);
}

static int print_irqchip_json(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	(void)body;
	return irqchip_print(vm, true, to, why);
}

static int load_irqchip(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	(void)to;
	return irqchip_load(vm, body, why);
}

/* Hypercalls that came here, of all processors. */
static int print_calls(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	const struct hcall *call;

	(void)body;
	(void)why;
	for (size_t n = 0; (call = hcall_nth(n)); n++) {
		uint64_t sum = 0;

		for (uint32_t i = 0; i < vm->nr_vcpus; i++)
			sum += vm->vcpus[i].cpu.calls[n];
		if (sum)
			fprintf(to, "%s %llu\n", call->name, (unsigned long long)sum);
	}
	return 0;
}

static int check_hpt(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	uint64_t differences;
	int err = hpt_check(vm, to, &differences, why);

	(void)body;
	return err ? err : differences ? -EILSEQ : 0;
}

/* @body: processor, effective address */
static int translate(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	unsigned long long ea;
	unsigned int server;

	if (sscanf(body, "%u %llx", &server, &ea) != 2)
		return why_set(why, -EINVAL, "'%.40s' is not a processor and an address", body);
	return translate_print(vm, server, ea, to, why);
}

/* What can be asked: a line; what follows it is the body. */
static const struct {
	const char *line;
	int (*serve)(struct vm *vm, const char *body, FILE *to, struct why *why);
} requests[] = {
	{"irqchip text\n", print_irqchip},
	{"irqchip json\n", print_irqchip_json},
	{"irqchip load\n", load_irqchip},
	{"calls\n", print_calls},
	{"hpt\n", check_hpt},
	{"translate\n", translate},
};

/* With all processors parked. -EILSEQ: the answer is whole, and says that things differ. */
static int serve(struct vm *vm, const char *request, FILE *to, struct why *why)
{
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		const char *line = requests[i].line;
		int err;

		if (strncmp(request, line, strlen(line)))
			continue;
		vm_exclusive_begin(vm, NULL);
		err = requests[i].serve(vm, request + strlen(line), to, why);
		vm_exclusive_end(vm, NULL);
		return err;
	}
	return why_set(why, -EINVAL, "unknown request '%.*s'", (int)strcspn(request, "\n"),
		       request);
}

/* The request is whole: put the answer in its place. */
static int answer(struct control_peer *peer)
{
	static const char passed[] = "passed\n", differ[] = "differ\n"; /* of one length */
	char *request = peer->buf, *text = NULL;
	size_t len = 0;
	struct why why;
	FILE *to = open_memstream(&text, &len);
	int err;

	if (!to)
		return -ENOMEM;
	request[peer->len] = '\0';
	fputs(passed, to);
	err = serve(peer->control->vm, request, to, &why);
	if (err && err != -EILSEQ) {
		rewind(to);
		fprintf(to, "failed\n%s\n", why.text);
	}
	if (fclose(to))
		return -ENOMEM;
	if (err == -EILSEQ)
		memcpy(text, differ, strlen(differ));
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
