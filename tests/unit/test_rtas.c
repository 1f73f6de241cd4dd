// SPDX-License-Identifier: GPL-2.0-only
/* hcall/rtas*.c: the argument block at every edge, and each service. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hcall/papr.h"
#include "hcall/rtas.h"
#include "hcall/rtas_fdt.h"
#include "lib/util.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define MEM_SIZE  0x10000
#define BLOCK	  0x1000
#define H_RTAS	  0xf000
#define UNTOUCHED 0x55555555

static struct fake fake;
static struct gmem *mem;
static uint32_t rets[RTAS_WORDS + 1];

static void setup(void)
{
	ck_assert(fake_init(&fake, MEM_SIZE));
	mem = &fake.machine.mem;
	memset(mem->base, 0x55, MEM_SIZE);
}

static void teardown(void)
{
	fake_fini(&fake);
}

static uint32_t token_of(const char *name)
{
	const struct rtas_service *service;
	uint32_t token;

	for (size_t n = 0; (service = rtas_nth(n, &token)); n++)
		if (!strcmp(service->name, name))
			return token;
	ck_abort_msg("no service %s", name);
	return 0;
}

static int64_t h_rtas_at(uint64_t addr)
{
	uint64_t args[HCALL_ARGS] = {addr};

	return fake_hcall(&fake, H_RTAS, args);
}

static void put_block(uint64_t addr, uint32_t token, uint32_t nargs, uint32_t nret)
{
	gmem_write_be32(mem, addr, token);
	gmem_write_be32(mem, addr + 4, nargs);
	gmem_write_be32(mem, addr + 8, nret);
}

/* The status of @name with @nargs uint32_t after; outputs go to rets, and one word beyond. */
static int32_t call(const char *name, uint32_t nret, uint32_t nargs, ...)
{
	va_list ap;

	fake.log[0] = '\0';
	memset(mem->base + BLOCK, 0x55, 12 + 4 * (nargs + RTAS_WORDS + 1));
	put_block(BLOCK, token_of(name), nargs, nret);
	va_start(ap, nargs);
	for (uint32_t i = 0; i < nargs; i++)
		gmem_write_be32(mem, BLOCK + 12 + 4 * i, va_arg(ap, uint32_t));
	va_end(ap);
	ck_assert_int_eq(h_rtas_at(BLOCK), H_SUCCESS);
	for (uint32_t i = 0; i <= nret; i++)
		gmem_read_be32(mem, BLOCK + 12 + 4 * (nargs + i), &rets[i]);
	ck_assert_uint_eq(rets[nret], UNTOUCHED);
	return (int32_t)rets[0];
}

START_TEST(table_has_names_handlers_and_tokens_of_their_own)
{
	const struct rtas_service *service, *other;
	uint32_t token, other_token;
	size_t n;

	for (n = 0; (service = rtas_nth(n, &token)); n++) {
		ck_assert_ptr_nonnull(service->serve);
		ck_assert(service->name[0]);
		ck_assert_uint_le(service->nargs + service->nret, RTAS_WORDS);
		ck_assert_uint_le(service->nargs, ARRAY_SIZE(service->args));
		for (size_t i = 0; i < ARRAY_SIZE(service->args); i++)
			ck_assert_msg(!!service->args[i] == (i < service->nargs),
				      "%s: argument %zu", service->name, i);
		for (size_t i = 0; i < n; i++) {
			other = rtas_nth(i, &other_token);
			ck_assert_uint_ne(token, other_token);
			ck_assert_str_ne(service->name, other->name);
			ck_assert_ptr_ne((void *)service->serve, (void *)other->serve);
		}
	}
	ck_assert_uint_ge(n, 17);
	ck_assert_ptr_null(rtas_nth(SIZE_MAX, &token));
}
END_TEST

/* One assertion, not one a byte: those take their time. */
static size_t count_written(size_t from)
{
	size_t n = 0;

	for (size_t at = from; at < MEM_SIZE; at++)
		n += mem->base[at] != 0x55;
	return n;
}

START_TEST(too_many_words_are_refused_and_nothing_written)
{
	static const struct {
		uint32_t nargs, nret;
	} counts[] = {
		{RTAS_WORDS + 1, 0},	  {0, RTAS_WORDS + 1}, {RTAS_WORDS, 1},
		{1, RTAS_WORDS},	  {UINT32_MAX, 0},     {0, UINT32_MAX},
		{UINT32_MAX, UINT32_MAX}, {0x40000000, 0},     {0, 0x40000000},
		{0x80000000, 0x80000000}, {UINT32_MAX, 1},     {1, UINT32_MAX},
		{UINT32_MAX - 15, 16},
	};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		memset(mem->base, 0x55, MEM_SIZE);
		put_block(BLOCK, token_of("power-off"), counts[i].nargs, counts[i].nret);
		ck_assert_int_eq(h_rtas_at(BLOCK), H_PARAMETER);
		ck_assert_uint_eq(count_written(BLOCK + 12), 0);
	}
	ck_assert_str_eq(fake.log, "");
}
END_TEST

START_TEST(as_many_words_as_fit_are_taken)
{
	put_block(BLOCK, token_of("event-scan"), 4, RTAS_WORDS - 4);
	ck_assert_int_eq(h_rtas_at(BLOCK), H_SUCCESS);
	put_block(BLOCK, token_of("power-off"), RTAS_WORDS - 1, 1);
	ck_assert_int_eq(h_rtas_at(BLOCK), H_SUCCESS);
	ck_assert_str_eq(fake.log, "stop(guest powered off) ");
}
END_TEST

START_TEST(the_block_must_lie_in_memory)
{
	static const uint64_t outside[] = {
		MEM_SIZE - 11,	 MEM_SIZE,	  MEM_SIZE + 1,
		0x100000000,	 1ull << 63,	  UINT64_MAX,
		UINT64_MAX - 11, UINT64_MAX - 12, 0x100000000ull + BLOCK, /* not cut to 32 bits */
	};

	put_block(BLOCK, token_of("power-off"), 2, 1);
	for (size_t i = 0; i < ARRAY_SIZE(outside); i++)
		ck_assert_int_eq(h_rtas_at(outside[i]), H_PARAMETER);
	ck_assert_str_eq(fake.log, "");
}
END_TEST

START_TEST(the_block_may_end_where_memory_ends)
{
	uint64_t at = MEM_SIZE - 12 - 12;
	uint32_t status;

	put_block(at, token_of("power-off"), 2, 1);
	ck_assert_int_eq(h_rtas_at(at), H_SUCCESS);
	ck_assert_int_eq(gmem_read_be32(mem, MEM_SIZE - 4, &status), 0);
	ck_assert_uint_eq(status, 0);
	ck_assert_str_eq(fake.log, "stop(guest powered off) ");
	/* One byte on, the output straddles the end: nothing is done. */
	fake.log[0] = '\0';
	for (uint64_t off = 1; off <= 12; off++) {
		put_block(at + off, token_of("power-off"), 2, 1);
		ck_assert_int_eq(h_rtas_at(at + off), H_PARAMETER);
	}
	ck_assert_str_eq(fake.log, "");
}
END_TEST

START_TEST(the_block_needs_no_alignment)
{
	uint32_t status = 1;

	put_block(BLOCK + 1, token_of("system-reboot"), 0, 1);
	ck_assert_int_eq(h_rtas_at(BLOCK + 1), H_SUCCESS);
	ck_assert_int_eq(gmem_read_be32(mem, BLOCK + 13, &status), 0);
	ck_assert_uint_eq(status, 0);
}
END_TEST

START_TEST(without_outputs_no_status_is_stored)
{
	call("stop-self", 0, 0);
	ck_assert_str_eq(fake.log, "cpu_stop_self(1) ");
	/* A service that must tell its status is not called. */
	call("power-off", 0, 2, 0, 0);
	ck_assert_str_eq(fake.log, "");
}
END_TEST

START_TEST(unknown_tokens_are_told_so)
{
	static const uint32_t tokens[] = {0, 1, 0x1fff, 0x3000, UINT32_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(tokens); i++) {
		uint32_t status = 0;

		put_block(BLOCK, tokens[i], 0, 1);
		ck_assert_int_eq(h_rtas_at(BLOCK), H_SUCCESS);
		gmem_read_be32(mem, BLOCK + 12, &status);
		ck_assert_int_eq((int32_t)status, RTAS_PARAM_ERROR);
	}
	ck_assert_str_eq(fake.log, "");
}
END_TEST

START_TEST(too_few_words_are_an_error_of_each_service)
{
	const struct rtas_service *service;
	uint32_t token;

	for (size_t n = 0; (service = rtas_nth(n, &token)); n++) {
		uint32_t status = 0;

		for (uint32_t nargs = 0; nargs < service->nargs; nargs++) {
			put_block(BLOCK, token, nargs, service->nret ? service->nret : 1);
			ck_assert_int_eq(h_rtas_at(BLOCK), H_SUCCESS);
			gmem_read_be32(mem, BLOCK + 12 + 4 * nargs, &status);
			ck_assert_msg((int32_t)status == RTAS_PARAM_ERROR, "%s with %u inputs",
				      service->name, nargs);
		}
		for (uint32_t nret = 1; nret < service->nret; nret++) {
			put_block(BLOCK, token, service->nargs, nret);
			ck_assert_int_eq(h_rtas_at(BLOCK), H_SUCCESS);
			gmem_read_be32(mem, BLOCK + 12 + 4 * service->nargs, &status);
			ck_assert_msg((int32_t)status == RTAS_PARAM_ERROR, "%s with %u outputs",
				      service->name, nret);
		}
	}
	ck_assert_str_eq(fake.log, "");
}
END_TEST

START_TEST(power)
{
	ck_assert_int_eq(call("power-off", 1, 2, UINT32_MAX, UINT32_MAX), RTAS_SUCCESS);
	ck_assert_str_eq(fake.log, "stop(guest powered off) ");
	ck_assert_int_eq(call("system-reboot", 1, 0), RTAS_SUCCESS);
	ck_assert_str_eq(fake.log, "stop(guest asked for reboot) ");
}
END_TEST

START_TEST(os_term_gives_its_message)
{
	char want[256];

	memcpy(mem->base + 0x100, "Attempted to\x1b kill init!\n", 26);
	ck_assert_int_eq(call("ibm,os-term", 1, 1, 0x100), RTAS_SUCCESS);
	ck_assert_str_eq(fake.log, "stop(guest panicked: Attempted to? kill init!?) ");
	/* No end in sight: cut. */
	memset(mem->base + 0x4000, 'y', 0x2000);
	ck_assert_int_eq(call("ibm,os-term", 1, 1, 0x4000), RTAS_SUCCESS);
	snprintf(want, sizeof(want), "stop(guest panicked: %.*s) ", 127,
		 (const char *)mem->base + 0x4000);
	ck_assert_str_eq(fake.log, want);
}
END_TEST

START_TEST(os_term_wherever_its_message_lies)
{
	static const uint32_t at[] = {MEM_SIZE, MEM_SIZE + 1, 0x80000000, UINT32_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		ck_assert_int_eq(call("ibm,os-term", 1, 1, at[i]), RTAS_SUCCESS);
		ck_assert_str_eq(fake.log, "stop(guest panicked) ");
	}
	mem->base[MEM_SIZE - 1] = 'y';
	ck_assert_int_eq(call("ibm,os-term", 1, 1, MEM_SIZE - 1), RTAS_SUCCESS);
	ck_assert_str_eq(fake.log, "stop(guest panicked: y) ");
}
END_TEST

START_TEST(start_cpu)
{
	ck_assert_int_eq(call("start-cpu", 1, 3, 2, 0x100, 0xfffffff7), RTAS_SUCCESS);
	ck_assert_str_eq(fake.log, "cpu_start(2, 0x100, 0xfffffff7) ");
	ck_assert_int_eq(call("start-cpu", 1, 3, 2, MEM_SIZE - 4, 0), RTAS_SUCCESS);
	fake.cpu_start = -EBUSY;
	ck_assert_int_eq(call("start-cpu", 1, 3, 2, 0x100, 0), RTAS_CPU_STATE_INVALID);
	fake.cpu_start = -ESRCH;
	ck_assert_int_eq(call("start-cpu", 1, 3, UINT32_MAX, 0x100, 0), RTAS_PARAM_ERROR);
	ck_assert_str_eq(fake.log, "cpu_start(4294967295, 0x100, 0) ");
	fake.cpu_start = -EIO;
	ck_assert_int_eq(call("start-cpu", 1, 3, 2, 0x100, 0), RTAS_HARDWARE_ERROR);
}
END_TEST

START_TEST(start_cpu_where_there_is_no_code)
{
	static const uint32_t entries[] = {MEM_SIZE, MEM_SIZE - 2, 0x102,
					   0x101,    0xfffffffc,   UINT32_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		ck_assert_int_eq(call("start-cpu", 1, 3, 2, entries[i], 0), RTAS_PARAM_ERROR);
		ck_assert_str_eq(fake.log, "");
	}
}
END_TEST

START_TEST(query_cpu_stopped_state)
{
	fake.cpu_stopped = 1;
	ck_assert_int_eq(call("query-cpu-stopped-state", 2, 1, 3), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[1], 0);
	ck_assert_str_eq(fake.log, "cpu_stopped(3) ");
	fake.cpu_stopped = 0;
	ck_assert_int_eq(call("query-cpu-stopped-state", 2, 1, 3), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[1], 2);
	fake.cpu_stopped = -ESRCH;
	ck_assert_int_eq(call("query-cpu-stopped-state", 2, 1, 4), RTAS_PARAM_ERROR);
}
END_TEST

START_TEST(time_of_day)
{
	ck_assert_int_eq(call("set-time-of-day", 1, 7, 2024, 2, 29, 12, 34, 10, 0), RTAS_SUCCESS);
	ck_assert_int_eq(call("get-time-of-day", 8, 0), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[1], 2024);
	ck_assert_uint_eq(rets[2], 2);
	ck_assert_uint_eq(rets[3], 29);
	ck_assert_uint_eq(rets[4], 12);
	ck_assert_uint_eq(rets[5], 34);
	ck_assert_uint_ge(rets[6], 10);
	ck_assert_uint_lt(rets[6], 60);
	ck_assert_uint_lt(rets[7], 1000000000);
	ck_assert_int_eq(call("set-time-of-day", 1, 7, 2023, 2, 29, 12, 34, 10, 0),
			 RTAS_PARAM_ERROR);
	ck_assert_int_eq(call("set-time-of-day", 1, 7, 2024, 2, 29, 12, 34, 10, 1000000000),
			 RTAS_PARAM_ERROR);
	ck_assert_int_eq(call("get-time-of-day", 8, 0), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[1], 2024);
}
END_TEST

START_TEST(display_character)
{
	char out[8] = "";

	ck_assert_int_eq(call("display-character", 1, 1, 'A'), RTAS_SUCCESS);
	ck_assert_int_eq(call("display-character", 1, 1, 0xffffff00 | 'B'), RTAS_SUCCESS);
	ck_assert_uint_eq(vty_output(&fake.machine.vty, out, sizeof(out)), 2);
	ck_assert_str_eq(out, "AB");
}
END_TEST

/* The length that came back; the value lies behind it. */
static uint32_t length_at(uint32_t addr)
{
	return (uint32_t)mem->base[addr] << 8 | mem->base[addr + 1];
}

START_TEST(get_system_parameter)
{
	ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 20, 0x100, 256), RTAS_SUCCESS);
	ck_assert_uint_eq(length_at(0x100), strlen((char *)mem->base + 0x102) + 1);
	assert_contains((char *)mem->base + 0x102,
			"MaxEntMem=0,DesMem=0,DesProcs=4,MaxPlatProcs=4");
	ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 42, 0x100, 3), RTAS_SUCCESS);
	ck_assert_uint_eq(length_at(0x100), 1);
	ck_assert_uint_eq(mem->base[0x102], 0);
	ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 48, MEM_SIZE - 18, 18),
			 RTAS_SUCCESS);
	ck_assert_uint_eq(length_at(MEM_SIZE - 18), 16);
	ck_assert_mem_eq(mem->base + MEM_SIZE - 16, fake.machine.uuid, 16);
	ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 43, 0x100, 256),
			 RTAS_NOT_SUPPORTED);
}
END_TEST

START_TEST(get_system_parameter_into_bad_buffers)
{
	static const struct {
		uint32_t addr, len;
	} buffers[] = {
		{0x100, 0},	  {0x100, 1},	       {MEM_SIZE - 17, 18},	 {MEM_SIZE, 18},
		{UINT32_MAX, 18}, {0x100, UINT32_MAX}, {UINT32_MAX, UINT32_MAX},
	};

	for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
		ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 48, buffers[i].addr,
				      buffers[i].len),
				 RTAS_SYSPARM_PARAM_ERR);
	ck_assert_uint_eq(mem->base[MEM_SIZE - 1], 0x55);
	ck_assert_uint_eq(mem->base[0x100], 0x55);
	/* Cut to the buffer, and the whole length told. */
	ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 48, 0x100, 5), RTAS_SUCCESS);
	ck_assert_uint_eq(length_at(0x100), 16);
	ck_assert_mem_eq(mem->base + 0x102, fake.machine.uuid, 3);
	ck_assert_uint_eq(mem->base[0x105], 0x55);
	ck_assert_int_eq(call("ibm,get-system-parameter", 1, 3, 48, 0x200, 2), RTAS_SUCCESS);
	ck_assert_uint_eq(mem->base[0x202], 0x55);
}
END_TEST

START_TEST(set_system_parameter_changes_nothing)
{
	ck_assert_int_eq(call("ibm,set-system-parameter", 1, 2, 20, 0x100), RTAS_NOT_AUTHORIZED);
	ck_assert_int_eq(call("ibm,set-system-parameter", 1, 2, 42, 0x100), RTAS_NOT_AUTHORIZED);
	ck_assert_int_eq(call("ibm,set-system-parameter", 1, 2, 48, UINT32_MAX),
			 RTAS_NOT_AUTHORIZED);
	ck_assert_int_eq(call("ibm,set-system-parameter", 1, 2, 43, 0x100), RTAS_NOT_SUPPORTED);
}
END_TEST

START_TEST(events_are_never_there)
{
	ck_assert_int_eq(call("event-scan", 1, 4, UINT32_MAX, 0, UINT32_MAX, UINT32_MAX),
			 RTAS_NO_ERRORS_FOUND);
	ck_assert_int_eq(call("check-exception", 1, 6, 0x500, 9, 1, 0, 0x100, 2048),
			 RTAS_NO_ERRORS_FOUND);
}
END_TEST

START_TEST(interrupt_sources)
{
	uint32_t source = FAKE_FIRST_SOURCE + 1;

	ck_assert_int_eq(call("ibm,get-xive", 3, 1, source), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[2], 0xff);
	ck_assert_int_eq(call("ibm,set-xive", 1, 3, source, 3, 5), RTAS_SUCCESS);
	ck_assert_int_eq(call("ibm,get-xive", 3, 1, source), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[1], 3);
	ck_assert_uint_eq(rets[2], 5);
	ck_assert_int_eq(call("ibm,int-off", 1, 1, source), RTAS_SUCCESS);
	ck_assert_int_eq(call("ibm,get-xive", 3, 1, source), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[2], 0xff);
	ck_assert_int_eq(call("ibm,int-on", 1, 1, source), RTAS_SUCCESS);
	ck_assert_int_eq(call("ibm,get-xive", 3, 1, source), RTAS_SUCCESS);
	ck_assert_uint_eq(rets[2], 5);
}
END_TEST

START_TEST(interrupt_sources_that_do_not_exist)
{
	static const uint32_t sources[] = {0, 2, FAKE_FIRST_SOURCE - 1,
					   FAKE_FIRST_SOURCE + FAKE_NR_SOURCES, UINT32_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		ck_assert_int_eq(call("ibm,set-xive", 1, 3, sources[i], 0, 5), RTAS_PARAM_ERROR);
		ck_assert_int_eq(call("ibm,get-xive", 3, 1, sources[i]), RTAS_PARAM_ERROR);
		ck_assert_int_eq(call("ibm,int-on", 1, 1, sources[i]), RTAS_PARAM_ERROR);
		ck_assert_int_eq(call("ibm,int-off", 1, 1, sources[i]), RTAS_PARAM_ERROR);
	}
	ck_assert_int_eq(call("ibm,set-xive", 1, 3, FAKE_FIRST_SOURCE, FAKE_CPUS, 5),
			 RTAS_PARAM_ERROR);
	ck_assert_int_eq(call("ibm,set-xive", 1, 3, FAKE_FIRST_SOURCE, UINT32_MAX, 5),
			 RTAS_PARAM_ERROR);
	ck_assert_int_eq(call("ibm,set-xive", 1, 3, FAKE_FIRST_SOURCE, 0, 0x100), RTAS_PARAM_ERROR);
	ck_assert_int_eq(call("ibm,set-xive", 1, 3, FAKE_FIRST_SOURCE, 0, 0x105), RTAS_PARAM_ERROR);
}
END_TEST

START_TEST(code_is_big_endian_and_fits)
{
	static const uint8_t sc_1[] = {0x44, 0x00, 0x00, 0x22};

	ck_assert_int_eq(rtas_load(mem, 0x2000), 0);
	ck_assert_ptr_nonnull(memmem(mem->base + 0x2000, 64, sc_1, 4));
	ck_assert_uint_eq(mem->base[0x1fff], 0x55);
	ck_assert_int_eq(rtas_load(mem, MEM_SIZE - 4), -EFAULT);
	ck_assert_int_eq(rtas_load(mem, UINT64_MAX - 3), -EFAULT);
}
END_TEST

void rtas_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, table_has_names_handlers_and_tokens_of_their_own);
	tcase_add_test(tc, too_many_words_are_refused_and_nothing_written);
	tcase_add_test(tc, as_many_words_as_fit_are_taken);
	tcase_add_test(tc, the_block_must_lie_in_memory);
	tcase_add_test(tc, the_block_may_end_where_memory_ends);
	tcase_add_test(tc, the_block_needs_no_alignment);
	tcase_add_test(tc, without_outputs_no_status_is_stored);
	tcase_add_test(tc, unknown_tokens_are_told_so);
	tcase_add_test(tc, too_few_words_are_an_error_of_each_service);
	tcase_add_test(tc, power);
	tcase_add_test(tc, os_term_gives_its_message);
	tcase_add_test(tc, os_term_wherever_its_message_lies);
	tcase_add_test(tc, start_cpu);
	tcase_add_test(tc, start_cpu_where_there_is_no_code);
	tcase_add_test(tc, query_cpu_stopped_state);
	tcase_add_test(tc, time_of_day);
	tcase_add_test(tc, display_character);
	tcase_add_test(tc, get_system_parameter);
	tcase_add_test(tc, get_system_parameter_into_bad_buffers);
	tcase_add_test(tc, set_system_parameter_changes_nothing);
	tcase_add_test(tc, events_are_never_there);
	tcase_add_test(tc, interrupt_sources);
	tcase_add_test(tc, interrupt_sources_that_do_not_exist);
	tcase_add_test(tc, code_is_big_endian_and_fits);
}
