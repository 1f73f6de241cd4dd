// SPDX-License-Identifier: GPL-2.0-only
/* Print the tables of docs/HCALLS.md from hcall/hcalls.def, hcall/rtas.def, hcall/answers.def. */
#include <stdio.h>

#include "hcall/answers.h"
#include "hcall/hcall.h"
#include "hcall/positions.h"
#include "hcall/rtas.h"

static const char *const arg_names[] = {
	[ARG_NONE] = "",	   [ARG_FLAGS] = "flags",    [ARG_VALUE] = "value",
	[ARG_ADDRESS] = "address", [ARG_LENGTH] = "length",  [ARG_SERVER] = "server",
	[ARG_SOURCE] = "source",   [ARG_XIRR] = "xirr",	     [ARG_PRIORITY] = "priority",
	[ARG_UNIT] = "unit",	   [ARG_PTEX] = "pte index", [ARG_PTE] = "pte word",
	[ARG_AVPN] = "avpn",	   [ARG_TOKEN] = "token",
};

static const char *const servers[] = {
	[BY_KERNEL] = "KVM",
	[BY_MONITOR] = "monitor",
	[BY_EITHER] = "KVM where it can, else the monitor",
	[BY_NOBODY] = "nobody",
};

#define KVM_ANSWERS(call, ...)
#define RTAS_ANSWERS(handler, ...)
#define HCALL_ANSWERS(call, changed, failed, ...) [POSITION_##call] = #__VA_ARGS__,
static const char *const codes[HCALLS] = {
#include "hcall/answers.def"
};
#undef HCALL_ANSWERS
#undef KVM_ANSWERS

#define HCALL_ANSWERS(call, ...)
#define KVM_ANSWERS(call, ...) [POSITION_##call] = #__VA_ARGS__,
static const char *const kvm_codes[HCALLS] = {
#include "hcall/answers.def"
};
#undef KVM_ANSWERS
#undef RTAS_ANSWERS

#define KVM_ANSWERS(call, ...)
#define RTAS_ANSWERS(handler, ...) [POSITION_##handler] = {__VA_ARGS__},
static const int16_t statuses[SERVICES][CODES_MAX] = {
#include "hcall/answers.def"
};

static void print_answers(size_t n)
{
	if (!codes[n] && !kvm_codes[n])
		printf("H_FUNCTION always");
	if (codes[n])
		printf("%s", codes[n]);
	if (kvm_codes[n])
		printf("%s%s", codes[n] ? "; of KVM also " : "", kvm_codes[n]);
}

static void print_args(const uint8_t *args, size_t count)
{
	for (size_t i = 0; i < count && args[i]; i++)
		printf("%s%s", i ? ", " : "", arg_names[args[i]]);
}

int main(void)
{
	const struct rtas_service *service;
	const struct hcall *call;
	uint32_t token;

	puts("| number | hypercall | served by | arguments | answers besides H_SUCCESS |\n"
	     "|---|---|---|---|---|");
	for (size_t n = 0; (call = hcall_nth(n)); n++) {
		printf("| %#x | %s | %s | ", call->nr, call->name,
		       call->by == BY_MONITOR && !call->serve ? "nobody yet" : servers[call->by]);
		print_args(call->args, sizeof(call->args));
		printf(" | ");
		print_answers(n);
		puts(" |");
	}
	puts("\n| RTAS service | inputs, outputs | arguments | status besides 0 "
	     "|\n|---|---|---|---|");
	for (size_t n = 0; (service = rtas_nth(n, &token)); n++) {
		printf("| %s | %u, %u | ", service->name, service->nargs, service->nret);
		print_args(service->args, sizeof(service->args));
		printf(" | ");
		for (size_t i = 0; i < CODES_MAX && statuses[n][i]; i++)
			printf("%s%d", i ? ", " : "", statuses[n][i]);
		puts(" |");
	}
	return 0;
}
