// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/fdt_cpu.h"

#include <string.h>

#include "lib/util.h"

enum cpu_generation cpu_generation(uint32_t pvr)
{
	switch (pvr >> 16) {
	case 0x4b: /* POWER8E */
	case 0x4c: /* POWER8NVL */
	case 0x4d: /* POWER8 */
		return CPU_POWER8;
	case 0x4e:
		return CPU_POWER9;
	case 0x80: /* POWER10 */
	case 0x82: /* Power11: the same for a guest */
		return CPU_POWER10;
	default:
		return CPU_UNKNOWN;
	}
}

static const char *node_name(uint32_t pvr)
{
	switch (cpu_generation(pvr)) {
	case CPU_POWER8:
		return "PowerPC,POWER8";
	case CPU_POWER9:
		return "PowerPC,POWER9";
	case CPU_POWER10:
		return "PowerPC,POWER10";
	default:
		return "PowerPC,UNKNOWN";
	}
}

/* A bit of ibm,pa-features (PAPR C.6.2): bit 0 is the most significant. */
struct pa_bit {
	uint8_t byte, bit;
};

static void set_pa_bits(uint8_t *features, const struct pa_bit *bits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		features[bits[i].byte] |= (uint8_t)(0x80 >> bits[i].bit);
}

/*
 * ibm,pa-features: what the processor has beyond its base, by ISA level. Transactional
 * memory is not offered: hosts from POWER9 on only emulate it.
 */
static void pa_features(struct fdtw *w, const struct platform *p)
{
	/* clang-format off: one line a group, and what it is */
	static const struct pa_bit base[] = {
		{0, 0}, /* MMU */
		{0, 1}, /* floating point */
		{0, 2}, /* SLB */
		{0, 3}, /* RUN bit of CTRL */
		{0, 5}, /* DABR */
		{0, 6}, /* no-execute */
		{1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {2, 0},
		{2, 1}, {2, 5}, {2, 6}, {2, 7}, {5, 0}, /* little-endian */
		{5, 1}, {5, 2}, {5, 3},
	};
	static const struct pa_bit isa207[] = {
		{3, 0},	 {3, 1}, {6, 0}, /* ISA 2.07 data streams */
		{16, 0},		 /* vector */
		{18, 0},		 /* vector-scalar */
		{20, 0},		 /* vector exclusive or */
	};
	static const struct pa_bit isa300[] = {
		{24, 0},			    /* decimal */
		{26, 0}, {28, 0}, {30, 0}, {32, 0}, /* little-endian atomics */
		{34, 0}, {34, 1},		    /* event-based branches */
		{42, 0}, {44, 0}, {46, 0}, {48, 0}, {50, 0},
		{52, 0}, {54, 0}, {56, 0}, {58, 0}, {60, 0}, /* atomics */
		{62, 0},				     /* random numbers */
	};
	/* clang-format on */
	static const struct pa_bit radix[] = {{40, 0}};
	bool v3 = cpu_generation(p->pvr) >= CPU_POWER9;
	uint8_t value[2 + 66] = {0};
	uint8_t len = v3 ? 66 : 24;

	value[0] = len; /* bytes of this descriptor; value[1] is its type, 0 */
	set_pa_bits(value + 2, base, ARRAY_SIZE(base));
	set_pa_bits(value + 2, isa207, ARRAY_SIZE(isa207));
	if (v3)
		set_pa_bits(value + 2, isa300, ARRAY_SIZE(isa300));
	if (p->radix)
		set_pa_bits(value + 2, radix, ARRAY_SIZE(radix));
	fdtw_bytes(w, "ibm,pa-features", value, 2u + len);
}

static void hash_properties(struct fdtw *w, const struct platform *p)
{
	uint32_t cells[8 * (3 + 16)];
	size_t n = 0;

	fdtw_u32s(w, "slb-size", p->slb_size);
	fdtw_u32s(w, "ibm,slb-size", p->slb_size);
	fdtw_u32s(w, "ibm,pft-size", 0, p->hpt_order);
	fdtw_u32s(w, "ibm,processor-segment-sizes", 28, p->segments_1t ? 40 : 0xffffffff,
		  0xffffffff, 0xffffffff);
	for (uint32_t i = 0; i < p->nr_page_sizes; i++) {
		const struct segment_page_size *seg = &p->page_sizes[i];

		cells[n++] = seg->shift;
		cells[n++] = seg->slb_enc;
		cells[n++] = seg->nr;
		for (uint32_t j = 0; j < seg->nr; j++) {
			cells[n++] = seg->pages[j].shift;
			cells[n++] = seg->pages[j].pte_enc;
		}
	}
	fdtw_cells(w, "ibm,segment-page-sizes", cells, n);
}

static void cache_properties(struct fdtw *w, const struct platform *p)
{
	fdtw_u32s(w, "i-cache-size", p->icache_size);
	fdtw_u32s(w, "i-cache-line-size", p->icache_line);
	fdtw_u32s(w, "i-cache-block-size", p->icache_line);
	fdtw_u32s(w, "d-cache-size", p->dcache_size);
	fdtw_u32s(w, "d-cache-line-size", p->dcache_line);
	fdtw_u32s(w, "d-cache-block-size", p->dcache_line);
}

static void clock_properties(struct fdtw *w, const struct platform *p)
{
	fdtw_u32s(w, "timebase-frequency", p->timebase_hz);
	if (p->clock_hz > UINT32_MAX)
		fdtw_u64(w, "ibm,extended-clock-frequency", p->clock_hz);
	fdtw_u32s(w, "clock-frequency", (uint32_t)min_u64(p->clock_hz, UINT32_MAX));
}

/* The threads of a core: their server numbers, and with each the global queue's. */
static void thread_properties(struct fdtw *w, uint32_t first, uint32_t threads)
{
	uint32_t servers[8], gservers[16];

	for (size_t i = 0; i < threads; i++) {
		servers[i] = first + (uint32_t)i;
		gservers[2 * i] = first + (uint32_t)i;
		gservers[2 * i + 1] = 0;
	}
	fdtw_cells(w, "ibm,ppc-interrupt-server#s", servers, threads);
	fdtw_cells(w, "ibm,ppc-interrupt-gserver#s", gservers, 2 * (size_t)threads);
}

static void core(struct fdtw *w, const struct platform *p, uint32_t first)
{
	uint32_t threads = (uint32_t)min_u64(p->threads, p->nr_cpus - first);

	fdtw_begin(w, "%s@%x", node_name(p->pvr), first);
	fdtw_string(w, "device_type", "cpu");
	fdtw_string(w, "status", "okay");
	fdtw_u32s(w, "reg", first);
	fdtw_u32s(w, "cpu-version", p->pvr);
	fdtw_u32s(w, "ibm,chip-id", 0);
	thread_properties(w, first, threads);
	cache_properties(w, p);
	clock_properties(w, p);
	fdtw_empty(w, "64-bit");
	fdtw_empty(w, "ibm,purr");
	fdtw_u32s(w, "ibm,vmx", 2); /* vector, and vector-scalar */
	fdtw_u32s(w, "ibm,dfp", 1);
	if (p->dec_bits > 32)
		fdtw_u32s(w, "ibm,dec-bits", p->dec_bits);
	pa_features(w, p);
	hash_properties(w, p);
	if (p->nr_radix_ap)
		fdtw_cells(w, "ibm,processor-radix-AP-encodings", p->radix_ap, p->nr_radix_ap);
	fdtw_end(w);
}

void fdt_cpus(struct fdtw *w, const struct platform *p)
{
	fdtw_begin(w, "cpus");
	fdtw_u32s(w, "#address-cells", 1);
	fdtw_u32s(w, "#size-cells", 0);
	for (uint32_t first = 0; first < p->nr_cpus; first += p->threads)
		core(w, p, first);
	fdtw_end(w);
}
