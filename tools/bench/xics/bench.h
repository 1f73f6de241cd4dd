/* SPDX-License-Identifier: GPL-2.0-only */
/* Costs of the XICS model, in the unit of turns.h. */
#ifndef BENCH_XICS_BENCH_H
#define BENCH_XICS_BENCH_H

#include "tools/bench/turns/turns.h"
#include "tools/bench/xics/model.h"

/* A model with servers, all receptive, and all sources below @end: MSIs of priority 5. */
struct controller {
	const struct model *model;
	struct xics xics;
};
#define PRIORITY 5
struct controller *controller_new(const struct model *model, uint32_t servers, uint32_t end);
void controller_free(struct controller *m);

/* MSIs of one source, one after the other: the device's edge, H_XIRR, H_EOI. */
struct job {
	struct controller *m;
	uint32_t server, source;
	uint64_t done;
};
void cycle_run(void *job, unsigned long n);
/* All of them were accepted. */
void cycle_check(const struct job *job);
void bench_cycle(void);
void bench_resend(void);
void bench_threads(void);
void bench_lookup(void);
void bench_memory(void);

#endif
