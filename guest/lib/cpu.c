// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs, as /cpus lists them and RTAS starts and stops them.
 *
 * LOCKING: none. cpus[] is filled before a second CPU runs; later one CPU at a time
 * starts or stops a given other, which is the program's business. start-cpu orders
 * what was written before it ahead of what the started CPU reads.
 */
#include "cpu.h"
#include "console.h"
#include "dt.h"
#include "rtas.h"

struct cpu cpus[MAX_CPUS];
int ncpus;

static u8 stacks[MAX_CPUS][STACK_SIZE] __attribute__((aligned(16)));
static u32 tb_frequency;

void cpu_entry(void);
void cpu_started(struct cpu *cpu) __attribute__((noreturn));

static void add(u32 server)
{
	struct cpu *cpu = &cpus[ncpus];

	if (ncpus == MAX_CPUS)
		return;
	cpu->server = server;
	cpu->stack = (u64)stacks[ncpus] + STACK_SIZE;
	if (server == dt_boot_server())
		set_this_cpu(cpu);
	ncpus++;
}

void cpu_init(void)
{
	int node, parent = dt_find("/cpus");

	set_this_cpu(&cpus[0]);
	if (parent == NO_NODE)
		return;
	for (node = dt_child(parent, NO_NODE); node != NO_NODE; node = dt_child(parent, node)) {
		u32 len, i;
		const be32_t *servers = dt_prop(node, "ibm,ppc-interrupt-server#s", &len);

		if (!dt_is(node, "device_type", "cpu"))
			continue;
		if (!servers)
			servers = dt_prop(node, "reg", &len);
		for (i = 0; servers && i < len / 4; i++)
			add(be32_get(servers[i]));
		tb_frequency = dt_u32(node, "timebase-frequency", 0);
	}
}

int cpu_start_server(u32 server, struct cpu *cpu)
{
	return rtas_call("start-cpu", 3, 1, NULL, server, (u32)(u64)cpu_entry, (u32)(u64)cpu);
}

int cpu_start(struct cpu *cpu, void (*fn)(struct cpu *cpu), u64 arg)
{
	cpu->fn = fn;
	cpu->arg = arg;
	return cpu_start_server(cpu->server, cpu);
}

void cpu_started(struct cpu *cpu)
{
	cpu->start_msr = mfmsr();
	cpu->fn(cpu);
	cpu_stop();
}

void cpu_stop(void)
{
	irq_off();
	rtas_stop_self();
	printf("server %u: stop-self came back\n", this_cpu()->server);
	rtas_os_term("stop-self came back");
}

int cpu_state(u32 server)
{
	u32 state;
	int status = rtas_call("query-cpu-stopped-state", 1, 2, &state, server);

	return status ? status : (int)state;
}

/* Is it still less than ten seconds since @start? */
static bool patient(u64 start)
{
	return timebase() - start < 10ul * tb_frequency;
}

bool cpu_wait_state(struct cpu *cpu, int state)
{
	u64 start = timebase();

	while (cpu_state(cpu->server) != state)
		if (!patient(start))
			return false;
	return true;
}

bool wait_for(volatile u64 *what, u64 value)
{
	u64 start = timebase();

	while (*what != value)
		if (!patient(start))
			return false;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return true;
}

u32 timebase_frequency(void)
{
	return tb_frequency;
}

void delay_us(u64 us)
{
	u64 start = timebase();

	while (timebase() - start < us * tb_frequency / 1000000)
		;
}
