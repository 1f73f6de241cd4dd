/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HCALL_RTAS_FDT_H
#define HCALL_RTAS_FDT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/fdtw.h"
#include "lib/gmem.h"

/*
 * /rtas: a token for every service, where the code lies, and which groups of
 * hypercalls exist. @max_mem in bytes; @max_cores, processors that could be online. Of
 * the last two, radix guests have the one and hash guests the other.
 */
void rtas_fdt(struct fdtw *w, uint64_t base, uint64_t max_mem, uint32_t max_cores,
	      bool rpt_invalidate, bool hpt_resize);

/* Put the RTAS code, big-endian instructions, at real address @base. 0 or -EFAULT. */
int rtas_load(const struct gmem *mem, uint64_t base);

#endif
