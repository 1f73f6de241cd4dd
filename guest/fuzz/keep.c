// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: which of the drawn calls are made: "keep=3-9,17" on the command line, or all.
 *
 * LOCKING: none. Filled before a second CPU runs.
 */
#include "fuzz.h"

static struct {
	u64 first, last;
} ranges[MAX_KEPT];
static int nranges;

static const char *number(const char *s, u64 *n)
{
	for (*n = 0; *s >= '0' && *s <= '9'; s++)
		*n = *n * 10 + (u64)(*s - '0');
	return s;
}

bool keep_init(void)
{
	const char *s = dt_bootargs();

	while (*s && strncmp(s, "keep=", 5))
		s++;
	if (!*s)
		return true;
	for (s += 4; *s == '=' || *s == ','; nranges++) {
		if (nranges == MAX_KEPT)
			return false;
		s = number(s + 1, &ranges[nranges].first);
		ranges[nranges].last = ranges[nranges].first;
		if (*s == '-')
			s = number(s + 1, &ranges[nranges].last);
	}
	return *s == '\0' || *s == ' ';
}

bool kept(u64 index)
{
	int i;

	for (i = 0; i < nranges; i++)
		if (index >= ranges[i].first && index <= ranges[i].last)
			return true;
	return !nranges;
}
