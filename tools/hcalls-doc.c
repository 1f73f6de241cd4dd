// SPDX-License-Identifier: GPL-2.0-only
/* Print the tables of docs/HCALLS.md from hcall/hcalls.def and hcall/rtas.def. */
#include <stdio.h>

#include "hcall/hcall.h"
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

	puts("| number | hypercall | served by | arguments |\n|---|---|---|---|");
	for (size_t n = 0; (call = hcall_nth(n)); n++) {
		printf("| %#x | %s | %s | ", call->nr, call->name,
		       call->by == BY_MONITOR && !call->serve ? "nobody yet" : servers[call->by]);
		print_args(call->args, sizeof(call->args));
		puts(" |");
	}
	puts("\n| RTAS service | inputs, outputs | arguments |\n|---|---|---|");
	for (size_t n = 0; (service = rtas_nth(n, &token)); n++) {
		printf("| %s | %u, %u | ", service->name, service->nargs, service->nret);
		print_args(service->args, sizeof(service->args));
		puts(" |");
	}
	return 0;
}
