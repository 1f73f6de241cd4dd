/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF files made to order, right or wrong, of either byte order. */
#ifndef TESTS_UNIT_ELF_FILE_H
#define TESTS_UNIT_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vmm/elf.h"

struct elf_file_segment {
	uint32_t type;
	uint64_t offset, vaddr, paddr, filesz, memsz;
};

/* What is 0 here comes out as a good file has it; see elf_file_make. */
struct elf_file {
	bool big;
	uint8_t magic, class, data;
	uint16_t type, machine, phentsize, phnum;
	bool no_phnum; /* phnum is 0 */
	uint64_t entry, phoff;
	uint32_t nr_segments;
	struct elf_file_segment segments[4];

	uint8_t bytes[16384];
	size_t len;
};

/*
 * One segment at real address 0x2000000, 256 bytes of the file at offset 0x1000 and
 * 0x800 in memory, entered at its start, ET_EXEC.
 */
void elf_file_init(struct elf_file *f);

/* Write out the bytes. What is no header is noise, the same each time. */
void elf_file_make(struct elf_file *f);

/* Reads the bytes, as elf_parse wants it. */
struct elf_source elf_file_source(struct elf_file *f);

#endif
