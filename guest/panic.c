// SPDX-License-Identifier: GPL-2.0-only
/*
 * panic: ibm,os-term ends the guest, and its message reaches the host. Boot arguments:
 * "unterminated" has the message run into the end of memory (which is then to be one
 * node), "nowhere" puts it beyond; the guest ends all the same.
 */
#include "guest.h"

int main(void)
{
	char *end = real(dt_real_mode_end());

	if (dt_bootarg("unterminated")) {
		memset(end - 4, 'x', 4);
		rtas_os_term(end - 4);
	}
	if (dt_bootarg("nowhere"))
		rtas_os_term(end);
	rtas_os_term("paprika guest panics on purpose");
}
