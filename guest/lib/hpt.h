/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hashed page table of a hash guest (Power ISA 2.07 III 5.7, PAPR 14.5.4.1), and data
 * accesses through it. Programs run in real mode, by entries that the hypervisor has put
 * into the same table: the last entries of groups, of segment HPT_VRMA_VSID.
 */
#ifndef GUEST_HPT_H
#define GUEST_HPT_H

#include "types.h"

/* First doubleword */
#define HPTE_V_SSIZE	  0xc000000000000000ul
#define HPTE_V_RESERVED_B 0x8000000000000000ul /* no segment size has it */
#define HPTE_V_AVPN	  0x3fffffffffffff80ul
#define HPTE_V_LARGE	  0x4ul
#define HPTE_V_SECONDARY  0x2ul
#define HPTE_V_VALID	  0x1ul

/* Second doubleword */
#define HPTE_R_PP0    0x8000000000000000ul
#define HPTE_R_TS     0x4000000000000000ul
#define HPTE_R_KEY_HI 0x3000000000000000ul
#define HPTE_R_RPN    0x0ffffffffffff000ul
#define HPTE_R_64K    0x0000000000001000ul /* in the RPN of a large page */
#define HPTE_R_KEY_LO 0x0000000000000e00ul
#define HPTE_R_R      0x0000000000000100ul
#define HPTE_R_C      0x0000000000000080ul
#define HPTE_R_M      0x0000000000000010ul
#define HPTE_R_N      0x0000000000000004ul
#define HPTE_R_PP     0x0000000000000003ul /* for the supervisor: 3 is read only */
#define HPTE_R_RC     (HPTE_R_R | HPTE_R_C)
#define HPTE_R_PROT   (HPTE_R_PP0 | HPTE_R_KEY_HI | HPTE_R_KEY_LO | HPTE_R_N | HPTE_R_PP)

/* Flags of the calls */
#define H_EXACT	    0x8000000000ul
#define H_READ_4    0x2000000000ul
#define H_AVPN	    0x80000000ul
#define H_ANDCOND   0x40000000ul
#define H_ZERO_PAGE 0x8000ul

/* H_BULK_REMOVE: a request's first doubleword, above the index */
#define BULK_REQUEST   0x4000000000000000ul
#define BULK_RESPONSE  0x8000000000000000ul
#define BULK_END       0xc000000000000000ul
#define BULK_ANDCOND   0x0100000000000000ul
#define BULK_AVPN      0x0200000000000000ul
#define BULK_CONDITION 0x0300000000000000ul
#define BULK_NOT_FOUND 0x1000000000000000ul
#define BULK_PARAMETER 0x2000000000000000ul
#define BULK_INDEX     0x00fffffffffffffful
#define BULK_RC_SHIFT  51

#define DSISR_NOHPTE 0x40000000u
#define DSISR_PROT   0x08000000u
#define DSISR_STORE  0x02000000u

#define HPT_VRMA_VSID 0x1fffffful

/* A page of a 256 MiB segment that the program made up: how to reach it and to map it. */
struct vpage {
	u64 ea;	   /* effective address */
	u64 vsid;  /* virtual segment number */
	u32 shift; /* log2 of its size: 12 or 16 */
	u64 real;  /* the memory that is to be behind it */
};

/* log2 of the number of groups of 8 entries, from the device tree. */
u32 hpt_group_bits(void);

/* Does the device tree offer segments of pages of 64 KiB, and with what in the SLB? */
bool hpt_has_64k(u64 *slb_bits);

/* Groups where the page is looked for: the first, and the other one. */
u64 hpt_group(const struct vpage *page, bool secondary);

/* The page's entry, without H, protection, R and C. */
u64 hpt_v(const struct vpage *page);
u64 hpt_r(const struct vpage *page);

/* Have this CPU translate the page's segment, by entry @slot of its SLB. */
void hpt_set_segment(const struct vpage *page, u32 slot);

/* On each CPU, before the rest: from now on data storage interrupts are ours. */
void hpt_init(void);

/*
 * Load or store a doubleword with data relocation on, interrupts being off: 0, or DSISR of
 * the data storage interrupt.
 */
u32 hpt_load(u64 ea, u64 *value);
u32 hpt_store(u64 ea, u64 value);

#endif
