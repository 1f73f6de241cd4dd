// SPDX-License-Identifier: GPL-2.0-only
/* Run all areas, or the one that CK_RUN_CASE names; the report is TAP on standard output. */
#include "tests/unit/unit.h"

#include <stdlib.h>

/* Others use the machine too: a case that hangs is found all the same. */
#define TIMEOUT_S 60

int main(void)
{
	Suite *suite = suite_create("unit");
	SRunner *runner = srunner_create(suite);
	int failed;

#define ADD(area)                                                                                  \
	do {                                                                                       \
		TCase *tc = tcase_create(#area);                                                   \
                                                                                                   \
		tcase_set_timeout(tc, TIMEOUT_S);                                                  \
		area##_tests(tc);                                                                  \
		suite_add_tcase(suite, tc);                                                        \
	} while (0);
	UNIT_AREAS(ADD)
#undef ADD
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
