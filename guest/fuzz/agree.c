// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: with "agree" on the command line, only what KVM and the monitor must answer alike
 * is asked, and a digest of the answers kept. What is left out is in docs/HPT.md and
 * docs/XICS.md, by these names, and in docs/FUZZING.md.
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
	if ((d->args[3] & HPTE_R_RPN & ~(LARGEST_PAGE - 1)) < memory_end)
		d->args[2] &= ~HPTE_V_LARGE;
}

static u64 bit_of(u64 source)
{
	return is_present_source(source) ? 1ul << source % 64 : 0;
}

/* The names are those of docs/XICS.md's table of differences. */
static void limit_ipi(struct fuzzer *f, struct drawn *d)
{
	/* H_IPI's server beyond 32 bits */
	d->args[0] = (u32)d->args[0];
	/* A priority of more than a byte */
	d->args[1] = (u8)d->args[1];
	/* MFRR less favoured while its IPI is pending */
	if (d->args[0] != this_cpu()->server)
		return;
	if (d->args[1] > f->mfrr)
		d->args[1] = f->mfrr;
	f->mfrr = d->args[1];
}

/* ibm,int-off twice */
static void limit_mask(struct fuzzer *f, struct drawn *d)
{
	u64 bit = bit_of(d->args[0]);
	const char *name = d->call->name;

	if (!strcmp(name, "ibm,int-off")) {
		/* Instead, of a source that is not there */
		if (f->off & bit)
			d->args[0] = 0;
		f->off |= bit;
	} else if (!strcmp(name, "ibm,int-on") ||
		   (!strcmp(name, "ibm,set-xive") && d->args[1] == this_cpu()->server)) {
		f->off &= ~bit;
	}
}

static void limit_eoi(struct fuzzer *f, struct drawn *d)
{
	u64 source = XIRR_SOURCE(d->args[0]), bit = bit_of(source);

	/* H_EOI of an unknown source, and of one that is not in service */
	if (!(f->in_service & bit))
		source = XICS_IPI;
	f->in_service &= ~bit;
	/* H_EOI, with a more favoured CPPR */
	d->args[0] = (u64)XICS_PRI_ALL << 24 | source;
}

void agree_limit(struct fuzzer *f, struct drawn *d)
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
	case H_IPI:
		limit_ipi(f, d);
		break;
	case H_CPPR:
		d->args[0] = (u8)d->args[0];
		break;
	case H_IPOLL:
		d->args[0] = (u32)d->args[0];
		break;
	case H_EOI:
		limit_eoi(f, d);
		break;
	default:
		if (d->call->rtas && d->call->family == FAMILY_XICS)
			limit_mask(f, d);
		/* How long KVM takes for a resize is its affair. */
		if (d->call->family == FAMILY_HPT && d->call->args[1] == ARG_VALUE)
			d->args[0] |= 1;
	}
}

void agree_add(struct fuzzer *f, u64 value)
{
	/* FNV-1a, by doublewords */
	f->digest = (f->digest ^ value) * 0x100000001b3ul;
	f->digest ^= f->digest >> 32;
}

/* STALE, CLEARED_UNUSED, HYPERVISOR_ENTRIES */
bool agree_on_entry(u64 index, u64 v)
{
	return (index & 7) != 7 && v & HPTE_V_VALID;
}

static void add_entries(struct fuzzer *f, const struct drawn *d, const u64 *results)
{
	u64 index = d->args[1];
	u32 i, n = d->args[0] & H_READ_4 ? 4 : 1;

	if (n == 4)
		index &= ~3ul;
	for (i = 0; i < n; i++, index++, results += 2) {
		if (!agree_on_entry(index, results[0]))
			continue;
		agree_add(f, results[0]);
		agree_add(f, results[1] & ~HPTE_R_RC);
	}
}

void agree_digest(struct fuzzer *f, const struct drawn *d, long code, const u64 *results)
{
	u32 i, n = 0;

	if (!set.agree)
		return;
	agree_add(f, (u64)code);
	if (d->nr == H_BULK_REMOVE)
		n = 8;
	if (d->call->rtas)
		n = MAX_OUTPUTS;
	if (code == H_SUCCESS) {
		switch (d->nr) {
		case H_READ:
			add_entries(f, d, results);
			break;
		case H_REMOVE:
			n = 2;
			break;
		case H_XIRR:
		case H_XIRR_X:
			f->in_service |= bit_of(XIRR_SOURCE(results[0]));
			n = 1;
			break;
		case H_IPOLL:
			n = 2;
			break;
		case H_ENTER:
		case H_CLEAR_MOD:
		case H_CLEAR_REF:
			n = 1;
			break;
		}
	}
	for (i = 0; i < n; i++)
		agree_add(f, results[i]);
}
