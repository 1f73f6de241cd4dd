// SPDX-License-Identifier: GPL-2.0-only
/* panic: ibm,os-term ends the guest, and its message reaches the host. */
#include "guest.h"

int main(void)
{
	rtas_os_term("paprika guest panics on purpose");
}
