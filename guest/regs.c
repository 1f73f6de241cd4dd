// SPDX-License-Identifier: GPL-2.0-only
/*
 * regs: only registers that the ABI calls volatile change across a hypercall, served
 * by kernel or monitor, known or not, and across RTAS; and none of floating point and vectors.
 */
#include "guest.h"

#define TIMES 500

static const struct {
	const char *name;
	u64 r[10];
} calls[] = {
	{"unassigned", {0x4fc}},
	{"unaligned number", {0x4fd}},
	{"H_PROD", {H_PROD}},
	{"H_CONFER", {H_CONFER, ~0ul}},
	{"H_RANDOM", {H_RANDOM}},
	{"H_XIRR", {H_XIRR}},
	{"H_XIRR_X", {H_XIRR_X}},
	{"H_IPOLL", {H_IPOLL}},
	{"H_CPPR", {H_CPPR}},
	{"H_PUT_TERM_CHAR of nothing", {H_PUT_TERM_CHAR}},
	{"H_GET_TERM_CHAR", {H_GET_TERM_CHAR}},
	{"H_SET_MODE of the same", {H_SET_MODE, LITTLE_ENDIAN, H_SET_MODE_RESOURCE_LE}},
	{"H_LOGICAL_CI_LOAD", {H_LOGICAL_CI_LOAD, 8, 1ul << 40}},
};

static bool kept(const char *name, u64 lost)
{
	if (lost)
		printf("# registers lost: %08lx\n", lost);
	return check(name, !lost);
}

int main(void)
{
	struct rtas_args time = {.token = be32((u32)rtas_token("get-time-of-day")),
				 .nret = be32(8)};
	struct hcall h = {{H_RTAS, (u64)&time}};
	u64 lost = 0;
	u32 i, n;

	extended_fill();
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		lost = 0;
		for (n = 0; n < TIMES; n++) {
			memcpy(h.r, calls[i].r, sizeof(h.r));
			lost |= hcall_checked(&h) | extended_lost();
		}
		kept(calls[i].name, lost);
	}
	for (lost = n = 0; n < TIMES; n++) {
		h.r[0] = H_RTAS;
		h.r[1] = (u64)&time;
		lost |= hcall_checked(&h) | extended_lost();
	}
	kept("H_RTAS", lost);
	for (lost = n = 0; n < TIMES; n++)
		lost |= rtas_call_checked(&time) | extended_lost();
	kept("RTAS by its entry point", lost);
	/* So that one that is lost would be seen: VR8, FPR3's other half, TAR, DSCR, VRSAVE */
	__asm__ volatile("xxlxor 40,40,41");
	check("a change of a vector register is seen", extended_lost() == 1ul << EXTENDED_VSX);
	__asm__ volatile("mtspr 815,%0" ::"r"(1));
	extended_fill();
	check("a register that is filled again is good", !extended_lost());
	__asm__ volatile("xxpermdi 3,3,4,1; mtspr 815,%0; mtspr 17,%0; mtspr 256,%0" ::"r"(1));
	check_eq("four others are", (long)extended_lost(), 15l << EXTENDED_VSX);
	return 0;
}
