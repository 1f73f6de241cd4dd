// SPDX-License-Identifier: GPL-2.0-only
#include "devices/xics/xics_fdt.h"

void xics_fdt(struct fdtw *w, uint32_t nr_servers, uint32_t phandle)
{
	fdtw_begin(w, "interrupt-controller");
	fdtw_string(w, "device_type", "PowerPC-External-Interrupt-Presentation");
	fdtw_string(w, "compatible", "IBM,ppc-xicp");
	fdtw_empty(w, "interrupt-controller");
	fdtw_u32s(w, "ibm,interrupt-server-ranges", 0, nr_servers);
	fdtw_u32s(w, "#interrupt-cells", 2);
	fdtw_u32s(w, "#address-cells", 0);
	fdtw_u32s(w, "phandle", phandle);
	fdtw_u32s(w, "linux,phandle", phandle);
	fdtw_end(w);
}
