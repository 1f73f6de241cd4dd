// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: with "agree" on the command line, only what KVM and the monitor must answer alike
 * is asked, and a digest of the answers kept. What is left out is in docs/HPT.md, by these
 * names, and docs/FUZZING.md.
 *
 * LOCKING: none. A digest belongs to one CPU.
 */
#include "fuzz.h"

#define SOFTWARE_COND 0x61ul

static void limit_enter(struct drawn *d)
{
	/* ZERO_PAGE */
	d->args[0] &= ~H_ZERO_PAGE;
	/* LARGE_IN_MEMORY */
	if ((d->args[3] & HPTE_R_RPN & ~(LARGEST_PAGE - 1)) < dt_memory_end())
		d->args[2] &= ~HPTE_V_LARGE;
}

void agree_limit(struct drawn *d)
{
	u32 i;

	switch (d->nr) {
	case H_ENTER:
		limit_enter(d);
		break;
	case H_PROTECT:
		d->args[2] &= ~SOFTWARE_COND;
		break;
	case H_REMOVE:
		d->args[2] &= ~SOFTWARE_COND;
		break;
	case H_BULK_REMOVE:
		for (i = 1; i < 8; i += 2)
			d->args[i] &= ~SOFTWARE_COND;
		break;
	case H_EOI:
		/* KVM takes the end of interrupt 0 for a good one. */
		if (!XIRR_SOURCE((u32)d->args[0]))
			d->args[0] |= XICS_IPI;
		break;
	default:
		/* How long KVM takes for a resize is its affair. */
		if (d->call->family == FAMILY_HPT && d->call->args[1] == ARG_VALUE)
			d->args[0] |= 1;
	}
}

static void add(struct fuzzer *f, u64 value)
{
	/* FNV-1a, by doublewords */
	f->digest = (f->digest ^ value) * 0x100000001b3ul;
	f->digest ^= f->digest >> 32;
}

/* STALE, CLEARED_UNUSED, HYPERVISOR_ENTRIES */
static void add_entries(struct fuzzer *f, const struct drawn *d, const u64 *results)
{
	u64 index = d->args[1];
	u32 i, n = d->args[0] & H_READ_4 ? 4 : 1;

	if (n == 4)
		index &= ~3ul;
	for (i = 0; i < n; i++, index++, results += 2) {
		if ((index & 7) == 7)
			continue;
		add(f, results[0] & HPTE_V_VALID ? results[0] : 0);
		add(f, results[0] & HPTE_V_VALID ? results[1] & ~HPTE_R_RC : 0);
	}
}

void agree_digest(struct fuzzer *f, const struct drawn *d, long code, const u64 *results)
{
	u32 i, n = 0;

	if (!set.agree)
		return;
	add(f, (u64)code);
	if (d->nr == H_BULK_REMOVE)
		n = 8;
	if (code == H_SUCCESS) {
		switch (d->nr) {
		case H_READ:
			add_entries(f, d, results);
			break;
		case H_REMOVE:
			n = 2;
			break;
		case H_ENTER:
		case H_CLEAR_MOD:
		case H_CLEAR_REF:
		/* KVM's XICS over XIVE gives no MFRR. */
		case H_IPOLL:
		case H_XIRR:
		case H_XIRR_X:
			n = 1;
			break;
		}
	}
	for (i = 0; i < n; i++)
		add(f, results[i]);
}
