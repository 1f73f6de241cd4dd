/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef VMM_FDT_CPU_H
#define VMM_FDT_CPU_H

#include "lib/fdtw.h"
#include "vmm/platform.h"

/* /cpus with one node a core (PAPR C.6.1). */
void fdt_cpus(struct fdtw *w, const struct platform *p);

#endif
