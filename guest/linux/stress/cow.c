// SPDX-License-Identifier: GPL-2.0-only
/*
 * cow: parent and child share pages until one writes. Both compare every page with what it
 * should be, write all of them, each its own values, and compare again; the child does the
 * same with new memory, which it then unmaps, and ends.
 */
#include "stress.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of each page its first word, and every 511th: of 4 KiB that is the last. */
#define STEP 511

static uint64_t *buffer;

static void fill(uint64_t *p, uint64_t id)
{
	size_t words = page_size() / 8;

	for (size_t page = 0; page < options->pages; page++)
		for (size_t i = 0; i < words; i += STEP)
			p[page * words + i] = value(id, page, i);
}

static void compare(struct worker *w, const uint64_t *p, uint64_t id, const char *who)
{
	size_t words = page_size() / 8;

	for (size_t page = 0; page < options->pages; page++)
		for (size_t i = 0; i < words; i += STEP) {
			uint64_t is = p[page * words + i], should_be = value(id, page, i);

			if (is != should_be)
				mismatch(w, "%s %d: page %zu word %zu is 0x%llx, should be 0x%llx",
					 who, getpid(), page, i, (unsigned long long)is,
					 (unsigned long long)should_be);
		}
}

/* The copy is whole, can be written, and so can new memory. */
static void child(struct worker *w, uint64_t parent_id)
{
	uint64_t *own;

	compare(w, buffer, parent_id, "child's copy");
	fill(buffer, parent_id + 1);
	own = map_pages(w, options->pages);
	fill(own, parent_id + 2);
	compare(w, buffer, parent_id + 1, "child");
	compare(w, own, parent_id + 2, "child's map");
	munmap(own, options->pages * page_size());
}

static void run_cow(struct worker *w)
{
	uint64_t id = (uint64_t)w->number << 24;

	buffer = map_pages(w, options->pages);
	do {
		int status = -1;
		pid_t pid;

		fill(buffer, id);
		pid = fork();
		if (pid < 0)
			give_up(w, "fork");
		if (!pid) {
			child(w, id);
			_exit(0);
		}
		compare(w, buffer, id, "parent");
		fill(buffer, id + 3);
		if (waitpid(pid, &status, 0) != pid || status)
			mismatch(w, "child %d ended with status 0x%x", pid, status);
		compare(w, buffer, id + 3, "parent after");
		id += 4;
	} while (next_round(w));
}

const struct load loads_cow[] = {
	{"cow", "forks", run_cow, false},
	{NULL, NULL, NULL, false},
};
