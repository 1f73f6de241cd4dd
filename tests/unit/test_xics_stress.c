// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processors, a device and an operating system on one XICS model, a thread each,
 * with random delays where it hurts: in the callbacks and, in the ThreadSanitizer
 * build, before each access of the model. XICS_STRESS_OPS says how many calls.
 *
 * In rounds, each with silence at the end in which all must be served, since what is
 * stuck would otherwise come free with the next interrupt. Then every pulse was
 * accepted or coalesced, every level that rose was seen or fell, every IPI was seen or
 * taken back, and nothing was in service on two processors at once.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "devices/xics/internal.h"
#include "lib/util.h"
#include "tests/unit/stress.h"
#include "tests/unit/xics_audit.h"

#if defined(__SANITIZE_THREAD__)
#define OPS_DEFAULT 300000
#else
#define OPS_DEFAULT 100000
#endif
#define OPS_ROUND  250	  /* things that the device and the operating system do */
#define SILENCE_MS 20000u /* others use the machine too */

#define SERVERS	  2
#define LEVELS	  2 /* of the sources, so many LSIs, first */
#define NEST_MAX  3
#define CLOSED	  3 /* the CPPR that accepts no source and no IPI */
#define FAVOURED  4 /* what they have is from here */
#define SPIN_MAX  64
#define IPI_LEVEL 4

static const uint32_t sources[] = {0x1000, 0x1001, 0x1002, 0x10, 0x13ff, 0x1400, 0xfffff, 0x1401};
#define SOURCES ARRAY_SIZE(sources)

static struct xics model;
static atomic_bool line[SERVERS], stop;
static atomic_uint pulses[SOURCES], accepted[SOURCES], in_service[SOURCES];
static atomic_uint ipi_posted[SERVERS], ipi_seen[SERVERS];
static atomic_uint doubled, foreign, strangers;
static atomic_ullong ops;

/* A device with a level: what it wants, and what was done for it. */
static struct {
	pthread_mutex_t lock;
	uint32_t wanted, seen;
} levels[LEVELS] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static _Thread_local int own_server = -1;
static _Thread_local uint32_t chance; /* 0: a thread that has no delays */

/* Once for each call of the model; what a thread has not told yet is few. */
static void count_call(void)
{
	static _Thread_local uint32_t calls;

	if (++calls % 16 == 0)
		atomic_fetch_add(&ops, 16);
}

/* Mostly nothing; sometimes long enough for others to come in between. */
static void delay(void)
{
	uint32_t n;

	if (!chance)
		return;
	n = draw(&chance);
	if (n % 4096 == 0)
		usleep(n >> 12 & 63);
	else if (n % 128 == 0)
		sched_yield();
	else if (n % 16 == 0)
		for (n = n >> 8 & (SPIN_MAX - 1); n; n--)
			atomic_signal_fence(memory_order_seq_cst);
}

#ifdef XICS_STEPS
void xics_step(void)
{
	delay();
}

void xics_wait(unsigned int tries)
{
	if (tries >= SPIN_MAX)
		sched_yield();
}
#endif

static bool on_raise(void *ctx, uint32_t server)
{
	(void)ctx;
	delay();
	atomic_store(&line[server], true);
	delay();
	return (int)server != own_server;
}

static void on_lower(void *ctx, uint32_t server)
{
	(void)ctx;
	if ((int)server != own_server)
		atomic_fetch_add(&foreign, 1);
	delay();
	atomic_store(&line[server], false);
	delay();
}

static const struct xics_ops xics_ops = {on_raise, on_lower};

static void raise_to(atomic_uint *counter, uint32_t value)
{
	uint32_t old = atomic_load(counter);

	while ((int32_t)(value - old) > 0 && !atomic_compare_exchange_weak(counter, &old, value))
		;
}

static uint32_t index_of(uint32_t source)
{
	for (uint32_t i = 0; i < SOURCES; i++)
		if (sources[i] == source)
			return i;
	return SOURCES;
}

#define xics_pulse(...)	    (count_call(), xics_pulse(__VA_ARGS__))
#define xics_set_level(...) (count_call(), xics_set_level(__VA_ARGS__))
#define xics_accept(...)    (count_call(), xics_accept(__VA_ARGS__))
#define xics_set_cppr(...)  (count_call(), xics_set_cppr(__VA_ARGS__))
#define xics_eoi(...)	    (count_call(), xics_eoi(__VA_ARGS__))
#define xics_ipi(...)	    (count_call(), xics_ipi(__VA_ARGS__))
#define xics_set_xive(...)  (count_call(), xics_set_xive(__VA_ARGS__))
#define xics_int_on(...)    (count_call(), xics_int_on(__VA_ARGS__))
#define xics_int_off(...)   (count_call(), xics_int_off(__VA_ARGS__))

/* ---- processors */

static void serve_ipi(uint32_t server, uint32_t xirr)
{
	xics_ipi(&model, server, server, 0xff);
	raise_to(&ipi_seen[server], atomic_load(&ipi_posted[server]));
	xics_eoi(&model, server, xirr);
}

static void quiet(uint32_t i)
{
	pthread_mutex_lock(&levels[i].lock);
	levels[i].seen = levels[i].wanted;
	xics_set_level(&model, sources[i], false);
	pthread_mutex_unlock(&levels[i].lock);
}

/* What a processor has in service: XIRRs that it is to end, the last first. */
struct service {
	uint32_t xirr[NEST_MAX];
	int depth;
};

static void begin(struct service *service, uint32_t xirr)
{
	uint32_t i = index_of(XICS_XISR(xirr));

	if (i == SOURCES) {
		atomic_fetch_add(&strangers, 1);
		return;
	}
	if (atomic_exchange(&in_service[i], 1))
		atomic_fetch_add(&doubled, 1);
	if (i < LEVELS)
		quiet(i);
	service->xirr[service->depth++] = xirr;
}

static void end(struct service *service, uint32_t server)
{
	uint32_t xirr = service->xirr[--service->depth], i = index_of(XICS_XISR(xirr));

	atomic_store(&in_service[i], 0);
	atomic_fetch_add(&accepted[i], 1);
	xics_eoi(&model, server, xirr);
}

/* The line is up: take what comes, now and then with interrupts off for a moment. */
static void look(struct service *service, uint32_t server)
{
	uint32_t xirr, xisr;

	if (!service->depth && draw(&chance) % 8 == 0) {
		xics_set_cppr(&model, server, CLOSED);
		xics_set_cppr(&model, server, 0xff);
		return;
	}
	if (draw(&chance) % 16 == 0) {
		atomic_fetch_add(&ipi_posted[server], 1);
		xics_ipi(&model, server, server, IPI_LEVEL);
	}
	xics_accept(&model, server, &xirr);
	xisr = XICS_XISR(xirr);
	if (xisr == XICS_IPI)
		serve_ipi(server, xirr);
	else if (xisr != XICS_NONE)
		begin(service, xirr);
}

static void *processor(void *arg)
{
	uint32_t server = *(const uint32_t *)arg;
	struct service service = {.depth = 0};

	own_server = (int)server;
	chance = server + 77;
	while (service.depth || !atomic_load(&stop)) {
		bool up = atomic_load(&line[server]);

		if (service.depth && (!up || service.depth == NEST_MAX || draw(&chance) % 4))
			end(&service, server);
		else if (up)
			look(&service, server);
		else
			usleep(1);
	}
	return NULL;
}

/* ---- devices, and processors that send interprocessor interrupts */

static void post_level(uint32_t i)
{
	pthread_mutex_lock(&levels[i].lock);
	levels[i].wanted++;
	xics_set_level(&model, sources[i], true);
	if (draw(&chance) % 4 == 0) {
		xics_set_level(&model, sources[i], false);
		levels[i].seen = levels[i].wanted;
	}
	pthread_mutex_unlock(&levels[i].lock);
}

static void post_ipi(uint32_t server)
{
	atomic_fetch_add(&ipi_posted[server], 1);
	xics_ipi(&model, UINT32_MAX, server, (uint8_t)(FAVOURED + draw(&chance) % 4));
	if (draw(&chance) % 2 == 0) {
		/* Taken back, and with it what others sent until now. */
		xics_ipi(&model, UINT32_MAX, server, 0xff);
		raise_to(&ipi_seen[server], atomic_load(&ipi_posted[server]));
	}
}

static void *device(void *seed)
{
	chance = 4711 + *(const uint32_t *)seed;
	for (int n = 0; n < OPS_ROUND; n++) {
		uint32_t i = draw(&chance) % SOURCES;

		if (i < LEVELS) {
			post_level(i);
		} else {
			atomic_fetch_add(&pulses[i], 1);
			xics_pulse(&model, sources[i]);
		}
		if (draw(&chance) % 4 == 0)
			post_ipi(draw(&chance) % SERVERS);
	}
	return NULL;
}

/* ---- an operating system that moves, masks and unmasks */

static void *router(void *seed)
{
	chance = 815 + *(const uint32_t *)seed;
	for (int n = 0; n < OPS_ROUND; n++) {
		uint32_t source = sources[draw(&chance) % SOURCES];
		uint32_t how = draw(&chance) % 4;

		if (how == 0)
			xics_int_off(&model, source);
		else if (how == 1)
			xics_set_xive(&model, source, draw(&chance) % SERVERS, XICS_MASKED);
		if (how == 0)
			xics_int_on(&model, source);
		else
			xics_set_xive(&model, source, draw(&chance) % SERVERS,
				      (uint8_t)(FAVOURED + draw(&chance) % 8));
	}
	return NULL;
}

/* ---- what came of it */

static bool is_served(uint32_t i)
{
	struct xics_source_counters c;
	bool served;

	if (i < LEVELS) {
		pthread_mutex_lock(&levels[i].lock);
		served = levels[i].seen == levels[i].wanted;
		pthread_mutex_unlock(&levels[i].lock);
		return served;
	}
	xics_source_counters(&model, sources[i], &c);
	return atomic_load(&pulses[i]) == atomic_load(&accepted[i]) + c.coalesced;
}

/* The first source that is not, or SOURCES and a server with an IPI, or their sum. */
static uint32_t first_unserved(void)
{
	for (uint32_t i = 0; i < SOURCES; i++)
		if (!is_served(i))
			return i;
	for (uint32_t i = 0; i < SERVERS; i++)
		if (atomic_load(&ipi_seen[i]) != atomic_load(&ipi_posted[i]))
			return SOURCES + i;
	return SOURCES + SERVERS;
}

static bool run_round(uint32_t seed)
{
	pthread_t threads[2];
	uint64_t deadline;

	pthread_create(&threads[0], NULL, device, &seed);
	pthread_create(&threads[1], NULL, router, &seed);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	deadline = now_ms() + SILENCE_MS;
	while (first_unserved() != SOURCES + SERVERS && now_ms() < deadline)
		usleep(20);
	return first_unserved() == SOURCES + SERVERS;
}

static void setup(void)
{
	ck_assert_int_eq(xics_init(&model, SERVERS, &xics_ops, NULL), 0);
	for (uint32_t i = 0; i < SOURCES; i++)
		ck_assert_int_eq(xics_add_source(&model, sources[i], i < LEVELS), 0);
	for (uint32_t i = 0; i < SERVERS; i++)
		xics_set_cppr(&model, i, 0xff);
	for (uint32_t i = 0; i < SOURCES; i++)
		xics_set_xive(&model, sources[i], i % SERVERS, FAVOURED);
}

static void check_end(void)
{
	bool lines[SERVERS];
	const char *fault;

	for (uint32_t i = 0; i < SERVERS; i++)
		lines[i] = atomic_load(&line[i]);
	fault = audit(&model, lines);
	ck_assert_msg(!fault, "%s", fault);
	for (uint32_t i = 0; i < SOURCES; i++) {
		ck_assert_msg(audit_is_idle(&model, sources[i]), "0x%x is not idle", sources[i]);
		ck_assert_uint_gt(accepted[i], 0);
	}
	ck_assert_uint_eq(doubled, 0);
	ck_assert_uint_eq(foreign, 0);
	ck_assert_uint_eq(strangers, 0);
}

START_TEST(interrupts_are_neither_lost_nor_doubled)
{
	const char *wish = getenv("XICS_STRESS_OPS");
	unsigned long long wanted = wish ? strtoull(wish, NULL, 0) : OPS_DEFAULT;
	uint32_t rounds = 0, servers[SERVERS] = {0, 1};
	pthread_t threads[SERVERS];

	setup();
	for (uint32_t i = 0; i < SERVERS; i++)
		pthread_create(&threads[i], NULL, processor, &servers[i]);
	while (atomic_load(&ops) < wanted && run_round(++rounds))
		;
	atomic_store(&stop, true);
	for (uint32_t i = 0; i < SERVERS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_msg(first_unserved() == SOURCES + SERVERS,
		      "round %u: number %u of sources and servers is not served", rounds,
		      first_unserved());
	check_end();
	xics_fini(&model);
}
END_TEST

void xics_stress_tests(TCase *tc)
{
	tcase_add_test(tc, interrupts_are_neither_lost_nor_doubled);
}
