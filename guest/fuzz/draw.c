// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: arguments by kind: valid, on the edge, rubbish, or from earlier answers.
 *
 * LOCKING: none. What is drawn belongs to one CPU; the rest is filled before a second runs.
 */
#include "fuzz.h"

/* Bytes of the tail of memory that are safe to write, whatever is drawn. */
#define EDGE 0x1000

static u64 nentries;

u64 draw(struct fuzzer *f)
{
	return random_next(&f->random);
}

/* Below @n, which is small; the generator's upper bits are its best. */
u64 below(struct fuzzer *f, u64 n)
{
	return (draw(f) >> 32) * n >> 32;
}

bool one_in(struct fuzzer *f, u64 n)
{
	return below(f, n) == 0;
}

void draw_init(void)
{
	nentries = dt_radix() ? 1ul << 14 : 8ul << hpt_group_bits();
}

static u64 edge(struct fuzzer *f)
{
	static const u64 edges[] = {0,	       1,	   ~0ul,      1ul << 63,  (1ul << 63) - 1,
				    1ul << 32, 0xffffffff, 1ul << 31, 0x7fffffff, 0xffff,
				    0x10000,   0xff,	   0x100,     ~1ul};

	return edges[below(f, ARRAY_SIZE(edges))];
}

/* A number of a size drawn first: small ones as often as large ones. */
static u64 any_size(struct fuzzer *f)
{
	return draw(f) >> below(f, 64);
}

u64 draw_address(struct fuzzer *f)
{
	u64 offset = below(f, ARENA_SIZE);

	switch (below(f, 16)) {
	case 0:
		return memory_end - 1 - below(f, 32);
	case 1:
		return memory_end - EDGE + (offset & 0xff8);
	case 2:
		return memory_end + (offset & ~7ul);
	case 3:
		return 1ul << (32 + below(f, 32));
	case 4:
	case 5:
	case 6:
	case 7:
		return (u64)arena + (offset & ~0xffful);
	case 8:
		return (u64)arena + offset;
	default:
		return (u64)arena + (offset & ~7ul);
	}
}

static u64 draw_flags(struct fuzzer *f, const struct call *call)
{
	u64 flags = 0;
	int i;

	switch (below(f, 8)) {
	case 0:
		return 0;
	case 1:
		return 1ul << below(f, 64);
	default:
		for (i = 0; i < MAX_HINTS; i++)
			if (one_in(f, 2))
				flags |= call->hints[i];
		return flags;
	}
}

static u64 draw_ptex(struct fuzzer *f, const struct call *call)
{
	static const u64 bulk[] = {BULK_REQUEST,
				   BULK_REQUEST,
				   BULK_REQUEST | BULK_ANDCOND,
				   BULK_REQUEST | BULK_AVPN,
				   BULK_REQUEST | BULK_CONDITION,
				   BULK_END,
				   BULK_RESPONSE,
				   BULK_REQUEST};
	u64 index;

	if (one_in(f, 16))
		index = nentries - 4 + below(f, 16);
	else if (one_in(f, 4))
		index = draw(f) >> 20 & (nentries - 1);
	else if (one_in(f, 2))
		index = ((fuzz_vsid(f) ^ below(f, FUZZ_PAGES)) * 8 + below(f, 8)) & (nentries - 1);
	else
		index = f->ptex[below(f, KEPT)];
	return call->limits & FUZZ_BULK ? bulk[below(f, ARRAY_SIZE(bulk))] | index : index;
}

/* A doubleword of an entry: the first of one of our pages, the second of memory, or any. */
static u64 draw_pte(struct fuzzer *f, bool second)
{
	static const u8 sizes[] = {0x00, 0x01, 0x03, 0x07, 0x08, 0x38};

	if (!second)
		return fuzz_vsid(f) << 12 | (draw(f) & 0x7f & ~2ul);
	return (draw_address(f) & HPTE_R_RPN & ~0xff000ul) |
	       (u64)sizes[below(f, ARRAY_SIZE(sizes))] << 12 | (draw(f) & 0xfff);
}

u32 draw_tty(struct fuzzer *f)
{
	return nttys > 1 ? ttys[1 + below(f, nttys - 1)] : ~0u;
}

static u64 draw_server(struct fuzzer *f)
{
	u64 other[] = {(u64)ncpus, (u64)ncpus + 1, ~0ul, ~1ul, ~2ul};

	if (one_in(f, 4))
		return other[below(f, ARRAY_SIZE(other))];
	return cpus[below(f, (u64)nfuzzers)].server;
}

static u64 draw_source(struct fuzzer *f)
{
	if (one_in(f, 8))
		return below(f, 4);
	return nttys && !one_in(f, 4) ? sources[below(f, nttys)] : SOURCE_FIRST + below(f, 16);
}

static u64 draw_token(struct fuzzer *f)
{
	static const u8 parameters[] = {20, 42, 48};

	return one_in(f, 4) ? parameters[below(f, ARRAY_SIZE(parameters))] : below(f, 6);
}

static u64 draw_kind(struct fuzzer *f, const struct call *call, u32 kind, u32 position)
{
	u32 how = (u32)below(f, 24);

	if (how == 0)
		return draw(f);
	if (how == 1)
		return edge(f);
	switch (kind) {
	case ARG_FLAGS:
		return draw_flags(f, call);
	case ARG_ADDRESS:
		return draw_address(f);
	case ARG_LENGTH:
		return one_in(f, 3) ? any_size(f) : 1ul << below(f, 5);
	case ARG_SERVER:
		return draw_server(f);
	case ARG_SOURCE:
		return draw_source(f);
	case ARG_XIRR:
		return one_in(f, 3) ? below(f, 256) << 24 | draw_source(f)
				    : f->xirr[below(f, KEPT)];
	case ARG_PRIORITY:
		return one_in(f, 2) ? below(f, 256) : one_in(f, 2) ? 0xff : 5;
	case ARG_UNIT:
		return nttys && !one_in(f, 8) ? ttys[below(f, nttys)] : below(f, 2);
	case ARG_PTEX:
		return draw_ptex(f, call);
	case ARG_PTE:
		return draw_pte(f, position == 3);
	case ARG_AVPN:
		return one_in(f, 3) ? draw_pte(f, false) : f->pte_v[below(f, KEPT)] & ~0x7ful;
	case ARG_TOKEN:
		return draw_token(f);
	default:
		return one_in(f, 2) ? below(f, 4) : any_size(f);
	}
}

static void draw_unknown(struct fuzzer *f, struct drawn *d)
{
	/* What KVM of POWER8 does not look at */
	u64 ignored = processor_version() < PVR_POWER9 && !set.known ? 3 : 0;
	int i;

	d->nr = one_in(f, 2)   ? below(f, 0x500)
		: one_in(f, 2) ? 0xf000 + below(f, 0x1000)
			       : any_size(f);
	for (i = 0; i < unknown_call; i++)
		if (!calls[i].rtas && calls[i].nr == (d->nr & ~ignored))
			d->nr |= 1ul << 20;
	for (i = 0; i < 6; i++)
		d->args[i] = draw_kind(f, d->call, (u32)below(f, ARG_TOKEN + 1), (u32)i);
}

/* Cells, and how many of them the block says that there are. */
static void draw_rtas(struct fuzzer *f, struct drawn *d)
{
	u32 i;

	d->nargs = d->call->nargs;
	d->nret = d->call->nret;
	if (one_in(f, 16) && !set.kernel_xics) {
		d->nargs = (u32)below(f, RTAS_MAX_ARGS + 2);
		d->nret = one_in(f, 4) ? (u32)any_size(f) : (u32)below(f, RTAS_MAX_ARGS + 2);
	}
	for (i = 0; i < MAX_ARGS; i++)
		d->args[i] = (u32)d->args[i];
}

void draw_call(struct fuzzer *f, struct drawn *d)
{
	u32 i;

	memset(d, 0, sizeof(*d));
	d->call = table_draw(f);
	d->nr = d->call->nr;
	if (d->call == &calls[unknown_call]) {
		draw_unknown(f, d);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(d->call->args) && d->call->args[i]; i++)
		d->args[i] = draw_kind(f, d->call, d->call->args[i], i);
	if (d->call->rtas)
		draw_rtas(f, d);
	limit(f, d);
}
