/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model and its variants, which are the model but for one thing that a simpler
 * implementation has instead. Each is linked by itself, with all names hidden but that
 * of its table, so that they can take turns in one process.
 */
#ifndef BENCH_XICS_MODEL_H
#define BENCH_XICS_MODEL_H

#include "devices/xics/xics.h"

struct model {
	int (*init)(struct xics *xics, uint32_t nr_servers, const struct xics_ops *ops, void *ctx);
	void (*fini)(struct xics *xics);
	int (*add_source)(struct xics *xics, uint32_t source, bool lsi);
	int (*set_xive)(struct xics *xics, uint32_t source, uint32_t server, uint8_t priority);
	int (*pulse)(struct xics *xics, uint32_t source);
	int (*accept)(struct xics *xics, uint32_t server, uint32_t *xirr);
	int (*eoi)(struct xics *xics, uint32_t server, uint32_t xirr);
	int (*set_cppr)(struct xics *xics, uint32_t server, uint8_t cppr);
	int (*ipoll)(struct xics *xics, uint32_t server, uint32_t *xirr, uint8_t *mfrr);
	int (*source_counters)(const struct xics *xics, uint32_t source,
			       struct xics_source_counters *c);
	int (*presenter_counters)(const struct xics *xics, uint32_t server,
				  struct xics_presenter_counters *c);
};

extern const struct model model_itself;
extern const struct model model_byte_scan;     /* a flag byte a source that waits */
extern const struct model model_block_lock;    /* one lock for the sources of a block */
extern const struct model model_linear_search; /* servers are searched for */

#endif
