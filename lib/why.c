// SPDX-License-Identifier: GPL-2.0-only
#include "lib/why.h"

#include <stdarg.h>
#include <stdio.h>

int why_set(struct why *why, int err, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return err;

	va_start(ap, fmt);
	vsnprintf(why->text, sizeof(why->text), fmt, ap);
	va_end(ap);

	for (char *c = why->text; *c; c++) {
		unsigned char u = (unsigned char)*c;

		if (u < 0x20 || u == 0x7f)
			*c = '?';
	}
	return err;
}
