// SPDX-License-Identifier: GPL-2.0-only
#include "hcall/rtas_fdt.h"

#include <errno.h>

#include "hcall/rtas.h"

/* LoPAR, "ibm,hypertas-functions": groups of hypercalls that guests may use. */
#define HYPERTAS                                                                                   \
	"hcall-pft\0hcall-term\0hcall-interrupt\0hcall-splpar\0hcall-bulk\0hcall-set-mode\0"       \
	"hcall-vphn\0"

/*
 * What a guest calls: the argument block's address from r3 to r4, H_RTAS's number to
 * r3, and the hypercall; the caller's own link register takes it back. Real addresses
 * are given at build time to nothing: the code runs wherever it lies.
 */
static const uint32_t rtas_code[] = {
	0x7c641b78, /* mr   r4, r3 */
	0x3c600000, /* lis  r3, 0 */
	0x6063f000, /* ori  r3, r3, 0xf000 (H_RTAS) */
	0x44000022, /* sc   1 */
	0x4e800020, /* blr */
};

int rtas_load(const struct gmem *mem, uint64_t base)
{
	for (uint32_t i = 0; i < sizeof(rtas_code) / 4; i++)
		if (gmem_write_be32(mem, base + 4 * (uint64_t)i, rtas_code[i]))
			return -EFAULT;
	return 0;
}

void rtas_fdt(struct fdtw *w, uint64_t base, uint64_t max_mem, uint32_t max_cores,
	      bool rpt_invalidate, bool hpt_resize)
{
	const struct rtas_service *service;
	uint32_t token;

	fdtw_begin(w, "rtas");
	for (size_t n = 0; (service = rtas_nth(n, &token)); n++)
		fdtw_u32s(w, service->name, token);
	fdtw_u32s(w, "linux,rtas-base", (uint32_t)base);
	fdtw_u32s(w, "linux,rtas-entry", (uint32_t)base);
	fdtw_u32s(w, "rtas-size", sizeof(rtas_code));
	fdtw_u32s(w, "rtas-version", 1);
	fdtw_u32s(w, "rtas-error-log-max", 2048);
	fdtw_u32s(w, "rtas-event-scan-rate", 1);
	fdtw_empty(w, "ibm,extended-os-term");
	fdtw_strings(w, "ibm,hypertas-functions",
		     rpt_invalidate ? HYPERTAS "hcall-rpt-invalidate\0"
		     : hpt_resize   ? HYPERTAS "hcall-hpt-resize\0"
				    : HYPERTAS);
	fdtw_u32s(w, "ibm,lrdr-capacity", (uint32_t)(max_mem >> 32), (uint32_t)max_mem, 0,
		  256u << 20, max_cores);
	fdtw_end(w);
}
