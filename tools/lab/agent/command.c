// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command: starting it, its input and output, its end.
 *
 * An exact run (--icount) is one that nothing from outside disturbs: all input is collected
 * first, the start is put on a certain point of the host's own clock, and output stays in the
 * pipes until the command has ended.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"

#define NSEC	   1000000000ULL
#define EXACT_PIPE (16 << 20) /* output of an exact run held in a pipe */

/* What F_RUN asks for. */
struct command {
	struct run_head head;
	char *cwd, **argv, **envp;
};

/* The command's own ends; for a terminal all one. */
struct streams {
	int in, out, err;
};

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC + ts.tv_nsec;
}

static void __attribute__((noreturn))
run_child(const struct command *command, const struct streams *streams)
{
	sigset_t none;

	setsid();
	if (lab.tty)
		ioctl(streams->in, TIOCSCTTY, 0);
	dup2(streams->in, 0);
	dup2(streams->out, 1);
	dup2(streams->err, 2);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (chdir(command->cwd)) {
		fprintf(stderr, "box: cannot enter %s: %m\n", command->cwd);
		_exit(125);
	}
	environ = command->envp;
	execvp(command->argv[0], command->argv);
	fprintf(stderr, "box: %s: %m\n", command->argv[0]);
	_exit(errno == ENOENT ? 127 : 126);
}

static void set_window(int fd, int rows, int cols)
{
	struct winsize ws = {.ws_row = rows, .ws_col = cols};

	ioctl(fd, TIOCSWINSZ, &ws);
}

static void nonblock(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/*
 * An exact run begins at the same point of the clock's ten seconds, so that timers
 * fall alike each time, after a pause in which what was deferred gets done. It is
 * not a full second, where the kernel likes to put its own timers.
 */
static void wait_for_start(void)
{
	uint64_t tens = now() / NSEC / 10 + 2;
	struct timespec ts = {.tv_sec = tens * 10, .tv_nsec = 300000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/* argv and environment are in one array, a NULL after each; strings are the payload's. */
static void parse(struct command *command, char *p, char *end)
{
	size_t n = 0, argc;
	char *s;

	memcpy(&command->head, p, sizeof(command->head));
	p += sizeof(command->head);
	argc = ntohs(command->head.argc);
	command->cwd = next_string(&p, end);
	command->argv = calloc(end - p + 2, sizeof(*command->argv));
	if (!command->cwd || !command->argv || !argc)
		die("malformed command");
	while ((s = next_string(&p, end))) {
		command->argv[n++] = s;
		if (n == argc)
			command->argv[n++] = NULL;
	}
	command->envp = command->argv + argc + 1;
	for (char **e = command->envp; *e; e++)
		if (!strncmp(*e, "PATH=", 5))
			putenv(*e); /* execvp() looks here */
}

static void open_terminal(const struct run_head *head, struct streams *child)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	if (master < 0 || grantpt(master) || unlockpt(master))
		die("no pseudo terminal: %m");
	set_window(master, ntohs(head->rows), ntohs(head->cols));
	child->in = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	child->out = child->err = child->in;
	lab.in = lab.out = master;
	lab.err = -1;
}

static void open_pipes(struct streams *child)
{
	int in[2], out[2], err[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		die("no pipe: %m");
	*child = (struct streams){in[0], out[1], err[1]};
	lab.in = in[1];
	lab.out = out[0];
	lab.err = err[0];
	nonblock(lab.in);
	nonblock(lab.out);
	nonblock(lab.err);
}

static void close_streams(const struct streams *child)
{
	close(child->in);
	if (lab.tty)
		return; /* it is all the same */
	close(child->out);
	close(child->err);
}

static void start_command(char *p, char *end)
{
	struct command command;
	struct streams child;

	parse(&command, p, end);
	lab.tty = command.head.flags & RUN_TTY;
	lab.exact = command.head.flags & RUN_EXACT;
	lab.ended = false;
	if (lab.tty)
		open_terminal(&command.head, &child);
	else
		open_pipes(&child);
	if (lab.exact) {
		fcntl(lab.in, F_SETPIPE_SZ, queue_len(&lab.input));
		fcntl(lab.out, F_SETPIPE_SZ, EXACT_PIPE);
		fcntl(lab.err, F_SETPIPE_SZ, EXACT_PIPE);
		wait_for_start();
	}
	lab.start = now();
	lab.pid = fork();
	if (lab.pid < 0)
		die("fork: %m");
	if (!lab.pid)
		run_child(&command, &child);
	close_streams(&child);
	free(command.argv);
}

static void forget_input(void)
{
	lab.input.head = lab.input.tail = 0;
	lab.input_eof = false;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_input(void)
{
	/* A terminal has one descriptor for both directions. */
	if (lab.tty)
		lab.in = -1;
	else
		close_fd(&lab.in);
}

/* Take what standard input has for the command; what it takes gives credit. */
void command_push_input(void)
{
	size_t len = queue_len(&lab.input);
	uint32_t be;
	ssize_t n;

	if (lab.in < 0) {
		/* Nobody reads any more: swallow it, so that the sender gets on. */
		n = len;
	} else if (!len) {
		n = 0;
	} else {
		n = write(lab.in, lab.input.data + lab.input.head, len);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n < 0) {
			close_input();
			n = len;
		}
	}
	lab.input.head += n;
	if (n && !lab.exact) {
		be = htonl(n);
		send_frame(F_CREDIT, &be, sizeof(be));
	}
	if (lab.input_eof && !queue_len(&lab.input) && lab.in >= 0) {
		if (lab.tty && write(lab.in, "\004", 1) < 0 && errno == EAGAIN)
			return;
		close_input();
	}
}

/* Move some output to the port's queue. False when there is no more for now. */
bool command_pull_output(int *fd, enum frame type)
{
	static char buf[CHUNK];
	ssize_t n;

	if (*fd < 0)
		return false;
	n = read(*fd, buf, sizeof(buf));
	if (n > 0) {
		send_frame(type, buf, n);
		return true;
	}
	if (n < 0 && errno == EINTR)
		return true;
	if (n == 0 || errno != EAGAIN) {
		/* The end, of a terminal too: its last user has gone. */
		if (lab.tty)
			lab.in = -1;
		close_fd(fd);
	}
	return false;
}

/* Keep an exact run's pipes from filling up; rarely, as it costs the run time. */
void command_relieve_pipes(void)
{
	int n;

	if (!ioctl(lab.out, FIONREAD, &n) && n > EXACT_PIPE / 2)
		while (command_pull_output(&lab.out, F_STDOUT))
			;
	if (!ioctl(lab.err, FIONREAD, &n) && n > EXACT_PIPE / 2)
		while (command_pull_output(&lab.err, F_STDERR))
			;
}

static bool readable(int fd)
{
	struct pollfd pfd = {.fd = fd, .events = POLLIN};

	/* For a terminal poll() also flushes what is under way inside. */
	return fd >= 0 && poll(&pfd, 1, 0) > 0;
}

/* The command is gone. When its output is taken, report the end. */
void command_finish(void)
{
	struct run_tail tail = {.status = htonl(lab.status)};
	uint64_t ns = lab.end - lab.start;

	/* What it left in the background may hold the pipes: take what is there. */
	if (readable(lab.out) || readable(lab.err)) {
		bool more = command_pull_output(&lab.out, F_STDOUT);

		if (command_pull_output(&lab.err, F_STDERR) || more)
			return;
		if (readable(lab.out) || readable(lab.err))
			return;
	}
	tail.ns = (uint64_t)htonl(ns) << 32 | htonl(ns >> 32);
	send_frame(F_EXIT, &tail, sizeof(tail));
	if (lab.tty)
		lab.in = -1;
	close_fd(&lab.in);
	close_fd(&lab.out);
	close_fd(&lab.err);
	lab.pid = 0;
	lab.ended = false;
	forget_input();
}

void command_reap(void)
{
	struct signalfd_siginfo si;
	int status;
	pid_t pid;

	while (read(lab.sigfd, &si, sizeof(si)) == sizeof(si))
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != lab.pid)
			continue;
		lab.end = now();
		lab.status = status;
		lab.ended = true;
	}
}

void serve_stdin(char *data, size_t len)
{
	uint32_t be = htonl(len);

	if (!len)
		lab.input_eof = true;
	queue_put(&lab.input, data, len);
	if (lab.waiting) {
		/* Collecting for an exact run: credit for what lies here. */
		if (len) {
			send_frame(F_CREDIT, &be, sizeof(be));
			return;
		}
		start_command(lab.waiting, lab.waiting + lab.waiting_len);
		free(lab.waiting);
		lab.waiting = NULL;
	} else if (!lab.pid) {
		/* It came too late for its command. */
		forget_input();
	}
}

void serve_run(char *data, size_t len)
{
	struct run_head head;

	if (len < sizeof(head) || lab.pid || lab.waiting)
		die("malformed command");
	memcpy(&head, data, sizeof(head));
	forget_input();
	if (!(head.flags & RUN_EXACT)) {
		start_command(data, data + len);
		return;
	}
	lab.waiting = malloc(len);
	if (!lab.waiting)
		die("out of memory");
	memcpy(lab.waiting, data, len);
	lab.waiting_len = len;
}

void serve_signal(const char *data, size_t len)
{
	if (lab.pid && len)
		kill(-lab.pid, data[0]);
}

void serve_window(const char *data, size_t len)
{
	uint16_t rc[2];

	if (!lab.pid || !lab.tty || len < sizeof(rc) || lab.out < 0)
		return;
	memcpy(rc, data, sizeof(rc));
	set_window(lab.out, ntohs(rc[0]), ntohs(rc[1]));
}
