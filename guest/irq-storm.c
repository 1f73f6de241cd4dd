// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq-storm: every CPU interrupts every other at once, "rounds=N" times. A round is a
 * request to each of the others, left in its letterbox and told by an IPI, which answers
 * with an acknowledgement and an IPI back; the next round begins when all have come. So
 * several senders meet in one MFRR, with different priorities, and one IPI that is lost
 * stops its round.
 *
 * LOCKING: letterboxes and counts are atomic. A CPU empties its letterboxes after it has
 * taken its request back (H_IPI 0xff): what is put there later comes with a new IPI.
 */
#include "guest.h"

#define ROUNDS		200
#define CPUS		8
#define MOST_PRIORITIES 4

/* By receiver and sender. */
static struct {
	u64 request, acknowledgement;
} boxes[CPUS][CPUS];

/* By sender. */
static u64 sent[CPUS], acknowledged[CPUS];

static u64 rounds, ready, finished, stuck;
static u64 ticks; /* from when all are ready until all are done */
static u64 received, interrupts, empty;

static int number(const struct cpu *cpu)
{
	return (int)(cpu - cpus);
}

/* Each sender has a priority of its own, as far as there are enough. */
static void tell(int to, int from)
{
	xics_ipi(cpus[to].server, 1 + (u32)from % MOST_PRIORITIES);
}

static bool take(u64 *letter)
{
	return __atomic_exchange_n(letter, 0, __ATOMIC_SEQ_CST);
}

static void empty_boxes(int me)
{
	int from;

	for (from = 0; from < ncpus; from++) {
		if (take(&boxes[me][from].request)) {
			atomic_add(&received, 1);
			atomic_set(&boxes[from][me].acknowledgement, 1);
			tell(from, me);
		}
		if (take(&boxes[me][from].acknowledgement))
			atomic_add(&acknowledged[me], 1);
	}
}

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
	atomic_add(&interrupts, 1);
	xics_ipi(this_cpu()->server, XICS_PRI_ALL);
	empty_boxes(number(this_cpu()));
	xics_end(xirr);
	return true;
}

static void send_round(int me)
{
	int to;

	for (to = 0; to < ncpus; to++) {
		if (to == me)
			continue;
		atomic_set(&boxes[to][me].request, 1);
		atomic_add(&sent[me], 1);
		tell(to, me);
		/* Let what others send come in between. */
		irq_on();
		irq_off();
	}
}

/* One more has finished; the last wakes those who wait for it. */
static void finish_rounds(int me)
{
	int to;

	if (atomic_add(&finished, 1) < (u64)ncpus)
		return;
	for (to = 0; to < ncpus; to++)
		if (to != me)
			tell(to, me);
}

static void storm(struct cpu *cpu)
{
	int me = number(cpu);
	u64 i, began, others = (u64)ncpus - 1;

	xics_ipi(cpu->server, XICS_PRI_ALL);
	xics_set_cppr(XICS_PRI_ALL);
	atomic_add(&ready, 1);
	wait_for(&ready, (u64)ncpus);
	began = timebase();
	for (i = 1; i <= rounds; i++) {
		send_round(me);
		if (!sleep_until(&acknowledged[me], i * others)) {
			printf("# server %u: round %lu: %lu of %lu acknowledged\n", cpu->server, i,
			       acknowledged[me], i * others);
			atomic_add(&stuck, 1);
			break;
		}
	}
	finish_rounds(me);
	/* The others may still want acknowledgements. */
	sleep_until(&finished, (u64)ncpus);
	if (me == 0)
		ticks = timebase() - began;
}

static bool start_others(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			ok &= cpu_start(&cpus[i], storm, 0) == 0;
	return ok;
}

static bool others_stop(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			ok &= cpu_wait_state(&cpus[i], CPU_STOPPED);
	return ok;
}

static void check_counts(void)
{
	u64 all = rounds * (u64)ncpus * ((u64)ncpus - 1), out = 0, back = 0;
	int i;

	for (i = 0; i < ncpus; i++) {
		out += sent[i];
		back += acknowledged[i];
	}
	printf("irq-storm: %d cpus %lu rounds: %lu sent %lu received %lu acknowledged, "
	       "%lu interrupts %lu empty\n",
	       ncpus, rounds, out, received, back, interrupts, empty);
	printf("irq-storm: %lu ticks %lu ipis\n", ticks, 2 * all);
	check_eq("all requests were sent", (long)out, (long)all);
	check_eq("each was received", (long)received, (long)all);
	check_eq("and acknowledged", (long)back, (long)all);
	check("no more interrupts than IPIs", interrupts <= 2 * all + (u64)ncpus);
	check("nor more without anything behind them", empty <= 2 * all + (u64)ncpus);
}

int main(void)
{
	rounds = dt_bootarg_number("rounds", ROUNDS);
	trap_hook(VEC_EXTERNAL, external);
	sleep_init();
	if (!check("there are 2 to 8 CPUs", ncpus >= 2 && ncpus <= CPUS))
		return 0;
	check("the other CPUs start", start_others());
	storm(this_cpu());
	check("the other CPUs stop", others_stop());
	check_eq("no CPU waited in vain", (long)stuck, 0);
	check_counts();
	return 0;
}
