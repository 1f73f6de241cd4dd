// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a guest that makes hypercalls and RTAS calls, of every kind that
 * hcall/hcalls.def and hcall/rtas.def have, on a machine on which something happens. The
 * first byte chooses the machine: processors and MMU. Then each step begins with a byte:
 *
 *   0x00 to 0x1f  something happens to the machine (calls_acts.c)
 *   0x20 to 0x7f  an RTAS service, its argument block written by the guest as it should
 *   0x80 to 0xff  a hypercall
 *
 * A call's next byte chooses the processor, and the following its arguments
 * (calls_args.h). After each step the machine must be in order (calls_check.c), and a
 * call must have answered what it may (calls_rules.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hcall/papr.h"
#include "lib/util.h"
#include "tests/fuzz/calls_acts.h"
#include "tests/fuzz/calls_args.h"
#include "tests/fuzz/calls_rules.h"

#define H_LOGICAL_CI_STORE    0x040
#define H_LOGICAL_CACHE_STORE 0x048
#define H_EOI		      0x064
#define H_XIRR		      0x074
#define H_XIRR_X	      0x2fc
#define H_SIGNAL_SYS_RESET    0x380
#define H_ENTER		      0x008
#define H_ZERO_PAGE	      0x8000 /* a flag of H_ENTER */
#define H_RTAS		      0xf000
#define H_LOGICAL_MEMOP	      0xf001
#define BLOCK_MAX	      (12 + 4 * RTAS_WORDS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- how fast */

static unsigned long long calls;

/* By the processor's time, the fuzzer's own work with it: others run on this machine, too. */
static void say_rate(void)
{
	struct timespec spent;
	double seconds;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	seconds = (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
	fprintf(stderr, "fuzz_calls: %llu calls in %.1f s of processor time, %.0f a second\n",
		calls, seconds, (double)calls / seconds);
}

/* ---- what a call may do to memory */

/* An RTAS call as the guest has it in memory when it calls. */
struct block {
	bool ok; /* counts that can be, all of it memory */
	uint32_t token, nargs, nret, args[3];
};

static struct block read_block(const struct gmem *mem, uint64_t addr)
{
	be32_t words[6] = {{0}};
	struct block b;

	if (gmem_read(mem, addr, words, 12))
		return (struct block){.ok = false};
	b = (struct block){true, be32_get(words[0]), be32_get(words[1]), be32_get(words[2]), {0}};
	b.ok = b.nargs <= RTAS_WORDS && b.nret <= RTAS_WORDS - b.nargs &&
	       gmem_has(mem, addr, 12 + 4ull * (b.nargs + b.nret));
	for (uint32_t i = 0; b.ok && i < b.nargs && i < ARRAY_SIZE(b.args); i++)
		gmem_read_be32(mem, addr + 12 + 4ull * i, &b.args[i]);
	return b;
}

static const struct rtas_service *service_of(uint32_t token)
{
	const struct rtas_service *service;
	uint32_t its;

	for (size_t n = 0; (service = rtas_nth(n, &its)); n++)
		if (its == token)
			return service;
	return NULL;
}

static void rtas_wrote(struct fuzz_vm *vm, uint64_t addr, const struct block *b)
{
	const struct rtas_service *service = service_of(b->token);
	uint32_t status;

	vm_written(vm, addr + 12 + 4ull * b->nargs, 4ull * b->nret);
	if (service && !strcmp(service->name, "ibm,get-system-parameter"))
		vm_written(vm, b->args[1], b->args[2]);
	if (!b->nret)
		return;
	gmem_read_be32(&vm->machine.mem, addr + 12 + 4ull * b->nargs, &status);
	must(!rules_rtas(service, (int32_t)status), rules_rtas(service, (int32_t)status));
}

static void call_wrote(struct fuzz_vm *vm, uint64_t nr, int64_t ret, const uint64_t in[HCALL_ARGS],
		       const struct block *b)
{
	if (nr == H_RTAS)
		must((ret == H_SUCCESS) == b->ok, "H_RTAS takes a block that is none, or not one");
	if (ret != H_SUCCESS)
		return;
	if (nr == H_RTAS)
		rtas_wrote(vm, in[0], b);
	else if (nr == H_LOGICAL_CI_STORE || nr == H_LOGICAL_CACHE_STORE)
		vm_written(vm, in[1], in[0]);
	else if (nr == H_LOGICAL_MEMOP)
		vm_written(vm, in[0], in[3] << in[2]);
}

/* ---- a call */

/* The same on the naive page table: the same answers. */
static void check_table_call(struct fuzz_vm *vm, uint64_t nr, int64_t ret,
			     const uint64_t in[HCALL_ARGS], const uint64_t out[HCALL_ARGS])
{
	uint64_t expected[HCALL_ARGS];

	if (!vm->machine.hpt.slots || vm->hpt_gone) {
		must(ret == H_FUNCTION, "a page table call is served without a page table");
		return;
	}
	memcpy(expected, in, sizeof(expected));
	must(naive_call(&vm->naive, nr, expected) == ret, "a page table call gives another code");
	must(!memcmp(expected, out, sizeof(expected)), "a page table call gives other answers");
	if (nr != H_ENTER || ret)
		return;
	vm_touched(vm, out[0]);
	if (in[0] & H_ZERO_PAGE) {
		/* The naive one cleared it in what memory must be. */
		uint32_t base, shift = hpte_page_shift((struct hpte){in[2], in[3]}, &base);
		uint64_t page = in[3] & HPTE_R_RPN & ~((1ull << shift) - 1);

		vm_dirty(vm, page, 1ull << shift);
	}
}

/* H_REMOVE to H_PROTECT, and H_BULK_REMOVE. */
static bool is_table_call(uint64_t nr)
{
	return (nr >= 0x004 && nr <= 0x018) || nr == 0x124;
}

/* No number, however wide, stands for a server that does not exist. */
static void check_servers(const struct fuzz_vm *vm, uint64_t nr, const uint64_t in[HCALL_ARGS])
{
	const struct hcall *hcall = hcall_find(nr);

	for (size_t i = 0; hcall && i < ARRAY_SIZE(hcall->args); i++) {
		if (hcall->args[i] != ARG_SERVER || in[i] < vm->machine.nr_cpus)
			continue;
		/* All, and all but the caller. */
		must(nr == H_SIGNAL_SYS_RESET && in[i] >= UINT64_MAX - 1,
		     "a call succeeds for a server that does not exist");
	}
}

static void note_interrupts(struct fuzz_vm *vm, uint64_t nr, uint64_t asked, uint64_t answer)
{
	int i = vm_source(XICS_XISR(nr == H_EOI ? (uint32_t)asked : (uint32_t)answer));

	if (nr == H_EOI && i >= 0) {
		vm->wild |= !vm->in_service[i];
		vm->in_service[i] = false;
	} else if ((nr == H_XIRR || nr == H_XIRR_X) && i >= 0) {
		vm->in_service[i] = true;
	}
}

static void call(struct fuzz_vm *vm, uint64_t nr, uint64_t args[HCALL_ARGS])
{
	struct block block = {.ok = false};
	uint64_t in[HCALL_ARGS];
	const char *fault;
	int64_t ret;

	if (nr == H_RTAS)
		block = read_block(&vm->machine.mem, args[0]);
	memcpy(in, args, sizeof(in));
	vm->stop = STOP_NONE;
	vm->hw.err = nr == H_ENTER && vm->refuses ? -EINVAL : -EIO;
	vm->naive.failure = vm->hw.err == -EIO ? H_HARDWARE : H_PARAMETER;
	ret = hcall_dispatch(&vm->cpus[vm->caller], nr, args);
	calls++;
	fault = rules_hcall(nr, ret, in, args);
	must(!fault, fault);
	if (ret == H_SUCCESS)
		check_servers(vm, nr, in);
	if (is_table_call(nr)) {
		check_table_call(vm, nr, ret, in, args);
		vm->hpt_gone = false;
	}
	call_wrote(vm, nr, ret, in, &block);
	note_interrupts(vm, nr, in[0], args[0]);
	args_carry(args[0]);
	if (vm->stop == STOP_REBOOT)
		vm_reset(vm);
	else if (vm->stop != STOP_NONE)
		vm_renew(vm);
}

/* The guest writes an argument block, as the service wants it, or nearly. */
static void rtas(struct fuzz_vm *vm, struct input *in, uint32_t n)
{
	uint64_t args[HCALL_ARGS], addr = args_draw(vm, in, ARG_ADDRESS);
	const struct rtas_service *service;
	be32_t block[BLOCK_MAX / 4];
	uint32_t token = 0, nargs, nret;
	uint8_t how = draw(in);

	service = rtas_nth(n, &token);
	nargs = service ? service->nargs : 1;
	nret = service ? service->nret : 1;
	if (how & 0x80)
		nargs = how >> 4 & 7;
	if (how & 8)
		nret = how & 7;
	memset(block, 0, sizeof(block));
	block[0] = be32(token);
	block[1] = be32(nargs);
	block[2] = be32(nret);
	for (uint32_t i = 0; i < nargs; i++)
		block[3 + i] = be32((uint32_t)args_draw(
			vm, in, service && i < 8 ? (enum hcall_arg)service->args[i] : ARG_VALUE));
	vm_poke(vm, addr, block, 12 + 4ull * nargs);
	memset(args, 0x33, sizeof(args));
	args[0] = addr;
	call(vm, H_RTAS, args);
}

/* The processor that calls: one that runs. If none does, none will. */
static bool choose_caller(struct fuzz_vm *vm, uint8_t which)
{
	uint32_t n = vm->machine.nr_cpus;

	for (uint32_t i = 0; i < n; i++) {
		vm->caller = (which + i) % n;
		if (!vm->stopped[vm->caller])
			return true;
	}
	return false;
}

static void step(struct fuzz_vm *vm, struct input *in)
{
	static size_t nr_calls, nr_services;
	uint64_t args[HCALL_ARGS];
	const struct hcall *hcall;
	uint8_t what = draw(in);
	uint32_t token;

	while (hcall_nth(nr_calls))
		nr_calls++;
	while (rtas_nth(nr_services, &token))
		nr_services++;
	if (what < 0x20) {
		act(vm, in, what);
	} else if (!choose_caller(vm, draw(in))) {
		vm_renew(vm);
	} else if (what < 0x80) {
		rtas(vm, in, (what - 0x20) % ((uint32_t)nr_services + 1));
	} else {
		hcall = hcall_nth((what - 0x80) % nr_calls);
		args_draw_call(vm, in, hcall, args);
		/* Now and then a number that is in no table. */
		call(vm, hcall->nr + (in->at == in->end), args);
	}
	vm_check(vm);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	uint8_t first = draw(&in);
	static bool registered;
	struct fuzz_vm *vm;

	if (!registered)
		registered = !atexit(say_rate);
	args_forget();
	vm = vm_start(1 + first % VM_CPUS_MAX, (enum vm_mmu)(first / VM_CPUS_MAX % 4));
	while (in.at < in.end)
		step(vm, &in);
	vm_finish(vm);
	return 0;
}
