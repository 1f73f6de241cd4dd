/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code for the byte order that the program does not have.
 */
#include "asm.h"
#include "asm-macros.inc"

	.text

/* void other_trap(void): take a program interrupt in the other order. EE must be off. */
function other_trap
	mflr	r0
	bcl	20, 31, 1f
1:	mflr	r3
	addi	r3, r3, 2f - 1b
	mfmsr	r4
	xori	r4, r4, 1	/* MSR_LE */
	mtsrr0	r3
	mtsrr1	r4
	rfid
2:	other_endian 0x7fe00008		/* trap */
	own_endian
	mtlr	r0
	blr

/* A vector in the other order: r3 = its MSR, go on after the instruction. Takes r4. */
	.globl	other_vector, other_vector_end
other_vector:
	other_endian 0x7c6000a6		/* mfmsr r3 */
	other_endian 0x7c9a02a6		/* mfsrr0 r4 */
	other_endian 0x38840004		/* addi r4,r4,4 */
	other_endian 0x7c9a03a6		/* mtsrr0 r4 */
	other_endian 0x4c000024		/* rfid */
other_vector_end:
