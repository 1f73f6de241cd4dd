// SPDX-License-Identifier: GPL-2.0-only
/* power-off: nothing but power-off: the least that a guest can do. */
#include "guest.h"

int main(void)
{
	return 0;
}
