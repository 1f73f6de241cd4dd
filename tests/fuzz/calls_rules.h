/* SPDX-License-Identifier: GPL-2.0-only */
/* What a call may answer: codes and registers, by hcall/answers.def. */
#ifndef TESTS_FUZZ_CALLS_RULES_H
#define TESTS_FUZZ_CALLS_RULES_H

#include "hcall/hcall.h"
#include "hcall/rtas.h"

/* NULL, or what is wrong with this answer to the call of @nr, whose arguments were @in. */
const char *rules_hcall(uint64_t nr, int64_t ret, const uint64_t in[HCALL_ARGS],
			const uint64_t out[HCALL_ARGS]);

/* The same of an RTAS service's status; NULL is no service. */
const char *rules_rtas(const struct rtas_service *service, int32_t status);

#endif
