// SPDX-License-Identifier: GPL-2.0-only
/*
 * The console.
 *
 * LOCKING: `lock` keeps one printf's output together. It is held with interrupts
 * as they were: a handler must not print while its own CPU prints, so programs
 * print from handlers only to die, after console_break_lock().
 */
#include "console.h"
#include "cpu.h"
#include "dt.h"
#include "hcall.h"

static int node = NO_NODE;
static u32 console;
static spinlock_t lock;
static bool lock_broken;

void console_init(void)
{
	int chosen = dt_find("/chosen");
	const char *path = dt_prop(chosen, "stdout-path", NULL);

	if (!path)
		path = dt_prop(chosen, "linux,stdout-path", NULL);
	if (!path)
		return;
	node = dt_find(path);
	console = dt_u32(node, "reg", 0);
}

int console_node(void)
{
	return node;
}

u32 console_unit(void)
{
	return console;
}

/* H_PUT_TERM_CHAR takes 16 bytes in two registers, the first in the top byte. */
static u64 pack(const char *s, size_t n)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < 8; i++)
		v = v << 8 | (i < n ? (u8)s[i] : 0);
	return v;
}

long term_put(u32 unit, const char *s, size_t n)
{
	return hcall(H_PUT_TERM_CHAR, unit, n, pack(s, n), n > 8 ? pack(s + 8, n - 8) : 0);
}

void console_write(const char *s, size_t n)
{
	while (n) {
		size_t len = n < 16 ? n : 16;

		while (term_put(console, s, len) == H_BUSY)
			;
		s += len;
		n -= len;
	}
}

int term_get(u32 unit, char *buf)
{
	struct hcall h = {{H_GET_TERM_CHAR, unit}};
	long rc = hcall_do(&h);
	int i;

	if (rc)
		return rc < 0 ? (int)rc : -(int)rc;
	for (i = 0; i < 16 && i < (int)h.r[1]; i++)
		buf[i] = (char)(h.r[2 + i / 8] >> (56 - 8 * (i % 8)));
	return i;
}

u32 term_find(struct term *terms, u32 max)
{
	int vty, parent = dt_find("/vdevice");
	u32 len, n = 0;

	for (vty = dt_child(parent, NO_NODE); vty != NO_NODE && n < max;
	     vty = dt_child(parent, vty)) {
		const be32_t *cells = dt_prop(vty, "interrupts", &len);

		if (vty == console_node() || !dt_is(vty, "compatible", "hvterm1"))
			continue;
		if (!cells || len < 2 * sizeof(*cells))
			continue;
		terms[n].unit = dt_u32(vty, "reg", 0);
		terms[n].source = be32_get(cells[0]);
		terms[n++].lsi = be32_get(cells[1]) & 1;
	}
	return n;
}

int console_read(char *buf)
{
	return term_get(console, buf);
}

void console_break_lock(void)
{
	lock_broken = true;
}

struct out {
	size_t n;
	char buf[128];
};

static void out_flush(struct out *o)
{
	console_write(o->buf, o->n);
	o->n = 0;
}

static void out_char(struct out *o, char c)
{
	o->buf[o->n++] = c;
	if (o->n == sizeof(o->buf))
		out_flush(o);
}

struct spec {
	bool zero, left, is_long;
	int width;
};

static void out_padded(struct out *o, const struct spec *spec, const char *s, int len)
{
	int pad = spec->width - len;

	for (; !spec->left && pad > 0; pad--)
		out_char(o, spec->zero ? '0' : ' ');
	for (; len; len--)
		out_char(o, *s++);
	for (; pad > 0; pad--)
		out_char(o, ' ');
}

static void out_number(struct out *o, struct spec *spec, u64 v, u32 base, bool negative)
{
	char digits[24];
	int i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	if (negative && spec->zero) {
		out_char(o, '-');
		spec->width--;
	} else if (negative) {
		digits[--i] = '-';
	}
	out_padded(o, spec, digits + i, (int)sizeof(digits) - i);
}

static const char *parse_spec(const char *f, struct spec *spec)
{
	for (; *f == '0' || *f == '-'; f++) {
		spec->zero |= *f == '0';
		spec->left |= *f == '-';
	}
	for (; *f >= '0' && *f <= '9'; f++)
		spec->width = spec->width * 10 + *f - '0';
	for (; *f == 'l'; f++)
		spec->is_long = true;
	return f;
}

static void out_arg(struct out *o, char conversion, struct spec *spec, va_list *args)
{
	const char *s;
	char c;
	long v;

	switch (conversion) {
	case 'c':
		c = (char)va_arg(*args, int);
		out_padded(o, spec, &c, 1);
		break;
	case 's':
		s = va_arg(*args, const char *);
		out_padded(o, spec, s, (int)strlen(s));
		break;
	case 'd':
		v = spec->is_long ? va_arg(*args, long) : va_arg(*args, int);
		out_number(o, spec, v < 0 ? -(u64)v : (u64)v, 10, v < 0);
		break;
	case 'u':
	case 'x':
		out_number(o, spec, spec->is_long ? va_arg(*args, u64) : va_arg(*args, u32),
			   conversion == 'x' ? 16 : 10, false);
		break;
	case 'p':
		out_number(o, spec, va_arg(*args, u64), 16, false);
		break;
	default:
		out_char(o, conversion);
	}
}

void printf(const char *fmt, ...)
{
	struct out o = {.n = 0};
	va_list args;

	if (!lock_broken)
		spin_lock(&lock);
	va_start(args, fmt);
	for (; *fmt; fmt++) {
		struct spec spec = {0};

		if (*fmt != '%') {
			out_char(&o, *fmt);
			continue;
		}
		fmt = parse_spec(fmt + 1, &spec);
		out_arg(&o, *fmt, &spec, &args);
	}
	va_end(args);
	out_flush(&o);
	if (!lock_broken)
		spin_unlock(&lock);
}
