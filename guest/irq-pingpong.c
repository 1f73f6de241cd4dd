// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq-pingpong: what an interrupt costs. An IPI there and one back between two CPUs that
 * sleep, "rounds=N" times; or with "self" among the boot arguments, on one CPU with
 * interrupts off, N times all that an IPI takes: H_IPI, H_XIRR, H_IPI with 0xff, H_EOI.
 * Prints "irq-pingpong: NAME ticks N rounds N"; `empty` is the loop around, and `null`
 * four hypercalls that the monitor refuses. Under --icount a tick of the timebase is
 * 1000/512 instructions.
 */
#include "guest.h"

#define ROUNDS	 1000
#define PRIORITY 4

/* A number that neither the kernel nor the monitor knows: answered by the monitor. */
#define H_UNASSIGNED 0x4fc

static u64 rounds, ready, empty;

/* One hypercall, or nothing at all; its first result. */
#define CALL(insn, token, a, b)                                                                    \
	({                                                                                         \
		register u64 r3 __asm__("r3") = (token);                                           \
		register u64 r4 __asm__("r4") = (a);                                               \
		register u64 r5 __asm__("r5") = (b);                                               \
		__asm__ volatile(insn                                                              \
				 : "+r"(r3), "+r"(r4), "+r"(r5)::"r0", "r6", "r7", "r8", "r9",     \
				   "r10", "r11", "r12", "ctr", "xer", "cr0", "cr1", "cr5", "cr6",  \
				   "cr7", "memory");                                               \
		r4;                                                                                \
	})

/* Four of them, so many times; gives how often the second had the result @want. */
#define CYCLES(insn, ipi, xirr, eoi, want)                                                         \
	({                                                                                         \
		u64 i, server = this_cpu()->server, hits = 0;                                      \
		for (i = 0; i < rounds; i++) {                                                     \
			u64 got;                                                                   \
			CALL(insn, ipi, server, PRIORITY);                                         \
			got = CALL(insn, xirr, 0, 0);                                              \
			CALL(insn, ipi, server, XICS_PRI_ALL);                                     \
			CALL(insn, eoi, got, 0);                                                   \
			hits += got == (want);                                                     \
		}                                                                                  \
		hits;                                                                              \
	})

static void report(const char *name, u64 ticks)
{
	printf("irq-pingpong: %s ticks %lu rounds %lu\n", name, ticks, rounds);
}

static void prepare(void)
{
	xics_ipi(this_cpu()->server, XICS_PRI_ALL);
	xics_set_cppr(XICS_PRI_ALL);
}

static void self(void)
{
	u64 start, good;

	start = timebase();
	CYCLES("nop", 0, 0, 0, 0);
	report("empty", timebase() - start);

	start = timebase();
	CYCLES("sc 1", H_UNASSIGNED, H_UNASSIGNED, H_UNASSIGNED, 0);
	report("null", timebase() - start);

	prepare();
	start = timebase();
	good = CYCLES("sc 1", H_IPI, H_XIRR, H_EOI, 0xff000000 | XICS_IPI);
	report("self", timebase() - start);
	check_eq("each IPI was accepted", (long)good, (long)rounds);
	check_eq("and none is left", xics_accept(), 0xff000000);
}

/* Take the request back, count, end. */
static bool external(struct regs *regs)
{
	u32 xirr = xics_accept();

	(void)regs;
	if (XIRR_SOURCE(xirr) == 0) {
		atomic_add(&empty, 1);
		return true;
	}
	if (XIRR_SOURCE(xirr) != XICS_IPI)
		return false;
	xics_ipi(this_cpu()->server, XICS_PRI_ALL);
	atomic_add(&this_cpu()->count, 1);
	xics_end(xirr);
	return true;
}

/* Answer each IPI with one to the CPU whose number is the argument. */
static void answer(struct cpu *cpu)
{
	u64 i;

	prepare();
	atomic_set(&ready, 1);
	for (i = 1; i <= rounds && sleep_until(&cpu->count, i); i++)
		xics_ipi(cpu->arg, PRIORITY);
}

static struct cpu *other_cpu(void)
{
	return &cpus[0] == this_cpu() ? &cpus[1] : &cpus[0];
}

static void ping_pong(void)
{
	struct cpu *me = this_cpu(), *other = other_cpu();
	u64 start, i;

	prepare();
	check_eq("the other CPU starts", cpu_start(other, answer, me->server), 0);
	sleep_until(&ready, 1);
	start = timebase();
	for (i = 1; i <= rounds; i++) {
		xics_ipi(other->server, PRIORITY);
		if (!sleep_until(&me->count, i))
			break;
	}
	report("ping-pong", timebase() - start);
	check_eq("each IPI went there", (long)other->count, (long)rounds);
	check_eq("and back", (long)me->count, (long)rounds);
	check("few interrupts had nothing behind them", empty <= 2 * rounds);
	check("the other CPU stops", cpu_wait_state(other, CPU_STOPPED));
	printf("irq-pingpong: %lu IPIs, %lu empty\n", me->count + other->count, empty);
}

int main(void)
{
	rounds = dt_bootarg_number("rounds", ROUNDS);
	trap_hook(VEC_EXTERNAL, external);
	sleep_init();
	if (dt_bootarg("self"))
		self();
	else if (check("there are two CPUs", ncpus > 1))
		ping_pong();
	return 0;
}
