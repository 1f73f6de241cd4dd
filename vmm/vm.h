/* SPDX-License-Identifier: GPL-2.0-only */
/* A virtual machine under KVM: its life from creation to the end, its processors. */
#ifndef VMM_VM_H
#define VMM_VM_H

#include <stdbool.h>
#include <stdint.h>

#include "hcall/machine.h"
#include "lib/stop.h"
#include "lib/why.h"
#include "vmm/options.h"
#include "vmm/platform.h"

struct vm;

/* What the machine tells its owner; called from any of its threads. */
struct vm_events {
	void (*stopped)(void *ctx);	 /* a stop reason is set */
	void (*output_ready)(void *ctx); /* as in struct vty_ops */
	void (*input_room)(void *ctx);
	void *ctx;
};

/**
 * vm_create - create the machine that @options ask for, with everything it needs
 *
 * Chooses the MMU, memory, page table and processors as the host allows; nothing runs
 * and nothing is loaded. @trace may be NULL; it and the strings in @options must outlive
 * the machine. 0, or negative errno with @why set.
 */
int vm_create(struct vm **out, const struct run_options *options, struct trace *trace,
	      const struct vm_events *events, struct why *why);

/* The machine must not have threads that run. */
void vm_destroy(struct vm *vm);

struct machine *vm_machine(struct vm *vm);
struct platform *vm_platform(struct vm *vm);

/* Start the processors' threads; they wait until vm_boot. */
int vm_start_threads(struct vm *vm, struct why *why);

/* Release processor 0 at real address @entry with the device tree's in r3. */
void vm_boot(struct vm *vm, uint64_t entry, uint64_t fdt);

/*
 * Park all processors and put the machine back to where it was before vm_boot, for the
 * next one. Memory is zeroed. 0, or negative errno with @why set.
 */
int vm_reset(struct vm *vm, struct why *why);

/* End the machine, for the first reason given; from any thread. */
void vm_stop(struct vm *vm, enum stop_reason reason);
enum stop_reason vm_stop_reason(struct vm *vm);

/* For reasons that need it, one line about what happened; otherwise "". */
const char *vm_stop_text(struct vm *vm);

/*
 * Compare the monitor's hashed page table with KVM's, on standard error. False if they
 * differ or cannot be compared.
 */
bool vm_check_hpt(struct vm *vm);

/* After vm_stop: take all processors out of the guest and end their threads. */
void vm_join(struct vm *vm);

#endif
