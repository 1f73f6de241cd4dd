// SPDX-License-Identifier: GPL-2.0-only
/* vmm/hostcpu.c: a tree of the host, made up. */
#include <string.h>
#include <sys/stat.h>

#include "lib/endian.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"
#include "vmm/hostcpu.h"

#define NODE "cpus/PowerPC,POWER9@8"

static struct platform p;

static void setup(void)
{
	scratch_make();
	p = (struct platform){0};
}

static void make_node(const char *name)
{
	mkdir(scratch_path("cpus"), 0755);
	ck_assert_int_eq(mkdir(scratch_path(name), 0755), 0);
}

static void cells(const char *name, size_t count, uint32_t first)
{
	be32_t value[16];

	for (size_t i = 0; i < count; i++)
		value[i] = be32(first + (uint32_t)i);
	scratch_write(name, value, 4 * count);
}

static void check_defaults(void)
{
	hostcpu_read(&p, scratch_path(""));
	ck_assert_uint_eq(p.timebase_hz, 512000000);
	ck_assert_uint_eq(p.clock_hz, 1000000000);
	ck_assert_uint_eq(p.icache_size, 32768);
	ck_assert_uint_eq(p.icache_line, 128);
	ck_assert_uint_eq(p.dcache_size, 32768);
	ck_assert_uint_eq(p.dcache_line, 128);
	ck_assert_uint_eq(p.slb_size, 32);
	ck_assert_uint_eq(p.host_threads, 1);
	ck_assert_uint_eq(p.dec_bits, 32);
}

START_TEST(without_a_tree)
{
	check_defaults();
}
END_TEST

START_TEST(without_a_processor)
{
	make_node("cpus/l2-cache@20");
	cells("cpus/l2-cache@20/timebase-frequency", 1, 1);
	check_defaults();
}
END_TEST

START_TEST(without_properties)
{
	make_node(NODE);
	check_defaults();
}
END_TEST

START_TEST(reads_every_property)
{
	make_node(NODE);
	cells(NODE "/timebase-frequency", 1, 512000001);
	cells(NODE "/clock-frequency", 1, 2500000000);
	cells(NODE "/i-cache-size", 1, 1);
	cells(NODE "/i-cache-line-size", 1, 2);
	cells(NODE "/d-cache-size", 1, 3);
	cells(NODE "/d-cache-line-size", 1, 4);
	cells(NODE "/ibm,slb-size", 1, 5);
	cells(NODE "/ibm,dec-bits", 1, 56);
	cells(NODE "/ibm,ppc-interrupt-server#s", 4, 8);
	hostcpu_read(&p, scratch_path(""));
	ck_assert_uint_eq(p.timebase_hz, 512000001);
	ck_assert_uint_eq(p.clock_hz, 2500000000);
	ck_assert_uint_eq(p.icache_size, 1);
	ck_assert_uint_eq(p.icache_line, 2);
	ck_assert_uint_eq(p.dcache_size, 3);
	ck_assert_uint_eq(p.dcache_line, 4);
	ck_assert_uint_eq(p.slb_size, 5);
	ck_assert_uint_eq(p.dec_bits, 56);
	ck_assert_uint_eq(p.host_threads, 4);
}
END_TEST

START_TEST(the_extended_clock_wins)
{
	be64_t clock = be64(5000000000);

	make_node(NODE);
	cells(NODE "/clock-frequency", 1, UINT32_MAX);
	scratch_write(NODE "/ibm,extended-clock-frequency", &clock, sizeof(clock));
	hostcpu_read(&p, scratch_path(""));
	ck_assert_uint_eq(p.clock_hz, 5000000000);
}
END_TEST

START_TEST(ignores_properties_of_odd_length)
{
	make_node(NODE);
	scratch_write(NODE "/timebase-frequency", "abc", 3);
	scratch_write(NODE "/ibm,slb-size", "", 0);
	scratch_write(NODE "/i-cache-size", "abcdef", 6);
	check_defaults();
}
END_TEST

START_TEST(counts_at_most_eight_threads)
{
	make_node(NODE);
	cells(NODE "/ibm,ppc-interrupt-server#s", 16, 0);
	hostcpu_read(&p, scratch_path(""));
	ck_assert_uint_eq(p.host_threads, 8);
}
END_TEST

void hostcpu_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, scratch_remove);
	tcase_add_test(tc, without_a_tree);
	tcase_add_test(tc, without_a_processor);
	tcase_add_test(tc, without_properties);
	tcase_add_test(tc, reads_every_property);
	tcase_add_test(tc, the_extended_clock_wins);
	tcase_add_test(tc, ignores_properties_of_odd_length);
	tcase_add_test(tc, counts_at_most_eight_threads);
}
