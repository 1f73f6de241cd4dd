// SPDX-License-Identifier: GPL-2.0-only
/*
 * intr: IPIs through the XICS hypercalls, polled and as interrupts, from this CPU and
 * from others; CPPR holds them back; H_CEDE sleeps until one or the decrementer comes.
 * With "kernel-xics" among the boot arguments it leaves out what KVM's own interrupt
 * controllers get wrong: they take servers modulo 2^32 ("wide-server" looks at that all the
 * same), and over XIVE H_IPOLL gives no MFRR.
 */
#include "guest.h"

#define PRIORITY 4
#define IPIS	 1000

static u64 decrementers;
static bool kernel_xics;

/* Answer an IPI: take the request back, count, end. */
static bool external(struct regs *regs)
{
	u32 xirr = xics_accept();

	(void)regs;
	if (XIRR_SOURCE(xirr) == 0)
		return true;
	if (XIRR_SOURCE(xirr) != XICS_IPI)
		return false;
	xics_ipi(this_cpu()->server, XICS_PRI_ALL);
	atomic_add(&this_cpu()->count, 1);
	xics_end(xirr);
	return true;
}

static bool decrementer(struct regs *regs)
{
	(void)regs;
	set_decrementer(0x7fffffff);
	decrementers++;
	return true;
}

/* Nothing requested, everything accepted, whatever was tried before. */
static void reset_presenter(void)
{
	xics_ipi(this_cpu()->server, XICS_PRI_ALL);
	xics_set_cppr(XICS_PRI_ALL);
	this_cpu()->count = 0;
}

static void test_polled(void)
{
	u32 self = this_cpu()->server, mfrr, xirr;

	reset_presenter();
	check_eq("H_CPPR", xics_set_cppr(XICS_PRI_ALL), 0);
	check_eq("H_XIRR with nothing pending", xics_accept(), 0xff000000);
	check_eq("H_IPI", xics_ipi(self, PRIORITY), 0);
	xirr = xics_poll(self, &mfrr);
	check_eq("H_IPOLL sees it", XIRR_SOURCE(xirr), XICS_IPI);
	if (!kernel_xics)
		check_eq("and its priority", mfrr, PRIORITY);
	xirr = xics_accept();
	check_eq("H_XIRR accepts it", xirr, 0xff000000 | XICS_IPI);
	check_eq("once", XIRR_SOURCE(xics_accept()), 0);
	xics_ipi(self, XICS_PRI_ALL);
	check_eq("H_EOI", xics_end(xirr), 0);
	check_eq("H_EOI restored CPPR", xics_accept(), 0xff000000);

	xics_set_cppr(PRIORITY);
	xics_ipi(self, PRIORITY);
	check_eq("CPPR holds back an equal priority", xics_accept(), PRIORITY << 24);
	xics_ipi(self, PRIORITY - 1);
	xirr = xics_accept();
	check_eq("but no better one", xirr, PRIORITY << 24 | XICS_IPI);
	check_eq("CPPR is now that", xics_accept(), (PRIORITY - 1) << 24);
	xics_end(xirr);
	xirr = xics_accept();
	check_eq("an IPI not taken back comes again", xirr, PRIORITY << 24 | XICS_IPI);
	xics_ipi(self, XICS_PRI_ALL);
	xics_end(xirr);
	xics_set_cppr(XICS_PRI_ALL);
	check_eq("and not when it was", xics_accept(), 0xff000000);
}

static void test_errors(void)
{
	u32 xirr;

	check_eq("H_IPI: server 0xffffffff", xics_ipi(0xffffffff, PRIORITY), H_PARAMETER);
	if (!kernel_xics || dt_bootarg("wide-server"))
		check_eq("H_IPI: server 2^32", xics_ipi(1ul << 32, PRIORITY), H_PARAMETER);
	check_eq("H_IPOLL: server 0xffffffff", hcall(H_IPOLL, 0xffffffff), H_PARAMETER);
	check_eq("H_EOI: unknown source", xics_end(0xffffffff), H_PARAMETER);
	xirr = xics_accept();
	check_eq("none of them left anything pending", xirr, 0xff000000);
	if (XIRR_SOURCE(xirr))
		xics_end(xirr);
}

static void test_interrupt(void)
{
	u64 i;

	reset_presenter();
	xics_ipi(this_cpu()->server, PRIORITY);
	delay_us(1000);
	check_eq("no interrupt while EE is off", (long)this_cpu()->count, 0);
	irq_on();
	check("one when it goes on", wait_for(&this_cpu()->count, 1));
	for (i = 2; i <= IPIS; i++) {
		xics_ipi(this_cpu()->server, PRIORITY);
		if (!wait_for(&this_cpu()->count, i))
			break;
	}
	irq_off();
	check_eq("a thousand IPIs arrive", (long)this_cpu()->count, IPIS);
}

static void test_decrementer(void)
{
	u64 start = timebase(), ticks = timebase_frequency() / 100;

	decrementers = 0;
	set_decrementer(ticks);
	irq_on();
	check("the decrementer interrupts", wait_for(&decrementers, 1));
	check("not too early", timebase() - start >= ticks);
	start = timebase();
	irq_off();
	set_decrementer(ticks);
	while (decrementers == 1 && timebase() - start < 10ul * timebase_frequency()) {
		hcall(H_CEDE);
		irq_off();
	}
	check_eq("H_CEDE wakes for the decrementer", (long)decrementers, 2);
	check("not too early", timebase() - start >= ticks);
}

static u64 ready, done;

/* Sleep, and answer each IPI with one to the CPU whose number is the argument. */
static void answer(struct cpu *cpu)
{
	u64 seen = 0;

	reset_presenter();
	atomic_add(&ready, 1);
	while (!atomic_get(&done)) {
		/* Comes back with EE on; off again, so that no IPI goes unseen into a sleep. */
		hcall(H_CEDE);
		irq_off();
		if (atomic_get(&cpu->count) != seen) {
			seen++;
			xics_ipi(cpu->arg, PRIORITY);
		}
	}
}

/* One IPI there and one back, many times. */
static bool ping_pong(struct cpu *cpu)
{
	u64 i;

	for (i = 1; i <= IPIS; i++) {
		this_cpu()->count = 0;
		xics_ipi(cpu->server, PRIORITY);
		if (!wait_for(&this_cpu()->count, 1))
			break;
	}
	if (i > IPIS)
		return true;
	printf("# server %u: stuck at IPI %lu\n", cpu->server, i);
	return false;
}

static void test_others(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			cpu_start(&cpus[i], answer, this_cpu()->server);
	check("the other CPUs start", wait_for(&ready, (u64)ncpus - 1));
	irq_on();
	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			ok &= ping_pong(&cpus[i]);
	check("IPIs wake each of them, and they answer", ok);
	irq_off();
	atomic_set(&done, 1);
	for (i = 0; i < ncpus; i++) {
		if (&cpus[i] == this_cpu())
			continue;
		xics_ipi(cpus[i].server, PRIORITY);
		ok &= cpu_wait_state(&cpus[i], CPU_STOPPED);
	}
	check("and they stop", ok);
}

int main(void)
{
	trap_hook(VEC_EXTERNAL, external);
	trap_hook(VEC_DECREMENTER, decrementer);
	set_decrementer(0x7fffffff);
	kernel_xics = dt_bootarg("kernel-xics");
	test_polled();
	test_errors();
	test_interrupt();
	test_decrementer();
	if (ncpus > 1)
		test_others();
	return 0;
}
