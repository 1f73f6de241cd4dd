// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every number in an ELF header is the file's: each is checked before it is used,
 * and sums are checked for overflow.
 */
#include "vmm/elf.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "lib/util.h"

#ifndef EM_PPC64
#define EM_PPC64 21
#endif

struct parser {
	bool little;
	bool relocate; /* ET_DYN with equal virtual and physical addresses */
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdrs[ELF_SEGMENTS_MAX];
};

static uint16_t get16(const struct parser *p, uint16_t raw)
{
	return p->little ? le16toh(raw) : be16toh(raw);
}

static uint32_t get32(const struct parser *p, uint32_t raw)
{
	return p->little ? le32toh(raw) : be32toh(raw);
}

static uint64_t get64(const struct parser *p, uint64_t raw)
{
	return p->little ? le64toh(raw) : be64toh(raw);
}

static int read_failed(int err, const char *what, struct why *why)
{
	if (err == -ENODATA)
		return why_set(why, -ENOEXEC, "truncated: the file ends within its %s", what);
	return why_set(why, err, "cannot read %s: %s", what, strerror(-err));
}

static int check_ident(const struct parser *p, struct why *why)
{
	const unsigned char *ident = p->ehdr.e_ident;

	if (memcmp(ident, ELFMAG, SELFMAG))
		return why_set(why, -ENOEXEC, "not an ELF file: it starts with %02x %02x %02x %02x",
			       ident[0], ident[1], ident[2], ident[3]);
	if (ident[EI_CLASS] != ELFCLASS64)
		return why_set(why, -ENOEXEC, "ELF class is %u, only %u (64 bits) is supported",
			       ident[EI_CLASS], ELFCLASS64);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return why_set(why, -ENOEXEC, "ELF byte order is %u, neither 1 nor 2",
			       ident[EI_DATA]);
	return 0;
}

static int check_header(const struct parser *p, struct why *why)
{
	unsigned int machine = get16(p, p->ehdr.e_machine);
	unsigned int type = get16(p, p->ehdr.e_type);
	unsigned int phnum = get16(p, p->ehdr.e_phnum);
	unsigned int phentsize = get16(p, p->ehdr.e_phentsize);

	if (machine != EM_PPC64)
		return why_set(why, -ENOEXEC, "ELF machine is %u, only %u (PowerPC64) runs here",
			       machine, EM_PPC64);
	if (type != ET_EXEC && type != ET_DYN)
		return why_set(why, -ENOEXEC, "ELF type is %u, only %u and %u (executables) load",
			       type, ET_EXEC, ET_DYN);
	if (phentsize != sizeof(Elf64_Phdr))
		return why_set(why, -ENOEXEC, "ELF program headers have %u bytes, expected %zu",
			       phentsize, sizeof(Elf64_Phdr));
	if (!phnum || phnum > ELF_SEGMENTS_MAX)
		return why_set(why, -ENOEXEC, "ELF file has %u program headers, limit 1 to %u",
			       phnum, ELF_SEGMENTS_MAX);
	return 0;
}

static bool is_load(const struct parser *p, const Elf64_Phdr *phdr)
{
	return get32(p, phdr->p_type) == PT_LOAD && phdr->p_memsz;
}

static bool is_position_independent(const struct parser *p)
{
	if (get16(p, p->ehdr.e_type) != ET_DYN)
		return false;
	for (unsigned int i = 0; i < get16(p, p->ehdr.e_phnum); i++)
		if (is_load(p, &p->phdrs[i]) && p->phdrs[i].p_vaddr != p->phdrs[i].p_paddr)
			return false;
	return true;
}

static int add_segment(const struct parser *p, const Elf64_Phdr *phdr, struct elf_image *image,
		       struct why *why)
{
	struct elf_segment seg = {
		.offset = get64(p, phdr->p_offset),
		.addr = get64(p, phdr->p_paddr),
		.filesz = get64(p, phdr->p_filesz),
		.memsz = get64(p, phdr->p_memsz),
	};
	uint64_t end;

	if (p->relocate && seg.addr > UINT64_MAX - ELF_BIAS)
		return why_set(why, -ENOEXEC, "ELF segment address %#llx is too high",
			       (unsigned long long)seg.addr);
	if (p->relocate)
		seg.addr += ELF_BIAS;
	if (seg.filesz > seg.memsz)
		return why_set(why, -ENOEXEC,
			       "ELF segment has %#llx bytes in the file, %#llx in all",
			       (unsigned long long)seg.filesz, (unsigned long long)seg.memsz);
	if (__builtin_add_overflow(seg.addr, seg.memsz, &end) || seg.offset > INT64_MAX)
		return why_set(why, -ENOEXEC,
			       "ELF segment at %#llx (file offset %#llx) of %#llx bytes overflows",
			       (unsigned long long)seg.addr, (unsigned long long)seg.offset,
			       (unsigned long long)seg.memsz);
	for (uint32_t i = 0; i < image->nr_segments; i++) {
		const struct elf_segment *other = &image->segments[i];

		if (seg.addr < other->addr + other->memsz && other->addr < end)
			return why_set(why, -ENOEXEC, "ELF segments at %#llx and %#llx overlap",
				       (unsigned long long)other->addr,
				       (unsigned long long)seg.addr);
	}
	image->low = min_u64(image->low, seg.addr);
	image->high = max_u64(image->high, end);
	image->segments[image->nr_segments++] = seg;
	return 0;
}

/* The entry is a virtual address: find what it is as a real one. */
static int find_entry(const struct parser *p, struct elf_image *image, struct why *why)
{
	uint64_t entry = get64(p, p->ehdr.e_entry);

	for (unsigned int i = 0; i < get16(p, p->ehdr.e_phnum); i++) {
		const Elf64_Phdr *phdr = &p->phdrs[i];
		uint64_t into = entry - get64(p, phdr->p_vaddr), size = get64(p, phdr->p_memsz);

		if (!is_load(p, phdr) || size < 4 || into > size - 4)
			continue;
		image->entry = get64(p, phdr->p_paddr) + into + (p->relocate ? ELF_BIAS : 0);
		if (image->entry % 4)
			break;
		return 0;
	}
	return why_set(why, -ENOEXEC, "ELF entry %#llx is not an instruction of any segment",
		       (unsigned long long)entry);
}

int elf_parse(const struct elf_source *source, struct elf_image *image, struct why *why)
{
	struct parser p = {0};
	unsigned int phnum;
	int err;

	*image = (struct elf_image){.low = UINT64_MAX};
	err = source->read(source->ctx, 0, &p.ehdr, sizeof(p.ehdr));
	if (err)
		return read_failed(err, "ELF header", why);
	err = check_ident(&p, why);
	if (err)
		return err;
	p.little = p.ehdr.e_ident[EI_DATA] == ELFDATA2LSB;
	err = check_header(&p, why);
	if (err)
		return err;
	phnum = get16(&p, p.ehdr.e_phnum);
	err = source->read(source->ctx, get64(&p, p.ehdr.e_phoff), p.phdrs,
			   phnum * sizeof(p.phdrs[0]));
	if (err)
		return read_failed(err, "program headers", why);

	p.relocate = is_position_independent(&p);
	for (unsigned int i = 0; i < phnum; i++) {
		if (!is_load(&p, &p.phdrs[i]))
			continue;
		err = add_segment(&p, &p.phdrs[i], image, why);
		if (err)
			return err;
	}
	if (!image->nr_segments)
		return why_set(why, -ENOEXEC, "ELF file has nothing to load");
	return find_entry(&p, image, why);
}
