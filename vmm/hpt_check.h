/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the monitor's hashed page table and KVM's are the same, entry by entry. */
#ifndef VMM_HPT_CHECK_H
#define VMM_HPT_CHECK_H

#include <stdint.h>
#include <stdio.h>

#include "lib/why.h"

struct vm;

/**
 * hpt_check - compare the two tables
 * @to: where each difference goes, a line with both entries, and one line of summary
 * @differences: how many entries differ
 *
 * With all processors parked. Reference and change bits may be set in KVM's alone: they
 * are read when an entry is. 0, -ENOTSUP where KVM serves the calls, or negative errno
 * with @why set.
 */
int hpt_check(struct vm *vm, FILE *to, uint64_t *differences, struct why *why);

#endif
