// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "lib/endian.h"
#include "mmu/translate.h"

#define PRTB	   0x0ffffffffffff000ull /* process table: base */
#define PRTS	   0x000000000000001full /* and log2 of its size, less 12 */
#define RPDB	   0x0fffffffffffff00ull /* process table entry, directory entry: next base */
#define RPDS	   0x000000000000001full /* and log2 of the entries there */
#define ENTRY_V	   0x8000000000000000ull
#define ENTRY_LEAF 0x4000000000000000ull
#define ENTRY_RPN  0x01fffffffffff000ull
#define QUADRANT   62 /* of an effective address: 0 the process's, 3 the kernel's */

/* RTS is in two parts: log2 of the tree's size, less 31. */
static uint32_t tree_bits(uint64_t prtb0)
{
	return 31 + (uint32_t)(((prtb0 >> 61) & 3) << 3 | ((prtb0 >> 5) & 7));
}

static int read_be64(const struct gmem *mem, uint64_t at, uint64_t *value)
{
	be64_t raw;

	if (gmem_read(mem, at, &raw, sizeof(raw)))
		return -EINVAL;
	*value = be64_get(raw);
	return 0;
}

/* From the root, of @bits, down to a leaf. */
static int walk(const struct radix_mmu *mmu, uint64_t ea, uint32_t bits, uint64_t entry,
		struct translation *t)
{
	while (t->radix.levels < RADIX_LEVELS) {
		uint32_t take = entry & RPDS, level = t->radix.levels;
		uint64_t index, at;

		if (take < 5 || take > 16 || take + 12 > bits)
			return -EINVAL;
		index = (ea & ((1ull << bits) - 1)) >> (bits - take);
		at = (entry & RPDB) + 8 * index;
		if (read_be64(mmu->mem, at, &entry))
			return -EINVAL;
		t->radix.at[level] = at;
		t->radix.entry[level] = entry;
		t->radix.levels++;
		bits -= take;
		if (!(entry & ENTRY_V))
			return -EFAULT;
		if (entry & ENTRY_LEAF) {
			t->page_shift = bits;
			t->real = (entry & ENTRY_RPN & ~((1ull << bits) - 1)) |
				  (ea & ((1ull << bits) - 1));
			return 0;
		}
	}
	return -EINVAL;
}

int radix_translate(const struct radix_mmu *mmu, uint64_t ea, struct translation *t)
{
	uint64_t quadrant = ea >> QUADRANT, size = 1ull << (12 + (mmu->patb1 & PRTS)), entry;
	uint32_t bits;

	*t = (struct translation){.radix.pid = quadrant ? 0 : mmu->pid};
	if (quadrant != 0 && quadrant != 3)
		return -EFAULT;
	if (16ull * t->radix.pid >= size)
		return -EINVAL;
	if (read_be64(mmu->mem, (mmu->patb1 & PRTB) + 16ull * t->radix.pid, &entry))
		return -EINVAL;
	bits = tree_bits(entry);
	if (bits > QUADRANT)
		return -EINVAL;
	if ((ea & ((1ull << QUADRANT) - 1)) >> bits)
		return -EFAULT;
	return walk(mmu, ea, bits, entry, t);
}
