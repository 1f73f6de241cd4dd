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

/* What an act was answered is told and compared as that of a drawn call is. */
static void answered(struct fuzzer *f, u64 value)
{
	if (set.agree)
		agree_add(f, value);
	if (set.trace)
		printf("hcall-fuzz: answer index=%lu act=%lx digest=%016lx\n", f->index, value,
		       f->digest);
}

/* As an operating system would. */
static void accept_some(struct fuzzer *f)
{
	u32 n, xirr;

	for (n = 0; n < EXTERNALS; n++) {
		xirr = xics_accept();
		answered(f, xirr);
		if (!XIRR_SOURCE(xirr))
			break;
		f->interrupts++;
		if (XIRR_SOURCE(xirr) == XICS_IPI) {
			xics_ipi(this_cpu()->server, XICS_PRI_ALL);
			f->mfrr = XICS_PRI_ALL;
		}
		xics_end(xirr);
	}
}

/* One that nothing ends comes back: interrupts stay off then. */
static bool external(struct regs *regs)
{
	accept_some(this_fuzzer());
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
	/* When one comes is a matter of time; what waits is not. */
	if (set.agree) {
		accept_some(f);
		return;
	}
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

/* A terminal that loops interrupts when it has something to read. */
static void use_terminal(struct fuzzer *f)
{
	u32 unit = draw_tty(f);
	char buf[16];

	if (unit == ~0u)
		return;
	if (one_in(f, 3))
		answered(f, (u64)term_get(unit, buf));
	else
		answered(f, (u64)term_put(unit, "fuzz", 1 + below(f, 4)));
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

/* All processors take interrupts in that byte order from now on. */
static void turn_order(struct fuzzer *f)
{
	answered(f, (u64)hcall(H_SET_MODE, below(f, 2), H_SET_MODE_RESOURCE_LE));
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
		use_terminal(f);
		break;
	case 10:
		if (set.may_stop)
			start_stopped(f);
		break;
	case 11:
		turn_order(f);
		break;
	default:
		touch_real(f);
	}
}
