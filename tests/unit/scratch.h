/* SPDX-License-Identifier: GPL-2.0-only */
/* A directory for one test case, and what is needed to fill it. */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <stddef.h>

/* Make and remove it; fixtures of a case. */
void scratch_make(void);
void scratch_remove(void);

/* The path of @name in it; good until the fourth call from now. */
const char *scratch_path(const char *name);

/* Write a file in it, or with @gzip its compressed form, and give its path. */
const char *scratch_write(const char *name, const void *from, size_t len);
const char *scratch_write_gzip(const char *name, const void *from, size_t len);

#endif
