// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: any bytes as a kernel. What the parser and the layout accept must
 * hold: segments apart and inside of memory, the entry in one of them, the parts of the
 * layout clear of each other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gmem.h"
#include "lib/util.h"
#include "vmm/elf.h"
#include "vmm/layout.h"

#define MEM_SIZE MIB(16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
};

static int read_input(void *ctx, uint64_t offset, void *to, size_t len)
{
	const struct input *in = ctx;

	if (offset > in->size || len > in->size - offset)
		return -ENODATA;
	memcpy(to, in->data + offset, len);
	return 0;
}

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void check_image(const struct elf_image *image)
{
	bool entry = false;

	must(image->nr_segments > 0 && image->nr_segments <= ELF_SEGMENTS_MAX);
	for (uint32_t i = 0; i < image->nr_segments; i++) {
		const struct elf_segment *a = &image->segments[i];

		must(a->filesz <= a->memsz && a->memsz <= UINT64_MAX - a->addr);
		must(a->addr >= image->low && a->addr + a->memsz <= image->high);
		entry |= image->entry >= a->addr && image->entry - a->addr <= a->memsz - 4;
		for (uint32_t j = 0; j < i; j++) {
			const struct elf_segment *b = &image->segments[j];

			must(a->addr + a->memsz <= b->addr || b->addr + b->memsz <= a->addr);
		}
	}
	must(entry);
}

static bool apart(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a + a_size <= b || b + b_size <= a;
}

static void check_layout(const struct layout *l, const struct elf_image *image)
{
	uint64_t size = image->high - image->low;

	must(l->fdt + l->fdt_size <= l->rma_size && l->rtas + RTAS_SIZE <= l->rma_size);
	must(l->initrd + l->initrd_size <= l->rma_size);
	must(apart(l->fdt, l->fdt_size, image->low, size));
	must(apart(l->rtas, RTAS_SIZE, image->low, size));
	must(apart(l->initrd, l->initrd_size, image->low, size));
	must(apart(l->fdt, l->fdt_size, l->rtas, RTAS_SIZE));
	must(apart(l->fdt, l->fdt_size, l->initrd, l->initrd_size));
	must(apart(l->rtas, RTAS_SIZE, l->initrd, l->initrd_size));
}

/* As vmm/image.c does it, from memory instead of a file. */
static void load(struct input *in, const struct elf_image *image, const struct gmem *mem)
{
	for (uint32_t i = 0; i < image->nr_segments; i++) {
		const struct elf_segment *seg = &image->segments[i];
		uint8_t *to = gmem_ptr(mem, seg->addr, seg->memsz);

		must(to != NULL);
		if (read_input(in, seg->offset, to, seg->filesz))
			return;
		memset(to + seg->filesz, 0, seg->memsz - seg->filesz);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct gmem mem = {.size = MEM_SIZE};
	struct input in = {.data = data, .size = size};
	struct elf_source source = {.read = read_input, .ctx = &in};
	struct layout layout = {.mem_size = MEM_SIZE, .rma_size = MEM_SIZE, .fdt_size = KIB(68)};
	struct elf_image image;
	struct why why = {""};

	if (!mem.base)
		mem.base = malloc(MEM_SIZE);
	if (elf_parse(&source, &image, &why)) {
		must(why.text[0]);
		return 0;
	}
	check_image(&image);
	layout.initrd_size = size % MIB(4);
	if (layout_place(&layout, &image, &why)) {
		must(why.text[0]);
		return 0;
	}
	check_layout(&layout, &image);
	load(&in, &image, &mem);
	return 0;
}
