/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One access with data relocation on; instructions stay real. An interrupt comes in real
 * mode and goes back to the instruction after the access.
 */
#include "asm.h"
#include "asm-macros.inc"

#define MSR_DR 0x10

	.text

	.macro	translated insn:vararg
	mfmsr	r6
	ori	r7, r6, MSR_DR
	mtmsrd	r7
	isync
	\insn
	mtmsrd	r6
	isync
	blr
	.endm

/* u64 translated_load(u64 ea) */
function translated_load
	translated ld	r3, 0(r3)

/* void translated_store(u64 ea, u64 value) */
function translated_store
	translated std	r4, 0(r3)
