// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/layout.h"

#include <errno.h>

#include "lib/util.h"

#define PAGE	 KIB(64)
#define RTAS_LOW KIB(64) /* above the interrupt vectors */
#define CLEAR	 MIB(1)	 /* left free after the kernel's last segment, at least */
#define ROOMY	 MIB(16) /* and where there is plenty */

/* RTAS and tree are used with 32-bit addresses. */
#define TOP GIB(2)

static int check_kernel(const struct layout *l, const struct elf_image *kernel, struct why *why)
{
	if (kernel->high <= l->rma_size)
		return 0;
	return why_set(why, -ENOSPC,
		       "kernel needs memory up to %#llx, but there are %llu KiB of memory%s",
		       (unsigned long long)kernel->high, (unsigned long long)l->rma_size >> 10,
		       l->rma_size < l->mem_size ? " within reach of real mode" : "");
}

int layout_place(struct layout *l, const struct elf_image *kernel, struct why *why)
{
	uint64_t top = min_u64(min_u64(l->rma_size, l->mem_size), TOP);
	uint64_t bottom, own = l->fdt_size;
	int err = check_kernel(l, kernel, why);

	if (err)
		return err;
	if (!align_up(kernel->high + CLEAR, PAGE, &bottom))
		bottom = UINT64_MAX;
	if (kernel->low >= RTAS_LOW + RTAS_SIZE) {
		l->rtas = RTAS_LOW;
	} else {
		own += PAGE;
		l->rtas = 0;
	}
	if (bottom > top || own > top - bottom)
		return why_set(why, -ENOSPC,
			       "no room for the device tree: kernel ends at %#llx, memory that it "
			       "may use at %#llx, %llu KiB are needed between",
			       (unsigned long long)kernel->high, (unsigned long long)top,
			       (unsigned long long)(own + CLEAR) >> 10);

	l->fdt = align_down(top - l->fdt_size, PAGE);
	top = l->rtas ? l->fdt : l->fdt - PAGE;
	if (l->initrd_size > top - bottom)
		return why_set(why, -ENOSPC,
			       "initrd has %llu bytes, room is for %llu between the kernel and the "
			       "device tree",
			       (unsigned long long)l->initrd_size,
			       (unsigned long long)(top - bottom));
	bottom = min_u64(bottom + ROOMY, align_down(top - l->initrd_size, PAGE));
	l->initrd = l->initrd_size ? bottom : 0;
	if (!l->rtas) /* below top, which is aligned: no overflow */
		(void)align_up(bottom + l->initrd_size, PAGE, &l->rtas);
	return 0;
}
