// SPDX-License-Identifier: GPL-2.0-only
/* Requests that are answered at once: shared directories, copies of files, the kernel log. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"

/* Returns the next NUL-ended string of a payload, or NULL. */
char *next_string(char **p, char *end)
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

void serve_mount(char *p, char *end)
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
void serve_warm(char *p, char *end)
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
void serve_dmesg(void)
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
