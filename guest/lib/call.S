/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways out of the program: into the hypervisor and into RTAS.
 */
#include "asm.h"
#include "asm-macros.inc"

	.text

/* long hcall_do(struct hcall *h): r3 to r12 from h, sc 1, r3 to r12 back into h. */
function hcall_do
	std	r31, -8(r1)
	mr	r31, r3
	.irp	n, 4,5,6,7,8,9,10,11,12,3
	ld	\n, (8 * (\n - 3))(r31)
	.endr
	sc	1
	.irp	n, 3,4,5,6,7,8,9,10,11,12
	std	\n, (8 * (\n - 3))(r31)
	.endr
	ld	r31, -8(r1)
	blr

/* A hypercall as a function of registers alone, for call_checked(). */
function hcall_insn
	sc	1
	blr

/*
 * void rtas_enter(struct rtas_args *args, u64 entry): RTAS is big-endian code in
 * real mode, called with interrupts off, and comes back to LR in the same state.
 */
function rtas_enter
	mflr	r0
	std	r0, 16(r1)
	stdu	r1, -48(r1)
	mfmsr	r5
	std	r5, 40(r1)
	li	r6, 0
	mtmsrd	r6, 1
	bcl	20, 31, 1f
1:	mflr	r6
	addi	r6, r6, 2f - 1b
	mtlr	r6
	mfmsr	r5
	clrrdi	r5, r5, 1	/* MSR_LE */
	mtsrr0	r4
	mtsrr1	r5
	rfid
2:	own_endian
	ld	r5, 40(r1)
	mtmsrd	r5, 1
	addi	r1, r1, 48
	ld	r0, 16(r1)
	mtlr	r0
	blr

/* What a platform's RTAS amounts to, for where none was installed: H_RTAS and back. */
function rtas_own
	big_endian 0x7c641b78	/* mr r4,r3 */
	big_endian 0x38600000	/* li r3,0 */
	big_endian 0x6063f000	/* ori r3,r3,H_RTAS */
	big_endian 0x44000022	/* sc 1 */
	big_endian 0x4e800020	/* blr */

#define FRAME	  352
#define SAVE(n)	  (32 + 8 * (n - 14))	/* r14 to r31 */
#define OUT(n)	  (176 + 8 * (n - 3))	/* r3 to r12 after the call */
#define ARG	  256
#define SAVE_R2	  264
#define SAVE_R13  272
#define SAVE_CR	  280

	/* Set bit \bit of r3 unless \reg still is what r4 says. */
	.macro	expect reg, bit
	cmpd	\reg, r4
	beq	.Lkept\@
	.if	\bit < 16
	ori	r3, r3, 1 << \bit
	.else
	oris	r3, r3, 1 << (\bit - 16)
	.endif
.Lkept\@:
	.endm

/*
 * u64 call_checked(void *fn, struct hcall *h): call fn with r3 to r12 from h and
 * a pattern in every register that the ABI makes fn keep: bit n of the answer
 * says that rn changed, bit 0 that CR2, CR3 or CR4 did. (A lost r1 or LR does not
 * come back here at all, and shows as an exception.)
 */
function call_checked
	mflr	r0
	std	r0, 16(r1)
	stdu	r1, -FRAME(r1)
	mfcr	r0
	std	r0, SAVE_CR(r1)
	std	r2, SAVE_R2(r1)
	std	r13, SAVE_R13(r1)
	std	r4, ARG(r1)
	.irp	n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	std	\n, SAVE(\n)(r1)
	pattern	\n, \n
	.endr
	mtctr	r3
	lis	r0, 0xa5
	ori	r0, r0, 0xa000
	mtcrf	0x38, r0
	mr	r3, r4
	.irp	n, 4,5,6,7,8,9,10,11,12
	ld	\n, (8 * (\n - 3))(r3)
	.endr
	ld	r3, 0(r3)
	bctrl
	.irp	n, 3,4,5,6,7,8,9,10,11,12
	std	\n, OUT(\n)(r1)
	.endr
	mfcr	r0
	li	r3, 0
	.irp	n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	pattern	r4, \n
	expect	\n, \n
	ld	\n, SAVE(\n)(r1)
	.endr
	ld	r4, SAVE_R2(r1)
	expect	r2, 2
	mr	r2, r4
	ld	r4, SAVE_R13(r1)
	expect	r13, 13
	mr	r13, r4
	lis	r4, 0xa5
	ori	r4, r4, 0xa000
	rlwinm	r0, r0, 0, 8, 19
	expect	r0, 0
	ld	r0, SAVE_CR(r1)
	mtcr	r0
	ld	r4, ARG(r1)
	.irp	n, 3,4,5,6,7,8,9,10,11,12
	ld	r0, OUT(\n)(r1)
	std	r0, (8 * (\n - 3))(r4)
	.endr
	addi	r1, r1, FRAME
	ld	r0, 16(r1)
	mtlr	r0
	blr
