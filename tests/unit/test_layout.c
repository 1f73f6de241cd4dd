// SPDX-License-Identifier: GPL-2.0-only
/* vmm/layout.c: what lies where, and what does not fit by one byte. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/util.h"
#include "tests/unit/unit.h"
#include "vmm/layout.h"

static struct layout l;
static struct elf_image kernel;
static struct why why;

static void setup(void)
{
	kernel = (struct elf_image){.low = MIB(4), .high = MIB(16), .entry = MIB(4)};
	l = (struct layout){.mem_size = MIB(512), .rma_size = MIB(512), .fdt_size = KIB(68)};
	why.text[0] = '\0';
}

static bool apart(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a + a_size <= b || b + b_size <= a;
}

/* Everything inside of memory, and nothing on top of another. */
static void check_places(void)
{
	uint64_t top = min_u64(l.rma_size, GIB(2)), kernel_size = kernel.high - kernel.low;

	ck_assert_msg(!layout_place(&l, &kernel, &why), "%s", why.text);
	ck_assert_uint_ge(l.rtas, KIB(64));
	ck_assert_uint_le(l.rtas + RTAS_SIZE, top);
	ck_assert_uint_le(l.fdt + l.fdt_size, top);
	ck_assert_uint_eq(l.fdt % 8, 0);
	ck_assert(apart(l.rtas, RTAS_SIZE, kernel.low, kernel_size));
	ck_assert(apart(l.fdt, l.fdt_size, kernel.low, kernel_size));
	ck_assert(apart(l.fdt, l.fdt_size, l.rtas, RTAS_SIZE));
	ck_assert_uint_ge(l.fdt, kernel.high + MIB(1));
	if (!l.initrd_size) {
		ck_assert_uint_eq(l.initrd, 0);
		return;
	}
	ck_assert_uint_ge(l.initrd, kernel.high + MIB(1));
	ck_assert_uint_le(l.initrd + l.initrd_size, top);
	ck_assert(apart(l.initrd, l.initrd_size, l.fdt, l.fdt_size));
	ck_assert(apart(l.initrd, l.initrd_size, l.rtas, RTAS_SIZE));
}

START_TEST(rtas_lies_low_under_a_high_kernel)
{
	check_places();
	ck_assert_uint_eq(l.rtas, KIB(64));
	kernel.low = KIB(64) + RTAS_SIZE;
	check_places();
	ck_assert_uint_eq(l.rtas, KIB(64));
}
END_TEST

START_TEST(rtas_lies_high_over_a_low_kernel)
{
	kernel.low = KIB(64) + RTAS_SIZE - 1;
	check_places();
	ck_assert_uint_gt(l.rtas, kernel.high);
	kernel.low = 0;
	l.initrd_size = MIB(32);
	check_places();
	ck_assert_uint_gt(l.rtas, kernel.high);
}
END_TEST

START_TEST(linux_with_mem_on_its_command_line_reaches_the_initrd)
{
	kernel.low = 0;
	l.initrd_size = MIB(8);
	check_places();
	ck_assert_uint_le(l.initrd, kernel.high + MIB(18));
	ck_assert_uint_le(l.rtas, kernel.high + MIB(26));
}
END_TEST

/* How large an initrd fits: found by trying, so that the next byte must not. */
static void check_exact_fit(void)
{
	uint64_t low = 0, high = l.mem_size;
	char number[32];

	while (high - low > 1) {
		l.initrd_size = low + (high - low) / 2;
		if (layout_place(&l, &kernel, &why))
			high = l.initrd_size;
		else
			low = l.initrd_size;
	}
	l.initrd_size = low;
	check_places();
	/* No more than alignment is lost. */
	ck_assert_uint_ge(low + MIB(1) + kernel.high + l.fdt_size + 4 * KIB(64),
			  min_u64(l.rma_size, GIB(2)));

	l.initrd_size = low + 1;
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	snprintf(number, sizeof(number), "has %llu bytes", (unsigned long long)low + 1);
	assert_contains(why.text, number);
	snprintf(number, sizeof(number), "room is for %llu", (unsigned long long)low);
	assert_contains(why.text, number);

	l.initrd_size = UINT64_MAX;
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "initrd has 18446744073709551615 bytes");
}

START_TEST(initrd_fits_to_the_byte)
{
	check_exact_fit();
}
END_TEST

START_TEST(initrd_fits_to_the_byte_with_rtas_high)
{
	kernel.low = 0;
	check_exact_fit();
}
END_TEST

START_TEST(initrd_fits_to_the_byte_with_odd_sizes)
{
	kernel.high = MIB(16) + 0x123;
	l.fdt_size = 0x12345;
	l.mem_size = l.rma_size = MIB(64) - KIB(4);
	check_exact_fit();
}
END_TEST

START_TEST(real_mode_limits_where_things_lie)
{
	l.rma_size = MIB(128);
	l.initrd_size = MIB(64);
	check_places();
	ck_assert_uint_le(l.initrd + l.initrd_size, MIB(128));
	check_exact_fit();
}
END_TEST

START_TEST(all_lies_below_2_gib)
{
	l.mem_size = l.rma_size = TIB(4);
	l.initrd_size = MIB(500);
	check_places();
	ck_assert_uint_lt(l.fdt, GIB(2));
	check_exact_fit();
}
END_TEST

START_TEST(kernel_beyond_memory)
{
	kernel.high = MIB(512) + 1;
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "kernel needs memory up to 0x20000001");
	assert_contains(why.text, "524288 KiB");
	ck_assert_ptr_null(strstr(why.text, "real mode"));
	kernel.high = UINT64_MAX;
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "0xffffffffffffffff");
}
END_TEST

START_TEST(kernel_beyond_real_mode)
{
	l.rma_size = MIB(128);
	kernel.high = MIB(128) + 1;
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "131072 KiB of memory within reach of real mode");
}
END_TEST

START_TEST(kernel_that_leaves_no_room_for_the_tree)
{
	kernel.high = MIB(512);
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "no room for the device tree: kernel ends at 0x20000000");
	kernel.high = MIB(3000); /* in memory, but above all that may be used */
	l.mem_size = l.rma_size = GIB(4);
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "no room for the device tree");
}
END_TEST

START_TEST(the_smallest_memory)
{
	kernel.low = 0;
	kernel.high = KIB(64);
	/* Kernel, its clear megabyte, RTAS, and the tree in two steps of 64 KiB. */
	l.mem_size = l.rma_size = KIB(64) + MIB(1) + KIB(64) + KIB(128);
	check_places();
	l.mem_size = l.rma_size = l.mem_size - KIB(64);
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	l.mem_size = l.rma_size = KIB(64);
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	l.mem_size = l.rma_size = 0;
	ck_assert_int_eq(layout_place(&l, &kernel, &why), -ENOSPC);
	assert_contains(why.text, "there are 0 KiB of memory");
}
END_TEST

void layout_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, rtas_lies_low_under_a_high_kernel);
	tcase_add_test(tc, rtas_lies_high_over_a_low_kernel);
	tcase_add_test(tc, linux_with_mem_on_its_command_line_reaches_the_initrd);
	tcase_add_test(tc, initrd_fits_to_the_byte);
	tcase_add_test(tc, initrd_fits_to_the_byte_with_rtas_high);
	tcase_add_test(tc, initrd_fits_to_the_byte_with_odd_sizes);
	tcase_add_test(tc, real_mode_limits_where_things_lie);
	tcase_add_test(tc, all_lies_below_2_gib);
	tcase_add_test(tc, kernel_beyond_memory);
	tcase_add_test(tc, kernel_beyond_real_mode);
	tcase_add_test(tc, kernel_that_leaves_no_room_for_the_tree);
	tcase_add_test(tc, the_smallest_memory);
}
