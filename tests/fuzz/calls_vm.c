// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/calls_vm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/xics/internal.h"
#include "hcall/papr.h"
#include "hcall/rtas_fdt.h"
#include "lib/util.h"

/*
 * In two blocks of sources whose bits are in two words, at the ends of one. Two of the
 * terminals that loop and two others are LSIs.
 */
#define CONSOLE	  (65 * XICS_BLOCK)
#define LOOP	  (CONSOLE + 1) /* and three more */
#define RTAS_BASE 0xff000

const uint32_t vm_sources[VM_SOURCES] = {
	CONSOLE,
	LOOP,
	LOOP + 1,
	LOOP + 2,
	LOOP + 3,
	XICS_SOURCE_FIRST,
	XICS_SOURCE_FIRST + 1,
	XICS_BLOCK - 1,
	CONSOLE + XICS_BLOCK - 1,
	CONSOLE + 64,
};
static const bool is_lsi[VM_SOURCES] = {[3] = true, [4] = true, [6] = true, [9] = true};

static struct fuzz_vm the_vm;

void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz_calls: ERROR: %s\n", what);
	abort();
}

int vm_source(uint32_t source)
{
	for (int i = 0; i < VM_SOURCES; i++)
		if (vm_sources[i] == source)
			return i;
	return -1;
}

/* ---- what the owner of the processors does */

static struct fuzz_vm *of(struct machine *machine)
{
	return container_of(machine, struct fuzz_vm, machine);
}

/* The host's answer, once: it fails no more then. */
static int host(struct fuzz_vm *vm)
{
	int ret = vm->host;

	vm->host = 0;
	return ret;
}

static int failure(struct fuzz_vm *vm)
{
	int ret = host(vm);

	return ret < 0 ? ret : 0;
}

static int on_cpu_start(struct machine *m, uint32_t server, uint64_t entry, uint64_t arg)
{
	struct fuzz_vm *vm = of(m);

	must(entry % 4 == 0 && entry < VM_MEM, "a processor starts where no memory is");
	must(arg <= UINT32_MAX, "a processor starts with an argument that RTAS does not have");
	if (server >= m->nr_cpus)
		return -ESRCH;
	if (!vm->stopped[server])
		return -EBUSY;
	if (vm->host < 0)
		return host(vm);
	vm->stopped[server] = false;
	return 0;
}

static void on_cpu_stop_self(struct hcpu *cpu)
{
	struct fuzz_vm *vm = of(cpu->machine);

	must(cpu->server == vm->caller, "a processor stops another");
	vm->stopped[cpu->server] = true;
}

static int on_cpu_stopped(struct machine *m, uint32_t server)
{
	return server < m->nr_cpus ? of(m)->stopped[server] : -ESRCH;
}

static int on_system_reset(struct machine *m, uint32_t server)
{
	return server < m->nr_cpus ? 0 : -ESRCH;
}

static int on_set_lpcr(struct hcpu *cpu, uint64_t mask, uint64_t value)
{
	must(mask == LPCR_ILE || mask == LPCR_AIL, "other LPCR bits than ILE and AIL are set");
	must(!(value & ~mask), "LPCR bits are set that are not to be changed");
	return failure(of(cpu->machine));
}

static int on_hpt_prepare(struct hcpu *cpu, uint32_t order)
{
	must(!order || (order >= HPT_ORDER_MIN && order <= cpu->machine->hpt_order_max),
	     "a page table of a size that cannot be is prepared");
	return host(of(cpu->machine));
}

static int on_hpt_commit(struct hcpu *cpu, uint32_t order)
{
	return on_hpt_prepare(cpu, order);
}

static bool on_hpt_begin(struct hcpu *cpu)
{
	struct fuzz_vm *vm = of(cpu->machine);

	if (vm->hpt_gone)
		return false;
	vm->held++;
	return true;
}

static void on_hpt_end(struct hcpu *cpu)
{
	of(cpu->machine)->held--;
}

static int on_set_process_table(struct hcpu *cpu, bool radix, bool gtse, uint64_t patb1)
{
	(void)gtse;
	must(radix == !!(patb1 & PATB_GR), "a process table is not of the kind that it says");
	return failure(of(cpu->machine));
}

static void on_stop(struct machine *m, enum stop_reason reason, const char *text)
{
	struct fuzz_vm *vm = of(m);

	must(reason == STOP_POWER_OFF || reason == STOP_REBOOT || reason == STOP_PANIC,
	     "a guest stops the machine for a reason that is not its own");
	for (const char *c = text; *c; c++)
		must(*c >= 0x20 && *c <= 0x7e, "what a guest says last cannot be printed");
	vm->stop = reason;
}

static const struct machine_ops machine_ops = {
	.cpu_start = on_cpu_start,
	.cpu_stop_self = on_cpu_stop_self,
	.cpu_stopped = on_cpu_stopped,
	.system_reset = on_system_reset,
	.set_lpcr = on_set_lpcr,
	.hpt_prepare = on_hpt_prepare,
	.hpt_commit = on_hpt_commit,
	.hpt_begin = on_hpt_begin,
	.hpt_end = on_hpt_end,
	.set_process_table = on_set_process_table,
	.stop = on_stop,
};

/* ---- lines and terminals */

static bool on_raise(void *ctx, uint32_t server)
{
	struct fuzz_vm *vm = ctx;

	must(server < vm->machine.nr_cpus, "a line is raised that there is not");
	vm->line[server] = true;
	return server != vm->caller;
}

static void on_lower(void *ctx, uint32_t server)
{
	struct fuzz_vm *vm = ctx;

	must(server < vm->machine.nr_cpus, "a line is lowered that there is not");
	must(vm->parked || server == vm->caller, "a line is lowered on another's thread");
	vm->line[server] = false;
}

static const struct xics_ops xics_ops = {on_raise, on_lower};

static void on_console(void *ctx)
{
	(void)ctx;
}

static void on_console_input(void *ctx)
{
	struct fuzz_vm *vm = ctx;

	xics_pulse(&vm->machine.xics, CONSOLE);
}

static const struct vty_ops console_ops = {on_console, on_console, on_console_input};

/* Each loop's context is its own number: its source. */
static void on_pulse(void *ctx)
{
	xics_pulse(&the_vm.machine.xics, *(const uint32_t *)ctx);
}

static void on_level(void *ctx, bool level)
{
	xics_set_level(&the_vm.machine.xics, *(const uint32_t *)ctx, level);
}

static const struct vty_loop_ops msi_ops = {.pulse = on_pulse};
static const struct vty_loop_ops lsi_ops = {.set_level = on_level};

/* ---- life */

static void init_devices(struct fuzz_vm *vm)
{
	static uint32_t sources[VM_LOOPS];
	struct machine *m = &vm->machine;

	must(!vty_init(&m->vty, &console_ops, vm), "no memory");
	for (size_t i = 0; i < VM_LOOPS; i++) {
		const struct vty_loop_ops *ops = is_lsi[1 + i] ? &lsi_ops : &msi_ops;

		sources[i] = vm_sources[1 + i];
		must(!vty_init_loop(&m->loops[i], ops, &sources[i]), "no memory");
	}
	m->nr_loops = VM_LOOPS;
	rtc_init(&m->rtc);
}

static void init(struct fuzz_vm *vm)
{
	struct machine *m = &vm->machine;

	/* Exactly so much, that ASan sees what goes beyond. */
	m->mem = (struct gmem){.base = calloc(1, VM_MEM), .size = VM_MEM};
	must(m->mem.base && naive_init(&vm->naive, VM_HPT_ORDER, VM_MEM), "no memory");
	must(!hpt_hw_init(&vm->hw, &m->hpt, VM_HPT_ORDER), "no memory");
	vm->hw.looks_work = true;
	m->ops = &machine_ops;
	m->cpu_character = 0x1111;
	m->cpu_behaviour = 0x2222;
	for (size_t i = 0; i < sizeof(m->uuid); i++)
		m->uuid[i] = (uint8_t)(0xa0 + i);
	init_devices(vm);
}

/* One for each number of processors, so that there is nothing behind the last. */
static struct xics xics_for(uint32_t nr_cpus)
{
	static struct xics all[VM_CPUS_MAX + 1];
	struct xics *xics = &all[nr_cpus];

	if (xics->presenters)
		return *xics;
	must(!xics_init(xics, nr_cpus, &xics_ops, &the_vm), "no memory");
	for (size_t i = 0; i < VM_SOURCES; i++)
		must(!xics_add_source(xics, vm_sources[i], is_lsi[i]), "no source");
	return *xics;
}

static void clear_memory(struct fuzz_vm *vm)
{
	for (uint64_t page = 0; page < VM_MEM / VM_PAGE; page++) {
		if (!vm->dirty[page])
			continue;
		memset(vm->machine.mem.base + page * VM_PAGE, 0, VM_PAGE);
		memset(vm->naive.mem + page * VM_PAGE, 0, VM_PAGE);
		vm->dirty[page] = false;
	}
	must(!rtas_load(&vm->machine.mem, RTAS_BASE), "RTAS has no place");
	vm_written(vm, RTAS_BASE, 20);
}

static void clear_table(struct fuzz_vm *vm, struct hpt_slot *slots)
{
	for (uint32_t i = 0; i < vm->nr_touched; i++) {
		uint64_t index = vm->touched[i];

		atomic_store(&slots[index].v, 0);
		atomic_store(&slots[index].r, 0);
		vm->hw.entries[index] = (struct hpte){0};
		vm->naive.entries[index] = (struct naive_entry){0};
	}
	vm->nr_touched = 0;
}

/* But for interrupts. */
static void reset_rest(struct fuzz_vm *vm)
{
	struct machine *m = &vm->machine;

	for (uint32_t i = 0; i < VM_CPUS_MAX; i++)
		vm->stopped[i] = i > 0;
	clear_memory(vm);
	if (m->hpt.slots)
		clear_table(vm, m->hpt.slots);
	vty_reset(&m->vty);
	for (size_t i = 0; i < VM_LOOPS; i++)
		vty_reset(&m->loops[i]);
	m->patb1 = vm->mmu == VM_RADIX ? PATB_GR : 0;
	memset(vm->in_service, 0, sizeof(vm->in_service));
	vm->wild = false;
	vm->caller = 0;
}

void vm_reset(struct fuzz_vm *vm)
{
	vm->parked = true;
	xics_reset(&vm->machine.xics);
	reset_rest(vm);
	vm->parked = false;
}

/*
 * XICS as after power-on. By loading that state: xics_reset() looks at all sources that
 * could be, which takes longer than most runs, and keeps levels. Presenters come first, as
 * xics.h asks for: else an LSI that one of them held stays presented.
 */
static void power_on(struct fuzz_vm *vm)
{
	struct xics *xics = &vm->machine.xics;
	int err = 0;

	for (uint32_t i = 0; i < xics->nr_servers; i++)
		err |= xics_set_presenter(xics, i, ICP_RESET);
	for (size_t i = 0; i < VM_SOURCES; i++)
		err |= xics_set_source(xics, vm_sources[i],
				       SOURCE_MASKED | SOURCE_PRIORITY |
					       (is_lsi[i] ? SOURCE_LSI : 0));
	must(!err, "interrupts cannot be made as after power-on");
	memset(vm->line, 0, sizeof(vm->line));
}

void vm_renew(struct fuzz_vm *vm)
{
	vm->parked = true;
	reset_rest(vm);
	power_on(vm);
	vm->parked = false;
}

struct fuzz_vm *vm_start(uint32_t nr_cpus, enum vm_mmu mmu)
{
	static const struct hpt_backing *backing;
	static struct hpt_slot *slots;
	struct fuzz_vm *vm = &the_vm;
	struct machine *m = &vm->machine;
	char sink[4096];

	if (!m->mem.base) {
		init(vm);
		slots = m->hpt.slots;
		backing = m->hpt.backing;
	}
	clear_table(vm, slots);
	m->hpt.slots = mmu <= VM_HASH_ALONE ? slots : NULL;
	m->hpt.backing = mmu == VM_HASH_BACKED ? backing : NULL;
	vm->naive.backed = mmu == VM_HASH_BACKED;
	m->hpt_order_max = mmu == VM_RADIX ? 0 : 24;
	vm->mmu = mmu;
	m->nr_cpus = nr_cpus;
	m->xics = xics_for(nr_cpus);
	for (uint32_t i = 0; i < nr_cpus; i++) {
		vm->cpus[i].machine = m;
		vm->cpus[i].server = i;
	}
	vm_renew(vm);
	while (vty_output(&m->vty, sink, sizeof(sink)))
		;
	vty_set_drop(&m->vty, false);
	atomic_store(&m->rtc.offset, 0);
	m->trace = NULL;
	vm->saved = false;
	vm->host = 0;
	vm->hpt_gone = false;
	vm->hw.fails_after = vm->naive.fails_after = 0;
	return vm;
}
