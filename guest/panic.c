// SPDX-License-Identifier: GPL-2.0-only
/*
 * panic: ibm,os-term ends the guest, and its message reaches the host. With
 * "unterminated" among the boot arguments the message runs into the end of memory,
 * with "nowhere" it is beyond; the guest ends all the same.
 */
#include "guest.h"

int main(void)
{
	char *end = real(dt_memory_end());

	if (dt_bootarg("unterminated")) {
		memset(end - 4, 'x', 4);
		rtas_os_term(end - 4);
	}
	if (dt_bootarg("nowhere"))
		rtas_os_term(end);
	rtas_os_term("paprika guest panics on purpose");
}
