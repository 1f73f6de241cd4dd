/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that are the same for the same seed. */
#ifndef GUEST_RANDOM_H
#define GUEST_RANDOM_H

#include "types.h"

/* The next number of xorshift64*, whose @state is not 0. Its upper bits are its best. */
static inline u64 random_next(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dul;
}

#endif
