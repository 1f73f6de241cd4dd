/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the monitor may still do once a guest runs. The order: open everything, create
 * the machine, sandbox_drop(), sandbox_enter() on each thread, then load the guest.
 */
#ifndef VMM_SANDBOX_H
#define VMM_SANDBOX_H

#include "lib/why.h"

enum sandbox_mode { SANDBOX_ON, SANDBOX_LOG, SANDBOX_OFF };

enum sandbox_role { SANDBOX_LOOP, SANDBOX_VCPU };

/**
 * sandbox_drop - give up all capabilities, for good, and build the filters
 *
 * Call once, before the threads start. A violation later writes one line with the
 * system call's name and ends the process with STOP_SANDBOX's code, after @on_violation
 * (async-signal-safe; may be NULL).
 */
int sandbox_drop(enum sandbox_mode mode, void (*on_violation)(void), struct why *why);

/* Confine the calling thread to what its role needs. 0 or -errno. */
int sandbox_enter(enum sandbox_role role, struct why *why);

#endif
