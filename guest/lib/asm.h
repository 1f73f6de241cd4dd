/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What assembly needs to know: layouts shared with C (checked there with
 * _Static_assert) and the ways to cope with the wrong byte order.
 */
#ifndef GUEST_ASM_H
#define GUEST_ASM_H

/* struct cpu */
#define CPU_STACK 0

/* struct regs, and the frame that holds it: the ABI's header, then the registers */
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

#define BOOT_STACK_SIZE 16384

#ifdef __ASSEMBLER__

/*
 * Go on in the program's own byte order, whatever the CPU is in now. In the
 * right order "tdi 0,0,0x48" does nothing and the branch skips the rest. In the
 * wrong one the same four bytes are "b .+8", and the rest, which is encoded in
 * the other order, flips MSR[LE] with an rfid. Takes r10, r11, LR, SRR0, SRR1.
 */
.macro own_endian tdi 0, 0,
	0x48 b.Lown\@.long 0xa600607d	 /* mfmsr r11 */
			.long 0x01006b69 /* xori r11,r11,MSR_LE */
			.long 0x00004039 /* li r10,0 */
			.long 0x6401417d /* mtmsrd r10,1: no interrupt may take SRR0, SRR1 */
			.long 0x05009f42 /* bcl 20,31,.+4 */
			.long 0xa602487d /* mflr r10 */
			.long 0x14004a39 /* addi r10,r10,20 */
			.long 0xa6035a7d /* mtsrr0 r10 */
			.long 0xa6037b7d /* mtsrr1 r11 */
			.long 0x2400004c /* rfid */
			.Lown\
		@ :.endm

			/* An instruction that the CPU is to execute in the order which is not the
			   program's. */
			.macro other_endian insn.long((\insn & 0xff) << 24) |
		((\insn & 0xff00) << 8) | ((\insn >> 8) & 0xff00) |
		((\insn >> 24) & 0xff)
				.endm

				/* An instruction in big-endian order. */
				.macro big_endian insn.byte(\insn >> 24) &
			0xff,
	(\insn >> 16) & 0xff,
	(\insn >> 8) & 0xff, \insn & 0xff.endm

					     /* Point r2 at the TOC, wherever the program was
						placed. Takes r12 and LR. */
					     .macro load_toc bcl 20,
	31, .Ltoc\@.Ltoc\@ : mflr r12 addis r2, r12, (.TOC.-.Ltoc\@) @ha addi r2, r2,
	(.TOC.-.Ltoc\@)
		@l.endm

			.macro function name.globl	\name.type	\name,
	@function.balign 16
\name :.endm

#endif
#endif
