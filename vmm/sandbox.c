// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two seccomp filters: one for the threads that run virtual processors, one for the
 * event loop. What goes through io_uring escapes seccomp, so the loop's ring has its
 * own list of operations (loop.c).
 *
 * The filters are built once and read-only from then on; threads only load them.
 */
#include "vmm/sandbox.h"

#include <cap-ng.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <linux/filter.h>
#include <unistd.h>

#include "lib/stop.h"
#include "lib/util.h"

#define KVM_IOCTLS 0xae /* KVMIO in linux/kvm.h */

static struct sock_fprog filters[2]; /* by role; len 0 when the sandbox is off */
static void (*violation_hook)(void);

/*
 * Both roles: locks, memory of the C library, time, signals, traces, KVM's table and the
 * end. The C library needs mmap and mprotect for its heaps; neither may make memory executable.
 */
static const int common_calls[] = {
	SCMP_SYS(futex),	  SCMP_SYS(write),
	SCMP_SYS(writev),	  SCMP_SYS(brk),
	SCMP_SYS(munmap),	  SCMP_SYS(madvise),
	SCMP_SYS(clock_gettime),  SCMP_SYS(rt_sigreturn),
	SCMP_SYS(rt_sigprocmask), SCMP_SYS(restart_syscall),
	SCMP_SYS(exit),		  SCMP_SYS(exit_group),
	SCMP_SYS(getpid),	  SCMP_SYS(gettid),
	SCMP_SYS(getrandom),	  SCMP_SYS(sched_yield),
	SCMP_SYS(mremap),	  SCMP_SYS(read),
	SCMP_SYS(close),
};

/* The loop besides: its ring, the guest's files, the terminal, stopping by signal. */
static const int loop_calls[] = {
	SCMP_SYS(io_uring_enter), SCMP_SYS(pread64), SCMP_SYS(lseek),	 SCMP_SYS(_llseek),
	SCMP_SYS(rt_sigaction),	  SCMP_SYS(getpgrp), SCMP_SYS(shutdown),
};

static int allow(scmp_filter_ctx ctx, const int *calls, size_t count)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++)
		err = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 0);
	return err;
}

/* mmap and mprotect, but never PROT_EXEC. */
static int allow_data_mappings(scmp_filter_ctx ctx)
{
	int err = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
				   SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));

	if (err)
		return err;
	return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

/* ioctl, but only of one subsystem: the type is the second byte of the request. */
static int allow_ioctls(scmp_filter_ctx ctx, unsigned int type)
{
	return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				SCMP_A1(SCMP_CMP_MASKED_EQ, 0xff00, type << 8));
}

/*
 * A fatal signal gives the user's terminal back, on any thread: what tcsetattr() does.
 * The size in the request, its upper half, is the C library's affair.
 */
static int allow_terminal_restore(scmp_filter_ctx ctx)
{
	static const unsigned long requests[] = {TCGETS, TCSETSW};
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(requests); i++)
		err = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffff, requests[i] & 0xffff));
	return err;
}

/* What processors' threads do, the loop does too. */
static int add_common(scmp_filter_ctx ctx)
{
	int err = allow(ctx, common_calls, ARRAY_SIZE(common_calls));

	if (!err)
		err = allow_data_mappings(ctx);
	if (!err)
		err = allow_terminal_restore(ctx);
	if (!err) /* kicks of our own threads */
		err = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
				       SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
	return err ? err : allow_ioctls(ctx, KVM_IOCTLS);
}

static int add_loop(scmp_filter_ctx ctx)
{
	int err = allow_ioctls(ctx, _IOC_TYPE(TIOCGPGRP)); /* the terminal */

	if (!err) /* who connects to the control socket */
		err = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(getsockopt), 2,
				       SCMP_A1(SCMP_CMP_EQ, SOL_SOCKET),
				       SCMP_A2(SCMP_CMP_EQ, SO_PEERCRED));
	return err ? err : allow(ctx, loop_calls, ARRAY_SIZE(loop_calls));
}

/* Have libseccomp write the program to a file in memory, and keep it. */
static int compile(scmp_filter_ctx ctx, struct sock_fprog *prog)
{
	struct stat st;
	int err, fd = memfd_create("filter", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	err = seccomp_export_bpf(ctx, fd);
	if (!err && fstat(fd, &st))
		err = -errno;
	if (!err) {
		prog->filter = malloc((size_t)st.st_size);
		if (!prog->filter)
			err = -ENOMEM;
		else if (pread(fd, prog->filter, (size_t)st.st_size, 0) != st.st_size)
			err = -EIO;
		prog->len = (unsigned short)((size_t)st.st_size / sizeof(struct sock_filter));
	}
	close(fd);
	return err;
}

/* One after the other from one set of rules: libseccomp takes its time to make one. */
static int build_filters(enum sandbox_mode mode)
{
	scmp_filter_ctx ctx = seccomp_init(mode == SANDBOX_LOG ? SCMP_ACT_LOG : SCMP_ACT_TRAP);
	int err;

	if (!ctx)
		return -ENOMEM;
	/* KVM_RUN and changes of interrupt lines are what happens all the time. */
	err = seccomp_syscall_priority(ctx, SCMP_SYS(ioctl), 255);
	if (!err)
		err = add_common(ctx);
	if (!err)
		err = compile(ctx, &filters[SANDBOX_VCPU]);
	if (!err)
		err = add_loop(ctx);
	if (!err)
		err = compile(ctx, &filters[SANDBOX_LOOP]);
	seccomp_release(ctx);
	return err;
}

/* SIGSYS: a thread made a call its filter does not have. */
static void violation(int sig, siginfo_t *info, void *context)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, info->si_syscall);
	char line[128];
	int n = snprintf(line, sizeof(line),
			 "paprika: sandbox: system call %s (%d) is not allowed\n",
			 name ? name : "unknown", info->si_syscall);
	ssize_t done;

	(void)sig;
	(void)context;
	done = write(STDERR_FILENO, line, (size_t)n);
	(void)done;
	if (violation_hook)
		violation_hook();
	_exit(stop_exit_code(STOP_SANDBOX));
}

static int drop_capabilities(struct why *why)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return why_set(why, -errno, "sandbox: no_new_privs: %s", strerror(errno));
	capng_clear(CAPNG_SELECT_BOTH);
	if (capng_apply(CAPNG_SELECT_BOTH) < 0 && capng_apply(CAPNG_SELECT_CAPS) < 0)
		return why_set(why, -EPERM, "sandbox: cannot drop capabilities");
	return 0;
}

int sandbox_drop(enum sandbox_mode mode, void (*on_violation)(void), struct why *why)
{
	struct sigaction action = {.sa_sigaction = violation, .sa_flags = SA_SIGINFO};
	int err;

	if (mode == SANDBOX_OFF)
		return 0;
	err = drop_capabilities(why);
	if (err)
		return err;
	violation_hook = on_violation;
	sigaction(SIGSYS, &action, NULL);
	err = build_filters(mode);
	if (err)
		return why_set(why, err, "sandbox: cannot build the seccomp filter: %s",
			       strerror(-err));
	return 0;
}

int sandbox_enter(enum sandbox_role role, struct why *why)
{
	if (!filters[role].len)
		return 0;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filters[role], 0, 0))
		return why_set(why, -errno, "sandbox: cannot load the seccomp filter: %s",
			       strerror(errno));
	return 0;
}
