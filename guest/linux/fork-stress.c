// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork-stress SECONDS PROCESSES: a program for Linux guests that has the kernel change its
 * page tables all the time, and looks whether memory is still what it should be.
 *
 * Each process forks without end. Parent and child share a buffer until one writes (copy on
 * write); both write all of its pages, each its own values, and compare, then the child maps
 * memory, fills and unmaps it, and ends. Prints "fork-stress: N forks in T ms, M mismatches"
 * and ends with 0 if M is 0.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGES	 16
#define SHOWN	 3
#define EXIT_BAD 3

static size_t page_size;
static uint64_t *buffer;

struct result {
	uint64_t forks, mismatches;
};

/* A value that no other page, process or round has. */
static uint64_t value(uint64_t id, size_t page, size_t word)
{
	return (id << 20 | page << 14 | word) * 0x9e3779b97f4a7c15ull;
}

/* Some words of each page: its first, its last and a few between. */
#define STEP 511

static void fill(uint64_t *p, uint64_t id)
{
	size_t words = page_size / 8;

	for (size_t page = 0; page < PAGES; page++)
		for (size_t i = 0; i < words; i += STEP)
			p[page * words + i] = value(id, page, i);
}

static uint64_t compare(const uint64_t *p, uint64_t id, const char *who)
{
	size_t words = page_size / 8;
	uint64_t bad = 0;

	for (size_t page = 0; page < PAGES; page++)
		for (size_t i = 0; i < words; i += STEP) {
			uint64_t is = p[page * words + i], should_be = value(id, page, i);

			if (is != should_be && bad++ < SHOWN)
				printf("fork-stress: %s %d: page %zu word %zu is 0x%llx, "
				       "should be 0x%llx\n",
				       who, getpid(), page, i, (unsigned long long)is,
				       (unsigned long long)should_be);
		}
	return bad;
}

static uint64_t *map(void)
{
	void *p = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p != MAP_FAILED)
		return p;
	perror("fork-stress: mmap");
	exit(EXIT_BAD);
}

/* The copy is whole, can be written, and so can new memory. */
static int child(uint64_t parent_id, uint64_t id)
{
	uint64_t bad = compare(buffer, parent_id, "child's copy"), *own;

	fill(buffer, id);
	own = map();
	fill(own, id + 1);
	bad += compare(buffer, id, "child");
	bad += compare(own, id + 1, "child's map");
	munmap(own, PAGES * page_size);
	return bad ? EXIT_BAD : 0;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static struct result stress(uint64_t number, uint64_t end)
{
	struct result result = {0, 0};

	buffer = map();
	for (uint64_t id = number << 32; now_ms() < end; id += 4) {
		int status = -1;
		pid_t pid;

		fill(buffer, id);
		pid = fork();
		if (pid == 0) {
			status = child(id, id + 1);
			fflush(stdout);
			_exit(status);
		}
		if (pid < 0) {
			perror("fork-stress: fork");
			result.mismatches++;
			break;
		}
		result.mismatches += compare(buffer, id, "parent");
		fill(buffer, id + 3);
		/* Whatever ends a child early counts, too. */
		if (waitpid(pid, &status, 0) != pid || status != 0)
			result.mismatches++;
		result.mismatches += compare(buffer, id + 3, "parent after");
		result.forks++;
	}
	fflush(stdout);
	return result;
}

int main(int argc, char **argv)
{
	int seconds = argc == 3 ? atoi(argv[1]) : 0, processes = argc == 3 ? atoi(argv[2]) : 0;
	struct result sum = {0, 0};
	uint64_t start = now_ms(), end = start + (uint64_t)seconds * 1000;
	int fds[2];

	if (seconds < 1 || processes < 1) {
		fprintf(stderr, "usage: fork-stress SECONDS PROCESSES\n");
		return 1;
	}
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	if (pipe(fds)) {
		perror("fork-stress: pipe");
		return 1;
	}
	for (int i = 0; i < processes; i++)
		if (fork() == 0) {
			struct result r = stress((uint64_t)i + 1, end);

			_exit(write(fds[1], &r, sizeof(r)) == sizeof(r) ? 0 : 1);
		}
	for (int i = 0; i < processes; i++) {
		struct result r = {0, 1};
		int status = -1;

		if (wait(&status) < 0 || status != 0 || read(fds[0], &r, sizeof(r)) != sizeof(r))
			r = (struct result){0, 1};
		sum.forks += r.forks;
		sum.mismatches += r.mismatches;
	}
	printf("fork-stress: %llu forks in %llu ms, %llu mismatches\n",
	       (unsigned long long)sum.forks, (unsigned long long)(now_ms() - start),
	       (unsigned long long)sum.mismatches);
	return sum.mismatches ? 1 : 0;
}
