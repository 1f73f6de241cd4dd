// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/translate.h"

#include <errno.h>
#include <string.h>

#include "mmu/translate.h"
#include "vmm/hpt_kvm.h"
#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

#define MSR_DR 0x10ull

typedef unsigned long long ull;

/* From the model, or where KVM serves the calls, from KVM's table. */
static int read_entry(void *ctx, uint64_t index, struct hpte *entry)
{
	struct vm *vm = ctx;

	if (!vm->machine.hpt.slots)
		return hpt_kvm_read(vm, index, entry);
	*entry = hpt_peek(&vm->machine.hpt, index);
	return 0;
}

static int by_hash(struct vm *vm, struct vcpu *vcpu, uint64_t ea, struct translation *t)
{
	struct hash_mmu mmu = {.order = vm->hpt_order, .read = read_entry, .ctx = vm};
	struct kvm_sregs sregs;
	int err = kvm_get_sregs(vcpu->fd, &sregs);

	if (!err && vm->machine.hpt.slots)
		err = hpt_kvm_load(vm);
	if (err)
		return err;
	for (int i = 0; i < SLB_ENTRIES; i++)
		mmu.slb[i] = (struct slb_entry){sregs.u.s.ppc64.slb[i].slbe,
						sregs.u.s.ppc64.slb[i].slbv};
	return hash_translate(&mmu, ea, t);
}

static void print_hash(const struct translation *t, FILE *to)
{
	if (t->hash.slb == SLB_ENTRIES) {
		fprintf(to, "no segment in the SLB\n");
		return;
	}
	fprintf(to, "slb %u: vsid %#llx, segment of %s, base page 2^%u\n", t->hash.slb,
		(ull)t->hash.vsid, t->hash.large_segment ? "1T" : "256M", t->hash.base_shift);
	if (t->page_shift)
		fprintf(to, "entry %#llx, %s group: %#018llx %#018llx\n", (ull)t->hash.index,
			t->hash.secondary ? "secondary" : "primary", (ull)t->hash.entry.v,
			(ull)t->hash.entry.r);
	else
		fprintf(to, "no entry; primary group at %#llx\n", (ull)t->hash.index);
}

static int by_radix(struct vm *vm, struct vcpu *vcpu, uint64_t ea, struct translation *t)
{
	struct radix_mmu mmu = {.mem = &vm->machine.mem, .patb1 = vm->machine.patb1};
	uint64_t pid;
	int err = kvm_get_reg(vcpu->fd, KVM_REG_PPC_PID, &pid);

	mmu.pid = (uint32_t)pid;
	return err ? err : radix_translate(&mmu, ea, t);
}

static void print_radix(const struct translation *t, FILE *to)
{
	fprintf(to, "process %u\n", t->radix.pid);
	for (uint32_t i = 0; i < t->radix.levels; i++)
		fprintf(to, "level %u at %#llx: %#018llx\n", i + 1, (ull)t->radix.at[i],
			(ull)t->radix.entry[i]);
}

int translate_print(struct vm *vm, uint32_t server, uint64_t ea, FILE *to, struct why *why)
{
	struct translation t = {0};
	struct kvm_regs regs;
	int err;

	if (server >= vm->nr_vcpus)
		return why_set(why, -EINVAL, "no processor %u here, but %u", server, vm->nr_vcpus);
	err = kvm_get_regs(vm->vcpus[server].fd, &regs);
	if (err)
		return why_set(why, err, "KVM_GET_REGS: %s", strerror(-err));
	fprintf(to, "cpu %u ea %#llx, msr %#llx\n", server, (ull)ea, (ull)regs.msr);
	if (!(regs.msr & MSR_DR)) {
		/* Power ISA III 5.7.3: bits 0 to 3 of an address are ignored. */
		ea &= ~(0xfull << 60);
		fprintf(to, "real mode: real %#llx\n", (ull)ea);
		if (gmem_has(&vm->machine.mem, ea, 1))
			return 0;
		fprintf(to, "no memory\n");
		return -EILSEQ;
	}
	err = vm->platform.radix ? by_radix(vm, &vm->vcpus[server], ea, &t)
				 : by_hash(vm, &vm->vcpus[server], ea, &t);
	if (err && err != -EFAULT && err != -EINVAL)
		return why_set(why, err, "cannot read tables: %s", strerror(-err));
	if (vm->platform.radix)
		print_radix(&t, to);
	else
		print_hash(&t, to);
	if (err) {
		fprintf(to, err == -EFAULT ? "not mapped\n" : "tables that cannot be\n");
		return -EILSEQ;
	}
	fprintf(to, "real %#llx, page 2^%u\n", (ull)t.real, t.page_shift);
	return 0;
}
