// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure: run a command in the lab's exact host and say what it took.
 *
 *   measure [-t SECONDS] [-m MARK] [-r] CMD ARG...
 *
 * Prints one line on standard error, in ticks of the timebase (512 MHz, so under
 * --icount a tick is 1000/512 instructions):
 *
 *   measure: status S exec T exit T mark T rss K
 *
 * exec is read right before exec(), exit right after wait(). The command's output
 * goes where ours goes and wakes nobody up, unless a mark is asked for: then it
 * passes through here, and mark is when MARK was first seen in it. With -r the
 * command is ended there, and rss is its resident memory in KiB but for the
 * guest's. After SECONDS of the host's time the command is killed, and whatever it
 * started.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void on_alarm(int sig)
{
	(void)sig;
	kill(-child, SIGKILL);
}

static unsigned long long timebase(void)
{
	return __builtin_ppc_get_timebase();
}

/* Resident memory that is the monitor's own, in KiB: all but the guest's (a memfd). */
static long own_rss(void)
{
	char path[64], line[512];
	long total = 0, kib, in_guest = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps", child);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (strchr(line, '-') && strchr(line, '-') < strchr(line, ' '))
			in_guest = !!strstr(line, "/memfd:guest");
		else if (sscanf(line, "Rss: %ld", &kib) == 1 && !in_guest)
			total += kib;
	}
	if (f)
		fclose(f);
	return total;
}

/* Pass output on until its end. Returns when MARK was seen, or 0. */
static unsigned long long watch(int fd, const char *mark, int end_there, long *rss)
{
	static char text[1 << 16];
	size_t len = 0;
	unsigned long long seen = 0, now;
	ssize_t n;

	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0) {
		now = timebase();
		len += n;
		text[len] = 0;
		if (!seen && strstr(text, mark)) {
			seen = now;
			if (end_there) {
				*rss = own_rss();
				kill(child, SIGTERM);
			}
		}
	}
	while (write(STDOUT_FILENO, text, len) < 0 && errno == EINTR)
		;
	return seen;
}

int main(int argc, char **argv)
{
	unsigned long long exec, end, seen = 0;
	const char *mark = NULL;
	int option, status, end_there = 0, pipes[2] = {-1, -1};
	unsigned int seconds = 120;
	long rss = 0;

	while ((option = getopt(argc, argv, "+t:m:r")) != -1) {
		if (option == 't')
			seconds = strtoul(optarg, NULL, 10);
		else if (option == 'm')
			mark = optarg;
		else if (option == 'r')
			end_there = 1;
		else
			return 2;
	}
	if (optind == argc || (mark && pipe2(pipes, O_CLOEXEC)))
		return 2;
	signal(SIGALRM, on_alarm);
	alarm(seconds);

	exec = timebase();
	child = vfork();
	if (!child) {
		setpgid(0, 0);
		if (mark)
			dup2(pipes[1], STDOUT_FILENO);
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	if (mark) {
		close(pipes[1]);
		seen = watch(pipes[0], mark, end_there, &rss);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	end = timebase();
	fprintf(stderr, "measure: status %d exec %llu exit %llu mark %llu rss %ld\n",
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), exec, end, seen,
		rss);
	return 0;
}
