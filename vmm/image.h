/* SPDX-License-Identifier: GPL-2.0-only */
/* Files a guest is loaded from: opened and checked early, read late. */
#ifndef VMM_IMAGE_H
#define VMM_IMAGE_H

#include <stdint.h>

#include "lib/gmem.h"
#include "lib/why.h"
#include "vmm/elf.h"

struct image {
	const char *path; /* for messages; the caller's */
	const char *what; /* "kernel" or "initrd" */
	int fd;
	uint64_t size;	/* bytes of the file as it is */
	void *gz;	/* zlib's handle, on a descriptor of its own */
	uint64_t gz_at; /* where that stands in the unpacked file */
};

/**
 * image_open - open a regular, readable, not empty file
 *
 * Nothing of the contents is read. 0, or negative errno with @why set; then nothing
 * is left open.
 */
int image_open(struct image *image, const char *what, const char *path, struct why *why);
void image_close(struct image *image);

/* Parse a kernel, gzip-compressed or not, into @elf. */
int image_parse_kernel(struct image *image, struct elf_image *elf, struct why *why);

/*
 * Copy the segments of a parsed kernel to where they belong. They must fit, and guest
 * memory must be zero, as it is when new and after a reset.
 */
int image_load_kernel(struct image *image, const struct elf_image *elf, const struct gmem *mem,
		      struct why *why);

/* Copy the whole file, as it is, to @addr. */
int image_load_raw(struct image *image, const struct gmem *mem, uint64_t addr, struct why *why);

#endif
