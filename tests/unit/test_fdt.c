// SPDX-License-Identifier: GPL-2.0-only
/*
 * vmm/fdt.c, vmm/fdt_cpu.c, lib/fdtw.c: trees of every kind of machine, read back; what
 * Linux and bare-metal PAPR kernels rely on; and dtc's opinion.
 */
#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/vty.h"
#include "hcall/rtas.h"
#include "lib/fdtw.h"
#include "lib/util.h"
#include "tests/unit/fdt_read.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"
#include "vmm/platform.h"

#define POWER8	0x004d0200
#define POWER9	0x004e1202
#define POWER10 0x00801200

static struct platform p;
static struct why why;
static void *tree;

/* A POWER9 with 4 processors and 1 GiB, radix. */
static void setup(void)
{
	p = (struct platform){
		.pvr = POWER9,
		.timebase_hz = 512000000,
		.clock_hz = 2500000000,
		.icache_size = 32768,
		.icache_line = 128,
		.dcache_size = 65536,
		.dcache_line = 128,
		.slb_size = 32,
		.segments_1t = true,
		.nr_page_sizes = 2,
		.page_sizes =
			{{.shift = 12, .slb_enc = 0, .nr = 1, .pages = {{12, 0}}},
			 {.shift = 16, .slb_enc = 0x110, .nr = 2, .pages = {{16, 1}, {24, 8}}}},
		.nr_radix_ap = 4,
		.radix_ap = {0x0000000c, 0xa0000010, 0x20000015, 0x4000001e},
		.host_threads = 4,
		.dec_bits = 56,
		.mem_size = GIB(1),
		.rma_size = GIB(1),
		.nr_cpus = 4,
		.threads = 1,
		.radix = true,
		.gtse = true,
		.hpt_order = 24,
		.uuid = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0x4d, 0xef, 0x80, 1, 2, 3, 4, 5, 6, 7},
		.name = "test",
		.params = "console=hvc0 quiet",
		.console_input = "none",
		.console_irq = 0x1000,
		.layout = {.rtas = 0x10000, .fdt = 0x3fff0000},
	};
}

static void make_hash(void)
{
	p.radix = p.gtse = false;
	p.nr_radix_ap = 0;
	p.dec_bits = 32;
}

static void teardown(void)
{
	free(tree);
	tree = NULL;
}

/* In exactly the room that is set aside for it, so that a bound too small is seen. */
static void build(void)
{
	size_t size = fdt_size_bound(&p);

	free(tree);
	tree = malloc(size);
	ck_assert_msg(!fdt_build(&p, tree, size, &why), "%s", why.text);
	ck_assert_int_eq(fdt_check_full(tree, size), 0);
}

START_TEST(root)
{
	build();
	assert_contains(tree_string(tree, "/", "model"), "Paprika");
	ck_assert_str_eq(tree_string(tree, "/", "device_type"), "chrp");
	ck_assert(tree_lists(tree, "/", "compatible", "qemu,pseries"));
	ck_assert_uint_eq(tree_cell(tree, "/", "#address-cells", 0), 2);
	ck_assert_uint_eq(tree_cell(tree, "/", "#size-cells", 0), 2);
	ck_assert_str_eq(tree_string(tree, "/", "vm,uuid"), "01234567-89ab-4def-8001-020304050607");
	ck_assert_str_eq(tree_string(tree, "/", "ibm,partition-name"), "test");
	ck_assert_uint_eq(fdt_boot_cpuid_phys(tree), 0);
	ck_assert_str_eq(tree_string(tree, "/hypervisor", "compatible"), "linux,kvm");
}
END_TEST

START_TEST(rtas_is_kept_off_by_the_reservation_map)
{
	uint64_t at, size;

	build();
	ck_assert_int_eq(fdt_num_mem_rsv(tree), 1);
	ck_assert_int_eq(fdt_get_mem_rsv(tree, 0, &at, &size), 0);
	ck_assert_uint_eq(at, 0x10000);
	ck_assert_uint_eq(size, RTAS_SIZE);
}
END_TEST

START_TEST(chosen_names_console_and_command_line)
{
	const char *path;

	build();
	ck_assert_str_eq(tree_string(tree, "/chosen", "bootargs"), "console=hvc0 quiet");
	path = tree_string(tree, "/chosen", "stdout-path");
	ck_assert_str_eq(tree_string(tree, "/chosen", "linux,stdout-path"), path);
	ck_assert_str_eq(tree_string(tree, path, "compatible"), "hvterm1");
	ck_assert_str_eq(tree_string(tree, "/chosen", "paprika,console-input"), "none");
	tree_prop(tree, "/chosen", "rng-seed", 32);
	ck_assert_ptr_null(
		fdt_getprop(tree, tree_node(tree, "/chosen"), "linux,initrd-start", NULL));
	p.params = "";
	build();
	ck_assert_str_eq(tree_string(tree, "/chosen", "bootargs"), "");
}
END_TEST

START_TEST(chosen_tells_where_the_initrd_is)
{
	p.layout.initrd = 0x20000000;
	p.layout.initrd_size = 12345;
	build();
	ck_assert_uint_eq(tree_u64(tree, "/chosen", "linux,initrd-start"), 0x20000000);
	ck_assert_uint_eq(tree_u64(tree, "/chosen", "linux,initrd-end"), 0x20000000 + 12345);
}
END_TEST

/* Linux makes no client architecture call: this must answer for it. */
START_TEST(option_vector_5_is_the_answer)
{
	const uint8_t *vec5;
	int len;

	build();
	vec5 = tree_prop(tree, "/chosen", "ibm,architecture-vec-5", -1);
	fdt_getprop(tree, tree_node(tree, "/chosen"), "ibm,architecture-vec-5", &len);
	ck_assert_int_gt(len, 26);
	ck_assert_int_eq(vec5[0], len - 2);	  /* bytes after, less one */
	ck_assert_uint_eq(vec5[23] & 0xc0, 0x00); /* XICS */
	ck_assert_uint_eq(vec5[24] & 0xc0, 0x40); /* radix */
	ck_assert_uint_eq(vec5[26] & 0x40, 0x40); /* GTSE */
	p.gtse = false;
	build();
	vec5 = tree_prop(tree, "/chosen", "ibm,architecture-vec-5", -1);
	ck_assert_uint_eq(vec5[24] & 0xc0, 0x40);
	ck_assert_uint_eq(vec5[26] & 0x40, 0);
	make_hash();
	build();
	vec5 = tree_prop(tree, "/chosen", "ibm,architecture-vec-5", -1);
	ck_assert_uint_eq(vec5[24] & 0xc0, 0);
	ck_assert_uint_eq(vec5[26] & 0x40, 0);
}
END_TEST

/* The memory nodes must cover all, once, and the first no more than real mode reaches. */
static void check_memory(void)
{
	uint64_t next = 0;
	int node, nodes = 0;

	build();
	fdt_for_each_subnode(node, tree, 0)
	{
		const char *name = fdt_get_name(tree, node, NULL);
		char path[64];
		const fdt64_t *reg;

		if (strncmp(name, "memory@", 7))
			continue;
		snprintf(path, sizeof(path), "/%s", name);
		ck_assert_str_eq(tree_string(tree, path, "device_type"), "memory");
		reg = tree_prop(tree, path, "reg", 16);
		ck_assert_uint_eq(strtoull(name + 7, NULL, 16), fdt64_ld(reg));
		ck_assert_uint_eq(fdt64_ld(reg), next);
		ck_assert_uint_gt(fdt64_ld(reg + 1), 0);
		if (!next)
			ck_assert_uint_eq(fdt64_ld(reg + 1), p.rma_size);
		next += fdt64_ld(reg + 1);
		nodes++;
	}
	ck_assert_uint_eq(next, p.mem_size);
	ck_assert_int_eq(nodes > 1, p.mem_size > p.rma_size);
}

START_TEST(memory_is_covered_once)
{
	static const uint64_t sizes[][2] = {
		{MIB(64), MIB(64)},   {MIB(512), MIB(128)}, {GIB(1), MIB(128)},
		{GIB(16), MIB(128)},  {TIB(4), GIB(1)},	    {MIB(512) + KIB(64), MIB(128)},
		{GIB(3), GIB(2)},     {MIB(129), MIB(128)}, {GIB(5) - KIB(4), MIB(256)},
		{MIB(200), MIB(200)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		p.mem_size = sizes[i][0];
		p.rma_size = sizes[i][1];
		check_memory();
	}
}
END_TEST

START_TEST(rtas_has_every_service)
{
	const struct rtas_service *service;
	uint32_t token;

	build();
	for (size_t n = 0; (service = rtas_nth(n, &token)); n++)
		ck_assert_uint_eq(tree_cell(tree, "/rtas", service->name, 0), token);
	ck_assert_uint_eq(tree_cell(tree, "/rtas", "linux,rtas-entry", 0), 0x10000);
	ck_assert_uint_eq(tree_cell(tree, "/rtas", "linux,rtas-base", 0), 0x10000);
	ck_assert_uint_gt(tree_cell(tree, "/rtas", "rtas-size", 0), 0);
	ck_assert_uint_le(tree_cell(tree, "/rtas", "rtas-size", 0), RTAS_SIZE);
	ck_assert(tree_lists(tree, "/rtas", "ibm,hypertas-functions", "hcall-term"));
	ck_assert(tree_lists(tree, "/rtas", "ibm,hypertas-functions", "hcall-interrupt"));
	ck_assert(tree_lists(tree, "/rtas", "ibm,hypertas-functions", "hcall-pft"));
	ck_assert(!tree_lists(tree, "/rtas", "ibm,hypertas-functions", "hcall-rpt-invalidate"));
	ck_assert_uint_eq(tree_cell(tree, "/rtas", "ibm,lrdr-capacity", 4), 4);
	p.rpt_invalidate = true;
	build();
	ck_assert(tree_lists(tree, "/rtas", "ibm,hypertas-functions", "hcall-rpt-invalidate"));
}
END_TEST

START_TEST(interrupt_controller_and_console)
{
	const char *icp = "/interrupt-controller", *vty = "/vdevice/vty@71000000";

	build();
	ck_assert_str_eq(tree_string(tree, icp, "compatible"), "IBM,ppc-xicp");
	ck_assert_str_eq(tree_string(tree, icp, "device_type"),
			 "PowerPC-External-Interrupt-Presentation");
	ck_assert_uint_eq(tree_cell(tree, icp, "ibm,interrupt-server-ranges", 0), 0);
	ck_assert_uint_eq(tree_cell(tree, icp, "ibm,interrupt-server-ranges", 1), 4);
	ck_assert_uint_eq(tree_cell(tree, icp, "#interrupt-cells", 0), 2);
	tree_prop(tree, icp, "interrupt-controller", 0);
	ck_assert_uint_eq(tree_cell(tree, "/", "interrupt-parent", 0),
			  tree_cell(tree, icp, "phandle", 0));
	ck_assert_str_eq(tree_string(tree, "/vdevice", "compatible"), "IBM,vdevice");
	ck_assert_str_eq(tree_string(tree, vty, "device_type"), "serial");
	ck_assert_uint_eq(tree_cell(tree, vty, "reg", 0), 0x71000000);
	ck_assert_uint_eq(tree_cell(tree, vty, "interrupts", 0), 0x1000);
	ck_assert_uint_eq(tree_cell(tree, vty, "interrupts", 1), 0); /* edge */
}
END_TEST

static int count_subnodes(const char *path)
{
	int node, n = 0;

	fdt_for_each_subnode(node, tree, tree_node(tree, path)) n++;
	return n;
}

START_TEST(terminals_that_loop)
{
	build();
	ck_assert_int_eq(count_subnodes("/vdevice"), 1);
	p.nr_loops = VTY_LOOPS_MAX;
	p.lsi_loops = 0x4002;
	build();
	ck_assert_int_eq(count_subnodes("/vdevice"), 1 + VTY_LOOPS_MAX);
	for (uint32_t i = 0; i < p.nr_loops; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/vdevice/vty@%x", 0x71000001 + i);
		ck_assert_str_eq(tree_string(tree, path, "device_type"), "serial");
		ck_assert_str_eq(tree_string(tree, path, "compatible"), "hvterm1");
		ck_assert_uint_eq(tree_cell(tree, path, "reg", 0), 0x71000001 + i);
		ck_assert_uint_eq(tree_cell(tree, path, "interrupts", 0), 0x1001 + i);
		/* An edge but for the two. */
		ck_assert_uint_eq(tree_cell(tree, path, "interrupts", 1), i == 1 || i == 14);
	}
	ck_assert_str_eq(tree_string(tree, "/chosen", "stdout-path"), "/vdevice/vty@71000000");
}
END_TEST

/* Every processor's server number once, core by core. */
static void check_cores(const char *name)
{
	uint32_t cores = p.nr_cpus / p.threads;

	build();
	ck_assert_int_eq(count_subnodes("/cpus"), (int)cores);
	ck_assert_uint_eq(tree_cell(tree, "/cpus", "#address-cells", 0), 1);
	ck_assert_uint_eq(tree_cell(tree, "/cpus", "#size-cells", 0), 0);
	for (uint32_t c = 0; c < cores; c++) {
		uint32_t first = c * p.threads;
		char path[64];

		snprintf(path, sizeof(path), "/cpus/%s@%x", name, first);
		ck_assert_uint_eq(tree_cell(tree, path, "reg", 0), first);
		tree_prop(tree, path, "ibm,ppc-interrupt-server#s", (int)(4 * p.threads));
		tree_prop(tree, path, "ibm,ppc-interrupt-gserver#s", (int)(8 * p.threads));
		for (uint32_t t = 0; t < p.threads; t++) {
			ck_assert_uint_eq(tree_cell(tree, path, "ibm,ppc-interrupt-server#s",
						    (int)t),
					  first + t);
			ck_assert_uint_eq(tree_cell(tree, path, "ibm,ppc-interrupt-gserver#s",
						    2 * (int)t),
					  first + t);
		}
		/* Each node is complete: a guest may read any of them. */
		ck_assert_str_eq(tree_string(tree, path, "device_type"), "cpu");
		ck_assert_str_eq(tree_string(tree, path, "status"), "okay");
		ck_assert_uint_eq(tree_cell(tree, path, "timebase-frequency", 0), 512000000);
		ck_assert_uint_eq(tree_cell(tree, path, "cpu-version", 0), p.pvr);
		if (c > 16)
			c += 61; /* a sample of many */
	}
	ck_assert_uint_eq(tree_cell(tree, "/interrupt-controller", "ibm,interrupt-server-ranges",
				    1),
			  p.nr_cpus);
}

START_TEST(processors_from_1_to_2048_with_1_to_8_threads)
{
	static const uint32_t counts[] = {1, 2, 8, 2048};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		for (p.threads = 1; p.threads <= 8 && p.threads <= counts[i]; p.threads *= 2) {
			p.nr_cpus = counts[i];
			check_cores("PowerPC,POWER9");
		}
}
END_TEST

START_TEST(processors_of_every_generation)
{
	p.pvr = POWER10;
	check_cores("PowerPC,POWER10");
	p.pvr = 0x00820100; /* Power11 shows as POWER10 */
	check_cores("PowerPC,POWER10");
	p.pvr = POWER8;
	make_hash();
	check_cores("PowerPC,POWER8");
	p.pvr = 0x004b0201;
	check_cores("PowerPC,POWER8");
	p.pvr = 0x004c0100;
	check_cores("PowerPC,POWER8");
	ck_assert_int_eq(cpu_generation(0x003f0000), CPU_UNKNOWN); /* POWER7 */
	ck_assert_int_eq(cpu_generation(0xffffffff), CPU_UNKNOWN);
}
END_TEST

START_TEST(caches_and_clocks)
{
	const char *cpu = "/cpus/PowerPC,POWER9@0";
	static const char *const lines[] = {"i-cache-line-size", "d-cache-line-size",
					    "i-cache-block-size", "d-cache-block-size"};

	build();
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_uint_eq(tree_cell(tree, cpu, lines[i], 0), 128);
	ck_assert_uint_eq(tree_cell(tree, cpu, "i-cache-size", 0), 32768);
	ck_assert_uint_eq(tree_cell(tree, cpu, "d-cache-size", 0), 65536);
	ck_assert_uint_eq(tree_cell(tree, cpu, "clock-frequency", 0), 2500000000);
	tree_prop(tree, cpu, "64-bit", 0);
	p.clock_hz = 5000000000;
	build();
	ck_assert_uint_eq(tree_u64(tree, cpu, "ibm,extended-clock-frequency"), 5000000000);
}
END_TEST

START_TEST(decrementer_is_told_where_it_is_large)
{
	const char *cpu = "/cpus/PowerPC,POWER9@0";

	build();
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,dec-bits", 0), 56);
	p.dec_bits = 32;
	build();
	ck_assert_ptr_null(fdt_getprop(tree, tree_node(tree, cpu), "ibm,dec-bits", NULL));
}
END_TEST

START_TEST(radix_encodings)
{
	const char *cpu = "/cpus/PowerPC,POWER9@0", *name = "ibm,processor-radix-AP-encodings";
	const uint8_t *features;

	build();
	tree_prop(tree, cpu, name, 16);
	ck_assert_uint_eq(tree_cell(tree, cpu, name, 1), 0xa0000010);
	features = tree_prop(tree, cpu, "ibm,pa-features", 68);
	ck_assert_uint_eq(features[0], 66);
	ck_assert_uint_eq(features[1], 0);
	ck_assert_uint_eq(features[2 + 40] & 0x80, 0x80); /* radix */
	ck_assert_uint_eq(features[2 + 22] & 0x80, 0x00); /* no transactional memory */
	ck_assert_uint_eq(features[2 + 5] & 0x80, 0x80);  /* little-endian */
	make_hash();
	build();
	ck_assert_ptr_null(fdt_getprop(tree, tree_node(tree, cpu), name, NULL));
	features = tree_prop(tree, cpu, "ibm,pa-features", 68);
	ck_assert_uint_eq(features[2 + 40] & 0x80, 0);
	p.pvr = POWER8;
	build();
	features = tree_prop(tree, "/cpus/PowerPC,POWER8@0", "ibm,pa-features", 26);
	ck_assert_uint_eq(features[0], 24);
}
END_TEST

START_TEST(hash_page_sizes)
{
	static const uint32_t cells[] = {12, 0, 1, 12, 0, 16, 0x110, 2, 16, 1, 24, 8};
	const char *cpu = "/cpus/PowerPC,POWER9@0", *name = "ibm,segment-page-sizes";

	make_hash();
	build();
	tree_prop(tree, cpu, name, sizeof(cells));
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		ck_assert_uint_eq(tree_cell(tree, cpu, name, (int)i), cells[i]);
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,pft-size", 0), 0);
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,pft-size", 1), 24);
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,slb-size", 0), 32);
	ck_assert_uint_eq(tree_cell(tree, cpu, "slb-size", 0), 32);
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,processor-segment-sizes", 0), 28);
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,processor-segment-sizes", 1), 40);
	p.segments_1t = false;
	build();
	ck_assert_uint_eq(tree_cell(tree, cpu, "ibm,processor-segment-sizes", 1), UINT32_MAX);
}
END_TEST

START_TEST(all_page_sizes_that_kvm_can_name)
{
	p.nr_page_sizes = 8;
	for (uint32_t i = 0; i < 8; i++) {
		p.page_sizes[i].nr = 8;
		p.page_sizes[i].shift = 12 + i;
		for (uint32_t j = 0; j < 8; j++)
			p.page_sizes[i].pages[j].shift = 12 + j;
	}
	p.nr_radix_ap = 8;
	p.nr_cpus = 64;
	build();
	tree_prop(tree, "/cpus/PowerPC,POWER9@0", "ibm,segment-page-sizes", 4 * 8 * (3 + 16));
}
END_TEST

START_TEST(too_small_a_buffer)
{
	size_t size = fdt_size_bound(&p), need;
	char *buf = malloc(size);

	build();
	need = fdt_totalsize(tree);
	for (size_t n = 0; n < need; n += n < 300 ? 1 : 97) {
		why.text[0] = '\0';
		ck_assert_int_eq(fdt_build(&p, buf, n, &why), -ENOSPC);
		assert_contains(why.text, "cannot build the device tree in");
		assert_contains(why.text, "FDT_ERR_NOSPACE");
	}
	ck_assert_int_eq(fdt_build(&p, buf, need, &why), 0);
	free(buf);
}
END_TEST

START_TEST(the_writer_keeps_the_first_error)
{
	static const char large[300];
	char buf[256];
	struct fdtw w;

	fdtw_start(&w, buf, sizeof(buf), 0, 0);
	fdtw_bytes(&w, "large", large, sizeof(large));
	ck_assert_int_eq(w.err, -FDT_ERR_NOSPACE);
	fdtw_u32s(&w, "small", 1, 2); /* it would fit */
	fdtw_begin(&w, "node");
	fdtw_end(&w);
	ck_assert_int_eq(fdtw_finish(&w), -ENOSPC);
	ck_assert_int_eq(w.err, -FDT_ERR_NOSPACE);
}
END_TEST

/* Nothing that dtc warns of by default is inherent in a PAPR tree: it must say nothing. */
static void check_dtc(const char *what)
{
	char command[512], line[512];
	const char *path;
	FILE *out;

	build();
	path = scratch_write("tree.dtb", tree, fdt_totalsize(tree));
	snprintf(command, sizeof(command), "dtc -I dtb -O dts -o /dev/null %s 2>&1", path);
	out = popen(command, "re");
	ck_assert_ptr_nonnull(out);
	if (fgets(line, sizeof(line), out))
		ck_abort_msg("%s: %s", what, line);
	ck_assert_int_eq(pclose(out), 0);
}

START_TEST(dtc_finds_no_fault)
{
	scratch_make();
	check_dtc("POWER9 radix");
	p.nr_loops = VTY_LOOPS_MAX;
	p.layout.initrd = 0x20000000;
	p.layout.initrd_size = 12345;
	p.nr_cpus = 16;
	p.threads = 4;
	check_dtc("POWER9 radix, threads, initrd");
	p.pvr = POWER10;
	check_dtc("POWER10 radix");
	make_hash();
	p.rma_size = MIB(128);
	check_dtc("POWER10 hash, memory in pieces");
	p.pvr = POWER8;
	check_dtc("POWER8 hash");
	scratch_remove();
}
END_TEST

void fdt_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, root);
	tcase_add_test(tc, rtas_is_kept_off_by_the_reservation_map);
	tcase_add_test(tc, chosen_names_console_and_command_line);
	tcase_add_test(tc, chosen_tells_where_the_initrd_is);
	tcase_add_test(tc, option_vector_5_is_the_answer);
	tcase_add_test(tc, memory_is_covered_once);
	tcase_add_test(tc, rtas_has_every_service);
	tcase_add_test(tc, interrupt_controller_and_console);
	tcase_add_test(tc, terminals_that_loop);
	tcase_add_test(tc, processors_from_1_to_2048_with_1_to_8_threads);
	tcase_add_test(tc, processors_of_every_generation);
	tcase_add_test(tc, caches_and_clocks);
	tcase_add_test(tc, decrementer_is_told_where_it_is_large);
	tcase_add_test(tc, radix_encodings);
	tcase_add_test(tc, hash_page_sizes);
	tcase_add_test(tc, all_page_sizes_that_kvm_can_name);
	tcase_add_test(tc, too_small_a_buffer);
	tcase_add_test(tc, the_writer_keeps_the_first_error);
	tcase_add_test(tc, dtc_finds_no_fault);
}
