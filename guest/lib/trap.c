// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts: vectors in low memory, hooks for programs, a last word for the rest.
 *
 * LOCKING: hooks are set before the interrupts that they are for can come.
 */
#include "trap.h"
#include "console.h"
#include "cpu.h"
#include "hcall.h"
#include "rtas.h"

#define VEC_SIZE 0x20

static bool (*hooks[(VEC_LAST + VEC_SIZE) / VEC_SIZE])(struct regs *regs);

extern u32 trap_vector[], trap_vector_li[], trap_vector_end[];
void trap_entry(void);
void trap(struct regs *regs);

void sync_icache(void *start, size_t len)
{
	char *p;

	/* 32 bytes: no 64-bit server CPU has smaller cache blocks. */
	for (p = start; p < (char *)start + len; p += 32)
		__asm__ volatile("dcbst 0,%0; sync; icbi 0,%0" ::"r"(p) : "memory");
	__asm__ volatile("sync; isync" ::: "memory");
}

void trap_init(void)
{
	size_t li = ((u64)trap_vector_li - (u64)trap_vector) / sizeof(u32);
	size_t size = (u64)trap_vector_end - (u64)trap_vector;
	long rc;
	u32 vec;

	for (vec = VEC_SYSTEM_RESET; vec <= VEC_LAST; vec += VEC_SIZE) {
		u32 *code = real(vec);

		memcpy(code, trap_vector, size);
		code[li] |= vec;
	}
	*(u64 *)real(TRAP_ENTRY_PTR) = (u64)trap_entry;
	sync_icache(real(0), VEC_LAST + VEC_SIZE);

	rc = hcall(H_SET_MODE, LITTLE_ENDIAN, H_SET_MODE_RESOURCE_LE);
	if (rc)
		printf("guest: H_SET_MODE for the byte order of interrupts: %ld\n", rc);
}

void trap_hook(u32 vec, bool (*fn)(struct regs *regs))
{
	hooks[vec / VEC_SIZE] = fn;
}

static void print_regs(const struct regs *regs)
{
	int i;

	printf("guest: unexpected interrupt 0x%lx on server %u\n", regs->vec, this_cpu()->server);
	printf("nip %016lx msr %016lx lr %016lx ctr %016lx\n", regs->nip, regs->msr, regs->lr,
	       regs->ctr);
	printf("cr %08lx xer %08lx dar %016lx dsisr %08lx\n", regs->cr, regs->xer, regs->dar,
	       regs->dsisr);
	for (i = 0; i < 32; i += 4)
		printf("r%-2d %016lx %016lx %016lx %016lx\n", i, regs->gpr[i], regs->gpr[i + 1],
		       regs->gpr[i + 2], regs->gpr[i + 3]);
}

void trap(struct regs *regs)
{
	static bool dying;
	bool (*hook)(struct regs * regs) = hooks[regs->vec / VEC_SIZE];

	if (hook && hook(regs))
		return;
	if (!dying) {
		dying = true;
		console_break_lock();
		print_regs(regs);
	}
	rtas_os_term("unexpected interrupt");
}
