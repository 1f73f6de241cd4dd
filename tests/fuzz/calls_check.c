// SPDX-License-Identifier: GPL-2.0-only
/* What must hold of the fuzzer's machine, whatever its guest does. */
#include <string.h>

#include "devices/xics/internal.h"
#include "lib/util.h"
#include "tests/fuzz/calls_vm.h"
#include "tests/unit/xics_audit.h"

#define SELDOM 16

void vm_dirty(struct fuzz_vm *vm, uint64_t addr, uint64_t len)
{
	if (!gmem_has(&vm->machine.mem, addr, len))
		return;
	for (uint64_t page = addr / VM_PAGE; len && page <= (addr + len - 1) / VM_PAGE; page++)
		vm->dirty[page] = true;
}

void vm_written(struct fuzz_vm *vm, uint64_t addr, uint64_t len)
{
	if (!gmem_has(&vm->machine.mem, addr, len))
		return;
	memcpy(vm->naive.mem + addr, vm->machine.mem.base + addr, len);
	vm_dirty(vm, addr, len);
}

void vm_poke(struct fuzz_vm *vm, uint64_t addr, const void *from, uint64_t len)
{
	if (!gmem_write(&vm->machine.mem, addr, from, len))
		vm_written(vm, addr, len);
}

void vm_touched(struct fuzz_vm *vm, uint64_t index)
{
	for (uint32_t i = 0; i < vm->nr_touched; i++)
		if (vm->touched[i] == index)
			return;
	must(vm->nr_touched < VM_TOUCHED, "the fuzzer lost count of entries");
	vm->touched[vm->nr_touched++] = index;
}

/* ---- interrupts */

/* Of a guest that ended what was not in service: less is known, but not nothing. */
static void check_wild(struct fuzz_vm *vm)
{
	struct xics *xics = &vm->machine.xics;

	for (uint32_t server = 0; server < xics->nr_servers; server++) {
		struct xics_presenter *icp = presenter_at(xics, server);
		uint64_t word = atomic_load(&icp->word);

		must(icp_is_valid(word), "a presenter's state cannot be");
		must(vm->line[server] || !icp_output(word),
		     "something is pending and the line is down");
	}
	for (size_t i = 0; i < VM_SOURCES; i++)
		must(!(atomic_load(&source_at(xics, vm_sources[i])->word) & SOURCE_LOCKED),
		     "a source is locked");
}

static void check_xics(struct fuzz_vm *vm)
{
	struct xics *xics = &vm->machine.xics;
	const char *fault = NULL;

	if (vm->wild) {
		check_wild(vm);
		return;
	}
	for (uint32_t server = 0; !fault && server < xics->nr_servers; server++)
		fault = audit_presenter(xics, server, vm->line[server]);
	for (size_t i = 0; !fault && i < VM_SOURCES; i++)
		fault = audit_source(xics, vm_sources[i]);
	must(!fault, fault);
}

void vm_check(struct fuzz_vm *vm)
{
	must(!vm->held, "a call does not end the change of the page table that it began");
	must(!vm->hw.fault, vm->hw.fault);
	must(vm->hw.fails_after == vm->naive.fails_after, "the backing is called more or less");
	check_xics(vm);
}

/* ---- at the end */

static void check_entry(struct fuzz_vm *vm, uint64_t index)
{
	const struct hpt *hpt = &vm->machine.hpt;
	const struct naive_entry *n = &vm->naive.entries[index];
	const struct hpte *hw = hpt->backing ? &vm->hw.entries[index] : NULL;
	uint64_t v = atomic_load(&hpt->slots[index].v), r = atomic_load(&hpt->slots[index].r);

	if (hw)
		r |= hw->r & HPTE_R_RC;
	must(v == n->v && (!v || r == n->r), "an entry of the page table is not what it should be");
	must(!hw || (hw->v == n->v && hw->r == n->r),
	     "hardware's entry of the page table is not what it should be");
}

static void check_table(struct fuzz_vm *vm, bool thorough)
{
	if (!vm->machine.hpt.slots)
		return;
	for (uint32_t i = 0; i < vm->nr_touched; i++)
		check_entry(vm, vm->touched[i]);
	for (uint64_t i = 0; thorough && i < vm->naive.count; i++)
		check_entry(vm, i);
}

static void check_memory(struct fuzz_vm *vm, bool thorough)
{
	const uint8_t *mem = vm->machine.mem.base;

	for (uint64_t page = 0; page < VM_MEM / VM_PAGE; page++)
		if (thorough || vm->dirty[page])
			must(!memcmp(mem + page * VM_PAGE, vm->naive.mem + page * VM_PAGE, VM_PAGE),
			     "a call wrote where it may not");
}

/* Take and end all that comes to a processor that takes everything. */
static void drain_server(struct fuzz_vm *vm, uint32_t server, unsigned int *events)
{
	struct xics *xics = &vm->machine.xics;
	uint32_t xirr;

	vm->caller = server;
	xics_ipi(xics, server, server, XICS_MASKED);
	xics_set_cppr(xics, server, 0xff);
	for (;;) {
		xics_accept(xics, server, &xirr);
		if (XICS_XISR(xirr) == XICS_NONE)
			return;
		must(++*events < VM_EVENTS, "interrupts come without end");
		xics_eoi(xics, server, xirr);
		vm_check(vm);
	}
}

/*
 * No interrupt is lost: when devices are quiet, all that is in service is ended, all that
 * is masked let through and all that comes is taken, then every source is at rest.
 */
static void check_nothing_is_lost(struct fuzz_vm *vm)
{
	struct xics *xics = &vm->machine.xics;
	unsigned int events = 0;

	if (vm->wild)
		return;
	for (size_t i = 0; i < VM_SOURCES; i++) {
		xics_set_level(xics, vm_sources[i], false); /* of an MSI, nothing */
		if (vm->in_service[i])
			xics_eoi(xics, vm->caller, vm_sources[i]);
		vm_check(vm);
	}
	for (size_t i = 0; i < VM_SOURCES; i++)
		xics_set_xive(xics, vm_sources[i], (uint32_t)i % xics->nr_servers, (uint8_t)i);
	/* What was pending elsewhere when it was moved comes there, and then again. */
	for (int round = 0; round < 2; round++)
		for (uint32_t server = 0; server < xics->nr_servers; server++)
			drain_server(vm, server, &events);
	for (size_t i = 0; i < VM_SOURCES; i++)
		must(audit_is_idle(xics, vm_sources[i]), "an interrupt is lost");
}

/*
 * Thorough: also what no call should have come near. As it takes long it is done in a few
 * runs only, where a run may be blamed for what one of the SELDOM before it did; a run by
 * itself is always looked at so.
 */
void vm_finish(struct fuzz_vm *vm)
{
	static unsigned int runs;
	bool thorough = runs < SELDOM || runs % SELDOM == 0;

	runs++;
	check_table(vm, thorough);
	check_memory(vm, thorough);
	check_nothing_is_lost(vm);
}
