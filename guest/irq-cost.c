// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq-cost: what a call of the interrupt controller costs, on one CPU with interrupts off; the
 * others are never started. "rounds=N" times each: `cppr`, H_CPPR that changes nothing; `ipi`,
 * H_IPI to the CPU that the tree has last, which takes back what there is not; and with terminals
 * that loop (--tty loop) `eoi`, H_EOI of an interrupt of the first, and `resend`, H_CPPR that lets
 * interrupts in while those of all terminals wait. Prints "irq-cost: NAME ticks N rounds N".
 * Under --icount a tick of the timebase is 1000/512 instructions.
 */
#include "guest.h"

#define ROUNDS	 1000
#define TERMS	 15
#define PRIORITY 5

static struct term terms[TERMS];
static u32 nterms;
static u64 rounds;

static void report(const char *name, u64 ticks)
{
	printf("irq-cost: %s ticks %lu rounds %lu\n", name, ticks, rounds);
}

static u64 timed_cppr(u32 priority)
{
	u64 start = timebase();

	xics_set_cppr(priority);
	return timebase() - start;
}

static u64 timed_end(u32 xirr)
{
	u64 start = timebase();

	xics_end(xirr);
	return timebase() - start;
}

static void cppr(void)
{
	u64 i, ticks = 0;

	xics_set_cppr(XICS_PRI_ALL);
	for (i = 0; i < rounds; i++)
		ticks += timed_cppr(XICS_PRI_ALL);
	report("cppr", ticks);
}

static void ipi(void)
{
	u64 i, server = cpus[ncpus - 1].server, start, ticks = 0;

	for (i = 0; i < rounds; i++) {
		start = timebase();
		xics_ipi(server, XICS_PRI_ALL);
		ticks += timebase() - start;
	}
	report("ipi", ticks);
}

/* Read what came back to the terminal of @source. */
static void drain(u32 source)
{
	char buf[16];
	u32 i;

	for (i = 0; i < nterms; i++)
		while (terms[i].source == source && term_get(terms[i].unit, buf) > 0)
			;
}

/* Accept and end all that is pending; how many, and in @ticks the time of their H_EOI. */
static u64 take_all(u64 *ticks)
{
	u64 n = 0;
	u32 xirr;

	while (XIRR_SOURCE(xirr = xics_accept())) {
		drain(XIRR_SOURCE(xirr));
		*ticks += timed_end(xirr);
		n++;
	}
	return n;
}

/* The first terminals' interrupts, so many, all wait until CPPR lets them in. */
static void resend(const char *name, u32 waiting)
{
	u64 i, eoi = 0, ticks = 0, taken = 0;
	u32 t;

	for (i = 0; i < rounds; i++) {
		xics_set_cppr(0);
		for (t = 0; t < waiting; t++)
			term_put(terms[t].unit, "x", 1);
		ticks += timed_cppr(XICS_PRI_ALL);
		taken += take_all(&eoi);
	}
	check_eq("each interrupt came once", (long)taken, (long)(rounds * waiting));
	report(name, ticks);
	if (waiting == 1)
		report("eoi", eoi);
}

int main(void)
{
	u32 self = this_cpu()->server, t;

	rounds = dt_bootarg_number("rounds", ROUNDS);
	nterms = term_find(terms, TERMS);
	for (t = 0; t < nterms; t++)
		rtas_call("ibm,set-xive", 3, 1, NULL, terms[t].source, self, PRIORITY);
	cppr();
	ipi();
	if (nterms)
		resend("resend-1", 1);
	if (nterms > 1)
		resend("resend-all", nterms);
	return 0;
}
