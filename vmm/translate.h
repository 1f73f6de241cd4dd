/* SPDX-License-Identifier: GPL-2.0-only */
/* What an effective address of a processor means, for `paprika debug translate`. */
#ifndef VMM_TRANSLATE_H
#define VMM_TRANSLATE_H

#include <stdint.h>
#include <stdio.h>

#include "lib/why.h"

struct vm;

/*
 * Say, step by step, how data at @ea would be found on processor @server. With all
 * processors parked. -EILSEQ if it would not be found; else negative errno with @why set.
 */
int translate_print(struct vm *vm, uint32_t server, uint64_t ea, FILE *to, struct why *why);

#endif
