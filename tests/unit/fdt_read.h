/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a tree back; what is missing fails the case that asks. */
#ifndef TESTS_UNIT_FDT_READ_H
#define TESTS_UNIT_FDT_READ_H

#include <stdint.h>

/* The node at a path. */
int tree_node(const void *tree, const char *path);

/* A property's value, whose length must be @len; with @len -1 any. */
const void *tree_prop(const void *tree, const char *path, const char *name, int len);

/* Cell @n of a property. */
uint32_t tree_cell(const void *tree, const char *path, const char *name, int n);
uint64_t tree_u64(const void *tree, const char *path, const char *name);

/* A property that is one string, or a list that holds one. */
const char *tree_string(const void *tree, const char *path, const char *name);
int tree_lists(const void *tree, const char *path, const char *name, const char *word);

#endif
