// SPDX-License-Identifier: GPL-2.0-only
#include "tools/tlbsim/out.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void out_begin(struct out *o, enum out_format format, const struct out_column *columns, size_t n)
{
	*o = (struct out){.format = format, .columns = columns, .nr_columns = n};
	if (format == OUT_JSON) {
		printf("{\"rows\": [");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct out_column *c = &columns[i];

		if (format == OUT_CSV)
			printf("%s%s", i ? "," : "", c->name);
		else
			printf("%s%*s", i ? "  " : "", c->type == OUT_WORD ? -c->width : c->width,
			       c->name);
	}
	putchar('\n');
}

/* A word has no quotes or commas: they are all ours. */
static void put_word(const struct out *o, const struct out_column *c, const char *word)
{
	if (o->format == OUT_TEXT)
		printf("%-*s", c->width, word);
	else
		printf(o->format == OUT_JSON ? "\"%s\"" : "%s", word);
}

static void put_count(const struct out *o, const struct out_column *c, uint64_t count)
{
	printf("%*llu", o->format == OUT_TEXT ? c->width : 0, (unsigned long long)count);
}

static void put_real(const struct out *o, const struct out_column *c, double real)
{
	if (isfinite(real))
		printf("%*.*f", o->format == OUT_TEXT ? c->width : 0, c->digits, real);
	else if (o->format == OUT_TEXT)
		printf("%*s", c->width, "-");
	else if (o->format == OUT_JSON)
		printf("null");
}

void out_row(struct out *o, ...)
{
	va_list ap;

	if (o->format == OUT_JSON)
		printf("%s\n {", o->rows ? "," : "");
	o->rows++;
	va_start(ap, o);
	for (size_t i = 0; i < o->nr_columns; i++) {
		const struct out_column *c = &o->columns[i];
		static const char *const between[] = {"  ", ",", ", "};

		printf("%s", i ? between[o->format] : "");
		if (o->format == OUT_JSON)
			printf("\"%s\": ", c->name);
		if (c->type == OUT_WORD)
			put_word(o, c, va_arg(ap, const char *));
		else if (c->type == OUT_COUNT)
			put_count(o, c, va_arg(ap, uint64_t));
		else
			put_real(o, c, va_arg(ap, double));
	}
	va_end(ap);
	printf(o->format == OUT_JSON ? "}" : "\n");
}

void out_note(struct out *o, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (o->format == OUT_TEXT)
		printf("%s%s\n", o->notes ? "" : "\n", text);
	else if (o->format == OUT_JSON)
		printf("%s\n \"%s\"", o->notes ? "," : "],\n\"notes\": [", text);
	o->notes++;
}

int out_end(struct out *o)
{
	if (o->format == OUT_JSON)
		puts("]}");
	return fflush(stdout) || ferror(stdout) ? -EIO : 0;
}
