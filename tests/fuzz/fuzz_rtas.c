// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: a guest that makes hypercalls, RTAS calls above all, with any
 * arguments. The input is a list of calls, each CALL_SIZE bytes, and then the first
 * bytes of its memory. A call is one byte that chooses it and seven arguments:
 *
 *   byte 0    an entry of the table of hypercalls; from 0x80 on H_RTAS
 *   byte 1    ends the list when its lowest bit is set
 *   bytes 2.. five arguments of 64 bits, big-endian
 */
#include <stdlib.h>
#include <string.h>

#include "hcall/papr.h"
#include "hcall/rtas.h"
#include "lib/endian.h"
#include "lib/util.h"
#include "tests/unit/fake.h"

#define MEM_SIZE  MIB(1)
#define NR_ARGS	  5
#define CALL_SIZE (2 + 8 * NR_ARGS)
#define CALLS_MAX 32
#define H_RTAS	  0xf000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		abort();
}

static bool is_papr_code(int64_t ret)
{
	return (ret >= H_P4 && ret <= H_P2) || ret == H_SUCCESS || ret == H_BUSY ||
	       ret == H_HARDWARE || ret == H_FUNCTION || ret == H_PARAMETER ||
	       ret == H_UNSUPPORTED_FLAG;
}

static uint64_t choose(uint8_t byte)
{
	static size_t entries;

	if (byte & 0x80)
		return H_RTAS;
	while (hcall_nth(entries))
		entries++;
	return hcall_nth(byte % entries)->nr;
}

/*
 * A line is up where the presenter has something to give; it may be up elsewhere, after
 * an IPI that was taken back.
 */
static void check_lines(struct fake *fake)
{
	for (uint32_t server = 0; server < FAKE_CPUS; server++) {
		uint32_t xirr;
		uint8_t mfrr;

		xics_ipoll(&fake->machine.xics, server, &xirr, &mfrr);
		must(fake->line[server] || !XICS_XISR(xirr));
	}
}

static void make_call(struct fake *fake, const uint8_t *data)
{
	uint64_t args[HCALL_ARGS] = {0};
	be64_t raw[NR_ARGS];
	int64_t ret;

	memcpy(raw, data + 2, sizeof(raw));
	for (size_t i = 0; i < NR_ARGS; i++)
		args[i] = be64_get(raw[i]);
	fake->log[0] = '\0';
	fake->cpu.server = data[1] / 2 % FAKE_CPUS;
	ret = fake_hcall(fake, choose(data[0]), args);
	must(is_papr_code(ret));
	check_lines(fake);
}

/* The machine as it was made, so that an input alone decides what happens. */
static void reset(struct fake *fake)
{
	struct machine *m = &fake->machine;
	char sink[4096];

	if (!m->mem.base)
		must(fake_init(fake, MEM_SIZE));
	memset(m->mem.base, 0, MEM_SIZE);
	xics_reset(&m->xics);
	vty_reset(&m->vty);
	while (vty_output(&m->vty, sink, sizeof(sink)))
		;
	rtc_init(&m->rtc);
	m->patb1 = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fake fake;
	const uint8_t *calls = data;
	size_t nr = 0;

	while (nr < CALLS_MAX && (nr + 1) * CALL_SIZE <= size &&
	       !(nr && data[-CALL_SIZE + 1] & 1)) {
		data += CALL_SIZE;
		nr++;
	}
	size -= nr * CALL_SIZE;
	reset(&fake);
	memcpy(fake.machine.mem.base, data, min_u64(size, MEM_SIZE));
	for (size_t i = 0; i < nr; i++)
		make_call(&fake, calls + i * CALL_SIZE);
	return 0;
}
