/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest real memory: one range from real address 0, reached only through calls
 * that check the range. Nothing else adds a guest address to a host pointer.
 *
 * The guest writes this memory at any time. A caller that checks a value and
 * then uses it must copy it out first (gmem_read), and never look twice.
 */
#ifndef LIB_GMEM_H
#define LIB_GMEM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/endian.h"

struct gmem {
	uint8_t *base; /* host address of real address 0 */
	uint64_t size; /* bytes */
};

/* True if @len bytes at real address @addr all lie in memory. */
bool gmem_has(const struct gmem *mem, uint64_t addr, uint64_t len);

/**
 * gmem_ptr - host pointer to @len bytes at real address @addr
 *
 * Valid for exactly that range as long as the memory lives. NULL where the range
 * is not all memory.
 */
void *gmem_ptr(const struct gmem *mem, uint64_t addr, uint64_t len);

/* Copy out of, into, or clear guest memory: 0, or -EFAULT and nothing done. */
int gmem_read(const struct gmem *mem, uint64_t addr, void *to, uint64_t len);
int gmem_write(const struct gmem *mem, uint64_t addr, const void *from, uint64_t len);
int gmem_zero(const struct gmem *mem, uint64_t addr, uint64_t len);

/* One big-endian word: 0, or -EFAULT. */
int gmem_read_be32(const struct gmem *mem, uint64_t addr, uint32_t *value);
int gmem_write_be32(const struct gmem *mem, uint64_t addr, uint32_t value);

#endif
