// SPDX-License-Identifier: GPL-2.0-only
/* lib/gmem.c: ranges at the ends, and numbers that would wrap. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gmem.h"
#include "lib/util.h"
#include "tests/unit/unit.h"

#define SIZE 4096

/* From malloc, so that the sanitizer sees each byte beyond. */
static struct gmem mem;

static void setup(void)
{
	mem.base = malloc(SIZE);
	mem.size = SIZE;
	memset(mem.base, 0xa5, SIZE);
}

static void teardown(void)
{
	free(mem.base);
}

static const struct {
	uint64_t addr, len;
	bool in;
} ranges[] = {
	{0, 0, true},
	{0, 1, true},
	{0, SIZE, true},
	{0, SIZE + 1, false},
	{1, SIZE, false},
	{SIZE - 1, 1, true},
	{SIZE - 1, 2, false},
	{SIZE, 0, true},
	{SIZE, 1, false},
	{SIZE + 1, 0, false},
	{SIZE + 1, UINT64_MAX, false},
	{UINT64_MAX, 0, false},
	{UINT64_MAX, 1, false},
	{UINT64_MAX, UINT64_MAX, false},
	{1, UINT64_MAX, false},
	{SIZE - 4, UINT64_MAX - SIZE + 8, false},
	{1ull << 63, 1ull << 63, false},
};

START_TEST(checks_ranges)
{
	uint8_t *copy = malloc(SIZE);

	memset(copy, 0xa5, SIZE);
	for (size_t n = 0; n < ARRAY_SIZE(ranges); n++) {
		uint64_t addr = ranges[n].addr, len = ranges[n].len;
		bool in = ranges[n].in;
		int want = in ? 0 : -EFAULT;
		size_t wrong = 0;

		memset(mem.base, 0xa5, SIZE);
		ck_assert_msg(gmem_has(&mem, addr, len) == in, "range %zu", n);
		ck_assert_ptr_eq(gmem_ptr(&mem, addr, len), in ? mem.base + addr : NULL);
		ck_assert_int_eq(gmem_read(&mem, addr, copy, len), want);
		ck_assert_int_eq(gmem_write(&mem, addr, copy, len), want);
		ck_assert_int_eq(gmem_zero(&mem, addr, len), want);
		for (uint64_t i = 0; i < SIZE; i++)
			wrong += mem.base[i] != (in && i - addr < len ? 0 : 0xa5);
		ck_assert_msg(!wrong, "range %zu: %zu bytes", n, wrong);
	}
	free(copy);
}
END_TEST

START_TEST(copies)
{
	char text[6];

	ck_assert_int_eq(gmem_write(&mem, SIZE - 5, "abcde", 5), 0);
	ck_assert_int_eq(gmem_read(&mem, SIZE - 5, text, 5), 0);
	text[5] = '\0';
	ck_assert_str_eq(text, "abcde");
	ck_assert_uint_eq(mem.base[SIZE - 6], 0xa5);
}
END_TEST

START_TEST(words_are_big_endian)
{
	static const uint8_t bytes[] = {0x12, 0x34, 0x56, 0x78};
	uint32_t value = 0;

	ck_assert_int_eq(gmem_write_be32(&mem, 1, 0x12345678), 0);
	ck_assert_mem_eq(mem.base + 1, bytes, 4);
	ck_assert_int_eq(gmem_read_be32(&mem, 1, &value), 0);
	ck_assert_uint_eq(value, 0x12345678);
}
END_TEST

START_TEST(words_do_not_reach_beyond)
{
	uint32_t value = 7;

	ck_assert_int_eq(gmem_read_be32(&mem, SIZE - 3, &value), -EFAULT);
	ck_assert_uint_eq(value, 7);
	ck_assert_int_eq(gmem_write_be32(&mem, SIZE - 3, 0), -EFAULT);
	ck_assert_uint_eq(mem.base[SIZE - 1], 0xa5);
	ck_assert_int_eq(gmem_read_be32(&mem, UINT64_MAX - 1, &value), -EFAULT);
}
END_TEST

START_TEST(no_memory_has_nothing)
{
	struct gmem none = {0};

	ck_assert(gmem_has(&none, 0, 0));
	ck_assert(!gmem_has(&none, 0, 1));
	ck_assert_int_eq(gmem_zero(&none, 0, 1), -EFAULT);
}
END_TEST

void gmem_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, checks_ranges);
	tcase_add_test(tc, copies);
	tcase_add_test(tc, words_are_big_endian);
	tcase_add_test(tc, words_do_not_reach_beyond);
	tcase_add_test(tc, no_memory_has_nothing);
}
