// SPDX-License-Identifier: GPL-2.0-only
/*
 * hpt-cost: what the page table calls cost in a table that is as full as "entries=N" makes
 * it. The entries are spread over the table, map memory that is there, and were used; with
 * "rc" among the boot arguments they are entered with R and C, as Linux does. Prints
 * "hpt-cost: NAME ticks N entries N"; the loop around a call, some 60 instructions, is in
 * it. Under --icount a tick of the timebase is 1000/512 instructions.
 */
#include "guest.h"

#define ENTRIES	    1000
#define MAX_ENTRIES 4000
#define PAGES	    64
#define EA	    0x100000000ul

static u8 memory[PAGES * 4096] __attribute__((aligned(65536)));
static u64 entries;
static struct vpage pages[MAX_ENTRIES];
static u64 where[MAX_ENTRIES];
static u64 bad, rc;

static void report(const char *name, u64 start)
{
	printf("hpt-cost: %s ticks %lu entries %lu\n", name, timebase() - start, entries);
}

static void enter_all(void)
{
	struct hcall h;
	u64 i;

	for (i = 0; i < entries; i++) {
		h = (struct hcall){{H_ENTER, 0, hpt_group(&pages[i], false) * 8, hpt_v(&pages[i]),
				    hpt_r(&pages[i]) | rc}};
		bad += hcall_do(&h) != H_SUCCESS;
		where[i] = h.r[1];
	}
}

/* Each translates once. */
static void use_all(void)
{
	u64 i;

	for (i = 0; i < entries; i++) {
		hpt_set_segment(&pages[i], 1);
		bad += hpt_store(pages[i].ea, i) != 0;
	}
}

static void protect_all(void)
{
	u64 i;

	for (i = 0; i < entries; i++)
		bad += hcall(H_PROTECT, H_AVPN | 3, where[i], hpt_v(&pages[i]) & ~0x7ful) !=
		       H_SUCCESS;
}

static void remove_all(void)
{
	u64 i;

	for (i = 0; i < entries; i++)
		bad += hcall(H_REMOVE, H_AVPN, where[i], hpt_v(&pages[i]) & ~0x7ful) != H_SUCCESS;
}

static void remove_all_in_bulk(void)
{
	u64 i, j;

	for (i = 0; i < entries; i += 4) {
		struct hcall h = {{H_BULK_REMOVE}};

		for (j = 0; j < 4; j++) {
			h.r[1 + 2 * j] = BULK_REQUEST | BULK_AVPN | where[i + j];
			h.r[2 + 2 * j] = hpt_v(&pages[i + j]) & ~0x7ful;
		}
		bad += hcall_do(&h) != H_SUCCESS;
	}
}

static void prepare(void)
{
	u64 i;

	hpt_init();
	rc = dt_bootarg("rc") ? HPTE_R_RC : 0;
	/* At the first call a monitor reads what the kernel has entered. */
	hcall(H_READ, 0, 0);
	for (i = 0; i < entries; i++)
		pages[i] = (struct vpage){
			.ea = EA + (i % 16 << 12),
			.vsid = 0x100000000ul + i / 16 * 0x2545f,
			.shift = 12,
			.real = (u64)memory + (i % PAGES << 12),
		};
}

int main(void)
{
	u64 start;

	entries = dt_bootarg_number("entries", ENTRIES) & ~3ul;
	if (!check("this is a hash guest", !dt_radix()) ||
	    !check("so many entries are possible", entries && entries <= MAX_ENTRIES))
		return 1;
	memset(memory, 1, sizeof(memory));
	prepare();
	start = timebase();
	enter_all();
	report("enter", start);
	use_all();
	start = timebase();
	protect_all();
	report("protect", start);
	start = timebase();
	remove_all();
	report("remove", start);
	enter_all();
	use_all();
	start = timebase();
	remove_all_in_bulk();
	report("bulk-remove", start);
	check_eq("every call and every access went well", (long)bad, 0);
	return 0;
}
