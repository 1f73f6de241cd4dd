// SPDX-License-Identifier: GPL-2.0-only
/* The monitor's XICS: the model of devices/xics, its lines driven through KVM. */
#include <errno.h>
#include <stdatomic.h>

#include "vmm/irqchip.h"
#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

static void trace(struct vm *vm, uint32_t server, const char *what)
{
	if (trace_wants(vm->machine.trace, TRACE_IRQ))
		trace_line(vm->machine.trace, "cpu %u line %s", server, what);
}

/* KVM itself wakes or interrupts the processor where it sleeps or runs. */
static bool on_raise(void *ctx, uint32_t server)
{
	struct vm *vm = ctx;

	/* Nobody is to see the line before the interrupt; a swap on POWER does not order that. */
	atomic_thread_fence(memory_order_seq_cst);
	kvm_set_line(vm->vcpus[server].fd, true);
	trace(vm, server, "up");
	return vcpu_self != &vm->vcpus[server];
}

static void on_lower(void *ctx, uint32_t server)
{
	struct vm *vm = ctx;

	kvm_set_line(vm->vcpus[server].fd, false);
	/* What is looked at next is looked at with the line down. */
	atomic_thread_fence(memory_order_seq_cst);
	trace(vm, server, "down");
}

static const struct xics_ops ops = {on_raise, on_lower};

static int user_create(struct vm *vm, struct why *why)
{
	int err = xics_init(&vm->machine.xics, vm->nr_vcpus, &ops, vm);

	if (err == -EINVAL)
		return why_set(why, err, "%u processors are more than XICS has servers, %u",
			       vm->nr_vcpus, XICS_SERVERS_MAX);
	return err ? why_set(why, err, "no memory for the interrupt controller") : 0;
}

static void user_destroy(struct vm *vm)
{
	xics_fini(&vm->machine.xics);
}

static int user_add_source(struct vm *vm, uint32_t source, bool lsi)
{
	return xics_add_source(&vm->machine.xics, source, lsi);
}

static int user_pulse(struct vm *vm, uint32_t source)
{
	return xics_pulse(&vm->machine.xics, source);
}

static int user_set_level(struct vm *vm, uint32_t source, bool level)
{
	return xics_set_level(&vm->machine.xics, source, level);
}

static int user_reset(struct vm *vm)
{
	xics_reset(&vm->machine.xics);
	return 0;
}

static int user_get_presenter(struct vm *vm, uint32_t server, uint64_t *state)
{
	return xics_get_presenter(&vm->machine.xics, server, state);
}

static int user_set_presenter(struct vm *vm, uint32_t server, uint64_t state)
{
	return xics_set_presenter(&vm->machine.xics, server, state);
}

static int user_get_source(struct vm *vm, uint32_t source, uint64_t *state)
{
	return xics_get_source(&vm->machine.xics, source, state);
}

static int user_set_source(struct vm *vm, uint32_t source, uint64_t state)
{
	return xics_set_source(&vm->machine.xics, source, state);
}

const struct irqchip irqchip_user = {
	.name = "user",
	.create = user_create,
	.destroy = user_destroy,
	.add_source = user_add_source,
	.pulse = user_pulse,
	.set_level = user_set_level,
	.reset = user_reset,
	.get_presenter = user_get_presenter,
	.set_presenter = user_set_presenter,
	.get_source = user_get_source,
	.set_source = user_set_source,
};
