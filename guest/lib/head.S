/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways into the program: from the monitor, from start-cpu, from an interrupt.
 */
#include "asm.h"
#include "asm-macros.inc"

	.section .head, "ax"

/*
 * The boot CPU: r3 = flattened device tree, r5 = 0, MSR = SF|ME, big-endian
 * whatever the program is. Also e_entry, and offset 0 of the file's image.
 */
	.globl	_start
_start:
	own_endian
	mfspr	r30, 268
	load_toc
	addis	r1, r2, boot_stack_top@toc@ha
	addi	r1, r1, boot_stack_top@toc@l
	li	r0, 0
	stdu	r0, -32(r1)
	mr	r31, r3
	/* Where we run less where we were linked: what a pointer in .data lacks. */
	bcl	20, 31, 1f
1:	mflr	r3
	addi	r3, r3, _start - 1b
	bl	relocate
	nop
	mr	r3, r31
	mr	r4, r30
	bl	start
	nop
	trap

	.text

/* A CPU that start-cpu started: r3 = its struct cpu, the rest as above. */
function cpu_entry
	own_endian
	mr	r13, r3
	load_toc
	ld	r1, CPU_STACK(r13)
	li	r0, 0
	stdu	r0, -32(r1)
	mr	r3, r13
	bl	cpu_started
	nop
	trap

/*
 * One vector: trap_init() copies it everywhere an interrupt can go, 32 bytes
 * apart at the least, and puts the vector's own address into the li.
 */
	.globl	trap_vector, trap_vector_li, trap_vector_end
trap_vector:
	mtsprg	0, r3
	mfctr	r3
	mtsprg	1, r3
	ld	r3, TRAP_ENTRY_PTR(0)
	mtctr	r3
trap_vector_li:
	li	r3, 0
	bctr
trap_vector_end:

/*
 * Every interrupt: save all on the stack of whoever was interrupted, beyond its
 * red zone, and call trap(). r3 = vector, SPRG0 = r3 and SPRG1 = CTR as they were.
 */
function trap_entry
	stdu	r1, -(REGS_FRAME + RED_ZONE)(r1)
	.irp	n, 0,2,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	std	\n, REGS_GPR(\n)(r1)
	.endr
	ld	r0, 0(r1)
	std	r0, REGS_GPR(1)(r1)
	std	r3, REGS_VEC(r1)
	mfsprg	r0, 0
	std	r0, REGS_GPR(3)(r1)
	mfsprg	r0, 1
	std	r0, REGS_CTR(r1)
	mflr	r0
	std	r0, REGS_LR(r1)
	mfxer	r0
	std	r0, REGS_XER(r1)
	mfcr	r0
	std	r0, REGS_CR(r1)
	mfsrr0	r0
	std	r0, REGS_NIP(r1)
	mfsrr1	r0
	std	r0, REGS_MSR(r1)
	mfdar	r0
	std	r0, REGS_DAR(r1)
	mfdsisr	r0
	std	r0, REGS_DSISR(r1)
	load_toc
	addi	r3, r1, REGS_GPR(0)
	bl	trap
	nop
	/* Whatever reservation the handler left must not serve the interrupted code. */
	addi	r3, r1, REGS_VEC
	stdcx.	r0, 0, r3
	ld	r0, REGS_CTR(r1)
	mtctr	r0
	ld	r0, REGS_LR(r1)
	mtlr	r0
	ld	r0, REGS_XER(r1)
	mtxer	r0
	ld	r0, REGS_CR(r1)
	mtcr	r0
	ld	r0, REGS_NIP(r1)
	mtsrr0	r0
	ld	r0, REGS_MSR(r1)
	mtsrr1	r0
	.irp	n, 0,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	ld	\n, REGS_GPR(\n)(r1)
	.endr
	ld	r1, 0(r1)
	rfid

	.bss
	.balign	16
	.space	BOOT_STACK_SIZE
	.globl	boot_stack_top
boot_stack_top:
