// SPDX-License-Identifier: GPL-2.0-only
/*
 * RTAS.
 *
 * LOCKING: `lock` is held over every call but stop-self and those that end the
 * guest: the PAPR has the operating system serialize RTAS, with that exception
 * (7.2.8: stop-self does not return, so it could never give a lock back).
 */
#include "rtas.h"
#include "console.h"
#include "cpu.h"
#include "dt.h"
#include "hcall.h"

static spinlock_t lock;
static u64 entry;

void rtas_enter(struct rtas_args *args, u64 entry);
void rtas_own(void);

void rtas_init(void)
{
	/* Without firmware QEMU offers H_RTAS only: then our own code goes in its place. */
	entry = dt_u32(dt_find("/rtas"), "linux,rtas-entry", (u32)(u64)rtas_own);
}

int rtas_token(const char *name)
{
	return (int)dt_u32(dt_find("/rtas"), name, (u32)RTAS_NO_SUCH_CALL);
}

void rtas_call_entry(struct rtas_args *args)
{
	rtas_enter(args, entry);
}

long rtas_call_direct(struct rtas_args *args)
{
	return hcall(H_RTAS, (u64)args);
}

u64 rtas_call_checked(struct rtas_args *args)
{
	struct hcall h = {{(u64)args, entry}};

	return call_checked((void (*)(void))rtas_enter, &h);
}

int rtas_call(const char *name, int nargs, int nret, u32 *results, ...)
{
	int i, status, token = rtas_token(name);
	struct rtas_args args = {
		.token = be32((u32)token),
		.nargs = be32((u32)nargs),
		.nret = be32((u32)nret),
	};
	va_list ap;

	if (token == RTAS_NO_SUCH_CALL || nargs + nret > RTAS_MAX_ARGS)
		return RTAS_NO_SUCH_CALL;
	va_start(ap, results);
	for (i = 0; i < nargs; i++)
		args.args[i] = be32(va_arg(ap, u32));
	va_end(ap);

	spin_lock(&lock);
	rtas_call_entry(&args);
	spin_unlock(&lock);

	status = nret ? (int)be32_get(args.args[nargs]) : 0;
	for (i = 1; results && i < nret; i++)
		results[i - 1] = be32_get(args.args[nargs + i]);
	return status;
}

/* A call that should not come back, and therefore must not hold the lock. */
static void last_call(const char *name, u32 nargs, u32 arg)
{
	struct rtas_args args = {
		.token = be32((u32)rtas_token(name)),
		.nargs = be32(nargs),
		.nret = be32(1),
		.args = {be32(arg)},
	};

	rtas_call_entry(&args);
}

void rtas_stop_self(void)
{
	last_call("stop-self", 0, 0);
}

static void hang(const char *why) __attribute__((noreturn));
static void hang(const char *why)
{
	printf("guest: %s came back; hanging\n", why);
	irq_off();
	for (;;)
		;
}

void rtas_power_off(void)
{
	/* Two cells of power-on mask: none */
	last_call("power-off", 2, 0);
	hang("power-off");
}

void rtas_reboot(void)
{
	last_call("system-reboot", 0, 0);
	hang("system-reboot");
}

void rtas_os_term(const char *why)
{
	last_call("ibm,os-term", 1, (u32)(u64)why);
	hang("ibm,os-term");
}

int rtas_get_time(struct rtas_time *t)
{
	return rtas_call("get-time-of-day", 0, 8, &t->year);
}

int rtas_set_time(const struct rtas_time *t)
{
	return rtas_call("set-time-of-day", 7, 1, NULL, t->year, t->month, t->day, t->hour,
			 t->minute, t->second, t->nanosecond);
}
