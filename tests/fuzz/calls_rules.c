// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/calls_rules.h"

#include <string.h>

#include "hcall/papr.h"
#include "lib/util.h"

#define CODES_MAX 10
#define END	  INT32_MAX

#define TABLE_CODES H_PARAMETER, H_NOT_FOUND, H_HARDWARE, H_FUNCTION
/* The host's answers come through. */
#define RESIZE_CODES                                                                               \
	H_PARAMETER, H_FUNCTION, H_RESOURCE, H_BUSY, H_CLOSED, H_PTEG_FULL, H_NO_MEM, H_HARDWARE,  \
		H_LONG_BUSY

/* Codes besides H_SUCCESS; registers from r4 on that it changes, and when it fails. */
static const struct rule {
	const char *name;
	uint8_t answers, when_failed;
	int32_t codes[CODES_MAX];
} rules[] = {
	{"H_REMOVE", 2, 0, {TABLE_CODES, END}},
	{"H_ENTER", 1, 0, {TABLE_CODES, H_PTEG_FULL, END}},
	{"H_READ", 8, 0, {TABLE_CODES, END}},
	{"H_CLEAR_MOD", 1, 0, {TABLE_CODES, END}},
	{"H_CLEAR_REF", 1, 0, {TABLE_CODES, END}},
	{"H_PROTECT", 0, 0, {TABLE_CODES, END}},
	{"H_BULK_REMOVE", 8, 8, {TABLE_CODES, END}},
	{"H_LOGICAL_CI_LOAD", 1, 0, {H_PARAMETER, END}},
	{"H_LOGICAL_CI_STORE", 0, 0, {H_PARAMETER, END}},
	{"H_LOGICAL_CACHE_LOAD", 1, 0, {H_PARAMETER, END}},
	{"H_LOGICAL_CACHE_STORE", 0, 0, {H_PARAMETER, END}},
	{"H_LOGICAL_ICBI", 0, 0, {H_PARAMETER, END}},
	{"H_LOGICAL_DCBF", 0, 0, {H_PARAMETER, END}},
	{"H_LOGICAL_MEMOP", 0, 0, {H_PARAMETER, END}},
	{"H_GET_TERM_CHAR", 3, 0, {H_PARAMETER, END}},
	{"H_PUT_TERM_CHAR", 0, 0, {H_PARAMETER, H_BUSY, END}},
	{"H_EOI", 0, 0, {H_PARAMETER, END}},
	{"H_CPPR", 0, 0, {END}},
	{"H_IPI", 0, 0, {H_PARAMETER, END}},
	{"H_IPOLL", 2, 0, {H_PARAMETER, END}},
	{"H_XIRR", 1, 0, {END}},
	{"H_XIRR_X", 2, 0, {END}},
	{"H_GET_CPU_CHARACTERISTICS", 2, 0, {END}},
	{"H_HOME_NODE_ASSOCIATIVITY", 6, 0, {H_PARAMETER, H_P2, END}},
	{"H_RANDOM", 1, 0, {H_HARDWARE, END}},
	{"H_SET_MODE", 0, 0, {H_P2, H_P3, H_P4, H_UNSUPPORTED_FLAG, H_HARDWARE, END}},
	{"H_RESIZE_HPT_PREPARE", 0, 0, {RESIZE_CODES, END}},
	{"H_RESIZE_HPT_COMMIT", 0, 0, {RESIZE_CODES, END}},
	{"H_REGISTER_PROC_TBL", 0, 0, {H_PARAMETER, H_P2, H_P3, H_P4, END}},
	{"H_SIGNAL_SYS_RESET", 0, 0, {H_PARAMETER, END}},
	{"H_RTAS", 0, 0, {H_PARAMETER, END}},
};

static const struct rtas_rule {
	const char *name;
	int32_t codes[CODES_MAX];
} rtas_rules[] = {
	{"start-cpu", {RTAS_PARAM_ERROR, RTAS_CPU_STATE_INVALID, RTAS_HARDWARE_ERROR, END}},
	{"ibm,get-system-parameter", {RTAS_NOT_SUPPORTED, RTAS_SYSPARM_PARAM_ERR, END}},
	{"ibm,set-system-parameter", {RTAS_NOT_SUPPORTED, RTAS_NOT_AUTHORIZED, END}},
	{"event-scan", {RTAS_PARAM_ERROR, RTAS_NO_ERRORS_FOUND, END}},
	{"check-exception", {RTAS_PARAM_ERROR, RTAS_NO_ERRORS_FOUND, END}},
	/* The others. */
	{"", {RTAS_PARAM_ERROR, END}},
};

static bool has(const int32_t codes[], int64_t code)
{
	/* Of H_LONG_BUSY there are six. */
	if (code > H_LONG_BUSY && code <= H_LONG_BUSY + 5)
		code = H_LONG_BUSY;
	for (size_t i = 0; codes[i] != END; i++)
		if (codes[i] == code)
			return true;
	return code == 0;
}

/* By number; NULL for a call that nobody serves here. */
static const struct rule *find(uint64_t nr)
{
	static const struct rule *found[HCALLS_MAX];
	const struct hcall *call = hcall_find(nr), *first = hcall_nth(0);
	const struct rule **rule;

	if (!call || !call->serve)
		return NULL;
	rule = &found[call - first];
	for (size_t i = 0; !*rule && i < ARRAY_SIZE(rules); i++)
		if (!strcmp(rules[i].name, call->name))
			*rule = &rules[i];
	return *rule;
}

const char *rules_hcall(uint64_t nr, int64_t ret, const uint64_t in[HCALL_ARGS],
			const uint64_t out[HCALL_ARGS])
{
	const struct rule *rule = find(nr);
	const struct hcall *call = hcall_find(nr);
	size_t answers = 0;

	if (!rule && call && call->serve)
		return "a call has no rule (calls_rules.c)";
	if (!rule && ret != H_FUNCTION)
		return "a call that nobody serves is served";
	if (rule && !has(rule->codes, ret))
		return "a call gives a code that is not one of its own";
	if (rule)
		answers = ret == H_SUCCESS ? rule->answers : rule->when_failed;
	return memcmp(in + answers, out + answers, (HCALL_ARGS - answers) * sizeof(in[0]))
		       ? "a call changes a register that has no answer"
		       : NULL;
}

const char *rules_rtas(const struct rtas_service *service, int32_t status)
{
	size_t i = 0;

	while (service && rtas_rules[i].name[0] && strcmp(rtas_rules[i].name, service->name))
		i++;
	if (!service)
		return status == RTAS_PARAM_ERROR ? NULL : "an RTAS service that is none is served";
	return has(rtas_rules[i].codes, status) ? NULL : "an RTAS status is not one of its own";
}
