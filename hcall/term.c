// SPDX-License-Identifier: GPL-2.0-only
/*
 * The virtual terminal's hypercalls (PAPR 16.2). Characters travel in two registers,
 * the first in the most significant byte.
 */
#include <string.h>

#include "hcall/hcall.h"
#include "hcall/papr.h"
#include "lib/endian.h"

/* Unit 0 is the console, by custom of guests that do not read the device tree. */
static struct vty *find_vty(struct machine *machine, uint64_t unit)
{
	uint64_t loop = unit - VTY_UNIT_ADDRESS - 1;

	if (unit == 0 || unit == VTY_UNIT_ADDRESS)
		return &machine->vty;
	return loop < machine->nr_loops ? &machine->loops[loop] : NULL;
}

int64_t h_put_term_char(struct hcpu *cpu, uint64_t args[])
{
	struct vty *vty = find_vty(cpu->machine, args[0]);
	be64_t chars[2] = {be64(args[2]), be64(args[3])};

	if (!vty || args[1] > VTY_CHARS_MAX)
		return H_PARAMETER;
	return vty_write(vty, chars, args[1]) ? H_BUSY : H_SUCCESS;
}

int64_t h_get_term_char(struct hcpu *cpu, uint64_t args[])
{
	struct vty *vty = find_vty(cpu->machine, args[0]);
	be64_t chars[2] = {{0}};

	if (!vty)
		return H_PARAMETER;
	args[0] = vty_read(vty, chars, sizeof(chars));
	args[1] = be64_get(chars[0]);
	args[2] = be64_get(chars[1]);
	return H_SUCCESS;
}
