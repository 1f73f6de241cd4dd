// SPDX-License-Identifier: GPL-2.0-only
/*
 * Terminals that loop (`--tty loop`, `loop-lsi`): each has an interrupt source of its own,
 * which H_PUT_TERM_CHAR drives from the thread of the processor that calls it.
 */
#include <errno.h>
#include <string.h>

#include "vmm/vm_internal.h"

static void on_pulse(void *ctx)
{
	struct loop_tty *tty = ctx;

	tty->vm->irqchip->pulse(tty->vm, tty->source);
}

static void on_set_level(void *ctx, bool level)
{
	struct loop_tty *tty = ctx;

	tty->vm->irqchip->set_level(tty->vm, tty->source, level);
}

static const struct vty_loop_ops msi_ops = {.pulse = on_pulse};
static const struct vty_loop_ops lsi_ops = {.set_level = on_set_level};

static bool is_lsi(const struct vm *vm, uint32_t n)
{
	return vm->options->lsi_loops >> n & 1;
}

int loop_ttys_create(struct vm *vm, struct why *why)
{
	struct machine *m = &vm->machine;

	for (uint32_t i = 0; i < vm->options->nr_loops; i++) {
		vm->loops[i] = (struct loop_tty){.vm = vm, .source = IRQ_LOOP + i};
		if (vty_init_loop(&m->loops[i], is_lsi(vm, i) ? &lsi_ops : &msi_ops, &vm->loops[i]))
			return why_set(why, -ENOMEM, "no memory for terminals");
		m->nr_loops++;
	}
	vm->platform.nr_loops = m->nr_loops;
	vm->platform.lsi_loops = vm->options->lsi_loops;
	return 0;
}

int loop_ttys_add_sources(struct vm *vm, struct why *why)
{
	for (uint32_t i = 0; i < vm->machine.nr_loops; i++) {
		int err = vm->irqchip->add_source(vm, vm->loops[i].source, is_lsi(vm, i));

		if (err)
			return why_set(why, err, "interrupt source %#x: %s", vm->loops[i].source,
				       strerror(-err));
	}
	return 0;
}

void loop_ttys_reset(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->machine.nr_loops; i++)
		vty_reset(&vm->machine.loops[i]);
}

void loop_ttys_destroy(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->machine.nr_loops; i++)
		vty_fini(&vm->machine.loops[i]);
}
