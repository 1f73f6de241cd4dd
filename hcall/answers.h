/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of answers.def, and how to look a code up. Guest programs include this too. */
#ifndef HCALL_ANSWERS_H
#define HCALL_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "hcall/papr.h"

#define CODES_MAX 10 /* of one call; what is left of them is 0 */

/* Is @code one of these, or H_SUCCESS? */
static inline bool codes_have(const int16_t codes[CODES_MAX], int64_t code)
{
	int i;

	/* Of H_LONG_BUSY there are six. */
	if (code > H_LONG_BUSY && code <= H_LONG_BUSY + 5)
		code = H_LONG_BUSY;
	for (i = 0; i < CODES_MAX && codes[i]; i++)
		if (codes[i] == code)
			return true;
	return code == H_SUCCESS;
}

#endif
