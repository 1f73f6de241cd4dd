// SPDX-License-Identifier: GPL-2.0-only
/* RTAS services of interrupt sources (PAPR 7.3.10). */
#include "hcall/papr.h"
#include "hcall/rtas.h"

/* inputs: source, server, priority */
int32_t rtas_set_xive(struct hcpu *cpu, struct rtas_call *call)
{
	if (call->args[2] > XICS_MASKED || xics_set_xive(&cpu->machine->xics, call->args[0],
							 call->args[1], (uint8_t)call->args[2]))
		return RTAS_PARAM_ERROR;
	return RTAS_SUCCESS;
}

/* input: source; outputs: server, priority */
int32_t rtas_get_xive(struct hcpu *cpu, struct rtas_call *call)
{
	uint8_t priority;

	if (xics_get_xive(&cpu->machine->xics, call->args[0], &call->rets[1], &priority))
		return RTAS_PARAM_ERROR;
	call->rets[2] = priority;
	return RTAS_SUCCESS;
}

/* input: source */
int32_t rtas_int_on(struct hcpu *cpu, struct rtas_call *call)
{
	return xics_int_on(&cpu->machine->xics, call->args[0]) ? RTAS_PARAM_ERROR : RTAS_SUCCESS;
}

/* input: source */
int32_t rtas_int_off(struct hcpu *cpu, struct rtas_call *call)
{
	return xics_int_off(&cpu->machine->xics, call->args[0]) ? RTAS_PARAM_ERROR : RTAS_SUCCESS;
}
