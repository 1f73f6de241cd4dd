/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine as hypercalls see it: memory and devices, and what only the owner
 * of the virtual processors can do, as callbacks. vmm/ fills it in for a real
 * guest; tests and fuzzers fill it in with nothing behind.
 */
#ifndef HCALL_MACHINE_H
#define HCALL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/rtc.h"
#include "devices/vty.h"
#include "devices/xics/xics.h"
#include "lib/gmem.h"
#include "lib/stop.h"
#include "lib/trace.h"
#include "mmu/hpt.h"

struct machine;

#define HCALLS_MAX 64 /* entries of hcalls.def, and room */

/* A virtual processor, from the point of view of a call it makes. */
struct hcpu {
	struct machine *machine;
	uint32_t server;		    /* its interrupt server number */
	_Atomic uint64_t calls[HCALLS_MAX]; /* made, by position in the table; its own thread's */
};

struct machine_ops {
	/*
	 * Let a stopped processor run at real address @entry with @arg in r3. 0, or
	 * -ESRCH for no such server, -EBUSY for one that is not stopped.
	 */
	int (*cpu_start)(struct machine *machine, uint32_t server, uint64_t entry, uint64_t arg);
	/* The calling processor stops as soon as its call is done. */
	void (*cpu_stop_self)(struct hcpu *cpu);
	/* 1 stopped, 0 not, -ESRCH for no such server. */
	int (*cpu_stopped)(struct machine *machine, uint32_t server);
	/* System reset interrupt (0x100) for a server. 0 or -ESRCH. */
	int (*system_reset)(struct machine *machine, uint32_t server);
	/* Set the LPCR bits of @mask to @value on all processors, started or not. */
	int (*set_lpcr)(struct hcpu *cpu, uint64_t mask, uint64_t value);
	/*
	 * Another hashed page table, of 2^@order bytes: begin to make it, 0 to give it up;
	 * and take it. 0, how many milliseconds to wait before asking again, or -errno.
	 */
	int (*hpt_prepare)(struct hcpu *cpu, uint32_t order);
	int (*hpt_commit)(struct hcpu *cpu, uint32_t order);
	/*
	 * Around changes of the hashed page table: false if the machine was reset meanwhile
	 * or KVM failed, and then there is nothing to end.
	 */
	bool (*hpt_begin)(struct hcpu *cpu);
	void (*hpt_end)(struct hcpu *cpu);
	/* Give KVM the process table entry @patb1 (second doubleword). 0 or -errno. */
	int (*set_process_table)(struct hcpu *cpu, bool radix, bool gtse, uint64_t patb1);
	/*
	 * End, or for STOP_REBOOT restart, the machine once the call is done. @text, one
	 * printable line, says more about it, or is "".
	 */
	void (*stop)(struct machine *machine, enum stop_reason reason, const char *text);
};

struct machine {
	struct gmem mem;
	struct xics xics;
	struct hpt hpt;			 /* no slots where KVM serves the calls */
	struct vty vty;			 /* the console */
	struct vty loops[VTY_LOOPS_MAX]; /* terminals that loop, at the unit addresses after */
	uint32_t nr_loops;
	struct rtc rtc;
	struct trace *trace; /* NULL when off */
	const struct machine_ops *ops;

	uint32_t nr_cpus;
	uint32_t hpt_order_max; /* log2 of the bytes that its table may have; 0: no resize */
	uint8_t uuid[16];
	uint64_t cpu_character, cpu_behaviour; /* H_GET_CPU_CHARACTERISTICS */
	uint64_t patb1;			       /* what H_REGISTER_PROC_TBL left */
};

#endif
