/* SPDX-License-Identifier: GPL-2.0-only */
/* `--hpt user`: the monitor's table model, with KVM's table as its backing. */
#ifndef VMM_HPT_KVM_H
#define VMM_HPT_KVM_H

#include <stdint.h>

#include "lib/why.h"
#include "mmu/hpte.h"

struct vm;

/* After KVM's table was allocated. */
int hpt_kvm_create(struct vm *vm, struct why *why);
void hpt_kvm_destroy(struct vm *vm);

/* KVM has another table, of vm->hpt_order; what is in it is loaded before the next call. */
int hpt_kvm_reset(struct vm *vm);

/*
 * With the other processors parked, until vm->hpt_loaded: what KVM itself has entered. That is
 * complete when a processor has run, so it is for the guest's first call to say that it is loaded.
 */
int hpt_kvm_load(struct vm *vm);

/* One entry of KVM's table; zero where none is valid. */
int hpt_kvm_read(struct vm *vm, uint64_t index, struct hpte *entry);

/* Every valid entry of KVM's table, in the guest's form. */
typedef void hpt_kvm_each(void *ctx, uint64_t index, struct hpte entry);
int hpt_kvm_stream(struct vm *vm, hpt_kvm_each *each, void *ctx);

#endif
