// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/hpt_size.h"

uint32_t hpt_order_for(uint64_t mem_size)
{
	uint32_t order = HPT_ORDER_MIN;

	while (order < HPT_ORDER_MAX && 1ull << order < mem_size / 128)
		order++;
	return order;
}

uint64_t hpt_vrma_size(uint32_t order, uint32_t page_shift)
{
	uint32_t shift = page_shift + order - 7; /* 2^(order-7) groups of 8 entries */

	return shift > 63 ? UINT64_MAX : 1ull << shift;
}
