// SPDX-License-Identifier: GPL-2.0-only
/* hcall/hpt_resize.c: what is refused before KVM is asked, and KVM's answers as PAPR's. */
#include <errno.h>

#include "hcall/hcall.h"
#include "hcall/papr.h"
#include "lib/util.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define PREPARE 0x36c
#define COMMIT	0x370

static struct fake fake;
static int answer;
static uint32_t prepared, committed; /* the order that was asked for last; 1: none */

static int on_prepare(struct hcpu *cpu, uint32_t order)
{
	(void)cpu;
	prepared = order;
	return answer;
}

static int on_commit(struct hcpu *cpu, uint32_t order)
{
	(void)cpu;
	committed = order;
	return answer;
}

static void setup(void)
{
	static struct machine_ops ops;

	ck_assert(fake_init(&fake, 1 << 20));
	ops = *fake.machine.ops;
	ops.hpt_prepare = on_prepare;
	ops.hpt_commit = on_commit;
	fake.machine.ops = &ops;
	fake.machine.hpt_order_max = 24;
	answer = 0;
	prepared = committed = 1;
}

static void teardown(void)
{
	fake_fini(&fake);
}

static int64_t call(uint64_t nr, uint64_t flags, uint64_t order)
{
	uint64_t args[HCALL_ARGS] = {flags, order};

	return fake_hcall(&fake, nr, args);
}

START_TEST(the_order_reaches_kvm)
{
	ck_assert_int_eq(call(PREPARE, 0, 24), H_SUCCESS);
	ck_assert_uint_eq(prepared, 24);
	ck_assert_uint_eq(committed, 1);
	ck_assert_int_eq(call(COMMIT, 0, 18), H_SUCCESS);
	ck_assert_uint_eq(committed, 18);
	/* 0 gives up what was begun. */
	ck_assert_int_eq(call(PREPARE, 0, 0), H_SUCCESS);
	ck_assert_uint_eq(prepared, 0);
}
END_TEST

START_TEST(what_cannot_be_never_reaches_kvm)
{
	static const struct {
		uint64_t flags, order;
		int64_t ret;
	} bad[] = {
		{1, 20, H_PARAMETER},
		{1ull << 63, 20, H_PARAMETER},
		{0, 1, H_PARAMETER},
		{0, 17, H_PARAMETER},
		{0, 47, H_PARAMETER},
		{0, UINT64_MAX, H_PARAMETER},
		{0, 1ull << 32 | 20, H_PARAMETER},
		{0, 25, H_RESOURCE},
		{0, 46, H_RESOURCE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(call(PREPARE, bad[i].flags, bad[i].order), bad[i].ret);
		ck_assert_int_eq(call(COMMIT, bad[i].flags, bad[i].order), bad[i].ret);
	}
	ck_assert_uint_eq(prepared, 1);
	ck_assert_uint_eq(committed, 1);
	fake.machine.hpt_order_max = 0; /* KVM cannot, or it is a radix guest */
	ck_assert_int_eq(call(PREPARE, 0, 20), H_FUNCTION);
	ck_assert_int_eq(call(COMMIT, 0, 20), H_FUNCTION);
}
END_TEST

START_TEST(kvms_answers_are_paprs)
{
	static const struct {
		int kvm;
		int64_t ret;
	} answers[] = {
		{1, 9900},
		{2, 9901},
		{10, 9901},
		{11, 9902},
		{100, 9902},
		{101, 9903},
		{1000, 9903},
		{10000, 9904},
		{10001, 9905},
		{1000000, 9905},
		{-EINVAL, H_PARAMETER},
		{-ENXIO, H_CLOSED},
		{-ENOSPC, H_PTEG_FULL},
		{-EBUSY, H_BUSY},
		{-ENOMEM, H_NO_MEM},
		{-EIO, H_HARDWARE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		answer = answers[i].kvm;
		ck_assert_int_eq(call(PREPARE, 0, 20), answers[i].ret);
		ck_assert_int_eq(call(COMMIT, 0, 20), answers[i].ret);
	}
}
END_TEST

void hpt_resize_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_order_reaches_kvm);
	tcase_add_test(tc, what_cannot_be_never_reaches_kvm);
	tcase_add_test(tc, kvms_answers_are_paprs);
}
