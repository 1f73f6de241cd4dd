/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DEVICES_XICS_XICS_FDT_H
#define DEVICES_XICS_XICS_FDT_H

#include <stdint.h>

#include "lib/fdtw.h"

/* The presentation controller's node (PAPR C.6.?), for @nr_servers servers from 0. */
void xics_fdt(struct fdtw *w, uint32_t nr_servers, uint32_t phandle);

#endif
