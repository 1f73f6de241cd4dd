// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the first C code to the last.
 *
 * LOCKING: the counts are atomic, check() may be called on any CPU.
 */
#include "guest.h"

#define R_PPC64_RELATIVE 22

struct rela {
	u64 offset, info;
	u64 addend;
};

extern const struct rela __rela_start[], __rela_end[];
extern const char _start[], __text_end[];

void relocate(u64 bias);
void start(const void *fdt, u64 entered) __attribute__((noreturn));

u64 entry_timebase;

static u64 passed, failed;

/*
 * @addr is where offset 0 of the image is. Position-independent programs are linked
 * at 0, so this is what their pointers lack; others have no relocations at all.
 */
void relocate(u64 addr)
{
	const struct rela *r;

	for (r = __rela_start; (u64)r < (u64)__rela_end; r++)
		if ((u32)r->info == R_PPC64_RELATIVE)
			*(u64 *)(addr + r->offset) = addr + r->addend;
}

void start(const void *fdt, u64 entered)
{
	entry_timebase = entered;
	if (!dt_init(fdt)) {
		printf("guest: no device tree at 0x%p\n", fdt);
		for (;;)
			;
	}
	console_init();
	cpu_init();
	rtas_init();
	trap_init();
	finish(main() == 0);
}

bool check(const char *name, bool ok)
{
	atomic_add(ok ? &passed : &failed, 1);
	printf("%s - %s\n", ok ? "ok" : "not ok", name);
	return ok;
}

bool check_eq(const char *name, long is, long should_be)
{
	if (is != should_be)
		printf("# %ld (0x%lx), should be %ld (0x%lx)\n", is, (u64)is, should_be,
		       (u64)should_be);
	return check(name, is == should_be);
}

u64 text_sum(void)
{
	const u64 *p;
	u64 sum = 0;

	for (p = (const u64 *)_start; (u64)(p + 1) <= (u64)__text_end; p++)
		sum = (sum << 1 | sum >> 63) + *p;
	return sum;
}

void finish(bool ok)
{
	if (passed || failed)
		printf("%lu passed, %lu failed\n", passed, failed);
	if (!ok || failed)
		rtas_os_term("guest program failed");
	rtas_power_off();
}
