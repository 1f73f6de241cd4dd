/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A XICS model on its own: three servers with their lines, six sources. After every
 * call what must hold of a model at rest is checked (xics_audit.h).
 */
#ifndef TESTS_UNIT_XICS_RIG_H
#define TESTS_UNIT_XICS_RIG_H

#include "devices/xics/xics.h"
#include "tests/unit/unit.h"

#define SERVERS 3
#define FIRST	0x1000
#define SOURCES 6
#define A	(FIRST + 0)
#define B	(FIRST + 1)
#define LSI	(FIRST + 5)
#define NONE	XICS_NONE

extern struct xics xics;
extern bool line[SERVERS];
extern int changes[SERVERS]; /* of the line */

/*
 * Servers accept everything; A, B and LSI have priorities 5, 6 and 7 on server 0, the
 * other sources are masked.
 */
void rig_setup(void);
void rig_teardown(void);

/* What server's presenter holds, CPPR, pending source and MFRR, and that its line follows. */
void check(uint32_t server, uint8_t cppr, uint32_t xisr, uint8_t mfrr);
/* H_XIRR gives this; H_EOI of it succeeds. */
void accepts(uint32_t server, uint8_t cppr, uint32_t source);
void ends(uint32_t server, uint8_t cppr, uint32_t source);

/* Gives @result, when the model is in order. */
int rig_audited(int result);

/* An IPI may be taken back and its line be raised for another interrupt in one call. */
void rig_before_ipi(void);

#define xics_pulse(...)		rig_audited(xics_pulse(__VA_ARGS__))
#define xics_set_level(...)	rig_audited(xics_set_level(__VA_ARGS__))
#define xics_accept(...)	rig_audited(xics_accept(__VA_ARGS__))
#define xics_set_cppr(...)	rig_audited(xics_set_cppr(__VA_ARGS__))
#define xics_eoi(...)		rig_audited(xics_eoi(__VA_ARGS__))
#define xics_ipi(...)		rig_audited((rig_before_ipi(), xics_ipi(__VA_ARGS__)))
#define xics_set_xive(...)	rig_audited(xics_set_xive(__VA_ARGS__))
#define xics_int_on(...)	rig_audited(xics_int_on(__VA_ARGS__))
#define xics_int_off(...)	rig_audited(xics_int_off(__VA_ARGS__))
#define xics_set_presenter(...) rig_audited(xics_set_presenter(__VA_ARGS__))
#define xics_set_source(...)	rig_audited(xics_set_source(__VA_ARGS__))

#endif
