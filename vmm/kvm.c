// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/kvm.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define KVM_TYPE_HV 1 /* KVM_CREATE_VM's argument: KVM-HV, not KVM-PR */

static int kvm_ioctl(int fd, unsigned long request, unsigned long arg)
{
	int ret = ioctl(fd, request, arg);

	return ret < 0 ? -errno : ret;
}

static int kvm_ioctl_ptr(int fd, unsigned long request, const void *arg)
{
	return kvm_ioctl(fd, request, (unsigned long)arg);
}

static int open_failed(int err, struct why *why)
{
	switch (err) {
	case ENOENT:
	case ENODEV:
		return why_set(why, -err,
			       "no /dev/kvm on this host (modprobe kvm_hv; needs a POWER host, or "
			       "tools/box)");
	case EACCES:
	case EPERM:
		return why_set(why, -err,
			       "no permission for /dev/kvm (be root, or a member of group kvm)");
	default:
		return why_set(why, -err, "cannot open /dev/kvm: %s", strerror(err));
	}
}

int kvm_open(int *kvm_fd, int *vm_fd, struct why *why)
{
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	int version, vm;

	if (fd < 0)
		return open_failed(errno, why);
	version = kvm_ioctl(fd, KVM_GET_API_VERSION, 0);
	if (version != KVM_API_VERSION) {
		close(fd);
		return why_set(why, -ENOTTY, "/dev/kvm has API version %d, expected %d", version,
			       KVM_API_VERSION);
	}
	vm = kvm_ioctl(fd, KVM_CREATE_VM, KVM_TYPE_HV);
	if (vm < 0) {
		close(fd);
		if (vm == -EINVAL)
			return why_set(why, vm,
				       "KVM-HV is not there: modprobe kvm_hv on a "
				       "bare-metal or nested POWER host");
		return why_set(why, vm, "cannot create a virtual machine: %s", strerror(-vm));
	}
	*kvm_fd = fd;
	*vm_fd = vm;
	return 0;
}

int kvm_cap(int vm_fd, long cap)
{
	int ret = kvm_ioctl(vm_fd, KVM_CHECK_EXTENSION, (unsigned long)cap);

	return ret < 0 ? 0 : ret;
}

int kvm_enable_vm_cap(int vm_fd, uint32_t cap, uint64_t arg0, uint64_t arg1)
{
	struct kvm_enable_cap enable = {.cap = cap, .args = {arg0, arg1}};

	return kvm_ioctl_ptr(vm_fd, KVM_ENABLE_CAP, &enable);
}

int kvm_enable_hcall(int vm_fd, uint64_t nr, bool enable)
{
	return kvm_enable_vm_cap(vm_fd, KVM_CAP_PPC_ENABLE_HCALL, nr, enable);
}

int kvm_set_memory(int vm_fd, uint32_t slot, uint64_t guest, void *host, uint64_t size)
{
	struct kvm_userspace_memory_region region = {
		.slot = slot,
		.guest_phys_addr = guest,
		.memory_size = size,
		.userspace_addr = (unsigned long)host,
	};

	return kvm_ioctl_ptr(vm_fd, KVM_SET_USER_MEMORY_REGION, &region);
}

int kvm_get_smmu_info(int vm_fd, struct kvm_ppc_smmu_info *info)
{
	return kvm_ioctl_ptr(vm_fd, KVM_PPC_GET_SMMU_INFO, info);
}

int kvm_get_rmmu_info(int vm_fd, struct kvm_ppc_rmmu_info *info)
{
	return kvm_ioctl_ptr(vm_fd, KVM_PPC_GET_RMMU_INFO, info);
}

int kvm_get_cpu_char(int vm_fd, struct kvm_ppc_cpu_char *info)
{
	return kvm_ioctl_ptr(vm_fd, KVM_PPC_GET_CPU_CHAR, info);
}

int kvm_allocate_htab(int vm_fd, uint32_t *order)
{
	return kvm_ioctl_ptr(vm_fd, KVM_PPC_ALLOCATE_HTAB, order);
}

int kvm_open_htab(int vm_fd, uint64_t flags, uint64_t start)
{
	struct kvm_get_htab_fd htab = {.flags = flags, .start_index = start};

	return kvm_ioctl_ptr(vm_fd, KVM_PPC_GET_HTAB_FD, &htab);
}

int kvm_hpt_entry(int vm_fd, struct kvm_ppc_hpt_entry *entry)
{
	return kvm_ioctl_ptr(vm_fd, KVM_PPC_HPT_ENTRY, entry);
}

int kvm_resize_hpt_prepare(int vm_fd, uint32_t order)
{
	struct kvm_ppc_resize_hpt resize = {.shift = order};

	return kvm_ioctl_ptr(vm_fd, KVM_PPC_RESIZE_HPT_PREPARE, &resize);
}

int kvm_resize_hpt_commit(int vm_fd, uint32_t order)
{
	struct kvm_ppc_resize_hpt resize = {.shift = order};

	return kvm_ioctl_ptr(vm_fd, KVM_PPC_RESIZE_HPT_COMMIT, &resize);
}

int kvm_configure_v3_mmu(int vm_fd, bool radix, bool gtse, uint64_t patb1)
{
	struct kvm_ppc_mmuv3_cfg cfg = {
		.flags = (radix ? KVM_PPC_MMUV3_RADIX : 0) | (gtse ? KVM_PPC_MMUV3_GTSE : 0),
		.process_table = patb1,
	};

	return kvm_ioctl_ptr(vm_fd, KVM_PPC_CONFIGURE_V3_MMU, &cfg);
}

int kvm_create_device(int vm_fd, uint32_t type)
{
	struct kvm_create_device device = {.type = type};
	int err = kvm_ioctl_ptr(vm_fd, KVM_CREATE_DEVICE, &device);

	return err ? err : (int)device.fd;
}

int kvm_get_attr(int device_fd, uint32_t group, uint64_t attr, void *value)
{
	struct kvm_device_attr a = {.group = group, .attr = attr, .addr = (unsigned long)value};

	return kvm_ioctl_ptr(device_fd, KVM_GET_DEVICE_ATTR, &a);
}

int kvm_set_attr(int device_fd, uint32_t group, uint64_t attr, const void *value)
{
	struct kvm_device_attr a = {.group = group, .attr = attr, .addr = (unsigned long)value};

	return kvm_ioctl_ptr(device_fd, KVM_SET_DEVICE_ATTR, &a);
}

int kvm_connect_xics(int vcpu_fd, int xics_fd, uint32_t server)
{
	struct kvm_enable_cap enable = {.cap = KVM_CAP_IRQ_XICS,
					.args = {(uint64_t)xics_fd, server}};

	return kvm_ioctl_ptr(vcpu_fd, KVM_ENABLE_CAP, &enable);
}

int kvm_irq_line(int vm_fd, uint32_t source, bool level)
{
	struct kvm_irq_level line = {.irq = source, .level = level};

	return kvm_ioctl_ptr(vm_fd, KVM_IRQ_LINE, &line);
}

int kvm_define_rtas_token(int vm_fd, const char *name, uint32_t token)
{
	struct kvm_rtas_token_args args = {.token = token};

	strncpy(args.name, name, sizeof(args.name) - 1);
	return kvm_ioctl_ptr(vm_fd, KVM_PPC_RTAS_DEFINE_TOKEN, &args);
}

int kvm_create_vcpu(int vm_fd, unsigned long id)
{
	return kvm_ioctl(vm_fd, KVM_CREATE_VCPU, id);
}

int kvm_run_size(int kvm_fd)
{
	return kvm_ioctl(kvm_fd, KVM_GET_VCPU_MMAP_SIZE, 0);
}

int kvm_enable_papr(int vcpu_fd)
{
	struct kvm_enable_cap enable = {.cap = KVM_CAP_PPC_PAPR};

	return kvm_ioctl_ptr(vcpu_fd, KVM_ENABLE_CAP, &enable);
}

int kvm_run(int vcpu_fd)
{
	return kvm_ioctl(vcpu_fd, KVM_RUN, 0);
}

int kvm_set_line(int vcpu_fd, bool level)
{
	struct kvm_interrupt irq = {
		.irq = level ? KVM_INTERRUPT_SET_LEVEL : KVM_INTERRUPT_UNSET,
	};

	return kvm_ioctl_ptr(vcpu_fd, KVM_INTERRUPT, &irq);
}

int kvm_get_regs(int vcpu_fd, struct kvm_regs *regs)
{
	return kvm_ioctl_ptr(vcpu_fd, KVM_GET_REGS, regs);
}

int kvm_set_regs(int vcpu_fd, const struct kvm_regs *regs)
{
	return kvm_ioctl_ptr(vcpu_fd, KVM_SET_REGS, regs);
}

int kvm_get_sregs(int vcpu_fd, struct kvm_sregs *sregs)
{
	return kvm_ioctl_ptr(vcpu_fd, KVM_GET_SREGS, sregs);
}

int kvm_set_sregs(int vcpu_fd, const struct kvm_sregs *sregs)
{
	return kvm_ioctl_ptr(vcpu_fd, KVM_SET_SREGS, sregs);
}

int kvm_get_reg(int vcpu_fd, uint64_t id, void *value)
{
	struct kvm_one_reg reg = {.id = id, .addr = (unsigned long)value};

	return kvm_ioctl_ptr(vcpu_fd, KVM_GET_ONE_REG, &reg);
}

int kvm_set_reg(int vcpu_fd, uint64_t id, const void *value)
{
	struct kvm_one_reg reg = {.id = id, .addr = (unsigned long)value};

	return kvm_ioctl_ptr(vcpu_fd, KVM_SET_ONE_REG, &reg);
}

int kvm_set_reg64(int vcpu_fd, uint64_t id, uint64_t value)
{
	return kvm_set_reg(vcpu_fd, id, &value);
}
