/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hashed page table as PAPR shows it to a guest (PAPR 14.5.4.1, the page frame table
 * calls): entries by index, in groups of 8, with the second doubleword as the guest
 * wrote it and R and C as hardware left them.
 *
 * The model decides; a backing makes a live guest follow. Without one it is a table of
 * its own, in which nobody sets R and C.
 *
 * Errors: -EINVAL H_PARAMETER, -ENOENT H_NOT_FOUND, -ENOSPC H_PTEG_FULL, others what the
 * backing failed with.
 */
#ifndef MMU_HPT_H
#define MMU_HPT_H

#include <stdatomic.h>
#include <stddef.h>

#include "mmu/hpte.h"
#include "mmu/hpt_size.h"

#define HPT_GROUP 8 /* entries of a group */
#define HPT_BULK  4 /* requests of an H_BULK_REMOVE */

/*
 * How the table that hardware uses follows. Called with the entries named locked, but for
 * look, which reads of entries call without.
 */
struct hpt_backing {
	/* A free entry gets a translation. -EINVAL if the host cannot have it so. */
	int (*enter)(void *ctx, uint64_t index, struct hpte entry);
	/*
	 * Take translations out, for good when it returns. @rc: which of R and C hardware may
	 * have set since, and on return (at least of these) which it has.
	 */
	int (*invalidate)(void *ctx, const uint64_t *indexes, size_t count, uint64_t *rc);
	/*
	 * Another second doubleword. What of R and C hardware has set stays set, but for
	 * @clear of these; @entry has what was known of them.
	 */
	int (*update)(void *ctx, uint64_t index, struct hpte entry, uint64_t clear);
	/* What R and C are. */
	int (*look)(void *ctx, uint64_t index, uint64_t *rc);
};

struct hpt_slot {
	_Atomic uint64_t v, r;
};

struct hpt {
	uint32_t order; /* log2 of bytes, 16 an entry */
	struct hpt_slot *slots;
	uint64_t v_lost; /* of the first doubleword, what the backing's entries have no room for */
	const struct hpt_backing *backing; /* or NULL */
	void *ctx;
};

/* An empty table of 2^@order bytes. 0, -EINVAL for an order that is none, or -ENOMEM. */
int hpt_init(struct hpt *hpt, uint32_t order, const struct hpt_backing *backing, void *ctx);
void hpt_fini(struct hpt *hpt);

static inline uint64_t hpt_count(const struct hpt *hpt)
{
	return 1ull << (hpt->order - 4);
}

/* Which entries a request is meant for: all, those of one page, those without bits. */
enum hpt_condition { HPT_ANY, HPT_AVPN = 1, HPT_ANDCOND = 2 };

struct hpt_match {
	unsigned int condition; /* HPT_AVPN and HPT_ANDCOND may come together */
	uint64_t value;
};

/**
 * hpt_enter - put an entry where @index says, or into a free place of its group
 * @exact: there and nowhere else
 * @at: on success, where it is
 */
int hpt_enter(struct hpt *hpt, bool exact, uint64_t index, struct hpte entry, uint64_t *at);

/* Take an entry out; @old is what it was, with R and C. */
int hpt_remove(struct hpt *hpt, uint64_t index, struct hpt_match match, struct hpte *old);

/* A request of H_BULK_REMOVE, and what came of it. */
struct hpt_removal {
	uint64_t index;
	struct hpt_match match;
	int err;     /* 0, -ENOENT */
	uint64_t rc; /* R and C of what was removed */
};

/* At most HPT_BULK removals, invalidated together. 0, or what the backing failed with. */
int hpt_remove_bulk(struct hpt *hpt, struct hpt_removal *removals, size_t count);

/* Other protection bits, of HPTE_R_PROT. */
int hpt_protect(struct hpt *hpt, uint64_t index, struct hpt_match match, uint64_t bits);

/* An entry as it is; of one that is not valid, both doublewords are zero. */
int hpt_read(struct hpt *hpt, uint64_t index, struct hpte *entry);

/* Clear R or C; @old is the second doubleword as it was. */
int hpt_clear(struct hpt *hpt, uint64_t index, uint64_t bit, uint64_t *old);

/* An entry as the model has it, without asking the backing. No others may run. */
struct hpte hpt_peek(const struct hpt *hpt, uint64_t index);

/* Set an entry, valid or not, as it is known to be in the backing. No others may run. */
void hpt_load(struct hpt *hpt, uint64_t index, struct hpte entry);

#endif
