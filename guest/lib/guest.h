/* SPDX-License-Identifier: GPL-2.0-only */
/* All that a guest program includes. It has a main(), which returns 0 or fails. */
#ifndef GUEST_GUEST_H
#define GUEST_GUEST_H

#include "console.h"
#include "cpu.h"
#include "dt.h"
#include "hcall.h"
#include "hpt.h"
#include "rtas.h"
#include "sleep.h"
#include "trap.h"
#include "types.h"
#include "xics.h"

int main(void);

/*
 * Print "ok - NAME" or "not ok - NAME". When a program with checks ends, a line
 * "N passed, N failed" is printed; any failure ends it with ibm,os-term.
 */
bool check(const char *name, bool ok);

/* check() of a value, which is printed when it is not what it should be. */
bool check_eq(const char *name, long is, long should_be);

/* The timebase when the program was entered. */
extern u64 entry_timebase;

/* A checksum of code and constants, to tell whether anyone wrote there. */
u64 text_sum(void);

/* End the program; main() returning does it. */
void finish(bool ok) __attribute__((noreturn));

#endif
