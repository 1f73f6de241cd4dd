// SPDX-License-Identifier: GPL-2.0-only
/* vmm/image.c: files that are none, and kernels that arrive whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/util.h"
#include "tests/unit/elf_file.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"
#include "vmm/image.h"

#define MEM_SIZE 0x20000

static struct elf_file f;
static struct elf_image elf;
static struct image image;
static struct gmem mem;
static struct why why;

static int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static int fds_before;

/* Two segments, whose order in the file is not that in memory; the second has no bss. */
static void setup(void)
{
	scratch_make();
	elf_file_init(&f);
	f.entry = 0x10000;
	f.nr_segments = 2;
	f.segments[0] = (struct elf_file_segment){1, 0x2000, 0x10000, 0x10000, 0x300, 0x1000};
	f.segments[1] = (struct elf_file_segment){1, 0x1000, 0x8000, 0x8000, 0x200, 0x200};
	elf_file_make(&f);
	mem.base = malloc(MEM_SIZE);
	mem.size = MEM_SIZE;
	memset(mem.base, 0xee, MEM_SIZE);
	fds_before = count_fds();
}

static void teardown(void)
{
	ck_assert_int_eq(count_fds(), fds_before);
	free(mem.base);
	scratch_remove();
}

static void refused(const char *path, int err, const char *part)
{
	why.text[0] = '\0';
	ck_assert_int_eq(image_open(&image, "kernel", path, &why), err);
	assert_contains(why.text, "kernel ");
	assert_contains(why.text, path);
	assert_contains(why.text, part);
}

START_TEST(refuses_what_is_no_file)
{
	refused(scratch_path("missing"), -ENOENT, "No such file or directory");
	refused(scratch_path(""), -EISDIR, "is a directory");
	refused(scratch_write("empty", "", 0), -ENODATA, "is empty");
	ck_assert_int_eq(mkfifo(scratch_path("fifo"), 0644), 0);
	refused(scratch_path("fifo"), -EINVAL, "is not a regular file");
	refused("/dev/null", -EINVAL, "is not a regular file");
	refused(scratch_path("empty/below"), -ENOTDIR, "Not a directory");
	refused("", -ENOENT, "No such file or directory");
}
END_TEST

START_TEST(refuses_what_it_may_not_read)
{
	const char *path = scratch_write("secret", "x", 1);
	bool root = !geteuid();

	ck_assert_int_eq(chmod(path, 0), 0);
	if (root)
		ck_assert_int_eq(seteuid(65534), 0);
	refused(path, -EACCES, "Permission denied");
	if (root)
		ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(tells_of_no_descriptor_left)
{
	const char *path = scratch_write("file", "x", 1);
	int fds[1024], n = 0;

	/* One is left: enough for the file, not for the unpacker's own. */
	while (n < 1024 && (fds[n] = open("/dev/null", O_RDONLY)) >= 0)
		n++;
	if (n < 1024) {
		close(fds[--n]);
		refused(path, -EMFILE, "Too many open files");
	}
	while (n--)
		close(fds[n]);
}
END_TEST

static void open_good(const char *path)
{
	ck_assert_msg(!image_open(&image, "kernel", path, &why), "%s", why.text);
}

static void check_loaded(void)
{
	/* Guest memory is new or was emptied: what a segment has no bytes for stays. */
	memset(mem.base + 0x10300, 0, 0x1000 - 0x300);
	ck_assert_msg(!image_load_kernel(&image, &elf, &mem, &why), "%s", why.text);
	ck_assert_mem_eq(mem.base + 0x10000, f.bytes + 0x2000, 0x300);
	for (size_t i = 0x300; i < 0x1000; i++)
		ck_assert_uint_eq(mem.base[0x10000 + i], 0);
	ck_assert_mem_eq(mem.base + 0x8000, f.bytes + 0x1000, 0x200);
	ck_assert_uint_eq(mem.base[0x8200], 0xee);
	ck_assert_uint_eq(mem.base[0x7fff], 0xee);
	ck_assert_uint_eq(mem.base[0xffff], 0xee);
	ck_assert_uint_eq(mem.base[0x11000], 0xee);
}

static void check_kernel(const char *path)
{
	open_good(path);
	ck_assert_msg(!image_parse_kernel(&image, &elf, &why), "%s", why.text);
	ck_assert_uint_eq(elf.entry, 0x10000);
	check_loaded();
	/* As on a reboot. */
	memset(mem.base, 0xee, MEM_SIZE);
	check_loaded();
	image_close(&image);
}

START_TEST(loads_a_kernel)
{
	check_kernel(scratch_write("kernel", f.bytes, f.len));
}
END_TEST

START_TEST(loads_a_compressed_kernel)
{
	check_kernel(scratch_write_gzip("kernel.gz", f.bytes, f.len));
}
END_TEST

START_TEST(closing_twice_is_harmless)
{
	open_good(scratch_write("kernel", f.bytes, f.len));
	image_close(&image);
	image_close(&image);
}
END_TEST

/* Parse or load must fail with @err and name the file and @part. */
static void check_broken(const char *path, int err, const char *part)
{
	int got;

	why.text[0] = '\0';
	open_good(path);
	got = image_parse_kernel(&image, &elf, &why);
	if (!got)
		got = image_load_kernel(&image, &elf, &mem, &why);
	image_close(&image);
	ck_assert_msg(got == err, "%s: %d, not %d: %s", path, got, err, why.text);
	assert_contains(why.text, path);
	assert_contains(why.text, part);
}

START_TEST(refuses_what_is_no_kernel)
{
	check_broken(scratch_write("text", "#!/bin/sh\n", 10), -ENOEXEC,
		     "truncated: the file ends within its ELF header");
	f.bytes[0] = 'x';
	check_broken(scratch_write("magic", f.bytes, f.len), -ENOEXEC, "not an ELF file");
	check_broken(scratch_write_gzip("magic.gz", f.bytes, f.len), -ENOEXEC, "not an ELF file");
}
END_TEST

START_TEST(refuses_a_kernel_that_ends_within_a_segment)
{
	check_broken(scratch_write("cut", f.bytes, 0x22ff), -ENOEXEC,
		     "truncated: the file ends within a segment");
	check_broken(scratch_write_gzip("cut.gz", f.bytes, 0x22ff), -ENOEXEC,
		     "truncated: the file ends within a segment");
	check_kernel(scratch_write("whole", f.bytes, 0x2300));
	check_kernel(scratch_write_gzip("whole.gz", f.bytes, 0x2300));
}
END_TEST

static size_t read_back(const char *path, uint8_t *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, to, size);

	close(fd);
	ck_assert_int_gt(n, 0);
	return (size_t)n;
}

START_TEST(refuses_truncated_gzip_at_every_length)
{
	uint8_t packed[sizeof(f.bytes) + 1024];
	size_t len = read_back(scratch_write_gzip("k.gz", f.bytes, f.len), packed, sizeof(packed));

	char name[32];

	/* Two bytes are gzip's magic: less is a plain file that is no ELF. */
	for (size_t n = 1; n < len; n += n < 40 || n > len - 16 ? 1 : 307) {
		snprintf(name, sizeof(name), "cut-to-%zu.gz", n);
		check_broken(scratch_write(name, packed, n), -ENOEXEC, "truncated");
	}
}
END_TEST

START_TEST(refuses_corrupted_gzip)
{
	uint8_t packed[sizeof(f.bytes) + 1024];
	size_t len = read_back(scratch_write_gzip("k.gz", f.bytes, f.len), packed, sizeof(packed));

	/* Every byte of data and checksum counts; the header's time, flags and system do not. */
	for (size_t n = 10; n < len; n += n < 30 || n > len - 12 ? 1 : 307) {
		int got;

		packed[n] ^= 0x40;
		open_good(scratch_write("bad.gz", packed, len));
		got = image_parse_kernel(&image, &elf, &why);
		if (!got)
			got = image_load_kernel(&image, &elf, &mem, &why);
		image_close(&image);
		ck_assert_msg(got, "byte %zu of %zu does not count", n, len);
		assert_contains(why.text, "bad.gz: ");
		packed[n] ^= 0x40;
	}
}
END_TEST

/* Packed files may stand one after another: a small one many times unpacks to much. */
START_TEST(refuses_what_unpacks_to_too_much)
{
	const size_t chunk = MIB(32), times = 33;
	uint8_t *zeros = calloc(1, chunk), packed[65536];
	const char *path = scratch_path("bomb.gz");
	size_t len;
	FILE *to;

	len = read_back(scratch_write_gzip("zeros.gz", zeros, chunk), packed, sizeof(packed));
	free(zeros);
	scratch_write_gzip("bomb.gz", f.bytes, f.len);
	to = fopen(path, "ae");
	for (size_t i = 0; i < times; i++)
		ck_assert_uint_eq(fwrite(packed, len, 1, to), 1);
	ck_assert_int_eq(fclose(to), 0);
	check_broken(path, -EFBIG, "unpacks to more than the limit, 1024 MiB");
}
END_TEST

START_TEST(refuses_a_segment_beyond_memory)
{
	f.segments[0].paddr = f.segments[0].vaddr = f.entry = MEM_SIZE - 0xffc;
	elf_file_make(&f);
	check_broken(scratch_write("kernel", f.bytes, f.len), -EFAULT, "does not fit in memory");
	f.segments[0].paddr = f.segments[0].vaddr = f.entry = UINT64_MAX - 0x1003;
	elf_file_make(&f);
	check_broken(scratch_write("kernel", f.bytes, f.len), -EFAULT, "does not fit in memory");
}
END_TEST

START_TEST(loads_an_initrd_as_it_is)
{
	open_good(scratch_write_gzip("initrd.gz", f.bytes, f.len));
	ck_assert_msg(!image_load_raw(&image, &mem, MEM_SIZE - image.size, &why), "%s", why.text);
	ck_assert_uint_eq(mem.base[MEM_SIZE - image.size], 0x1f);
	ck_assert_uint_eq(mem.base[MEM_SIZE - image.size - 1], 0xee);
	ck_assert_int_eq(image_load_raw(&image, &mem, MEM_SIZE - image.size + 1, &why), -EFAULT);
	assert_contains(why.text, "does not fit in memory");
	ck_assert_int_eq(image_load_raw(&image, &mem, UINT64_MAX, &why), -EFAULT);
	image_close(&image);
}
END_TEST

START_TEST(tells_of_an_initrd_that_shrank)
{
	const char *path = scratch_write("initrd", f.bytes, f.len);

	open_good(path);
	ck_assert_int_eq(truncate(path, 100), 0);
	ck_assert_int_eq(image_load_raw(&image, &mem, 0, &why), -ENODATA);
	assert_contains(why.text, "shrank while it was read");
	image_close(&image);
}
END_TEST

void image_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, refuses_what_is_no_file);
	tcase_add_test(tc, refuses_what_it_may_not_read);
	tcase_add_test(tc, tells_of_no_descriptor_left);
	tcase_add_test(tc, loads_a_kernel);
	tcase_add_test(tc, loads_a_compressed_kernel);
	tcase_add_test(tc, closing_twice_is_harmless);
	tcase_add_test(tc, refuses_what_is_no_kernel);
	tcase_add_test(tc, refuses_a_kernel_that_ends_within_a_segment);
	tcase_add_test(tc, refuses_truncated_gzip_at_every_length);
	tcase_add_test(tc, refuses_corrupted_gzip);
	tcase_add_test(tc, refuses_what_unpacks_to_too_much);
	tcase_add_test(tc, refuses_a_segment_beyond_memory);
	tcase_add_test(tc, loads_an_initrd_as_it_is);
	tcase_add_test(tc, tells_of_an_initrd_that_shrank);
}
