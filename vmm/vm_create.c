// SPDX-License-Identifier: GPL-2.0-only
/* Creation of a machine: what the host offers, what was asked for, and KVM's objects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hcall/papr.h"
#include "lib/util.h"
#include "mmu/hpt_size.h"
#include "vmm/hostcpu.h"
#include "vmm/hpt_kvm.h"
#include "vmm/kvm.h"
#include "vmm/memory.h"
#include "vmm/vm_internal.h"

static void on_output_ready(void *ctx)
{
	struct vm *vm = ctx;

	vm->events.output_ready(vm->events.ctx);
}

static void on_input_room(void *ctx)
{
	struct vm *vm = ctx;

	vm->events.input_room(vm->events.ctx);
}

static void on_console_interrupt(void *ctx)
{
	struct vm *vm = ctx;

	vm->irqchip->pulse(vm, IRQ_CONSOLE);
}

static const struct vty_ops console_ops = {
	.output_ready = on_output_ready,
	.input_room = on_input_room,
	.interrupt = on_console_interrupt,
};

/* Processors: how many KVM takes, and how many threads it makes of a core. */
static int set_up_threads(struct vm *vm, struct why *why)
{
	const struct run_options *o = vm->options;
	uint32_t limit = (uint32_t)kvm_cap(vm->vm_fd, KVM_CAP_MAX_VCPUS);
	int possible, err;

	if (o->cpus > limit)
		return why_set(why, -E2BIG, "%u processors are more than KVM's limit, %u", o->cpus,
			       limit);
	err = kvm_enable_vm_cap(vm->vm_fd, KVM_CAP_PPC_SMT, o->threads, 0);
	if (err && o->threads == 1)
		err = 0; /* a host that has no modes has one thread a core */
	if (err) {
		possible = kvm_cap(vm->vm_fd, KVM_CAP_PPC_SMT_POSSIBLE);
		return why_set(why, err,
			       "%u threads a core are not possible here (KVM's mask of modes: %#x)",
			       o->threads, possible);
	}
	vm->platform.nr_cpus = o->cpus;
	vm->platform.threads = o->threads;
	return 0;
}

/*
 * KVM announces hash guests on a radix host only from POWER9 DD2.2 on: before, threads
 * of one core cannot differ in MMU mode. Where cores have one thread, as in emulated
 * hosts, that is no matter. A nested host refuses later.
 */
static bool has_hash(struct vm *vm)
{
	return cpu_generation(vm->platform.pvr) < CPU_POWER9 ||
	       kvm_cap(vm->vm_fd, KVM_CAP_PPC_MMU_HASH_V3) || vm->platform.host_threads == 1;
}

/* Radix where the host has it, unless asked for hash, or for what only hash guests have. */
static int choose_mmu(struct vm *vm, struct why *why)
{
	struct platform *p = &vm->platform;
	bool v3 = cpu_generation(p->pvr) >= CPU_POWER9;
	bool radix = v3 && kvm_cap(vm->vm_fd, KVM_CAP_PPC_MMU_RADIX);
	bool hash = has_hash(vm);
	enum mmu_choice mmu = vm->options->mmu;

	if (mmu == MMU_AUTO && (vm->options->hpt == HPT_USER || vm->options->hpt_order))
		mmu = MMU_HPT;
	if (mmu == MMU_RADIX && !radix)
		return why_set(why, -ENOTSUP, "this host's KVM has no radix guests, only hash");
	if (mmu == MMU_HPT && !hash)
		return why_set(why, -ENOTSUP,
			       "this host's KVM has no hash (HPT) guests, only radix");
	if (!radix && !hash)
		return why_set(why, -ENOTSUP, "this host's KVM has neither radix nor hash guests");
	p->radix = radix && mmu != MMU_HPT;
	p->gtse = p->radix;
	return 0;
}

/* Page sizes for the guest: those that KVM can back. */
static int read_page_sizes(struct vm *vm, struct why *why)
{
	struct platform *p = &vm->platform;
	uint64_t backing = memory_page_size(vm->options->hugetlb);
	struct kvm_ppc_smmu_info info = {0};
	int err = kvm_get_smmu_info(vm->vm_fd, &info);

	if (err)
		return why_set(why, err, "KVM_PPC_GET_SMMU_INFO: %s", strerror(-err));
	p->segments_1t = info.flags & KVM_PPC_1T_SEGMENTS;
	for (int i = 0; i < KVM_PPC_PAGE_SIZES_MAX_SZ && info.sps[i].page_shift; i++) {
		const struct kvm_ppc_one_seg_page_size *in = &info.sps[i];
		struct segment_page_size out = {.shift = in->page_shift, .slb_enc = in->slb_enc};

		for (int j = 0; j < KVM_PPC_PAGE_SIZES_MAX_SZ && in->enc[j].page_shift; j++) {
			if (info.flags & KVM_PPC_PAGE_SIZES_REAL &&
			    1ull << in->enc[j].page_shift > backing)
				continue;
			out.pages[out.nr].shift = in->enc[j].page_shift;
			out.pages[out.nr++].pte_enc = in->enc[j].pte_enc;
		}
		if (out.nr)
			p->page_sizes[p->nr_page_sizes++] = out;
	}
	return 0;
}

static int read_radix_sizes(struct vm *vm, struct why *why)
{
	struct kvm_ppc_rmmu_info info = {0};
	int err = kvm_get_rmmu_info(vm->vm_fd, &info);

	if (err)
		return why_set(why, err, "KVM_PPC_GET_RMMU_INFO: %s", strerror(-err));
	for (int i = 0; i < 8 && info.ap_encodings[i]; i++)
		vm->platform.radix_ap[vm->platform.nr_radix_ap++] = info.ap_encodings[i];
	return 0;
}

/*
 * A table of the size that was asked for; else one for the memory's size, or smaller where
 * the host cannot give as much.
 */
static int set_up_hash(struct vm *vm, struct why *why)
{
	struct platform *p = &vm->platform;
	uint32_t page_shift = (uint32_t)__builtin_ctzll(memory_page_size(vm->options->hugetlb));
	uint32_t asked = vm->options->hpt_order, fitting = hpt_order_for(p->mem_size);
	uint32_t wished = asked ? asked : fitting, least = asked ? asked : HPT_ORDER_MIN;
	int err = -ENOMEM;

	for (p->hpt_order = wished; p->hpt_order >= least; p->hpt_order--) {
		uint32_t order = p->hpt_order;

		err = kvm_allocate_htab(vm->vm_fd, &order);
		if (!err)
			p->hpt_order = order;
		if (err != -ENOMEM)
			break;
	}
	if (err)
		return why_set(why, err, "cannot allocate a hashed page table of 2^%u bytes: %s",
			       wished, strerror(-err));
	if (kvm_cap(vm->vm_fd, KVM_CAP_SPAPR_RESIZE_HPT) > 0) {
		p->hpt_resize = true;
		vm->machine.hpt_order_max = (uint32_t)max_u64(p->hpt_order, fitting) + 1;
	}
	vm->hpt_order = p->hpt_order;
	p->rma_size = min_u64(p->mem_size, hpt_vrma_size(p->hpt_order, page_shift));
	return 0;
}

static int set_up_mmu(struct vm *vm, struct why *why)
{
	struct platform *p = &vm->platform;
	int err = choose_mmu(vm, why);

	if (!err)
		err = read_page_sizes(vm, why);
	if (!err && cpu_generation(p->pvr) >= CPU_POWER9) {
		vm->machine.patb1 = p->radix ? PATB_GR : 0;
		err = kvm_configure_v3_mmu(vm->vm_fd, p->radix, p->gtse, vm->machine.patb1);
		if (err)
			return why_set(why, err, "this host's KVM has no %s guests: %s",
				       p->radix ? "radix" : "hash (HPT)", strerror(-err));
	}
	if (err)
		return err;
	p->rma_size = p->mem_size;
	return p->radix ? read_radix_sizes(vm, why) : set_up_hash(vm, why);
}

static int create_vcpu(struct vm *vm, struct vcpu *vcpu, struct why *why)
{
	uint32_t server = vm->nr_vcpus;
	int err;

	vcpu->vm = vm;
	vcpu->cpu.machine = &vm->machine;
	vcpu->cpu.server = server;
	vcpu->stopped = true;
	vcpu->fd = kvm_create_vcpu(vm->vm_fd, server);
	if (vcpu->fd < 0)
		return why_set(why, vcpu->fd, "cannot create processor %u: %s", server,
			       strerror(-vcpu->fd));
	vm->nr_vcpus++;
	vcpu->run = mmap(NULL, vm->run_size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu->fd, 0);
	if (vcpu->run == MAP_FAILED) {
		vcpu->run = NULL;
		return why_set(why, -errno, "cannot map processor %u: %s", server, strerror(errno));
	}
	err = kvm_enable_papr(vcpu->fd);
	if (err)
		return why_set(why, err, "KVM_CAP_PPC_PAPR: %s", strerror(-err));
	return 0;
}

/* The large decrementer, where LPCR takes it; the tree must tell what it is. */
static int set_up_decrementer(struct vm *vm, struct why *why)
{
	bool v3 = cpu_generation(vm->platform.pvr) >= CPU_POWER9;
	uint64_t lpcr = 0;
	int err = 0;

	if (!v3 || vm->platform.dec_bits <= 32) {
		vm->platform.dec_bits = 32;
		return 0;
	}
	for (uint32_t i = 0; !err && i < vm->nr_vcpus; i++)
		err = vcpu_set_lpcr(&vm->vcpus[i], LPCR_LD, LPCR_LD);
	if (!err)
		err = kvm_get_reg(vm->vcpus[0].fd, KVM_REG_PPC_LPCR_64, &lpcr);
	if (!(lpcr & LPCR_LD))
		vm->platform.dec_bits = 32;
	return err ? why_set(why, err, "LPCR: %s", strerror(-err)) : 0;
}

/* A processor is a file; the usual limit is for those who use select(). */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int create_vcpus(struct vm *vm, struct why *why)
{
	struct kvm_sregs sregs;
	int err = 0, size = kvm_run_size(vm->kvm_fd);

	if (size < (int)sizeof(struct kvm_run))
		return why_set(why, -EINVAL, "KVM_GET_VCPU_MMAP_SIZE gives %d", size);
	vm->run_size = (size_t)size;
	raise_file_limit();
	vm->vcpus = calloc(vm->options->cpus, sizeof(*vm->vcpus));
	if (!vm->vcpus)
		return why_set(why, -ENOMEM, "no memory for %u processors", vm->options->cpus);
	for (uint32_t i = 0; !err && i < vm->options->cpus; i++)
		err = create_vcpu(vm, &vm->vcpus[i], why);
	if (err)
		return err;
	err = kvm_get_sregs(vm->vcpus[0].fd, &sregs);
	if (err)
		return why_set(why, err, "KVM_GET_SREGS: %s", strerror(-err));
	vm->platform.pvr = sregs.pvr;
	for (uint32_t i = 0; i < vm->nr_vcpus; i++)
		vm->vcpus[i].pvr = sregs.pvr;
	if (cpu_generation(sregs.pvr) == CPU_UNKNOWN)
		return why_set(why, -ENOTSUP, "processor with PVR %#x is not POWER8 to POWER11",
			       sregs.pvr);
	return 0;
}

/* Hypercalls that KVM serves only when asked; a kernel that lacks one exits instead. */
static void enable_hcalls(struct vm *vm)
{
	static const uint16_t optional[] = {
		0x10 /* H_CLEAR_MOD */,	      0x14 /* H_CLEAR_REF */, 0x2c /* H_PAGE_INIT */,
		0x3c /* H_LOGICAL_CI_LOAD */, 0x40 /* ..._STORE */,   0x31c /* H_SET_MODE */,
	};

	for (size_t i = 0; i < ARRAY_SIZE(optional); i++)
		kvm_enable_hcall(vm->vm_fd, optional[i], true);
	if (vm->platform.radix && kvm_cap(vm->vm_fd, KVM_CAP_PPC_RPT_INVALIDATE))
		vm->platform.rpt_invalidate =
			!kvm_enable_hcall(vm->vm_fd, 0x448 /* H_RPT_INVALIDATE */, true);
}

/* The calls that the model serves must come to us, those just enabled among them. */
static int set_up_user_hpt(struct vm *vm, struct why *why)
{
	static const uint16_t calls[] = {
		0x04 /* H_REMOVE */,	   0x08 /* H_ENTER */,	   0x0c /* H_READ */,
		0x10 /* H_CLEAR_MOD */,	   0x14 /* H_CLEAR_REF */, 0x18 /* H_PROTECT */,
		0x124 /* H_BULK_REMOVE */,
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		int err = kvm_enable_hcall(vm->vm_fd, calls[i], false);

		if (err)
			return why_set(why, err, "KVM keeps hypercall %#x to itself: %s", calls[i],
				       strerror(-err));
	}
	return hpt_kvm_create(vm, why);
}

static int create_memory(struct vm *vm, struct why *why)
{
	struct gmem *mem = &vm->machine.mem;
	int err = memory_create(mem, vm->options->mem, vm->options->hugetlb, why);

	if (err)
		return err;
	vm->platform.mem_size = mem->size;
	err = kvm_set_memory(vm->vm_fd, 0, 0, mem->base, mem->size);
	return err ? why_set(why, err, "KVM does not take %llu MiB of memory: %s",
			     (unsigned long long)mem->size >> 20, strerror(-err))
		   : 0;
}

static int create_devices(struct vm *vm, struct why *why)
{
	struct machine *m = &vm->machine;
	struct platform *p = &vm->platform;

	if (vty_init(&m->vty, &console_ops, vm))
		return why_set(why, -ENOMEM, "no memory for devices");
	rtc_init(&m->rtc);
	p->console_irq = IRQ_CONSOLE;
	return loop_ttys_create(vm, why);
}

/* Now that there are processors; then the sources of the devices. */
static int create_irqchip(struct vm *vm, struct why *why)
{
	int err;

	vm->irqchip = vm->options->irqchip == IRQCHIP_KERNEL ? &irqchip_kernel : &irqchip_user;
	err = vm->irqchip->create(vm, why);
	if (err)
		return err;
	err = vm->irqchip->add_source(vm, IRQ_CONSOLE, false);
	if (err)
		return why_set(why, err, "interrupt source %#x: %s", IRQ_CONSOLE, strerror(-err));
	vm->nr_sources = 1 + vm->options->nr_loops;
	return loop_ttys_add_sources(vm, why);
}

static void fill_in_machine(struct vm *vm, struct trace *trace)
{
	struct kvm_ppc_cpu_char chars = {0};
	struct machine *m = &vm->machine;

	if (!kvm_get_cpu_char(vm->vm_fd, &chars)) {
		m->cpu_character = chars.character & chars.character_mask;
		m->cpu_behaviour = chars.behaviour & chars.behaviour_mask;
	}
	if (getrandom(m->uuid, sizeof(m->uuid), 0) == sizeof(m->uuid)) {
		m->uuid[6] = (m->uuid[6] & 0x0f) | 0x40; /* RFC 4122: version 4, random */
		m->uuid[8] = (m->uuid[8] & 0x3f) | 0x80;
	}
	memcpy(vm->platform.uuid, m->uuid, sizeof(m->uuid));
	m->nr_cpus = vm->options->cpus;
	m->trace = trace;
	m->ops = &vm_machine_ops;
	vm->platform.name = vm->options->name;
	vm->platform.params = vm->options->params;
}

static int create(struct vm *vm, struct trace *trace, struct why *why)
{
	int err = kvm_open(&vm->kvm_fd, &vm->vm_fd, why);

	if (err)
		return err;
	if (!kvm_cap(vm->vm_fd, KVM_CAP_IMMEDIATE_EXIT) || !kvm_cap(vm->vm_fd, KVM_CAP_PPC_PAPR))
		return why_set(why, -ENOTSUP,
			       "this kernel's KVM is too old: it lacks immediate_exit "
			       "or PAPR");
	hostcpu_read(&vm->platform, "/proc/device-tree");
	fill_in_machine(vm, trace);
	err = set_up_threads(vm, why);
	if (!err)
		err = create_memory(vm, why);
	if (!err)
		err = create_devices(vm, why);
	if (!err)
		err = create_vcpus(vm, why);
	if (!err)
		err = create_irqchip(vm, why);
	if (!err)
		err = set_up_decrementer(vm, why);
	if (!err)
		err = set_up_mmu(vm, why);
	if (!err)
		enable_hcalls(vm);
	if (!err && vm->options->hpt == HPT_USER)
		err = set_up_user_hpt(vm, why);
	return err;
}

int vm_create(struct vm **out, const struct run_options *options, struct trace *trace,
	      const struct vm_events *events, struct why *why)
{
	struct vm *vm = calloc(1, sizeof(*vm));
	int err;

	if (!vm)
		return why_set(why, -ENOMEM, "no memory");
	vm->options = options;
	vm->events = *events;
	vm->kvm_fd = vm->vm_fd = vm->irqchip_fd = vm->htab_fd = -1;
	pthread_mutex_init(&vm->lock, NULL);
	pthread_cond_init(&vm->changed, NULL);
	park_init(&vm->park);
	err = create(vm, trace, why);
	if (err)
		vm_destroy(vm);
	else
		*out = vm;
	return err;
}

void vm_destroy(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		if (vm->vcpus[i].run)
			munmap(vm->vcpus[i].run, vm->run_size);
		close(vm->vcpus[i].fd);
	}
	if (vm->machine.vty.ops)
		vty_fini(&vm->machine.vty);
	loop_ttys_destroy(vm);
	if (vm->irqchip)
		vm->irqchip->destroy(vm);
	hpt_kvm_destroy(vm);
	free(vm->vcpus);
	if (vm->vm_fd >= 0)
		close(vm->vm_fd);
	if (vm->kvm_fd >= 0)
		close(vm->kvm_fd);
	memory_destroy(&vm->machine.mem);
	park_fini(&vm->park);
	pthread_cond_destroy(&vm->changed);
	pthread_mutex_destroy(&vm->lock);
	free(vm);
}
