// SPDX-License-Identifier: GPL-2.0-only
/* vmm/elf.c: what loads, where it goes, and what each bad file is told. */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "tests/unit/elf_file.h"
#include "tests/unit/unit.h"

static struct elf_file f;
static struct elf_image image;
static struct why why;

static void setup(void)
{
	elf_file_init(&f);
}

static int parse(void)
{
	struct elf_source source = elf_file_source(&f);

	why.text[0] = '\0';
	return elf_parse(&source, &image, &why);
}

static void refused(int err, const char *part)
{
	elf_file_make(&f);
	ck_assert_int_eq(parse(), err);
	assert_contains(why.text, part);
}

static void add(uint64_t vaddr, uint64_t paddr, uint64_t memsz)
{
	f.segments[f.nr_segments++] =
		(struct elf_file_segment){PT_LOAD, 0x2000, vaddr, paddr, 0x10, memsz};
}

static void check_good(void)
{
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.nr_segments, 1);
	ck_assert_uint_eq(image.segments[0].offset, 0x1000);
	ck_assert_uint_eq(image.segments[0].addr, 0x2000000);
	ck_assert_uint_eq(image.segments[0].filesz, 0x100);
	ck_assert_uint_eq(image.segments[0].memsz, 0x800);
	ck_assert_uint_eq(image.entry, 0x2000000);
	ck_assert_uint_eq(image.low, 0x2000000);
	ck_assert_uint_eq(image.high, 0x2000800);
}

START_TEST(loads_little_endian)
{
	check_good();
}
END_TEST

START_TEST(loads_big_endian)
{
	f.big = true;
	check_good();
}
END_TEST

START_TEST(places_at_physical_addresses_and_translates_the_entry)
{
	f.segments[0].vaddr = 0xc000000000000000;
	f.segments[0].paddr = 0x10000;
	f.entry = 0xc000000000000404;
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.segments[0].addr, 0x10000);
	ck_assert_uint_eq(image.entry, 0x10404);
}
END_TEST

START_TEST(moves_position_independent_images_by_the_bias)
{
	f.type = ET_DYN;
	f.segments[0].vaddr = f.segments[0].paddr = 0;
	f.entry = 0x20;
	add(0x10000, 0x10000, 0x1000);
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.segments[0].addr, ELF_BIAS);
	ck_assert_uint_eq(image.segments[1].addr, ELF_BIAS + 0x10000);
	ck_assert_uint_eq(image.entry, ELF_BIAS + 0x20);
	ck_assert_uint_eq(image.low, ELF_BIAS);
	ck_assert_uint_eq(image.high, ELF_BIAS + 0x11000);
}
END_TEST

START_TEST(does_not_move_et_dyn_with_physical_addresses_of_its_own)
{
	/* As Linux with CONFIG_RELOCATABLE: virtual addresses are high, physical from 0. */
	f.type = ET_DYN;
	f.segments[0].vaddr = 0xc000000000000000;
	f.segments[0].paddr = 0;
	f.entry = 0xc000000000000000;
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.segments[0].addr, 0);
	ck_assert_uint_eq(image.entry, 0);
}
END_TEST

START_TEST(does_not_move_et_exec)
{
	f.segments[0].vaddr = f.segments[0].paddr = 0;
	f.entry = 0;
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.low, 0);
}
END_TEST

START_TEST(ignores_segments_that_load_nothing)
{
	add(0x2000000, 0x2000000, 0); /* empty: no overlap */
	f.segments[1].filesz = 0;
	add(0, 0, 0x1000);
	f.segments[2].type = PT_NOTE;
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.nr_segments, 1);
	ck_assert_uint_eq(image.low, 0x2000000);
}
END_TEST

START_TEST(accepts_neighbours_that_touch)
{
	add(0x2000800, 0x2000800, 0x800);
	add(0x1fff000, 0x1fff000, 0x1000);
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.low, 0x1fff000);
	ck_assert_uint_eq(image.high, 0x2001000);
}
END_TEST

START_TEST(accepts_the_last_address_space_bytes)
{
	f.segments[0].vaddr = f.segments[0].paddr = UINT64_MAX - 0x803;
	f.segments[0].memsz = 0x803;
	f.entry = f.segments[0].vaddr;
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.high, UINT64_MAX);
}
END_TEST

START_TEST(refuses_every_truncation)
{
	size_t headers = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);

	elf_file_make(&f);
	for (f.len = 0; f.len < sizeof(Elf64_Ehdr); f.len++) {
		ck_assert_int_eq(parse(), -ENOEXEC);
		assert_contains(why.text, "truncated: the file ends within its ELF header");
	}
	for (; f.len < headers; f.len++) {
		ck_assert_int_eq(parse(), -ENOEXEC);
		assert_contains(why.text, "truncated: the file ends within its program headers");
	}
	f.len = headers;
	ck_assert_int_eq(parse(), 0);
}
END_TEST

START_TEST(refuses_program_headers_outside)
{
	f.phoff = sizeof(f.bytes) - sizeof(Elf64_Phdr) + 1;
	refused(-ENOEXEC, "truncated: the file ends within its program headers");
	f.phoff = UINT64_MAX;
	refused(-ENOEXEC, "truncated: the file ends within its program headers");
}
END_TEST

static int read_fails(void *ctx, uint64_t offset, void *to, size_t len)
{
	(void)to;
	(void)len;
	return offset >= *(uint64_t *)ctx ? -EIO : 0;
}

START_TEST(passes_on_a_read_error)
{
	uint64_t from = 0;
	struct elf_source source = {.read = read_fails, .ctx = &from};

	ck_assert_int_eq(elf_parse(&source, &image, &why), -EIO);
	assert_contains(why.text, "cannot read ELF header: Input/output error");
}
END_TEST

START_TEST(refuses_wrong_magic)
{
	f.magic = 'M';
	refused(-ENOEXEC, "not an ELF file: it starts with 4d 45 4c 46");
}
END_TEST

START_TEST(refuses_wrong_class)
{
	f.class = ELFCLASS32;
	refused(-ENOEXEC, "ELF class is 1, only 2");
}
END_TEST

START_TEST(refuses_wrong_byte_order)
{
	f.data = 3;
	refused(-ENOEXEC, "ELF byte order is 3,");
}
END_TEST

START_TEST(refuses_wrong_machine)
{
	f.machine = EM_X86_64;
	refused(-ENOEXEC, "ELF machine is 62, only 21");
	/* The right number in the wrong order. */
	f.machine = EM_PPC64 << 8;
	refused(-ENOEXEC, "ELF machine is 5376, only 21");
}
END_TEST

START_TEST(refuses_wrong_type)
{
	f.type = ET_REL;
	refused(-ENOEXEC, "ELF type is 1, only 2 and 3");
	f.type = ET_CORE;
	refused(-ENOEXEC, "ELF type is 4,");
}
END_TEST

START_TEST(refuses_bad_program_header_counts)
{
	f.no_phnum = true;
	refused(-ENOEXEC, "ELF file has 0 program headers, limit 1 to 64");
	f.no_phnum = false;
	f.phnum = ELF_SEGMENTS_MAX + 1;
	refused(-ENOEXEC, "ELF file has 65 program headers, limit 1 to 64");
	f.phnum = UINT16_MAX;
	refused(-ENOEXEC, "ELF file has 65535 program headers");
}
END_TEST

START_TEST(accepts_as_many_program_headers_as_the_limit)
{
	f.phnum = ELF_SEGMENTS_MAX;
	elf_file_make(&f);
	memset(f.bytes + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), 0,
	       (ELF_SEGMENTS_MAX - 1) * sizeof(Elf64_Phdr));
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.nr_segments, 1);
}
END_TEST

START_TEST(refuses_wrong_program_header_size)
{
	f.phentsize = 32;
	refused(-ENOEXEC, "ELF program headers have 32 bytes, expected 56");
}
END_TEST

START_TEST(refuses_more_in_the_file_than_in_memory)
{
	f.segments[0].filesz = 0x801;
	refused(-ENOEXEC, "ELF segment has 0x801 bytes in the file, 0x800 in all");
}
END_TEST

START_TEST(refuses_addresses_that_overflow)
{
	f.segments[0].paddr = 0xfffffffffffff801;
	refused(-ENOEXEC, "0xfffffffffffff801 (file offset 0x1000) of 0x800 bytes overflows");
	f.segments[0].paddr = 0x2000000;
	f.segments[0].memsz = UINT64_MAX;
	refused(-ENOEXEC, "of 0xffffffffffffffff bytes overflows");
}
END_TEST

START_TEST(refuses_an_offset_no_file_has)
{
	f.segments[0].offset = (uint64_t)INT64_MAX + 1;
	refused(-ENOEXEC, "file offset 0x8000000000000000");
}
END_TEST

START_TEST(refuses_an_address_that_the_bias_overflows)
{
	f.type = ET_DYN;
	f.segments[0].vaddr = f.segments[0].paddr = UINT64_MAX - 0xfff;
	f.entry = f.segments[0].vaddr;
	refused(-ENOEXEC, "ELF segment address 0xfffffffffffff000 is too high");
}
END_TEST

START_TEST(refuses_segments_that_overlap)
{
	add(0x20007ff, 0x20007ff, 0x10);
	refused(-ENOEXEC, "ELF segments at 0x2000000 and 0x20007ff overlap");
	f.segments[1].paddr = 0x1fffff1; /* reaches one byte into the first */
	refused(-ENOEXEC, "ELF segments at 0x2000000 and 0x1fffff1 overlap");
	f.segments[1].paddr = 0x2000100; /* within it */
	refused(-ENOEXEC, "overlap");
	f.segments[1].paddr = 0x1000000; /* around it */
	f.segments[1].memsz = 0x8000000;
	refused(-ENOEXEC, "overlap");
}
END_TEST

START_TEST(refuses_a_file_without_anything_to_load)
{
	f.segments[0].type = PT_DYNAMIC;
	refused(-ENOEXEC, "ELF file has nothing to load");
	f.segments[0].type = PT_LOAD;
	f.segments[0].memsz = f.segments[0].filesz = 0;
	refused(-ENOEXEC, "ELF file has nothing to load");
}
END_TEST

START_TEST(refuses_an_entry_outside)
{
	f.entry = 0x1fffffc;
	refused(-ENOEXEC, "ELF entry 0x1fffffc is not an instruction of any segment");
	f.entry = 0x2000800;
	refused(-ENOEXEC, "ELF entry 0x2000800 is not an instruction");
	f.entry = UINT64_MAX - 3;
	refused(-ENOEXEC, "ELF entry 0xfffffffffffffffc is not an instruction");
}
END_TEST

START_TEST(refuses_an_entry_that_is_not_aligned)
{
	f.entry = 0x2000002;
	refused(-ENOEXEC, "ELF entry 0x2000002 is not an instruction");
}
END_TEST

START_TEST(accepts_the_last_instruction_as_entry)
{
	f.entry = 0x20007fc;
	elf_file_make(&f);
	ck_assert_msg(!parse(), "%s", why.text);
	ck_assert_uint_eq(image.entry, 0x20007fc);
}
END_TEST

START_TEST(refuses_an_entry_whose_instruction_is_cut)
{
	f.segments[0].memsz = 0x402;
	f.entry = 0x2000400;
	refused(-ENOEXEC, "ELF entry 0x2000400 is not an instruction");
}
END_TEST

void elf_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, loads_little_endian);
	tcase_add_test(tc, loads_big_endian);
	tcase_add_test(tc, places_at_physical_addresses_and_translates_the_entry);
	tcase_add_test(tc, moves_position_independent_images_by_the_bias);
	tcase_add_test(tc, does_not_move_et_dyn_with_physical_addresses_of_its_own);
	tcase_add_test(tc, does_not_move_et_exec);
	tcase_add_test(tc, ignores_segments_that_load_nothing);
	tcase_add_test(tc, accepts_neighbours_that_touch);
	tcase_add_test(tc, accepts_the_last_address_space_bytes);
	tcase_add_test(tc, refuses_every_truncation);
	tcase_add_test(tc, refuses_program_headers_outside);
	tcase_add_test(tc, passes_on_a_read_error);
	tcase_add_test(tc, refuses_wrong_magic);
	tcase_add_test(tc, refuses_wrong_class);
	tcase_add_test(tc, refuses_wrong_byte_order);
	tcase_add_test(tc, refuses_wrong_machine);
	tcase_add_test(tc, refuses_wrong_type);
	tcase_add_test(tc, refuses_bad_program_header_counts);
	tcase_add_test(tc, accepts_as_many_program_headers_as_the_limit);
	tcase_add_test(tc, refuses_wrong_program_header_size);
	tcase_add_test(tc, refuses_more_in_the_file_than_in_memory);
	tcase_add_test(tc, refuses_addresses_that_overflow);
	tcase_add_test(tc, refuses_an_offset_no_file_has);
	tcase_add_test(tc, refuses_an_address_that_the_bias_overflows);
	tcase_add_test(tc, refuses_segments_that_overlap);
	tcase_add_test(tc, refuses_a_file_without_anything_to_load);
	tcase_add_test(tc, refuses_an_entry_outside);
	tcase_add_test(tc, refuses_an_entry_that_is_not_aligned);
	tcase_add_test(tc, accepts_the_last_instruction_as_entry);
	tcase_add_test(tc, refuses_an_entry_whose_instruction_is_cut);
}
