/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs: registers, time, locks, and starting and stopping them. */
#ifndef GUEST_CPU_H
#define GUEST_CPU_H

#include "asm.h"
#include "types.h"

#define MSR_SF (1ul << 63)
#define MSR_EE (1ul << 15)
#define MSR_ME (1ul << 12)
#define MSR_RI (1ul << 1)
#define MSR_LE (1ul << 0)

/* More than this many are left alone. */
#define MAX_CPUS   512
#define STACK_SIZE 8192

/* What query-cpu-stopped-state says */
#define CPU_STOPPED  0
#define CPU_STOPPING 1
#define CPU_RUNNING  2

struct cpu {
	u64 stack;
	u32 server;
	void (*fn)(struct cpu *cpu);
	u64 arg;
	u64 start_msr;
	u64 count; /* for the program's use */
};
_Static_assert(offsetof(struct cpu, stack) == CPU_STACK, "asm.h has another struct cpu");

extern struct cpu cpus[MAX_CPUS];
extern int ncpus;

/* The CPU that runs this; r13 belongs to no one else. */
static inline struct cpu *this_cpu(void)
{
	struct cpu *cpu;

	__asm__ volatile("mr %0,13" : "=r"(cpu));
	return cpu;
}

static inline void set_this_cpu(struct cpu *cpu)
{
	__asm__ volatile("mr 13,%0" ::"r"(cpu));
}

/* Fill cpus[] from the tree; this_cpu() is valid from here on. */
void cpu_init(void);

/*
 * Have a stopped CPU call @fn and stop itself when that returns. The status of
 * RTAS's start-cpu.
 */
int cpu_start(struct cpu *cpu, void (*fn)(struct cpu *cpu), u64 arg);

/* start-cpu for any server number at all, the entry and r3 being good ones. */
int cpu_start_server(u32 server, struct cpu *cpu);

/* RTAS's stop-self. */
void cpu_stop(void) __attribute__((noreturn));

/* query-cpu-stopped-state: CPU_STOPPED... or a negative RTAS status. */
int cpu_state(u32 server);

/* Wait for a CPU to reach @state; false after ten seconds. */
bool cpu_wait_state(struct cpu *cpu, int state);

/* Wait for *@what to become @value; false after ten seconds. */
bool wait_for(volatile u64 *what, u64 value);

/* Ticks of the timebase in a second. */
u32 timebase_frequency(void);

/* Do nothing for so long. */
void delay_us(u64 us);

static inline u64 timebase(void)
{
	u64 v;

	__asm__ volatile("mfspr %0,268" : "=r"(v)::"memory");
	return v;
}

#define PVR_POWER9 0x4e

/* The processor version register's upper half: which processor this is. */
static inline u32 processor_version(void)
{
	u64 v;

	__asm__("mfspr %0,287" : "=r"(v));
	return (u32)v >> 16;
}

static inline u64 mfmsr(void)
{
	u64 v;

	__asm__ volatile("mfmsr %0" : "=r"(v)::"memory");
	return v;
}

/* Change MSR[EE] (and no other bit but RI). */
static inline void irq_on(void)
{
	__asm__ volatile("mtmsrd %0,1" ::"r"(MSR_EE | MSR_RI) : "memory");
}

static inline void irq_off(void)
{
	__asm__ volatile("mtmsrd %0,1" ::"r"(0) : "memory");
}

static inline void set_decrementer(u64 ticks)
{
	__asm__ volatile("mtdec %0" ::"r"(ticks));
}

static inline u64 atomic_add(u64 *p, u64 v)
{
	return __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST);
}

static inline u64 atomic_get(u64 *p)
{
	return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

static inline void atomic_set(u64 *p, u64 v)
{
	__atomic_store_n(p, v, __ATOMIC_SEQ_CST);
}

typedef struct {
	u32 taken;
} spinlock_t;

static inline void spin_lock(spinlock_t *lock)
{
	while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE))
		;
}

static inline void spin_unlock(spinlock_t *lock)
{
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}

#endif
