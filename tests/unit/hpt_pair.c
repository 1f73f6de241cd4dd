// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/hpt_pair.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hcall/papr.h"
#include "lib/util.h"

#define MEM_SIZE KIB(128)
#define DIRT	 0xa5

#define H_REMOVE      0x004
#define H_ENTER	      0x008
#define H_READ	      0x00c
#define H_CLEAR_MOD   0x010
#define H_CLEAR_REF   0x014
#define H_PROTECT     0x018
#define H_BULK_REMOVE 0x124

#define EXACT	  0x8000000000ull
#define READ_4	  0x2000000000ull
#define AVPN	  0x80000000ull
#define ANDCOND	  0x40000000ull
#define ZERO_PAGE 0x8000ull

static const char *__attribute__((format(printf, 2, 3)))
fault(struct hpt_pair *pair, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(pair->text, sizeof(pair->text), fmt, ap);
	va_end(ap);
	return pair->text;
}

bool pair_init(struct hpt_pair *pair, bool backed)
{
	struct hpt *hpt = &pair->fake.machine.hpt;

	memset(pair, 0, sizeof(*pair));
	if (!fake_init(&pair->fake, MEM_SIZE) || !naive_init(&pair->naive, PAIR_ORDER, MEM_SIZE))
		return false;
	pair->naive.backed = backed;
	if (backed ? hpt_hw_init(&pair->hw, hpt, PAIR_ORDER)
		   : hpt_init(hpt, PAIR_ORDER, NULL, NULL))
		return false;
	pair_reset(pair);
	return true;
}

void pair_fini(struct hpt_pair *pair)
{
	hpt_hw_fini(&pair->hw);
	naive_fini(&pair->naive);
	fake_fini(&pair->fake);
}

void pair_reset(struct hpt_pair *pair)
{
	struct hpt *hpt = &pair->fake.machine.hpt;
	size_t size = pair->naive.count * sizeof(struct hpte);

	memset((void *)hpt->slots, 0, size);
	memset(pair->naive.entries, 0, size);
	if (pair->hw.entries)
		memset(pair->hw.entries, 0, size);
	memset(pair->fake.machine.mem.base, DIRT, MEM_SIZE);
	memset(pair->naive.mem, DIRT, MEM_SIZE);
	pair->hw.fails_after = pair->naive.fails_after = 0;
}

/* ---- what to call */

struct chooser {
	pair_draw *draw;
	void *ctx;
};

static uint32_t below(struct chooser *c, uint32_t n)
{
	return c->draw(c->ctx, n);
}

static uint64_t any(struct chooser *c)
{
	uint64_t value = 0;

	for (int i = 0; i < 4; i++)
		value = value << 16 | below(c, 1 << 16);
	return value;
}

/* Mostly in a few groups, so that they become full; now and then beyond the table. */
static uint64_t choose_index(struct chooser *c, uint64_t count)
{
	uint64_t i = below(c, 16);

	switch (below(c, 16)) {
	case 0:
		return count - 8 + i;
	case 1:
		return 1ull << (8 + below(c, 56)) | i;
	case 2:
		return below(c, 2) ? UINT64_MAX - i : any(c);
	case 3:
	case 4:
		return count / 2 - 8 + i;
	case 5:
	case 6:
		return count - 1 - i;
	default:
		return i;
	}
}

static uint64_t choose_v(struct chooser *c)
{
	uint64_t v = (uint64_t)below(c, 4) << 62 | (uint64_t)below(c, 3) << 7;

	return below(c, 8) ? v | below(c, 1 << 7) : any(c);
}

static uint64_t choose_r(struct chooser *c)
{
	uint64_t r = (uint64_t)below(c, 48) << 12; /* also behind the end of memory */

	return below(c, 8) ? r | (uint64_t)below(c, 16) << 60 | below(c, 1 << 12) : any(c);
}

static uint64_t choose_flags(struct chooser *c)
{
	static const uint64_t flags[] = {EXACT, READ_4, AVPN, ANDCOND, ZERO_PAGE};
	uint64_t set = below(c, 8) ? below(c, 1 << 14) : any(c);

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		set ^= below(c, 2) ? flags[i] : 0;
	return set;
}

/* What the entry has, for some index that exists; or bits that it may have. */
static uint64_t choose_avpn(struct hpt_pair *pair, struct chooser *c, uint64_t index)
{
	uint64_t v = pair->naive.entries[index % pair->naive.count].v;

	switch (below(c, 4)) {
	case 0:
		return choose_v(c);
	case 1:
		return 1ull << below(c, 64);
	case 2:
		return v;
	default:
		return v >> 7 << 7;
	}
}

static uint64_t choose_request(struct chooser *c, uint64_t index)
{
	uint64_t type = below(c, 8) ? 1 : below(c, 4);

	return type << 62 | (uint64_t)below(c, below(c, 4) ? 3 : 64) << 56 |
	       (index & (below(c, 16) ? 0x00ffffffffffffff : UINT64_MAX));
}

static uint64_t choose_call(struct hpt_pair *pair, struct chooser *c, uint64_t args[])
{
	static const uint16_t calls[] = {H_ENTER, H_ENTER,	 H_ENTER,     H_ENTER,
					 H_ENTER, H_REMOVE,	 H_REMOVE,    H_BULK_REMOVE,
					 H_READ,  H_BULK_REMOVE, H_PROTECT,   H_PROTECT,
					 H_READ,  H_CLEAR_MOD,	 H_CLEAR_REF, H_CLEAR_REF};
	uint64_t nr = calls[below(c, ARRAY_SIZE(calls))];

	memset(args, 0x33, HCALL_ARGS * sizeof(args[0]));
	args[0] = choose_flags(c);
	args[1] = choose_index(c, pair->naive.count);
	args[2] = choose_avpn(pair, c, args[1]);
	if (nr == H_ENTER) {
		args[2] = choose_v(c);
		args[3] = choose_r(c);
	}
	for (size_t i = 0; nr == H_BULK_REMOVE && i < HPT_BULK; i++) {
		uint64_t index = choose_index(c, pair->naive.count);

		args[2 * i] = choose_request(c, index);
		args[2 * i + 1] = choose_avpn(pair, c, index);
	}
	return nr;
}

/* ---- what happens besides */

static void touch(struct hpt_pair *pair, struct chooser *c)
{
	uint64_t index = choose_index(c, pair->naive.count) % pair->naive.count;
	uint64_t rc = below(c, 2) ? HPTE_R_R : HPTE_R_RC, pp;

	if (!pair->hw.entries)
		return;
	/* Where nobody may write, nothing is changed. */
	pp = pair->naive.entries[index].r & (HPTE_R_PP0 | HPTE_R_PP);
	if (pp == 3 || pp == (HPTE_R_PP0 | 2))
		rc = HPTE_R_R;
	hpt_hw_touch(&pair->hw, index, rc);
	if (pair->naive.entries[index].v)
		pair->naive.entries[index].r |= rc;
}

/* The host refuses an entry, or has a fault. */
static void prepare_failure(struct hpt_pair *pair, struct chooser *c, uint64_t nr)
{
	unsigned int after = below(c, 4) ? 0 : 1 + below(c, 2);
	bool refuses = nr == H_ENTER && below(c, 2);

	if (!pair->hw.entries)
		return;
	pair->hw.fails_after = pair->naive.fails_after = after;
	pair->hw.looks_work = true;
	pair->hw.err = refuses ? -EINVAL : -EIO;
	pair->naive.failure = refuses ? H_PARAMETER : H_HARDWARE;
}

/* ---- what came of it */

static const char *compare_memory(struct hpt_pair *pair)
{
	uint8_t *mem = pair->fake.machine.mem.base;

	if (memcmp(mem, pair->naive.mem, MEM_SIZE) != 0)
		return fault(pair, "other memory is zeroed");
	memset(mem, DIRT, MEM_SIZE);
	memset(pair->naive.mem, DIRT, MEM_SIZE);
	return NULL;
}

static void count(struct hpt_pair *pair, int64_t ret)
{
	if (ret == H_SUCCESS)
		pair->ok++;
	else if (ret == H_HARDWARE)
		pair->failed++;
	else
		pair->refused++;
}

const char *pair_step(struct hpt_pair *pair, pair_draw *draw, void *ctx)
{
	uint64_t args[HCALL_ARGS], asked[HCALL_ARGS], expected[HCALL_ARGS], nr;
	struct chooser c = {draw, ctx};
	int64_t ret, wanted;

	touch(pair, &c);
	nr = choose_call(pair, &c, args);
	prepare_failure(pair, &c, nr);
	memcpy(asked, args, sizeof(args));
	memcpy(expected, args, sizeof(args));
	wanted = naive_call(&pair->naive, nr, expected);
	ret = fake_hcall(&pair->fake, nr, args);
	count(pair, ret);
	if (ret != wanted)
		return fault(pair, "0x%llx(0x%llx, 0x%llx, 0x%llx, 0x%llx) gives %lld, not %lld",
			     (unsigned long long)nr, (unsigned long long)asked[0],
			     (unsigned long long)asked[1], (unsigned long long)asked[2],
			     (unsigned long long)asked[3], (long long)ret, (long long)wanted);
	for (size_t i = 0; i < HCALL_ARGS; i++)
		if (args[i] != expected[i])
			return fault(pair, "0x%llx answers 0x%llx in argument %zu, not 0x%llx",
				     (unsigned long long)nr, (unsigned long long)args[i], i,
				     (unsigned long long)expected[i]);
	if (pair->fake.hpt_begun != pair->fake.hpt_ended)
		return fault(pair, "0x%llx does not end what it began", (unsigned long long)nr);
	if (pair->hw.fails_after != pair->naive.fails_after)
		return fault(pair, "0x%llx calls the backing more or less", (unsigned long long)nr);
	if (nr == H_ENTER && (asked[0] & ZERO_PAGE))
		return compare_memory(pair);
	return pair->hw.fault;
}

const char *pair_compare(struct hpt_pair *pair)
{
	const struct hpt_slot *slots = pair->fake.machine.hpt.slots;
	const struct hpte *hw = pair->hw.entries;

	for (uint64_t i = 0; i < pair->naive.count; i++) {
		const struct naive_entry *n = &pair->naive.entries[i];
		uint64_t v = atomic_load_explicit(&slots[i].v, memory_order_relaxed);
		uint64_t r = atomic_load_explicit(&slots[i].r, memory_order_relaxed);

		if (hw)
			r |= hw[i].r & HPTE_R_RC;
		if (v != n->v || (v && r != n->r))
			return fault(pair, "entry 0x%llx is 0x%llx 0x%llx, not 0x%llx 0x%llx",
				     (unsigned long long)i, (unsigned long long)v,
				     (unsigned long long)r, (unsigned long long)n->v,
				     (unsigned long long)n->r);
		if (hw && (hw[i].v != n->v || hw[i].r != n->r))
			return fault(pair,
				     "hardware's entry 0x%llx is 0x%llx 0x%llx, not 0x%llx 0x%llx",
				     (unsigned long long)i, (unsigned long long)hw[i].v,
				     (unsigned long long)hw[i].r, (unsigned long long)n->v,
				     (unsigned long long)n->r);
	}
	return NULL;
}
