// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/calls_args.h"

#include <string.h>

#include "lib/util.h"

#define CARRIED	      8
#define H_BULK_REMOVE 0x124
#define UNTOUCHED     0x33 /* each byte of a register that a call has no use for */

static const uint8_t priorities[] = {0xff, 0, 1, 4, 5, 6, 0xfe, 3};
static uint64_t carried[CARRIED];
static unsigned int newest;

void args_carry(uint64_t value)
{
	newest = (newest + 1) % CARRIED;
	carried[newest] = value;
}

void args_forget(void)
{
	memset(carried, 0, sizeof(carried));
	newest = 0;
}

/* Flags of all calls: the low bits, and what PAPR numbers from the left. */
static uint64_t flags(struct input *in, uint8_t how)
{
	static const uint64_t high[] = {0x8000000000, 0x2000000000, 0x80000000, 0x40000000, 0x8000};
	uint64_t set = how & 0x1f;

	if (how & 0x20) {
		uint8_t more = draw(in);

		for (size_t i = 0; i < ARRAY_SIZE(high); i++)
			set |= more >> i & 1 ? high[i] : 0;
		/* pp0 and the upper key of H_PROTECT, R of others. */
		set |= (uint64_t)(more >> 5) << 8 | (uint64_t)(more >> 7) << 12;
	}
	return set;
}

/* Few groups, so that they become full and are found again, at both ends. */
static uint64_t index_of(const struct fuzz_vm *vm, uint8_t how)
{
	return how & 0x20 ? vm->naive.count - 1 - (how & 0x1f) : how & 0x1f;
}

/* A page table entry's doublewords, a radix tree's, and process table entries. */
static uint64_t entry(struct input *in, uint8_t how)
{
	uint8_t more = draw(in);

	switch (how >> 4 & 3) {
	case 0: /* VSID 0 to 3, small page numbers; B, the low bits */
		return (uint64_t)(how & 3) << 62 | (uint64_t)(how >> 2 & 3) << 12 | more;
	case 1: /* a page of memory, R, C, protection; or a large page */
		return (uint64_t)(how & 15) << 60 | (uint64_t)more << 12 | (draw(in) << 1);
	case 2: /* a directory, or a root: 2^5 to 2^16 entries */
		return (uint64_t)(how & 15) << 60 | (uint64_t)more << 12 | (draw(in) & 0xff);
	default: /* of any page size */
		return (uint64_t)more << 12 | (uint64_t)(how & 15) << 3;
	}
}

/* Of what is in service the first from some on, or an IPI; else any. */
static uint64_t xirr(struct fuzz_vm *vm, struct input *in, uint8_t how)
{
	uint64_t cppr = (uint64_t)priorities[how % ARRAY_SIZE(priorities)] << 24;
	uint8_t from = draw(in) % VM_SOURCES;

	if (how & 0x20)
		return cppr | vm_sources[from];
	for (size_t i = 0; i < VM_SOURCES; i++)
		if (vm->in_service[(from + i) % VM_SOURCES])
			return cppr | vm_sources[(from + i) % VM_SOURCES];
	return cppr | XICS_IPI;
}

static uint64_t typical(struct fuzz_vm *vm, struct input *in, enum hcall_arg kind, uint8_t how)
{
	static const uint8_t lengths[] = {8, 4, 2, 1, 16, 0, 20, 32};

	switch (kind) {
	case ARG_FLAGS:
		return flags(in, how);
	case ARG_ADDRESS:
		return (uint64_t)how << 12 | (uint64_t)draw(in) << 3;
	case ARG_LENGTH:
		return how & 0x20 ? (how & 0x1fu) << 3 : lengths[how % 8];
	case ARG_SERVER:
		return how % (vm->machine.nr_cpus + 1);
	case ARG_SOURCE:
		return vm_sources[how % VM_SOURCES];
	case ARG_XIRR:
		return xirr(vm, in, how);
	case ARG_PRIORITY:
		return how & 0x20 ? how & 0x1f : priorities[how % 8];
	case ARG_UNIT:
		return how & 0x20 ? 0 : VTY_UNIT_ADDRESS + how % (VM_LOOPS + 2);
	case ARG_PTEX:
		return index_of(vm, how);
	case ARG_PTE:
		return entry(in, how);
	case ARG_AVPN:
		return vm->naive.entries[index_of(vm, how)].v & ~0x7full;
	default:
		return how;
	}
}

/* Where checks change their minds. */
static uint64_t edge(enum hcall_arg kind, uint8_t how)
{
	static const uint64_t edges[] = {VM_MEM, 1ull << 31, 1ull << 32, 1ull << 60, 1ull << 63, 0};
	uint64_t base = edges[how / 8 % ARRAY_SIZE(edges)];

	if (kind == ARG_PTEX)
		base = how & 0x20 ? base : 1ull << (VM_HPT_ORDER - 4);
	if (kind == ARG_SOURCE || kind == ARG_XIRR)
		base = how & 0x20 ? XICS_SOURCE_END : vm_sources[how / 8 % VM_SOURCES];
	return base + (how & 7) - 4;
}

uint64_t args_draw(struct fuzz_vm *vm, struct input *in, enum hcall_arg kind)
{
	uint8_t how = draw(in), low = how & 0x3f;

	switch (how >> 6) {
	case 0:
		return typical(vm, in, kind, low);
	case 1:
		return edge(kind, low);
	case 2:
		/* The lowest bits of an address that was all right are often not. */
		return carried[(newest + CARRIED - low % CARRIED) % CARRIED] + low / CARRIED;
	default:
		return draw_bytes(in, 1 + low % 8);
	}
}

/* Four requests, of which the table names the kinds of two, with what to do in front. */
static void draw_bulk(struct fuzz_vm *vm, struct input *in, uint64_t args[HCALL_ARGS])
{
	for (size_t i = 0; i < HPT_BULK; i++) {
		uint8_t what = draw(in);

		args[2 * i] = args_draw(vm, in, ARG_PTEX);
		if (what & 0x30)
			args[2 * i] = (args[2 * i] & 0x00ffffffffffffff) |
				      (what & 0x20 ? 0x40ull : what & 0xf0u) << 56 |
				      (uint64_t)(what & 3) << 56;
		args[2 * i + 1] = args_draw(vm, in, ARG_AVPN);
	}
}

void args_draw_call(struct fuzz_vm *vm, struct input *in, const struct hcall *call,
		    uint64_t args[HCALL_ARGS])
{
	memset(args, UNTOUCHED, HCALL_ARGS * sizeof(args[0]));
	if (call->nr == H_BULK_REMOVE) {
		draw_bulk(vm, in, args);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(call->args) && call->args[i] != ARG_NONE; i++)
		args[i] = args_draw(vm, in, (enum hcall_arg)call->args[i]);
}
