// SPDX-License-Identifier: GPL-2.0-only
/*
 * reboot: a rebooted guest starts as a new one does. It reboots twice, then powers
 * off; the clock, which a reboot does not touch, tells how often it was here.
 */
#include "guest.h"

#define FIRST_YEAR 2100
#define REBOOTS	   2

static u64 loaded = 1, zeroed;

static bool hook(struct regs *regs)
{
	regs->nip += 4;
	return true;
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
	loaded = 2;
	zeroed = 1;
	if (boots == REBOOTS) {
		printf("rebooted %u times\n", boots);
		return 0;
	}
	/* Leave all that a reset has to undo: byte order, decrementer, running CPUs. */
	trap_hook(VEC_PROGRAM, hook);
	__asm__ volatile("trap" ::: "memory");
	set_decrementer(0);
	t.year = FIRST_YEAR + boots;
	t.month = t.day = 1;
	if (rtas_set_time(&t))
		return 1;
	rtas_reboot();
}
