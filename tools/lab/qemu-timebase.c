// SPDX-License-Identifier: GPL-2.0-only
/*
 * For qemu-kvm, loaded before QEMU's libraries: guests keep the host's timebase.
 *
 * QEMU has each guest's timebase begin at 0 (KVM_REG_PPC_TB_OFFSET), so that KVM changes the
 * processor's own at each entry and exit. That needs the clock to stand still in between. Where the
 * processor is emulated it does not: the host's processors get out of step, and its kernel takes
 * a step back for a leap of centuries (docs/FINDINGS.md).
 */
#include <linux/kvm.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int ioctl(int fd, unsigned long request, ...)
{
	const struct kvm_one_reg *reg;
	va_list more;
	void *arg;

	va_start(more, request);
	arg = va_arg(more, void *);
	va_end(more);
	reg = arg;
	if (request == KVM_SET_ONE_REG && reg->id == KVM_REG_PPC_TB_OFFSET)
		return 0;
	return (int)syscall(SYS_ioctl, fd, request, arg);
}
