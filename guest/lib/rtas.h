/* SPDX-License-Identifier: GPL-2.0-only */
/* RTAS, the platform's run-time services. */
#ifndef GUEST_RTAS_H
#define GUEST_RTAS_H

#include "types.h"

#define RTAS_MAX_ARGS 16

/* The argument block: big-endian cells below 4 GiB, results behind the arguments. */
struct rtas_args {
	be32_t token;
	be32_t nargs;
	be32_t nret;
	be32_t args[RTAS_MAX_ARGS];
};

#define RTAS_PARAM_ERROR  (-3)
#define RTAS_NO_SUCH_CALL (-1000) /* our own: the tree does not list it */

/* Find the way in. */
void rtas_init(void);

/* The token of the call @name, RTAS_NO_SUCH_CALL if the tree has none. */
int rtas_token(const char *name);

/*
 * Call @name with @nargs cells and @nret results, of which the first is the status
 * that is returned and the others go to @results.
 */
int rtas_call(const char *name, int nargs, int nret, u32 *results, ...);

/* The same call two ways: through the platform's entry point, and as a hypercall. */
void rtas_call_entry(struct rtas_args *args);
long rtas_call_direct(struct rtas_args *args);

/* call_checked() of a call through the entry point. */
u64 rtas_call_checked(struct rtas_args *args);

/* stop-self; returns only if that fails. */
void rtas_stop_self(void);

void rtas_power_off(void) __attribute__((noreturn));
void rtas_reboot(void) __attribute__((noreturn));

/* Tell the platform that this guest is finished, and why. */
void rtas_os_term(const char *why) __attribute__((noreturn));

struct rtas_time {
	u32 year, month, day, hour, minute, second, nanosecond;
};

/* Both give the RTAS status. */
int rtas_get_time(struct rtas_time *t);
int rtas_set_time(const struct rtas_time *t);

#endif
