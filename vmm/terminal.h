/* SPDX-License-Identifier: GPL-2.0-only */
/* The user's terminal in raw mode, and back on every way out. */
#ifndef VMM_TERMINAL_H
#define VMM_TERMINAL_H

#include <stdbool.h>

/*
 * Put @fd, if it is a terminal and this process is in its foreground, in raw mode: the
 * guest does echo, editing and signals. True if it is raw now. Fatal signals restore it.
 */
bool terminal_raw(int fd);

/* As it was before terminal_raw. Async-signal-safe; does nothing if it is not raw. */
void terminal_restore(void);

#endif
