// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: what makes state between the calls: accesses to memory, real and translated,
 * interrupts, processors that stop and start.
 *
 * LOCKING: a CPU that stops says so first (fuzzer.stopped); any number of others may try to
 * start it then, of which RTAS lets one.
 */
#include "fuzz.h"

/* vectors.S */
extern u32 fuzz_vector[], fuzz_vector_end[], fuzz_fault[], fuzz_fault_end[];

#define EXTERNALS 4 /* taken in a row */

static bool storage(struct regs *regs)
{
	this_fuzzer()->faults++;
	regs->nip += 4;
	return true;
}

static bool system_reset(struct regs *regs)
{
	(void)regs;
	this_fuzzer()->resets++;
	return true;
}

static bool decrementer(struct regs *regs)
{
	(void)regs;
	this_fuzzer()->interrupts++;
	set_decrementer(0x7fffffff);
	return true;
}

/* As an operating system would, but for one that nothing ends: interrupts stay off then. */
static bool external(struct regs *regs)
{
	struct fuzzer *f = this_fuzzer();
	u32 n, xirr = 1;

	f->interrupts++;
	for (n = 0; n < EXTERNALS; n++) {
		xirr = xics_accept();
		if (!XIRR_SOURCE(xirr))
			break;
		if (XIRR_SOURCE(xirr) == XICS_IPI)
			xics_ipi(this_cpu()->server, XICS_PRI_ALL);
		xics_end(xirr);
	}
	regs->msr &= ~MSR_EE;
	return true;
}

/*
 * Calls turn the byte order in which interrupts come. In the wrong one the vector's own code
 * is "b .+8" and what follows in the other order, which lets the interrupted code go on with
 * interrupts off, and behind the instruction if that was at fault.
 */
static void both_orders(u32 vec, const u32 *other, const u32 *end)
{
	u32 *code = real(vec), own[8], n = (u32)(end - other);

	memcpy(own, code, sizeof(own));
	code[0] = 0x08000048; /* tdi 0,0,0x48 */
	/* b .+4*(2+n), to where the vector's own code is now */
	code[1] = 0x48000000 | 4 * (1 + n);
	memcpy(code + 2, other, n * sizeof(u32));
	memcpy(code + 2 + n, own, sizeof(own));
}

void acts_init(void)
{
	static const u16 faults[] = {VEC_DATA_STORAGE, VEC_DATA_SEGMENT, VEC_ALIGNMENT,
				     VEC_MACHINE_CHECK};
	static const u16 others[] = {VEC_SYSTEM_RESET, VEC_EXTERNAL, VEC_DECREMENTER};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		trap_hook(faults[i], storage);
		both_orders(faults[i], fuzz_fault, fuzz_fault_end);
	}
	trap_hook(VEC_SYSTEM_RESET, system_reset);
	trap_hook(VEC_EXTERNAL, external);
	trap_hook(VEC_DECREMENTER, decrementer);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		both_orders(others[i], fuzz_vector, fuzz_vector_end);
	sync_icache(real(0), 0x1000);
	set_decrementer(0x7fffffff);
}

static void take_interrupts(struct fuzzer *f)
{
	set_decrementer(below(f, 2000));
	irq_on();
	delay_us(below(f, 4));
	irq_off();
	set_decrementer(0x7fffffff);
}

static void touch_real(struct fuzzer *f)
{
	u64 address = guard_rubbish(draw_address(f) & ~7ul), v;

	f->accesses++;
	if (one_in(f, 2))
		__asm__ volatile("ld %0,0(%1)" : "=&r"(v) : "b"(address) : "memory");
	else
		__asm__ volatile("std %0,0(%1)" ::"r"(0), "b"(address) : "memory");
}

static void touch_translated(struct fuzzer *f)
{
	u64 value, ea = FUZZ_EA | below(f, FUZZ_PAGES) << 12;

	f->accesses++;
	if (one_in(f, 2))
		hpt_load(ea, &value);
	else
		hpt_store(ea, 0);
}

void start_stopped(struct fuzzer *f)
{
	u64 n = below(f, (u64)nfuzzers);
	struct cpu *cpu = &cpus[n];

	if (!atomic_get(&fuzzers[n].stopped) || cpu_state(cpu->server) != CPU_STOPPED)
		return;
	if (!cpu_start(cpu, fuzz_cpu, n))
		f->restarts++;
}

/* Other processors than the first end their run here, and go on with it when started. */
static void stop_self(struct fuzzer *f)
{
	if (this_cpu()->server == dt_boot_server())
		return;
	f->index++;
	atomic_set(&f->stopped, 1);
	cpu_stop();
}

void act(struct fuzzer *f)
{
	switch (below(f, 16)) {
	case 0:
	case 1:
	case 2:
	case 3:
		take_interrupts(f);
		break;
	case 4:
	case 5:
	case 6:
	case 7:
		touch_translated(f);
		break;
	case 8:
		if (set.may_stop)
			stop_self(f);
		break;
	case 9:
	case 10:
		if (set.may_stop)
			start_stopped(f);
		break;
	default:
		touch_real(f);
	}
}
