// SPDX-License-Identifier: GPL-2.0-only
/* The string functions that the compiler may call, and the few that programs use. */
#include "types.h"

void *memcpy(void *to, const void *from, size_t n)
{
	return memmove(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
	u8 *t = to;
	const u8 *f = from;

	if (t <= f) {
		if (!(((u64)t | (u64)f) & 7))
			for (; n >= 8; n -= 8, t += 8, f += 8)
				*(u64 *)t = *(const u64 *)f;
		while (n--)
			*t++ = *f++;
	} else {
		while (n--)
			t[n] = f[n];
	}
	return to;
}

void *memset(void *to, int c, size_t n)
{
	u8 *t = to;

	if (!((u64)t & 7))
		for (; n >= 8; n -= 8, t += 8)
			*(u64 *)t = (u8)c * 0x0101010101010101ul;
	while (n--)
		*t++ = (u8)c;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (u8)*a - (u8)*b;
	return 0;
}
