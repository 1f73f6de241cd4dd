// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"
void fdt_tests(TCase *tc)
{
	(void)tc;
}
