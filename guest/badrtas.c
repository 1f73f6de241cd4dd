// SPDX-License-Identifier: GPL-2.0-only
/*
 * badrtas: every RTAS token with hostile arguments and counts, in a block anywhere,
 * comes back and writes nothing but the results that it has room for. With
 * "kernel-xics" among the boot arguments, what KVM's own XICS gets wrong is left out:
 * blocks that are themselves bad, which end KVM_RUN with EINVAL; calls without room for
 * a status, which it writes all the same; and a priority of 0xffffffff, which makes it
 * look beyond its queues (docs/FINDINGS.md; "wild-priority" brings that back); and a
 * source that is not there, which ends the host ("wild-source" brings it back). With
 * "wild-block" or "wild-counts" there is one call only, which KVM's XICS ends the guest for.
 */
#include "guest.h"

#define CANARY 0x5ca1ab1e

/* What ends the guest or a CPU, or writes bytes to the console. */
static const char *const skipped_names[] = {
	"power-off",   "system-reboot",	    "stop-self",      "display-character",
	"ibm,os-term", "ibm,power-off-ups", "ibm,suspend-me",
};

/* What KVM serves itself with its own XICS. */
static const char *const kernel_names[] = {"ibm,get-xive", "ibm,int-on", "ibm,int-off",
					   "ibm,set-xive"};

static u32 skipped[ARRAY_SIZE(skipped_names)];
static bool kernel_xics;
static u32 calls, failures;
static u64 lost;

static bool is_skipped(u32 token)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(skipped); i++)
		if (token == skipped[i])
			return true;
	return false;
}

static bool kernel_gets_wrong(u32 token, u32 nret, u32 arg)
{
	u32 i;

	if (!kernel_xics)
		return false;
	for (i = 0; i < ARRAY_SIZE(kernel_names); i++)
		if (token == (u32)rtas_token(kernel_names[i]) && nret == 0)
			return true;
	return token == (u32)rtas_token("ibm,set-xive") && arg == ~0u &&
	       !dt_bootarg("wild-priority");
}

/* A block of cells with canaries before and behind. */
static be32_t area[64];
#define BLOCK 16

static void fill(be32_t *cells, u32 token, u32 nargs, u32 nret, u32 arg)
{
	u32 i;

	cells[0] = be32(token);
	cells[1] = be32(nargs);
	cells[2] = be32(nret);
	for (i = 0; i < nargs && i < RTAS_MAX_ARGS; i++)
		cells[3 + i] = be32(arg);
}

static void call(u64 address)
{
	struct hcall h = {{H_RTAS, address}};

	lost |= hcall_checked(&h);
	calls++;
}

/* A call whose block is good: nothing beyond its results may change. */
static void call_good_block(u32 token, u32 nargs, u32 nret, u32 arg)
{
	u32 i, end = BLOCK + 3 + nargs + nret;

	for (i = 0; i < ARRAY_SIZE(area); i++)
		area[i] = be32(CANARY);
	fill(area + BLOCK, token, nargs, nret, arg);
	call((u64)(area + BLOCK));
	for (i = 0; i < ARRAY_SIZE(area); i++) {
		u32 want = CANARY;

		if (i >= BLOCK + 3 + nargs && i < end)
			continue;
		if (i >= BLOCK && i < end)
			want = i == BLOCK	? token
			       : i == BLOCK + 1 ? nargs
			       : i == BLOCK + 2 ? nret
						: arg;
		if (be32_get(area[i]) == want)
			continue;
		if (failures++ < 10)
			printf("# token 0x%x nargs %u nret %u: wrote cell %d\n", token, nargs, nret,
			       (int)i - BLOCK);
	}
}

static void good_blocks(u32 token)
{
	static const struct {
		u32 nargs, nret;
	} shapes[] = {{0, 0}, {1, 0}, {0, 1}, {1, 2}, {2, 1}, {3, 1},
		      {4, 1}, {6, 1}, {7, 1}, {8, 8}, {15, 1}};
	u32 end = (u32)dt_memory_end();
	const u32 args[] = {0, ~0u, 1u << 31, end, end - 1};
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		for (k = 0; k < ARRAY_SIZE(args); k++)
			if (!kernel_gets_wrong(token, shapes[i].nret, args[k]))
				call_good_block(token, shapes[i].nargs, shapes[i].nret, args[k]);
}

static void bad_counts(u32 token)
{
	static const struct {
		u32 nargs, nret;
	} shapes[] = {{17, 0},	    {0, 17},	{255, 255},	      {~0u, 1},
		      {1, ~0u},	    {~0u, ~0u}, {1u << 31, 1u << 31}, {0xfffffff0, 0x20},
		      {1u << 30, 1}};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		fill(area + BLOCK, token, shapes[i].nargs, shapes[i].nret, 0);
		call((u64)(area + BLOCK));
	}
}

/* Blocks that reach beyond the end of memory by more and more. */
static void across_the_end(u32 token)
{
	u64 end = dt_memory_end();
	u8 saved[64], *top = real(end - sizeof(saved));
	u32 size;

	memcpy(saved, top, sizeof(saved));
	fill(area + BLOCK, token, 1, 8, 0);
	for (size = 1; size <= 48; size++) {
		memcpy(real(end - size), area + BLOCK, size);
		call(end - size);
	}
	memcpy(top, saved, sizeof(saved));
}

/* Blocks that are not in memory at all, or not aligned. */
static void bad_places(u32 token)
{
	u64 end = dt_memory_end(), block = (u64)(area + BLOCK);
	const u64 places[] = {
		~0ul, ~3ul, end, end + (1ul << 40), 1ul << 63, (1ul << 32) + block, block + 1};
	u32 i;

	fill(area + BLOCK, token, 1, 8, 0);
	for (i = 0; i < ARRAY_SIZE(places); i++)
		call(places[i]);
}

static void all_ways(u32 token)
{
	if (is_skipped(token))
		return;
	good_blocks(token);
	if (kernel_xics)
		return;
	bad_counts(token);
	bad_places(token);
	if (dt_real_mode_end() == dt_memory_end())
		across_the_end(token);
}

/* The tokens that the tree names, and how many. */
static u32 known_tokens(void)
{
	int node = dt_find("/rtas");
	const void *value = NULL;
	const char *name;
	u32 len, n = 0;

	while ((value = dt_next_prop(node, value, &name, &len)) != NULL) {
		if (len != 4 || !strncmp(name, "linux,rtas-", 11) || !strncmp(name, "rtas-", 5))
			continue;
		all_ways(be32_get(*(const be32_t *)value));
		n++;
	}
	return n;
}

/* A source that was never made, though others of its 1024 were; server and priority are good. */
static void no_source(void)
{
	const u32 irq = 0x13ff;

	check_eq("ibm,set-xive of no source", rtas_call("ibm,set-xive", 3, 1, NULL, irq, 0, 5),
		 RTAS_PARAM_ERROR);
	check_eq("ibm,int-off of no source", rtas_call("ibm,int-off", 1, 1, NULL, irq),
		 RTAS_PARAM_ERROR);
	check_eq("ibm,int-on of no source", rtas_call("ibm,int-on", 1, 1, NULL, irq),
		 RTAS_PARAM_ERROR);
}

static int one_bad_block(void)
{
	be32_t *cells = area + BLOCK;

	fill(cells, 0, ~0u, 1, 0);
	hcall(H_RTAS, dt_bootarg("wild-block") ? ~0xffful : (u64)cells);
	return 1;
}

int main(void)
{
	u64 sum = text_sum();
	struct rtas_time t;
	u32 i, token;

	if (dt_bootarg("wild-block") || dt_bootarg("wild-counts"))
		return one_bad_block();
	kernel_xics = dt_bootarg("kernel-xics");
	for (i = 0; i < ARRAY_SIZE(skipped); i++)
		skipped[i] = (u32)rtas_token(skipped_names[i]);
	i = known_tokens();
	for (token = 0; token < 80; token++)
		all_ways(token);
	all_ways(0x7fffffff);
	all_ways(1u << 31);
	all_ways(~0u);
	if (!kernel_xics || dt_bootarg("wild-source"))
		no_source();

	printf("badrtas: %u tokens in the tree, %u calls\n", i, calls);
	check("all came back and kept the registers", !lost);
	check_eq("no call wrote where it must not", (long)failures, 0);
	check("code and constants are as they were", text_sum() == sum);
	check_eq("a good call still works", rtas_get_time(&t), 0);
	check_eq("display-character", rtas_call("display-character", 1, 1, NULL, '\n'), 0);
	return 0;
}
