// SPDX-License-Identifier: GPL-2.0-only
/* Processes that begin and end: fork, vfork, and with a new program. */
#include "stress.h"

#include <sys/wait.h>
#include <unistd.h>

static void wait_for(struct worker *w, pid_t pid)
{
	int status = -1;

	if (pid < 0)
		give_up(w, "fork");
	if (waitpid(pid, &status, 0) != pid || status)
		mismatch(w, "child %d ended with status 0x%x", pid, status);
}

static void run_fork(struct worker *w)
{
	do {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		wait_for(w, pid);
	} while (next_round(w));
}

static void run_vfork(struct worker *w)
{
	do {
		pid_t pid = vfork();

		if (!pid)
			_exit(0);
		wait_for(w, pid);
	} while (next_round(w));
}

static void run_exec(struct worker *w)
{
	do {
		pid_t pid = vfork();

		if (!pid) {
			execl("/proc/self/exe", "stress", EXEC_TARGET, (char *)NULL);
			_exit(127);
		}
		wait_for(w, pid);
	} while (next_round(w));
}

const struct load loads_fork[] = {
	{"fork", "forks", run_fork, false},
	{"vfork", "vforks", run_vfork, false},
	{"exec", "execs", run_exec, false},
	{NULL, NULL, NULL, false},
};
