/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An entry of the hashed page table: its two doublewords, and what follows from them
 * (Power ISA 2.07 III 5.7.7.1; the guest's format, which POWER9 hardware no longer uses
 * as it is). Page sizes: the encodings that Power ISA and POWER8's SLB and PTE have.
 */
#ifndef MMU_HPTE_H
#define MMU_HPTE_H

#include <stdbool.h>
#include <stdint.h>

/* First doubleword. */
#define HPTE_V_SSIZE	  0xc000000000000000ull /* B: 0 256 MiB segment, 1 1 TiB */
#define HPTE_V_RESERVED_B 0x8000000000000000ull /* no segment size has it */
#define HPTE_V_1T	  0x4000000000000000ull
#define HPTE_V_AVPN	  0x3fffffffffffff80ull /* abbreviated virtual page number */
#define HPTE_V_AVPN_HIGH  0x3ff0000000000000ull /* of it, what is not in entries of ISA 3.0 */
#define HPTE_V_SOFTWARE	  0x0000000000000078ull /* for software; ours and the guest's */
#define HPTE_V_BOLTED	  0x0000000000000010ull /* Linux and KVM: not to be evicted */
#define HPTE_V_LARGE	  0x0000000000000004ull /* L */
#define HPTE_V_SECONDARY  0x0000000000000002ull /* H */
#define HPTE_V_VALID	  0x0000000000000001ull

/*
 * Two of the software bits belong to the hypervisor, as in KVM: the entry is locked; and
 * one that KVM uses while an entry has no page of the host behind it.
 */
#define HPTE_V_LOCKED 0x0000000000000040ull
#define HPTE_V_ABSENT 0x0000000000000020ull

/* Second doubleword. */
#define HPTE_R_PP0    0x8000000000000000ull
#define HPTE_R_TS     0x4000000000000000ull /* tag select; the hypervisor's own */
#define HPTE_R_KEY_HI 0x3000000000000000ull
#define HPTE_R_RPN    0x0ffffffffffff000ull /* real page number, with the size in it */
#define HPTE_R_KEY_LO 0x0000000000000e00ull
#define HPTE_R_R      0x0000000000000100ull /* referenced */
#define HPTE_R_C      0x0000000000000080ull /* changed */
#define HPTE_R_W      0x0000000000000040ull
#define HPTE_R_I      0x0000000000000020ull
#define HPTE_R_M      0x0000000000000010ull
#define HPTE_R_G      0x0000000000000008ull
#define HPTE_R_N      0x0000000000000004ull /* no execute */
#define HPTE_R_PP     0x0000000000000003ull

#define HPTE_R_RC (HPTE_R_R | HPTE_R_C)
/* What H_PROTECT changes. */
#define HPTE_R_PROT (HPTE_R_PP0 | HPTE_R_KEY_HI | HPTE_R_KEY_LO | HPTE_R_N | HPTE_R_PP)

struct hpte {
	uint64_t v, r;
};

/**
 * hpte_page_shift - log2 of the size of the page that an entry maps
 * @base: on success, log2 of the base page size, by which it is hashed
 *
 * 0 for an encoding that no processor has.
 */
uint32_t hpte_page_shift(struct hpte entry, uint32_t *base);

/**
 * hpte_hash - the group of 8 entries in which a virtual page is looked for
 * @vsid: virtual segment number
 * @offset: byte in the segment
 * @large_segment: 1 TiB, else 256 MiB
 * @base: log2 of the base page size
 *
 * Primary, before the mask of the table's size; the secondary group is its complement
 * (Power ISA 2.07 III 5.7.7.3).
 */
uint64_t hpte_hash(uint64_t vsid, uint64_t offset, bool large_segment, uint32_t base);

#endif
