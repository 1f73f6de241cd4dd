/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers from a command line. */
#ifndef LIB_SIZE_H
#define LIB_SIZE_H

#include <stdint.h>

/* A decimal number that fills all of @text: 0, -EINVAL, or -ERANGE above @max. */
int parse_number(const char *text, uint64_t max, uint64_t *value);

/* A number with an optional K, M, G or T; mebibytes without. In bytes. As above. */
int parse_size(const char *text, uint64_t *bytes);

#endif
