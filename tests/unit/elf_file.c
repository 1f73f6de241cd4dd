// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

void elf_file_init(struct elf_file *f)
{
	memset(f, 0, sizeof(*f));
	f->magic = ELFMAG0;
	f->class = ELFCLASS64;
	f->type = ET_EXEC;
	f->machine = EM_PPC64;
	f->phentsize = sizeof(Elf64_Phdr);
	f->phoff = sizeof(Elf64_Ehdr);
	f->entry = 0x2000000;
	f->nr_segments = 1;
	f->segments[0] =
		(struct elf_file_segment){PT_LOAD, 0x1000, 0x2000000, 0x2000000, 0x100, 0x800};
}

/* A number of @size bytes, byte by byte: no help from the host's order. */
static void put(const struct elf_file *f, uint8_t *to, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[f->big ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

#define PUT(f, base, type, field, value)                                                           \
	put(f, (base) + offsetof(type, field), value, sizeof(((type *)0)->field))

void elf_file_make(struct elf_file *f)
{
	uint16_t phnum = f->no_phnum ? 0 : f->phnum ? f->phnum : (uint16_t)f->nr_segments;

	uint32_t draw = 2463534242;

	for (size_t i = 0; i < sizeof(f->bytes); i++) {
		draw ^= draw << 13;
		draw ^= draw >> 17;
		draw ^= draw << 5;
		f->bytes[i] = (uint8_t)draw;
	}
	memset(f->bytes, 0, sizeof(Elf64_Ehdr));
	memcpy(f->bytes, ELFMAG, SELFMAG);
	f->bytes[0] = f->magic;
	f->bytes[EI_CLASS] = f->class;
	f->bytes[EI_DATA] = f->data ? f->data : f->big ? ELFDATA2MSB : ELFDATA2LSB;
	PUT(f, f->bytes, Elf64_Ehdr, e_type, f->type);
	PUT(f, f->bytes, Elf64_Ehdr, e_machine, f->machine);
	PUT(f, f->bytes, Elf64_Ehdr, e_entry, f->entry);
	PUT(f, f->bytes, Elf64_Ehdr, e_phoff, f->phoff);
	PUT(f, f->bytes, Elf64_Ehdr, e_phentsize, f->phentsize);
	PUT(f, f->bytes, Elf64_Ehdr, e_phnum, phnum);
	for (uint32_t i = 0; i < f->nr_segments; i++) {
		const struct elf_file_segment *seg = &f->segments[i];
		uint8_t *to = f->bytes + sizeof(Elf64_Ehdr) + i * sizeof(Elf64_Phdr);

		PUT(f, to, Elf64_Phdr, p_type, seg->type);
		PUT(f, to, Elf64_Phdr, p_offset, seg->offset);
		PUT(f, to, Elf64_Phdr, p_vaddr, seg->vaddr);
		PUT(f, to, Elf64_Phdr, p_paddr, seg->paddr);
		PUT(f, to, Elf64_Phdr, p_filesz, seg->filesz);
		PUT(f, to, Elf64_Phdr, p_memsz, seg->memsz);
	}
	f->len = sizeof(f->bytes);
}

static int read_bytes(void *ctx, uint64_t offset, void *to, size_t len)
{
	const struct elf_file *f = ctx;

	if (offset > f->len || len > f->len - offset)
		return -ENODATA;
	memcpy(to, f->bytes + offset, len);
	return 0;
}

struct elf_source elf_file_source(struct elf_file *f)
{
	return (struct elf_source){.read = read_bytes, .ctx = f};
}
