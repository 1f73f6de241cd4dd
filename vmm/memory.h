/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a guest's memory comes from. */
#ifndef VMM_MEMORY_H
#define VMM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/gmem.h"
#include "lib/why.h"

/**
 * memory_create - map @size bytes of zeroed memory for a guest
 *
 * Checks the size against the host: a multiple of its page size, not more than it has.
 * 0, or negative errno with @why set.
 */
int memory_create(struct gmem *mem, uint64_t size, bool hugetlb, struct why *why);
void memory_destroy(struct gmem *mem);

/* Give all pages back: memory reads as zero again. 0 or -errno. */
int memory_reset(struct gmem *mem);

/* The page size that backs the memory, bytes. */
uint64_t memory_page_size(bool hugetlb);

#endif
