// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/unit/unit.h"

static char dir[32];

void scratch_make(void)
{
	snprintf(dir, sizeof(dir), "/tmp/paprika-unit-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chmod(dir, 0755), 0); /* also for a test that drops privileges */
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void scratch_remove(void)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const char *name)
{
	static char paths[4][256];
	static unsigned int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

const char *scratch_write(const char *name, const void *from, size_t len)
{
	const char *path = scratch_path(name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, from, len), (ssize_t)len);
	close(fd);
	return path;
}

const char *scratch_write_gzip(const char *name, const void *from, size_t len)
{
	const char *path = scratch_path(name);
	gzFile gz = gzopen(path, "wb");

	ck_assert_ptr_nonnull(gz);
	ck_assert_int_eq(gzwrite(gz, from, (unsigned int)len), (int)len);
	ck_assert_int_eq(gzclose(gz), Z_OK);
	return path;
}
