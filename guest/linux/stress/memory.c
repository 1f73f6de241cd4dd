// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory: the workers together hold three quarters of what is free, each page with its value;
 * a round compares
 * a stretch of them, fills it, and gives some of it back, which then reads as zeros.
 */
#include "stress.h"

#include <stdio.h>
#include <sys/mman.h>

#define STRETCH 64 /* pages of a round */

static size_t free_pages(void)
{
	unsigned long kib = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %lu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib * 1024 / page_size();
}

static void run_memory(struct worker *w)
{
	size_t pages = free_pages() / 4 * 3 / options->workers, words = page_size() / 8;
	uint64_t *memory;
	bool *filled;

	if (pages < 2 * STRETCH)
		pages = 2 * STRETCH;
	memory = map_pages(w, pages);
	filled = map_pages(w, pages / page_size() + 1);
	do {
		size_t first = next_random(w) % (pages - STRETCH), gone = next_random(w) % STRETCH;

		for (size_t i = first; i < first + STRETCH; i++) {
			uint64_t is = memory[i * words], content = value(w->number, i, 0),
				 should_be = filled[i] ? content : 0;

			if (is != should_be)
				mismatch(w, "page %zu is 0x%llx, should be 0x%llx", i,
					 (unsigned long long)is, (unsigned long long)should_be);
			memory[i * words] = content;
			filled[i] = i >= first + gone;
		}
		if (madvise(memory + first * words, gone * page_size(), MADV_DONTNEED))
			give_up(w, "madvise");
	} while (next_round(w));
}

const struct load loads_memory[] = {
	{"memory", "stretches", run_memory, false},
	{NULL, NULL, NULL, false},
};
