/* SPDX-License-Identifier: GPL-2.0-only */
/* A table for people, as CSV or as JSON; and what is to be said about it. */
#ifndef TOOLS_TLBSIM_OUT_H
#define TOOLS_TLBSIM_OUT_H

#include <stddef.h>
#include <stdint.h>

enum out_format {
	OUT_TEXT,
	OUT_CSV,
	OUT_JSON,
};

enum out_type {
	OUT_WORD,  /* const char * */
	OUT_COUNT, /* uint64_t */
	OUT_REAL,  /* double; NAN where there is none */
};

struct out_column {
	const char *name;
	enum out_type type;
	int width;
	int digits; /* of OUT_REAL, after the point */
};

struct out {
	enum out_format format;
	const struct out_column *columns;
	size_t nr_columns;
	size_t rows, notes;
};

void out_begin(struct out *o, enum out_format format, const struct out_column *columns, size_t n);

/* One value a column, of the column's type. All rows come before all notes. */
void out_row(struct out *o, ...);

/* A line below the table; not in CSV. */
void out_note(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* 0, or -EIO if not all of it could be written. */
int out_end(struct out *o);

#endif
