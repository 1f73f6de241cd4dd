// SPDX-License-Identifier: GPL-2.0-only
/* lib/ and mmu/: sizes, queues, stop codes, traces, reasons, table sizes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/endian.h"
#include "lib/ring.h"
#include "lib/size.h"
#include "lib/stop.h"
#include "lib/trace.h"
#include "lib/util.h"
#include "lib/why.h"
#include "mmu/hpt_size.h"
#include "tests/unit/unit.h"

START_TEST(big_endian_types_lie_in_big_endian_order)
{
	static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
	be16_t h = be16(0x0102);
	be32_t w = be32(0x01020304);
	be64_t d = be64(0x0102030405060708);

	ck_assert_mem_eq(&h, bytes, 2);
	ck_assert_mem_eq(&w, bytes, 4);
	ck_assert_mem_eq(&d, bytes, 8);
	ck_assert_uint_eq(be16_get(h), 0x0102);
	ck_assert_uint_eq(be32_get(w), 0x01020304);
	ck_assert_uint_eq(be64_get(d), 0x0102030405060708);
}
END_TEST

START_TEST(alignment_and_its_overflow)
{
	uint64_t x;

	ck_assert_uint_eq(align_down(0x1ffff, 0x10000), 0x10000);
	ck_assert(align_up(0x10001, 0x10000, &x));
	ck_assert_uint_eq(x, 0x20000);
	ck_assert(align_up(0x20000, 0x10000, &x));
	ck_assert_uint_eq(x, 0x20000);
	ck_assert(!align_up(UINT64_MAX - 0xfffe, 0x10000, &x));
	ck_assert(align_up(UINT64_MAX - 0xffff, 0x10000, &x));
	ck_assert_uint_eq(x, UINT64_MAX - 0xffff);
}
END_TEST

static const struct {
	const char *text;
	int err;
	uint64_t value;
} sizes[] = {
	{"0", 0, 0},
	{"1", 0, 1 << 20},
	{"512", 0, 512ull << 20},
	{"1k", 0, 1 << 10},
	{"64K", 0, 64 << 10},
	{"3m", 0, 3 << 20},
	{"2G", 0, 2ull << 30},
	{"2g", 0, 2ull << 30},
	{"5T", 0, 5ull << 40},
	{"007", 0, 7 << 20},
	{"17592186044415", 0, 17592186044415ull << 20},
	{"18014398509481983K", 0, 18014398509481983ull << 10},
	{"16777215T", 0, 16777215ull << 40},
	{"17592186044416", -ERANGE, 0},
	{"18014398509481984K", -ERANGE, 0},
	{"16777216T", -ERANGE, 0},
	{"18446744073709551616K", -ERANGE, 0},
	{"99999999999999999999999999", -ERANGE, 0},
	{"", -EINVAL, 0},
	{"K", -EINVAL, 0},
	{"-1", -EINVAL, 0},
	{"+1", -EINVAL, 0},
	{" 1", -EINVAL, 0},
	{"1 ", -EINVAL, 0},
	{"1 K", -EINVAL, 0},
	{"1B", -EINVAL, 0},
	{"1KB", -EINVAL, 0},
	{"1P", -EINVAL, 0},
	{"1\x0b", -EINVAL, 0},
	{"1.5G", -EINVAL, 0},
	{"0x10", -EINVAL, 0},
	{"abc", -EINVAL, 0},
};

START_TEST(sizes_of_memory)
{
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t value = 0;
		int err = parse_size(sizes[i].text, &value);

		ck_assert_msg(err == sizes[i].err, "'%s' gives %d", sizes[i].text, err);
		if (!err)
			ck_assert_msg(value == sizes[i].value, "'%s' is %#llx", sizes[i].text,
				      (unsigned long long)value);
	}
}
END_TEST

START_TEST(plain_numbers)
{
	uint64_t value;

	ck_assert_int_eq(parse_number("0", 0, &value), 0);
	ck_assert_uint_eq(value, 0);
	ck_assert_int_eq(parse_number("18446744073709551615", UINT64_MAX, &value), 0);
	ck_assert_uint_eq(value, UINT64_MAX);
	ck_assert_int_eq(parse_number("18446744073709551616", UINT64_MAX, &value), -ERANGE);
	ck_assert_int_eq(parse_number("18446744073709551620", UINT64_MAX, &value), -ERANGE);
	ck_assert_int_eq(parse_number("8", 8, &value), 0);
	ck_assert_int_eq(parse_number("9", 8, &value), -ERANGE);
	ck_assert_int_eq(parse_number("", 8, &value), -EINVAL);
	ck_assert_int_eq(parse_number("-1", 8, &value), -EINVAL);
	ck_assert_int_eq(parse_number("1a", 8, &value), -EINVAL);
	ck_assert_int_eq(parse_number(" 1", 8, &value), -EINVAL);
	ck_assert_int_eq(parse_number("1 ", 8, &value), -EINVAL);
	ck_assert_int_eq(parse_number("1K", 8, &value), -EINVAL);
}
END_TEST

START_TEST(ring_keeps_order_over_many_turns)
{
	struct ring ring;
	uint8_t buf[8], next_in = 0, next_out = 0;

	ck_assert_int_eq(ring_init(&ring, 8), 0);
	for (size_t round = 0; round < 1000; round++) {
		size_t n = round % 9, m;

		for (size_t i = 0; i < n && i < sizeof(buf); i++)
			buf[i] = (uint8_t)(next_in + i);
		m = ring_put(&ring, buf, n > sizeof(buf) ? sizeof(buf) : n);
		next_in = (uint8_t)(next_in + m);
		ck_assert_uint_le(ring_used(&ring), 8);
		ck_assert_uint_eq(ring_used(&ring) + ring_room(&ring), 8);
		m = ring_take(&ring, buf, (round * 5) % 8);
		for (size_t i = 0; i < m; i++)
			ck_assert_uint_eq(buf[i], next_out++);
	}
	ck_assert_uint_eq((uint8_t)(next_in - next_out), ring_used(&ring));
	ck_assert_uint_gt(next_out, 0);
	ring_free(&ring);
}
END_TEST

START_TEST(ring_puts_and_takes_no_more_than_there_is)
{
	struct ring ring;
	char out[16] = "";

	ck_assert_int_eq(ring_init(&ring, 8), 0);
	ck_assert_uint_eq(ring_take(&ring, out, 8), 0);
	ck_assert_uint_eq(ring_put(&ring, "0123456789", 10), 8);
	ck_assert_uint_eq(ring_put(&ring, "x", 1), 0);
	ck_assert_uint_eq(ring_take(&ring, out, 3), 3);
	ck_assert_uint_eq(ring_put(&ring, "abcdef", 6), 3);
	ck_assert_uint_eq(ring_take(&ring, out, 16), 8);
	ck_assert_mem_eq(out, "34567abc", 8);
	ring_free(&ring);
}
END_TEST

START_TEST(ring_peeks_up_to_its_end)
{
	struct ring ring;
	const uint8_t *at;
	char out[8];

	ck_assert_int_eq(ring_init(&ring, 8), 0);
	ck_assert_uint_eq(ring_peek(&ring, &at), 0);
	ring_put(&ring, "012345", 6);
	ring_take(&ring, out, 5);
	ring_put(&ring, "abcdef", 6);
	ck_assert_uint_eq(ring_peek(&ring, &at), 3);
	ck_assert_mem_eq(at, "5ab", 3);
	ring_skip(&ring, 3);
	ck_assert_uint_eq(ring_peek(&ring, &at), 4);
	ck_assert_mem_eq(at, "cdef", 4);
	ring_clear(&ring);
	ck_assert_uint_eq(ring_peek(&ring, &at), 0);
	ck_assert_uint_eq(ring_room(&ring), 8);
	ring_free(&ring);
}
END_TEST

/* docs/EXIT-CODES.md and `paprika run --help` promise these numbers to scripts. */
START_TEST(stop_reasons_have_the_documented_codes)
{
	static const struct {
		enum stop_reason reason;
		int code;
	} codes[] = {
		{STOP_POWER_OFF, 0}, {STOP_REBOOT, 10},	 {STOP_PANIC, 11}, {STOP_OUTSIDE, 12},
		{STOP_GUEST, 13},    {STOP_SANDBOX, 14}, {STOP_HOST, 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		ck_assert_int_eq(stop_exit_code(codes[i].reason), codes[i].code);
		ck_assert(stop_name(codes[i].reason)[0]);
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(stop_name(codes[i].reason), stop_name(codes[j].reason));
	}
	ck_assert_int_eq(EXIT_FAILED, 1);
	ck_assert_int_eq(EXIT_USAGE, 2);
}
END_TEST

START_TEST(trace_lists)
{
	unsigned int kinds;

	ck_assert_int_eq(trace_parse("all", &kinds), 0);
	ck_assert_uint_eq(kinds, TRACE_ALL);
	ck_assert_int_eq(trace_parse("hcall", &kinds), 0);
	ck_assert_uint_eq(kinds, TRACE_HCALL);
	ck_assert_int_eq(trace_parse("exit,irq", &kinds), 0);
	ck_assert_uint_eq(kinds, TRACE_EXIT | TRACE_IRQ);
	ck_assert_int_eq(trace_parse("rtas,cpu,rtas", &kinds), 0);
	ck_assert_uint_eq(kinds, TRACE_RTAS | TRACE_CPU);
	ck_assert_int_eq(trace_parse("", &kinds), -EINVAL);
	ck_assert_int_eq(trace_parse("hcall,", &kinds), -EINVAL);
	ck_assert_int_eq(trace_parse(",hcall", &kinds), -EINVAL);
	ck_assert_int_eq(trace_parse("hcal", &kinds), -EINVAL);
	ck_assert_int_eq(trace_parse("hcalls", &kinds), -EINVAL);
	ck_assert_int_eq(trace_parse("exit irq", &kinds), -EINVAL);
}
END_TEST

START_TEST(trace_wants_what_was_asked_for)
{
	struct trace trace = {.kinds = TRACE_RTAS};

	ck_assert(trace_wants(&trace, TRACE_RTAS));
	ck_assert(!trace_wants(&trace, TRACE_EXIT));
	ck_assert(!trace_wants(NULL, TRACE_RTAS));
}
END_TEST

START_TEST(trace_lines_are_one_line_each)
{
	char text[1000], filler[600];
	struct trace trace = {.kinds = TRACE_ALL};
	unsigned long long seconds, micros;
	int fds[2];
	ssize_t n;

	memset(filler, 'y', sizeof(filler) - 1);
	filler[sizeof(filler) - 1] = '\0';
	ck_assert_int_eq(pipe2(fds, O_NONBLOCK), 0);
	trace.fd = fds[1];
	trace_line(&trace, "cpu %u", 3);
	n = read(fds[0], text, sizeof(text) - 1);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	ck_assert_int_eq(sscanf(text, "%llu.%6llu cpu 3", &seconds, &micros), 2);
	ck_assert_str_eq(text + n - 7, " cpu 3\n");

	/* Too long: cut, and the newline is there all the same. */
	trace_line(&trace, "%s", filler);
	n = read(fds[0], text, sizeof(text));
	ck_assert_int_gt(n, 100);
	ck_assert_int_lt(n, 600);
	ck_assert_ptr_eq(memchr(text, '\n', (size_t)n), text + n - 1);
	ck_assert_int_eq(text[n - 2], 'y');
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(reasons_are_one_line_and_carry_the_code)
{
	struct why why;
	char filler[2 * sizeof(why.text)];

	ck_assert_int_eq(why_set(&why, -EINVAL, "file '%s': %d", "a\nb\x1b[0m\x7f", 7), -EINVAL);
	ck_assert_str_eq(why.text, "file 'a?b?[0m?': 7");
	ck_assert_int_eq(why_set(NULL, -EIO, "dropped"), -EIO);
	memset(filler, 'y', sizeof(filler) - 1);
	filler[sizeof(filler) - 1] = '\0';
	why_set(&why, -E2BIG, "%s", filler);
	ck_assert_uint_eq(strlen(why.text), sizeof(why.text) - 1);
}
END_TEST

START_TEST(page_table_is_a_128th_of_memory)
{
	ck_assert_uint_eq(hpt_order_for(0), HPT_ORDER_MIN);
	ck_assert_uint_eq(hpt_order_for(MIB(32)), 18);
	ck_assert_uint_eq(hpt_order_for(MIB(32) + 128), 19);
	ck_assert_uint_eq(hpt_order_for(MIB(64)), 19);
	ck_assert_uint_eq(hpt_order_for(MIB(512)), 22);
	ck_assert_uint_eq(hpt_order_for(MIB(513)), 23);
	ck_assert_uint_eq(hpt_order_for(TIB(1)), 33);
	ck_assert_uint_eq(hpt_order_for(UINT64_MAX), HPT_ORDER_MAX);
}
END_TEST

START_TEST(real_mode_reaches_an_eighth_of_the_table)
{
	/* 2^18 bytes are 2^11 groups of 8 entries of 16 bytes: one page each. */
	ck_assert_uint_eq(hpt_vrma_size(18, 12), MIB(8));
	ck_assert_uint_eq(hpt_vrma_size(22, 12), MIB(128));
	ck_assert_uint_eq(hpt_vrma_size(18, 16), MIB(128));
	ck_assert_uint_eq(hpt_vrma_size(46, 12), 1ull << 51);
	ck_assert_uint_eq(hpt_vrma_size(46, 24), 1ull << 63);
	ck_assert_uint_eq(hpt_vrma_size(46, 25), UINT64_MAX);
}
END_TEST

void lib_tests(TCase *tc)
{
	tcase_add_test(tc, big_endian_types_lie_in_big_endian_order);
	tcase_add_test(tc, alignment_and_its_overflow);
	tcase_add_test(tc, sizes_of_memory);
	tcase_add_test(tc, plain_numbers);
	tcase_add_test(tc, ring_keeps_order_over_many_turns);
	tcase_add_test(tc, ring_puts_and_takes_no_more_than_there_is);
	tcase_add_test(tc, ring_peeks_up_to_its_end);
	tcase_add_test(tc, stop_reasons_have_the_documented_codes);
	tcase_add_test(tc, trace_lists);
	tcase_add_test(tc, trace_wants_what_was_asked_for);
	tcase_add_test(tc, trace_lines_are_one_line_each);
	tcase_add_test(tc, reasons_are_one_line_and_carry_the_code);
	tcase_add_test(tc, page_table_is_a_128th_of_memory);
	tcase_add_test(tc, real_mode_reaches_an_eighth_of_the_table);
}
