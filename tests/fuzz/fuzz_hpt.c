// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: a guest that makes page frame table calls, on a machine and on the
 * naive model: the answers are the same, and in the end the tables. The input's first
 * byte says whether hardware is behind the table; the others are the choices of
 * tests/unit/hpt_pair.c, a byte each or two where there are more than 256.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/hpt_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at, *end;
};

/* 0 where the input is at its end. */
static uint32_t draw(void *ctx, uint32_t below)
{
	struct input *in = ctx;
	uint32_t value = in->at < in->end ? *in->at++ : 0;

	if (below > 0x100)
		value = value << 8 | (in->at < in->end ? *in->at++ : 0);
	return value % below;
}

static void must_not(const char *fault)
{
	if (!fault)
		return;
	fprintf(stderr, "fuzz_hpt: ERROR: %s\n", fault);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hpt_pair pairs[2]; /* [1] with hardware */
	struct input in = {data, data + size};
	struct hpt_pair *pair = &pairs[draw(&in, 2)];

	if (pair->fake.machine.hpt.slots)
		pair_reset(pair);
	else if (!pair_init(pair, pair == &pairs[1]))
		abort();
	while (in.at < in.end)
		must_not(pair_step(pair, draw, &in));
	must_not(pair_compare(pair));
	return 0;
}
