// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/util.h"

/* zlib counts in unsigned int. */
#define CHUNK ((size_t)1 << 30)

/* A few packed bytes can stand for any number: more than this is no kernel. */
#define UNPACKED_MAX GIB(1)

/* A failure about this file, with its name in front of what is wrong. */
static int image_failed(const struct image *image, int err, const char *text, struct why *why)
{
	return why_set(why, err, "%s %s: %s", image->what, image->path, text);
}

/* zlib reads plain files as they are. Made early: no descriptor can be, later. */
static int open_unpacker(struct image *image)
{
	int fd = fcntl(image->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	image->gz = gzdopen(fd, "rb");
	if (image->gz)
		return 0;
	close(fd);
	return -ENOMEM;
}

int image_open(struct image *image, const char *what, const char *path, struct why *why)
{
	struct stat st = {0};
	int err = 0;

	*image = (struct image){.path = path, .what = what, .fd = -1};
	/* Not blocking: a named pipe would wait for a writer. */
	image->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (image->fd < 0 || fstat(image->fd, &st))
		err = image_failed(image, -errno, strerror(errno), why);
	else if (S_ISDIR(st.st_mode))
		err = image_failed(image, -EISDIR, "is a directory", why);
	else if (!S_ISREG(st.st_mode))
		err = image_failed(image, -EINVAL, "is not a regular file", why);
	else if (!st.st_size)
		err = image_failed(image, -ENODATA, "is empty", why);
	if (!err) {
		image->size = (uint64_t)st.st_size;
		err = open_unpacker(image);
		if (err)
			image_failed(image, err, strerror(-err), why);
	}
	if (err)
		image_close(image);
	return err;
}

void image_close(struct image *image)
{
	if (image->gz)
		gzclose_r(image->gz);
	if (image->fd >= 0)
		close(image->fd);
	image->gz = NULL;
	image->fd = -1;
}

/* Read of the unpacked file; forward is cheap, backward starts over. */
static int read_unpacked(void *ctx, uint64_t offset, void *to, size_t len)
{
	struct image *image = ctx;

	if (offset > INT64_MAX || len > INT64_MAX - offset)
		return -ENODATA;
	if (offset + len > UNPACKED_MAX && !gzdirect(image->gz))
		return -EFBIG;
	if (offset != image->gz_at && gzseek(image->gz, (z_off_t)offset, SEEK_SET) < 0)
		return -EIO;
	image->gz_at = offset;
	while (len) {
		int n = gzread(image->gz, to, (unsigned int)min_u64(len, CHUNK));

		if (n < 0)
			return -EBADMSG;
		if (n == 0)
			return -ENODATA;
		to = (char *)to + n;
		len -= (size_t)n;
		image->gz_at += (uint64_t)n;
	}
	return 0;
}

int image_parse_kernel(struct image *image, struct elf_image *elf, struct why *why)
{
	struct elf_source source = {.read = read_unpacked, .ctx = image};
	struct why inner;
	int err = elf_parse(&source, elf, &inner);

	return err ? image_failed(image, err, inner.text, why) : 0;
}

/*
 * So that reading goes forward. Not with qsort: the C library's may ask for the size of
 * memory, which the sandbox does not allow.
 */
static void sort_by_offset(struct elf_segment *segments, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct elf_segment moving = segments[i];
		uint32_t j = i;

		for (; j && segments[j - 1].offset > moving.offset; j--)
			segments[j] = segments[j - 1];
		segments[j] = moving;
	}
}

/*
 * A packed file's checksum comes last: without reading it, neither damage nor a missing
 * end would be noticed.
 */
static int check_end(struct image *image)
{
	char rest[4096];
	int n, state;

	if (gzdirect(image->gz))
		return 0;
	while ((n = gzread(image->gz, rest, sizeof(rest))) > 0) {
		image->gz_at += (uint64_t)n;
		if (image->gz_at > UNPACKED_MAX)
			return -EFBIG;
	}
	if (n < 0)
		return -EBADMSG;
	gzerror(image->gz, &state);
	return state == Z_BUF_ERROR ? -ENODATA : 0;
}

/* Why the contents could not be read; @where they end too early, if they do. */
static int unpack_failed(const struct image *image, int err, const char *where, struct why *why)
{
	char text[64];

	switch (err) {
	case -ENODATA:
		snprintf(text, sizeof(text), "truncated: the file ends %s", where);
		return image_failed(image, -ENOEXEC, text, why);
	case -EFBIG:
		return image_failed(image, err, "unpacks to more than the limit, 1024 MiB", why);
	default:
		return image_failed(image, err, "cannot be read or unpacked", why);
	}
}

int image_load_kernel(struct image *image, const struct elf_image *elf, const struct gmem *mem,
		      struct why *why)
{
	struct elf_segment segments[ELF_SEGMENTS_MAX];
	int err;

	memcpy(segments, elf->segments, sizeof(segments));
	sort_by_offset(segments, elf->nr_segments);
	for (uint32_t i = 0; i < elf->nr_segments; i++) {
		const struct elf_segment *seg = &segments[i];
		uint8_t *to = gmem_ptr(mem, seg->addr, seg->memsz);

		if (!to)
			return image_failed(image, -EFAULT, "does not fit in memory", why);
		/* Each would unpack the file from its start again. */
		if (i && seg->offset < image->gz_at && !gzdirect(image->gz))
			return image_failed(image, -ENOEXEC, "segments share bytes of the file",
					    why);
		err = read_unpacked(image, seg->offset, to, seg->filesz);
		if (err)
			return unpack_failed(image, err, "within a segment", why);
		/* What follows is zero: memory is new, or empty since the reset. */
	}
	err = check_end(image);
	return err ? unpack_failed(image, err, "before its checksum", why) : 0;
}

int image_load_raw(struct image *image, const struct gmem *mem, uint64_t addr, struct why *why)
{
	uint8_t *to = gmem_ptr(mem, addr, image->size);
	uint64_t done = 0;

	if (!to)
		return image_failed(image, -EFAULT, "does not fit in memory", why);
	while (done < image->size) {
		ssize_t n = pread(image->fd, to + done, min_u64(image->size - done, CHUNK),
				  (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return image_failed(image, -errno, strerror(errno), why);
		if (n == 0)
			return image_failed(image, -ENODATA, "shrank while it was read", why);
		done += (uint64_t)n;
	}
	return 0;
}
