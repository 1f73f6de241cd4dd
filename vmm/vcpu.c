// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual processor's thread: run the guest, serve what makes it exit, park when
 * told to.
 *
 * LOCKING
 *
 * The state in struct vcpu is under vm->lock, which the way from exit to KVM_RUN
 * does not take. To be heard there, set immediate_exit and send the signal, in
 * this order: a thread in KVM_RUN is interrupted, one before it returns from it at
 * once, after the kernel has completed the pending exit. The thread clears
 * immediate_exit with the lock held, before it looks at the state; so a kick that
 * comes later is not lost, and one that came earlier was for state it now sees.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "hcall/hcall.h"
#include "lib/util.h"
#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

#define KICK_SIGNAL SIGUSR1

_Thread_local struct vcpu *vcpu_self;

static void on_kick(int sig)
{
	(void)sig; /* only there so that KVM_RUN returns */
}

void vcpu_init_signals(void)
{
	struct sigaction action = {.sa_handler = on_kick};

	sigaction(KICK_SIGNAL, &action, NULL);
}

void vcpu_kick(struct vcpu *vcpu)
{
	if (__atomic_exchange_n(&vcpu->run->immediate_exit, 1, __ATOMIC_SEQ_CST))
		return; /* it is on its way already */
	if (vcpu->started && !vcpu->vm->quit)
		pthread_kill(vcpu->thread, KICK_SIGNAL);
}

/* Nothing is behind a real address outside memory: loads give ones, stores vanish. */
static void serve_mmio(struct vcpu *vcpu)
{
	struct kvm_run *run = vcpu->run;

	if (trace_wants(vcpu->cpu.machine->trace, TRACE_EXIT))
		trace_line(vcpu->cpu.machine->trace, "cpu %u %s of %u bytes at %#llx: no memory",
			   vcpu->cpu.server, run->mmio.is_write ? "store" : "load", run->mmio.len,
			   (unsigned long long)run->mmio.phys_addr);
	if (!run->mmio.is_write)
		memset(run->mmio.data, 0xff, sizeof(run->mmio.data));
}

static void stop_on_exit(struct vcpu *vcpu, const char *what, uint64_t number)
{
	struct kvm_regs regs = {0};

	kvm_get_regs(vcpu->fd, &regs);
	vm_stop_why(vcpu->vm, STOP_GUEST, "cpu %u: %s %llu at pc %#llx, msr %#llx, lr %#llx",
		    vcpu->cpu.server, what, (unsigned long long)number, (unsigned long long)regs.pc,
		    (unsigned long long)regs.msr, (unsigned long long)regs.lr);
}

/* Every exit but a hypercall. */
static __attribute__((noinline)) void serve_exit(struct vcpu *vcpu)
{
	const struct kvm_run *run = vcpu->run;

	switch (run->exit_reason) {
	case KVM_EXIT_MMIO:
		serve_mmio(vcpu);
		break;
	case KVM_EXIT_INTR:
	case KVM_EXIT_IRQ_WINDOW_OPEN:
		break;
	case KVM_EXIT_UNKNOWN:
		stop_on_exit(vcpu, "KVM cannot handle trap", run->hw.hardware_exit_reason);
		break;
	case KVM_EXIT_FAIL_ENTRY:
		stop_on_exit(vcpu, "KVM cannot enter the guest, reason",
			     run->fail_entry.hardware_entry_failure_reason);
		break;
	case KVM_EXIT_INTERNAL_ERROR:
		stop_on_exit(vcpu, "KVM internal error", run->internal.suberror);
		break;
	case KVM_EXIT_NMI:
		stop_on_exit(vcpu, "machine check, flags", run->flags);
		break;
	default:
		stop_on_exit(vcpu, "unexpected KVM exit", run->exit_reason);
	}
}

static __attribute__((noinline)) void trace_exit(struct vcpu *vcpu)
{
	struct trace *trace = vcpu->cpu.machine->trace;

	if (trace_wants(trace, TRACE_EXIT))
		trace_line(trace, "cpu %u exit %u", vcpu->cpu.server, vcpu->run->exit_reason);
}

/*
 * KVM_RUN itself failed. The guest's doing: EINVAL, and EFAULT for an RTAS block that KVM
 * looks into first (--irqchip kernel) and that is not in memory.
 */
static void run_failed(struct vcpu *vcpu, int err)
{
	bool guest =
		err == -EINVAL || (err == -EFAULT && vcpu->run->exit_reason == KVM_EXIT_PAPR_HCALL);

	if (err == -EBUSY)
		vm_stop_why(vcpu->vm, STOP_HOST,
			    "cpu %u: KVM_RUN: busy: secondary threads of the host's cores are "
			    "online (turn them off: ppc64_cpu --smt=off)",
			    vcpu->cpu.server);
	else
		vm_stop_why(vcpu->vm, guest ? STOP_GUEST : STOP_HOST,
			    "cpu %u: KVM_RUN: %s, exit %u", vcpu->cpu.server, strerror(-err),
			    vcpu->run->exit_reason);
}

/* Run until something wants the thread to look around. */
static void run_guest(struct vcpu *vcpu)
{
	struct kvm_run *run = vcpu->run;

	for (;;) {
		int err = kvm_run(vcpu->fd);

		if (unlikely(err)) {
			if (err != -EINTR && err != -EAGAIN)
				run_failed(vcpu, err);
			return;
		}
		if (unlikely(vcpu->cpu.machine->trace))
			trace_exit(vcpu);
		if (likely(run->exit_reason == KVM_EXIT_PAPR_HCALL))
			run->papr_hcall.ret = (uint64_t)hcall_dispatch(
				&vcpu->cpu, run->papr_hcall.nr, (uint64_t *)run->papr_hcall.args);
		else
			serve_exit(vcpu);
	}
}

/* With vm->lock held: what must be done to the registers before the next run. */
static int prepare(struct vcpu *vcpu)
{
	int err = 0;

	if (vcpu->start)
		err = vcpu_start_regs(vcpu);
	else if (vcpu->sreset)
		err = vcpu_system_reset_regs(vcpu);
	vcpu->start = vcpu->sreset = false;
	vcpu->used = true;
	return err;
}

/* With vm->lock held: until the processor may run, or the machine ends. */
static void wait_to_run(struct vcpu *vcpu)
{
	struct vm *vm = vcpu->vm;

	while (!vm->quit) {
		if (vm->stop || vcpu->stopped)
			pthread_cond_wait(&vm->changed, &vm->lock);
		else if (!park_wait(vcpu))
			return;
	}
}

void *vcpu_main(void *arg)
{
	struct vcpu *vcpu = arg;
	struct vm *vm = vcpu->vm;
	struct why why;

	vcpu_self = vcpu;
	if (sandbox_enter(SANDBOX_VCPU, &why))
		vm_stop_why(vm, STOP_HOST, "%s", why.text);

	pthread_mutex_lock(&vm->lock);
	for (;;) {
		int err;

		wait_to_run(vcpu);
		if (vm->quit)
			break;
		__atomic_store_n(&vcpu->run->immediate_exit, 0, __ATOMIC_SEQ_CST);
		err = prepare(vcpu);
		park_leave(vcpu);
		pthread_mutex_unlock(&vm->lock);

		if (err)
			vm_stop_why(vm, STOP_HOST, "cpu %u: cannot set registers: %s",
				    vcpu->cpu.server, strerror(-err));
		else
			run_guest(vcpu);

		pthread_mutex_lock(&vm->lock);
		park_enter(vcpu);
	}
	pthread_mutex_unlock(&vm->lock);
	return NULL;
}
