// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: an arena of memory, which calls may change, between two guards, which nothing
 * may. The arena's last ARENA_MARGIN bytes are in no argument: what a call writes may be as
 * large as a page.
 *
 * LOCKING: none. The guards are read only; what happens in the arena is nobody's business.
 */
#include "fuzz.h"

#define ARENA_MARGIN 0x10000
#define WORDS	     (GUARD_SIZE / sizeof(u64))
#define WINDOW	     8 /* doublewords looked at after each call */
/* The tail of memory, beyond the device tree: for addresses on the edge. */
#define TAIL 0x2000

static u8 area[GUARD_SIZE + ARENA_SIZE + GUARD_SIZE] __attribute__((aligned(65536)));

u8 *arena = area + GUARD_SIZE;

static u64 pattern(const u64 *at)
{
	return (u64)at * 0x9e3779b97f4a7c15ul;
}

void guard_init(void)
{
	u64 *p;

	for (p = (u64 *)area; p < (u64 *)(area + sizeof(area)); p++)
		*p = pattern(p);
}

u64 guard_rubbish(u64 address)
{
	if (address >= memory_end - TAIL)
		return address;
	if (address - (u64)arena < ARENA_SIZE - ARENA_MARGIN)
		return address;
	return (u64)arena + address % (ARENA_SIZE - ARENA_MARGIN);
}

void guard_break(void)
{
	*(u64 *)(arena - sizeof(u64)) += 1;
}

static bool look(const u64 *p, u64 n)
{
	for (; n; n--, p++) {
		if (*p == pattern(p))
			continue;
		printf("hcall-fuzz: guard at 0x%p is 0x%lx\n", (const void *)p, *p);
		return false;
	}
	return true;
}

/* The next window of one of the guards, and of the other. */
bool guard_step(struct fuzzer *f)
{
	const u64 *low = (const u64 *)area, *high = (const u64 *)(arena + ARENA_SIZE);
	u64 at = f->guard_at;

	f->guard_at = (u32)((at + WINDOW) % WORDS);
	return look(high + at, WINDOW) && look(low + WORDS - WINDOW - at, WINDOW);
}

bool guard_all(void)
{
	return look((const u64 *)area, WORDS) && look((const u64 *)(arena + ARENA_SIZE), WORDS);
}
