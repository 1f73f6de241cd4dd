// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that interrupt each other: wake-ups, barriers, and changes of memory that all use. */
#include "stress.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Threads of a worker: one for each CPU. */
#define THREADS_MOST 256

static _Atomic bool over;
static struct worker *self;
static pthread_t threads[THREADS_MOST];

static unsigned int cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : (unsigned int)n;
}

static void start(struct worker *w, unsigned int first, unsigned int last,
		  void *(*function)(void *))
{
	self = w;
	for (unsigned int i = first; i < last; i++)
		if (pthread_create(&threads[i], NULL, function, (void *)(uintptr_t)i))
			give_up(w, "pthread_create");
}

static void join(unsigned int first, unsigned int last)
{
	atomic_store(&over, true);
	for (unsigned int i = first; i < last; i++)
		pthread_join(threads[i], NULL);
}

/* ---- ping: two threads on two CPUs wake each other; a wake-up that is lost is a stall */

static _Atomic uint32_t turn;

static void pass(uint32_t from)
{
	atomic_store(&turn, !from);
	syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Wait while it is the other's turn. */
static void wait_turn(uint32_t own)
{
	while (atomic_load(&turn) != own)
		syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !own, NULL, NULL, 0);
}

static void *answer(void *arg)
{
	(void)arg;
	stay_on(2 * self->number + 1);
	for (;;) {
		wait_turn(1);
		if (atomic_load(&over))
			return NULL;
		pass(1);
	}
}

static void run_ping(struct worker *w)
{
	start(w, 0, 1, answer);
	stay_on(2 * w->number);
	do {
		pass(0);
		wait_turn(0);
	} while (next_round(w));
	atomic_store(&over, true);
	pass(0);
	join(0, 1);
}

/* ---- barrier: membarrier() interrupts every CPU that runs a thread of ours */

static void *spin(void *arg)
{
	stay_on((unsigned int)(uintptr_t)arg);
	/* Others of other workers want the CPU, too. */
	while (!atomic_load(&over))
		for (volatile int i = 0; i < 1000; i++)
			;
	return NULL;
}

static void run_barrier(struct worker *w)
{
	unsigned int n = cpus();

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		give_up(w, "membarrier");
	start(w, 1, n, spin);
	do {
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
			give_up(w, "membarrier");
	} while (next_round(w));
	join(1, n);
}

/* ---- migrate: a thread goes to another CPU, each time it is run, and finds itself there */

static void run_migrate(struct worker *w)
{
	unsigned int n = cpus();

	do {
		unsigned int cpu = (unsigned int)(next_random(w) % n);
		cpu_set_t want, is;

		CPU_ZERO(&want);
		CPU_SET(cpu, &want);
		/* A CPU may be offline: then nothing changes. */
		if (sched_setaffinity(0, sizeof(want), &want))
			continue;
		/* May have been changed since, where its CPU went offline. */
		if (!sched_getaffinity(0, sizeof(is), &is) && CPU_EQUAL(&is, &want) &&
		    (unsigned int)sched_getcpu() != cpu && !sched_getaffinity(0, sizeof(is), &is) &&
		    CPU_EQUAL(&is, &want))
			mismatch(w, "runs on CPU %d, not %u", sched_getcpu(), cpu);
	} while (next_round(w));
}

/* ---- shootdown: each thread takes away its pages, which it shares with all CPUs' threads */

static void *change(void *arg)
{
	struct worker *w = self;
	unsigned int number = (unsigned int)(uintptr_t)arg;
	size_t size = options->pages * page_size(), words = page_size() / 8;

	stay_on(w->number + number);
	for (uint64_t id = (uint64_t)number << 20; !atomic_load(&over); id++) {
		uint64_t *pages = map_pages(w, options->pages);

		for (size_t i = 0; i < options->pages; i++)
			pages[i * words] = value(id, i, 0);
		if (mprotect(pages, size, PROT_READ))
			give_up(w, "mprotect");
		for (size_t i = 0; i < options->pages; i++)
			if (pages[i * words] != value(id, i, 0))
				mismatch(w, "thread %u: page %zu is 0x%llx", number, i,
					 (unsigned long long)pages[i * words]);
		if (munmap(pages, size))
			give_up(w, "munmap");
		if (!next_round(w))
			atomic_store(&over, true);
	}
	return NULL;
}

static void run_shootdown(struct worker *w)
{
	unsigned int n = cpus();

	start(w, 1, n, change);
	change(NULL);
	join(1, n);
}

const struct load loads_ipi[] = {
	{"ping", "rounds", run_ping, false},
	{"barrier", "barriers", run_barrier, false},
	{"migrate", "moves", run_migrate, false},
	{"shootdown", "rounds", run_shootdown, false},
	{NULL, NULL, NULL, false},
};
