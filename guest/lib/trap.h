/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupts. */
#ifndef GUEST_TRAP_H
#define GUEST_TRAP_H

#include "asm.h"
#include "types.h"

#define VEC_SYSTEM_RESET  0x100
#define VEC_MACHINE_CHECK 0x200
#define VEC_DATA_STORAGE  0x300
#define VEC_DATA_SEGMENT  0x380
#define VEC_INST_STORAGE  0x400
#define VEC_EXTERNAL	  0x500
#define VEC_ALIGNMENT	  0x600
#define VEC_PROGRAM	  0x700
#define VEC_DECREMENTER	  0x900
#define VEC_SYSTEM_CALL	  0xc00
#define VEC_LAST	  0x1fe0

/* All that the interrupted code had, and what the interrupt says about itself. */
struct regs {
	u64 gpr[32];
	u64 nip, msr; /* SRR0, SRR1 */
	u64 ctr, lr, xer, cr;
	u64 dar, dsisr;
	u64 vec;
};
_Static_assert(offsetof(struct regs, vec) + REGS_GPR(0) == REGS_VEC, "asm.h has other regs");
_Static_assert(sizeof(struct regs) + REGS_GPR(0) <= REGS_FRAME, "REGS_FRAME is too small");

/* Install the vectors, and have interrupts taken in the program's byte order. */
void trap_init(void);

/*
 * Have @fn called for a vector. It may change the registers; false means that it
 * could not handle this one, which is the end.
 */
void trap_hook(u32 vec, bool (*fn)(struct regs *regs));

/* Make code that was just written executable. */
void sync_icache(void *start, size_t len);

/* A pointer to low memory that the compiler does not take for NULL and offset. */
static inline void *real(u64 addr)
{
	__asm__("" : "+r"(addr));
	return (void *)addr;
}

#endif
