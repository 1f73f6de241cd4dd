// SPDX-License-Identifier: GPL-2.0-only
/*
 * line: what it costs to raise and to lower a processor's external interrupt line.
 *
 *   line PAIRS
 *
 * Makes a virtual machine with one processor, which never runs, and calls KVM_INTERRUPT
 * that often for either. Prints one line on standard output, "line: ticks N pairs N", in
 * ticks of the timebase (512 MHz, so under --icount a tick is 1000/512 instructions).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <linux/kvm.h>

static int open_vcpu(void)
{
	int vm, kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	if (kvm < 0)
		return -1;
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	return vm < 0 ? -1 : ioctl(vm, KVM_CREATE_VCPU, 0);
}

static int set_line(int vcpu, int up)
{
	struct kvm_interrupt irq = {.irq = up ? KVM_INTERRUPT_SET_LEVEL : KVM_INTERRUPT_UNSET};

	return ioctl(vcpu, KVM_INTERRUPT, &irq);
}

int main(int argc, char **argv)
{
	unsigned long i, pairs = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long long start;
	int vcpu;

	if (!pairs) {
		fputs("usage: line PAIRS\n", stderr);
		return 2;
	}
	vcpu = open_vcpu();
	if (vcpu < 0 || set_line(vcpu, 1) || set_line(vcpu, 0)) {
		perror("line");
		return 1;
	}
	start = __builtin_ppc_get_timebase();
	for (i = 0; i < pairs; i++) {
		set_line(vcpu, 1);
		set_line(vcpu, 0);
	}
	printf("line: ticks %llu pairs %lu\n", __builtin_ppc_get_timebase() - start, pairs);
	return 0;
}
