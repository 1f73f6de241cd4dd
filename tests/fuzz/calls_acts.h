/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to the fuzzer's machine besides its calls: devices, host, people who look. */
#ifndef TESTS_FUZZ_CALLS_ACTS_H
#define TESTS_FUZZ_CALLS_ACTS_H

#include "tests/fuzz/calls_vm.h"

/* One of them, chosen by @which; what more there is to choose comes from @in. */
void act(struct fuzz_vm *vm, struct input *in, uint8_t which);

#endif
