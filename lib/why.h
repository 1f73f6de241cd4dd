/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reason of a failure, carried up beside a negative errno: one line that
 * names the value and the limit, for main() to print. Nothing below main prints
 * or exits.
 */
#ifndef LIB_WHY_H
#define LIB_WHY_H

struct why {
	char text[400];
};

/**
 * why_set - record why an operation fails
 * @why: where to, or NULL to drop the text
 * @err: a negative errno
 *
 * Unprintable characters of the text (a file name may hold any) become '?', so
 * that the message stays one line. Returns @err, so that a caller can write
 * `return why_set(why, -EINVAL, ...)`.
 */
int why_set(struct why *why, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
