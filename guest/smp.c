// SPDX-License-Identifier: GPL-2.0-only
/*
 * smp: all CPUs start, run at once, stop and start again, as often as one likes; the
 * stopped state is told right, and what cannot be started is refused.
 */
#include "guest.h"

#define ROUNDS 4

static u64 running, release, traps;

static bool count_trap(struct regs *regs)
{
	atomic_add(&traps, 1);
	regs->nip += 4;
	return true;
}

static void secondary(struct cpu *cpu)
{
	printf("server %u: up, round %lu\n", cpu->server, cpu->arg);
	__asm__ volatile("trap" ::: "memory");
	atomic_add(&running, 1);
	wait_for(&release, cpu->arg);
	atomic_add(&cpu->count, 1);
}

/* The worst answer of query-cpu-stopped-state for all CPUs but this one. */
static bool all_others_are(int state)
{
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu() && !cpu_wait_state(&cpus[i], state))
			return false;
	return true;
}

static bool start_all(u64 round)
{
	bool ok = true;
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			ok &= cpu_start(&cpus[i], secondary, round) == 0;
	return ok;
}

static bool start_again_is_refused(void)
{
	int i;

	for (i = 0; i < ncpus; i++)
		if (cpu_start_server(cpus[i].server, &cpus[i]) == 0)
			return false;
	return true;
}

static bool entered_right(void)
{
	/* own_endian left RI off, and LE as the program has it. */
	u64 msr = MSR_SF | MSR_ME | (LITTLE_ENDIAN ? MSR_LE : 0);
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu() && (cpus[i].start_msr & ~MSR_RI) != msr)
			return false;
	return true;
}

static void test_round(u64 round)
{
	u64 others = (u64)ncpus - 1;

	running = traps = 0;
	check("all others are stopped", all_others_are(CPU_STOPPED));
	check("start-cpu takes each of them", start_all(round));
	check("all of them run", wait_for(&running, others));
	check("entered with MSR SF and ME", entered_right());
	check("their interrupts arrive in the program's byte order", traps == others);
	check("they are told as running", all_others_are(CPU_RUNNING));
	check("a running CPU cannot be started", start_again_is_refused());
	atomic_set(&release, round);
}

static void test_bad_servers(void)
{
	u32 max = 0;
	int i;

	for (i = 0; i < ncpus; i++)
		max = cpus[i].server > max ? cpus[i].server : max;
	check_eq("this CPU is told as running", cpu_state(this_cpu()->server), CPU_RUNNING);
	check_eq("start-cpu: server beyond the last", cpu_start_server(max + 1, this_cpu()),
		 RTAS_PARAM_ERROR);
	check_eq("start-cpu: server 0xffffffff", cpu_start_server(~0u, this_cpu()),
		 RTAS_PARAM_ERROR);
	check_eq("query: server beyond the last", cpu_state(max + 1), RTAS_PARAM_ERROR);
	check_eq("query: server 0xffffffff", cpu_state(~0u), RTAS_PARAM_ERROR);
}

int main(void)
{
	u64 round;
	int i;

	printf("%d cpus, booted on server %u\n", ncpus, this_cpu()->server);
	trap_hook(VEC_PROGRAM, count_trap);
	test_bad_servers();
	for (round = 1; ncpus > 1 && round <= ROUNDS; round++)
		test_round(round);
	check("all others are stopped at the end", all_others_are(CPU_STOPPED));
	for (i = 0; ncpus > 1 && i < ncpus; i++)
		if (&cpus[i] != this_cpu() && cpus[i].count != ROUNDS)
			break;
	check("each ran in each round", ncpus == 1 || i == ncpus);
	return 0;
}
