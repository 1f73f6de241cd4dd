// SPDX-License-Identifier: GPL-2.0-only
/*
 * reboot-storm: reboots as soon as it runs, for ever: the user must be able to end it.
 */
#include "guest.h"

int main(void)
{
	rtas_reboot();
}
