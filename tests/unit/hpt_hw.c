// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/hpt_hw.h"

#include <errno.h>
#include <stdlib.h>

static void expect(struct hpt_hw *hw, bool ok, const char *fault)
{
	if (!ok && !hw->fault)
		hw->fault = fault;
}

static bool is_locked(const struct hpt_hw *hw, uint64_t index)
{
	return atomic_load(&hw->hpt->slots[index].v) & HPTE_V_LOCKED;
}

static bool fails(struct hpt_hw *hw)
{
	return hw->fails_after && --hw->fails_after == 0;
}

/* One that a guest may have, and that hardware is to have. */
static bool is_translation(struct hpte entry)
{
	return (entry.v & HPTE_V_VALID) && !(entry.v & (HPTE_V_LOCKED | HPTE_V_ABSENT)) &&
	       !(entry.r & HPTE_R_TS);
}

static int on_enter(void *ctx, uint64_t index, struct hpte entry)
{
	struct hpt_hw *hw = ctx;

	expect(hw, is_locked(hw, index), "enter without the lock");
	expect(hw, !hw->entries[index].v, "enter where a translation is");
	expect(hw, is_translation(entry), "enter of what is no translation");
	if (fails(hw))
		return hw->err;
	hw->entries[index] = entry;
	hw->enters++;
	return 0;
}

static int on_invalidate(void *ctx, const uint64_t *indexes, size_t count, uint64_t *rc)
{
	struct hpt_hw *hw = ctx;

	expect(hw, count && count <= HPT_BULK, "invalidate of none or too many");
	for (size_t i = 0; i < count; i++)
		expect(hw, is_locked(hw, indexes[i]), "invalidate without the lock");
	if (fails(hw))
		return hw->err;
	for (size_t i = 0; i < count; i++) {
		struct hpte *entry = &hw->entries[indexes[i]];

		/* Also the second of two that are the same. */
		expect(hw, entry->v, "invalidate where no translation is");
		rc[i] = entry->r & HPTE_R_RC;
		*entry = (struct hpte){0};
	}
	hw->invalidates++;
	return 0;
}

static int on_update(void *ctx, uint64_t index, struct hpte entry, uint64_t clear)
{
	struct hpt_hw *hw = ctx;

	hw->entries[index].r |= hw->meanwhile;
	hw->meanwhile = 0;
	entry.r |= hw->entries[index].r & HPTE_R_RC;
	entry.r &= ~clear;

	expect(hw, is_locked(hw, index), "update without the lock");
	expect(hw, entry.v == hw->entries[index].v, "update of another translation");
	expect(hw, is_translation(entry), "update to what is no translation");
	if (fails(hw))
		return hw->err;
	hw->entries[index] = entry;
	hw->updates++;
	return 0;
}

/* The one that comes without the lock, too: H_READ takes none. */
static int on_look(void *ctx, uint64_t index, uint64_t *rc)
{
	struct hpt_hw *hw = ctx;

	expect(hw, hw->entries[index].v, "look where no translation is");
	if (!hw->looks_work && fails(hw))
		return hw->err;
	*rc = hw->entries[index].r & HPTE_R_RC;
	hw->looks++;
	return 0;
}

static const struct hpt_backing backing = {on_enter, on_invalidate, on_update, on_look};

int hpt_hw_init(struct hpt_hw *hw, struct hpt *hpt, uint32_t order)
{
	int err = hpt_init(hpt, order, &backing, hw);

	*hw = (struct hpt_hw){.hpt = hpt};
	if (err)
		return err;
	hw->entries = calloc(hpt_count(hpt), sizeof(*hw->entries));
	return hw->entries ? 0 : -ENOMEM;
}

void hpt_hw_fini(struct hpt_hw *hw)
{
	free(hw->entries);
	*hw = (struct hpt_hw){0};
}

void hpt_hw_touch(struct hpt_hw *hw, uint64_t index, uint64_t rc)
{
	if (hw->entries[index].v)
		hw->entries[index].r |= rc;
}
