/* SPDX-License-Identifier: GPL-2.0-only */
/* Layouts that C and assembly share; C checks them with _Static_assert. */
#ifndef GUEST_ASM_H
#define GUEST_ASM_H

/* struct cpu */
#define CPU_STACK 0

/* struct regs, in a frame: the ABI's header, then the registers */
#define REGS_GPR(n) (32 + 8 * (n))
#define REGS_NIP    REGS_GPR(32)
#define REGS_MSR    REGS_GPR(33)
#define REGS_CTR    REGS_GPR(34)
#define REGS_LR	    REGS_GPR(35)
#define REGS_XER    REGS_GPR(36)
#define REGS_CR	    REGS_GPR(37)
#define REGS_DAR    REGS_GPR(38)
#define REGS_DSISR  REGS_GPR(39)
#define REGS_VEC    REGS_GPR(40)
#define REGS_FRAME  368

/* The ELFv2 ABI lets a function use 512 bytes below its stack pointer. */
#define RED_ZONE 512

/* Where the vectors find the address of trap_entry: real, below the first vector. */
#define TRAP_ENTRY_PTR 0x60

/* Bits of extended_lost(), behind those of call_checked() */
#define EXTENDED_VSX	32
#define EXTENDED_TAR	33
#define EXTENDED_DSCR	34
#define EXTENDED_VRSAVE 35

#define BOOT_STACK_SIZE 16384

#endif
