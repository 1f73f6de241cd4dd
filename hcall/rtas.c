// SPDX-License-Identifier: GPL-2.0-only
/*
 * H_RTAS: r4 is the real address of the argument block, big-endian words: token,
 * number of inputs, number of outputs, inputs, outputs; the first output is the
 * status (PAPR 7.2.7).
 */
#include "hcall/rtas.h"

#include "hcall/hcall.h"
#include "hcall/papr.h"
#include "lib/util.h"

#define RTAS_TOKEN_BASE 0x2000 /* any value does: the guest reads tokens from /rtas */
#define RTAS_HEADER	12     /* bytes before the inputs */

#define RTAS(service, handler, inputs, outputs, ...)                                               \
	{.name = (service),                                                                        \
	 .serve = (handler),                                                                       \
	 .nargs = (inputs),                                                                        \
	 .nret = (outputs),                                                                        \
	 .args = {__VA_ARGS__}},
static const struct rtas_service services[] = {
#include "hcall/rtas.def"
};
#undef RTAS

const struct rtas_service *rtas_nth(size_t n, uint32_t *token)
{
	if (n >= ARRAY_SIZE(services))
		return NULL;
	*token = RTAS_TOKEN_BASE + (uint32_t)n;
	return &services[n];
}

static const struct rtas_service *find_service(uint32_t token)
{
	uint32_t n = token - RTAS_TOKEN_BASE;

	return n < ARRAY_SIZE(services) ? &services[n] : NULL;
}

/* Copy the block in. False if it is not all memory, or its counts are too large. */
static bool read_call(const struct gmem *mem, uint64_t addr, struct rtas_call *call)
{
	be32_t header[3], args[RTAS_WORDS];

	if (gmem_read(mem, addr, header, RTAS_HEADER))
		return false;
	*call = (struct rtas_call){
		.token = be32_get(header[0]),
		.nargs = be32_get(header[1]),
		.nret = be32_get(header[2]),
	};
	if (call->nargs > RTAS_WORDS || call->nret > RTAS_WORDS - call->nargs)
		return false;
	if (!gmem_has(mem, addr, RTAS_HEADER + 4ull * (call->nargs + call->nret)))
		return false;
	if (gmem_read(mem, addr + RTAS_HEADER, args, 4ull * call->nargs))
		return false;
	for (uint32_t i = 0; i < call->nargs; i++)
		call->args[i] = be32_get(args[i]);
	return true;
}

static void write_rets(const struct gmem *mem, uint64_t addr, const struct rtas_call *call)
{
	uint64_t at = addr + RTAS_HEADER + 4ull * call->nargs;

	for (uint32_t i = 0; i < call->nret; i++)
		gmem_write_be32(mem, at + 4ull * i, call->rets[i]);
}

static void trace_call(struct hcpu *cpu, const struct rtas_service *service,
		       const struct rtas_call *call)
{
	if (!trace_wants(cpu->machine->trace, TRACE_RTAS))
		return;
	trace_line(cpu->machine->trace,
		   "cpu %u rtas %#x %s(%#x, %#x, %#x) nargs %u nret %u = %d [%#x %#x]", cpu->server,
		   call->token, service ? service->name : "unknown", call->args[0], call->args[1],
		   call->args[2], call->nargs, call->nret, (int32_t)call->rets[0], call->rets[1],
		   call->rets[2]);
}

int64_t h_rtas(struct hcpu *cpu, uint64_t args[])
{
	const struct gmem *mem = &cpu->machine->mem;
	const struct rtas_service *service;
	struct rtas_call call;
	int32_t status = RTAS_PARAM_ERROR;

	if (!read_call(mem, args[0], &call))
		return H_PARAMETER;
	service = find_service(call.token);
	if (service && call.nargs >= service->nargs && call.nret >= service->nret)
		status = service->serve(cpu, &call);
	call.rets[0] = (uint32_t)status;
	write_rets(mem, args[0], &call);
	trace_call(cpu, service, &call);
	return H_SUCCESS;
}
