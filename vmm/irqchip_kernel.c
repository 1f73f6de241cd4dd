// SPDX-License-Identifier: GPL-2.0-only
/*
 * KVM's XICS (Documentation/virt/kvm/devices/xics.rst): on POWER9 hosts and later one
 * over XIVE, else arch/powerpc/kvm/book3s_xics.c. The kernel serves the hypercalls and
 * the RTAS calls of sources by itself.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "hcall/rtas.h"
#include "vmm/irqchip.h"
#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

/* The services that the kernel knows by name. */
static bool is_served_by_kernel(const char *service)
{
	return !strcmp(service, "ibm,set-xive") || !strcmp(service, "ibm,get-xive") ||
	       !strcmp(service, "ibm,int-on") || !strcmp(service, "ibm,int-off");
}

static int define_tokens(struct vm *vm)
{
	const struct rtas_service *service;
	uint32_t token;
	int err = 0;

	for (size_t n = 0; !err && (service = rtas_nth(n, &token)); n++)
		if (is_served_by_kernel(service->name))
			err = kvm_define_rtas_token(vm->vm_fd, service->name, token);
	return err;
}

static int kernel_create(struct vm *vm, struct why *why)
{
	int err;

	vm->irqchip_fd = kvm_create_device(vm->vm_fd, KVM_DEV_TYPE_XICS);
	if (vm->irqchip_fd < 0)
		return why_set(why, vm->irqchip_fd, "this host's KVM has no XICS: %s",
			       strerror(-vm->irqchip_fd));
	/* What there is to set only over XIVE, which else keeps room for 2048. */
	kvm_set_attr(vm->irqchip_fd, KVM_DEV_XICS_GRP_CTRL, KVM_DEV_XICS_NR_SERVERS, &vm->nr_vcpus);
	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		err = kvm_connect_xics(vm->vcpus[i].fd, vm->irqchip_fd, i);
		if (err)
			return why_set(why, err, "cannot connect processor %u to KVM's XICS: %s", i,
				       strerror(-err));
	}
	err = define_tokens(vm);
	return err ? why_set(why, err, "KVM_PPC_RTAS_DEFINE_TOKEN: %s", strerror(-err)) : 0;
}

static void kernel_destroy(struct vm *vm)
{
	if (vm->irqchip_fd >= 0)
		close(vm->irqchip_fd);
}

static int kernel_get_presenter(struct vm *vm, uint32_t server, uint64_t *state)
{
	if (server >= vm->nr_vcpus)
		return -EINVAL;
	return kvm_get_reg(vm->vcpus[server].fd, KVM_REG_PPC_ICP_STATE, state);
}

static int kernel_set_presenter(struct vm *vm, uint32_t server, uint64_t state)
{
	if (server >= vm->nr_vcpus)
		return -EINVAL;
	return kvm_set_reg64(vm->vcpus[server].fd, KVM_REG_PPC_ICP_STATE, state);
}

static int kernel_get_source(struct vm *vm, uint32_t source, uint64_t *state)
{
	return kvm_get_attr(vm->irqchip_fd, KVM_DEV_XICS_GRP_SOURCES, source, state);
}

static int kernel_set_source(struct vm *vm, uint32_t source, uint64_t state)
{
	return kvm_set_attr(vm->irqchip_fd, KVM_DEV_XICS_GRP_SOURCES, source, &state);
}

#define SOURCE_RESET (KVM_XICS_MASKED | (uint64_t)XICS_MASKED << KVM_XICS_PRIORITY_SHIFT)

static int kernel_add_source(struct vm *vm, uint32_t source, bool lsi)
{
	return kernel_set_source(vm, source, SOURCE_RESET | (lsi ? KVM_XICS_LEVEL_SENSITIVE : 0));
}

static int kernel_pulse(struct vm *vm, uint32_t source)
{
	return kvm_irq_line(vm->vm_fd, source, true);
}

static int kernel_set_level(struct vm *vm, uint32_t source, bool level)
{
	return kvm_irq_line(vm->vm_fd, source, level);
}

/* A device still drives its line. */
static int reset_source(struct vm *vm, uint32_t source)
{
	uint64_t state, kept = 0;
	int err = kernel_get_source(vm, source, &state);

	if (err)
		return err;
	if (state & KVM_XICS_LEVEL_SENSITIVE)
		kept = state & (KVM_XICS_LEVEL_SENSITIVE | KVM_XICS_PENDING);
	return kernel_set_source(vm, source, SOURCE_RESET | kept);
}

static int kernel_reset(struct vm *vm)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < vm->nr_sources; i++)
		err = reset_source(vm, IRQ_FIRST + i);
	for (uint32_t i = 0; !err && i < vm->nr_vcpus; i++)
		err = kernel_set_presenter(vm, i, ICP_RESET);
	return err;
}

const struct irqchip irqchip_kernel = {
	.name = "kernel",
	.create = kernel_create,
	.destroy = kernel_destroy,
	.add_source = kernel_add_source,
	.pulse = kernel_pulse,
	.set_level = kernel_set_level,
	.reset = kernel_reset,
	.get_presenter = kernel_get_presenter,
	.set_presenter = kernel_set_presenter,
	.get_source = kernel_get_source,
	.set_source = kernel_set_source,
};
