/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader for the flattened device tree. A node is the offset of its
 * FDT_BEGIN_NODE; NO_NODE says that there is none.
 */
#ifndef GUEST_DT_H
#define GUEST_DT_H

#include "types.h"

#define NO_NODE (-1)

/* Use the tree at @fdt from now on. False: that is no tree. */
bool dt_init(const void *fdt);

/* Is any of the tree in @size bytes from @address? */
bool dt_lies_in(u64 address, u64 size);

/* The root node. */
int dt_root(void);

/* The first child of @parent, or with @prev one of its children the next one. */
int dt_child(int parent, int prev);

/* The node of @path, which may leave out unit addresses and ends at a ':' if it has one. */
int dt_find(const char *path);

/* The value of a property and in @len (if not NULL) its length; NULL if there is none. */
const void *dt_prop(int node, const char *name, u32 *len);

/*
 * The property of @node after @prev (a value that this gave, NULL to start);
 * @name and @len (if not NULL) tell about it.
 */
const void *dt_next_prop(int node, const void *prev, const char **name, u32 *len);

/* The first cell of a property, or @absent. */
u32 dt_u32(int node, const char *name, u32 absent);

/* Is there a property @name with the string @value? */
bool dt_is(int node, const char *name, const char *value);

/* boot_cpuid_phys of the header: the server number of the CPU that runs first. */
u32 dt_boot_server(void);

/*
 * The end of the guest's memory, and its size; and the end of that part of it which
 * real mode reaches in a hash guest: the node that starts at 0.
 */
u64 dt_memory_end(void);
u64 dt_memory_size(void);
u64 dt_real_mode_end(void);

/* Does the platform give this guest radix translation? */
bool dt_radix(void);

/* The command line, "" if there is none. */
const char *dt_bootargs(void);

/* Is @word one of the words of the command line? */
bool dt_bootarg(const char *word);

/* N of a word "NAME=N" of the command line, or @absent. */
u64 dt_bootarg_number(const char *name, u64 absent);

#endif
