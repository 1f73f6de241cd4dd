/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before each file of a variant of the model: servers have numbers of their own
 * and are searched for one after the other. The bench numbers them as the model does.
 */
#ifndef BENCH_XICS_LINEAR_SEARCH_H
#define BENCH_XICS_LINEAR_SEARCH_H

#define presenter_at presenter_at_itself
#include "devices/xics/internal.h"
#undef presenter_at

static inline struct xics_presenter *presenter_at(const struct xics *xics, uint32_t server)
{
	for (uint32_t i = 0; i < xics->nr_servers; i++) {
		const uint32_t *numbers = xics->ctx;

		if (numbers[i] == server)
			return &xics->presenters[i];
	}
	return NULL;
}

#endif
