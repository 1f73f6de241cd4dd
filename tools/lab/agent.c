// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lab's agent: process 1 of an emulated POWER host.
 *
 * It mounts what a Linux system needs, loads the modules that the initramfs
 * carries, and then serves the x86 side over a virtio serial port: it mounts
 * shared directories, runs one command at a time and hands out the kernel log.
 * tools/lab/wire.py is the other end.
 *
 * A frame is a 32-bit big-endian length of the payload, one byte of type, and
 * the payload. Nothing blocks but poll(): while the other side is slow to take
 * output, signals still come through. Standard input is paced by credit, so it
 * can never clog the port in front of a signal.
 *
 * An exact run (--icount) is one that nothing from outside disturbs: all input
 * is collected first, the start is put on a certain point of the host's
 * own clock, and output stays in the pipes until the command has ended.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PORT_NAME  "paprika.lab"
#define CHUNK	   32768	/* a port takes 32 KiB a write */
#define WINDOW	   (256 * 1024) /* standard input under way, at most */
#define EXACT_PIPE (16 << 20)	/* output of an exact run held in a pipe */
#define NSEC	   1000000000ULL

enum frame {
	/* to the agent */
	F_MOUNT = 'm',	/* tag, path, options: strings with their NULs */
	F_WARM = 'w',	/* pairs of paths: copy the first into memory as the second */
	F_RUN = 'r',	/* struct run_head, then cwd, argv and environment */
	F_STDIN = 'i',	/* bytes; none means end of file */
	F_SIGNAL = 's', /* one byte: for the command's process group */
	F_WINCH = 'c',	/* rows, columns: 16 bits each */
	F_DMESG = 'd',	/* nothing */
	F_BYE = 'b',	/* nothing: write everything back */
	/* from the agent */
	F_HELLO = 'H', /* text: kernel release, then what went wrong */
	F_DONE = 'D',  /* text: empty, or why it failed (of m, w, b) */
	F_STDOUT = 'O',
	F_STDERR = 'E',
	F_CREDIT = 'C', /* 32 bits: bytes of standard input that were taken */
	F_EXIT = 'X',	/* struct run_tail */
	F_LOG = 'L',	/* records of /dev/kmsg; none means end */
};

#define RUN_TTY	  1
#define RUN_EXACT 2

struct run_head {
	uint8_t flags;
	uint8_t pad;
	uint16_t rows, cols;
	uint16_t argc;
} __attribute__((packed));

struct run_tail {
	uint32_t status; /* as wait() gives it */
	uint64_t ns;	 /* from before fork() to the command's end */
} __attribute__((packed));

/* A byte queue: data at [head, tail). */
struct queue {
	char *data;
	size_t head, tail, room;
};

static struct {
	int port, sigfd, kmsg;
	struct queue rx, tx; /* of the port */

	/* The command that runs, if pid > 0. */
	pid_t pid;
	bool tty, exact, ended;
	int status;
	uint64_t start, end;
	int in, out, err; /* our ends; for a terminal in == out */
	struct queue input;
	bool input_eof;
	char *waiting; /* an exact run's F_RUN, kept until its input is there */
	size_t waiting_len;
} lab = {.port = -1, .sigfd = -1, .kmsg = -1, .in = -1, .out = -1, .err = -1};

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC + ts.tv_nsec;
}

/* Without process 1 the host panics, and ends with it: that is meant. */
static void __attribute__((format(printf, 1, 2), noreturn)) die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "lab agent: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

static size_t queue_len(const struct queue *q)
{
	return q->tail - q->head;
}

/* Returns room for len bytes at the tail, which the caller then moves. */
static char *queue_room(struct queue *q, size_t len)
{
	if (q->head) {
		memmove(q->data, q->data + q->head, queue_len(q));
		q->tail -= q->head;
		q->head = 0;
	}
	if (q->tail + len > q->room) {
		q->room = (q->tail + len) * 2;
		q->data = realloc(q->data, q->room);
		if (!q->data)
			die("out of memory");
	}
	return q->data + q->tail;
}

static void queue_put(struct queue *q, const void *data, size_t len)
{
	if (!len)
		return;
	memcpy(queue_room(q, len), data, len);
	q->tail += len;
}

static void send_frame(enum frame type, const void *data, size_t len)
{
	uint32_t be = htonl(len);
	uint8_t t = type;

	queue_put(&lab.tx, &be, sizeof(be));
	queue_put(&lab.tx, &t, 1);
	queue_put(&lab.tx, data, len);
}

static void send_text(enum frame type, const char *text)
{
	send_frame(type, text, strlen(text));
}

/* ------------------------------------------------------------ start-up */

static void mkdirs(const char *path)
{
	char buf[4096];

	snprintf(buf, sizeof(buf), "%s", path);
	for (char *p = buf + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = 0;
		mkdir(buf, 0755);
		*p = '/';
	}
	mkdir(buf, 0755);
}

static void mount_system(void)
{
	static const struct {
		const char *type, *path, *opts;
		bool optional;
	} fs[] = {
		{"devtmpfs", "/dev", "mode=0755", false},
		{"proc", "/proc", "", false},
		{"sysfs", "/sys", "", false},
		{"devpts", "/dev/pts", "ptmxmode=0666,mode=0620", false},
		{"tmpfs", "/dev/shm", "mode=1777", false},
		{"tmpfs", "/run", "mode=0755", false},
		{"tmpfs", "/tmp", "mode=1777", false},
		{"cgroup2", "/sys/fs/cgroup", "", true},
		{"hugetlbfs", "/dev/hugepages", "", true},
		{"debugfs", "/sys/kernel/debug", "", true},
		{"tracefs", "/sys/kernel/tracing", "", true},
	};

	for (size_t i = 0; i < sizeof(fs) / sizeof(fs[0]); i++) {
		mkdirs(fs[i].path);
		if (mount(fs[i].type, fs[i].path, fs[i].type, 0, fs[i].opts) && !fs[i].optional)
			die("mount %s: %m", fs[i].path);
	}
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

/* Load the modules that /lab/modules lists, one path a line, in this order. */
static void load_modules(struct queue *complaints)
{
	FILE *f = fopen("/lab/modules", "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		int fd;

		line[strcspn(line, "\n")] = 0;
		fd = open(line, O_RDONLY | O_CLOEXEC);
		/* kvm_hv refuses on hosts that cannot; that is for HELLO to tell. */
		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)) {
			char buf[640];
			int n = snprintf(buf, sizeof(buf), "%s: %m\n", line);

			queue_put(complaints, buf, n);
		}
		close(fd);
	}
	if (f)
		fclose(f);
}

/* Run a helper to its end, without waiting for what it may print. */
static void run_helper(char *const argv[])
{
	pid_t pid = fork();

	if (!pid) {
		execv(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void loopback_up(void)
{
	struct ifreq ifr = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	ioctl(fd, SIOCSIFFLAGS, &ifr);
	close(fd);
}

/* Find our port by its name: the number depends on the machine. */
static int open_port(void)
{
	char path[512], name[64];

	for (int tries = 0; tries < 500; tries++) {
		DIR *dir = opendir("/sys/class/virtio-ports");
		struct dirent *d;

		while (dir && (d = readdir(dir))) {
			FILE *f;

			snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", d->d_name);
			f = fopen(path, "r");
			if (!f)
				continue;
			name[0] = 0;
			if (fgets(name, sizeof(name), f))
				name[strcspn(name, "\n")] = 0;
			fclose(f);
			if (strcmp(name, PORT_NAME))
				continue;
			snprintf(path, sizeof(path), "/dev/%s", d->d_name);
			closedir(dir);
			return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		}
		if (dir)
			closedir(dir);
		usleep(10000);
	}
	return -1;
}

/* ------------------------------------------------------------ small requests */

/* Returns the next NUL-ended string of a payload, or NULL. */
static char *next_string(char **p, char *end)
{
	char *s = *p, *nul = s < end ? memchr(s, 0, end - s) : NULL;

	if (!nul)
		return NULL;
	*p = nul + 1;
	return s;
}

/* Devices of the file systems that are mounted from the other side. */
static dev_t share[16];
static int shares;

static void serve_mount(char *p, char *end)
{
	struct stat st;
	char *tag = next_string(&p, end), *path = next_string(&p, end);
	char *opts = next_string(&p, end), why[4352] = "";

	if (!opts) {
		send_text(F_DONE, "malformed mount request");
		return;
	}
	mkdirs(path);
	if (!mount(tag, path, "9p", 0, opts) && !stat(path, &st) && shares < 16)
		share[shares++] = st.st_dev;
	else
		snprintf(why, sizeof(why), "mount of %s: %m", path);
	send_text(F_DONE, why);
}

/* Is PATH on a shared file system? What was copied before is not. */
static bool is_shared(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	for (int i = 0; i < shares; i++)
		if (share[i] == st.st_dev)
			return true;
	return false;
}

/*
 * Copy shared files and directories into memory: an exact run must not wait for
 * the other side, as while a processor idles its clock leaps from timer to timer.
 * A copy covers the original where both names are the same.
 */
static void serve_warm(char *p, char *end)
{
	static int count;
	char *from, *to, copy[64];

	while ((from = next_string(&p, end)) && (to = next_string(&p, end))) {
		if (!is_shared(from))
			continue;
		if (strcmp(from, to)) {
			run_helper((char *[]){"/bin/cp", "-L", from, to, NULL});
			continue;
		}
		snprintf(copy, sizeof(copy), "/lab/copy/%d", count++);
		run_helper((char *[]){"/bin/cp", "-a", from, copy, NULL});
		if (mount(copy, to, NULL, MS_BIND, NULL))
			fprintf(stderr, "lab agent: %s stays shared: %m\n", to);
	}
	send_text(F_DONE, "");
}

/* Send the kernel log since the last time. */
static void serve_dmesg(void)
{
	char rec[8192];
	ssize_t n;

	for (;;) {
		n = read(lab.kmsg, rec, sizeof(rec));
		if (n > 0)
			send_frame(F_LOG, rec, n);
		else if (n < 0 && errno == EPIPE) /* overrun: the next read goes on */
			send_text(F_LOG, "4,0,0,-;lab: kernel log records were lost\n");
		else if (n < 0 && errno == EINTR)
			continue;
		else
			break;
	}
	send_frame(F_LOG, NULL, 0);
}

/* ------------------------------------------------------------ the command */

static void __attribute__((noreturn))
run_child(char **argv, char **envp, const char *cwd, bool tty, int in, int out, int err)
{
	sigset_t none;

	setsid();
	if (tty)
		ioctl(in, TIOCSCTTY, 0);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (chdir(cwd)) {
		fprintf(stderr, "box: cannot enter %s: %m\n", cwd);
		_exit(125);
	}
	environ = envp;
	execvp(argv[0], argv);
	fprintf(stderr, "box: %s: %m\n", argv[0]);
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

static void start_command(char *p, char *end)
{
	struct run_head head;
	int child_in, child_out, child_err, pin[2], pout[2], perr[2];
	char **argv, **envp, *cwd, *s;
	size_t n = 0, argc;

	memcpy(&head, p, sizeof(head));
	p += sizeof(head);
	argc = ntohs(head.argc);
	cwd = next_string(&p, end);
	argv = calloc(end - p + 2, sizeof(*argv));
	if (!cwd || !argv || !argc)
		die("malformed command");
	/* argv and environment in one array, a NULL after each. */
	while ((s = next_string(&p, end))) {
		argv[n++] = s;
		if (n == argc)
			argv[n++] = NULL;
	}
	envp = argv + argc + 1;
	for (char **e = envp; *e; e++)
		if (!strncmp(*e, "PATH=", 5))
			putenv(*e); /* execvp() looks here */

	lab.tty = head.flags & RUN_TTY;
	lab.exact = head.flags & RUN_EXACT;
	lab.ended = false;
	if (lab.tty) {
		int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

		if (master < 0 || grantpt(master) || unlockpt(master))
			die("no pseudo terminal: %m");
		set_window(master, ntohs(head.rows), ntohs(head.cols));
		child_in = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
		child_out = child_err = child_in;
		lab.in = lab.out = master;
		lab.err = -1;
	} else {
		if (pipe2(pin, O_CLOEXEC) || pipe2(pout, O_CLOEXEC) || pipe2(perr, O_CLOEXEC))
			die("no pipe: %m");
		child_in = pin[0];
		child_out = pout[1];
		child_err = perr[1];
		lab.in = pin[1];
		lab.out = pout[0];
		lab.err = perr[0];
		nonblock(lab.in);
		nonblock(lab.out);
		nonblock(lab.err);
	}
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
		run_child(argv, envp, cwd, lab.tty, child_in, child_out, child_err);
	close(child_in);
	if (!lab.tty) {
		close(child_out);
		close(child_err);
	}
	free(argv);
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
static void push_input(void)
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
static bool pull_output(int *fd, enum frame type)
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
static void relieve_pipes(void)
{
	int n;

	if (!ioctl(lab.out, FIONREAD, &n) && n > EXACT_PIPE / 2)
		while (pull_output(&lab.out, F_STDOUT))
			;
	if (!ioctl(lab.err, FIONREAD, &n) && n > EXACT_PIPE / 2)
		while (pull_output(&lab.err, F_STDERR))
			;
}

static bool readable(int fd)
{
	struct pollfd pfd = {.fd = fd, .events = POLLIN};

	/* For a terminal poll() also flushes what is under way inside. */
	return fd >= 0 && poll(&pfd, 1, 0) > 0;
}

/* The command is gone. When its output is taken, report the end. */
static void finish_command(void)
{
	struct run_tail tail = {.status = htonl(lab.status)};
	uint64_t ns = lab.end - lab.start;

	/* What it left in the background may hold the pipes: take what is there. */
	if (readable(lab.out) || readable(lab.err)) {
		bool more = pull_output(&lab.out, F_STDOUT);

		if (pull_output(&lab.err, F_STDERR) || more)
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
	lab.input.head = lab.input.tail = 0;
	lab.input_eof = false;
}

static void reap(void)
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

/* ------------------------------------------------------------ the port */

static void serve_stdin(char *data, size_t len)
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
		lab.input.head = lab.input.tail = 0;
		lab.input_eof = false;
	}
}

static void serve_run(char *data, size_t len)
{
	struct run_head head;

	if (len < sizeof(head) || lab.pid || lab.waiting)
		die("malformed command");
	memcpy(&head, data, sizeof(head));
	lab.input.head = lab.input.tail = 0;
	lab.input_eof = false;
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

static void serve(enum frame type, char *data, size_t len)
{
	char *end = data + len;

	switch (type) {
	case F_MOUNT:
		serve_mount(data, end);
		break;
	case F_WARM:
		serve_warm(data, end);
		break;
	case F_RUN:
		serve_run(data, len);
		break;
	case F_STDIN:
		serve_stdin(data, len);
		break;
	case F_SIGNAL:
		if (lab.pid && len)
			kill(-lab.pid, data[0]);
		break;
	case F_WINCH:
		if (lab.pid && lab.tty && len >= 4 && lab.out >= 0) {
			uint16_t rc[2];

			memcpy(rc, data, sizeof(rc));
			set_window(lab.out, ntohs(rc[0]), ntohs(rc[1]));
		}
		break;
	case F_DMESG:
		serve_dmesg();
		break;
	case F_BYE:
		sync();
		send_text(F_DONE, "");
		break;
	default:
		die("unknown frame %d", type);
	}
}

static void read_port(void)
{
	ssize_t n = read(lab.port, queue_room(&lab.rx, CHUNK), CHUNK);

	/* The x86 side has gone, for whatever reason: nothing is left to do. */
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		die("the other side has gone");
	if (n > 0)
		lab.rx.tail += n;
	while (queue_len(&lab.rx) >= 5) {
		char *p = lab.rx.data + lab.rx.head;
		uint32_t len;

		memcpy(&len, p, sizeof(len));
		len = ntohl(len);
		if (queue_len(&lab.rx) < 5 + (size_t)len)
			break;
		serve(p[4], p + 5, len);
		lab.rx.head += 5 + (size_t)len;
	}
}

static void write_port(void)
{
	size_t len = queue_len(&lab.tx);
	ssize_t n;

	if (!len)
		return;
	n = write(lab.port, lab.tx.data + lab.tx.head, len < CHUNK ? len : CHUNK);
	if (n > 0)
		lab.tx.head += n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		die("write to the port: %m");
}

static void loop(void)
{
	for (;;) {
		/* While output waits for the port, no more is taken in. */
		bool quiet = lab.exact && lab.pid && !lab.ended;
		bool take = lab.pid && !quiet && queue_len(&lab.tx) < CHUNK;
		bool send = queue_len(&lab.tx) && !quiet;
		struct pollfd fds[] = {
			{.fd = lab.port, .events = POLLIN | (send ? POLLOUT : 0)},
			{.fd = lab.sigfd, .events = POLLIN},
			{.fd = take ? lab.out : -1, .events = POLLIN},
			{.fd = take ? lab.err : -1, .events = POLLIN},
			{.fd = queue_len(&lab.input) ? lab.in : -1, .events = POLLOUT},
		};

		if (poll(fds, 5, lab.ended && take ? 0 : quiet ? 1000 : -1) < 0 && errno != EINTR)
			die("poll: %m");
		if (fds[1].revents)
			reap();
		if (fds[0].revents & (POLLIN | POLLHUP))
			read_port();
		if (fds[0].revents & POLLOUT)
			write_port();
		if (lab.pid && (fds[4].revents || lab.input_eof || lab.in < 0))
			push_input();
		if (quiet) {
			relieve_pipes();
			continue;
		}
		if (fds[2].revents)
			pull_output(&lab.out, F_STDOUT);
		if (fds[3].revents)
			pull_output(&lab.err, F_STDERR);
		if (lab.ended && queue_len(&lab.tx) < CHUNK)
			finish_command();
	}
}

int main(void)
{
	static char *const applets[] = {"/bin/busybox", "--install", "-s", "/bin", NULL};
	struct queue hello = {0}, complaints = {0};
	struct utsname uts;
	sigset_t chld;

	mount_system();
	load_modules(&complaints);
	run_helper(applets);
	sethostname("box", 3);
	loopback_up();

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	signal(SIGPIPE, SIG_IGN);
	lab.sigfd = signalfd(-1, &chld, SFD_NONBLOCK | SFD_CLOEXEC);
	lab.kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lab.port = open_port();
	if (lab.port < 0)
		die("no virtio port named " PORT_NAME);

	uname(&uts);
	queue_put(&hello, uts.release, strlen(uts.release));
	queue_put(&hello, "\n", 1);
	queue_put(&hello, complaints.data, queue_len(&complaints));
	send_frame(F_HELLO, hello.data, queue_len(&hello));
	loop();
}
