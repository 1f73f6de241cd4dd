/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All ioctls on KVM descriptors, typed; nothing else calls ioctl on them. Each
 * returns negative errno on failure. Descriptors belong to the caller.
 *
 * This file and its callers build only for powerpc: KVM's structures are per
 * architecture.
 */
#ifndef VMM_KVM_H
#define VMM_KVM_H

#include <linux/kvm.h>
#include <linux/kvm_ppc_hpt.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"

/**
 * kvm_open - open /dev/kvm and create a virtual machine of KVM-HV
 * @kvm_fd: on success, the system descriptor
 * @vm_fd: on success, the virtual machine's
 *
 * Says in @why what is missing: the device, permission, POWER, or the kvm_hv module.
 */
int kvm_open(int *kvm_fd, int *vm_fd, struct why *why);

/* A capability of the machine; 0 where it is unknown. */
int kvm_cap(int vm_fd, long cap);
int kvm_enable_vm_cap(int vm_fd, uint32_t cap, uint64_t arg0, uint64_t arg1);
int kvm_enable_hcall(int vm_fd, uint64_t nr, bool enable);

int kvm_set_memory(int vm_fd, uint32_t slot, uint64_t guest, void *host, uint64_t size);

int kvm_get_smmu_info(int vm_fd, struct kvm_ppc_smmu_info *info);
int kvm_get_rmmu_info(int vm_fd, struct kvm_ppc_rmmu_info *info);
int kvm_get_cpu_char(int vm_fd, struct kvm_ppc_cpu_char *info);

/* Allocate or clear the hashed page table; @order goes in wished, comes out given. */
int kvm_allocate_htab(int vm_fd, uint32_t *order);

/* A descriptor of KVM's table, from entry @start on: KVM_GET_HTAB_WRITE to write entries. */
int kvm_open_htab(int vm_fd, uint64_t flags, uint64_t start);

/* Change one entry while processors run; where KVM_CAP_PPC_HPT_ENTRY says so. */
int kvm_hpt_entry(int vm_fd, struct kvm_ppc_hpt_entry *entry);

/*
 * Make another table of 2^@order bytes, in the background: milliseconds until it may be
 * there, or 0. And replace the old by it.
 */
int kvm_resize_hpt_prepare(int vm_fd, uint32_t order);
int kvm_resize_hpt_commit(int vm_fd, uint32_t order);

/* Choose radix or hash, and the guest's process table (patb1; 0 for none). */
int kvm_configure_v3_mmu(int vm_fd, bool radix, bool gtse, uint64_t patb1);

/* A device of KVM's: its descriptor. */
int kvm_create_device(int vm_fd, uint32_t type);

/* One attribute of a device; @value has the size that the attribute has. */
int kvm_get_attr(int device_fd, uint32_t group, uint64_t attr, void *value);
int kvm_set_attr(int device_fd, uint32_t group, uint64_t attr, const void *value);

/* Let the kernel's XICS present a processor's interrupts, as @server. */
int kvm_connect_xics(int vcpu_fd, int xics_fd, uint32_t server);

/* Drive a source of the kernel's XICS; for an MSI true is an edge. From any thread. */
int kvm_irq_line(int vm_fd, uint32_t source, bool level);

/* Let the kernel serve RTAS calls of @token as the service of this name. */
int kvm_define_rtas_token(int vm_fd, const char *name, uint32_t token);

int kvm_create_vcpu(int vm_fd, unsigned long id);
int kvm_run_size(int kvm_fd);
int kvm_enable_papr(int vcpu_fd);

/* 0, or -EINTR, -EAGAIN, ... as KVM_RUN gives them. */
int kvm_run(int vcpu_fd);

/* Drive the external interrupt line. From any thread, without waiting. */
int kvm_set_line(int vcpu_fd, bool level);

int kvm_get_regs(int vcpu_fd, struct kvm_regs *regs);
int kvm_set_regs(int vcpu_fd, const struct kvm_regs *regs);
int kvm_get_sregs(int vcpu_fd, struct kvm_sregs *sregs);
int kvm_set_sregs(int vcpu_fd, const struct kvm_sregs *sregs);

/* One register; @value must have the size that @id says. */
int kvm_get_reg(int vcpu_fd, uint64_t id, void *value);
int kvm_set_reg(int vcpu_fd, uint64_t id, const void *value);
int kvm_set_reg64(int vcpu_fd, uint64_t id, uint64_t value);

#endif
