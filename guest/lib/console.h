/* SPDX-License-Identifier: GPL-2.0-only */
/* The console: a PAPR vty, and a small printf on it. */
#ifndef GUEST_CONSOLE_H
#define GUEST_CONSOLE_H

#include "types.h"

/* Find the vty that /chosen names. Until then the console is terminal 0. */
void console_init(void);

/* The vty's node, and the unit address that hypercalls call it by. */
int console_node(void);
u32 console_unit(void);

/* Write @n bytes, however long the other side takes. */
void console_write(const char *s, size_t n);

/* At most 16 bytes of input into @buf: how many, or a negative or H_CLOSED-like code, negated. */
int console_read(char *buf);

/*
 * Any terminal, by its unit address, without a wait. Put @n <= 16 bytes: the return code,
 * H_BUSY when not one was taken. Get as console_read() does.
 */
long term_put(u32 unit, const char *s, size_t n);
int term_get(u32 unit, char *buf);

/* The terminals but the console that interrupt, at most @max: how many there are. */
struct term {
	u32 unit, source;
	bool lsi;
};
u32 term_find(struct term *terms, u32 max);

/*
 * printf with %c %s %d %u %x %p %%, the flags 0 and -, a width, and l. One call's
 * output stays together. A newline is just that: the terminal adds its own return.
 */
void printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* For use when something broke: take no lock any more. */
void console_break_lock(void);

#endif
