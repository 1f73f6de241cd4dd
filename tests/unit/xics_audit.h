/* SPDX-License-Identifier: GPL-2.0-only */
/* What holds of a XICS model at rest, when no thread is in it. */
#ifndef TESTS_UNIT_XICS_AUDIT_H
#define TESTS_UNIT_XICS_AUDIT_H

#include "devices/xics/xics.h"

/*
 * NULL, or what is wrong: of a presenter whose line is @line, of a source, of all. The
 * guest must not have ended an interrupt that it did not accept.
 */
const char *audit_presenter(struct xics *xics, uint32_t server, bool line);
const char *audit_source(struct xics *xics, uint32_t source);
const char *audit(struct xics *xics, const bool *lines);

/* Whether a source does nothing at all: not presented, not queued, not pending. */
bool audit_is_idle(struct xics *xics, uint32_t source);

#endif
