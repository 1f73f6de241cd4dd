// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING
 *
 * vm->lock protects what struct vm and struct vcpu say it does; vm->changed tells
 * processors' threads that start, stop or end may be otherwise than they last saw. It may be
 * taken with no other lock held, and nothing but kicks happen under it. park.c says how
 * processors are stopped.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hcall/papr.h"
#include "lib/util.h"
#include "vmm/hpt_check.h"
#include "vmm/hpt_kvm.h"
#include "vmm/kvm.h"
#include "vmm/memory.h"
#include "vmm/vm_internal.h"

static struct vm *vm_of(struct machine *machine)
{
	return container_of(machine, struct vm, machine);
}

static struct vcpu *vcpu_of(struct hcpu *cpu)
{
	return container_of(cpu, struct vcpu, cpu);
}

struct machine *vm_machine(struct vm *vm)
{
	return &vm->machine;
}

struct platform *vm_platform(struct vm *vm)
{
	return &vm->platform;
}

static void kick_all(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->nr_vcpus; i++)
		vcpu_kick(&vm->vcpus[i]);
}

/*
 * With vm->lock held: the first reason counts, but who wants the machine to end must not
 * lose against a guest that reboots. True if this is it.
 */
static bool set_stop(struct vm *vm, enum stop_reason reason)
{
	if (vm->stop && !(vm->stop == STOP_REBOOT && reason == STOP_OUTSIDE))
		return false;
	vm->stop = reason;
	kick_all(vm);
	pthread_cond_broadcast(&vm->changed);
	return true;
}

void vm_stop(struct vm *vm, enum stop_reason reason)
{
	vm_stop_why(vm, reason, "%s", "");
}

void vm_stop_why(struct vm *vm, enum stop_reason reason, const char *fmt, ...)
{
	struct why text;
	va_list ap;
	bool first;

	va_start(ap, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, ap);
	va_end(ap);

	pthread_mutex_lock(&vm->lock);
	first = set_stop(vm, reason);
	if (first)
		vm->stop_text = text;
	pthread_mutex_unlock(&vm->lock);
	if (first)
		vm->events.stopped(vm->events.ctx);
}

enum stop_reason vm_stop_reason(struct vm *vm)
{
	enum stop_reason reason;

	pthread_mutex_lock(&vm->lock);
	reason = vm->stop;
	pthread_mutex_unlock(&vm->lock);
	return reason;
}

const char *vm_stop_text(struct vm *vm)
{
	return vm->stop_text.text;
}

int vm_start_threads(struct vm *vm, struct why *why)
{
	pthread_attr_t attr;
	int err = 0;

	vcpu_init_signals();
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, KIB(256));
	for (uint32_t i = 0; !err && i < vm->nr_vcpus; i++) {
		struct vcpu *vcpu = &vm->vcpus[i];

		/* Under the lock: the thread may be kicked as soon as it is there. */
		pthread_mutex_lock(&vm->lock);
		err = pthread_create(&vcpu->thread, &attr, vcpu_main, vcpu);
		vcpu->started = !err;
		pthread_mutex_unlock(&vm->lock);
	}
	pthread_attr_destroy(&attr);
	if (err) {
		why_set(why, -err, "cannot start the threads of %u processors: %s", vm->nr_vcpus,
			strerror(err));
		vm_join(vm);
	}
	return -err;
}

static void start(struct vcpu *vcpu, uint64_t entry, uint64_t arg)
{
	vcpu->entry = entry;
	vcpu->arg = arg;
	vcpu->start = true;
	vcpu->stopped = false;
}

void vm_boot(struct vm *vm, uint64_t entry, uint64_t fdt)
{
	pthread_mutex_lock(&vm->lock);
	start(&vm->vcpus[0], entry, fdt);
	pthread_cond_broadcast(&vm->changed);
	pthread_mutex_unlock(&vm->lock);
}

/* Back to the table and the MMU mode that the guest started with. */
static int reset_mmu(struct vm *vm)
{
	uint32_t order = vm->platform.hpt_order;
	bool v3 = cpu_generation(vm->platform.pvr) >= CPU_POWER9;
	int err = 0;

	vm->machine.patb1 = vm->platform.radix ? PATB_GR : 0;
	if (v3)
		err = kvm_configure_v3_mmu(vm->vm_fd, vm->platform.radix, vm->platform.gtse,
					   vm->machine.patb1);
	if (!err && vm->platform.hpt_resize)
		kvm_resize_hpt_prepare(vm->vm_fd, 0); /* what the guest before began */
	if (!err && !vm->platform.radix)
		err = kvm_allocate_htab(vm->vm_fd, &order);
	vm->hpt_order = order;
	if (!err && vm->machine.hpt.slots)
		err = hpt_kvm_reset(vm);
	return err;
}

static int reset_parked(struct vm *vm)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < vm->nr_vcpus; i++) {
		struct vcpu *vcpu = &vm->vcpus[i];

		vcpu->stopped = true;
		vcpu->start = vcpu->sreset = false;
		err = vcpu_forget_vpa(vcpu);
		if (!err)
			err = vcpu_set_lpcr(vcpu, LPCR_ILE | LPCR_AIL, 0);
	}
	if (!err)
		err = memory_reset(&vm->machine.mem);
	if (!err)
		err = reset_mmu(vm);
	if (!err)
		err = vm->irqchip->reset(vm);
	vty_reset(&vm->machine.vty);
	loop_ttys_reset(vm);
	return err;
}

int vm_reset(struct vm *vm, struct why *why)
{
	int err;

	vm_exclusive_begin(vm, NULL);
	err = reset_parked(vm);
	pthread_mutex_lock(&vm->lock);
	vm->resets++;
	if (!err)
		vm->stop = STOP_NONE; /* otherwise processors stay parked */
	pthread_mutex_unlock(&vm->lock);
	vm_exclusive_end(vm, NULL);
	return err ? why_set(why, err, "cannot reset the machine: %s", strerror(-err)) : 0;
}

bool vm_check_hpt(struct vm *vm)
{
	uint64_t differences = 0;
	struct why why;
	int err;

	vm_exclusive_begin(vm, NULL);
	err = hpt_check(vm, stderr, &differences, &why);
	vm_exclusive_end(vm, NULL);
	if (err)
		fprintf(stderr, "paprika: %s\n", why.text);
	return !err && !differences;
}

/* For `--trace=cpu`: where each processor was when the machine ended. */
static void trace_registers(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		struct kvm_regs r;

		if (!trace_wants(vm->machine.trace, TRACE_CPU) || kvm_get_regs(vm->vcpus[i].fd, &r))
			return;
		trace_line(vm->machine.trace,
			   "cpu %u end%s: pc %#llx msr %#llx lr %#llx r1 %#llx r3 %#llx srr0 %#llx "
			   "srr1 %#llx",
			   i, vm->vcpus[i].stopped ? ", stopped" : "", (unsigned long long)r.pc,
			   (unsigned long long)r.msr, (unsigned long long)r.lr,
			   (unsigned long long)r.gpr[1], (unsigned long long)r.gpr[3],
			   (unsigned long long)r.srr0, (unsigned long long)r.srr1);
	}
}

void vm_join(struct vm *vm)
{
	pthread_mutex_lock(&vm->lock);
	kick_all(vm);
	vm->quit = true; /* from here on nobody is kicked: threads may be gone */
	pthread_cond_broadcast(&vm->changed);
	pthread_mutex_unlock(&vm->lock);
	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		if (vm->vcpus[i].started)
			pthread_join(vm->vcpus[i].thread, NULL);
		vm->vcpus[i].started = false;
	}
	trace_registers(vm);
}

/* What hypercalls ask of the owner of the processors: struct machine_ops. */

static struct vcpu *find_vcpu(struct vm *vm, uint32_t server)
{
	return server < vm->nr_vcpus ? &vm->vcpus[server] : NULL;
}

static int op_cpu_start(struct machine *machine, uint32_t server, uint64_t entry, uint64_t arg)
{
	struct vm *vm = vm_of(machine);
	struct vcpu *vcpu = find_vcpu(vm, server);
	int err = -EBUSY;

	if (!vcpu)
		return -ESRCH;
	pthread_mutex_lock(&vm->lock);
	if (vcpu->stopped) {
		start(vcpu, entry, arg);
		pthread_cond_broadcast(&vm->changed);
		err = 0;
	}
	pthread_mutex_unlock(&vm->lock);
	if (trace_wants(machine->trace, TRACE_CPU))
		trace_line(machine->trace, "cpu %u start at %#llx: %s", server,
			   (unsigned long long)entry, strerror(-err));
	return err;
}

static void op_cpu_stop_self(struct hcpu *cpu)
{
	struct vcpu *vcpu = vcpu_of(cpu);

	pthread_mutex_lock(&vcpu->vm->lock);
	vcpu->stopped = true;
	vcpu_kick(vcpu);
	pthread_mutex_unlock(&vcpu->vm->lock);
	if (trace_wants(cpu->machine->trace, TRACE_CPU))
		trace_line(cpu->machine->trace, "cpu %u stop", cpu->server);
}

static int op_cpu_stopped(struct machine *machine, uint32_t server)
{
	struct vm *vm = vm_of(machine);
	struct vcpu *vcpu = find_vcpu(vm, server);
	int stopped;

	if (!vcpu)
		return -ESRCH;
	pthread_mutex_lock(&vm->lock);
	stopped = vcpu->stopped;
	pthread_mutex_unlock(&vm->lock);
	return stopped;
}

static int op_system_reset(struct machine *machine, uint32_t server)
{
	struct vm *vm = vm_of(machine);
	struct vcpu *vcpu = find_vcpu(vm, server);

	if (!vcpu)
		return -ESRCH;
	pthread_mutex_lock(&vm->lock);
	if (!vcpu->stopped) {
		vcpu->sreset = true;
		vcpu_kick(vcpu);
	}
	pthread_mutex_unlock(&vm->lock);
	return 0;
}

/* KVM keeps LPCR by virtual core, and each processor's ioctls wait while it runs. */
static int op_set_lpcr(struct hcpu *cpu, uint64_t mask, uint64_t value)
{
	struct vcpu *self = vcpu_of(cpu);
	struct vm *vm = self->vm;
	int err = 0;

	if (!vm_exclusive_begin(vm, self))
		return -ECANCELED;
	for (uint32_t i = 0; !err && i < vm->nr_vcpus; i++)
		err = vcpu_set_lpcr(&vm->vcpus[i], mask, value);
	vm_exclusive_end(vm, self);
	return err;
}

/* KVM refuses to change between hash and radix while any processor runs. */
static int op_set_process_table(struct hcpu *cpu, bool radix, bool gtse, uint64_t patb1)
{
	struct vcpu *self = vcpu_of(cpu);
	struct vm *vm = self->vm;
	int err;

	if (!vm_exclusive_begin(vm, self))
		return -ECANCELED;
	err = kvm_configure_v3_mmu(vm->vm_fd, radix, gtse, patb1);
	vm_exclusive_end(vm, self);
	return err;
}

static int op_hpt_prepare(struct hcpu *cpu, uint32_t order)
{
	return kvm_resize_hpt_prepare(vcpu_of(cpu)->vm->vm_fd, order);
}

/* KVM moves the entries, by rules of its own; the model reads where they went. */
static int op_hpt_commit(struct hcpu *cpu, uint32_t order)
{
	struct vcpu *self = vcpu_of(cpu);
	struct vm *vm = self->vm;
	int err;

	if (!vm_exclusive_begin(vm, self))
		return -ECANCELED;
	err = kvm_resize_hpt_commit(vm->vm_fd, order);
	if (!err)
		vm->hpt_order = order;
	if (!err && vm->machine.hpt.slots) {
		err = hpt_kvm_reset(vm);
		if (err)
			vm_stop_why(vm, STOP_HOST,
				    "no memory for a hashed page table of 2^%u bytes", order);
	}
	vm_exclusive_end(vm, self);
	return err;
}

/*
 * Where KVM's table cannot change while processors run, the others are parked until
 * op_hpt_end. Where it can, only for the first call, which loads what KVM has entered:
 * hpt_loaded is written with all parked, and who reads it here is not.
 */
static bool op_hpt_begin(struct hcpu *cpu)
{
	struct vcpu *self = vcpu_of(cpu);
	struct vm *vm = self->vm;
	int err;

	if (vm->hpt_live && vm->hpt_loaded)
		return true;
	if (!vm_exclusive_begin(vm, self))
		return false;
	err = hpt_kvm_load(vm);
	vm->hpt_loaded = !err;
	if (err || vm->hpt_live)
		vm_exclusive_end(vm, self);
	if (!err)
		return true;
	vm_stop_why(vm, STOP_HOST, "cannot read KVM's hashed page table: %s", strerror(-err));
	return false;
}

static void op_hpt_end(struct hcpu *cpu)
{
	struct vcpu *self = vcpu_of(cpu);

	if (!self->vm->hpt_live)
		vm_exclusive_end(self->vm, self);
}

static void op_stop(struct machine *machine, enum stop_reason reason, const char *text)
{
	vm_stop_why(vm_of(machine), reason, "%s", text);
}

const struct machine_ops vm_machine_ops = {
	.cpu_start = op_cpu_start,
	.cpu_stop_self = op_cpu_stop_self,
	.cpu_stopped = op_cpu_stopped,
	.system_reset = op_system_reset,
	.set_lpcr = op_set_lpcr,
	.set_process_table = op_set_process_table,
	.hpt_prepare = op_hpt_prepare,
	.hpt_commit = op_hpt_commit,
	.hpt_begin = op_hpt_begin,
	.hpt_end = op_hpt_end,
	.stop = op_stop,
};
