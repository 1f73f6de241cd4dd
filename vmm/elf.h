/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF64 kernel images: parsing and checking, without touching guest memory. */
#ifndef VMM_ELF_H
#define VMM_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/why.h"

#define ELF_SEGMENTS_MAX 64

/* Where position-independent images go, by convention. */
#define ELF_BIAS 0x400000

/* What to load: bytes of the file to a real address, the rest of the size zeroed. */
struct elf_segment {
	uint64_t offset, addr, filesz, memsz;
};

struct elf_image {
	uint64_t entry;	    /* real address of the first instruction */
	uint64_t low, high; /* the real addresses that the segments cover */
	uint32_t nr_segments;
	struct elf_segment segments[ELF_SEGMENTS_MAX];
};

/* A file as the parser sees it. */
struct elf_source {
	/* Read exactly @len bytes at @offset: 0, or -errno (-ENODATA: file too short). */
	int (*read)(void *ctx, uint64_t offset, void *to, size_t len);
	void *ctx;
};

/**
 * elf_parse - read the headers of a 64-bit PowerPC executable, either byte order
 *
 * Segments are placed at their physical addresses. An ET_DYN image whose virtual
 * and physical addresses are the same is position-independent: all of it moves up
 * by ELF_BIAS. 0, or negative errno with the value at fault in @why.
 */
int elf_parse(const struct elf_source *source, struct elf_image *image, struct why *why);

#endif
