// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instead of resend.c in a variant of the model: a flag byte a source says that it waits,
 * and a resend looks at all of them. Nobody else runs meanwhile.
 */
#include "devices/xics/internal.h"

static _Atomic uint8_t waiting[XICS_SOURCE_END];

bool source_waits(struct xics *xics, uint32_t source)
{
	(void)xics;
	return atomic_load(&waiting[source]);
}

void source_set_waiting(struct xics *xics, struct xics_presenter *icp, uint32_t source)
{
	(void)xics;
	(void)icp;
	atomic_store(&waiting[source], 1);
}

void source_clear_waiting(struct xics *xics, uint32_t source)
{
	(void)xics;
	atomic_store(&waiting[source], 0);
}

static void resend_source(struct xics *xics, uint32_t server, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word;

	if (unlikely(!s))
		return;
	word = source_lock(s);
	if ((uint32_t)(word & SOURCE_SERVER) != server || !source_waits(xics, source)) {
		source_unlock(s, word);
		return;
	}
	source_clear_waiting(xics, source);
	count_alone(&s->resent);
	redeliver(xics, source_send(xics, s, source, word));
}

void resend(struct xics *xics, uint32_t server)
{
	for (uint32_t source = 0; source < xics->nr_blocks * XICS_BLOCK; source++)
		if (atomic_load_explicit(&waiting[source], memory_order_relaxed))
			resend_source(xics, server, source);
}
