/* SPDX-License-Identifier: GPL-2.0-only */
/* Run-time abstraction services (PAPR 7): one table, one way in. */
#ifndef HCALL_RTAS_H
#define HCALL_RTAS_H

#include <stddef.h>
#include <stdint.h>

#include "hcall/machine.h"

/* Inputs and outputs of one call together, as its argument block holds them. */
#define RTAS_WORDS 16

struct rtas_call {
	uint32_t token, nargs, nret;
	uint32_t args[RTAS_WORDS];
	uint32_t rets[RTAS_WORDS]; /* rets[0] is the status; what nret cuts off is dropped */
};

/* Serve one call: fill in rets past the status, and return the status. */
typedef int32_t rtas_fn(struct hcpu *cpu, struct rtas_call *call);

struct rtas_service {
	const char *name; /* also the property of /rtas that holds the token */
	rtas_fn *serve;
	uint8_t nargs, nret; /* the least that a caller must give */
	uint8_t args[8];     /* enum hcall_arg */
};

/* Every service with its token, in the order of the table; NULL past the last. */
const struct rtas_service *rtas_nth(size_t n, uint32_t *token);

/* Handlers, by file: rtas_cpu.c, rtas_system.c, rtas_xics.c. */
rtas_fn rtas_start_cpu, rtas_stop_self, rtas_query_cpu_stopped_state;
rtas_fn rtas_power_off, rtas_system_reboot, rtas_os_term;
rtas_fn rtas_get_time_of_day, rtas_set_time_of_day, rtas_display_character;
rtas_fn rtas_get_system_parameter, rtas_set_system_parameter;
rtas_fn rtas_event_scan, rtas_check_exception;
rtas_fn rtas_set_xive, rtas_get_xive, rtas_int_on, rtas_int_off;

#endif
