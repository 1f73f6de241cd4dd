// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: terminals and their interrupts, and where memory ends, as the device tree has them.
 *
 * LOCKING: none. All is filled before a second CPU runs.
 */
#include "fuzz.h"

/* KVM's XICS has them in blocks of so many. */
#define SOURCE_BLOCK 1024

u64 memory_end;
u32 ttys[MAX_TTYS], sources[MAX_TTYS], nttys;

void devices_init(void)
{
	int node, parent = dt_find("/vdevice");

	memory_end = dt_memory_end();
	if (parent == NO_NODE)
		return;
	for (node = dt_child(parent, NO_NODE); node != NO_NODE && nttys < MAX_TTYS;
	     node = dt_child(parent, node))
		if (dt_is(node, "device_type", "serial")) {
			ttys[nttys] = dt_u32(node, "reg", 0);
			sources[nttys++] = dt_u32(node, "interrupts", SOURCE_FIRST);
		}
}

bool is_present_source(u64 source)
{
	u32 i = 0;

	while (i < nttys && sources[i] != source)
		i++;
	return i < nttys;
}

u64 present_source(u64 source)
{
	bool near = nttys && source / SOURCE_BLOCK == SOURCE_FIRST / SOURCE_BLOCK;

	return near && !is_present_source(source) ? sources[source % nttys] : source;
}
