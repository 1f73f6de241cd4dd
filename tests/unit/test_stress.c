// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four threads on one model, for a short while; in the ThreadSanitizer build for
 * longer. Every interrupt posted is served after it was posted, none on two
 * processors at once, and no byte of the terminal is lost, doubled or out of order.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "devices/vty.h"
#include "devices/xics/xics.h"
#include "lib/util.h"
#include "tests/unit/unit.h"

#if defined(__SANITIZE_THREAD__)
#define DURATION_MS 3000
#else
#define DURATION_MS 700
#endif

#define ROUND_MS 10

#define SERVERS 2
#define SOURCES 8
#define FIRST	0x1000

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* xorshift: each thread has its own. */
static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static struct xics xics;
static atomic_bool line[SERVERS], posters_done, stop;
static atomic_uint posted[SOURCES], served[SOURCES], ipi_posted[SERVERS], ipi_served[SERVERS];
static atomic_uint pulses[SOURCES], accepted[SOURCES];
static atomic_uint in_service[SOURCES];
static atomic_uint doubled, foreign;

static _Thread_local int own_server = -1;

static bool on_raise(void *ctx, uint32_t server)
{
	(void)ctx;
	atomic_store(&line[server], true);
	return (int)server != own_server;
}

static void on_lower(void *ctx, uint32_t server)
{
	(void)ctx;
	if ((int)server != own_server)
		atomic_fetch_add(&foreign, 1);
	atomic_store(&line[server], false);
}

static const struct xics_ops xics_ops = {on_raise, on_lower};

static void serve_source(uint32_t server, uint32_t xirr)
{
	uint32_t i = XICS_XISR(xirr) - FIRST;

	if (atomic_exchange(&in_service[i], 1))
		atomic_fetch_add(&doubled, 1);
	atomic_fetch_add(&accepted[i], 1);
	atomic_store(&served[i], atomic_load(&posted[i]));
	atomic_store(&in_service[i], 0);
	xics_eoi(&xics, server, xirr);
}

static void serve_ipi(uint32_t server, uint32_t xirr)
{
	xics_ipi(&xics, server, server, 0xff);
	atomic_store(&ipi_served[server], atomic_load(&ipi_posted[server]));
	xics_eoi(&xics, server, xirr);
}

/* A processor: takes interrupts while its line is up. */
static void *processor(void *arg)
{
	uint32_t server = (uint32_t)(uintptr_t)arg, state = server + 77;

	own_server = (int)server;
	while (!atomic_load(&stop)) {
		uint32_t xirr;

		if (!atomic_load(&line[server])) {
			usleep(1);
			continue;
		}
		if (draw(&state) % 8 == 0) {
			/* Interrupts off for a moment: what was taken back may go elsewhere. */
			xics_set_cppr(&xics, server, 3);
			xics_set_cppr(&xics, server, 0xff);
			continue;
		}
		xics_accept(&xics, server, &xirr);
		if (XICS_XISR(xirr) == XICS_IPI)
			serve_ipi(server, xirr);
		else if (XICS_XISR(xirr))
			serve_source(server, xirr);
	}
	return NULL;
}

/* Devices, and processors that send interprocessor interrupts. */
static void *poster(void *seed)
{
	uint32_t state = 4711 + *(const uint32_t *)seed;
	uint64_t end = now_ms() + ROUND_MS;

	while (now_ms() < end) {
		uint32_t i = draw(&state) % SOURCES, server = draw(&state) % SERVERS;

		atomic_fetch_add(&posted[i], 1);
		atomic_fetch_add(&pulses[i], 1);
		xics_pulse(&xics, FIRST + i);
		if (draw(&state) % 4 == 0) {
			atomic_fetch_add(&ipi_posted[server], 1);
			xics_ipi(&xics, UINT32_MAX, server, (uint8_t)(4 + draw(&state) % 4));
		}
	}
	return NULL;
}

/* An operating system that moves, masks and unmasks. */
static void *router(void *seed)
{
	uint32_t state = 815 + *(const uint32_t *)seed;
	uint64_t end = now_ms() + ROUND_MS;

	while (now_ms() < end) {
		uint32_t source = FIRST + draw(&state) % SOURCES;

		switch (draw(&state) % 4) {
		case 0:
			xics_int_off(&xics, source);
			xics_int_on(&xics, source);
			break;
		case 1:
			usleep(1);
			break;
		default:
			xics_set_xive(&xics, source, draw(&state) % SERVERS,
				      (uint8_t)(4 + draw(&state) % 8));
		}
	}
	return NULL;
}

static bool all_served(void)
{
	for (uint32_t i = 0; i < SOURCES; i++)
		if (atomic_load(&served[i]) != atomic_load(&posted[i]))
			return false;
	for (uint32_t i = 0; i < SERVERS; i++)
		if (atomic_load(&ipi_served[i]) != atomic_load(&ipi_posted[i]))
			return false;
	return true;
}

/*
 * Then silence, in which all must be served: an interrupt that is stuck would otherwise
 * come free with the next. False when it is not.
 */
static bool post_for_a_round(uint32_t seed)
{
	uint64_t end;
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, poster, &seed);
	pthread_create(&threads[1], NULL, router, &seed);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	end = now_ms() + 5000;
	while (!all_served() && now_ms() < end)
		usleep(100);
	return all_served();
}

START_TEST(interrupts_are_neither_lost_nor_doubled)
{
	uint64_t end = now_ms() + DURATION_MS;
	uint32_t total = 0, rounds = 0;
	pthread_t threads[2];

	ck_assert_int_eq(xics_init(&xics, SERVERS, &xics_ops, NULL), 0);
	for (uint32_t i = 0; i < SERVERS; i++)
		xics_set_cppr(&xics, i, 0xff);
	for (uint32_t i = 0; i < SOURCES; i++)
		ck_assert_int_eq(xics_add_source(&xics, FIRST + i, false), 0);
	for (uint32_t i = 0; i < SOURCES; i++)
		xics_set_xive(&xics, FIRST + i, i % SERVERS, 5);

	pthread_create(&threads[0], NULL, processor, (void *)0);
	pthread_create(&threads[1], NULL, processor, (void *)1);
	while (now_ms() < end && post_for_a_round(++rounds))
		;
	atomic_store(&stop, true);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);

	for (uint32_t i = 0; i < SOURCES; i++) {
		ck_assert_msg(served[i] == posted[i], "source %u: last of %u posts lost, %u seen",
			      i, posted[i], served[i]);
		ck_assert_msg(accepted[i] <= pulses[i], "source %u: %u pulses came %u times", i,
			      pulses[i], accepted[i]);
		total += accepted[i];
	}
	for (uint32_t i = 0; i < SERVERS; i++)
		ck_assert_msg(ipi_served[i] == ipi_posted[i], "server %u: an IPI was lost", i);
	ck_assert_uint_eq(doubled, 0);
	ck_assert_uint_eq(foreign, 0);
	ck_assert_uint_gt(total, 100);
	xics_fini(&xics);
}
END_TEST

/* The terminal: guest and owner each write one stream and read the other. */
static struct vty vty;
static atomic_bool output_ready, input_room, interrupt;
static atomic_uint bytes_wrong;
static atomic_ullong guest_wrote, owner_read, owner_wrote, guest_read;

static void on_output_ready(void *ctx)
{
	(void)ctx;
	atomic_store(&output_ready, true);
}

static void on_input_room(void *ctx)
{
	(void)ctx;
	atomic_store(&input_room, true);
}

static void on_interrupt(void *ctx)
{
	(void)ctx;
	atomic_store(&interrupt, true);
}

static const struct vty_ops vty_ops = {on_output_ready, on_input_room, on_interrupt};

/* The stream's byte at a position: a period that no queue's size is a multiple of. */
static uint8_t stream(uint64_t at)
{
	return (uint8_t)(at % 251);
}

static void check_stream(const uint8_t *buf, size_t len, uint64_t at)
{
	for (size_t i = 0; i < len; i++)
		if (buf[i] != stream(at + i))
			atomic_fetch_add(&bytes_wrong, 1);
}

static void *guest_writer(void *arg)
{
	uint64_t end = now_ms() + DURATION_MS, at = 0;
	uint32_t state = 1;
	uint8_t buf[VTY_CHARS_MAX];

	(void)arg;
	while (now_ms() < end) {
		size_t len = 1 + draw(&state) % sizeof(buf);

		for (size_t i = 0; i < len; i++)
			buf[i] = stream(at + i);
		if (vty_write(&vty, buf, len))
			usleep(1);
		else
			at += len;
	}
	atomic_store(&guest_wrote, at);
	return NULL;
}

/* Only looks when told: what was promised must be enough. */
static void *owner_reader(void *arg)
{
	uint64_t at = 0;
	uint8_t buf[1000];
	bool last;

	(void)arg;
	do {
		last = atomic_load(&posters_done);
		if (atomic_exchange(&output_ready, false)) {
			size_t n;

			while ((n = vty_output(&vty, buf, sizeof(buf)))) {
				check_stream(buf, n, at);
				at += n;
			}
		} else if (!last) {
			usleep(1);
		}
	} while (!last);
	atomic_store(&owner_read, at);
	return NULL;
}

static void *owner_writer(void *arg)
{
	uint64_t end = now_ms() + DURATION_MS, at = 0;
	uint32_t state = 2;
	uint8_t buf[500];

	(void)arg;
	while (now_ms() < end) {
		size_t len = 1 + draw(&state) % sizeof(buf), n;

		for (size_t i = 0; i < len; i++)
			buf[i] = stream(at + i);
		n = vty_input(&vty, buf, len);
		at += n;
		/* Refused: wait to be told, as the owner does. */
		while (n < len && !atomic_exchange(&input_room, false) && now_ms() < end)
			usleep(1);
	}
	atomic_store(&owner_wrote, at);
	return NULL;
}

static void *guest_reader(void *arg)
{
	uint64_t at = 0;
	uint8_t buf[VTY_CHARS_MAX];
	bool last;

	(void)arg;
	do {
		last = atomic_load(&posters_done);
		if (atomic_exchange(&interrupt, false)) {
			size_t n;

			while ((n = vty_read(&vty, buf, sizeof(buf)))) {
				check_stream(buf, n, at);
				at += n;
			}
		} else if (!last) {
			usleep(1);
		}
	} while (!last);
	atomic_store(&guest_read, at);
	return NULL;
}

START_TEST(terminal_bytes_are_neither_lost_nor_out_of_order)
{
	pthread_t threads[4];

	atomic_store(&posters_done, false);
	ck_assert_int_eq(vty_init(&vty, &vty_ops, NULL), 0);
	pthread_create(&threads[0], NULL, guest_writer, NULL);
	pthread_create(&threads[1], NULL, owner_writer, NULL);
	pthread_create(&threads[2], NULL, owner_reader, NULL);
	pthread_create(&threads[3], NULL, guest_reader, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	atomic_store(&posters_done, true);
	pthread_join(threads[2], NULL);
	pthread_join(threads[3], NULL);

	ck_assert_uint_eq(bytes_wrong, 0);
	ck_assert_uint_eq(guest_wrote, owner_read);
	ck_assert_uint_eq(owner_wrote, guest_read);
	ck_assert_uint_gt(guest_wrote, 100000);
	ck_assert_uint_gt(owner_wrote, 100000);
	ck_assert_uint_eq(vty_dropped(&vty), 0);
	vty_fini(&vty);
}
END_TEST

/* A loop with a level: the last that was told must be what is true at the end. */
static bool level; /* only under the terminal's lock */

static void on_set_level(void *ctx, bool now)
{
	(void)ctx;
	if (now == level)
		atomic_fetch_add(&bytes_wrong, 1);
	level = now;
}

static void *loop_reader(void *arg)
{
	uint64_t at = 0;
	uint8_t buf[VTY_CHARS_MAX];
	bool last;

	(void)arg;
	do {
		size_t n;

		last = atomic_load(&posters_done);
		while ((n = vty_read(&vty, buf, sizeof(buf)))) {
			check_stream(buf, n, at);
			at += n;
		}
	} while (!last);
	atomic_store(&guest_read, at);
	return NULL;
}

START_TEST(the_level_of_a_terminal_that_loops_is_never_stale)
{
	static const struct vty_loop_ops ops = {.set_level = on_set_level};
	pthread_t writer, reader;

	atomic_store(&posters_done, false);
	ck_assert_int_eq(vty_init_loop(&vty, &ops, NULL), 0);
	pthread_create(&writer, NULL, guest_writer, NULL);
	pthread_create(&reader, NULL, loop_reader, NULL);
	pthread_join(writer, NULL);
	atomic_store(&posters_done, true);
	pthread_join(reader, NULL);

	ck_assert(!level);
	ck_assert_uint_eq(bytes_wrong, 0);
	ck_assert_uint_eq(guest_wrote, guest_read);
	ck_assert_uint_gt(guest_wrote, 10000);
	vty_fini(&vty);
}
END_TEST

void stress_tests(TCase *tc)
{
	tcase_add_test(tc, interrupts_are_neither_lost_nor_doubled);
	tcase_add_test(tc, the_level_of_a_terminal_that_loops_is_never_stale);
	tcase_add_test(tc, terminal_bytes_are_neither_lost_nor_out_of_order);
}
