/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A firmware for QEMU that does nothing: with it, QEMU enters a program as this
 * monitor does, with the tree in r3. (-M pseries -bios qemu-rom.bin -kernel X.elf)
 */
	.text
	.space	0x100
	lis	12, 0x40	/* 4 MiB: where QEMU puts a kernel */
	mtctr	12
	bctr
