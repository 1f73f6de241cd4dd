// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/hpt_rig.h"

#include <string.h>

struct fake fake;
struct hpt *hpt;
struct hpt_hw hw;
uint64_t args[HCALL_ARGS];

void hpt_rig_setup(void)
{
	ck_assert(fake_init(&fake, HPT_RIG_MEM));
	hpt = &fake.machine.hpt;
	ck_assert_int_eq(hpt_hw_init(&hw, hpt, HPT_ORDER_MIN), 0);
	ck_assert_uint_eq(hpt_count(hpt), HPT_RIG_COUNT);
}

void hpt_rig_teardown(void)
{
	hpt_hw_fini(&hw);
	fake_fini(&fake);
}

void hpt_rig_without_backing(void)
{
	hpt->backing = NULL;
	hpt_hw_fini(&hw);
}

void hpt_rig_fails(unsigned int after, int err)
{
	hw.fails_after = after;
	hw.err = err;
}

/* Each ck_assert() writes to a file: not one for each entry. */
static uint64_t first_locked(void)
{
	uint64_t i = 0;

	while (i < HPT_RIG_COUNT &&
	       !(atomic_load(&hpt->slots[i].v) & (HPTE_V_LOCKED | HPTE_V_ABSENT)))
		i++;
	return i;
}

void hpt_rig_check(void)
{
	ck_assert_uint_eq(fake.hpt_begun, fake.hpt_ended);
	ck_assert_msg(!hw.fault, "%s", hw.fault);
	if (hpt->slots)
		ck_assert_uint_eq(first_locked(), HPT_RIG_COUNT);
}

int64_t call4(uint64_t nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	int64_t ret;

	memset(args, 0x33, sizeof(args));
	args[0] = a;
	args[1] = b;
	args[2] = c;
	args[3] = d;
	ret = fake_hcall(&fake, nr, args);
	hpt_rig_check();
	return ret;
}

void has(uint64_t index, uint64_t v, uint64_t r)
{
	gives(H_SUCCESS, H_ENTER, EXACT, index, v, r);
	ck_assert_uint_eq(args[0], index);
}

void holds(uint64_t index, uint64_t v, uint64_t r)
{
	gives(H_SUCCESS, H_READ, 0, index);
	ck_assert_uint_eq(args[0], v);
	ck_assert_uint_eq(args[1], r);
	if (!hw.entries)
		return;
	ck_assert_uint_eq(hw.entries[index].v, v);
	ck_assert_uint_eq(hw.entries[index].r, r);
}

void is_free(uint64_t index)
{
	holds(index, 0, 0);
}
