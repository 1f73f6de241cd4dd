// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps: count the instructions that a monitor runs in user mode between two
 * KVM_RUNs, by stepping through them.
 *
 *   steps SKIP COUNT CMD ARG...
 *
 * Lets the command run until one of its threads has called KVM_RUN for the SKIPth
 * time, steps that thread to the next COUNT calls, and kills everything. Prints one
 * line on standard error: "steps: least N most N".
 *
 * Stepping changes what the kernel does, not what the thread does: the count is
 * exact. It never ends in a thread that takes a lock on its way, as QEMU's do: an
 * interrupt between lwarx and stcx. makes the store fail, each time anew.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <asm/ptrace.h>
#include <linux/kvm.h>

/* System calls: sc, and scv 0 on POWER9 and later. */
#define INSN_SC	 0x44000002u
#define INSN_SCV 0x44000001u

static int usage(void)
{
	fputs("usage: steps SKIP COUNT CMD ARG...\n", stderr);
	return 2;
}

static unsigned long reg(pid_t tid, int n)
{
	return ptrace(PTRACE_PEEKUSER, tid, n * sizeof(long), NULL);
}

/* Before or in a system call: is it KVM_RUN? (Linux's ABI: number in r0, then r3.) */
static int calls_kvm_run(pid_t tid)
{
	return reg(tid, PT_R0) == SYS_ioctl && reg(tid, PT_R4) == KVM_RUN;
}

static int at_system_call(pid_t tid)
{
	unsigned int insn = ptrace(PTRACE_PEEKTEXT, tid, reg(tid, PT_NIP), NULL);

	return insn == INSN_SC || insn == INSN_SCV;
}

/* Step to the next KVM_RUN; the instructions that took, its own included. 0 if it ended. */
static unsigned long step_to_kvm_run(pid_t tid)
{
	unsigned long steps = 0;
	int status;

	do {
		pid_t stopped;

		if (ptrace(PTRACE_SINGLESTEP, tid, NULL, NULL))
			return 0;
		/* The others run on: one may hold a lock that this one takes. */
		while ((stopped = waitpid(-1, &status, __WALL)) != tid) {
			if (stopped < 0)
				return 0;
			ptrace(PTRACE_CONT, stopped, NULL, 0);
		}
		if (!WIFSTOPPED(status))
			return 0;
		if (WSTOPSIG(status) == SIGTRAP)
			steps++;
	} while (!at_system_call(tid) || !calls_kvm_run(tid));
	return steps;
}

static int count(pid_t tid, unsigned long calls)
{
	unsigned long least = -1ul, most = 0;

	/* In the call that it was stopped in: the first way round is not whole. */
	if (!step_to_kvm_run(tid))
		return 1;
	while (calls--) {
		unsigned long steps = step_to_kvm_run(tid);

		if (!steps)
			return 1;
		least = steps < least ? steps : least;
		most = steps > most ? steps : most;
	}
	fprintf(stderr, "steps: least %lu most %lu\n", least, most);
	return 0;
}

/* Let all threads go until one enters KVM_RUN for the SKIPth time. That one, or 0. */
static pid_t run_until(unsigned long skip)
{
	unsigned long calls = 0;
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL)) > 0) {
		int sig = 0;

		if (!WIFSTOPPED(status))
			continue;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			/* It stops at both ends of a call; after it r0 is lost. */
			if (calls_kvm_run(tid) && ++calls > 2 * skip)
				return tid;
		} else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
			sig = WSTOPSIG(status);
		}
		ptrace(PTRACE_SYSCALL, tid, NULL, sig);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int status, failed;
	pid_t pid, tid;

	if (argc < 4)
		return usage();
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
	       PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
	tid = run_until(strtoul(argv[1], NULL, 10));
	failed = !tid || count(tid, strtoul(argv[2], NULL, 10));
	if (failed)
		fputs("steps: the command ended before that\n", stderr);
	kill(pid, SIGKILL);
	return failed;
}
