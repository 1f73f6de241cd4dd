// SPDX-License-Identifier: GPL-2.0-only
/* hcall/: the table, each handler's right and wrong arguments, and rubbish for all. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "hcall/papr.h"
#include "lib/util.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define MEM_SIZE 0x10000

static struct fake fake;
static struct machine *m;
static uint64_t args[HCALL_ARGS];

static void setup(void)
{
	ck_assert(fake_init(&fake, MEM_SIZE));
	m = &fake.machine;
}

static void teardown(void)
{
	fake_fini(&fake);
}

static uint64_t number_of(const char *name)
{
	const struct hcall *hcall;

	for (size_t n = 0; (hcall = hcall_nth(n)); n++)
		if (!strcmp(hcall->name, name))
			return hcall->nr;
	ck_abort_msg("no hypercall %s", name);
	return 0;
}

static int64_t call5(const char *name, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	fake.log[0] = '\0';
	memset(args, 0x33, sizeof(args));
	args[0] = a;
	args[1] = b;
	args[2] = c;
	args[3] = d;
	args[4] = e;
	return fake_hcall(&fake, number_of(name), args);
}

#define CALL(...)			CALL_(__VA_ARGS__, 0, 0, 0, 0, 0)
#define CALL_(name, a, b, c, d, e, ...) call5(name, a, b, c, d, e)

START_TEST(table_is_in_order_and_found_by_number)
{
	const struct hcall *hcall;
	uint64_t last = 0;
	size_t n;

	for (n = 0; (hcall = hcall_nth(n)); n++) {
		ck_assert_msg(hcall->nr > last, "%s is out of order", hcall->name);
		last = hcall->nr;
		ck_assert_ptr_eq(hcall_find(hcall->nr), hcall);
		ck_assert_int_eq(strncmp(hcall->name, "H_", 2), 0);
		for (size_t i = 0; i < n; i++)
			ck_assert_str_ne(hcall->name, hcall_nth(i)->name);
		/* Who may serve a call, and whether it can be served here, go together. */
		if (hcall->by == BY_KERNEL || hcall->by == BY_NOBODY)
			ck_assert_msg(!hcall->serve, "%s", hcall->name);
		if (hcall->by == BY_EITHER)
			ck_assert_msg(hcall->serve != NULL, "%s", hcall->name);
		/* Arguments have no gap. */
		for (size_t i = 1; i < ARRAY_SIZE(hcall->args); i++)
			ck_assert_msg(hcall->args[i - 1] || !hcall->args[i], "%s", hcall->name);
	}
	ck_assert_uint_gt(n, 40);
	ck_assert_ptr_null(hcall_nth(SIZE_MAX));
}
END_TEST

START_TEST(numbers_outside_the_table_are_unknown)
{
	static const uint64_t high[] = {0x4fc,
					0x500,
					0xefff,
					0xf0ff,
					0xf100,
					0x10000,
					1ull << 32 | 0x74,
					1ull << 63 | 0x74,
					UINT64_MAX,
					UINT64_MAX - 3,
					1ull << 32 | 0xf000};
	size_t known = 0, n = 0;

	for (uint64_t nr = 0; nr < 0x11000; nr++)
		known += hcall_find(nr) != NULL;
	while (hcall_nth(n))
		n++;
	ck_assert_uint_eq(known, n);
	for (size_t i = 0; i < ARRAY_SIZE(high); i++) {
		ck_assert_ptr_null(hcall_find(high[i]));
		ck_assert_int_eq(fake_hcall(&fake, high[i], args), H_FUNCTION);
	}
	ck_assert_int_eq(fake_hcall(&fake, 0, args), H_FUNCTION);
	ck_assert_int_eq(fake_hcall(&fake, 0x75, args), H_FUNCTION);
}
END_TEST

static const uint64_t rubbish[] = {
	0,
	1,
	2,
	3,
	4,
	8,
	0xff,
	0x1000,
	0x1001,
	MEM_SIZE - 8,
	MEM_SIZE - 1,
	MEM_SIZE,
	0x71000000,
	UINT32_MAX,
	1ull << 32,
	1ull << 60,
	1ull << 63,
	UINT64_MAX - 1,
	UINT64_MAX,
};

static bool is_papr_code(int64_t ret)
{
	switch (ret) {
	case H_SUCCESS:
	case H_BUSY:
	case H_HARDWARE:
	case H_FUNCTION:
	case H_PARAMETER:
	case H_P2:
	case H_P3:
	case H_P4:
	case H_UNSUPPORTED_FLAG:
		return true;
	default:
		return false;
	}
}

/* Arguments are drawn from values at the edges; always the same ones. */
START_TEST(rubbish_gets_a_papr_code)
{
	const struct hcall *hcall;
	uint64_t draw = 88172645463325252ull;

	for (size_t n = 0; (hcall = hcall_nth(n)); n++) {
		for (size_t i = 0; i < 1000; i++) {
			uint64_t in[HCALL_ARGS];
			int64_t ret;

			for (size_t a = 0; a < HCALL_ARGS; a++) {
				draw ^= draw << 13;
				draw ^= draw >> 7;
				draw ^= draw << 17;
				in[a] = rubbish[draw % ARRAY_SIZE(rubbish)];
			}
			fake.log[0] = '\0';
			ret = fake_hcall(&fake, hcall->nr, in);
			ck_assert_msg(is_papr_code(ret), "%s gives %lld", hcall->name,
				      (long long)ret);
			if (!hcall->serve)
				ck_assert_int_eq(ret, H_FUNCTION);
		}
	}
}
END_TEST

START_TEST(set_mode_endianness)
{
	ck_assert_int_eq(CALL("H_SET_MODE", 1, 4), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_lpcr(0x2000000, 0x2000000) ");
	ck_assert_int_eq(CALL("H_SET_MODE", 0, 4), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_lpcr(0x2000000, 0) ");
	ck_assert_int_eq(CALL("H_SET_MODE", 2, 4), H_UNSUPPORTED_FLAG);
	ck_assert_int_eq(CALL("H_SET_MODE", UINT64_MAX, 4), H_UNSUPPORTED_FLAG);
	ck_assert_int_eq(CALL("H_SET_MODE", 1, 4, 1), H_P3);
	ck_assert_int_eq(CALL("H_SET_MODE", 1, 4, 0, 1), H_P4);
	ck_assert_str_eq(fake.log, "");
	fake.set_lpcr = -EIO;
	ck_assert_int_eq(CALL("H_SET_MODE", 1, 4), H_HARDWARE);
}
END_TEST

START_TEST(set_mode_interrupt_location)
{
	ck_assert_int_eq(CALL("H_SET_MODE", 3, 3), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_lpcr(0x1800000, 0x1800000) ");
	ck_assert_int_eq(CALL("H_SET_MODE", 0, 3), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_lpcr(0x1800000, 0) ");
	ck_assert_int_eq(CALL("H_SET_MODE", 2, 3), H_UNSUPPORTED_FLAG);
	ck_assert_int_eq(CALL("H_SET_MODE", 1, 3), H_UNSUPPORTED_FLAG);
	ck_assert_int_eq(CALL("H_SET_MODE", 4, 3), H_UNSUPPORTED_FLAG);
	ck_assert_int_eq(CALL("H_SET_MODE", 3, 3, 5), H_P3);
	ck_assert_int_eq(CALL("H_SET_MODE", 3, 3, 0, 5), H_P4);
}
END_TEST

START_TEST(set_mode_resources_that_are_none)
{
	static const uint64_t resources[] = {0, 5, 100, UINT64_MAX, 1ull << 32 | 4};

	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		ck_assert_int_eq(CALL("H_SET_MODE", 1, resources[i]), H_P2);
		ck_assert_str_eq(fake.log, "");
	}
}
END_TEST

START_TEST(register_radix_process_table)
{
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1d, 0x1000000, 0, 12), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_process_table(1, 1, 0x800000000100000c) ");
	ck_assert_uint_eq(m->patb1, PATB_GR | 0x1000000 | 12);
	/* Only GTSE changes. */
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x04), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_process_table(1, 0, 0x800000000100000c) ");
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x05, 0, 0, 0), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_process_table(1, 1, 0x800000000100000c) ");
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x00), H_PARAMETER);
	/* Deregister. */
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x10), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_process_table(1, 0, 0x8000000000000000) ");
	ck_assert_uint_eq(m->patb1, PATB_GR);
}
END_TEST

START_TEST(no_radix_beside_a_model_of_the_hashed_table)
{
	ck_assert_int_eq(hpt_init(&m->hpt, HPT_ORDER_MIN, NULL, NULL), 0);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1d, 0x1000000, 0, 12), H_PARAMETER);
	ck_assert_str_eq(fake.log, "");
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x18, 1, 5, 4), H_SUCCESS);
	hpt_fini(&m->hpt);
}
END_TEST

START_TEST(register_hash_process_table)
{
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x18, 1, 5, 4), H_SUCCESS);
	ck_assert_str_eq(fake.log, "set_process_table(0, 0, 0x20000a4) ");
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x18, 1ull << 38), H_P2);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x18, 0, 8), H_P3);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x18, 0, 0, 25), H_P4);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x04), H_PARAMETER);
}
END_TEST

START_TEST(register_bad_process_tables)
{
	static const uint64_t flags[] = {0x20, 0x100, UINT64_MAX, 0x1a, 0x02, 1ull << 32 | 0x1c};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", flags[i]), H_PARAMETER);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1c, 0x1001, 0, 12), H_P2);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1c, 1ull << 60, 0, 12), H_P2);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1c, 0x1000, 1, 12), H_P3);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1c, 0x1000, 0, 25), H_P4);
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1c, 0x1000, 0, UINT64_MAX), H_P4);
	ck_assert_str_eq(fake.log, "");
	ck_assert_uint_eq(m->patb1, 0);
	fake.set_process_table = -EINVAL;
	ck_assert_int_eq(CALL("H_REGISTER_PROC_TBL", 0x1c, 0x1000, 0, 12), H_PARAMETER);
	ck_assert_uint_eq(m->patb1, 0);
}
END_TEST

START_TEST(processor_facts)
{
	ck_assert_int_eq(CALL("H_GET_CPU_CHARACTERISTICS", 7), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0x1111);
	ck_assert_uint_eq(args[1], 0x2222);
	ck_assert_int_eq(CALL("H_HOME_NODE_ASSOCIATIVITY", 1, 3), H_SUCCESS);
	ck_assert_uint_eq(args[5], UINT64_MAX);
	ck_assert_int_eq(CALL("H_HOME_NODE_ASSOCIATIVITY", 0, 3), H_PARAMETER);
	ck_assert_int_eq(CALL("H_HOME_NODE_ASSOCIATIVITY", 1, FAKE_CPUS), H_P2);
	ck_assert_int_eq(CALL("H_HOME_NODE_ASSOCIATIVITY", 1, 1ull << 32), H_P2);
}
END_TEST

START_TEST(random_numbers_differ)
{
	uint64_t first;

	ck_assert_int_eq(CALL("H_RANDOM", 0), H_SUCCESS);
	first = args[0];
	ck_assert_int_eq(CALL("H_RANDOM", 0), H_SUCCESS);
	ck_assert_uint_ne(first, args[0]);
	ck_assert_uint_eq(args[5], 0x3333333333333333);
}
END_TEST

START_TEST(system_reset_signals)
{
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", 3), H_SUCCESS);
	ck_assert_str_eq(fake.log, "system_reset(3) ");
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", UINT64_MAX), H_SUCCESS);
	ck_assert_str_eq(fake.log,
			 "system_reset(0) system_reset(1) system_reset(2) system_reset(3) ");
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", UINT64_MAX - 1), H_SUCCESS);
	ck_assert_str_eq(fake.log, "system_reset(0) system_reset(2) system_reset(3) ");
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", UINT64_MAX - 2), H_PARAMETER);
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", 1ull << 32 | 3), H_PARAMETER);
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", 1ull << 63), H_PARAMETER);
	ck_assert_str_eq(fake.log, "");
	fake.system_reset = -ESRCH;
	ck_assert_int_eq(CALL("H_SIGNAL_SYS_RESET", 9), H_PARAMETER);
}
END_TEST

START_TEST(logical_loads_and_stores)
{
	static const char *const loads[] = {"H_LOGICAL_CI_LOAD", "H_LOGICAL_CACHE_LOAD"};
	static const char *const stores[] = {"H_LOGICAL_CI_STORE", "H_LOGICAL_CACHE_STORE"};
	static const uint8_t bytes[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};

	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		for (uint64_t size = 1; size <= 8; size *= 2) {
			memcpy(m->mem.base + MEM_SIZE - 8, bytes, 8);
			ck_assert_int_eq(CALL(loads[i], size, MEM_SIZE - size), H_SUCCESS);
			ck_assert_uint_eq(args[0], size == 8 ? 0x1122334455667788
							     : 0x1122334455667788 &
								       ((1ull << 8 * size) - 1));
			ck_assert_int_eq(CALL(stores[i], size, 0x100, 0xa1a2a3a4a5a6a7a8),
					 H_SUCCESS);
			for (uint64_t b = 0; b < size; b++)
				ck_assert_uint_eq(m->mem.base[0x100 + b], 0xa9 - size + b);
			ck_assert_int_eq(CALL(loads[i], size, MEM_SIZE), H_PARAMETER);
			ck_assert_int_eq(CALL(stores[i], size, MEM_SIZE), H_PARAMETER);
			ck_assert_int_eq(CALL(loads[i], size, -size), H_PARAMETER);
			if (size > 1)
				ck_assert_int_eq(CALL(loads[i], size, 0x101), H_PARAMETER);
			if (size > 1)
				ck_assert_int_eq(CALL(stores[i], size, 0x101), H_PARAMETER);
		}
		for (uint64_t size = 0; size < 20; size++) {
			if (size == 1 || size == 2 || size == 4 || size == 8)
				continue;
			ck_assert_int_eq(CALL(loads[i], size, 0x100), H_PARAMETER);
			ck_assert_int_eq(CALL(stores[i], size, 0x100, 1), H_PARAMETER);
		}
	}
}
END_TEST

START_TEST(logical_cache_operations)
{
	ck_assert_int_eq(CALL("H_LOGICAL_ICBI", MEM_SIZE - 1), H_SUCCESS);
	ck_assert_int_eq(CALL("H_LOGICAL_DCBF", 0), H_SUCCESS);
	ck_assert_int_eq(CALL("H_LOGICAL_ICBI", MEM_SIZE), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_DCBF", UINT64_MAX), H_PARAMETER);
}
END_TEST

START_TEST(logical_memory_operations)
{
	memcpy(m->mem.base + 0x100, "abcdefgh", 8);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0x200, 0x100, 3, 1, 0), H_SUCCESS);
	ck_assert_mem_eq(m->mem.base + 0x200, "abcdefgh", 8);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0x200, 0x100, 0, 4, 1), H_SUCCESS);
	ck_assert_uint_eq(m->mem.base[0x200], 'a' ^ 0xff);
	ck_assert_uint_eq(m->mem.base[0x204], 'e');
	/* Overlap. */
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0x104, 0x100, 2, 2, 0), H_SUCCESS);
	ck_assert_mem_eq(m->mem.base + 0x100, "abcdabcdefgh", 12);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, MEM_SIZE - 8, 3, 1, 0), H_SUCCESS);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0, 3, 0, 0), H_SUCCESS);
}
END_TEST

START_TEST(logical_memory_operations_gone_wrong)
{
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0x100, 4, 1, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0x100, 0, 1, 2), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 4, 0x100, 3, 1, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0x104, 3, 1, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", MEM_SIZE - 8, 0, 3, 2, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, MEM_SIZE - 8, 3, 2, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0, 3, UINT64_MAX, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0, 3, 1ull << 61, 0), H_PARAMETER);
	ck_assert_int_eq(CALL("H_LOGICAL_MEMOP", 0, 0, 0, UINT64_MAX, 1), H_PARAMETER);
}
END_TEST

START_TEST(terminal_output)
{
	char out[32] = "";

	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 0, 16, 0x4142434445464748, 0x494a4b4c4d4e4f50),
			 H_SUCCESS);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", VTY_UNIT_ADDRESS, 3, 0x7172730000000000),
			 H_SUCCESS);
	ck_assert_uint_eq(vty_output(&m->vty, out, sizeof(out)), 19);
	ck_assert_str_eq(out, "ABCDEFGHIJKLMNOPqrs");
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 0, 0), H_SUCCESS);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 0, 17), H_PARAMETER);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 0, UINT64_MAX), H_PARAMETER);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 1, 1), H_PARAMETER);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 1ull << 32, 1), H_PARAMETER);
	ck_assert_uint_eq(vty_output(&m->vty, out, sizeof(out)), 0);
	while (!CALL("H_PUT_TERM_CHAR", 0, 16, 1, 2))
		;
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", 0, 16, 1, 2), H_BUSY);
}
END_TEST

START_TEST(terminal_input)
{
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", 0), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0);
	vty_input(&m->vty, "abcdefghijklmnopqrs", 19);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", VTY_UNIT_ADDRESS), H_SUCCESS);
	ck_assert_uint_eq(args[0], 16);
	ck_assert_uint_eq(args[1], 0x6162636465666768);
	ck_assert_uint_eq(args[2], 0x696a6b6c6d6e6f70);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", 0), H_SUCCESS);
	ck_assert_uint_eq(args[0], 3);
	ck_assert_uint_eq(args[1], 0x7172730000000000);
	ck_assert_uint_eq(args[2], 0);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", 5), H_PARAMETER);
}
END_TEST

static void on_pulse(void *ctx)
{
	++*(int *)ctx;
}

START_TEST(terminals_that_loop)
{
	static const struct vty_loop_ops ops = {.pulse = on_pulse};
	uint64_t first = VTY_UNIT_ADDRESS + 1;
	int pulses[2] = {0};
	char out[32];

	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first, 1), H_PARAMETER);
	for (m->nr_loops = 0; m->nr_loops < 2; m->nr_loops++)
		ck_assert_int_eq(vty_init_loop(&m->loops[m->nr_loops], &ops, &pulses[m->nr_loops]),
				 0);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first, 2, 0x4142000000000000), H_SUCCESS);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first + 1, 1, 0x4300000000000000), H_SUCCESS);
	ck_assert_int_eq(pulses[0], 1);
	ck_assert_int_eq(pulses[1], 1);
	ck_assert_uint_eq(vty_output(&m->vty, out, sizeof(out)), 0);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", first), H_SUCCESS);
	ck_assert_uint_eq(args[0], 2);
	ck_assert_uint_eq(args[1], 0x4142000000000000);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", first + 1), H_SUCCESS);
	ck_assert_uint_eq(args[0], 1);
	ck_assert_uint_eq(args[1], 0x4300000000000000);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", 0), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0);
	while (!CALL("H_PUT_TERM_CHAR", first, 16, 1, 2))
		;
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first, 16, 1, 2), H_BUSY);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first + 1, 17), H_PARAMETER);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first + 2, 1), H_PARAMETER);
	ck_assert_int_eq(CALL("H_PUT_TERM_CHAR", first - 2, 1), H_PARAMETER);
	ck_assert_int_eq(CALL("H_GET_TERM_CHAR", (1ull << 32) + first), H_PARAMETER);
	while (m->nr_loops)
		vty_fini(&m->loops[--m->nr_loops]);
}
END_TEST

START_TEST(interrupts)
{
	ck_assert_int_eq(CALL("H_XIRR", 7), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0);
	ck_assert_int_eq(CALL("H_CPPR", 0xff), H_SUCCESS);
	ck_assert_int_eq(CALL("H_XIRR", 7), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0xff000000);
	ck_assert_int_eq(CALL("H_IPI", 1, 4), H_SUCCESS);
	ck_assert(fake.line[1]);
	ck_assert_int_eq(CALL("H_IPOLL", 1), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0xff000002);
	ck_assert_uint_eq(args[1], 4);
	ck_assert_int_eq(CALL("H_XIRR_X", 0), H_SUCCESS);
	ck_assert_uint_eq(args[0], 0xff000002);
	ck_assert_uint_ne(args[1], 0x3333333333333333);
	ck_assert_int_eq(CALL("H_IPI", 1, 0xff), H_SUCCESS);
	ck_assert_int_eq(CALL("H_EOI", 0xff000002), H_SUCCESS);
	ck_assert_int_eq(CALL("H_EOI", 0xff000003), H_PARAMETER);
	ck_assert(!fake.line[1]);
}
END_TEST

START_TEST(interrupts_of_servers_that_do_not_exist)
{
	static const uint64_t servers[] = {FAKE_CPUS, UINT32_MAX, 1ull << 32, 1ull << 32 | 1,
					   UINT64_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(servers); i++) {
		ck_assert_int_eq(CALL("H_IPI", servers[i], 4), H_PARAMETER);
		ck_assert_int_eq(CALL("H_IPOLL", servers[i]), H_PARAMETER);
	}
}
END_TEST

START_TEST(traces_calls_without_changing_them)
{
	struct trace trace = {.kinds = TRACE_HCALL};
	char text[1024];
	int fds[2];
	ssize_t n;

	ck_assert_int_eq(pipe2(fds, O_NONBLOCK), 0);
	trace.fd = fds[1];
	m->trace = &trace;
	ck_assert_int_eq(CALL("H_CPPR", 0xff), H_SUCCESS);
	ck_assert_int_eq(fake_hcall(&fake, 0x7777777, args), H_FUNCTION);
	m->cpu_character = 0x1234;
	m->cpu_behaviour = 0;
	ck_assert_int_eq(CALL("H_GET_CPU_CHARACTERISTICS", 0x11, 0x22), H_SUCCESS);
	n = read(fds[0], text, sizeof(text) - 1);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	assert_contains(text, " cpu 1 hcall 0x68 H_CPPR(0xff) = 0\n");
	assert_contains(text, " cpu 1 hcall 0x7777777 unknown(0xff, ");
	assert_contains(text, ") = -2\n");
	/* No argument is shown, and what it answers is. */
	assert_contains(text, " H_GET_CPU_CHARACTERISTICS() = 0 [r4 0x1234, r5 0]\n");
	/* Other kinds only: the same call, no line. */
	trace.kinds = TRACE_IRQ;
	ck_assert_int_eq(CALL("H_CPPR", 0), H_SUCCESS);
	ck_assert_int_eq(read(fds[0], text, 1), -1);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

void hcall_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, table_is_in_order_and_found_by_number);
	tcase_add_test(tc, numbers_outside_the_table_are_unknown);
	tcase_add_test(tc, rubbish_gets_a_papr_code);
	tcase_add_test(tc, set_mode_endianness);
	tcase_add_test(tc, set_mode_interrupt_location);
	tcase_add_test(tc, set_mode_resources_that_are_none);
	tcase_add_test(tc, register_radix_process_table);
	tcase_add_test(tc, no_radix_beside_a_model_of_the_hashed_table);
	tcase_add_test(tc, register_hash_process_table);
	tcase_add_test(tc, register_bad_process_tables);
	tcase_add_test(tc, processor_facts);
	tcase_add_test(tc, random_numbers_differ);
	tcase_add_test(tc, system_reset_signals);
	tcase_add_test(tc, logical_loads_and_stores);
	tcase_add_test(tc, logical_cache_operations);
	tcase_add_test(tc, logical_memory_operations);
	tcase_add_test(tc, logical_memory_operations_gone_wrong);
	tcase_add_test(tc, terminal_output);
	tcase_add_test(tc, terminal_input);
	tcase_add_test(tc, terminals_that_loop);
	tcase_add_test(tc, interrupts);
	tcase_add_test(tc, interrupts_of_servers_that_do_not_exist);
	tcase_add_test(tc, traces_calls_without_changing_them);
}
