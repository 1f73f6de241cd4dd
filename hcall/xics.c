// SPDX-License-Identifier: GPL-2.0-only
/* Interrupt hypercalls (PAPR 14.5.4.9 "Interrupt Support hcall()s"). */
#include "hcall/hcall.h"
#include "hcall/papr.h"

#ifndef __powerpc__
#include <time.h>
#endif

/* The timebase as the guest reads it: its offset to the host's is zero. */
static uint64_t timebase(void)
{
#ifdef __powerpc__
	return __builtin_ppc_get_timebase();
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 512000000 + (uint64_t)now.tv_nsec * 512 / 1000;
#endif
}

static int64_t status(int err)
{
	return err ? H_PARAMETER : H_SUCCESS;
}

int64_t h_xirr(struct hcpu *cpu, uint64_t args[])
{
	uint32_t xirr = 0;
	int err = xics_accept(&cpu->machine->xics, cpu->server, &xirr);

	args[0] = xirr;
	return status(err);
}

/* H_XIRR, and when the interrupt was accepted. */
int64_t h_xirr_x(struct hcpu *cpu, uint64_t args[])
{
	int64_t ret = h_xirr(cpu, args);

	args[1] = timebase();
	return ret;
}

int64_t h_cppr(struct hcpu *cpu, uint64_t args[])
{
	return status(xics_set_cppr(&cpu->machine->xics, cpu->server, (uint8_t)args[0]));
}

int64_t h_eoi(struct hcpu *cpu, uint64_t args[])
{
	return status(xics_eoi(&cpu->machine->xics, cpu->server, (uint32_t)args[0]));
}

int64_t h_ipi(struct hcpu *cpu, uint64_t args[])
{
	if (args[0] > UINT32_MAX)
		return H_PARAMETER;
	return status(
		xics_ipi(&cpu->machine->xics, cpu->server, (uint32_t)args[0], (uint8_t)args[1]));
}

int64_t h_ipoll(struct hcpu *cpu, uint64_t args[])
{
	uint32_t xirr;
	uint8_t mfrr;

	if (args[0] > UINT32_MAX ||
	    xics_ipoll(&cpu->machine->xics, (uint32_t)args[0], &xirr, &mfrr))
		return H_PARAMETER;
	args[0] = xirr;
	args[1] = mfrr;
	return H_SUCCESS;
}
