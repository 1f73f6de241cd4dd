// SPDX-License-Identifier: GPL-2.0-only
#include "lib/fdtw.h"

#include <errno.h>
#include <libfdt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lib/endian.h"
#include "lib/util.h"

static void note(struct fdtw *w, int err)
{
	if (!w->err)
		w->err = err;
}

void fdtw_start(struct fdtw *w, void *buf, size_t size, uint64_t reserve, uint64_t reserved)
{
	*w = (struct fdtw){.buf = buf};
	/* Looking for a name among all before it takes longer than all the rest. */
	note(w, fdt_create_with_flags(buf, (int)min_u64(size, INT_MAX),
				      FDT_CREATE_FLAG_NO_NAME_DEDUP));
	if (!w->err)
		note(w, fdt_add_reservemap_entry(buf, reserve, reserved));
	if (!w->err)
		note(w, fdt_finish_reservemap(buf));
	if (!w->err)
		note(w, fdt_begin_node(buf, ""));
}

int fdtw_finish(struct fdtw *w)
{
	fdtw_end(w);
	if (!w->err)
		note(w, fdt_finish(w->buf));
	if (w->err == -FDT_ERR_NOSPACE)
		return -ENOSPC;
	return w->err ? -EINVAL : 0;
}

void fdtw_begin(struct fdtw *w, const char *fmt, ...)
{
	char name[64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	if (!w->err)
		note(w, fdt_begin_node(w->buf, name));
}

void fdtw_end(struct fdtw *w)
{
	if (!w->err)
		note(w, fdt_end_node(w->buf));
}

void fdtw_bytes(struct fdtw *w, const char *name, const void *value, size_t len)
{
	if (!w->err)
		note(w, len > INT_MAX ? -FDT_ERR_NOSPACE
				      : fdt_property(w->buf, name, value, (int)len));
}

void fdtw_empty(struct fdtw *w, const char *name)
{
	fdtw_bytes(w, name, NULL, 0);
}

void fdtw_string(struct fdtw *w, const char *name, const char *value)
{
	fdtw_bytes(w, name, value, strlen(value) + 1);
}

void fdtw_strings(struct fdtw *w, const char *name, const char *list)
{
	size_t len = 0;

	while (list[len])
		len += strlen(list + len) + 1;
	fdtw_bytes(w, name, list, len);
}

void fdtw_u64(struct fdtw *w, const char *name, uint64_t value)
{
	be64_t raw = be64(value);

	fdtw_bytes(w, name, &raw, sizeof(raw));
}

void fdtw_cells(struct fdtw *w, const char *name, const uint32_t *cells, size_t count)
{
	void *to = NULL;

	if (!w->err)
		note(w, count > INT_MAX / 4
				? -FDT_ERR_NOSPACE
				: fdt_property_placeholder(w->buf, name, (int)count * 4, &to));
	for (size_t i = 0; !w->err && i < count; i++) {
		be32_t raw = be32(cells[i]);

		memcpy((char *)to + 4 * i, &raw, 4);
	}
}
