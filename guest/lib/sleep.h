/* SPDX-License-Identifier: GPL-2.0-only */
/* Sleeping until interrupts have done something. */
#ifndef GUEST_SLEEP_H
#define GUEST_SLEEP_H

#include "types.h"

/* Take the decrementer's vector, for what follows. */
void sleep_init(void);

/*
 * Sleep in H_CEDE until *@what is @value or more, which a handler of this CPU or another
 * one sees to; interrupts are on meanwhile and off afterwards. False after ten seconds.
 */
bool sleep_until(u64 *what, u64 value);

#endif
