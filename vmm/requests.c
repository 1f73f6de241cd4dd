// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hcall/hcall.h"
#include "lib/util.h"
#include "vmm/control_wire.h"
#include "vmm/hpt_check.h"
#include "vmm/irqchip_state.h"
#include "vmm/translate.h"
#include "vmm/vm_internal.h"

/*
 * Each is called with all processors parked, and prints to @to. 0, -EILSEQ for an answer
 * that says that things differ, or negative errno with @why set.
 */
typedef int request_fn(struct vm *vm, const char *body, FILE *to, struct why *why);

static int print_irqchip(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	(void)body;
	return irqchip_print(vm, false, to, why);
}

static int print_irqchip_json(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	(void)body;
	return irqchip_print(vm, true, to, why);
}

static int load_irqchip(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	(void)to;
	return irqchip_load(vm, body, why);
}

/* Hypercalls that came here, of all processors. */
static int print_calls(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	const struct hcall *call;

	(void)body;
	(void)why;
	for (size_t n = 0; (call = hcall_nth(n)); n++) {
		uint64_t sum = 0;

		for (uint32_t i = 0; i < vm->nr_vcpus; i++)
			sum += vm->vcpus[i].cpu.calls[n];
		if (sum)
			fprintf(to, "%s %llu\n", call->name, (unsigned long long)sum);
	}
	return 0;
}

static int check_hpt(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	uint64_t differences;
	int err = hpt_check(vm, to, &differences, why);

	(void)body;
	return err ? err : differences ? -EILSEQ : 0;
}

/* @body: processor, effective address */
static int translate(struct vm *vm, const char *body, FILE *to, struct why *why)
{
	char *at, *after;
	unsigned long server = strtoul(body, &at, 10);
	unsigned long long ea = strtoull(at, &after, 16);

	if (at == body || after == at || server > UINT32_MAX)
		return why_set(why, -EINVAL, "'%.40s' is not a processor and an address", body);
	return translate_print(vm, (uint32_t)server, ea, to, why);
}

/* What can be asked: a line; what follows it is the body. */
static const struct {
	const char *line;
	request_fn *serve;
} requests[] = {
	{"irqchip text\n", print_irqchip},
	{"irqchip json\n", print_irqchip_json},
	{"irqchip load\n", load_irqchip},
	{"calls\n", print_calls},
	{"hpt\n", check_hpt},
	{"translate\n", translate},
};

static int serve(struct vm *vm, const char *request, FILE *to, struct why *why)
{
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		const char *line = requests[i].line;
		int err;

		if (strncmp(request, line, strlen(line)))
			continue;
		vm_exclusive_begin(vm, NULL);
		err = requests[i].serve(vm, request + strlen(line), to, why);
		vm_exclusive_end(vm, NULL);
		return err;
	}
	return why_set(why, -EINVAL, "unknown request '%.*s'", (int)strcspn(request, "\n"),
		       request);
}

/* Room for the header, which needs the length, and for how it went. */
static FILE *begin(char **answer, size_t *len)
{
	FILE *to = open_memstream(answer, len);

	if (to)
		fprintf(to, "%*s%s", CONTROL_HEADER, "", CONTROL_PASSED);
	return to;
}

static int end(FILE *to, const char *verdict, char **answer, const size_t *len)
{
	char header[CONTROL_HEADER + 1];

	if (fclose(to)) {
		free(*answer);
		return -ENOMEM;
	}
	control_put_header(header, *len - CONTROL_HEADER);
	memcpy(*answer, header, CONTROL_HEADER);
	memcpy(*answer + CONTROL_HEADER, verdict, strlen(verdict));
	return 0;
}

int request_fail(const char *why, char **answer, size_t *len)
{
	FILE *to = begin(answer, len);

	if (!to)
		return -ENOMEM;
	fprintf(to, "%s\n", why);
	return end(to, CONTROL_FAILED, answer, len);
}

int request_serve(struct vm *vm, const char *request, char **answer, size_t *len)
{
	FILE *to = begin(answer, len);
	struct why why;
	int err;

	if (!to)
		return -ENOMEM;
	err = serve(vm, request, to, &why);
	if (!err || err == -EILSEQ)
		return end(to, err ? CONTROL_DIFFER : CONTROL_PASSED, answer, len);
	fclose(to); /* what was printed before it failed */
	free(*answer);
	return request_fail(why.text, answer, len);
}
