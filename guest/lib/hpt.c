// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING: none. An access and its interrupt are on one CPU, which has its own place for
 * what the interrupt said.
 */
#include "hpt.h"

#include "cpu.h"
#include "dt.h"
#include "trap.h"

#define SLB_VALID	  0x08000000ul
#define SLB_ESID_MASK	  (~0ul << 28)
#define HPT_ENTRY_SHIFT	  4
#define HPT_GROUP_ENTRIES 3 /* log2 */
#define SPR_AMR		  29

/* translate.S */
u64 translated_load(u64 ea);
void translated_store(u64 ea, u64 value);

static u32 faults[MAX_CPUS];
static u32 group_bits;

static int cpu_node(void)
{
	int parent = dt_find("/cpus"), node = NO_NODE;

	do {
		node = dt_child(parent, node);
	} while (node != NO_NODE && !dt_is(node, "device_type", "cpu"));
	return node;
}

u32 hpt_group_bits(void)
{
	const be32_t *size = dt_prop(cpu_node(), "ibm,pft-size", NULL);

	return size ? be32_get(size[1]) - HPT_ENTRY_SHIFT - HPT_GROUP_ENTRIES : 0;
}

bool hpt_has_64k(u64 *slb_bits)
{
	u32 len, i = 0;
	const be32_t *cells = dt_prop(cpu_node(), "ibm,segment-page-sizes", &len);

	/* Base page shift, SLB bits, how many pairs follow: actual page shift, PTE bits. */
	while (cells && i + 3 <= len / 4) {
		*slb_bits = be32_get(cells[i + 1]);
		if (be32_get(cells[i]) == 16)
			return true;
		i += 3 + 2 * be32_get(cells[i + 2]);
	}
	return false;
}

u64 hpt_group(const struct vpage *page, bool secondary)
{
	u64 offset = page->ea & ~SLB_ESID_MASK, hash = page->vsid ^ offset >> page->shift;

	return (secondary ? ~hash : hash) & ((1ul << group_bits) - 1);
}

u64 hpt_v(const struct vpage *page)
{
	u64 offset = page->ea & ~SLB_ESID_MASK;

	return (page->vsid << 5 | offset >> 23) << 7 | HPTE_V_VALID |
	       (page->shift == 16 ? HPTE_V_LARGE : 0);
}

u64 hpt_r(const struct vpage *page)
{
	return page->real | HPTE_R_M | (page->shift == 16 ? HPTE_R_64K : 0);
}

void hpt_set_segment(const struct vpage *page, u32 slot)
{
	u64 bits = 0;

	if (page->shift == 16)
		hpt_has_64k(&bits);
	__asm__ volatile("isync; slbie %0; slbmte %1,%2; isync" ::"r"(page->ea & SLB_ESID_MASK),
			 "r"(page->vsid << 12 | bits),
			 "r"((page->ea & SLB_ESID_MASK) | SLB_VALID | slot)
			 : "memory");
}

static bool storage_interrupt(struct regs *regs)
{
	faults[this_cpu() - cpus] = (u32)regs->dsisr;
	regs->nip += 4;
	return true;
}

void hpt_init(void)
{
	group_bits = hpt_group_bits();
	trap_hook(VEC_DATA_STORAGE, storage_interrupt);
	/* All keys may do everything. */
	__asm__ volatile("mtspr %0,%1; isync" ::"i"(SPR_AMR), "r"(0));
}

u32 hpt_load(u64 ea, u64 *value)
{
	u32 *fault = &faults[this_cpu() - cpus];

	*fault = 0;
	*value = translated_load(ea);
	return *fault;
}

u32 hpt_store(u64 ea, u64 value)
{
	u32 *fault = &faults[this_cpu() - cpus];

	*fault = 0;
	translated_store(ea, value);
	return *fault;
}
