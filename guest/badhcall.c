// SPDX-License-Identifier: GPL-2.0-only
/*
 * badhcall: every hypercall number with hostile arguments comes back, keeps the
 * registers that it must, and leaves the program whole. Prints how often each return
 * code was seen. Boot arguments: "verbose" tells each number before its calls,
 * "kernel-xics" leaves H_RTAS out: KVM then ends KVM_RUN with EINVAL when the
 * argument block is bad.
 */
#include "guest.h"

static struct {
	long code;
	u32 count;
} codes[64];

static u64 lost, system_resets;
static u32 calls;

static bool count_reset(struct regs *regs)
{
	(void)regs;
	system_resets++;
	return true;
}

static void count_code(long code)
{
	u32 i = 0;

	while (i < ARRAY_SIZE(codes) - 1 && codes[i].count && codes[i].code != code)
		i++;
	codes[i].code = code;
	codes[i].count++;
}

/* Calls that may rightly not come back, or not soon. */
static bool skipped(u64 token, u64 first)
{
	return token == H_CEDE || token == H_JOIN ||
	       (token == H_CONFER && (u32)first == this_cpu()->server) ||
	       (token == H_RTAS && dt_bootarg("kernel-xics"));
}

static void call(u64 token, u64 first, u64 rest)
{
	struct hcall h = {{token, first}};
	u64 changed;
	int i;

	if (skipped(token, first))
		return;
	for (i = 2; i < 10; i++)
		h.r[i] = rest;
	changed = hcall_checked(&h);
	if (changed)
		printf("# 0x%lx (0x%lx, 0x%lx...): registers lost: 0x%lx\n", token, first, rest,
		       changed);
	lost |= changed;
	calls++;
	count_code((long)h.r[0]);
}

static void call_all_ways(u64 token)
{
	u64 end = dt_memory_end();
	const u64 values[] = {0, 1, ~0ul, 1ul << 63, 1ul << 32, end, end - 1, end + (1ul << 40)};
	u32 i;

	if (dt_bootarg("verbose"))
		printf("# 0x%lx\n", token);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		call(token, values[i], values[i]);
		call(token, 0, values[i]);
	}
}

static void call_range(u64 first, u64 last, u64 step)
{
	u64 token;

	for (token = first; token <= last; token += step)
		call_all_ways(token);
}

int main(void)
{
	u64 sum = text_sum();
	u32 i;

	trap_hook(VEC_SYSTEM_RESET, count_reset);
	/* An RTAS argument block at 0, where some of the calls will look for one. */
	*(u32 *)real(0) = ~0u;
	call_range(0, 0x500, 4);
	call_range(1, 3, 1);
	call_range(0xef00, 0xef40, 4);
	call_range(0xf000, 0xf100, 4);
	call_range(0xf800, 0xf840, 4);
	call_range(0xffe0, 0x10010, 4);
	call_all_ways(0xffffffff);
	call_all_ways(1ul << 32 | 0x58);
	call_all_ways(~0ul);

	printf("\nbadhcall: %u calls, %lu system resets\n", calls, system_resets);
	for (i = 0; i < ARRAY_SIZE(codes) && codes[i].count; i++)
		printf("badhcall: code %ld count %u\n", codes[i].code, codes[i].count);
	check("all came back and kept the registers", !lost);
	check("code and constants are as they were", text_sum() == sum);
	check_eq("a good call still works",
		 hcall(H_SET_MODE, LITTLE_ENDIAN, H_SET_MODE_RESOURCE_LE), 0);
	return 0;
}
