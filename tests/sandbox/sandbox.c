// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sandbox, for real: each case is a child that confines itself and does one thing.
 * Not under a sanitizer, whose runtime makes system calls of its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "lib/stop.h"
#include "lib/util.h"
#include "vmm/sandbox.h"

static void open_file(void)
{
	open("/etc/passwd", O_RDONLY);
}

static void make_socket(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

static void run_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
}

static void make_process(void)
{
	if (!fork())
		_exit(0);
}

static void trace_process(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static void map_code(void)
{
	(void)mmap(NULL, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void socket_ioctl(void)
{
	ioctl(0, 0x8901 /* FIOSETOWN: type 0x89, sockets */, 0);
}

static void terminal_ioctl(void)
{
	struct winsize size;

	ioctl(0, TIOCGWINSZ, &size);
}

/* As on the way out after a fatal signal; standard input need not be a terminal. */
static void restore_terminal(void)
{
	struct termios settings = {0};

	tcsetattr(0, TCSADRAIN, &settings);
}

static void daily_work(void)
{
	struct timespec now;
	void *p = malloc(MIB(1));

	clock_gettime(CLOCK_MONOTONIC, &now);
	ioctl(0, 0xae80 /* KVM_RUN */, 0);
	free(p);
}

static const struct {
	const char *name;
	void (*act)(void);
	const char *vcpu, *loop; /* the call that is named, or NULL: allowed */
} cases[] = {
	{"open a file", open_file, "openat", "openat"},
	{"make a socket", make_socket, "socket", "socket"},
	{"run a program", run_program, "execve", "execve"},
	{"make a process", make_process, "clone", "clone"},
	{"trace", trace_process, "ptrace", "ptrace"},
	{"map executable memory", map_code, "mmap", "mmap"},
	{"ioctl on a socket", socket_ioctl, "ioctl", "ioctl"},
	{"ioctl on a terminal", terminal_ioctl, "ioctl", NULL},
	{"give the terminal back", restore_terminal, NULL, NULL},
	{"memory, time, ioctl on KVM", daily_work, NULL, NULL},
};

static int passed, failed;

static void report(bool ok, const char *fmt, const char *a, const char *b)
{
	char name[128];

	snprintf(name, sizeof(name), fmt, a, b);
	printf("%sok - sandbox/%s\n", ok ? "" : "not ", name);
	passed += ok;
	failed += !ok;
}

/* Do @act confined; its exit code, with what it wrote to stderr in @said. */
static int confined(enum sandbox_mode mode, enum sandbox_role role, void (*act)(void), char *said,
		    size_t size)
{
	int fds[2], status;
	size_t have = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(fds))
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct why why;

		dup2(fds[1], STDERR_FILENO);
		if (sandbox_drop(mode, NULL, &why) || sandbox_enter(role, &why)) {
			dprintf(STDERR_FILENO, "%s\n", why.text);
			_exit(99);
		}
		act();
		_exit(0);
	}
	close(fds[1]);
	while ((n = read(fds[0], said + have, size - 1 - have)) > 0)
		have += (size_t)n;
	said[have] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void test_case(size_t i, enum sandbox_role role)
{
	const char *named = role == SANDBOX_VCPU ? cases[i].vcpu : cases[i].loop;
	int want = named ? stop_exit_code(STOP_SANDBOX) : 0;
	char said[256], line[128] = "";
	int code = confined(SANDBOX_ON, role, cases[i].act, said, sizeof(said));
	bool ok;

	if (named)
		snprintf(line, sizeof(line), "paprika: sandbox: system call %s (", named);
	ok = code == want && !strncmp(said, line, strlen(line)) && (named || !*said);
	report(ok, "%s: %s", role == SANDBOX_VCPU ? "vcpu" : "loop", cases[i].name);
	if (!ok)
		printf("# code %d, wanted %d; said: %s\n", code, want, said);
}

/* For the child: exit 0 if a line of /proc/self/status starts with each of these. */
static void has_no_privileges(void)
{
	static const char *const lines[] = {"CapEff:\t0000000000000000", "NoNewPrivs:\t1",
					    "CapPrm:\t0000000000000000"};
	char status[4096];
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t n = read(fd, status, sizeof(status) - 1);

	status[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!strstr(status, lines[i]))
			_exit(1);
}

int main(void)
{
	char said[256];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		test_case(i, SANDBOX_VCPU);
		test_case(i, SANDBOX_LOOP);
	}
	report(!confined(SANDBOX_LOG, SANDBOX_VCPU, has_no_privileges, said, sizeof(said)), "%s%s",
	       "no capabilities, no new privileges", "");
	report(!confined(SANDBOX_LOG, SANDBOX_VCPU, open_file, said, sizeof(said)) && !*said,
	       "%s%s", "log lets through", "");
	report(!confined(SANDBOX_OFF, SANDBOX_VCPU, make_socket, said, sizeof(said)) && !*said,
	       "%s%s", "off lets through", "");
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
