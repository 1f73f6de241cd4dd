// SPDX-License-Identifier: GPL-2.0-only
/* What process 1 makes of the host: mounts, modules, the loopback, and the way to the port. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"

#define PORT_NAME "paprika.lab"

void mkdirs(const char *path)
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
void run_helper(char *const argv[])
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
int system_open_port(void)
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
	die("no virtio port named " PORT_NAME);
}

void system_start(struct queue *complaints)
{
	static char *const applets[] = {"/bin/busybox", "--install", "-s", "/bin", NULL};

	mount_system();
	load_modules(complaints);
	run_helper(applets);
	sethostname("box", 3);
	loopback_up();
}
