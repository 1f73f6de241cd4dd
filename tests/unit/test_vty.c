// SPDX-License-Identifier: GPL-2.0-only
/* devices/vty.c: bytes in order, refusals, and callbacks exactly when promised. */
#include <errno.h>
#include <string.h>

#include "devices/vty.h"
#include "tests/unit/alloc.h"
#include "tests/unit/unit.h"

static struct {
	int output_ready, input_room, interrupt, pulse, levels;
	bool level;
} calls;

static void on_output_ready(void *ctx)
{
	ck_assert_ptr_eq(ctx, &calls);
	calls.output_ready++;
}

static void on_input_room(void *ctx)
{
	ck_assert_ptr_eq(ctx, &calls);
	calls.input_room++;
}

static void on_interrupt(void *ctx)
{
	ck_assert_ptr_eq(ctx, &calls);
	calls.interrupt++;
}

static void on_pulse(void *ctx)
{
	ck_assert_ptr_eq(ctx, &calls);
	calls.pulse++;
}

static void on_set_level(void *ctx, bool level)
{
	ck_assert_ptr_eq(ctx, &calls);
	ck_assert(level != calls.level);
	calls.level = level;
	calls.levels++;
}

static const struct vty_loop_ops msi = {.pulse = on_pulse}, lsi = {.set_level = on_set_level};

static const struct vty_ops ops = {on_output_ready, on_input_room, on_interrupt};
static struct vty vty;

static void setup(void)
{
	memset(&calls, 0, sizeof(calls));
	ck_assert_int_eq(vty_init(&vty, &ops, &calls), 0);
}

static void teardown(void)
{
	vty_fini(&vty);
}

/* Write until it refuses; the number of bytes taken. */
static size_t fill_output(void)
{
	static const char chunk[VTY_CHARS_MAX] = "0123456789abcdef";
	size_t n = 0;

	while (!vty_write(&vty, chunk, sizeof(chunk)))
		n += sizeof(chunk);
	return n;
}

static size_t fill_input(void)
{
	static const char chunk[1000];
	size_t n = 0, m;

	while ((m = vty_input(&vty, chunk, sizeof(chunk))) == sizeof(chunk))
		n += m;
	return n + m;
}

START_TEST(output_comes_in_order)
{
	char out[64] = "";

	ck_assert_int_eq(vty_write(&vty, "hello, ", 7), 0);
	ck_assert_int_eq(vty_write(&vty, "world", 5), 0);
	ck_assert_uint_eq(vty_output(&vty, out, 4), 4);
	ck_assert_uint_eq(vty_output(&vty, out + 4, sizeof(out) - 4), 8);
	ck_assert_str_eq(out, "hello, world");
	ck_assert_uint_eq(vty_output(&vty, out, sizeof(out)), 0);
}
END_TEST

START_TEST(output_is_told_of_once_until_it_was_taken)
{
	char out[64];

	vty_write(&vty, "", 0);
	ck_assert_int_eq(calls.output_ready, 0);
	vty_write(&vty, "a", 1);
	ck_assert_int_eq(calls.output_ready, 1);
	vty_write(&vty, "bc", 2);
	ck_assert_int_eq(calls.output_ready, 1);
	/* Not all was taken: the owner knows that there is more. */
	vty_output(&vty, out, 2);
	vty_write(&vty, "d", 1);
	ck_assert_int_eq(calls.output_ready, 1);
	vty_output(&vty, out, sizeof(out));
	ck_assert_int_eq(calls.output_ready, 1);
	vty_write(&vty, "e", 1);
	ck_assert_int_eq(calls.output_ready, 2);
	ck_assert_int_eq(calls.interrupt + calls.input_room, 0);
}
END_TEST

START_TEST(output_is_taken_whole_or_refused)
{
	size_t size = fill_output(), left;
	char out[VTY_CHARS_MAX];

	ck_assert_uint_ge(size, 4096);
	ck_assert_int_eq(vty_write(&vty, "x", 1), -EAGAIN);
	vty_output(&vty, out, 3);
	ck_assert_int_eq(vty_write(&vty, "wxyz", 4), -EAGAIN);
	ck_assert_int_eq(vty_write(&vty, "xyz", 3), 0);
	for (left = size; left > 3; left--) {
		vty_output(&vty, out, 1);
		ck_assert_int_eq(out[0], "0123456789abcdef"[(size - left + 3) % 16]);
	}
	ck_assert_uint_eq(vty_output(&vty, out, sizeof(out)), 3);
	ck_assert_mem_eq(out, "xyz", 3);
	ck_assert_uint_eq(vty_dropped(&vty), 0);
}
END_TEST

START_TEST(output_can_be_dropped)
{
	char out[VTY_CHARS_MAX];

	fill_output();
	vty_set_drop(&vty, true);
	ck_assert_int_eq(vty_write(&vty, "lost", 4), 0);
	ck_assert_uint_eq(vty_dropped(&vty), 4);
	/* What fits is kept also then. */
	ck_assert_uint_eq(vty_output(&vty, out, sizeof(out)), sizeof(out));
	ck_assert_int_eq(vty_write(&vty, "kept", 4), 0);
	ck_assert_uint_eq(vty_dropped(&vty), 4);
	vty_set_drop(&vty, false);
	ck_assert_uint_eq(fill_output(), 0); /* 12 bytes of room are left, 16 are too many */
	ck_assert_int_eq(vty_write(&vty, "0123456789abc", 13), -EAGAIN);
	ck_assert_uint_eq(vty_dropped(&vty), 4);
}
END_TEST

START_TEST(input_comes_in_order_with_interrupts)
{
	char in[64] = "";

	ck_assert_uint_eq(vty_read(&vty, in, sizeof(in)), 0);
	ck_assert_uint_eq(vty_input(&vty, "abc", 3), 3);
	ck_assert_int_eq(calls.interrupt, 1);
	ck_assert_uint_eq(vty_input(&vty, "def", 3), 3);
	ck_assert_int_eq(calls.interrupt, 2);
	ck_assert_uint_eq(vty_read(&vty, in, 4), 4);
	ck_assert_uint_eq(vty_read(&vty, in + 4, sizeof(in) - 4), 2);
	ck_assert_str_eq(in, "abcdef");
	ck_assert_int_eq(calls.interrupt, 2);
	ck_assert_int_eq(calls.input_room, 0);
	ck_assert_int_eq(calls.output_ready, 0);
}
END_TEST

START_TEST(input_room_is_told_of_once_after_a_refusal)
{
	char in[64];
	size_t size = fill_input();
	int interrupts = calls.interrupt;

	ck_assert_uint_ge(size, 1024);
	ck_assert_uint_eq(vty_input(&vty, "x", 1), 0);
	ck_assert_int_eq(calls.interrupt, interrupts);
	ck_assert_int_eq(calls.input_room, 0);
	vty_read(&vty, in, 1);
	ck_assert_int_eq(calls.input_room, 1);
	vty_read(&vty, in, 1);
	ck_assert_int_eq(calls.input_room, 1);
	/* Part of it fits, so it is refused too. */
	ck_assert_uint_eq(vty_input(&vty, "xyz", 3), 2);
	vty_read(&vty, in, 1);
	ck_assert_int_eq(calls.input_room, 2);
}
END_TEST

START_TEST(input_that_fits_to_the_byte_is_no_refusal)
{
	char in[64];
	size_t size = fill_input();

	vty_read(&vty, in, 2);
	calls.input_room = 0;
	ck_assert_uint_eq(vty_input(&vty, "xy", 2), 2);
	vty_read(&vty, in, 1);
	ck_assert_int_eq(calls.input_room, 0);
	ck_assert_uint_gt(size, 0);
}
END_TEST

START_TEST(reset_forgets_input_and_keeps_output)
{
	char buf[64] = "";

	vty_write(&vty, "out", 3);
	fill_input();
	vty_reset(&vty);
	ck_assert_int_eq(calls.input_room, 1);
	ck_assert_uint_eq(vty_read(&vty, buf, sizeof(buf)), 0);
	ck_assert_uint_eq(vty_output(&vty, buf, sizeof(buf)), 3);
	ck_assert_mem_eq(buf, "out", 3);
	vty_reset(&vty);
	ck_assert_int_eq(calls.input_room, 1);
}
END_TEST

/* Instead of the terminal of setup(). */
static void make_loop(const struct vty_loop_ops *loop_ops)
{
	vty_fini(&vty);
	ck_assert_int_eq(vty_init_loop(&vty, loop_ops, &calls), 0);
}

START_TEST(a_loop_gives_output_back_as_input)
{
	char in[64] = "";

	make_loop(&msi);
	ck_assert_uint_eq(vty_read(&vty, in, sizeof(in)), 0);
	ck_assert_int_eq(vty_write(&vty, "abc", 3), 0);
	ck_assert_int_eq(vty_write(&vty, "def", 3), 0);
	ck_assert_int_eq(vty_write(&vty, "", 0), 0);
	ck_assert_int_eq(calls.pulse, 2);
	ck_assert_uint_eq(vty_read(&vty, in, 4), 4);
	ck_assert_uint_eq(vty_read(&vty, in + 4, sizeof(in) - 4), 2);
	ck_assert_str_eq(in, "abcdef");
	ck_assert_int_eq(calls.pulse, 2);
	ck_assert_int_eq(calls.levels + calls.output_ready + calls.interrupt, 0);
}
END_TEST

START_TEST(a_full_loop_refuses_and_loses_nothing)
{
	size_t size, left;
	char in[VTY_CHARS_MAX];

	make_loop(&msi);
	size = fill_output();
	ck_assert_uint_ge(size, 1024);
	ck_assert_int_eq(calls.pulse, (int)(size / VTY_CHARS_MAX));
	ck_assert_int_eq(vty_write(&vty, "x", 1), -EAGAIN);
	ck_assert_int_eq(calls.pulse, (int)(size / VTY_CHARS_MAX));
	ck_assert_uint_eq(vty_read(&vty, in, 2), 2);
	ck_assert_int_eq(vty_write(&vty, "xyz", 3), -EAGAIN);
	ck_assert_int_eq(vty_write(&vty, "xy", 2), 0);
	for (left = size - 2; left; left--) {
		ck_assert_uint_eq(vty_read(&vty, in, 1), 1);
		ck_assert_int_eq(in[0], "0123456789abcdef"[(size - left) % 16]);
	}
	ck_assert_uint_eq(vty_read(&vty, in, sizeof(in)), 2);
	ck_assert_mem_eq(in, "xy", 2);
	ck_assert_uint_eq(vty_dropped(&vty), 0);
}
END_TEST

START_TEST(the_level_of_a_loop_is_whether_there_is_input)
{
	char in[64];

	make_loop(&lsi);
	vty_write(&vty, "", 0);
	vty_read(&vty, in, 1);
	ck_assert_int_eq(calls.levels, 0);
	vty_write(&vty, "ab", 2);
	ck_assert(calls.level);
	vty_write(&vty, "c", 1);
	vty_read(&vty, in, 2);
	ck_assert_int_eq(calls.levels, 1);
	vty_read(&vty, in, 1);
	ck_assert(!calls.level);
	ck_assert_int_eq(calls.levels, 2);
	ck_assert_int_eq(calls.pulse, 0);
}
END_TEST

START_TEST(reset_empties_a_loop)
{
	char in[64];

	make_loop(&lsi);
	vty_write(&vty, "abc", 3);
	vty_reset(&vty);
	ck_assert(!calls.level);
	ck_assert_uint_eq(vty_read(&vty, in, sizeof(in)), 0);
	vty_reset(&vty);
	ck_assert_int_eq(calls.levels, 2);
	make_loop(&msi);
	vty_write(&vty, "abc", 3);
	vty_reset(&vty);
	ck_assert_uint_eq(vty_read(&vty, in, sizeof(in)), 0);
	ck_assert_int_eq(calls.pulse, 1);
}
END_TEST

START_TEST(no_memory_is_an_error_that_leaves_nothing)
{
	for (int n = 0; n < 2; n++) {
		struct vty other;

		alloc_fail_after(n);
		ck_assert_int_eq(vty_init(&other, &ops, &calls), -ENOMEM);
		/* The owner sees that there is nothing to end. */
		ck_assert_ptr_null(other.ops);
	}
	vty_fini(&vty);
	alloc_fail_after(0);
	ck_assert_int_eq(vty_init_loop(&vty, &msi, &calls), -ENOMEM);
	ck_assert_ptr_null(vty.loop);
	setup();
}
END_TEST

void vty_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, output_comes_in_order);
	tcase_add_test(tc, output_is_told_of_once_until_it_was_taken);
	tcase_add_test(tc, output_is_taken_whole_or_refused);
	tcase_add_test(tc, output_can_be_dropped);
	tcase_add_test(tc, input_comes_in_order_with_interrupts);
	tcase_add_test(tc, input_room_is_told_of_once_after_a_refusal);
	tcase_add_test(tc, input_that_fits_to_the_byte_is_no_refusal);
	tcase_add_test(tc, reset_forgets_input_and_keeps_output);
	tcase_add_test(tc, a_loop_gives_output_back_as_input);
	tcase_add_test(tc, a_full_loop_refuses_and_loses_nothing);
	tcase_add_test(tc, the_level_of_a_loop_is_whether_there_is_input);
	tcase_add_test(tc, reset_empties_a_loop);
	tcase_add_test(tc, no_memory_is_an_error_that_leaves_nothing);
}
