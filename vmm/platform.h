/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a guest is told about its machine: host facts, choices and addresses, from
 * which the device tree is made. Nothing in it depends on KVM's headers.
 */
#ifndef VMM_PLATFORM_H
#define VMM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/why.h"
#include "vmm/layout.h"

/* One base page size of a segment, and the page sizes it can hold. */
struct segment_page_size {
	uint32_t shift;	  /* log2 of the base page size */
	uint32_t slb_enc; /* L and LP bits of the SLB entry */
	uint32_t nr;
	struct {
		uint32_t shift, pte_enc;
	} pages[8];
};

struct platform {
	/* The processor. */
	uint32_t pvr;
	uint32_t timebase_hz;
	uint64_t clock_hz;
	uint32_t icache_size, icache_line, dcache_size, dcache_line; /* bytes */
	uint32_t slb_size;
	bool segments_1t;
	uint32_t nr_page_sizes;
	struct segment_page_size page_sizes[8];
	uint32_t nr_radix_ap;
	uint32_t radix_ap[8];  /* AP encoding << 29 | page shift, as the device tree has it */
	uint32_t host_threads; /* threads of a core of the host */
	uint32_t dec_bits;     /* width of the decrementer as LPCR[LD] makes it */

	/* The machine. */
	uint64_t mem_size, rma_size; /* bytes */
	uint32_t nr_cpus, threads;   /* virtual processors in all, threads a core */
	bool radix, gtse, rpt_invalidate, hpt_resize;
	uint32_t hpt_order; /* log2 of the hashed page table's bytes */
	uint8_t uuid[16];
	const char *name, *params;
	const char *console_input; /* "none", "file" or "terminal" */
	uint32_t console_irq;
	/* Terminals that loop, with the sources after the console's: bit n, the nth has an LSI. */
	uint32_t nr_loops, lsi_loops;

	/* Where things lie. */
	struct layout layout;
};

/* Processor generations by PVR; the levels of the ISA differ in what the tree says. */
enum cpu_generation { CPU_UNKNOWN, CPU_POWER8, CPU_POWER9, CPU_POWER10 };
enum cpu_generation cpu_generation(uint32_t pvr);

/* A bound of the tree's size for layout, bytes. */
size_t fdt_size_bound(const struct platform *p);

/**
 * fdt_build - write the tree of @p into @buf
 *
 * 0, or negative errno with @why set. The tree is complete: a guest needs no client
 * architecture call.
 */
int fdt_build(const struct platform *p, void *buf, size_t size, struct why *why);

#endif
