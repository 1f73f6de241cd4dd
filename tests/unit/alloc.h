/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that runs out on demand: the tests link with --wrap=malloc,--wrap=calloc. */
#ifndef TESTS_UNIT_ALLOC_H
#define TESTS_UNIT_ALLOC_H

/* Let @n more allocations of this thread succeed, and the one after that fail. */
void alloc_fail_after(int n);

#endif
