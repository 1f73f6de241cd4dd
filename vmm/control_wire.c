// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/control_wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "paprika/"

socklen_t control_address(const char *name, struct sockaddr_un *to)
{
	int n;

	memset(to, 0, sizeof(*to));
	to->sun_family = AF_UNIX;
	/* A first byte of zero: the name is not a file's. */
	n = snprintf(to->sun_path + 1, sizeof(to->sun_path) - 1, PREFIX "%s", name);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

void control_put_header(char to[CONTROL_HEADER + 1], size_t len)
{
	snprintf(to, CONTROL_HEADER + 1, "%08zx\n", len);
}

int control_get_header(const char *from, size_t max, size_t *len)
{
	size_t value = 0;

	for (int i = 0; i < CONTROL_HEADER - 1; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = from[i] ? strchr(digits, from[i]) : NULL;

		if (!digit)
			return -EINVAL;
		value = value << 4 | (size_t)(digit - digits);
	}
	if (from[CONTROL_HEADER - 1] != '\n' || value > max)
		return -EINVAL;
	*len = value;
	return 0;
}
