// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/escape.h"

#include <string.h>

#define CTRL_A 0x01

size_t escape_filter(struct escape *escape, uint8_t *buf, size_t len, bool *quit)
{
	size_t out = 0;

	/* An escape key held back from before may come out: make its place. */
	if (escape->seen && len && buf[0] != CTRL_A && buf[0] != 'x') {
		memmove(buf + 1, buf, len);
		buf[0] = CTRL_A;
		len++;
		out = 1;
	}
	for (size_t in = out; in < len; in++) {
		if (!escape->seen && buf[in] == CTRL_A) {
			escape->seen = true;
			continue;
		}
		if (escape->seen && buf[in] == 'x') {
			*quit = true;
			return out;
		}
		if (escape->seen && buf[in] != CTRL_A && out < in)
			buf[out++] = CTRL_A;
		escape->seen = false;
		buf[out++] = buf[in];
	}
	return out;
}
