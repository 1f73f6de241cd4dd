/* SPDX-License-Identifier: GPL-2.0-only */
/* Hypercalls that reach the monitor: the table and the way in. */
#ifndef HCALL_HCALL_H
#define HCALL_HCALL_H

#include <stddef.h>
#include <stdint.h>

#include "hcall/kinds.h"
#include "hcall/machine.h"

#define HCALL_ARGS 9 /* r4 to r12, both ways */

/*
 * Serve one call: arguments in @args, answers in the same places; the return value
 * goes to r3.
 */
typedef int64_t hcall_fn(struct hcpu *cpu, uint64_t args[HCALL_ARGS]);

struct hcall {
	const char *name;
	hcall_fn *serve; /* NULL: not served here, H_FUNCTION */
	uint16_t nr;
	uint8_t by;	 /* enum hcall_server */
	uint8_t args[8]; /* enum hcall_arg */
};

/* The table's entry for a number, or NULL. */
const struct hcall *hcall_find(uint64_t nr);

/* Every entry, in the order of the table; NULL past the last. */
const struct hcall *hcall_nth(size_t n);

/**
 * hcall_dispatch - serve hypercall @nr of @cpu
 *
 * Called on the processor's own thread. Any values are allowed; what is wrong with
 * them is in the PAPR code that it returns. H_FUNCTION for an unknown number.
 */
int64_t hcall_dispatch(struct hcpu *cpu, uint64_t nr, uint64_t args[HCALL_ARGS]);

/* Handlers, by file: cpu.c, logical.c, term.c, xics.c and rtas.c. */
hcall_fn h_register_proc_tbl, h_set_mode, h_signal_sys_reset;
hcall_fn h_get_cpu_characteristics, h_home_node_associativity, h_random;
hcall_fn h_logical_load, h_logical_store, h_logical_cache_op, h_logical_memop;
hcall_fn h_get_term_char, h_put_term_char;
hcall_fn h_cppr, h_eoi, h_ipi, h_ipoll, h_xirr, h_xirr_x;
hcall_fn h_remove, h_enter, h_read, h_clear_mod, h_clear_ref, h_protect, h_bulk_remove;
hcall_fn h_resize_hpt_prepare, h_resize_hpt_commit;
hcall_fn h_rtas;

#endif
