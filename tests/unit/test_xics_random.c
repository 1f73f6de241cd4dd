// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls of devices and guest, which may be any but to end what is not in service:
 * after each the model is in order, in the end nothing is lost or doubled, and the copy
 * of a machine by save and load goes on as the machine does.
 */
#include <string.h>

#include "lib/util.h"
#include "tests/unit/unit.h"
#include "tests/unit/xics_audit.h"

#define SERVERS	  3
#define MACHINES  1000
#define CALLS_MAX 61 /* that bring a machine into its state */
#define CALLS	  20000
#define DEPTH	  32  /* interrupts in service at once */
#define EVENTS	  400 /* of a drain */
#define LEVELS	  2   /* of the sources, so many LSIs, first */

static const uint32_t sources[] = {0x1000, 0x1001, 0x10, 0x13ff, 0x1400, 0x1401, 0x20, 0x11};
#define SOURCES ARRAY_SIZE(sources)

struct machine {
	struct xics xics;
	bool line[SERVERS];
	uint32_t stack[SERVERS][DEPTH]; /* XIRRs that are to be ended */
	size_t depth[SERVERS];
	uint32_t pulses[SOURCES], accepted[SOURCES];
};

static bool on_raise(void *ctx, uint32_t server)
{
	struct machine *m = ctx;

	m->line[server] = true;
	return false;
}

static void on_lower(void *ctx, uint32_t server)
{
	struct machine *m = ctx;

	m->line[server] = false;
}

static const struct xics_ops ops = {on_raise, on_lower};

static size_t index_of(uint32_t source)
{
	size_t i = 0;

	while (i < SOURCES && sources[i] != source)
		i++;
	ck_assert_msg(i < SOURCES, "source 0x%x comes from nowhere", source);
	return i;
}

static void machine_init(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	ck_assert_int_eq(xics_init(&m->xics, SERVERS, &ops, m), 0);
	for (size_t i = 0; i < SOURCES; i++)
		ck_assert_int_eq(xics_add_source(&m->xics, sources[i], i < LEVELS), 0);
}

static void machine_check(struct machine *m, const char *when)
{
	const char *fault = NULL;

	for (uint32_t server = 0; !fault && server < SERVERS; server++)
		fault = audit_presenter(&m->xics, server, m->line[server]);
	for (size_t i = 0; !fault && i < SOURCES; i++)
		fault = audit_source(&m->xics, sources[i]);
	ck_assert_msg(!fault, "%s: %s", when, fault);
}

static uint32_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

static uint8_t draw_priority(void)
{
	static const uint8_t priorities[] = {0, 3, 4, 5, 6, 7, 0xfe, 0xff};

	return priorities[draw(ARRAY_SIZE(priorities))];
}

/* What a guest does with an interrupt when it comes; its EOI is for later. */
static uint32_t take(struct machine *m, uint32_t server)
{
	uint32_t xirr;

	ck_assert_int_eq(xics_accept(&m->xics, server, &xirr), 0);
	if (XICS_XISR(xirr) != XICS_NONE) {
		ck_assert_uint_lt(m->depth[server], DEPTH);
		m->stack[server][m->depth[server]++] = xirr;
	}
	if (XICS_XISR(xirr) > XICS_IPI)
		m->accepted[index_of(XICS_XISR(xirr))]++;
	return xirr;
}

static void end(struct machine *m, uint32_t server)
{
	uint32_t xirr = m->stack[server][--m->depth[server]];

	ck_assert_int_eq(xics_eoi(&m->xics, server, xirr), 0);
}

static void do_something(struct machine *m)
{
	uint32_t server = draw(SERVERS), other = draw(SERVERS), i = draw(SOURCES);

	switch (draw(10)) {
	case 0:
	case 1:
		if (i < LEVELS) {
			xics_set_level(&m->xics, sources[i], true);
		} else {
			xics_pulse(&m->xics, sources[i]);
			m->pulses[i]++;
		}
		break;
	case 2:
		xics_set_level(&m->xics, sources[draw(LEVELS)], false);
		break;
	case 3:
	case 4:
		if (m->depth[server] < DEPTH / 2)
			take(m, server);
		break;
	case 5:
		if (m->depth[server])
			end(m, server);
		break;
	case 6:
		xics_set_cppr(&m->xics, server, draw(3) ? 0xff : draw_priority());
		break;
	case 7:
		xics_ipi(&m->xics, other, server, draw(3) ? draw_priority() : 0xff);
		break;
	case 8:
		xics_set_xive(&m->xics, sources[i], server, draw_priority());
		break;
	default:
		draw(3) ? xics_int_on(&m->xics, sources[i]) : xics_int_off(&m->xics, sources[i]);
	}
}

static void copy_presenters(struct machine *to, struct machine *from)
{
	for (uint32_t server = 0; server < SERVERS; server++) {
		uint64_t word;

		ck_assert_int_eq(xics_get_presenter(&from->xics, server, &word), 0);
		ck_assert_int_eq(xics_set_presenter(&to->xics, server, word), 0);
	}
}

static void copy_sources(struct machine *to, struct machine *from)
{
	for (size_t i = 0; i < SOURCES; i++) {
		uint64_t word;

		ck_assert_int_eq(xics_get_source(&from->xics, sources[i], &word), 0);
		ck_assert_int_eq(xics_set_source(&to->xics, sources[i], word), 0);
	}
}

static void copy(struct machine *to, struct machine *from, bool sources_first)
{
	machine_init(to);
	if (sources_first)
		copy_sources(to, from);
	copy_presenters(to, from);
	if (!sources_first)
		copy_sources(to, from);
	memcpy(to->stack, from->stack, sizeof(to->stack));
	memcpy(to->depth, from->depth, sizeof(to->depth));
}

struct events {
	struct {
		uint32_t server, xirr;
	} event[EVENTS];
	size_t n;
};

static void quiet(struct machine *m, uint32_t server, uint32_t source)
{
	if (source == XICS_IPI)
		xics_ipi(&m->xics, server, server, 0xff);
	for (size_t i = 0; i < LEVELS; i++)
		if (source == sources[i])
			xics_set_level(&m->xics, source, false);
}

/* Whether it was moved when it was pending already. */
static bool is_elsewhere(struct machine *m, uint32_t source)
{
	uint32_t server, xirr;
	uint64_t word;
	uint8_t mfrr;

	xics_get_source(&m->xics, source, &word);
	for (server = 0; server < SERVERS; server++) {
		xics_ipoll(&m->xics, server, &xirr, &mfrr);
		if (XICS_XISR(xirr) == source && (uint32_t)word != server)
			return true;
	}
	return false;
}

/*
 * KVM's form does not tell an LSI that waits from one that is in service, or pending
 * where it was routed before: such a one, asserted, could come to the copy earlier.
 */
static void quiet_untold(struct machine *m)
{
	for (size_t i = 0; i < LEVELS; i++)
		if (is_elsewhere(m, sources[i]))
			quiet(m, 0, sources[i]);
	for (uint32_t server = 0; server < SERVERS; server++)
		for (size_t i = 0; i < m->depth[server]; i++)
			if (XICS_XISR(m->stack[server][i]) != XICS_IPI)
				quiet(m, server, XICS_XISR(m->stack[server][i]));
}

/* All that comes at a server, what is in service ended when nothing comes on top of it. */
static void drain_server(struct machine *m, uint32_t server, struct events *events)
{
	for (;;) {
		uint32_t xirr = take(m, server);

		ck_assert_uint_lt(events->n, EVENTS);
		events->event[events->n].server = server;
		events->event[events->n++].xirr = xirr;
		if (XICS_XISR(xirr) != XICS_NONE)
			quiet(m, server, XICS_XISR(xirr));
		else if (m->depth[server])
			end(m, server);
		else
			return;
	}
}

static void drain(struct machine *m, struct events *events)
{
	events->n = 0;
	for (int round = 0; round < 2; round++)
		for (uint32_t server = 0; server < SERVERS; server++)
			drain_server(m, server, events);
	for (uint32_t server = 0; server < SERVERS; server++) {
		xics_set_cppr(&m->xics, server, 0xff);
		drain_server(m, server, events);
	}
	for (size_t i = 0; i < SOURCES; i++)
		xics_set_xive(&m->xics, sources[i], i % SERVERS, (uint8_t)(i + 1));
	for (int round = 0; round < 2; round++)
		for (uint32_t server = 0; server < SERVERS; server++)
			drain_server(m, server, events);
	machine_check(m, "drained");
	for (size_t i = 0; i < SOURCES; i++)
		ck_assert_msg(audit_is_idle(&m->xics, sources[i]), "0x%x is lost", sources[i]);
}

static void compare(const struct events *a, const struct events *b, uint32_t seed, bool first)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		ck_assert_msg(
			a->event[i].server == b->event[i].server &&
				a->event[i].xirr == b->event[i].xirr,
			"machine %u, %s first, event %zu: 0x%08x at %u, in the copy 0x%08x at %u",
			seed, first ? "sources" : "presenters", i, a->event[i].xirr,
			a->event[i].server, b->event[i].xirr, b->event[i].server);
	ck_assert_msg(a->n == b->n, "machine %u: %zu events, in the copy %zu", seed, a->n, b->n);
}

static void make_random(struct machine *m, uint32_t seed, uint32_t calls)
{
	state = seed;
	machine_init(m);
	for (size_t i = 0; i < SOURCES; i++)
		xics_set_xive(&m->xics, sources[i], i % SERVERS, (uint8_t)(3 + i / 2));
	for (uint32_t i = 0; i < calls; i++) {
		do_something(m);
		machine_check(m, "after a call");
	}
}

START_TEST(every_pulse_is_accepted_or_coalesced)
{
	static struct machine m;
	struct events events;
	uint32_t accepted = 0;

	make_random(&m, 1, CALLS);
	drain(&m, &events);
	for (size_t i = LEVELS; i < SOURCES; i++) {
		struct xics_source_counters c;

		xics_source_counters(&m.xics, sources[i], &c);
		ck_assert_uint_eq(m.pulses[i], m.accepted[i] + c.coalesced);
		accepted += m.accepted[i];
	}
	ck_assert_uint_gt(accepted, CALLS / 50);
	xics_fini(&m.xics);
}
END_TEST

static size_t copy_and_compare(uint32_t seed)
{
	static struct machine original, copies[2];
	static struct events expected, seen;

	make_random(&original, seed, seed % CALLS_MAX);
	quiet_untold(&original);
	for (int first = 0; first < 2; first++) {
		copy(&copies[first], &original, first);
		machine_check(&copies[first], "loaded");
	}
	drain(&original, &expected);
	for (int first = 0; first < 2; first++) {
		drain(&copies[first], &seen);
		compare(&expected, &seen, seed, first);
		xics_fini(&copies[first].xics);
	}
	xics_fini(&original.xics);
	return expected.n;
}

START_TEST(a_copy_goes_on_as_the_machine_does)
{
	size_t events = 0;

	for (uint32_t seed = 1; seed <= MACHINES; seed++)
		events += copy_and_compare(seed);
	ck_assert_uint_gt(events, 10ul * MACHINES);
}
END_TEST

void xics_random_tests(TCase *tc)
{
	tcase_add_test(tc, every_pulse_is_accepted_or_coalesced);
	tcase_add_test(tc, a_copy_goes_on_as_the_machine_does);
}
