// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: an arena of memory, which calls may change, between two guards, which nothing
 * may. The arena's last ARENA_MARGIN bytes are in no argument: what a call writes may be as
 * large as a page. Of all memory that has no use, a doubleword in each page is a guard, too.
 *
 * LOCKING: none. The guards are read only; what happens in the arena is nobody's business.
 */
#include "fuzz.h"

#define ARENA_MARGIN 0x10000
#define WORDS	     (GUARD_SIZE / sizeof(u64))
#define WINDOW	     8 /* doublewords looked at after each call */
/* The tail of memory, beyond the device tree: for addresses on the edge. */
#define TAIL	 0x2000
#define PAGE	 0x1000
#define RTAS_END 0x10000 /* beyond its start, at most */
/* More is too slow. */
#define SPARE_SIZE (64ul << 20)

static u8 area[GUARD_SIZE + ARENA_SIZE + GUARD_SIZE] __attribute__((aligned(65536)));

extern const char _end[];

u8 *arena = area + GUARD_SIZE;
static u64 first_spare, end_of_spare, rtas;

static u64 pattern(const u64 *at)
{
	return (u64)at * 0x9e3779b97f4a7c15ul;
}

/* The guard of the page at @page, which is somewhere in it. */
static u64 *guard_of(u64 page)
{
	return (u64 *)(page + (pattern((u64 *)page) >> 32 & (PAGE - 1) & ~7ul));
}

/* The first page at or behind @page that has no use. */
static u64 spare_page(u64 page)
{
	while (page - rtas < RTAS_END || dt_lies_in(page, PAGE))
		page += PAGE;
	return page;
}

void guard_init(void)
{
	u64 *p, page, real_mode_end = dt_real_mode_end();

	for (p = (u64 *)area; p < (u64 *)(area + sizeof(area)); p++)
		*p = pattern(p);
	rtas = dt_u32(dt_find("/rtas"), "linux,rtas-base", 0);
	first_spare = spare_page(((u64)_end + PAGE - 1) & ~(PAGE - 1ul));
	end_of_spare = memory_end - TAIL < real_mode_end ? memory_end - TAIL : real_mode_end;
	if (end_of_spare > first_spare + SPARE_SIZE)
		end_of_spare = first_spare + SPARE_SIZE;
	for (page = first_spare; page < end_of_spare; page = spare_page(page + PAGE))
		*guard_of(page) = pattern(guard_of(page));
}

u64 guard_rubbish(u64 address)
{
	if (address >= memory_end - TAIL)
		return address;
	if (address - (u64)arena < ARENA_SIZE - ARENA_MARGIN)
		return address;
	return (u64)arena + address % (ARENA_SIZE - ARENA_MARGIN);
}

void guard_break(bool spare)
{
	*(spare ? guard_of(spare_page(first_spare)) : (u64 *)(arena - sizeof(u64))) += 1;
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
	u64 page;

	for (page = first_spare; page < end_of_spare; page = spare_page(page + PAGE))
		if (!look(guard_of(page), 1))
			return false;
	return look((const u64 *)area, WORDS) && look((const u64 *)(arena + ARENA_SIZE), WORDS);
}
