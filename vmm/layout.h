/* SPDX-License-Identifier: GPL-2.0-only */
/* Where things lie in a guest's memory when it starts. */
#ifndef VMM_LAYOUT_H
#define VMM_LAYOUT_H

#include <stdint.h>

#include "lib/why.h"
#include "vmm/elf.h"

struct layout {
	/* In: */
	uint64_t mem_size;    /* bytes of memory from real address 0 */
	uint64_t rma_size;    /* of which a processor in real mode reaches these */
	uint64_t initrd_size; /* bytes, 0 for none */
	uint64_t fdt_size;    /* room for the flattened tree */
	/* Out: */
	uint64_t rtas, initrd, fdt;
};

#define RTAS_SIZE 4096 /* room for the RTAS code */

/**
 * layout_place - choose real addresses for RTAS, tree and initrd around a kernel
 *
 * RTAS lies between 64 KiB and the kernel where that leaves room, as some kernels
 * expect, and above the initrd otherwise. The initrd is some MiB above the kernel, whose
 * stack and bss may lie beyond its last segment, and not at the end of memory, which
 * Linux does not reach with mem= on its command line; the tree is there, for Linux moves
 * it. -ENOSPC, with sizes and limits in @why, when it does not all fit.
 */
int layout_place(struct layout *layout, const struct elf_image *kernel, struct why *why);

#endif
