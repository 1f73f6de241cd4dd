// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread may be stopped before each access (xics_step), nowhere else, so what is in
 * between counts as one. A thread that finds a lock taken stays out until a lock is
 * given back. Each schedule is the list of choices where there were several; the next
 * is the same list with its last choice that has more to offer moved on.
 */
#define XICS_CHECK 1 /* as the Makefile says; here for whoever reads only this file */
#define XICS_STEPS 1
#include "tests/interleave/sched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "devices/xics/internal.h"
#include "tests/interleave/world.h"

#define MAIN	  THREADS /* what is no thread: setup, and the end of each schedule */
#define STEPS_MAX 1000	  /* a schedule that has more does not end */
#define STACK	  65536

static struct thread {
	jmp_buf env;
	ucontext_t context;
	struct xics_source *held; /* the model's own check is a variable a thread */
	uint32_t blocked;	  /* locks that were taken when it had to wait */
	bool done, fresh;	  /* fresh: just chosen, nothing done since */
	_Alignas(16) char stack[STACK];
} threads[THREADS + 1];

static const struct scenario *scenario;
static struct outcome *result;
static int running = MAIN, preempted;
static struct choice {
	uint8_t options, taken;
} path[STEPS_MAX];
static int depth, length; /* choices made in this schedule; known */
static char trace[STEPS_MAX + 1];
static int steps;

int running_server(int otherwise)
{
	return running == MAIN ? otherwise : scenario->threads[running].server;
}

/* The jumps stay within one kernel thread, and cost no system call. */
static void switch_to(int next)
{
	struct thread *from = &threads[running], *to = &threads[next];

	if (from == to)
		return;
	from->held = xics_held;
	if (_setjmp(from->env))
		return;
	running = next;
	xics_held = to->held;
	_longjmp(to->env, 1);
}

/* The schedule as "0*12 1*3 0": so many steps of each thread in turn. */
static void print_schedule(char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (int i = 0, n; i < steps && used + 16 < size; i += n) {
		for (n = 1; i + n < steps && trace[i + n] == trace[i]; n++)
			;
		used += (size_t)snprintf(buf + used, size - used, " %c*%d", trace[i], n);
	}
}

void fault(const char *fmt, ...)
{
	va_list ap;
	size_t used;

	if (!result->fault[0]) {
		va_start(ap, fmt);
		vsnprintf(result->fault, 300, fmt, ap);
		va_end(ap);
		used = strlen(result->fault);
		used += (size_t)snprintf(result->fault + used, 20, "; schedule");
		print_schedule(result->fault + used, sizeof(result->fault) - used);
	}
	switch_to(MAIN);
}

static bool is_runnable(int t)
{
	uint32_t locked;

	if (t == MAIN || threads[t].done)
		return false;
	if (threads[t].blocked) {
		locked = world_locks();
		if ((locked & threads[t].blocked) == threads[t].blocked)
			return false;
		threads[t].blocked = 0;
	}
	return true;
}

/* The thread that goes on. To leave one that could go on itself is a preemption. */
static int choose(void)
{
	int options[THREADS], n = 0, taken = 0;
	bool own = is_runnable(running);

	if (own)
		options[n++] = running;
	for (int t = 0; t < THREADS; t++) {
		if (t == running || !is_runnable(t))
			continue;
		if (own && preempted == result->preemptions)
			result->bounded = true;
		else
			options[n++] = t;
	}
	if (n == 0)
		return MAIN;
	if (n > 1) {
		if (depth == length)
			path[length++] = (struct choice){.options = (uint8_t)n};
		taken = path[depth++].taken;
	}
	if (own && taken)
		preempted++;
	threads[options[taken]].fresh = options[taken] != running;
	return options[taken];
}

void xics_step(void)
{
	struct thread *t = &threads[running];

	if (running == MAIN)
		return;
	if (t->fresh)
		t->fresh = false;
	else
		switch_to(choose());
	t->fresh = false;
	if (steps == STEPS_MAX)
		fault("does not end");
	trace[steps++] = (char)('0' + running);
}

void xics_wait(unsigned int tries)
{
	struct thread *t = &threads[running];

	(void)tries;
	if (running == MAIN) {
		fault("a lock was not given back");
		return;
	}
	t->blocked = world_locks();
	switch_to(choose());
	t->fresh = true;
}

static void entry(int t)
{
	threads[t].done = true;
	if (!_setjmp(threads[t].env))
		swapcontext(&threads[t].context, &threads[MAIN].context);
	for (;;) {
		scenario->threads[t].run();
		xics_check_free();
		threads[t].done = true;
		switch_to(choose());
	}
}

static void start(void)
{
	for (int t = 0; t < THREADS && scenario->threads[t].run; t++) {
		getcontext(&threads[t].context);
		threads[t].context.uc_stack.ss_sp = threads[t].stack;
		threads[t].context.uc_stack.ss_size = STACK;
		makecontext(&threads[t].context, (void (*)(void))entry, 1, t);
		swapcontext(&threads[MAIN].context, &threads[t].context);
	}
}

static void run_schedule(void)
{
	depth = preempted = steps = 0;
	for (int t = 0; t < THREADS; t++) {
		threads[t].done = !scenario->threads[t].run;
		threads[t].blocked = 0;
		threads[t].held = NULL;
	}
	world_restore();
	switch_to(choose());
	for (int t = 0; t < THREADS && !result->fault[0]; t++)
		if (!threads[t].done)
			fault("threads wait for each other");
	xics_held = NULL;
	if (!result->fault[0])
		world_check(scenario);
	result->schedules++;
}

static bool next_schedule(void)
{
	while (length && path[length - 1].taken + 1 == path[length - 1].options)
		length--;
	if (!length)
		return false;
	path[length - 1].taken++;
	return true;
}

void explore(const struct scenario *s, int preemptions, struct outcome *outcome)
{
	scenario = s;
	result = outcome;
	*outcome = (struct outcome){.preemptions = preemptions};
	length = 0;
	start();
	world_setup(s);
	do {
		run_schedule();
	} while (!outcome->fault[0] && next_schedule());
	world_end();
}
