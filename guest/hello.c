// SPDX-License-Identifier: GPL-2.0-only
/* hello: the image was loaded, placed and entered right, the tree can be read, console and
 * power-off work. */
#include "guest.h"

int main(void)
{
	printf("hello from paprika guest\n");
	printf("endianness: %s\n", LITTLE_ENDIAN ? "little" : "big");
	printf("cpus: %d\n", ncpus);
	printf("memory: %lu MiB\n", dt_memory_size() >> 20);
	printf("mmu: %s\n", dt_radix() ? "radix" : "hash");
	printf("bootargs: %s\n", dt_bootargs());
	return 0;
}
