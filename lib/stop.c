// SPDX-License-Identifier: GPL-2.0-only
#include "lib/stop.h"

static const struct {
	int code;
	const char *name;
} stops[] = {
	[STOP_NONE] = {0, "running"},
	[STOP_POWER_OFF] = {0, "guest powered off"},
	[STOP_REBOOT] = {10, "guest asked for reboot"},
	[STOP_PANIC] = {11, "guest panicked"},
	[STOP_OUTSIDE] = {12, "stopped from outside"},
	[STOP_GUEST] = {13, "guest cannot go on"},
	[STOP_SANDBOX] = {14, "sandbox violation"},
	[STOP_HOST] = {EXIT_FAILED, "host or monitor failed"},
};

int stop_exit_code(enum stop_reason reason)
{
	return stops[reason].code;
}

const char *stop_name(enum stop_reason reason)
{
	return stops[reason].name;
}
