/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that scenarios run on: two servers with their lines, four sources in two
 * blocks, and a record of what was sent and what came.
 */
#ifndef TESTS_INTERLEAVE_WORLD_H
#define TESTS_INTERLEAVE_WORLD_H

#include "devices/xics/xics.h"
#include "tests/interleave/sched.h"

#define SERVERS 2
#define A	0x1000
#define B	0x1001
#define LSI	0x1002
#define C	0x1400 /* in the next block */
#define SOURCES 4

extern struct xics model;

/* Orders that the model must not have, to show that they would be found. */
enum mutation {
	NO_MUTATION,
	ROOT_FIRST,  /* a block's bit is set before its source's */
	LOWER_AFTER, /* the line goes down after the presenter changed */
	COUNT_FIRST, /* a raise is counted before the line is up */
	ROOT_TWICE,  /* a walker clears the blocks' bits again when it has been there */
};
extern enum mutation mutation;

/* For sched.c. */
void world_setup(const struct scenario *s);
void world_restore(void);
void world_check(const struct scenario *s);
void world_end(void);
/* The sources that are locked, a bit each. */
uint32_t world_locks(void);

/* For scenarios: what a device does, */
void pulse(uint32_t source);
void level(bool up);
/* a processor: one look at its line, and one interrupt if it is up; */
void look(uint32_t server);
/* and one that tells another, or takes that back. */
void send_ipi(uint32_t server);
void cancel_ipi(uint32_t server);
/* Accept and do not end yet; then end it. For setup. */
void take(uint32_t server, uint32_t source);
void end(uint32_t server, uint32_t source);

#endif
