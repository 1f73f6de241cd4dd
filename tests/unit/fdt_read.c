// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/fdt_read.h"

#include <libfdt.h>
#include <string.h>

#include "tests/unit/unit.h"

int tree_node(const void *tree, const char *path)
{
	int node = fdt_path_offset(tree, path);

	ck_assert_msg(node >= 0, "no node %s: %s", path, fdt_strerror(node));
	return node;
}

const void *tree_prop(const void *tree, const char *path, const char *name, int len)
{
	int got = 0;
	const void *value = fdt_getprop(tree, tree_node(tree, path), name, &got);

	ck_assert_msg(value != NULL, "%s has no %s", path, name);
	ck_assert_msg(len < 0 || got == len, "%s of %s has %d bytes, not %d", name, path, got, len);
	return value;
}

uint32_t tree_cell(const void *tree, const char *path, const char *name, int n)
{
	const fdt32_t *cells = tree_prop(tree, path, name, -1);
	int len;

	fdt_getprop(tree, tree_node(tree, path), name, &len);
	ck_assert_msg(len >= 4 * (n + 1), "%s of %s has no cell %d", name, path, n);
	return fdt32_ld(cells + n);
}

uint64_t tree_u64(const void *tree, const char *path, const char *name)
{
	return fdt64_ld(tree_prop(tree, path, name, 8));
}

const char *tree_string(const void *tree, const char *path, const char *name)
{
	const char *text = tree_prop(tree, path, name, -1);

	return tree_prop(tree, path, name, (int)strlen(text) + 1);
}

int tree_lists(const void *tree, const char *path, const char *name, const char *word)
{
	return fdt_stringlist_search(tree, tree_node(tree, path), name, word) >= 0;
}
