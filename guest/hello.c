// SPDX-License-Identifier: GPL-2.0-only
/* hello: the image was loaded, placed and entered right, the tree can be read, console and
 * power-off work. */
#include "guest.h"

/* Bits 0xc0 of byte 24: 0 is hash, 0x40 radix (PAPR, option vector 5). */
static const char *mmu(void)
{
	u32 len;
	const u8 *vec5 = dt_prop(dt_find("/chosen"), "ibm,architecture-vec-5", &len);

	if (!vec5 || len <= 24)
		return "unknown";
	return (vec5[24] & 0xc0) == 0x40 ? "radix" : "hash";
}

int main(void)
{
	printf("hello from paprika guest\n");
	printf("endianness: %s\n", LITTLE_ENDIAN ? "little" : "big");
	printf("cpus: %d\n", ncpus);
	printf("memory: %lu MiB\n", dt_memory_size() >> 20);
	printf("mmu: %s\n", mmu());
	printf("bootargs: %s\n", dt_bootargs());
	return 0;
}
