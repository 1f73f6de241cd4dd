/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unit tests: one file an area, each with one function that adds its cases. The
 * same sources are built natively under sanitizers and for a big-endian machine,
 * so nothing here may assume the host's byte order.
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <check.h>

#define UNIT_AREAS(X)                                                                              \
	X(elf)                                                                                     \
	X(escape)                                                                                  \
	X(fdt)                                                                                     \
	X(gmem)                                                                                    \
	X(hcall)                                                                                   \
	X(hostcpu)                                                                                 \
	X(hpt)                                                                                     \
	X(hpt_protect)                                                                             \
	X(hpt_random)                                                                              \
	X(hpt_remove)                                                                              \
	X(hpt_resize)                                                                              \
	X(hpt_tlbie)                                                                               \
	X(hpte)                                                                                    \
	X(icp)                                                                                     \
	X(image)                                                                                   \
	X(layout)                                                                                  \
	X(lib)                                                                                     \
	X(options)                                                                                 \
	X(rtas)                                                                                    \
	X(rtc)                                                                                     \
	X(stress)                                                                                  \
	X(tlb_flush)                                                                               \
	X(tlb_pollution)                                                                           \
	X(tlb_stale)                                                                               \
	X(translate)                                                                               \
	X(vty)                                                                                     \
	X(xics)                                                                                    \
	X(xics_random)                                                                             \
	X(xics_source)                                                                             \
	X(xics_state)

#define UNIT_DECLARE(area) void area##_tests(TCase *tc);
UNIT_AREAS(UNIT_DECLARE)
#undef UNIT_DECLARE

/* The text holds the part: says both when not. */
#define assert_contains(text, part)                                                                \
	ck_assert_msg(strstr(text, part) != NULL, "\"%s\" lacks \"%s\"", text, part)

#endif
