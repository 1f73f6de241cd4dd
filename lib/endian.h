/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Big-endian integers as types of their own: a structure that a guest wrote
 * cannot be read without saying so. PAPR structures (RTAS argument blocks,
 * device tree cells, partition parameters) are big-endian whatever the guest.
 */
#ifndef LIB_ENDIAN_H
#define LIB_ENDIAN_H

#include <endian.h>
#include <stdint.h>

typedef struct {
	uint16_t raw;
} be16_t;

typedef struct {
	uint32_t raw;
} be32_t;

typedef struct {
	uint64_t raw;
} be64_t;

static inline uint16_t be16_get(be16_t v)
{
	return be16toh(v.raw);
}

static inline uint32_t be32_get(be32_t v)
{
	return be32toh(v.raw);
}

static inline uint64_t be64_get(be64_t v)
{
	return be64toh(v.raw);
}

static inline be16_t be16(uint16_t v)
{
	return (be16_t){htobe16(v)};
}

static inline be32_t be32(uint32_t v)
{
	return (be32_t){htobe32(v)};
}

static inline be64_t be64(uint64_t v)
{
	return (be64_t){htobe64(v)};
}

#endif
