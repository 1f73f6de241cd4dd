// SPDX-License-Identifier: GPL-2.0-only
/*
 * badaddr: loads and stores at real addresses that nothing backs are survived. A load
 * gives all ones, or the CPU gets a storage interrupt; nothing else.
 */
#include "guest.h"

static u64 storage_interrupts;

static bool skip(struct regs *regs)
{
	storage_interrupts++;
	regs->nip += 4;
	return true;
}

#define LOAD(insn, addr)                                                                           \
	({                                                                                         \
		u64 v_ = 0x123456;                                                                 \
		__asm__ volatile(insn " %0,0(%1)" : "+r"(v_) : "b"(addr) : "memory");              \
		v_;                                                                                \
	})
#define STORE(insn, addr)                                                                          \
	__asm__ volatile(insn " %0,0(%1)" ::"r"(0x5a5a5a5a5a5a5a5aul), "b"(addr) : "memory")

static bool load_survives(u64 addr, int size)
{
	u64 before = storage_interrupts, v;

	switch (size) {
	case 1:
		v = LOAD("lbz", addr);
		break;
	case 2:
		v = LOAD("lhz", addr);
		break;
	case 4:
		v = LOAD("lwz", addr);
		break;
	default:
		v = LOAD("ld", addr);
	}
	if (storage_interrupts != before)
		return true;
	if (v == ~0ul >> (64 - 8 * size))
		return true;
	printf("# load of %d bytes at 0x%lx gave 0x%lx\n", size, addr, v);
	return false;
}

static void test(const char *name, u64 addr)
{
	u64 before = storage_interrupts;
	bool ok = true;
	int size;

	for (size = 1; size <= 8; size *= 2)
		ok &= load_survives(addr, size);
	check(name, ok);
	STORE("stb", addr);
	STORE("sth", addr);
	STORE("stw", addr);
	STORE("std", addr);
	for (size = 1; size <= 8; size *= 2)
		ok &= load_survives(addr, size);
	check("the same after stores", ok);
	printf("# 0x%lx: %lu of 12 accesses gave a storage interrupt\n", addr,
	       storage_interrupts - before);
}

int main(void)
{
	u64 end = dt_memory_end();

	trap_hook(VEC_DATA_STORAGE, skip);
	trap_hook(VEC_MACHINE_CHECK, skip);
	test("just beyond memory", end);
	test("64 KiB beyond memory", end + 65536);
	test("512 GiB", 1ul << 39);
	/* Real mode of a hash guest has one segment of 1 TiB, and begins again there. */
	if (dt_radix())
		test("1 TiB", 1ul << 40);
	test("48 bits", (1ul << 48) - 4096);
	printf("# H_LOGICAL_CI_LOAD at 1 TiB: %ld\n", hcall(H_LOGICAL_CI_LOAD, 8, 1ul << 40));
	printf("# H_LOGICAL_CI_STORE at 1 TiB: %ld\n", hcall(H_LOGICAL_CI_STORE, 8, 1ul << 40, 0));
	check("memory is as it was", dt_memory_end() == end);
	return 0;
}
