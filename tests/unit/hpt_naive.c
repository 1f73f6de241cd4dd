// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/hpt_naive.h"

#include <stdlib.h>
#include <string.h>

#define EXACT	  0x8000000000ull
#define READ_4	  0x2000000000ull
#define AVPN	  0x80000000ull
#define ANDCOND	  0x40000000ull
#define ZERO_PAGE 0x8000ull
#define R	  0x100ull
#define C	  0x80ull

enum { SUCCESS = 0, FUNCTION = -2, PARAMETER = -4, PTEG_FULL = -6, NOT_FOUND = -7 };

bool naive_init(struct hpt_naive *n, uint32_t order, uint64_t mem_size)
{
	*n = (struct hpt_naive){.count = (1ull << order) / 16, .mem_size = mem_size};
	n->entries = calloc(n->count, sizeof(*n->entries));
	n->mem = calloc(1, mem_size);
	return n->entries && n->mem;
}

void naive_fini(struct hpt_naive *n)
{
	free(n->entries);
	free(n->mem);
	*n = (struct hpt_naive){0};
}

/* Calls that change it: when it is asked for R and C is the model's own affair. */
static bool backing_fails(struct hpt_naive *n)
{
	return n->backed && n->fails_after && --n->fails_after == 0;
}

static bool is_valid(const struct naive_entry *e)
{
	return e->v & 1;
}

/* Bytes of the page, or 0: two kinds of 64 KiB, three of 16 MiB, one of 16 GiB. */
static uint64_t page_size(uint64_t v, uint64_t r)
{
	uint64_t lp = r >> 12 & 0xff;

	if (!(v & 4))
		return 0x1000;
	if (lp % 16 == 1 || lp % 16 == 7)
		return 0x10000;
	if (lp == 0 || lp == 8 || lp == 0x38)
		return 0x1000000;
	return lp == 3 ? 0x400000000 : 0;
}

static void zero_page(struct hpt_naive *n, uint64_t r, uint64_t size)
{
	uint64_t page = (r & 0x0ffffffffffff000) / size * size;

	for (uint64_t i = 0; page + size <= n->mem_size && i < size; i++)
		n->mem[page + i] = 0;
}

static int64_t enter(struct hpt_naive *n, uint64_t args[])
{
	uint64_t size = page_size(args[2], args[3]), first = args[1], last = args[1], i;

	if (!(args[0] & EXACT)) {
		first = args[1] / 8 * 8;
		last = first + 7;
	}
	if (args[1] >= n->count || !size || args[2] >> 63) /* B: 2 and 3 are no segment sizes */
		return PARAMETER;
	for (i = first; i <= last && is_valid(&n->entries[i]); i++)
		;
	if (i > last)
		return PTEG_FULL;
	if (backing_fails(n))
		return n->failure;
	n->entries[i].v = (args[2] & 0xffffffffffffff9f) | 1;
	n->entries[i].r = args[3] & 0xbfffffffffffffff;
	if (args[0] & ZERO_PAGE)
		zero_page(n, args[3], size);
	args[0] = i;
	return SUCCESS;
}

/* The entry that a call with these flags is meant for, or why there is none. */
static int64_t find(struct hpt_naive *n, uint64_t flags, uint64_t index, uint64_t avpn,
		    struct naive_entry **e)
{
	if (index >= n->count)
		return PARAMETER;
	*e = &n->entries[index];
	if (!is_valid(*e))
		return NOT_FOUND;
	if ((flags & AVPN) && (*e)->v >> 7 << 7 != avpn)
		return NOT_FOUND;
	if ((flags & ANDCOND) && ((*e)->v & avpn))
		return NOT_FOUND;
	return SUCCESS;
}

static int64_t remove_one(struct hpt_naive *n, uint64_t args[])
{
	struct naive_entry *e;
	int64_t ret = find(n, args[0], args[1], args[2], &e);

	if (ret != SUCCESS)
		return ret;
	if (backing_fails(n))
		return n->failure;
	args[0] = e->v;
	args[1] = e->r;
	*e = (struct naive_entry){0, 0};
	return SUCCESS;
}

static int64_t protect(struct hpt_naive *n, uint64_t args[])
{
	uint64_t flags = args[0], r;
	struct naive_entry *e;
	int64_t ret = find(n, flags & AVPN, args[1], args[2], &e);

	if (ret != SUCCESS)
		return ret;
	if (backing_fails(n))
		return n->failure;
	r = e->r & ~0xb000000000000e07ull;
	r |= flags & 0xe07;
	if (flags & 0x100)
		r |= 0x8000000000000000;
	if (flags & 0x1000)
		r |= 0x1000000000000000;
	if (flags & 0x2000)
		r |= 0x2000000000000000;
	e->r = r;
	return SUCCESS;
}

static int64_t read(struct hpt_naive *n, uint64_t args[])
{
	uint64_t count = (args[0] & READ_4) ? 4 : 1, first = args[1] / count * count;

	if (args[1] >= n->count)
		return PARAMETER;
	memcpy(args, &n->entries[first], count * sizeof(*n->entries));
	return SUCCESS;
}

static int64_t clear(struct hpt_naive *n, uint64_t args[], uint64_t bit)
{
	struct naive_entry *e;
	int64_t ret = find(n, 0, args[1], 0, &e);

	if (ret != SUCCESS)
		return ret;
	if ((e->r & bit) && backing_fails(n))
		return n->failure;
	args[0] = e->r;
	e->r &= ~bit;
	return SUCCESS;
}

/* One request: its answer, and its entry if it is to go. PARAMETER ends the list. */
static int64_t bulk_one(struct hpt_naive *n, uint64_t request, uint64_t avpn,
			struct naive_entry **e, uint64_t *answer)
{
	static const uint64_t flags[] = {0, ANDCOND, AVPN};
	uint64_t how = request >> 56 & 3;
	int64_t ret = PARAMETER;

	*answer = (request & 0x03ffffffffffffff) | 0x8000000000000000;
	if (request >> 62 == 1 && how != 3)
		ret = find(n, flags[how], request & 0x00ffffffffffffff, avpn, e);
	if (ret == PARAMETER)
		*answer |= 0x2000000000000000;
	if (ret == NOT_FOUND)
		*answer |= 0x1000000000000000;
	if (ret == SUCCESS && ((*e)->r & R))
		*answer |= 0x0800000000000000;
	if (ret == SUCCESS && ((*e)->r & C))
		*answer |= 0x0400000000000000;
	return ret;
}

/* Entries that are to go; the backing takes them out at once. */
struct going {
	struct naive_entry *e[4];
	size_t n;
};

static bool all_go(struct hpt_naive *n, struct going *going)
{
	if (going->n && backing_fails(n))
		return false;
	while (going->n)
		*going->e[--going->n] = (struct naive_entry){0, 0};
	return true;
}

static bool is_going(const struct hpt_naive *n, const struct going *going, uint64_t request)
{
	for (size_t i = 0; i < going->n; i++)
		if (going->e[i] == n->entries + (request & 0x00ffffffffffffff))
			return true;
	return false;
}

static int64_t bulk(struct hpt_naive *n, uint64_t args[])
{
	struct going going = {.n = 0};
	struct naive_entry *e = NULL;
	uint64_t answers[4];
	int64_t ret = SUCCESS;
	size_t i;

	for (i = 0; i < 4 && ret != PARAMETER && args[2 * i] >> 62 != 3; i++) {
		ret = bulk_one(n, args[2 * i], args[2 * i + 1], &e, &answers[i]);
		if (ret == PARAMETER)
			continue;
		if (is_going(n, &going, args[2 * i])) {
			if (!all_go(n, &going))
				return n->failure;
			ret = bulk_one(n, args[2 * i], args[2 * i + 1], &e, &answers[i]);
		}
		if (ret == SUCCESS)
			going.e[going.n++] = e;
	}
	if (!all_go(n, &going))
		return n->failure;
	for (size_t j = 0; j < i; j++)
		args[2 * j] = answers[j];
	return ret == PARAMETER ? PARAMETER : SUCCESS;
}

int64_t naive_call(struct hpt_naive *n, uint64_t nr, uint64_t args[])
{
	switch (nr) {
	case 0x004:
		return remove_one(n, args);
	case 0x008:
		return enter(n, args);
	case 0x00c:
		return read(n, args);
	case 0x010:
		return clear(n, args, C);
	case 0x014:
		return clear(n, args, R);
	case 0x018:
		return protect(n, args);
	case 0x124:
		return bulk(n, args);
	default:
		return FUNCTION;
	}
}
