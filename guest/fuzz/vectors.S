/* SPDX-License-Identifier: GPL-2.0-only */
/* hcall-fuzz: interrupts in the byte order that the program does not have. */
#include "asm.h"
#include "asm-macros.inc"

	.text

	/* Go on with interrupts off. */
	.macro	leave
	other_endian 0x7c7b02a6		/* mfsrr1 r3 */
	other_endian 0x78638042		/* rldicl r3,r3,48,1: EE first, and gone */
	other_endian 0x78638000		/* rldicl r3,r3,16,0 */
	other_endian 0x7c7b03a6		/* mtsrr1 r3 */
	other_endian 0x7c7042a6		/* mfsprg r3,0 */
	other_endian 0x4c000024		/* rfid */
	.endm

	.globl	fuzz_vector, fuzz_vector_end, fuzz_fault, fuzz_fault_end
fuzz_vector:
	other_endian 0x7c7043a6		/* mtsprg 0,r3 */
	leave
fuzz_vector_end:

fuzz_fault:
	other_endian 0x7c7043a6		/* mtsprg 0,r3 */
	other_endian 0x7c7a02a6		/* mfsrr0 r3 */
	other_endian 0x38630004		/* addi r3,r3,4 */
	other_endian 0x7c7a03a6		/* mtsrr0 r3 */
	leave
fuzz_fault_end:
