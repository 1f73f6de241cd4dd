// SPDX-License-Identifier: GPL-2.0-only
/*
 * reboot: a rebooted guest starts as a new one does, with its other CPUs stopped. It
 * reboots twice, then powers off; the clock, which a reboot does not touch, tells how
 * often it was here.
 */
#include "guest.h"

#define FIRST_YEAR 2100
#define REBOOTS	   2

static u64 loaded = 1, zeroed, running;

static bool hook(struct regs *regs)
{
	regs->nip += 4;
	return true;
}

static void spin(struct cpu *cpu)
{
	atomic_add(&running, 1);
	for (;;)
		cpu->count++;
}

static bool others_are_stopped(void)
{
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu() && cpu_state(cpus[i].server) != CPU_STOPPED)
			return false;
	return true;
}

/* Leave all that a reset has to undo: vectors, decrementer, running CPUs. */
static void make_a_mess(void)
{
	int i;

	trap_hook(VEC_PROGRAM, hook);
	__asm__ volatile("trap" ::: "memory");
	set_decrementer(0);
	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			cpu_start(&cpus[i], spin, 0);
	wait_for(&running, (u64)ncpus - 1);
}

int main(void)
{
	struct rtas_time t;
	u32 boots;

	if (rtas_get_time(&t))
		return 1;
	boots = t.year < FIRST_YEAR ? 0 : t.year - FIRST_YEAR + 1;
	printf("boot %u\n", boots);
	if (loaded != 1 || zeroed != 0) {
		printf("not ok - the image was not loaded anew\n");
		return 1;
	}
	if (!others_are_stopped()) {
		printf("not ok - a CPU was left running\n");
		return 1;
	}
	loaded = 2;
	zeroed = 1;
	if (boots == REBOOTS) {
		printf("rebooted %u times\n", boots);
		return 0;
	}
	make_a_mess();
	t.year = FIRST_YEAR + boots;
	t.month = t.day = 1;
	if (rtas_set_time(&t))
		return 1;
	rtas_reboot();
}
