// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/loop.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/util.h"

#define ENTRIES 16

/* All that a ring may do once it runs; io_uring is out of seccomp's reach. */
static int restrict_ring(struct io_uring *ring)
{
	static const uint8_t ops[] = {IORING_OP_READ, IORING_OP_WRITE, IORING_OP_POLL_ADD,
				      IORING_OP_TIMEOUT, IORING_OP_ACCEPT};
	struct io_uring_restriction rules[ARRAY_SIZE(ops) + 1];
	int err;

	memset(rules, 0, sizeof(rules));
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		rules[i].opcode = IORING_RESTRICTION_SQE_OP;
		rules[i].sqe_op = ops[i];
	}
	rules[ARRAY_SIZE(ops)].opcode = IORING_RESTRICTION_REGISTER_OP;
	rules[ARRAY_SIZE(ops)].register_op = IORING_REGISTER_ENABLE_RINGS;
	err = io_uring_register_restrictions(ring, rules, ARRAY_SIZE(rules));
	return err ? err : io_uring_enable_rings(ring);
}

int loop_init(struct loop *loop, struct why *why)
{
	int err = io_uring_queue_init(ENTRIES, &loop->ring, IORING_SETUP_R_DISABLED);

	if (err == -EPERM || err == -EACCES)
		return why_set(
			why, err,
			"io_uring is forbidden on this host: sysctl kernel.io_uring_disabled=0 "
			"allows it");
	if (err == -ENOSYS)
		return why_set(why, err, "this kernel has no io_uring (CONFIG_IO_URING)");
	if (err)
		return why_set(why, err, "cannot set up io_uring: %s", strerror(-err));
	err = restrict_ring(&loop->ring);
	if (err) {
		io_uring_queue_exit(&loop->ring);
		return why_set(why, err, "cannot restrict io_uring: %s", strerror(-err));
	}
	return 0;
}

void loop_fini(struct loop *loop)
{
	io_uring_queue_exit(&loop->ring);
}

/* A free entry. The ring is small and never full for long: submitting makes room. */
static struct io_uring_sqe *get_sqe(struct loop *loop)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(&loop->ring)))
		io_uring_submit(&loop->ring);
	return sqe;
}

void loop_read(struct loop *loop, struct loop_op *op, int fd, void *to, size_t len)
{
	struct io_uring_sqe *sqe = get_sqe(loop);

	io_uring_prep_read(sqe, fd, to, (unsigned int)min_u64(len, INT_MAX), (uint64_t)-1);
	io_uring_sqe_set_data(sqe, op);
}

void loop_write(struct loop *loop, struct loop_op *op, int fd, const void *from, size_t len)
{
	struct io_uring_sqe *sqe = get_sqe(loop);

	io_uring_prep_write(sqe, fd, from, (unsigned int)min_u64(len, INT_MAX), (uint64_t)-1);
	io_uring_sqe_set_data(sqe, op);
}

void loop_accept(struct loop *loop, struct loop_op *op, int fd)
{
	struct io_uring_sqe *sqe = get_sqe(loop);

	io_uring_prep_accept(sqe, fd, NULL, NULL, SOCK_CLOEXEC);
	io_uring_sqe_set_data(sqe, op);
}

void loop_poll(struct loop *loop, struct loop_op *op, int fd, unsigned int events)
{
	struct io_uring_sqe *sqe = get_sqe(loop);

	io_uring_prep_poll_add(sqe, fd, events);
	io_uring_sqe_set_data(sqe, op);
}

void loop_timer(struct loop *loop, struct loop_op *op, struct __kernel_timespec *delay)
{
	struct io_uring_sqe *sqe = get_sqe(loop);

	io_uring_prep_timeout(sqe, delay, 0, 0);
	io_uring_sqe_set_data(sqe, op);
}

int loop_step(struct loop *loop, int timeout_ms)
{
	struct __kernel_timespec ts = {
		.tv_sec = timeout_ms / 1000,
		.tv_nsec = timeout_ms % 1000 * 1000000ll,
	};
	struct io_uring_cqe *cqe;
	int err = io_uring_submit_and_wait_timeout(&loop->ring, &cqe, 1,
						   timeout_ms < 0 ? NULL : &ts, NULL);

	if (err == -EINTR)
		return 0;
	if (err < 0)
		return err;
	while (!io_uring_peek_cqe(&loop->ring, &cqe)) {
		struct loop_op *op = io_uring_cqe_get_data(cqe);
		int res = cqe->res;

		io_uring_cqe_seen(&loop->ring, cqe);
		op->done(op, res);
	}
	return 0;
}
