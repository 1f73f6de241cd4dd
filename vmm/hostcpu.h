/* SPDX-License-Identifier: GPL-2.0-only */
/* What the host's own device tree says about its processors. */
#ifndef VMM_HOSTCPU_H
#define VMM_HOSTCPU_H

#include "vmm/platform.h"

/**
 * hostcpu_read - fill in clocks, caches, SLB size and decrementer width of @p
 * @root: the directory of the tree, "/proc/device-tree" on a host
 *
 * Where the tree lacks a property, the value is that of every POWER8 to POWER10.
 */
void hostcpu_read(struct platform *p, const char *root);

#endif
