// SPDX-License-Identifier: GPL-2.0-only
/*
 * stress LOAD [-t SECONDS] [-p WORKERS] [-s SEED] [-n PAGES] [-g] [-w SECONDS]
 *
 * Runs a load and prints "stress: LOAD N UNIT T ms M mismatches". Ends with 0 if M is 0, with
 * 1 if not, with 2 for a bad command line, and with 3 if a worker stood still (-w).
 */
#include "stress.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS_MOST 1024
#define SHOWN	     3
#define LOOK_US	     200000

/* What all processes share. */
static struct shared {
	_Atomic bool go;
	_Atomic uint64_t end_ns;
	struct worker workers[WORKERS_MOST];
} * shared;

static struct options opts = {10, 1, 16, 120, 1, false};
const struct options *const options = &opts;

static const struct load *const tables[] = {loads_fork, loads_cow, loads_range, loads_ipi,
					    loads_memory};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

size_t page_size(void)
{
	static size_t size;

	if (!size)
		size = (size_t)sysconf(_SC_PAGESIZE);
	return size;
}

bool next_round(struct worker *w)
{
	atomic_fetch_add(&w->rounds, 1);
	return now_ns() < atomic_load(&shared->end_ns);
}

void mismatch(struct worker *w, const char *format, ...)
{
	char text[160];
	va_list args;

	if (atomic_fetch_add(&w->mismatches, 1) >= SHOWN)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* One write: others print, too. */
	dprintf(STDOUT_FILENO, "stress: worker %u: %s\n", w->number, text);
}

void give_up(struct worker *w, const char *what)
{
	mismatch(w, "%s: %s", what, strerror(errno));
	_exit(1);
}

/* splitmix64 */
static uint64_t mix(uint64_t n)
{
	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
	n = (n ^ n >> 27) * 0x94d049bb133111ebull;
	return n ^ n >> 31;
}

uint64_t next_random(struct worker *w)
{
	return mix(w->random += 0x9e3779b97f4a7c15ull);
}

uint64_t value(uint64_t id, size_t page, size_t word)
{
	return mix(id << 32 ^ (uint64_t)page << 16 ^ word ^ opts.seed << 52);
}

void stay_on(unsigned int n)
{
	cpu_set_t all, one;
	int cpu = -1;

	if (sched_getaffinity(1, sizeof(all), &all) || !CPU_COUNT(&all))
		return;
	n %= (unsigned int)CPU_COUNT(&all);
	do {
		if (CPU_ISSET(++cpu, &all) && !n--)
			break;
	} while (cpu < CPU_SETSIZE - 1);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	/* Where the CPU has just gone offline, anywhere is as good. */
	(void)sched_setaffinity(0, sizeof(one), &one);
}

void *map_pages(struct worker *w, size_t pages)
{
	void *p = mmap(NULL, pages * page_size(), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		give_up(w, "mmap");
	return p;
}

static pid_t start_worker(const struct load *load, struct worker *w)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(w->number);
	while (!atomic_load(&shared->go))
		usleep(1000);
	load->run(w);
	atomic_store(&w->ended_ns, now_ns());
	_exit(0);
}

/* The kernel says where each CPU is, and who waits. */
static void show_kernel(void)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, "l", 1) != 1 || write(fd, "w", 1) != 1)
		perror("stress: sysrq-trigger");
	close(fd);
}

/* Wait for the workers' end. Returns 0, or 3 if one stood still. */
static int watch(const struct load *load, const pid_t *pids)
{
	static uint64_t rounds[WORKERS_MOST], since[WORKERS_MOST];
	static bool ended[WORKERS_MOST];
	unsigned int left = opts.workers;

	for (unsigned int i = 0; i < opts.workers; i++)
		since[i] = now_ns();
	while (left) {
		usleep(LOOK_US);
		for (unsigned int i = 0; i < opts.workers; i++) {
			uint64_t n = atomic_load(&shared->workers[i].rounds);
			int status;

			if (ended[i])
				continue;
			if (waitpid(pids[i], &status, WNOHANG) == pids[i]) {
				ended[i] = true;
				left--;
				if (status)
					mismatch(&shared->workers[i], "ended with status 0x%x",
						 status);
			} else if (n != rounds[i]) {
				rounds[i] = n;
				since[i] = now_ns();
			} else if (now_ns() - since[i] > opts.stall * 1000000000ull) {
				printf("stress: %s stall: worker %u does nothing for %u s, "
				       "after %llu %s\n",
				       load->name, i, opts.stall, (unsigned long long)n,
				       load->unit);
				show_kernel();
				return 3;
			}
		}
	}
	return 0;
}

static int run(const struct load *load)
{
	static pid_t pids[WORKERS_MOST];
	uint64_t start, now, ns, in_calls = 0, rounds = 0, mismatches = 0;
	int status;

	for (unsigned int i = 0; i < opts.workers; i++) {
		struct worker *w = &shared->workers[i];

		w->number = i;
		w->random = mix(opts.seed) + i;
		pids[i] = start_worker(load, w);
		if (pids[i] < 0) {
			perror("stress: fork");
			return 1;
		}
	}
	start = now_ns();
	atomic_store(&shared->end_ns, start + opts.seconds * 1000000000ull);
	atomic_store(&shared->go, true);
	status = watch(load, pids);
	now = now_ns();
	ns = 0;
	for (unsigned int i = 0; i < opts.workers; i++) {
		const struct worker *w = &shared->workers[i];
		uint64_t ended = atomic_load(&w->ended_ns);

		/* It is still at it, or has died. */
		if (!ended)
			ended = now;
		rounds += atomic_load(&w->rounds);
		mismatches += atomic_load(&w->mismatches);
		in_calls += atomic_load(&w->ns);
		if (ended - start > ns)
			ns = ended - start;
	}
	/* Workers are in their calls side by side. */
	if (in_calls)
		ns = in_calls / opts.workers;
	printf("stress: %s", load->name);
	if (load->range)
		printf("-%u-%s", opts.pages, opts.global ? "global" : "local");
	printf(" %llu %s %llu ms %llu mismatches\n", (unsigned long long)rounds, load->unit,
	       (unsigned long long)((ns + 999999) / 1000000), (unsigned long long)mismatches);
	return status ? status : mismatches ? 1 : 0;
}

static const struct load *find_load(const char *name)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct load *l = tables[i]; l->name; l++)
			if (!strcmp(l->name, name))
				return l;
	fprintf(stderr, "stress: no load '%s'; there are", name);
	for (size_t i = 0; i < TABLES; i++)
		for (const struct load *l = tables[i]; l->name; l++)
			fprintf(stderr, " %s", l->name);
	fprintf(stderr, "\n");
	exit(2);
}

static uint64_t number(char option, const char *text, uint64_t least, uint64_t most)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (*end || end == text || *text == '-' || errno || n < least || n > most) {
		fprintf(stderr, "stress: -%c %s: not a number from %llu to %llu\n", option, text,
			(unsigned long long)least, (unsigned long long)most);
		exit(2);
	}
	return n;
}

static void parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "t:p:s:n:w:g")) != -1) {
		if (c == 't')
			opts.seconds = (unsigned int)number('t', optarg, 1, 1000000);
		else if (c == 'p')
			opts.workers = (unsigned int)number('p', optarg, 1, WORKERS_MOST);
		else if (c == 's')
			opts.seed = number('s', optarg, 0, UINT64_MAX);
		else if (c == 'n')
			opts.pages = (unsigned int)number('n', optarg, 1, 65536);
		else if (c == 'w')
			opts.stall = (unsigned int)number('w', optarg, 1, 1000000);
		else if (c == 'g')
			opts.global = true;
		else
			exit(2);
	}
}

int main(int argc, char **argv)
{
	const struct load *load;

	if (argc == 2 && !strcmp(argv[1], EXEC_TARGET))
		return 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	parse(argc, argv);
	if (optind + 1 != argc) {
		fprintf(stderr, "usage: stress LOAD [-t SECONDS] [-p WORKERS] [-s SEED] "
				"[-n PAGES] [-g] [-w SECONDS]\n");
		return 2;
	}
	load = find_load(argv[optind]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED) {
		perror("stress: mmap");
		return 1;
	}
	return run(load);
}
