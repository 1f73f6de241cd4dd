/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Changes of single entries of a guest's hashed page table, by user space.
 *
 * The numbers are not of a kernel release: they are far from those that
 * linux/kvm.h gives out, so as not to meet them.
 */
#ifndef _UAPI_LINUX_KVM_PPC_HPT_H
#define _UAPI_LINUX_KVM_PPC_HPT_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* For KVM_CHECK_EXTENSION: KVM_PPC_HPT_ENTRY is there */
#define KVM_CAP_PPC_HPT_ENTRY 0x50500001

/* Values of op */
#define KVM_PPC_HPT_ENTER   0 /* v and r, where nothing valid is */
#define KVM_PPC_HPT_REMOVE  1 /* v and r come back, R and C as they were last */
#define KVM_PPC_HPT_PROTECT 2 /* the protection bits of r; R and C stay */
#define KVM_PPC_HPT_CLEAR   3 /* those of R and C that r has; the old r comes back */

struct kvm_ppc_hpt_entry {
	__u64 index;
	__u32 op;
	__u32 flags; /* 0 */
	__u64 v;     /* the doublewords as PAPR has them, in host byte order */
	__u64 r;
};

/*
 * On a VM, at any time, also while its vCPUs run. Errors: EINVAL for an entry
 * that cannot be, no such entry, neither R nor C to clear, an op or flags that
 * are not there, or a guest that has no HPT; ENOENT if nothing valid is there;
 * EEXIST if something is; EIO for another reason, of which there is none now.
 * The entry is then as it was. After EFAULT it may have changed.
 */
#define KVM_PPC_HPT_ENTRY _IOWR(0xae, 0xf8, struct kvm_ppc_hpt_entry)

#endif /* _UAPI_LINUX_KVM_PPC_HPT_H */
