// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device tree of a guest (PAPR appendix C). A guest gets it as if it had made
 * the client architecture call: /chosen/ibm,architecture-vec-5 has the answer.
 */
#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "devices/vty.h"
#include "devices/xics/xics_fdt.h"
#include "hcall/rtas_fdt.h"
#include "lib/fdtw.h"
#include "lib/util.h"
#include "vmm/fdt_cpu.h"
#include "vmm/platform.h"

#define XICS_PHANDLE 1
#define STDOUT_PATH  "/vdevice/vty@71000000"

static void root_properties(struct fdtw *w, const struct platform *p)
{
	char uuid[37];
	const uint8_t *u = p->uuid;

	snprintf(uuid, sizeof(uuid),
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
		 u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14],
		 u[15]);
	fdtw_string(w, "device_type", "chrp");
	fdtw_string(w, "model", "IBM pSeries (Paprika)");
	fdtw_strings(w, "compatible", "paprika,pseries\0qemu,pseries\0");
	fdtw_string(w, "vm,uuid", uuid);
	fdtw_string(w, "system-id", uuid);
	fdtw_string(w, "ibm,partition-name", p->name);
	fdtw_u32s(w, "#address-cells", 2);
	fdtw_u32s(w, "#size-cells", 2);
	fdtw_u32s(w, "interrupt-parent", XICS_PHANDLE);
}

/*
 * The platform's answer to option vector 5 (PAPR B.6.2.3): byte 0 is the number of
 * bytes that follow, less one; byte n is the option's byte n.
 */
static void architecture_vector_5(struct fdtw *w, const struct platform *p)
{
	uint8_t vec5[28] = {sizeof(vec5) - 2};

	vec5[24] = p->radix ? 0x40 : 0x00; /* MMU: radix or hash, no other */
	if (p->radix && p->gtse)
		vec5[26] = 0x40; /* the guest may use tlbie itself */
	fdtw_bytes(w, "ibm,architecture-vec-5", vec5, sizeof(vec5));
}

static void chosen(struct fdtw *w, const struct platform *p)
{
	const struct layout *l = &p->layout;
	uint8_t seed[32];

	fdtw_begin(w, "chosen");
	fdtw_string(w, "bootargs", p->params);
	fdtw_string(w, "stdout-path", STDOUT_PATH);
	fdtw_string(w, "linux,stdout-path", STDOUT_PATH);
	fdtw_string(w, "paprika,console-input", p->console_input);
	if (l->initrd_size) {
		fdtw_u64(w, "linux,initrd-start", l->initrd);
		fdtw_u64(w, "linux,initrd-end", l->initrd + l->initrd_size);
	}
	if (getrandom(seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
		fdtw_bytes(w, "rng-seed", seed, sizeof(seed));
	architecture_vector_5(w, p);
	fdtw_end(w);
}

static void memory_node(struct fdtw *w, uint64_t start, uint64_t size)
{
	fdtw_begin(w, "memory@%llx", (unsigned long long)start);
	fdtw_string(w, "device_type", "memory");
	fdtw_u32s(w, "reg", (uint32_t)(start >> 32), (uint32_t)start, (uint32_t)(size >> 32),
		  (uint32_t)size);
	fdtw_end(w);
}

/*
 * The first node is what real mode reaches. The rest comes in pieces that are powers of
 * two at multiples of themselves: Linux takes the second node's size for the unit of
 * memory hot-plug.
 */
static void memory(struct fdtw *w, const struct platform *p)
{
	uint64_t start = p->rma_size;

	memory_node(w, 0, p->rma_size);
	while (start < p->mem_size) {
		uint64_t size = start & -start;

		while (size > p->mem_size - start)
			size >>= 1;
		memory_node(w, start, size);
		start += size;
	}
}

static void hypervisor(struct fdtw *w)
{
	fdtw_begin(w, "hypervisor");
	fdtw_string(w, "compatible", "linux,kvm");
	fdtw_end(w);
}

static void vdevice(struct fdtw *w, const struct platform *p)
{
	fdtw_begin(w, "vdevice");
	fdtw_string(w, "device_type", "vdevice");
	fdtw_string(w, "compatible", "IBM,vdevice");
	fdtw_u32s(w, "#address-cells", 1);
	fdtw_u32s(w, "#size-cells", 0);
	fdtw_u32s(w, "#interrupt-cells", 2);
	fdtw_empty(w, "interrupt-controller");
	vty_fdt(w, VTY_UNIT_ADDRESS, p->console_irq, false);
	for (uint32_t i = 0; i < p->nr_loops; i++)
		vty_fdt(w, VTY_UNIT_ADDRESS + 1 + i, p->console_irq + 1 + i, p->lsi_loops >> i & 1);
	fdtw_end(w);
}

size_t fdt_size_bound(const struct platform *p)
{
	return KIB(64) + KIB(3) * p->nr_cpus;
}

int fdt_build(const struct platform *p, void *buf, size_t size, struct why *why)
{
	struct fdtw w;
	int err;

	/* Linux builds page tables before it reads where RTAS is. */
	fdtw_start(&w, buf, size, p->layout.rtas, RTAS_SIZE);
	root_properties(&w, p);
	chosen(&w, p);
	fdt_cpus(&w, p);
	memory(&w, p);
	rtas_fdt(&w, p->layout.rtas, p->mem_size, p->nr_cpus / p->threads, p->rpt_invalidate,
		 p->hpt_resize);
	hypervisor(&w);
	xics_fdt(&w, p->nr_cpus, XICS_PHANDLE);
	vdevice(&w, p);
	err = fdtw_finish(&w);
	if (err)
		return why_set(why, err, "cannot build the device tree in %zu bytes: %s", size,
			       fdt_strerror(w.err));
	fdt_set_boot_cpuid_phys(buf, 0);
	return 0;
}
