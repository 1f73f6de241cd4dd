// SPDX-License-Identifier: GPL-2.0-only
#include "lib/trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/util.h"

int trace_parse(const char *list, unsigned int *kinds)
{
	static const struct {
		const char *name;
		unsigned int kinds;
	} names[] = {
		{"exit", TRACE_EXIT}, {"hcall", TRACE_HCALL}, {"rtas", TRACE_RTAS},
		{"irq", TRACE_IRQ},   {"cpu", TRACE_CPU},     {"all", TRACE_ALL},
	};

	*kinds = 0;
	for (;;) {
		size_t len = strcspn(list, ",");
		size_t i;

		for (i = 0; i < ARRAY_SIZE(names); i++)
			if (strlen(names[i].name) == len && !memcmp(names[i].name, list, len))
				break;
		if (i == ARRAY_SIZE(names))
			return -EINVAL;
		*kinds |= names[i].kinds;
		if (!list[len])
			return 0;
		list += len + 1;
	}
}

void trace_line(struct trace *trace, const char *fmt, ...)
{
	uint64_t ns = now_ns() - trace->start_ns;
	char line[512];
	ssize_t done;
	va_list ap;
	int n;

	n = snprintf(line, sizeof(line), "%5llu.%06llu ", (unsigned long long)(ns / 1000000000),
		     (unsigned long long)(ns / 1000 % 1000000));
	va_start(ap, fmt);
	n += vsnprintf(line + n, sizeof(line) - (size_t)n - 1, fmt, ap);
	va_end(ap);
	if ((size_t)n > sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n++] = '\n';
	done = write(trace->fd, line, (size_t)n);
	(void)done;
}
