// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page frame table calls (PAPR 14.5.4.1), where KVM leaves them to the monitor
 * (--hpt user). Every change happens between hpt_begin and hpt_end, so that the backing
 * may stop the other processors before an entry is locked.
 */
#include <errno.h>

#include "hcall/hcall.h"
#include "hcall/papr.h"

/* PAPR numbers bits from the left. */
#define FLAG(bit)   (1ull << (63 - (bit)))
#define H_EXACT	    FLAG(24)
#define H_READ_4    FLAG(26)
#define H_AVPN	    FLAG(32)
#define H_ANDCOND   FLAG(33)
#define H_ZERO_PAGE FLAG(48)

/* H_BULK_REMOVE: the first byte of a request, and of its answer. */
#define BULK_INDEX     0x00ffffffffffffffull
#define BULK_TYPE      0xc000000000000000ull
#define BULK_REQUEST   0x4000000000000000ull
#define BULK_RESPONSE  0x8000000000000000ull
#define BULK_END       0xc000000000000000ull
#define BULK_CONDITION 0x0300000000000000ull
#define BULK_ANDCOND   0x0100000000000000ull
#define BULK_AVPN      0x0200000000000000ull
#define BULK_NOT_FOUND 0x1000000000000000ull
#define BULK_PARAMETER 0x2000000000000000ull
#define BULK_RC_SHIFT  51 /* from R and C in the second doubleword */

static int64_t status(int err)
{
	switch (err) {
	case 0:
		return H_SUCCESS;
	case -EINVAL:
		return H_PARAMETER;
	case -ENOENT:
		return H_NOT_FOUND;
	case -ENOSPC:
		return H_PTEG_FULL;
	default:
		return H_HARDWARE;
	}
}

/* The table, with the right to change it, or NULL: the kernel has it, or it is gone. */
static struct hpt *begin(struct hcpu *cpu)
{
	struct machine *m = cpu->machine;

	if (!m->hpt.slots || !m->ops->hpt_begin(cpu))
		return NULL;
	return &m->hpt;
}

static int64_t end(struct hcpu *cpu, int err)
{
	cpu->machine->ops->hpt_end(cpu);
	return status(err);
}

/* The page that an entry maps, if all of it is memory. */
static void zero_page(const struct gmem *mem, struct hpte entry)
{
	uint32_t base, shift = hpte_page_shift(entry, &base);
	uint64_t size = 1ull << shift;

	gmem_zero(mem, entry.r & HPTE_R_RPN & ~(size - 1), size);
}

int64_t h_enter(struct hcpu *cpu, uint64_t args[])
{
	struct hpt *hpt = begin(cpu);
	struct hpte entry = {args[2], args[3]};
	uint64_t at;
	int err;

	if (!hpt)
		return H_FUNCTION;
	err = hpt_enter(hpt, args[0] & H_EXACT, args[1], entry, &at);
	if (!err && (args[0] & H_ZERO_PAGE))
		zero_page(&cpu->machine->mem, entry);
	if (!err)
		args[0] = at;
	return end(cpu, err);
}

/* What the flags of H_REMOVE and H_PROTECT ask of the entry. */
static struct hpt_match match_of(uint64_t flags, uint64_t avpn)
{
	return (struct hpt_match){
		.condition = ((flags & H_AVPN) ? HPT_AVPN : HPT_ANY) |
			     ((flags & H_ANDCOND) ? HPT_ANDCOND : HPT_ANY),
		.value = avpn,
	};
}

int64_t h_remove(struct hcpu *cpu, uint64_t args[])
{
	struct hpt *hpt = begin(cpu);
	struct hpte old;
	int err;

	if (!hpt)
		return H_FUNCTION;
	err = hpt_remove(hpt, args[1], match_of(args[0], args[2]), &old);
	if (!err) {
		args[0] = old.v;
		args[1] = old.r;
	}
	return end(cpu, err);
}

int64_t h_protect(struct hcpu *cpu, uint64_t args[])
{
	struct hpt *hpt = begin(cpu);
	uint64_t flags = args[0], bits;

	if (!hpt)
		return H_FUNCTION;
	/* pp0 and the key's upper bits are elsewhere in flags than in the entry. */
	bits = (flags << 55 & HPTE_R_PP0) | (flags << 48 & HPTE_R_KEY_HI) |
	       (flags & (HPTE_R_PP | HPTE_R_N | HPTE_R_KEY_LO));
	return end(cpu, hpt_protect(hpt, args[1], match_of(flags & H_AVPN, args[2]), bits));
}

int64_t h_read(struct hcpu *cpu, uint64_t args[])
{
	struct hpt *hpt = begin(cpu);
	uint64_t index = args[1];
	size_t count = (args[0] & H_READ_4) ? 4 : 1;
	struct hpte entry[4];
	int err = 0;

	if (!hpt)
		return H_FUNCTION;
	if (count == 4)
		index &= ~3ull;
	for (size_t i = 0; !err && i < count; i++)
		err = hpt_read(hpt, index + i, &entry[i]);
	for (size_t i = 0; !err && i < count; i++) {
		args[2 * i] = entry[i].v;
		args[2 * i + 1] = entry[i].r;
	}
	return end(cpu, err);
}

static int64_t clear(struct hcpu *cpu, uint64_t args[], uint64_t bit)
{
	struct hpt *hpt = begin(cpu);
	uint64_t old;
	int err;

	if (!hpt)
		return H_FUNCTION;
	err = hpt_clear(hpt, args[1], bit, &old);
	if (!err)
		args[0] = old;
	return end(cpu, err);
}

int64_t h_clear_ref(struct hcpu *cpu, uint64_t args[])
{
	return clear(cpu, args, HPTE_R_R);
}

int64_t h_clear_mod(struct hcpu *cpu, uint64_t args[])
{
	return clear(cpu, args, HPTE_R_C);
}

/*
 * Collect requests up to the end or the first bad one; how many, and whether it was bad.
 * Those behind a bad one stay untouched.
 */
static size_t read_requests(const struct hpt *hpt, const uint64_t args[],
			    struct hpt_removal *removals, bool *bad)
{
	size_t n;

	*bad = false;
	for (n = 0; n < HPT_BULK; n++) {
		uint64_t request = args[2 * n], condition = request & BULK_CONDITION;

		if ((request & BULK_TYPE) == BULK_END)
			break;
		*bad = (request & BULK_TYPE) != BULK_REQUEST || condition == BULK_CONDITION ||
		       (request & BULK_INDEX) >= hpt_count(hpt);
		if (*bad)
			break;
		removals[n] = (struct hpt_removal){
			.index = request & BULK_INDEX,
			.match = {.condition = condition == BULK_AVPN	   ? HPT_AVPN
					       : condition == BULK_ANDCOND ? HPT_ANDCOND
									   : HPT_ANY,
				  .value = args[2 * n + 1]},
		};
	}
	return n;
}

/* A request's first doubleword as the answer has it. */
static uint64_t answer(uint64_t request, uint64_t code)
{
	return BULK_RESPONSE | code | (request & (BULK_CONDITION | BULK_INDEX));
}

int64_t h_bulk_remove(struct hcpu *cpu, uint64_t args[])
{
	struct hpt *hpt = begin(cpu);
	struct hpt_removal removals[HPT_BULK];
	size_t n;
	bool bad;
	int err;

	if (!hpt)
		return H_FUNCTION;
	n = read_requests(hpt, args, removals, &bad);
	err = hpt_remove_bulk(hpt, removals, n);
	for (size_t i = 0; !err && i < n; i++)
		args[2 * i] =
			answer(args[2 * i],
			       removals[i].err ? BULK_NOT_FOUND : removals[i].rc << BULK_RC_SHIFT);
	if (!err && bad) {
		args[2 * n] = answer(args[2 * n], BULK_PARAMETER);
		err = -EINVAL;
	}
	return end(cpu, err);
}
