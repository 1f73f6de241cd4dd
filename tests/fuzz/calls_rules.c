// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/calls_rules.h"

#include <string.h>

#include "hcall/answers.h"
#include "hcall/positions.h"

static const struct rule {
	bool given;
	uint8_t answers, when_failed; /* registers from r4 on that it changes */
	int16_t codes[CODES_MAX];
} rules[HCALLS] = {
#define KVM_ANSWERS(...)
#define RTAS_ANSWERS(...)
#define HCALL_ANSWERS(call, changed, failed, ...)                                                  \
	[POSITION_##call] = {true, changed, failed, {__VA_ARGS__}},
#include "hcall/answers.def"
#undef HCALL_ANSWERS
#undef RTAS_ANSWERS
};

static const int16_t statuses[SERVICES][CODES_MAX] = {
#define HCALL_ANSWERS(...)
#define RTAS_ANSWERS(handler, ...) [POSITION_##handler] = {__VA_ARGS__},
#include "hcall/answers.def"
};

/* By number; NULL for a call that nobody serves here. */
static const struct rule *find(uint64_t nr)
{
	const struct hcall *call = hcall_find(nr);
	const struct rule *rule;

	if (!call || !call->serve)
		return NULL;
	rule = &rules[call - hcall_nth(0)];
	return rule->given ? rule : NULL;
}

const char *rules_hcall(uint64_t nr, int64_t ret, const uint64_t in[HCALL_ARGS],
			const uint64_t out[HCALL_ARGS])
{
	const struct rule *rule = find(nr);
	const struct hcall *call = hcall_find(nr);
	size_t answers = 0;

	if (!rule && call && call->serve)
		return "a call has no line in hcall/answers.def";
	if (!rule && ret != H_FUNCTION)
		return "a call that nobody serves is served";
	if (rule && !codes_have(rule->codes, ret))
		return "a call gives a code that is not one of its own";
	if (rule)
		answers = ret == H_SUCCESS ? rule->answers : rule->when_failed;
	return memcmp(in + answers, out + answers, (HCALL_ARGS - answers) * sizeof(in[0]))
		       ? "a call changes a register that has no answer"
		       : NULL;
}

const char *rules_rtas(const struct rtas_service *service, int32_t status)
{
	uint32_t token;

	if (!service)
		return status == RTAS_PARAM_ERROR ? NULL : "an RTAS service that is none is served";
	return codes_have(statuses[service - rtas_nth(0, &token)], status)
		       ? NULL
		       : "an RTAS status is not one of its own";
}
