// SPDX-License-Identifier: GPL-2.0-only
/*
 * vectors: interrupts arrive at their vectors, in the byte order that H_SET_MODE set
 * for all CPUs, whatever order the interrupted code had.
 */
#include "guest.h"

#define SRR1_TRAP    0x20000
#define SRR1_ILLEGAL 0x80000

void other_trap(void);
extern u32 other_vector[], other_vector_end[];

static struct regs seen;
static u64 hits, handler_msr;

static bool record(struct regs *regs)
{
	seen = *regs;
	handler_msr = mfmsr();
	hits++;
	return true;
}

static bool record_and_skip(struct regs *regs)
{
	record(regs);
	regs->nip += 4;
	return true;
}

/* Trap with r3 = 0; what the vector left in r3. */
static u64 trap_r3(void)
{
	u64 v;

	__asm__ volatile("li 3,0; trap; mr %0,3" : "=r"(v)::"r3", "r4", "memory");
	return v;
}

static void test_kinds(void)
{
	hits = 0;
	trap_r3();
	check("trap gives a program interrupt", hits == 1 && seen.msr & SRR1_TRAP);
	check_eq("its handler has SF, own LE, ME as before, no EE, no RI", (long)handler_msr,
		 (long)(MSR_SF | (mfmsr() & MSR_ME) | (LITTLE_ENDIAN ? MSR_LE : 0)));
	__asm__ volatile(".long 0");
	check("so does an illegal instruction", hits == 2 && seen.msr & SRR1_ILLEGAL);
	__asm__ volatile("sc 0" ::: "memory");
	check("sc gives a system call interrupt", hits == 3 && seen.vec == VEC_SYSTEM_CALL);
	irq_on();
	set_decrementer(0);
	wait_for(&hits, 4);
	irq_off();
	check("the decrementer interrupts", seen.vec == VEC_DECREMENTER && seen.msr & MSR_EE);
}

static bool stop_decrementer(struct regs *regs)
{
	set_decrementer(0x7fffffff);
	return record(regs);
}

static void test_other_code(void)
{
	hits = 0;
	other_trap();
	check("code in the other order is interrupted", hits == 1 && seen.vec == VEC_PROGRAM);
	check("and SRR1 tells its order", (seen.msr & MSR_LE) == (LITTLE_ENDIAN ? 0 : MSR_LE));
}

static void test_set_mode_errors(void)
{
	check("H_SET_MODE refuses unknown flags", hcall(H_SET_MODE, 7, H_SET_MODE_RESOURCE_LE));
	check("H_SET_MODE refuses an unknown resource", hcall(H_SET_MODE, 0, 99));
	check("H_SET_MODE refuses values with LE",
	      hcall(H_SET_MODE, LITTLE_ENDIAN, H_SET_MODE_RESOURCE_LE, 1, 1));
	hits = 0;
	trap_r3();
	check("and no refusal changed a thing", hits == 1);
}

static u64 turn, other_msr;

static void other_cpu(struct cpu *cpu)
{
	wait_for(&turn, 1);
	other_msr = trap_r3();
	atomic_add(&cpu->count, 1);
	wait_for(&turn, 2);
	trap_r3();
	atomic_add(&cpu->count, 1);
}

/* Turn the byte order of interrupts around, with a vector to match, and back. */
static void test_set_mode(void)
{
	u32 saved[8], *vector = real(VEC_PROGRAM);
	u64 other_le = LITTLE_ENDIAN ? 0 : MSR_LE, msr;
	struct cpu *cpu = NULL;

	if (ncpus > 1) {
		cpu = this_cpu() == &cpus[0] ? &cpus[1] : &cpus[0];
		check_eq("another CPU starts", cpu_start(cpu, other_cpu, 0), 0);
	}
	memcpy(saved, vector, sizeof(saved));
	memcpy(vector, other_vector, (u64)other_vector_end - (u64)other_vector);
	sync_icache(vector, sizeof(saved));
	check_eq("H_SET_MODE to the other order", hcall(H_SET_MODE, !LITTLE_ENDIAN, 4), 0);
	msr = trap_r3();
	check("interrupts are taken in it", msr && (msr & MSR_LE) == other_le);
	atomic_set(&turn, 1);
	if (cpu)
		check("on the other CPU too",
		      wait_for(&cpu->count, 1) && other_msr && (other_msr & MSR_LE) == other_le);
	memcpy(vector, saved, sizeof(saved));
	sync_icache(vector, sizeof(saved));
	check_eq("H_SET_MODE back", hcall(H_SET_MODE, LITTLE_ENDIAN, 4), 0);
	hits = 0;
	trap_r3();
	check("interrupts are taken as before", hits == 1);
	atomic_set(&turn, 2);
	if (cpu)
		check("on the other CPU too", wait_for(&cpu->count, 2) && hits == 2);
}

int main(void)
{
	trap_hook(VEC_PROGRAM, record_and_skip);
	trap_hook(VEC_SYSTEM_CALL, record);
	trap_hook(VEC_DECREMENTER, stop_decrementer);
	check("entered with ME on, EE off", (mfmsr() & (MSR_ME | MSR_EE)) == MSR_ME);
	test_kinds();
	test_other_code();
	test_set_mode_errors();
	test_set_mode();
	return 0;
}
