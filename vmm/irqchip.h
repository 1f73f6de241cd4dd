/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine's interrupt controller: the monitor's own XICS, or KVM's. Devices and state
 * go the same way to either.
 */
#ifndef VMM_IRQCHIP_H
#define VMM_IRQCHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"

struct vm;

/* Interrupt sources: numbers as on other pseries machines, from 0x1000. */
#define IRQ_FIRST   0x1000
#define IRQ_CONSOLE IRQ_FIRST

#define IRQ_SOURCES_MAX 64		/* more than there are devices */
#define IRQ_LOOP	(IRQ_FIRST + 1) /* and on, one a terminal that loops */

/* Presenters and sources in KVM's form, as in devices/xics/xics.h: 0 or negative errno. */
struct irqchip {
	const char *name;
	/* One presenter for each of the machine's processors, which exist. */
	int (*create)(struct vm *vm, struct why *why);
	void (*destroy)(struct vm *vm);
	int (*add_source)(struct vm *vm, uint32_t source, bool lsi);
	/* A device's edge or level; from any thread. */
	int (*pulse)(struct vm *vm, uint32_t source);
	int (*set_level)(struct vm *vm, uint32_t source, bool level);
	/* With all processors parked. */
	int (*reset)(struct vm *vm);
	int (*get_presenter)(struct vm *vm, uint32_t server, uint64_t *state);
	int (*set_presenter)(struct vm *vm, uint32_t server, uint64_t state);
	int (*get_source)(struct vm *vm, uint32_t source, uint64_t *state);
	int (*set_source)(struct vm *vm, uint32_t source, uint64_t state);
};

extern const struct irqchip irqchip_user, irqchip_kernel;

#endif
