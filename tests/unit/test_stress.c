// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four threads on one model, for a short while; in the ThreadSanitizer build for
 * longer. No byte of the terminal is lost, doubled or out of order.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "devices/vty.h"
#include "tests/unit/stress.h"

#if defined(__SANITIZE_THREAD__)
#define DURATION_MS 3000
#else
#define DURATION_MS 700
#endif

/* The terminal: guest and owner each write one stream and read the other. */
static struct vty vty;
static atomic_bool output_ready, input_room, interrupt, posters_done;
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
	xics_stress_tests(tc);
	hpt_stress_tests(tc);
	park_stress_tests(tc);
	tcase_add_test(tc, the_level_of_a_terminal_that_loops_is_never_stale);
	tcase_add_test(tc, terminal_bytes_are_neither_lost_nor_out_of_order);
}
