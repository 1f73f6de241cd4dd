// SPDX-License-Identifier: GPL-2.0-only
/* RTAS services that start and stop processors (PAPR 7.3.8). */
#include <errno.h>

#include "hcall/papr.h"
#include "hcall/rtas.h"

enum { CPU_STATE_STOPPED = 0, CPU_STATE_NOT_STOPPED = 2 };

/* inputs: server, real address of the first instruction, r3 */
int32_t rtas_start_cpu(struct hcpu *cpu, struct rtas_call *call)
{
	struct machine *m = cpu->machine;
	uint32_t entry = call->args[1];

	if (entry % 4 || !gmem_has(&m->mem, entry, 4))
		return RTAS_PARAM_ERROR;
	switch (m->ops->cpu_start(m, call->args[0], entry, call->args[2])) {
	case 0:
		return RTAS_SUCCESS;
	case -EBUSY:
		return RTAS_CPU_STATE_INVALID;
	case -ESRCH:
		return RTAS_PARAM_ERROR;
	default:
		return RTAS_HARDWARE_ERROR;
	}
}

int32_t rtas_stop_self(struct hcpu *cpu, struct rtas_call *call)
{
	(void)call;
	cpu->machine->ops->cpu_stop_self(cpu);
	return RTAS_SUCCESS;
}

/* input: server; output: its state */
int32_t rtas_query_cpu_stopped_state(struct hcpu *cpu, struct rtas_call *call)
{
	int stopped = cpu->machine->ops->cpu_stopped(cpu->machine, call->args[0]);

	if (stopped < 0)
		return RTAS_PARAM_ERROR;
	call->rets[1] = stopped ? CPU_STATE_STOPPED : CPU_STATE_NOT_STOPPED;
	return RTAS_SUCCESS;
}
