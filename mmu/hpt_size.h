/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of a hashed page table, and what follows from it. */
#ifndef MMU_HPT_SIZE_H
#define MMU_HPT_SIZE_H

#include <stdint.h>

#define HPT_ORDER_MIN 18 /* log2 of bytes (Power ISA III, HTABSIZE) */
#define HPT_ORDER_MAX 46

/* A table of a 128th of memory, rounded up: 2 entries of 16 bytes for each 4 KiB. */
uint32_t hpt_order_for(uint64_t mem_size);

/*
 * How much a processor in real mode reaches through the virtual real mode area: KVM
 * maps it in the table itself, by pages of the backing's size, in at most every
 * eighth entry.
 */
uint64_t hpt_vrma_size(uint32_t order, uint32_t page_shift);

#endif
