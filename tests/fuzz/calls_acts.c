// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/calls_acts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "devices/xics/internal.h"
#include "devices/xics/xics_fdt.h"
#include "hcall/papr.h"
#include "hcall/rtas_fdt.h"
#include "lib/util.h"
#include "mmu/translate.h"
#include "tests/fuzz/calls_args.h"

typedef void act_fn(struct fuzz_vm *vm, struct input *in);

/* ---- devices */

static uint32_t draw_source(struct input *in)
{
	return vm_sources[draw(in) % VM_SOURCES];
}

static void act_pulse(struct fuzz_vm *vm, struct input *in)
{
	uint32_t source = draw_source(in);
	int i = vm_source(source);
	uint64_t state;

	if (xics_pulse(&vm->machine.xics, source) || vm->wild)
		return; /* an LSI */
	xics_get_source(&vm->machine.xics, source, &state);
	must(state & (vm->in_service[i] ? SOURCE_QUEUED : SOURCE_PRESENTED), "an edge is lost");
}

static void act_level(struct fuzz_vm *vm, struct input *in)
{
	uint8_t what = draw(in);

	xics_set_level(&vm->machine.xics, vm_sources[what / 2 % VM_SOURCES], what & 1);
}

static void act_console_input(struct fuzz_vm *vm, struct input *in)
{
	static const uint8_t text[4096];
	uint8_t len = draw(in);

	vty_input(&vm->machine.vty, text, len & 0x80 ? sizeof(text) : len);
}

static void act_console_output(struct fuzz_vm *vm, struct input *in)
{
	uint8_t sink[256];

	vty_output(&vm->machine.vty, sink, draw(in));
}

static void act_console_drop(struct fuzz_vm *vm, struct input *in)
{
	uint64_t before = vty_dropped(&vm->machine.vty);

	vty_set_drop(&vm->machine.vty, draw(in) & 1);
	must(vty_dropped(&vm->machine.vty) == before, "setting drops");
}

/* ---- state of interrupts, with all processors parked */

static void act_save(struct fuzz_vm *vm, struct input *in)
{
	struct xics *xics = &vm->machine.xics;
	int err = 0;

	(void)in;
	for (uint32_t i = 0; i < xics->nr_servers; i++)
		err |= xics_get_presenter(xics, i, &vm->saved_presenters[i]);
	for (size_t i = 0; i < VM_SOURCES; i++)
		err |= xics_get_source(xics, vm_sources[i], &vm->saved_sources[i]);
	must(!err, "state cannot be saved");
	memcpy(vm->saved_in_service, vm->in_service, sizeof(vm->in_service));
	vm->saved = !vm->wild;
}

/*
 * An LSI that was in service comes again, so it is not then. The presenters come first,
 * as xics.h asks for.
 */
static void act_restore(struct fuzz_vm *vm, struct input *in)
{
	struct xics *xics = &vm->machine.xics;
	int err = 0;

	(void)in;
	if (!vm->saved)
		return;
	vm->parked = true;
	xics_reset(xics);
	for (uint32_t i = 0; i < xics->nr_servers; i++)
		err |= xics_set_presenter(xics, i, vm->saved_presenters[i]);
	for (size_t i = 0; i < VM_SOURCES; i++) {
		err |= xics_set_source(xics, vm_sources[i], vm->saved_sources[i]);
		vm->in_service[i] = vm->saved_in_service[i] && !(vm->saved_sources[i] & SOURCE_LSI);
	}
	must(!err, "state that was saved cannot be loaded");
	vm->parked = false;
	vm->wild = false;
}

/* Any state: what is taken must be one that can be, but not one that goes with the rest. */
static void act_load(struct fuzz_vm *vm, struct input *in)
{
	struct xics *xics = &vm->machine.xics;
	uint8_t what = draw(in);
	uint64_t state = draw_bytes(in, 8);
	uint32_t server = what % (xics->nr_servers + 1);

	vm->parked = true;
	if (what & 0x80 ? !xics_set_source(xics, vm_sources[what % VM_SOURCES], state)
			: !xics_set_presenter(xics, server, state))
		vm->wild = true;
	vm->parked = false;
}

static void act_counters(struct fuzz_vm *vm, struct input *in)
{
	struct xics *xics = &vm->machine.xics;
	struct xics_presenter_counters p;
	struct xics_source_counters s;
	uint8_t what = draw(in);
	uint32_t server = what % (xics->nr_servers + 1);

	must(xics_presenter_counters(xics, server, &p) == (server < xics->nr_servers ? 0 : -EINVAL),
	     "counters of a server that there is not");
	must(xics_source_counters(xics, what, &s) == (vm_source(what) >= 0 ? 0 : -EINVAL),
	     "counters of a source that there is not");
}

static void act_reset(struct fuzz_vm *vm, struct input *in)
{
	(void)in;
	vm_reset(vm);
}

/* ---- the host */

static void act_host(struct fuzz_vm *vm, struct input *in)
{
	static const int answers[] = {-EINVAL, -ENXIO, -ENOSPC, -EBUSY, -ENOMEM,
				      -EIO,    1,      9,	500,	1000000};

	vm->host = answers[draw(in) % ARRAY_SIZE(answers)];
}

/* The next call of the page table, or one of its parts, fails. */
static void act_table_fails(struct fuzz_vm *vm, struct input *in)
{
	uint8_t what = draw(in);

	vm->refuses = what & 0x40;
	if (what & 0x80)
		vm->hpt_gone = true;
	else if (vm->mmu == VM_HASH_BACKED)
		vm->hw.fails_after = vm->naive.fails_after = 1 + what % 2;
}

/* A processor uses a translation. */
static void act_touch(struct fuzz_vm *vm, struct input *in)
{
	uint64_t index = args_draw(vm, in, ARG_PTEX) % vm->naive.count, pp, rc = HPTE_R_RC;
	struct naive_entry *n = &vm->naive.entries[index];

	if (vm->mmu != VM_HASH_BACKED || !n->v)
		return;
	/* Where nobody may write, nothing is changed. */
	pp = n->r & (HPTE_R_PP0 | HPTE_R_PP);
	if (pp == 3 || pp == (HPTE_R_PP0 | 2))
		rc = HPTE_R_R;
	hpt_hw_touch(&vm->hw, index, rc);
	n->r |= rc;
}

/* An entry as a live machine's table has it, and what people see of it. */
static void act_load_entry(struct fuzz_vm *vm, struct input *in)
{
	uint64_t index = args_draw(vm, in, ARG_PTEX);
	struct hpte entry = {args_draw(vm, in, ARG_PTE), args_draw(vm, in, ARG_PTE)}, seen;
	struct hpt *hpt = &vm->machine.hpt;

	if (!hpt->slots)
		return;
	if (index < hpt_count(hpt) && vm->mmu == VM_HASH_ALONE) {
		bool valid = entry.v & HPTE_V_VALID;

		entry.v &= ~(HPTE_V_LOCKED | HPTE_V_ABSENT);
		entry.r &= ~HPTE_R_TS;
		hpt_load(hpt, index, entry);
		vm_touched(vm, index);
		vm->naive.entries[index] =
			(struct naive_entry){valid ? entry.v : 0, valid ? entry.r : 0};
	}
	seen = hpt_peek(hpt, index);
	must(index < hpt_count(hpt) ? seen.v == vm->naive.entries[index].v : !seen.v,
	     "people see another entry than there is");
}

/* ---- memory, and people who look */

static void act_poke(struct fuzz_vm *vm, struct input *in)
{
	uint64_t addr = args_draw(vm, in, ARG_ADDRESS);
	be64_t value = be64(args_draw(vm, in, ARG_PTE));

	vm_poke(vm, addr, &value, sizeof(value));
}

static int read_entry(void *ctx, uint64_t index, struct hpte *entry)
{
	struct fuzz_vm *vm = ctx;

	must(index < vm->naive.count, "an entry is looked for behind the page table");
	*entry = (struct hpte){vm->naive.entries[index].v, vm->naive.entries[index].r};
	return 0;
}

static void translate_hash(struct fuzz_vm *vm, struct input *in)
{
	static struct hash_mmu mmu = {.read = read_entry};
	struct translation t;
	uint8_t what = draw(in);
	uint64_t ea = draw_bytes(in, 1 + what % 4) << (what & 0x80 ? 12 : 0);
	int err;

	mmu.order = VM_HPT_ORDER;
	mmu.ctx = vm;
	mmu.slb[what / 4 % 4] = (struct slb_entry){
		.rb = 0x8000000ull | (ea & ~0xfffffffull),
		.rs = (uint64_t)(what >> 6 & 1) << 62 |
		      (uint64_t)(what & 3) << (what & 0x40 ? 24 : 12) |
		      (uint64_t)(draw(in) & 0x13) << 4,
	};
	err = hash_translate(&mmu, ea, &t);
	memset(mmu.slb, 0, sizeof(mmu.slb));
	must(!err || err == -EFAULT || err == -EINVAL, "looking for a page fails otherwise");
	if (!err)
		must((t.hash.entry.v & HPTE_V_VALID) && !((t.real ^ ea) << (64 - t.page_shift)),
		     "a page is found that is not there");
}

/* A tree of one level or more below what the process table says, and a table for it. */
static void act_plant(struct fuzz_vm *vm, struct input *in)
{
	uint8_t what = draw(in);
	uint64_t table = 0x10000, root = 0x20000 + (what & 7) * 0x1000, bits = 31 + (what >> 3);
	uint64_t size = 9 + draw(in) % 8;
	be64_t entry = be64((bits - 31) >> 3 << 61 | ((bits - 31) & 7) << 5 | root | size);

	vm_poke(vm, table, &entry, sizeof(entry));
	/* Each level's first entry leads to the next; which is the leaf depends. */
	for (uint64_t at = root; bits > 12 && at < root + 4 * VM_PAGE; at += VM_PAGE) {
		bits -= size;
		size = 5 + draw(in) % 12;
		entry = be64((uint64_t)(2 | (draw(in) & 1)) << 62 | (at + VM_PAGE) | size);
		vm_poke(vm, at, &entry, sizeof(entry));
	}
	vm->machine.patb1 = PATB_GR | table | (what & 0xc);
}

static void act_translate(struct fuzz_vm *vm, struct input *in)
{
	struct radix_mmu mmu = {&vm->machine.mem, vm->machine.patb1, 0};
	struct translation t;
	uint8_t what;
	uint64_t ea;
	int err;

	if (vm->mmu != VM_RADIX) {
		translate_hash(vm, in);
		return;
	}
	what = draw(in);
	mmu.pid = what & 7;
	ea = (uint64_t)(what >> 6) << 62 | draw_bytes(in, 1 + (what >> 3) % 8);
	err = radix_translate(&mmu, ea, &t);
	must(!err || err == -EFAULT || err == -EINVAL, "looking for a page fails otherwise");
	must(t.radix.levels <= RADIX_LEVELS, "a tree is deeper than there are");
	must(err || !((t.real ^ ea) << (64 - t.page_shift)), "a page is not where it is");
}

static void act_tree(struct fuzz_vm *vm, struct input *in)
{
	static uint8_t buf[8192];
	uint8_t what = draw(in);
	struct fdtw w;
	int err;

	fdtw_start(&w, buf, what & 0x80 ? sizeof(buf) : 64 + what * 8, 0, VM_PAGE);
	rtas_fdt(&w, 0xff000, VM_MEM, vm->machine.nr_cpus, what & 1, what & 2);
	xics_fdt(&w, vm->machine.nr_cpus, 1);
	vty_fdt(&w, VTY_UNIT_ADDRESS, vm_sources[0], false);
	err = fdtw_finish(&w);
	must(!err || err == -ENOSPC, "the device tree fails");
	must(err || what & 0x80 || what > 100, "the device tree fits where it cannot");
}

/* The table and the real mode area of a machine. */
static void act_sizes(struct fuzz_vm *vm, struct input *in)
{
	uint64_t size = 1ull << draw(in) % 64 | draw(in);
	uint32_t order = hpt_order_for(size), shift = 12 + draw(in) % 23;

	(void)vm;
	must(order >= HPT_ORDER_MIN && order <= HPT_ORDER_MAX, "a table of a size that cannot be");
	must(order == HPT_ORDER_MAX || (size >> order) <= 128, "a table is too small");
	must(hpt_vrma_size(order, shift) >= 1ull << shift, "real mode reaches no page");
}

static void act_trace(struct fuzz_vm *vm, struct input *in)
{
	static struct trace trace = {.fd = -1};

	if (trace.fd < 0)
		trace.fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	trace.kinds = draw(in);
	vm->machine.trace = trace.kinds & 1 ? &trace : NULL;
}

static act_fn *const acts[] = {
	act_pulse, act_level,	  act_console_input, act_console_output, act_console_drop,
	act_save,  act_restore,	  act_load,	     act_counters,	 act_reset,
	act_host,  act_touch,	  act_table_fails,   act_load_entry,	 act_poke,
	act_poke,  act_translate, act_translate,     act_tree,		 act_trace,
	act_plant, act_sizes,
};

void act(struct fuzz_vm *vm, struct input *in, uint8_t which)
{
	acts[which % ARRAY_SIZE(acts)](vm, in);
}
