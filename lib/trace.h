/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces: one line an event, to a file descriptor, for `--trace`. */
#ifndef LIB_TRACE_H
#define LIB_TRACE_H

#include <stdbool.h>
#include <stdint.h>

enum trace_kind {
	TRACE_EXIT = 1 << 0,  /* every return of KVM_RUN */
	TRACE_HCALL = 1 << 1, /* hypercalls that reach the monitor */
	TRACE_RTAS = 1 << 2,  /* RTAS calls */
	TRACE_IRQ = 1 << 3,   /* changes of an external interrupt line */
	TRACE_CPU = 1 << 4,   /* processors started, stopped, reset */
	TRACE_ALL = TRACE_EXIT | TRACE_HCALL | TRACE_RTAS | TRACE_IRQ | TRACE_CPU,
};

struct trace {
	int fd;
	unsigned int kinds;
	uint64_t start_ns; /* CLOCK_MONOTONIC at time 0 of the trace */
};

/* Parse "exit,hcall,..." or "all". 0, or -EINVAL. */
int trace_parse(const char *list, unsigned int *kinds);

/* A pointer to a trace is NULL when tracing is off, so that off costs one test. */
static inline bool trace_wants(const struct trace *trace, enum trace_kind kind)
{
	return __builtin_expect(trace && (trace->kinds & kind), 0);
}

/*
 * Write one line: seconds since the start, the text, a newline; one write() a line,
 * so that lines of several processors do not mix. Errors are ignored: a trace that
 * cannot be written must not change what the guest sees.
 */
void trace_line(struct trace *trace, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
