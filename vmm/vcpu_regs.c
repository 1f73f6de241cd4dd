// SPDX-License-Identifier: GPL-2.0-only
/* A virtual processor's registers when it starts, and at a system reset. */
#include <errno.h>

#include "hcall/papr.h"
#include "lib/util.h"
#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

/*
 * Registers that are zero at a start, besides those of struct kvm_regs. Not every
 * host has all: one that is not there needs no zero. Sizes are in the number.
 */
static const uint64_t zero_regs[] = {
	KVM_REG_PPC_DSCR,  KVM_REG_PPC_AMR,    KVM_REG_PPC_UAMOR, KVM_REG_PPC_IAMR,
	KVM_REG_PPC_SIAR,  KVM_REG_PPC_MMCR1,  KVM_REG_PPC_MMCRA, KVM_REG_PPC_MMCR2,
	KVM_REG_PPC_PMC1,  KVM_REG_PPC_PMC2,   KVM_REG_PPC_PMC3,  KVM_REG_PPC_PMC4,
	KVM_REG_PPC_PMC5,  KVM_REG_PPC_PMC6,   KVM_REG_PPC_FPSCR, KVM_REG_PPC_VRSAVE,
	KVM_REG_PPC_FSCR,  KVM_REG_PPC_PSPB,   KVM_REG_PPC_EBBHR, KVM_REG_PPC_EBBRR,
	KVM_REG_PPC_BESCR, KVM_REG_PPC_TAR,    KVM_REG_PPC_DAWR,  KVM_REG_PPC_DAWRX,
	KVM_REG_PPC_CIABR, KVM_REG_PPC_DABR,   KVM_REG_PPC_DABRX, KVM_REG_PPC_PID,
	KVM_REG_PPC_ACOP,  KVM_REG_PPC_WORT,   KVM_REG_PPC_CSIGR, KVM_REG_PPC_TACR,
	KVM_REG_PPC_TCSCR, KVM_REG_PPC_TIDR,   KVM_REG_PPC_PSSCR, KVM_REG_PPC_DPDES,
	KVM_REG_PPC_DAWR1, KVM_REG_PPC_DAWRX1, KVM_REG_PPC_SPRG9, KVM_REG_PPC_SDAR,
	KVM_REG_PPC_SIER,  KVM_REG_PPC_SIER2,  KVM_REG_PPC_SIER3, KVM_REG_PPC_MMCR3,
	KVM_REG_PPC_VSCR,
};

#define MMCR0_FC 0x80000000ull /* counters frozen: how KVM makes a processor */

/*
 * The host has pages of the guest pinned for each area (PAPR 14.11.3.2). KVM wants the
 * virtual processor area to go last.
 */
int vcpu_forget_vpa(struct vcpu *vcpu)
{
	uint64_t none[2] = {0, 0};
	int err = kvm_set_reg(vcpu->fd, KVM_REG_PPC_VPA_SLB, none);

	if (!err)
		err = kvm_set_reg(vcpu->fd, KVM_REG_PPC_VPA_DTL, none);
	if (!err)
		err = kvm_set_reg(vcpu->fd, KVM_REG_PPC_VPA_ADDR, none);
	return err;
}

static int zero_reg(struct vcpu *vcpu, uint64_t id)
{
	uint64_t zero[2] = {0, 0};
	int err = kvm_set_reg(vcpu->fd, id, zero);

	return err == -EINVAL || err == -ENXIO ? 0 : err;
}

/* Floating point and vectors: what the guest before had in them is not for this one. */
static int zero_vector_regs(struct vcpu *vcpu)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < 32; i++) {
		err = zero_reg(vcpu, KVM_REG_PPC_VSR(i));
		if (!err)
			err = zero_reg(vcpu, KVM_REG_PPC_VR(i));
	}
	return err;
}

static int zero_special_regs(struct vcpu *vcpu)
{
	/* The decrementer counts down from far; otherwise it is due at once. */
	uint64_t far = __builtin_ppc_get_timebase() + 0x7fffffff;
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(zero_regs); i++)
		err = zero_reg(vcpu, zero_regs[i]);
	if (!err)
		err = zero_vector_regs(vcpu);
	if (!err)
		err = kvm_set_reg64(vcpu->fd, KVM_REG_PPC_MMCR0, MMCR0_FC);
	if (err)
		return err;
	err = kvm_set_reg64(vcpu->fd, KVM_REG_PPC_DEC_EXPIRY, far);
	return err == -EINVAL ? 0 : err;
}

static int zero_slb(struct vcpu *vcpu)
{
	struct kvm_sregs sregs = {.pvr = vcpu->pvr};

	return kvm_set_sregs(vcpu->fd, &sregs);
}

/* PAPR: a started processor is in real mode, big-endian, with its argument in r3. */
int vcpu_start_regs(struct vcpu *vcpu)
{
	struct kvm_regs regs = {
		.pc = vcpu->entry,
		.msr = MSR_SF | MSR_ME,
		.gpr = {[3] = vcpu->arg},
	};
	int err = 0;

	/* KVM makes them like that. */
	if (vcpu->used) {
		err = vcpu_forget_vpa(vcpu);
		if (!err)
			err = zero_special_regs(vcpu);
		if (!err)
			err = zero_slb(vcpu);
	}
	return err ? err : kvm_set_regs(vcpu->fd, &regs);
}

/* Power ISA III 6.5.1: SRR0 and SRR1 keep where it was; real mode, interrupt endianness. */
int vcpu_system_reset_regs(struct vcpu *vcpu)
{
	struct kvm_regs regs;
	uint64_t lpcr;
	int err = kvm_get_regs(vcpu->fd, &regs);

	if (!err)
		err = kvm_get_reg(vcpu->fd, KVM_REG_PPC_LPCR_64, &lpcr);
	if (err)
		return err;
	regs.srr0 = regs.pc;
	regs.srr1 = regs.msr;
	regs.pc = 0x100;
	regs.msr = MSR_SF | (regs.msr & MSR_ME) | (lpcr & LPCR_ILE ? MSR_LE : 0);
	return kvm_set_regs(vcpu->fd, &regs);
}

int vcpu_set_lpcr(struct vcpu *vcpu, uint64_t mask, uint64_t value)
{
	uint64_t lpcr;
	int err = kvm_get_reg(vcpu->fd, KVM_REG_PPC_LPCR_64, &lpcr);

	if (err)
		return err;
	lpcr = (lpcr & ~mask) | (value & mask);
	return kvm_set_reg64(vcpu->fd, KVM_REG_PPC_LPCR_64, lpcr);
}
