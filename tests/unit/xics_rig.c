// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/xics_rig.h"

#include <string.h>

#include "tests/unit/xics_audit.h"

struct xics xics;
bool line[SERVERS];
int changes[SERVERS];

/* The line is up for nothing, and may be raised when it is: another took an IPI back. */
static bool stale[SERVERS];

static bool on_raise(void *ctx, uint32_t server)
{
	ck_assert_ptr_eq(ctx, &xics);
	ck_assert_uint_lt(server, SERVERS);
	ck_assert_msg(!line[server] || stale[server], "line %u raised twice", server);
	changes[server] += !line[server];
	line[server] = true;
	return false;
}

static void on_lower(void *ctx, uint32_t server)
{
	ck_assert_ptr_eq(ctx, &xics);
	ck_assert_uint_lt(server, SERVERS);
	ck_assert_msg(line[server], "line %u lowered twice", server);
	line[server] = false;
	changes[server]++;
}

static const struct xics_ops ops = {on_raise, on_lower};

void rig_setup(void)
{
	memset(line, 0, sizeof(line));
	memset(stale, 0, sizeof(stale));
	memset(changes, 0, sizeof(changes));
	ck_assert_int_eq(xics_init(&xics, SERVERS, &ops, &xics), 0);
	for (uint32_t source = FIRST; source < FIRST + SOURCES; source++)
		ck_assert_int_eq(xics_add_source(&xics, source, source == LSI), 0);
	for (uint32_t server = 0; server < SERVERS; server++)
		xics_set_cppr(&xics, server, 0xff);
	ck_assert_int_eq(xics_set_xive(&xics, A, 0, 5), 0);
	ck_assert_int_eq(xics_set_xive(&xics, B, 0, 6), 0);
	ck_assert_int_eq(xics_set_xive(&xics, LSI, 0, 7), 0);
}

void rig_teardown(void)
{
	xics_fini(&xics);
}

int rig_audited(int result)
{
	const char *fault = audit(&xics, line);

	ck_assert_msg(!fault, "%s", fault);
	for (uint32_t server = 0; server < SERVERS; server++) {
		uint32_t xirr;
		uint8_t mfrr;

		xics_ipoll(&xics, server, &xirr, &mfrr);
		stale[server] = line[server] && XICS_XISR(xirr) == NONE;
	}
	return result;
}

void rig_before_ipi(void)
{
	memcpy(stale, line, sizeof(stale));
}

void check(uint32_t server, uint8_t cppr, uint32_t xisr, uint8_t mfrr)
{
	uint32_t xirr;
	uint8_t got;

	ck_assert_int_eq(xics_ipoll(&xics, server, &xirr, &got), 0);
	ck_assert_uint_eq(XICS_CPPR(xirr), cppr);
	ck_assert_uint_eq(XICS_XISR(xirr), xisr);
	ck_assert_uint_eq(got, mfrr);
	ck_assert_int_eq(line[server], xisr != NONE);
}

void accepts(uint32_t server, uint8_t cppr, uint32_t source)
{
	uint32_t xirr;

	ck_assert_int_eq(xics_accept(&xics, server, &xirr), 0);
	ck_assert_uint_eq(xirr, (uint32_t)cppr << 24 | source);
}

void ends(uint32_t server, uint8_t cppr, uint32_t source)
{
	ck_assert_int_eq(xics_eoi(&xics, server, (uint32_t)cppr << 24 | source), 0);
}
