// SPDX-License-Identifier: GPL-2.0-only
#define XICS_STEPS 1
#include "tests/interleave/world.h"

#include <stdlib.h>
#include <string.h>

#include "devices/xics/internal.h"
#include "tests/unit/xics_audit.h"

static const uint32_t sources[SOURCES] = {A, B, LSI, C};
#define BLOCKS	  2
#define LOOKS_MAX 50 /* more than a drain can need */

struct xics model;
enum mutation mutation;

/* What the tests know, apart from the model. */
static struct record {
	bool line[SERVERS];
	bool to_lower[SERVERS];
	bool level;
	uint32_t pulses[SOURCES], accepted[SOURCES];
	int in_service[SOURCES];
	uint32_t ipis_sent[SERVERS], ipis_seen[SERVERS];
} now;

/* All of it when setup has ended. */
static struct {
	struct record record;
	struct xics_presenter presenters[SERVERS];
	struct xics_source sources[SOURCES];
	uint64_t waiting[BLOCKS][XICS_BLOCK / 64];
} saved;

static int index_of(uint32_t source)
{
	for (int i = 0; i < SOURCES; i++)
		if (sources[i] == source)
			return i;
	fault("source 0x%x comes from nowhere", source);
	abort();
}

static struct xics_source *source_of(int i)
{
	return source_at(&model, sources[i]);
}

uint32_t world_locks(void)
{
	uint32_t locked = 0;

	for (int i = 0; i < SOURCES; i++)
		if (atomic_load(&source_of(i)->word) & SOURCE_LOCKED)
			locked |= 1u << i;
	return locked;
}

static bool on_raise(void *ctx, uint32_t server)
{
	(void)ctx;
	now.line[server] = true;
	return running_server((int)server) != (int)server;
}

static void on_lower(void *ctx, uint32_t server)
{
	(void)ctx;
	if (running_server((int)server) != (int)server)
		fault("line %u is lowered by another thread", server);
	if (mutation == LOWER_AFTER)
		now.to_lower[server] = true;
	else
		now.line[server] = false;
}

static const struct xics_ops ops = {on_raise, on_lower};

/* LOWER_AFTER: the line that should have gone down before the presenter changed. */
static void lower_late(uint32_t server)
{
	xics_step();
	if (now.to_lower[server])
		now.line[server] = now.to_lower[server] = false;
}

/* The linker puts these in place of the model's own where its files call each other. */
void __real_source_set_waiting(struct xics *xics, struct xics_presenter *icp, uint32_t source);
void __wrap_source_set_waiting(struct xics *xics, struct xics_presenter *icp, uint32_t source);
void __real_raise_line(struct xics *xics, uint32_t server);
void __wrap_raise_line(struct xics *xics, uint32_t server);
void __real_resend(struct xics *xics, uint32_t server);
void __wrap_resend(struct xics *xics, uint32_t server);

void __wrap_source_set_waiting(struct xics *xics, struct xics_presenter *icp, uint32_t source)
{
	uint32_t block = source / XICS_BLOCK, n = source % XICS_BLOCK;

	if (mutation != ROOT_FIRST) {
		__real_source_set_waiting(xics, icp, source);
		return;
	}
	xics_step();
	atomic_fetch_or(&icp->blocks[block / 64], 1ull << block % 64);
	xics_step();
	atomic_fetch_or(&xics->blocks[block]->waiting[n / 64], 1ull << n % 64);
}

void __wrap_raise_line(struct xics *xics, uint32_t server)
{
	if (mutation != COUNT_FIRST) {
		__real_raise_line(xics, server);
		return;
	}
	xics_step();
	atomic_fetch_add(&xics->presenters[server].raised, 1);
	xics_step();
	now.line[server] = true;
}

void __wrap_resend(struct xics *xics, uint32_t server)
{
	__real_resend(xics, server);
	if (mutation != ROOT_TWICE)
		return;
	xics_step();
	atomic_store(&xics->presenters[server].blocks[0], 0);
}

void pulse(uint32_t source)
{
	now.pulses[index_of(source)]++;
	xics_pulse(&model, source);
}

void level(bool up)
{
	now.level = up;
	xics_set_level(&model, LSI, up);
}

void send_ipi(uint32_t server)
{
	now.ipis_sent[server]++;
	xics_ipi(&model, UINT32_MAX, server, 4);
}

void cancel_ipi(uint32_t server)
{
	xics_ipi(&model, UINT32_MAX, server, 0xff);
	now.ipis_seen[server] = now.ipis_sent[server];
}

/* Serve an interrupt as a guest does: quiet what it is for, then end it. */
static void begin_service(uint32_t source)
{
	int i = index_of(source);

	if (now.in_service[i]++)
		fault("source 0x%x is in service twice", source);
	now.accepted[i]++;
	if (source == LSI && now.level)
		level(false);
}

void end(uint32_t server, uint32_t source)
{
	now.in_service[index_of(source)]--;
	if (xics_eoi(&model, server, 0xff000000 | source))
		fault("EOI of 0x%x fails", source);
}

void look(uint32_t server)
{
	uint32_t xirr, xisr;

	xics_step();
	if (!now.line[server])
		return;
	xics_accept(&model, server, &xirr);
	if (mutation == LOWER_AFTER)
		lower_late(server);
	xisr = XICS_XISR(xirr);
	if (xisr == XICS_IPI) {
		xics_ipi(&model, server, server, 0xff);
		now.ipis_seen[server] = now.ipis_sent[server];
		xics_eoi(&model, server, 0xff000000 | XICS_IPI);
	} else if (xisr != XICS_NONE) {
		begin_service(xisr);
		end(server, xisr);
	}
}

void take(uint32_t server, uint32_t source)
{
	uint32_t xirr;

	xics_accept(&model, server, &xirr);
	if (XICS_XISR(xirr) != source)
		fault("0x%x is not what came", source);
	begin_service(source);
}

static void audit_all(const char *when)
{
	const char *why = NULL;

	for (uint32_t i = 0; !why && i < SERVERS; i++)
		why = audit_presenter(&model, i, now.line[i]);
	for (int i = 0; !why && i < SOURCES; i++)
		why = audit_source(&model, sources[i]);
	if (why)
		fault("%s: %s", when, why);
}

/* Processors look while their lines are up, and only then. */
static void drain(void)
{
	for (int n = 0; n < LOOKS_MAX; n++) {
		bool quiet = true;

		for (uint32_t server = 0; server < SERVERS; server++) {
			if (!now.line[server])
				continue;
			look(server);
			quiet = false;
		}
		if (quiet)
			return;
	}
	fault("a line stays up");
}

static void check_source(int i)
{
	struct xics_source_counters c;

	xics_source_counters(&model, sources[i], &c);
	if (now.in_service[i])
		fault("source 0x%x is still in service", sources[i]);
	if (!audit_is_idle(&model, sources[i]))
		fault("source 0x%x is lost on its way", sources[i]);
	if (sources[i] != LSI && now.pulses[i] != now.accepted[i] + c.coalesced)
		fault("source 0x%x: %u pulses, %u accepted, %u coalesced", sources[i],
		      now.pulses[i], now.accepted[i], c.coalesced);
}

void world_check(const struct scenario *s)
{
	audit_all("at the end");
	if (s->settle)
		s->settle();
	drain();
	audit_all("when all is served");
	for (int i = 0; i < SOURCES; i++)
		check_source(i);
	if (now.level)
		fault("the LSI is still asserted");
	for (uint32_t i = 0; i < SERVERS; i++)
		if (now.ipis_seen[i] != now.ipis_sent[i])
			fault("server %u: an IPI is lost", i);
}

/* Servers accept everything; A, B, LSI and C have priorities 5 to 8 on server 0. */
void world_setup(const struct scenario *s)
{
	now = (struct record){0};
	if (xics_init(&model, SERVERS, &ops, NULL))
		abort();
	for (int i = 0; i < SOURCES; i++)
		if (xics_add_source(&model, sources[i], sources[i] == LSI))
			abort();
	for (uint32_t server = 0; server < SERVERS; server++)
		xics_set_cppr(&model, server, 0xff);
	for (int i = 0; i < SOURCES; i++)
		xics_set_xive(&model, sources[i], 0, (uint8_t)(5 + i));
	if (s->setup)
		s->setup();
	saved.record = now;
	memcpy(saved.presenters, model.presenters, sizeof(saved.presenters));
	for (int i = 0; i < SOURCES; i++)
		memcpy(&saved.sources[i], source_of(i), sizeof(struct xics_source));
	for (int i = 0; i < BLOCKS; i++)
		memcpy(saved.waiting[i], model.blocks[A / XICS_BLOCK + i]->waiting,
		       sizeof(saved.waiting[i]));
}

void world_restore(void)
{
	now = saved.record;
	memcpy(model.presenters, saved.presenters, sizeof(saved.presenters));
	for (int i = 0; i < SOURCES; i++)
		memcpy(source_of(i), &saved.sources[i], sizeof(struct xics_source));
	for (int i = 0; i < BLOCKS; i++)
		memcpy(model.blocks[A / XICS_BLOCK + i]->waiting, saved.waiting[i],
		       sizeof(saved.waiting[i]));
}

void world_end(void)
{
	xics_fini(&model);
}
