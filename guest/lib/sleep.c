// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING: none. Interrupts are off between the look at *@what and H_CEDE, which does
 * not sleep when one is pending: no IPI goes unseen into a sleep. What other CPUs do
 * without an IPI is seen when the decrementer has run out.
 */
#include "sleep.h"
#include "cpu.h"
#include "hcall.h"
#include "trap.h"

/* Parts of a second: how often to look, and how long in all. */
#define LOOKS_PER_SECOND 200
#define PATIENCE	 10

/* It only ends a sleep; the next one sets it anew. */
static bool decrementer(struct regs *regs)
{
	(void)regs;
	set_decrementer(0x7fffffff);
	return true;
}

void sleep_init(void)
{
	trap_hook(VEC_DECREMENTER, decrementer);
	set_decrementer(0x7fffffff);
}

bool sleep_until(u64 *what, u64 value)
{
	u64 start = timebase(), second = timebase_frequency();

	irq_off();
	while (atomic_get(what) < value) {
		if (timebase() - start > PATIENCE * second)
			return false;
		set_decrementer(second / LOOKS_PER_SECOND);
		hcall(H_CEDE);
		irq_off();
	}
	return true;
}
