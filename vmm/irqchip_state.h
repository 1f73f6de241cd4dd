/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a machine's interrupt controller as text: to read, and to load into
 * another, whichever plays it. With all processors parked.
 */
#ifndef VMM_IRQCHIP_STATE_H
#define VMM_IRQCHIP_STATE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/why.h"

struct vm;

/*
 * A line a presenter and a source, "KIND NUMBER state WORD: ...": the word is KVM's form
 * (devices/xics/xics.h), what follows says what it means and, for the monitor's own
 * controller, what was counted. @json: one object instead.
 */
int irqchip_print(struct vm *vm, bool json, FILE *to, struct why *why);

/**
 * irqchip_load - set presenters and sources from such lines
 *
 * Only what is named is set; what follows the word is not looked at. All or nothing: 0,
 * or -EINVAL with @why set and the state before in place.
 */
int irqchip_load(struct vm *vm, const char *text, struct why *why);

#endif
