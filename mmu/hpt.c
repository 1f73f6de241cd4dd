// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING
 *
 * HPTE_V_LOCKED in an entry's first doubleword locks the entry: while it is set, only who
 * set it changes either doubleword, or the entry in the backing. It is taken by
 * compare-and-swap and given back by the store of the new first doubleword, which thus
 * comes after the second: who sees an entry valid sees its second doubleword too.
 *
 * Who holds one lock and wants another does not wait for it: H_ENTER passes over entries
 * it cannot have at once, and only when it holds none waits for each in turn; bulk
 * removal waits only while it holds none, and else finishes what it holds first. So
 * there is no order to keep and no deadlock.
 *
 * hpt_read() takes no lock: it may see an entry's first doubleword from before a change
 * and the second from after, as hardware may.
 */
#include "mmu/hpt.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"

/* What the guest may put into the words. */
#define V_GUEST (~(HPTE_V_LOCKED | HPTE_V_ABSENT))
#define R_GUEST (~HPTE_R_TS)

int hpt_init(struct hpt *hpt, uint32_t order, const struct hpt_backing *backing, void *ctx)
{
	*hpt = (struct hpt){0};
	if (order < HPT_ORDER_MIN || order > HPT_ORDER_MAX)
		return -EINVAL;
	hpt->slots = calloc(1ull << (order - 4), sizeof(*hpt->slots));
	if (!hpt->slots)
		return -ENOMEM;
	hpt->order = order;
	hpt->backing = backing;
	hpt->ctx = ctx;
	return 0;
}

void hpt_fini(struct hpt *hpt)
{
	free(hpt->slots);
	*hpt = (struct hpt){0};
}

/* NULL where there is none: the only way from a guest's number to an entry. */
static struct hpt_slot *slot_at(const struct hpt *hpt, uint64_t index)
{
	return index < hpt_count(hpt) ? &hpt->slots[index] : NULL;
}

/* Take the lock unless it is held or a bit of @unless is set; the word before in @v. */
static bool try_lock(struct hpt_slot *slot, uint64_t unless, uint64_t *v)
{
	*v = atomic_load_explicit(&slot->v, memory_order_relaxed);
	return !(*v & (HPTE_V_LOCKED | unless)) &&
	       atomic_compare_exchange_strong_explicit(&slot->v, v, *v | HPTE_V_LOCKED,
						       memory_order_acquire, memory_order_relaxed);
}

static uint64_t lock(struct hpt_slot *slot)
{
	uint64_t v;

	for (unsigned int tries = 0; !try_lock(slot, 0, &v); tries++)
		if (tries > 100)
			sched_yield();
	return v;
}

static void unlock(struct hpt_slot *slot, uint64_t v)
{
	atomic_store_explicit(&slot->v, v, memory_order_release);
}

static uint64_t get_r(struct hpt_slot *slot)
{
	return atomic_load_explicit(&slot->r, memory_order_relaxed);
}

static void set_r(struct hpt_slot *slot, uint64_t r)
{
	atomic_store_explicit(&slot->r, r, memory_order_relaxed);
}

/* A free entry of the group, locked, or NULL. */
static struct hpt_slot *lock_free(struct hpt_slot *group, size_t count)
{
	uint64_t v;

	for (size_t i = 0; i < count; i++)
		if (try_lock(&group[i], HPTE_V_VALID, &v))
			return &group[i];
	/* One may have been free but locked at that moment. */
	for (size_t i = 0; i < count; i++) {
		v = lock(&group[i]);
		if (!(v & HPTE_V_VALID))
			return &group[i];
		unlock(&group[i], v);
	}
	return NULL;
}

int hpt_enter(struct hpt *hpt, bool exact, uint64_t index, struct hpte entry, uint64_t *at)
{
	struct hpt_slot *slot = slot_at(hpt, exact ? index : align_down(index, HPT_GROUP));
	uint32_t base;
	int err = 0;

	if (!slot || (entry.v & HPTE_V_RESERVED_B) || !hpte_page_shift(entry, &base))
		return -EINVAL;
	entry.v = (entry.v & V_GUEST & ~hpt->v_lost) | HPTE_V_VALID;
	entry.r &= R_GUEST;
	slot = lock_free(slot, exact ? 1 : HPT_GROUP);
	if (!slot)
		return -ENOSPC;
	*at = (uint64_t)(slot - hpt->slots);
	if (hpt->backing)
		err = hpt->backing->enter(hpt->ctx, *at, entry);
	if (err) {
		unlock(slot, 0);
		return err;
	}
	set_r(slot, entry.r);
	unlock(slot, entry.v);
	return 0;
}

static bool matches(uint64_t v, struct hpt_match match)
{
	if (!(v & HPTE_V_VALID))
		return false;
	if ((match.condition & HPT_AVPN) && (v & (HPTE_V_SSIZE | HPTE_V_AVPN)) != match.value)
		return false;
	return !(match.condition & HPT_ANDCOND) || !(v & match.value);
}

/*
 * What hardware may have set and we do not know: R and C are never reset by it, and C is not
 * set where nobody may write. Asking the backing is dear, and mostly there is nothing to ask:
 * Linux enters R, and C of what is written to.
 */
static uint64_t unknown_rc(uint64_t r)
{
	uint64_t pp = r & (HPTE_R_PP0 | HPTE_R_PP);
	/* These two say read only to everybody (Power ISA 2.07 III 5.7.9.1). */
	bool read_only = pp == 3 || pp == (HPTE_R_PP0 | 2);

	return ~r & (read_only ? HPTE_R_R : HPTE_R_RC);
}

/* Entries held and to be invalidated together. */
struct batch {
	size_t count;
	uint64_t indexes[HPT_BULK], rc[HPT_BULK], v[HPT_BULK];
};

/* Invalidate what the batch holds and give it back. On failure all is as it was. */
static int flush(struct hpt *hpt, struct batch *batch)
{
	int err = 0;

	for (size_t i = 0; i < batch->count; i++)
		batch->rc[i] = unknown_rc(get_r(&hpt->slots[batch->indexes[i]]));
	if (!hpt->backing)
		memset(batch->rc, 0, sizeof(batch->rc));
	if (hpt->backing && batch->count)
		err = hpt->backing->invalidate(hpt->ctx, batch->indexes, batch->count, batch->rc);
	for (size_t i = 0; i < batch->count; i++) {
		struct hpt_slot *slot = &hpt->slots[batch->indexes[i]];

		if (!err)
			set_r(slot, get_r(slot) | (batch->rc[i] & HPTE_R_RC));
		unlock(slot, err ? batch->v[i] : 0);
	}
	return err;
}

int hpt_remove(struct hpt *hpt, uint64_t index, struct hpt_match match, struct hpte *old)
{
	struct hpt_slot *slot = slot_at(hpt, index);
	struct batch batch;
	uint64_t v, r;
	int err;

	if (!slot)
		return -EINVAL;
	v = lock(slot);
	if (!matches(v, match)) {
		unlock(slot, v);
		return -ENOENT;
	}
	batch.count = 1;
	batch.indexes[0] = index;
	batch.v[0] = v;
	r = get_r(slot);
	err = flush(hpt, &batch);
	*old = (struct hpte){v, r | (batch.rc[0] & HPTE_R_RC)};
	return err;
}

/* Lock an entry, waiting only if @batch is empty, which it is after a flush. */
static int lock_for(struct hpt_slot *slot, const struct batch *batch, uint64_t *v)
{
	if (!batch->count) {
		*v = lock(slot);
		return 0;
	}
	return try_lock(slot, 0, v) ? 0 : -EAGAIN;
}

int hpt_remove_bulk(struct hpt *hpt, struct hpt_removal *removals, size_t count)
{
	size_t next = 0;

	while (next < count) {
		size_t held[HPT_BULK] = {0};
		struct batch batch;
		int err;

		batch.count = 0;
		for (; next < count; next++) {
			struct hpt_removal *r = &removals[next];
			struct hpt_slot *slot = slot_at(hpt, r->index);
			uint64_t v;

			r->err = slot ? 0 : -EINVAL;
			if (!slot)
				continue;
			if (lock_for(slot, &batch, &v))
				break;
			if (!matches(v, r->match)) {
				r->err = -ENOENT;
				unlock(slot, v);
				continue;
			}
			r->rc = get_r(slot) & HPTE_R_RC;
			held[batch.count] = next;
			batch.indexes[batch.count] = r->index;
			batch.v[batch.count++] = v;
		}
		err = flush(hpt, &batch);
		if (err)
			return err;
		for (size_t i = 0; i < batch.count; i++)
			removals[held[i]].rc |= batch.rc[i] & HPTE_R_RC;
	}
	return 0;
}

/* With the entry locked: R and C as they are now. */
static int look(struct hpt *hpt, uint64_t index, struct hpt_slot *slot, uint64_t *r)
{
	uint64_t rc = 0;
	int err = 0;

	*r = get_r(slot);
	if (hpt->backing && unknown_rc(*r))
		err = hpt->backing->look(hpt->ctx, index, &rc);
	*r |= rc & HPTE_R_RC;
	return err;
}

/* With the entry locked, and to be unlocked: another second doubleword. */
static int replace_r(struct hpt *hpt, uint64_t index, struct hpt_slot *slot, struct hpte entry,
		     uint64_t clear)
{
	uint64_t before = unknown_rc(get_r(slot)), rc = 0;
	int err = 0;

	if (hpt->backing)
		err = hpt->backing->update(hpt->ctx, index, entry, clear);
	if (!err) {
		/*
		 * Where nobody may write any more, C will not be asked for again. It may
		 * have been set until just now.
		 */
		if (hpt->backing && (before & ~unknown_rc(entry.r) & ~entry.r))
			err = hpt->backing->look(hpt->ctx, index, &rc);
		set_r(slot, entry.r | (rc & HPTE_R_RC & ~clear));
	}
	unlock(slot, entry.v);
	return err;
}

int hpt_protect(struct hpt *hpt, uint64_t index, struct hpt_match match, uint64_t bits)
{
	struct hpt_slot *slot = slot_at(hpt, index);
	uint64_t v, r;
	int err;

	if (!slot)
		return -EINVAL;
	v = lock(slot);
	err = matches(v, match) ? look(hpt, index, slot, &r) : -ENOENT;
	if (err) {
		unlock(slot, v);
		return err;
	}
	r = (r & ~HPTE_R_PROT) | (bits & HPTE_R_PROT);
	return replace_r(hpt, index, slot, (struct hpte){v, r}, 0);
}

int hpt_read(struct hpt *hpt, uint64_t index, struct hpte *entry)
{
	struct hpt_slot *slot = slot_at(hpt, index);

	*entry = (struct hpte){0};
	if (!slot)
		return -EINVAL;
	entry->v = atomic_load_explicit(&slot->v, memory_order_acquire) & V_GUEST;
	if (!(entry->v & HPTE_V_VALID)) {
		entry->v = 0;
		return 0;
	}
	return look(hpt, index, slot, &entry->r);
}

int hpt_clear(struct hpt *hpt, uint64_t index, uint64_t bit, uint64_t *old)
{
	struct hpt_slot *slot = slot_at(hpt, index);
	uint64_t v;
	int err;

	if (!slot)
		return -EINVAL;
	v = lock(slot);
	err = (v & HPTE_V_VALID) ? look(hpt, index, slot, old) : -ENOENT;
	if (err || !(*old & bit)) {
		unlock(slot, v);
		return err;
	}
	return replace_r(hpt, index, slot, (struct hpte){v, *old & ~bit}, bit);
}

struct hpte hpt_peek(const struct hpt *hpt, uint64_t index)
{
	struct hpt_slot *slot = slot_at(hpt, index);
	struct hpte entry = {0};

	if (slot && (atomic_load(&slot->v) & HPTE_V_VALID))
		entry = (struct hpte){atomic_load(&slot->v), get_r(slot)};
	return entry;
}

void hpt_load(struct hpt *hpt, uint64_t index, struct hpte entry)
{
	struct hpt_slot *slot = slot_at(hpt, index);

	if (!slot)
		return;
	set_r(slot, entry.r & R_GUEST);
	unlock(slot, (entry.v & HPTE_V_VALID) ? entry.v & V_GUEST : 0);
}
