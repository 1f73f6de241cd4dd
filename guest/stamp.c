// SPDX-License-Identifier: GPL-2.0-only
/*
 * stamp: when the guest began. Prints "stamp: entered T now T", the timebase at the
 * program's first instructions and right before the line.
 */
#include "guest.h"

int main(void)
{
	printf("stamp: entered %lu now %lu\n", entry_timebase, timebase());
	return 0;
}
