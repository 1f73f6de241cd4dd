// SPDX-License-Identifier: GPL-2.0-only
#include "lib/size.h"

#include <errno.h>
#include <string.h>

/* Digits at the start of @text, and what follows them. */
static int parse_digits(const char *text, const char **rest, uint64_t *value)
{
	*value = 0;
	if (*text < '0' || *text > '9')
		return -EINVAL;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*text - '0'), value))
			return -ERANGE;
	*rest = text;
	return 0;
}

int parse_number(const char *text, uint64_t max, uint64_t *value)
{
	const char *rest;
	int err = parse_digits(text, &rest, value);

	if (err)
		return err;
	if (*rest)
		return -EINVAL;
	return *value > max ? -ERANGE : 0;
}

int parse_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	const char *rest, *unit;
	unsigned int shift = 20;
	int err = parse_digits(text, &rest, bytes);

	if (err)
		return err;
	if (*rest) {
		char upper = (char)(*rest & ~0x20); /* either case; a blank becomes 0 */

		unit = upper ? strchr(units, upper) : NULL;
		if (!unit || rest[1])
			return -EINVAL;
		shift = 10 * (unsigned int)(unit - units + 1);
	}
	if (*bytes > UINT64_MAX >> shift)
		return -ERANGE;
	*bytes <<= shift;
	return 0;
}
