/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments of a kind that hcall/hcalls.def and hcall/rtas.def name, from the fuzzer's
 * bytes. The first byte's two uppermost bits say how:
 *
 *   00  one that a guest would give; the lower bits, and a byte more at times, say which
 *   01  one at an edge
 *   10  what an earlier call answered, or near it
 *   11  any: so many bytes as the lowest three bits say, and one
 */
#ifndef TESTS_FUZZ_CALLS_ARGS_H
#define TESTS_FUZZ_CALLS_ARGS_H

#include "tests/fuzz/calls_vm.h"

/* Remember what a call answered. */
void args_carry(uint64_t value);
void args_forget(void);

uint64_t args_draw(struct fuzz_vm *vm, struct input *in, enum hcall_arg kind);

/* All registers of a call; those without a kind have what a call must leave alone. */
void args_draw_call(struct fuzz_vm *vm, struct input *in, const struct hcall *call,
		    uint64_t args[HCALL_ARGS]);

#endif
