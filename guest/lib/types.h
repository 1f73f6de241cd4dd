/* SPDX-License-Identifier: GPL-2.0-only */
/* Integer types, and memory whose byte order does not follow the program's. */
#ifndef GUEST_TYPES_H
#define GUEST_TYPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE_ENDIAN 1
#else
#define LITTLE_ENDIAN 0
#endif

/* A big-endian word in memory: not a number until it went through be32_get(). */
typedef struct {
	u32 raw;
} be32_t;

static inline u32 be32_get(be32_t v)
{
	return LITTLE_ENDIAN ? __builtin_bswap32(v.raw) : v.raw;
}

static inline be32_t be32(u32 v)
{
	return (be32_t){LITTLE_ENDIAN ? __builtin_bswap32(v) : v};
}

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);

#endif
