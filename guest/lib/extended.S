/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that nothing but extended_fill() writes in these programs, and no call may.
 */
#include "asm.h"
#include "asm-macros.inc"

#define MSR_FP	   0x2000
#define MSR_VEC_HI 0x0200
#define MSR_VSX_HI 0x0080

#define SPR_DSCR   17
#define SPR_VRSAVE 256
#define SPR_TAR	   815

#define DSCR_VALUE   0x1a5
#define VRSAVE_VALUE 0x5a5a /* its upper half */

	.text

	.macro	usable
	mfmsr	r3
	ori	r3, r3, MSR_FP
	oris	r3, r3, MSR_VEC_HI | MSR_VSX_HI
	mtmsrd	r3
	isync
	.endm

	.macro	fill n
	pattern	r4, \n
	mtvsrd	vs\n, r4
	xxpermdi vs\n, vs\n, vs\n, 0
	.endm

	/* Set bit \bit of r3 unless the register is what r4 says. */
	.macro	expect_spr spr, bit
	mfspr	r5, \spr
	cmpd	r5, r4
	beq	.Lsame\@
	oris	r3, r3, 1 << (\bit - 32)
.Lsame\@:
	.endm

/* void extended_fill(void) */
function extended_fill
	usable
	.altmacro
	.set	i, 0
	.rept	64
	fill	%i
	.set	i, i + 1
	.endr
	.noaltmacro
	pattern	r4, 64
	mtspr	SPR_TAR, r4
	li	r4, DSCR_VALUE
	mtspr	SPR_DSCR, r4
	lis	r4, VRSAVE_VALUE
	mtspr	SPR_VRSAVE, r4
	blr

/* u64 extended_lost(void): the 64 values of fill are such that their XOR is 0. */
function extended_lost
	usable
	.altmacro
	.macro	gather n
	xxlxor	vs0, vs0, vs\n
	.endm
	.set	i, 1
	.rept	63
	gather	%i
	.set	i, i + 1
	.endr
	.noaltmacro
	mfvsrd	r4, vs0
	xxpermdi vs0, vs0, vs0, 2
	mfvsrd	r5, vs0
	li	r3, 0
	or.	r4, r4, r5
	beq	1f
	oris	r3, r3, 1 << (EXTENDED_VSX - 32)
1:	fill	0
	pattern	r4, 64
	expect_spr SPR_TAR, EXTENDED_TAR
	li	r4, DSCR_VALUE
	expect_spr SPR_DSCR, EXTENDED_DSCR
	lis	r4, VRSAVE_VALUE
	expect_spr SPR_VRSAVE, EXTENDED_VRSAVE
	sldi	r3, r3, 16
	blr
