// SPDX-License-Identifier: GPL-2.0-only
/* Where a guest's control socket is: what both sides must agree on. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "vmm/control.h"

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
