/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing a flattened device tree with libfdt, first to last. The first error
 * sticks and later calls do nothing, so that only the end needs a check.
 */
#ifndef LIB_FDTW_H
#define LIB_FDTW_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct fdtw {
	void *buf;
	int err; /* libfdt's, 0 or negative FDT_ERR_* */
};

/*
 * Start a tree of at most @size bytes in @buf, within its root node. Its memory
 * reservation map has one entry: @reserved bytes at @reserve.
 */
void fdtw_start(struct fdtw *w, void *buf, size_t size, uint64_t reserve, uint64_t reserved);

/* Close the root and the tree. 0, -ENOSPC if @buf is too small, or -EINVAL. */
int fdtw_finish(struct fdtw *w);

void fdtw_begin(struct fdtw *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void fdtw_end(struct fdtw *w);

void fdtw_empty(struct fdtw *w, const char *name);
void fdtw_string(struct fdtw *w, const char *name, const char *value);
void fdtw_bytes(struct fdtw *w, const char *name, const void *value, size_t len);
void fdtw_u64(struct fdtw *w, const char *name, uint64_t value);

/* Cells in host order; they are stored big-endian. */
void fdtw_cells(struct fdtw *w, const char *name, const uint32_t *cells, size_t count);
#define fdtw_u32s(w, name, ...)                                                                    \
	fdtw_cells(w, name, (const uint32_t[]){__VA_ARGS__},                                       \
		   sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* A list of strings; each ends in NUL, the list in "" (as in "a\0b\0"). */
void fdtw_strings(struct fdtw *w, const char *name, const char *list);

#endif
