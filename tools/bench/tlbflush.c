// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlbflush: what the kernel does to the TLB for a process that changes its memory.
 *
 *   tlbflush [-c] [-g] OPERATION PAGES...
 *
 * for a radix host. OPERATION is
 *
 *   munmap     of pages in the middle of a mapping, so that no page table is freed
 *   teardown   munmap of all pages below a page table, which is freed too
 *   mprotect   of pages that were written, to be read only
 *
 * The process has run on CPU 0 only; with -g a second thread of it has run on CPU 1,
 * and sleeps. A line for each number of pages gives the ticks of the timebase that the
 * system call took, the least of a hundred, or with -c what was executed in it:
 *
 *   munmap global pages 30 tlbie 31 tlbiel 0 fixups 1 ptesync 3 tlbsync 1
 *
 * by the tracepoints tlbie and tlbie_barrier (kernel/patches). Fixups are those tlbies
 * that errata of the processor ask for.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACING	   "/sys/kernel/tracing/"
#define TABLE	   (2UL << 20) /* what the lowest page table maps, with pages of 4K and 64K */
#define NEXT_TABLE (1UL << 30) /* and the one above */
#define MAX_PAGES  4096
#define ROUNDS	   100

static unsigned long page;

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("tlbflush: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("CPU %d: %s", cpu, strerror(errno));
}

static void put(const char *name, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", name);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

struct counts {
	unsigned long tlbie, tlbiel, fixups, ptesync, tlbsync;
};

/* What the trace buffer says. It may be of this thread only: see start_counting(). */
static struct counts counted(void)
{
	FILE *f = fopen(TRACING "trace", "r");
	struct counts n = {0};
	int between = 0;
	char line[512];

	if (!f)
		die("%strace: %s", TRACING, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		int local = !!strstr(line, "local=1");

		if (strstr(line, " tlbie: ")) {
			*(local ? &n.tlbiel : &n.tlbie) += 1;
			n.fixups += between;
			between = 0;
		} else if (strstr(line, " tlbie_barrier: ")) {
			n.ptesync++;
			n.tlbsync += !local && strstr(line, "where=after");
			between = !!strstr(line, "where=between");
		} else if (line[0] != '#') {
			die("the trace has more in it: %s", line);
		}
	}
	fclose(f);
	return n;
}

static void start_counting(void)
{
	char tid[32];

	snprintf(tid, sizeof(tid), "%ld", syscall(SYS_gettid));
	put("tracing_on", "0");
	put("set_event_pid", tid);
	put("events/powerpc/tlbie/enable", "1");
	put("events/powerpc/tlbie_barrier/enable", "1");
}

/* Events that are on cost something, also while nothing is traced. */
static void stop_counting(void)
{
	put("events/powerpc/tlbie/enable", "0");
	put("events/powerpc/tlbie_barrier/enable", "0");
}

static void *elsewhere(void *pipe_end)
{
	char c = 0;

	pin(1);
	/* Here it has run; now it sleeps for good. */
	if (write(((int *)pipe_end)[1], &c, 1) != 1)
		die("pipe: %s", strerror(errno));
	for (;;)
		pause();
	return NULL;
}

static void run_on_another_cpu(void)
{
	static int pipe_end[2];
	pthread_t thread;
	char c;

	if (pipe(pipe_end) || pthread_create(&thread, NULL, elsewhere, pipe_end) ||
	    read(pipe_end[0], &c, 1) != 1)
		die("no second thread: %s", strerror(errno));
	usleep(10000);
}

/* Pages that are there, and written to, at a place where nothing else was. */
static char *map(char *at, unsigned long pages)
{
	char *p = mmap(at, pages * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != at)
		die("%lu pages at %p: %s", pages, at, strerror(errno));
	for (unsigned long i = 0; i < pages; i++)
		p[i * page] = 1;
	return p;
}

enum operation { MUNMAP, TEARDOWN, MPROTECT, OPERATIONS };

static const char *const names[OPERATIONS] = {"munmap", "teardown", "mprotect"};

struct result {
	struct counts counts;
	unsigned long ticks;
};

/* One system call, at an address of which the page table above is in use. */
static struct result once(enum operation operation, char *room, unsigned long pages, int count)
{
	/* Around what munmap takes something stays, below the same page tables. */
	unsigned long around = operation == MUNMAP;
	char *p = map(room, pages + 2 * around) + around * page;
	struct result result = {0};
	unsigned long began;
	int ret;

	if (count) {
		put("trace", "");
		put("tracing_on", "1");
	}
	began = __builtin_ppc_get_timebase();
	if (operation == MPROTECT)
		ret = mprotect(p, pages * page, PROT_READ);
	else
		ret = munmap(p, pages * page);
	result.ticks = __builtin_ppc_get_timebase() - began;
	if (count) {
		put("tracing_on", "0");
		result.counts = counted();
	}
	if (ret || munmap(room, (pages + 2 * around) * page))
		die("%s of %lu pages: %s", names[operation], pages, strerror(errno));
	return result;
}

static void measure(enum operation operation, char *room, unsigned long pages, int global,
		    int count)
{
	struct result first, next;

	/* The first one finds the process as it was left. */
	once(operation, room, pages, count);
	first = once(operation, room, pages, count);
	printf("%s %s pages %lu ", names[operation], global ? "global" : "local", pages);
	if (count) {
		next = once(operation, room, pages, count);
		if (memcmp(&first.counts, &next.counts, sizeof(first.counts)))
			die("%s of %lu pages does not do the same twice", names[operation], pages);
		printf("tlbie %lu tlbiel %lu fixups %lu ptesync %lu tlbsync %lu\n",
		       first.counts.tlbie, first.counts.tlbiel, first.counts.fixups,
		       first.counts.ptesync, first.counts.tlbsync);
		return;
	}
	for (int i = 1; i < ROUNDS; i++) {
		next = once(operation, room, pages, count);
		if (next.ticks < first.ticks)
			first.ticks = next.ticks;
	}
	printf("ticks %lu\n", first.ticks);
}

/* An address that begins what a page table maps, in a gigabyte of nothing. */
static char *make_room(void)
{
	char *p = mmap(NULL, 3 * NEXT_TABLE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		die("no room: %s", strerror(errno));
	munmap(p, 3 * NEXT_TABLE);
	p = (char *)(((unsigned long)p + NEXT_TABLE - 1) & -NEXT_TABLE);
	/* The page table above stays in use. */
	map(p + NEXT_TABLE - TABLE, 1);
	return p + NEXT_TABLE / 2;
}

int main(int argc, char **argv)
{
	int option, global = 0, count = 0, operation;
	unsigned long pages;
	char *room, *end;

	while ((option = getopt(argc, argv, "+cg")) != -1) {
		if (option == 'c')
			count = 1;
		else if (option == 'g')
			global = 1;
		else
			return 2;
	}
	for (operation = 0; operation < OPERATIONS; operation++)
		if (optind < argc && !strcmp(argv[optind], names[operation]))
			break;
	if (operation == OPERATIONS)
		die("usage: tlbflush [-c] [-g] munmap|teardown|mprotect PAGES...");
	page = sysconf(_SC_PAGESIZE);
	pin(0);
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
		die("huge pages: %s", strerror(errno));
	if (global)
		run_on_another_cpu();
	room = make_room();
	if (count)
		start_counting();
	while (++optind < argc) {
		pages = strtoul(argv[optind], &end, 10);
		if (*end || pages < 1 || pages > MAX_PAGES)
			die("pages: '%s' is not 1 to %d", argv[optind], MAX_PAGES);
		measure(operation, room, pages, global, count);
	}
	if (count)
		stop_counting();
	return 0;
}
