/* SPDX-License-Identifier: GPL-2.0-only */
/* The console's escape key: Ctrl-A x quits, Ctrl-A Ctrl-A sends one Ctrl-A. */
#ifndef VMM_ESCAPE_H
#define VMM_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct escape {
	bool seen; /* the last byte was an escape key that still waits for the next */
};

/**
 * escape_filter - take the escapes out of @len bytes of input, in place
 *
 * Any other byte after Ctrl-A is passed on with it. Sets @quit, and drops what
 * follows, when the user wants to leave. Returns how many bytes are left; one more
 * than @len where the escape key before @buf turns out to be none, so @buf has room
 * for that.
 */
size_t escape_filter(struct escape *escape, uint8_t *buf, size_t len, bool *quit);

#endif
