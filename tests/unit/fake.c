// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/fake.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"

static __attribute__((format(printf, 2, 3))) void note(struct fake *fake, const char *fmt, ...)
{
	size_t len = strlen(fake->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(fake->log + len, sizeof(fake->log) - len, fmt, ap);
	va_end(ap);
}

static struct fake *from_machine(struct machine *machine)
{
	return container_of(machine, struct fake, machine);
}

static int on_cpu_start(struct machine *machine, uint32_t server, uint64_t entry, uint64_t arg)
{
	struct fake *fake = from_machine(machine);

	note(fake, "cpu_start(%u, %#llx, %#llx) ", server, (unsigned long long)entry,
	     (unsigned long long)arg);
	return fake->cpu_start;
}

static void on_cpu_stop_self(struct hcpu *cpu)
{
	note(from_machine(cpu->machine), "cpu_stop_self(%u) ", cpu->server);
}

static int on_cpu_stopped(struct machine *machine, uint32_t server)
{
	struct fake *fake = from_machine(machine);

	note(fake, "cpu_stopped(%u) ", server);
	return fake->cpu_stopped;
}

static int on_system_reset(struct machine *machine, uint32_t server)
{
	struct fake *fake = from_machine(machine);

	note(fake, "system_reset(%u) ", server);
	return fake->system_reset;
}

static int on_set_lpcr(struct hcpu *cpu, uint64_t mask, uint64_t value)
{
	struct fake *fake = from_machine(cpu->machine);

	note(fake, "set_lpcr(%#llx, %#llx) ", (unsigned long long)mask, (unsigned long long)value);
	return fake->set_lpcr;
}

static bool on_hpt_begin(struct hcpu *cpu)
{
	struct fake *fake = from_machine(cpu->machine);

	if (fake->hpt_gone)
		return false;
	fake->hpt_begun++;
	return true;
}

static void on_hpt_end(struct hcpu *cpu)
{
	from_machine(cpu->machine)->hpt_ended++;
}

static int on_set_process_table(struct hcpu *cpu, bool radix, bool gtse, uint64_t patb1)
{
	struct fake *fake = from_machine(cpu->machine);

	note(fake, "set_process_table(%d, %d, %#llx) ", radix, gtse, (unsigned long long)patb1);
	return fake->set_process_table;
}

static void on_stop(struct machine *machine, enum stop_reason reason, const char *text)
{
	note(from_machine(machine), "stop(%s%s%s) ", stop_name(reason), *text ? ": " : "", text);
}

static const struct machine_ops machine_ops = {
	.cpu_start = on_cpu_start,
	.cpu_stop_self = on_cpu_stop_self,
	.cpu_stopped = on_cpu_stopped,
	.system_reset = on_system_reset,
	.set_lpcr = on_set_lpcr,
	.hpt_begin = on_hpt_begin,
	.hpt_end = on_hpt_end,
	.set_process_table = on_set_process_table,
	.stop = on_stop,
};

static bool on_raise(void *ctx, uint32_t server)
{
	struct fake *fake = ctx;

	fake->line[server] = true;
	return server != fake->cpu.server;
}

static void on_lower(void *ctx, uint32_t server)
{
	struct fake *fake = ctx;

	fake->line[server] = false;
}

static void on_vty(void *ctx)
{
	(void)ctx;
}

static const struct xics_ops xics_ops = {on_raise, on_lower};
static const struct vty_ops vty_ops = {on_vty, on_vty, on_vty};

static bool init_xics(struct fake *fake)
{
	struct xics *xics = &fake->machine.xics;
	int err = xics_init(xics, FAKE_CPUS, &xics_ops, fake);

	for (uint32_t i = 0; !err && i < FAKE_NR_SOURCES; i++)
		err = xics_add_source(xics, FAKE_FIRST_SOURCE + i, false);
	return !err;
}

bool fake_init(struct fake *fake, uint64_t mem_size)
{
	struct machine *m = &fake->machine;

	memset(fake, 0, sizeof(*fake));
	m->mem.base = calloc(1, mem_size);
	m->mem.size = mem_size;
	m->ops = &machine_ops;
	m->nr_cpus = FAKE_CPUS;
	m->cpu_character = 0x1111;
	m->cpu_behaviour = 0x2222;
	for (size_t i = 0; i < sizeof(m->uuid); i++)
		m->uuid[i] = (uint8_t)(0xa0 + i);
	rtc_init(&m->rtc);
	fake->cpu = (struct hcpu){.machine = m, .server = 1};
	return m->mem.base && init_xics(fake) && !vty_init(&m->vty, &vty_ops, fake);
}

void fake_fini(struct fake *fake)
{
	free(fake->machine.mem.base);
	xics_fini(&fake->machine.xics);
	vty_fini(&fake->machine.vty);
	hpt_fini(&fake->machine.hpt);
}

int64_t fake_hcall(struct fake *fake, uint64_t nr, uint64_t args[HCALL_ARGS])
{
	return hcall_dispatch(&fake->cpu, nr, args);
}
