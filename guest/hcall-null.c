// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-null: what one exit costs. Prints for two kinds of hypercall, and for the
 * loop around them, "hcall-null: NAME ticks N calls N ns-per-call N". Under --icount
 * an emulated nanosecond is one instruction.
 */
#include "guest.h"

#define CALLS 10000

/* A number that neither the kernel nor the monitor knows: answered by the monitor. */
#define H_UNASSIGNED 0x4fc

/* sc 1 with nothing around it, or nothing at all. */
#define LOOP(insn, token)                                                                          \
	do {                                                                                       \
		u64 i, last = 0;                                                                   \
		for (i = 0; i < CALLS; i++) {                                                      \
			register u64 r3 __asm__("r3") = (token);                                   \
			register u64 r4 __asm__("r4") = this_cpu()->server;                        \
			__asm__ volatile(insn                                                      \
					 : "+r"(r3), "+r"(r4)::"r0", "r5", "r6", "r7", "r8", "r9", \
					   "r10", "r11", "r12", "ctr", "xer", "cr0", "cr1", "cr5", \
					   "cr6", "cr7", "memory");                                \
			last = r3;                                                                 \
		}                                                                                  \
		rc = (long)last;                                                                   \
	} while (0)

static void report(const char *name, u64 ticks)
{
	printf("hcall-null: %s ticks %lu calls %d ns-per-call %lu\n", name, ticks, CALLS,
	       ticks * 1000000000 / timebase_frequency() / CALLS);
}

int main(void)
{
	u64 start;
	long rc;

	start = timebase();
	LOOP("nop", 0);
	report("empty", timebase() - start);

	start = timebase();
	LOOP("sc 1", H_UNASSIGNED);
	report("unknown", timebase() - start);
	check_eq("the monitor knows no such hypercall", rc, H_FUNCTION);

	start = timebase();
	LOOP("sc 1", H_PROD);
	report("kernel", timebase() - start);
	check_eq("H_PROD of this CPU", rc, H_SUCCESS);
	return 0;
}
