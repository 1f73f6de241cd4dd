/* SPDX-License-Identifier: GPL-2.0-only */
/* What vm.c, vm_create.c and vcpu.c share. */
#ifndef VMM_VM_INTERNAL_H
#define VMM_VM_INTERNAL_H

#include <linux/kvm.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "vmm/irqchip.h"
#include "vmm/park.h"
#include "vmm/vm.h"

struct vcpu {
	struct hcpu cpu;
	struct vm *vm;
	int fd;
	struct kvm_run *run;
	pthread_t thread;
	uint32_t pvr;
	/* Under vm->lock: */
	bool started;  /* the thread exists */
	bool in_guest; /* not parked: it may be in KVM_RUN or serve an exit */
	bool spared;   /* it comes back from a turn of its own (park.c): it need not stay */
	bool stopped;  /* PAPR's stopped state */
	bool used;     /* ran before: its registers are not as KVM made them */
	bool start;    /* set the registers for a start before the next run */
	bool sreset;   /* deliver a system reset before the next run */
	uint64_t entry, arg;
};

/* What a terminal that loops calls back with. */
struct loop_tty {
	struct vm *vm;
	uint32_t source;
};

struct vm {
	struct machine machine;
	struct platform platform;
	const struct run_options *options;
	struct vm_events events;
	const struct irqchip *irqchip;
	struct loop_tty loops[VTY_LOOPS_MAX];
	uint32_t nr_sources; /* from IRQ_FIRST on */
	int kvm_fd, vm_fd, irqchip_fd, htab_fd;
	uint32_t hpt_order; /* of KVM's table now, log2 of bytes; the platform's is the first's */
	bool hpt_loaded;    /* what KVM entered by itself is in the model */
	bool hpt_live;	    /* KVM's table can change while processors run */
	struct vcpu *vcpus;
	uint32_t nr_vcpus; /* created, of platform.nr_cpus */
	size_t run_size;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct park park;
	uint32_t resets; /* how often the machine was reset */
	bool quit;	 /* threads end */
	enum stop_reason stop;
	struct why stop_text;
};

#define MSR_SF	0x8000000000000000ull
#define MSR_ME	0x0000000000001000ull
#define MSR_LE	0x0000000000000001ull
#define LPCR_LD 0x0000000000020000ull /* large decrementer (Power ISA 3.0 III) */

/* vcpu.c */
/* Install the signal that takes a thread out of KVM_RUN. Once a process. */
void vcpu_init_signals(void);
void *vcpu_main(void *arg);

/* The processor whose thread this is, or NULL. */
extern _Thread_local struct vcpu *vcpu_self;

/* Make the processor's thread leave the guest and look around. With vm->lock held. */
void vcpu_kick(struct vcpu *vcpu);

/* End the machine, with a line about why. Without vm->lock. */
void vm_stop_why(struct vm *vm, enum stop_reason reason, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* vcpu_regs.c: registers by ioctl, from any thread while the processor is parked. */
int vcpu_set_lpcr(struct vcpu *vcpu, uint64_t mask, uint64_t value);
int vcpu_start_regs(struct vcpu *vcpu);
int vcpu_system_reset_regs(struct vcpu *vcpu);
int vcpu_forget_vpa(struct vcpu *vcpu);

/* vm.c */
extern const struct machine_ops vm_machine_ops;

/* loop_tty.c: the terminals that loop. Sources once there is an interrupt controller. */
int loop_ttys_create(struct vm *vm, struct why *why);
int loop_ttys_add_sources(struct vm *vm, struct why *why);
void loop_ttys_reset(struct vm *vm);
void loop_ttys_destroy(struct vm *vm);

#endif
