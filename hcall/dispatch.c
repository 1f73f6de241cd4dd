// SPDX-License-Identifier: GPL-2.0-only
#include "hcall/hcall.h"

#include <stdio.h>
#include <string.h>

#include "hcall/papr.h"
#include "hcall/positions.h"
#include "lib/util.h"

/* Numbers are multiples of 4 below HCALL_END, or platform specific from HCALL_PLATFORM. */
#define HCALL_END	   0x500
#define HCALL_PLATFORM	   0xf000
#define HCALL_PLATFORM_END 0xf100

#define HCALL(number, call, who, handler, ...)                                                     \
	{.name = #call, .serve = (handler), .nr = (number), .by = (who), .args = {__VA_ARGS__}},
static const struct hcall hcalls[] = {
#include "hcall/hcalls.def"
};
#undef HCALL

/* Position in the table plus one, by number; 0 is an unknown call. */
#define HCALL(number, call, ...)                                                                   \
	[(number) < HCALL_END ? (number) / 4 : HCALL_END / 4 + ((number)-HCALL_PLATFORM)] =        \
		POSITION_##call + 1,
static const uint8_t position[HCALL_END / 4 + HCALL_PLATFORM_END - HCALL_PLATFORM] = {
#include "hcall/hcalls.def"
};
#undef HCALL

_Static_assert(ARRAY_SIZE(hcalls) <= HCALLS_MAX, "struct hcpu counts them all");

const struct hcall *hcall_find(uint64_t nr)
{
	uint64_t slot;

	if (nr < HCALL_END && nr % 4 == 0)
		slot = nr / 4;
	else if (nr >= HCALL_PLATFORM && nr < HCALL_PLATFORM_END)
		slot = HCALL_END / 4 + (nr - HCALL_PLATFORM);
	else
		return NULL;
	return position[slot] ? &hcalls[position[slot] - 1] : NULL;
}

const struct hcall *hcall_nth(size_t n)
{
	return n < ARRAY_SIZE(hcalls) ? &hcalls[n] : NULL;
}

/* Only this thread counts; others read. */
static void count(struct hcpu *cpu, const struct hcall *call)
{
	_Atomic uint64_t *n = &cpu->calls[call - hcalls];

	atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

/* The arguments that the call has, the answer, and the registers that it changed. */
static void trace_call(const struct hcpu *cpu, uint64_t nr, const struct hcall *call,
		       const uint64_t in[HCALL_ARGS], const uint64_t out[HCALL_ARGS], int64_t ret)
{
	char args[HCALL_ARGS * 20 + 1] = "", answers[HCALL_ARGS * 24 + 1] = "";
	size_t at = 0;

	for (size_t i = 0; call ? i < ARRAY_SIZE(call->args) && call->args[i] : i < 4; i++)
		at += (size_t)sprintf(args + at, "%s%#llx", i ? ", " : "",
				      (unsigned long long)in[i]);
	at = 0;
	for (size_t i = 0; i < HCALL_ARGS; i++)
		if (in[i] != out[i])
			at += (size_t)sprintf(answers + at, "%sr%zu %#llx", at ? ", " : " [", i + 4,
					      (unsigned long long)out[i]);
	trace_line(cpu->machine->trace, "cpu %u hcall %#llx %s(%s) = %lld%s%s", cpu->server,
		   (unsigned long long)nr, call ? call->name : "unknown", args, (long long)ret,
		   answers, at ? "]" : "");
}

static __attribute__((noinline)) int64_t dispatch_traced(struct hcpu *cpu, uint64_t nr,
							 uint64_t args[HCALL_ARGS])
{
	const struct hcall *call = hcall_find(nr);
	uint64_t in[HCALL_ARGS];
	int64_t ret;

	memcpy(in, args, sizeof(in));
	if (call)
		count(cpu, call);
	ret = call && call->serve ? call->serve(cpu, args) : H_FUNCTION;
	if (trace_wants(cpu->machine->trace, TRACE_HCALL))
		trace_call(cpu, nr, call, in, args, ret);
	return ret;
}

int64_t hcall_dispatch(struct hcpu *cpu, uint64_t nr, uint64_t args[HCALL_ARGS])
{
	const struct hcall *call;

	if (unlikely(cpu->machine->trace))
		return dispatch_traced(cpu, nr, args);
	call = hcall_find(nr);
	if (unlikely(!call))
		return H_FUNCTION;
	count(cpu, call);
	return likely(call->serve != NULL) ? call->serve(cpu, args) : H_FUNCTION;
}
