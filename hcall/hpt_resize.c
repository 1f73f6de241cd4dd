// SPDX-License-Identifier: GPL-2.0-only
/*
 * H_RESIZE_HPT_PREPARE and H_RESIZE_HPT_COMMIT (LoPAR, "Hash Page Table resizing", Linux
 * arch/powerpc/platforms/pseries/lpar.c): KVM makes and fills the new table, whoever
 * serves the other calls.
 */
#include <errno.h>

#include "hcall/hcall.h"
#include "hcall/papr.h"

/* KVM's answer as PAPR's: a time to wait, or an error. */
static int64_t status(int ret)
{
	int64_t busy = H_LONG_BUSY;

	switch (ret) {
	case 0:
		return H_SUCCESS;
	case -EINVAL:
		return H_PARAMETER;
	case -ENXIO:
		return H_CLOSED;
	case -ENOSPC:
		return H_PTEG_FULL;
	case -EBUSY:
		return H_BUSY;
	case -ENOMEM:
		return H_NO_MEM;
	}
	if (ret < 0)
		return H_HARDWARE;
	for (int ms = 1; ms < ret && busy < H_LONG_BUSY + 5; ms *= 10)
		busy++;
	return busy;
}

/* args: flags, log2 of bytes; a guest may have a table of its own size and the next. */
static int64_t check(const struct hcpu *cpu, const uint64_t args[])
{
	const struct machine *m = cpu->machine;

	if (!m->hpt_order_max)
		return H_FUNCTION;
	if (args[0] || (args[1] && (args[1] < HPT_ORDER_MIN || args[1] > HPT_ORDER_MAX)))
		return H_PARAMETER;
	return args[1] > m->hpt_order_max ? H_RESOURCE : H_SUCCESS;
}

int64_t h_resize_hpt_prepare(struct hcpu *cpu, uint64_t args[])
{
	int64_t ret = check(cpu, args);

	return ret ? ret : status(cpu->machine->ops->hpt_prepare(cpu, (uint32_t)args[1]));
}

int64_t h_resize_hpt_commit(struct hcpu *cpu, uint64_t args[])
{
	int64_t ret = check(cpu, args);

	return ret ? ret : status(cpu->machine->ops->hpt_commit(cpu, (uint32_t)args[1]));
}
