// SPDX-License-Identifier: GPL-2.0-only
/* RTAS services of the platform as a whole: power, time, parameters, events. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hcall/papr.h"
#include "hcall/rtas.h"
#include "lib/util.h"

/* System parameters (PAPR 7.3.16). */
enum {
	SYSPARM_SPLPAR_CHARACTERISTICS = 20,
	SYSPARM_DIAGNOSTICS_RUN_MODE = 42,
	SYSPARM_UUID = 48,
};

int32_t rtas_power_off(struct hcpu *cpu, struct rtas_call *call)
{
	(void)call;
	cpu->machine->ops->stop(cpu->machine, STOP_POWER_OFF, "");
	return RTAS_SUCCESS;
}

int32_t rtas_system_reboot(struct hcpu *cpu, struct rtas_call *call)
{
	(void)call;
	cpu->machine->ops->stop(cpu->machine, STOP_REBOOT, "");
	return RTAS_SUCCESS;
}

/* input: address of a message that ends in NUL; what is longer than a line is cut. */
int32_t rtas_os_term(struct hcpu *cpu, struct rtas_call *call)
{
	struct machine *m = cpu->machine;
	char text[128] = "";
	size_t n;

	for (n = 0; n < sizeof(text) - 1; n++) {
		if (gmem_read(&m->mem, (uint64_t)call->args[0] + n, &text[n], 1) || !text[n])
			break;
		if (text[n] < 0x20 || text[n] > 0x7e)
			text[n] = '?';
	}
	text[n] = '\0';
	m->ops->stop(m, STOP_PANIC, text);
	return RTAS_SUCCESS;
}

int32_t rtas_get_time_of_day(struct hcpu *cpu, struct rtas_call *call)
{
	struct rtc_time now;

	rtc_get(&cpu->machine->rtc, &now);
	call->rets[1] = now.year;
	call->rets[2] = now.month;
	call->rets[3] = now.day;
	call->rets[4] = now.hour;
	call->rets[5] = now.minute;
	call->rets[6] = now.second;
	call->rets[7] = now.nanosecond;
	return RTAS_SUCCESS;
}

int32_t rtas_set_time_of_day(struct hcpu *cpu, struct rtas_call *call)
{
	struct rtc_time to = {
		.year = call->args[0],
		.month = call->args[1],
		.day = call->args[2],
		.hour = call->args[3],
		.minute = call->args[4],
		.second = call->args[5],
		.nanosecond = call->args[6],
	};

	return rtc_set(&cpu->machine->rtc, &to) ? RTAS_PARAM_ERROR : RTAS_SUCCESS;
}

/* input: a character for the operator panel; the console is ours. */
int32_t rtas_display_character(struct hcpu *cpu, struct rtas_call *call)
{
	uint8_t c = (uint8_t)call->args[0];

	/* A full console loses the character: the call has no code for "again". */
	vty_write(&cpu->machine->vty, &c, 1);
	return RTAS_SUCCESS;
}

/* Write a parameter's value behind its length, cut to what the buffer holds. */
static int32_t give_parameter(const struct gmem *mem, const struct rtas_call *call,
			      const void *value, uint16_t len)
{
	uint32_t buf = call->args[1], room = call->args[2];
	be16_t size = be16(len);

	if (room < sizeof(size) || !gmem_has(mem, buf, room))
		return RTAS_SYSPARM_PARAM_ERR;
	gmem_write(mem, buf, &size, sizeof(size));
	gmem_write(mem, (uint64_t)buf + sizeof(size), value, min_u64(len, room - sizeof(size)));
	return RTAS_SUCCESS;
}

/* inputs: parameter, buffer, its length */
int32_t rtas_get_system_parameter(struct hcpu *cpu, struct rtas_call *call)
{
	const struct machine *m = cpu->machine;
	uint8_t run_mode = 0; /* diagnostics disabled */
	char text[128];
	int n;

	switch (call->args[0]) {
	case SYSPARM_SPLPAR_CHARACTERISTICS:
		n = snprintf(text, sizeof(text),
			     "MaxEntMem=%llu,DesMem=%llu,DesProcs=%u,MaxPlatProcs=%u",
			     (unsigned long long)(m->mem.size >> 20),
			     (unsigned long long)(m->mem.size >> 20), m->nr_cpus, m->nr_cpus);
		return give_parameter(&m->mem, call, text, (uint16_t)(n + 1));
	case SYSPARM_DIAGNOSTICS_RUN_MODE:
		return give_parameter(&m->mem, call, &run_mode, sizeof(run_mode));
	case SYSPARM_UUID:
		return give_parameter(&m->mem, call, m->uuid, sizeof(m->uuid));
	default:
		return RTAS_NOT_SUPPORTED;
	}
}

/* No parameter that exists here can be changed by the guest. */
int32_t rtas_set_system_parameter(struct hcpu *cpu, struct rtas_call *call)
{
	(void)cpu;
	switch (call->args[0]) {
	case SYSPARM_SPLPAR_CHARACTERISTICS:
	case SYSPARM_DIAGNOSTICS_RUN_MODE:
	case SYSPARM_UUID:
		return RTAS_NOT_AUTHORIZED;
	default:
		return RTAS_NOT_SUPPORTED;
	}
}

/* Nothing here raises platform events. */
int32_t rtas_event_scan(struct hcpu *cpu, struct rtas_call *call)
{
	(void)cpu;
	(void)call;
	return RTAS_NO_ERRORS_FOUND;
}

int32_t rtas_check_exception(struct hcpu *cpu, struct rtas_call *call)
{
	(void)cpu;
	(void)call;
	return RTAS_NO_ERRORS_FOUND;
}
