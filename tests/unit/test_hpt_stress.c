// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four processors on one group of a hashed page table, with random delays in the
 * backing, where entries are locked, and in the ThreadSanitizer build before each store
 * of the model. HPT_STRESS_OPS says how many calls.
 *
 * Each entry has a ticket, in its AVPN and in its page's number. Of it is remembered
 * where it was entered, and as which one at that place; both while it is locked.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/util.h"
#include "mmu/hpt.h"
#include "tests/unit/stress.h"

#define OPS_DEFAULT 200000
#define ROUND_OPS   ((uint64_t)THREADS * (EACH + HPT_GROUP)) /* calls of a round */
#define THREADS	    4
#define GROUP	    40ull /* its first entry */
#define EACH	    8	  /* entries that each processor has for the 8 places */

static struct hpt table;
static uint64_t calls; /* of each processor */

/* Of each ticket: in which place, and as which one there; how often it was removed. */
static struct ticket {
	uint32_t place, nth;
	atomic_uint removed;
} * tickets;
static _Atomic uint64_t last_ticket;

/* Of each place: who is in it, a ticket or 0; how many there were; calls in the backing. */
static struct place {
	_Atomic uint64_t holds;
	uint32_t count;
	atomic_uint calls;
} places[HPT_GROUP];

static struct {
	_Atomic uint64_t entered, removed, in_bulk, full, missed, read, newer;
} seen;
static struct {
	atomic_uint crowded, doubled, mixed, torn, twice, outside;
} wrong;
static bool refuses; /* the backing, now and then */

static _Thread_local uint32_t chance;

/* Mostly nothing; sometimes long enough for others to come in between. */
static void delay(void)
{
	uint32_t n;

	if (!chance)
		return; /* a thread that has no delays */
	n = draw(&chance);
	if (n % 4096 == 0)
		usleep(n >> 12 & 63);
	else if (n % 32 == 0)
		sched_yield();
}

/* hpt_steps.h, which only the model includes. */
void hpt_step(void);
void hpt_step(void)
{
	delay();
}

static uint64_t ticket_v(struct hpte entry)
{
	return (entry.v & HPTE_V_AVPN) >> 7;
}

static uint64_t ticket_r(struct hpte entry)
{
	return (entry.r & HPTE_R_RPN) >> 12;
}

/* ---- the backing */

static struct place *come(uint64_t index)
{
	struct place *place = &places[index - GROUP];

	if (atomic_fetch_add(&place->calls, 1))
		atomic_fetch_add(&wrong.crowded, 1);
	delay();
	return place;
}

static void go(struct place *place)
{
	atomic_fetch_sub(&place->calls, 1);
}

static int on_enter(void *ctx, uint64_t index, struct hpte entry)
{
	struct place *place = come(index);
	struct ticket *ticket = &tickets[ticket_v(entry)];
	int err = refuses && draw(&chance) % 2 == 0 ? -EIO : 0;

	(void)ctx;
	/* Others shall find a place taken that will be free. */
	if (err)
		sched_yield();
	if (!err) {
		if (atomic_exchange(&place->holds, ticket_v(entry)))
			atomic_fetch_add(&wrong.doubled, 1);
		ticket->place = (uint32_t)(index - GROUP);
		ticket->nth = ++place->count;
	}
	go(place);
	return err;
}

static int on_invalidate(void *ctx, const uint64_t *indexes, size_t count, uint64_t *rc)
{
	(void)ctx;
	for (size_t i = 0; i < count; i++) {
		struct place *place = come(indexes[i]);

		rc[i] = 0;
		if (!atomic_exchange(&place->holds, 0))
			atomic_fetch_add(&wrong.doubled, 1);
		go(place);
	}
	return 0;
}

static int on_update(void *ctx, uint64_t index, struct hpte entry, uint64_t clear)
{
	struct place *place = come(index);

	(void)ctx;
	(void)clear;
	if (atomic_load(&place->holds) != ticket_v(entry) || ticket_r(entry) != ticket_v(entry))
		atomic_fetch_add(&wrong.mixed, 1);
	go(place);
	return 0;
}

/* A reader has no lock here, and has read but the first doubleword. */
static int on_look(void *ctx, uint64_t index, uint64_t *rc)
{
	(void)ctx;
	(void)index;
	*rc = 0;
	delay();
	return 0;
}

static const struct hpt_backing backing = {on_enter, on_invalidate, on_update, on_look};

/* ---- what processors do */

static uint64_t some_index(void)
{
	return GROUP + draw(&chance) % HPT_GROUP;
}

static int enter_one(bool exact)
{
	uint64_t ticket = atomic_fetch_add(&last_ticket, 1) + 1, at = some_index();
	struct hpte entry = {ticket << 7 | HPTE_V_VALID, ticket << 12};
	int err = hpt_enter(&table, exact, at, entry, &at);

	if (err) {
		atomic_fetch_add(&seen.full, err == -ENOSPC);
		return err;
	}
	if (at - GROUP >= HPT_GROUP)
		atomic_fetch_add(&wrong.outside, 1);
	atomic_fetch_add(&seen.entered, 1);
	return 0;
}

/* The one that got it out. */
static void got(uint64_t ticket)
{
	if (atomic_fetch_add(&tickets[ticket].removed, 1))
		atomic_fetch_add(&wrong.twice, 1);
	atomic_fetch_add(&seen.removed, 1);
}

static int remove_one(uint64_t index, struct hpt_match match)
{
	struct hpte old;
	int err = hpt_remove(&table, index, match, &old);

	if (err) {
		atomic_fetch_add(&seen.missed, 1);
		return err;
	}
	if (ticket_v(old) != ticket_r(old))
		atomic_fetch_add(&wrong.mixed, 1);
	got(ticket_v(old));
	return 0;
}

/* A lock of the entry comes after all that was done with it, whatever was read of it. */
static void wait_for_others(uint64_t index)
{
	hpt_protect(&table, index, (struct hpt_match){HPT_AVPN, 1}, 0);
}

/*
 * Who sees an entry valid sees its own second doubleword, or one that came to the place
 * later, as it may lose its entry while it reads: never one from before.
 */
static struct hpte read_one(uint64_t index)
{
	struct hpte entry;
	uint64_t v, r;

	hpt_read(&table, index, &entry);
	if (!entry.v)
		return entry;
	atomic_fetch_add(&seen.read, 1);
	v = ticket_v(entry);
	r = ticket_r(entry);
	if (v == r)
		return entry;
	wait_for_others(index);
	if (!r || tickets[r].place != tickets[v].place || tickets[r].nth < tickets[v].nth)
		atomic_fetch_add(&wrong.torn, 1);
	else
		atomic_fetch_add(&seen.newer, 1);
	return entry;
}

/* Entries that were seen: those or none. */
static void remove_seen(void)
{
	struct hpt_removal removals[HPT_BULK];
	size_t count = 1 + draw(&chance) % HPT_BULK;

	for (size_t i = 0; i < count; i++) {
		uint64_t index = some_index();
		uint64_t avpn = read_one(index).v & HPTE_V_AVPN;

		removals[i] = (struct hpt_removal){.index = index, .match = {HPT_AVPN, avpn}};
	}
	delay();
	if (count == 1) {
		remove_one(removals[0].index, removals[0].match);
		return;
	}
	hpt_remove_bulk(&table, removals, count);
	for (size_t i = 0; i < count; i++) {
		if (removals[i].err)
			continue;
		got(removals[i].match.value >> 7);
		atomic_fetch_add(&seen.in_bulk, 1);
	}
}

static void do_something(void)
{
	uint64_t old, n = draw(&chance);

	switch (n >> 8 & 15) {
	case 0:
		hpt_protect(&table, some_index(), (struct hpt_match){0}, n >> 16);
		break;
	case 1:
		hpt_clear(&table, some_index(), (n & 1) ? HPTE_R_R : HPTE_R_C, &old);
		break;
	case 2:
	case 3:
		read_one(some_index());
		break;
	case 4:
	case 5:
		remove_one(some_index(), (struct hpt_match){0});
		break;
	case 6:
	case 7:
	case 8:
		remove_seen();
		break;
	default:
		enter_one(n & 1);
	}
}

static void *processor(void *seed)
{
	chance = 4711 + *(const uint32_t *)seed;
	for (uint64_t i = 0; i < calls; i++)
		do_something();
	return NULL;
}

/* ---- what came of it */

static void setup(uint64_t calls_per_thread, uint64_t tickets_per_thread)
{
	calls = calls_per_thread;
	memset(places, 0, sizeof(places));
	memset(&seen, 0, sizeof(seen));
	memset(&wrong, 0, sizeof(wrong));
	atomic_store(&last_ticket, 0);
	tickets = calloc(tickets_per_thread * THREADS + 1, sizeof(*tickets));
	ck_assert_ptr_nonnull(tickets);
	ck_assert_int_eq(hpt_init(&table, HPT_ORDER_MIN, &backing, NULL), 0);
}

static void run(void *(*thread)(void *seed))
{
	uint32_t seeds[THREADS];
	pthread_t threads[THREADS];

	for (uint32_t i = 0; i < THREADS; i++) {
		seeds[i] = i * 77;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, thread, &seeds[i]), 0);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Whatever was entered was removed, or is where it was put. */
static void check_end(void)
{
	uint64_t left = 0;

	for (uint64_t i = 0; i < hpt_count(&table); i++) {
		uint64_t v = atomic_load(&table.slots[i].v);

		if (v && i - GROUP >= HPT_GROUP)
			ck_abort_msg("0x%llx is not free", (unsigned long long)i);
		if (i - GROUP >= HPT_GROUP)
			continue;
		ck_assert_uint_eq(v & (HPTE_V_LOCKED | HPTE_V_ABSENT), 0);
		ck_assert_uint_eq(v >> 7, places[i - GROUP].holds);
		left += !!v;
	}
	ck_assert_uint_eq(seen.entered, seen.removed + left);
	ck_assert_uint_eq(wrong.crowded, 0);
	ck_assert_uint_eq(wrong.doubled, 0);
	ck_assert_uint_eq(wrong.mixed, 0);
	ck_assert_uint_eq(wrong.torn, 0);
	ck_assert_uint_eq(wrong.twice, 0);
	ck_assert_uint_eq(wrong.outside, 0);
	hpt_fini(&table);
	free(tickets);
}

static uint64_t wanted_ops(void)
{
	const char *wish = getenv("HPT_STRESS_OPS");

	return wish ? strtoull(wish, NULL, 0) : OPS_DEFAULT;
}

START_TEST(an_entry_has_one_place_and_one_remover)
{
	setup(wanted_ops() / THREADS, wanted_ops() / THREADS);
	run(processor);
	check_end();
	/* It all happened. */
	ck_assert_uint_gt(seen.entered, 1000);
	ck_assert_uint_gt(seen.in_bulk, 100);
	ck_assert_uint_gt(seen.full, 100);
	ck_assert_uint_gt(seen.missed, 100);
	ck_assert_uint_gt(seen.read, 100);
}
END_TEST

/* ---- in rounds: all enter, then all remove */

static pthread_barrier_t barrier;
static atomic_uint went_in, refused, found_full, went_out;

/*
 * Who finds a group full saw 8 entries in it, and nobody took one out. Else all got in
 * but for those that the backing refused.
 */
static void check_entered(void)
{
	unsigned int in = atomic_load(&went_in), full = atomic_load(&found_full);

	if (in > HPT_GROUP || (full && in < HPT_GROUP) ||
	    in + full + atomic_load(&refused) != THREADS * EACH)
		atomic_fetch_add(&wrong.outside, 1);
}

static void check_removed(void)
{
	if (atomic_load(&went_out) != atomic_load(&went_in))
		atomic_fetch_add(&wrong.twice, 1);
	went_in = refused = found_full = went_out = 0;
}

/* When all have done their part one thread looks, and all go on. */
static void all_done(void (*check)(void))
{
	/* Not 0 for one of them. */
	if (pthread_barrier_wait(&barrier))
		check();
	pthread_barrier_wait(&barrier);
}

static void *in_rounds(void *seed)
{
	chance = 815 + *(const uint32_t *)seed;
	for (uint64_t round = 0; round < calls; round++) {
		uint64_t at = draw(&chance);

		for (int i = 0; i < EACH; i++) {
			int err = enter_one(false);

			atomic_fetch_add(!err ? &went_in : err == -EIO ? &refused : &found_full, 1);
		}
		all_done(check_entered);
		for (uint64_t i = 0; i < HPT_GROUP; i++) {
			uint64_t index = GROUP + (at + i) % HPT_GROUP;

			atomic_fetch_add(&went_out, !remove_one(index, (struct hpt_match){0}));
		}
		all_done(check_removed);
	}
	return NULL;
}

START_TEST(a_group_is_full_with_eight_entries_and_not_before)
{
	uint64_t rounds = wanted_ops() / ROUND_OPS;

	setup(rounds, rounds * EACH);
	refuses = true;
	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, THREADS), 0);
	run(in_rounds);
	refuses = false;
	pthread_barrier_destroy(&barrier);
	check_end();
	ck_assert_uint_gt(seen.full, rounds);
}
END_TEST

void hpt_stress_tests(TCase *tc)
{
	tcase_add_test(tc, an_entry_has_one_place_and_one_remover);
	tcase_add_test(tc, a_group_is_full_with_eight_entries_and_not_before);
}
