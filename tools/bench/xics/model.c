// SPDX-License-Identifier: GPL-2.0-only
/* A variant's table: compiled once for each, MODEL being its name. */
#include "tools/bench/xics/model.h"

const struct model MODEL = {
	.init = xics_init,
	.fini = xics_fini,
	.add_source = xics_add_source,
	.set_xive = xics_set_xive,
	.pulse = xics_pulse,
	.accept = xics_accept,
	.eoi = xics_eoi,
	.set_cppr = xics_set_cppr,
	.ipoll = xics_ipoll,
	.source_counters = xics_source_counters,
	.presenter_counters = xics_presenter_counters,
};
