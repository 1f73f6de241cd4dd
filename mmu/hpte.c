// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/hpte.h"

#include <stddef.h>

#include "lib/util.h"

/*
 * Low bits of the real page number say the size, where L is set: as many as the page
 * leaves free, up to eight. The first that matches counts.
 */
static const struct {
	uint32_t base, actual;
	uint8_t mask, value;
} encodings[] = {
	{24, 24, 0xff, 0x00}, /* 16 MiB */
	{34, 34, 0xff, 0x03}, /* 16 GiB */
	{12, 16, 0x0f, 0x07}, /* 64 KiB page in a segment of 4 KiB pages */
	{16, 24, 0xff, 0x08}, /* 16 MiB page in a segment of 64 KiB pages */
	{12, 24, 0xff, 0x38}, /* 16 MiB page in a segment of 4 KiB pages */
	{16, 16, 0x0f, 0x01}, /* 64 KiB */
};

uint32_t hpte_page_shift(struct hpte entry, uint32_t *base)
{
	uint8_t lp = (uint8_t)(entry.r >> 12);

	*base = 12;
	if (!(entry.v & HPTE_V_LARGE))
		return 12;
	for (size_t i = 0; i < ARRAY_SIZE(encodings); i++) {
		if ((lp & encodings[i].mask) != encodings[i].value)
			continue;
		*base = encodings[i].base;
		return encodings[i].actual;
	}
	return 0;
}

uint64_t hpte_hash(uint64_t vsid, uint64_t offset, bool large_segment, uint32_t base)
{
	uint64_t page = offset >> base;

	/* Of 1 TiB segments both ends of the VSID take part, 25 bits apart. */
	return large_segment ? vsid ^ (vsid << 25) ^ page : vsid ^ page;
}
