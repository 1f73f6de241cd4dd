// SPDX-License-Identifier: GPL-2.0-only
/*
 * hpt-digest: a sequence of page table calls, valid, on the edge and rubbish, with accesses
 * through the table in between, that is the same for the same seed. A digest of all answers
 * must be the same whoever serves the calls; besides, each answer must be the one that a
 * plain model of the table here expects. Boot arguments: "calls=N", "seed=S". Every CPU
 * runs a sequence of its own, in groups of the table of its own, and prints
 * "hpt-digest: cpu=C seed=S at=N digest=D" after each tenth of it.
 *
 * What the kernel and the monitor may answer differently is not asked, or not looked at:
 * EXCLUDED in digest/digest.h, and docs/HPT.md.
 */
#include "digest/digest.h"

struct machine machine;

static struct run runs[MAX_RUNS];
static u8 memory[MAX_RUNS][WINDOW * (SEGMENTS * 0x1000 + 0x10000)] __attribute__((aligned(65536)));
static u64 calls;

static void step(struct run *run)
{
	/* The table fills and empties in turns, so that groups are full at times. */
	bool fill = run->calls / 256 % 2 == 0;

	switch (below(run, 16)) {
	case 0:
	case 1:
	case 2:
		enter_page(run);
		break;
	case 3:
		enter_rubbish(run);
		break;
	case 4:
	case 5:
		if (fill)
			enter_rubbish(run);
		else
			bulk_remove(run);
		break;
	case 6:
		remove(run);
		break;
	case 7:
		bulk_remove(run);
		break;
	case 8:
		protect(run);
		break;
	case 9:
		read(run);
		break;
	case 10:
		clear(run);
		break;
	default:
		touch(run);
	}
}

static void add_page(struct run *run, u32 segment, u64 p, u32 shift, u64 real)
{
	run->where[run->npages] = NO_PAGE;
	run->pages[run->npages++] = (struct vpage){
		.ea = (u64)(16 + segment) << 28 | p << shift,
		.vsid = run->first[0] | (u64)(segment + 1) << 28,
		.shift = shift,
		.real = real,
	};
}

/*
 * Its groups are in the middle of what real mode takes last, its pages have their first
 * groups in the first window and their other ones in the second.
 */
static void prepare(struct run *run, u64 n)
{
	u64 mask = machine.nentries / GROUP - 1, real = (u64)memory[n], p;
	u64 vrma = HPT_VRMA_VSID ^ HPT_VRMA_VSID << 25;
	u32 s;
	int i;

	run->seed = dt_bootarg_number("seed", 1) + n;
	run->random = (run->seed + 1) * 0x9e3779b97f4a7c15ul | 1;
	run->first[0] = ((mask / 2 + 1 + n * WINDOW) ^ vrma) & mask & ~(u64)(WINDOW - 1);
	run->first[1] = ~run->first[0] & mask & ~(u64)(WINDOW - 1);
	for (s = 0; machine.has_64k && s < 1; s++)
		for (p = 0; p < WINDOW; p++, real += 0x10000)
			add_page(run, SEGMENTS, p, 16, real);
	for (s = 0; s < SEGMENTS; s++)
		for (p = 0; p < WINDOW; p++, real += 0x1000)
			add_page(run, s, p, 12, real);
	for (i = 0; i < ENTRIES; i++) {
		struct hcall h = {{H_READ, 0, index_of(run, i)}};

		hcall_do(&h);
		run->table[i].page = NO_PAGE;
		run->table[i].foreign = h.r[1] & HPTE_V_VALID;
		run->table[i].v = run->table[i].foreign ? h.r[1] : 0;
	}
}

static void run_all(struct run *run)
{
	u64 n = (u64)(run - runs), at, i;

	hpt_init();
	prepare(run, n);
	for (i = 0; i < (u64)run->npages; i += WINDOW)
		hpt_set_segment(&run->pages[i], (u32)(i / WINDOW));
	for (at = 1; at <= 10; at++) {
		while (run->calls < calls * at / 10)
			step(run);
		printf("hpt-digest: cpu=%lu seed=%lu at=%lu digest=%016lx\n", n, run->seed,
		       run->calls, run->digest);
	}
	atomic_set(&run->done, 1);
}

static void report(const struct run *run)
{
	printf("hpt-digest: cpu=%lu %lu good %lu refused %lu missed %lu full, %lu accesses %lu "
	       "faults\n",
	       (u64)(run - runs), run->good, run->refused, run->missed, run->full, run->accesses,
	       run->faults);
}

static void other_cpu(struct cpu *cpu)
{
	run_all(&runs[cpu->arg]);
}

static struct cpu *nth_cpu(int n)
{
	return &cpus[n] == this_cpu() ? &cpus[0] : &cpus[n];
}

int main(void)
{
	int n, nruns = ncpus < MAX_RUNS ? ncpus : MAX_RUNS;
	u64 sum = text_sum(), wrong = 0;
	bool all = true;

	if (!check("this is a hash guest", !dt_radix()))
		return 1;
	calls = dt_bootarg_number("calls", CALLS);
	machine.nentries = 8ul << hpt_group_bits();
	machine.memory_end = dt_memory_end();
	machine.lost = processor_version() >= PVR_POWER9 ? AVPN_HIGH : 0;
	machine.has_64k = hpt_has_64k(&(u64){0});
	for (n = 1; n < nruns; n++)
		if (cpu_start(nth_cpu(n), other_cpu, (u64)n))
			return !check("all CPUs start", false);
	run_all(&runs[0]);
	for (n = 0; n < nruns; n++) {
		while (!atomic_get(&runs[n].done))
			delay_us(1000);
		report(&runs[n]);
		wrong += runs[n].wrong;
		all &= runs[n].refused && runs[n].missed && runs[n].full && runs[n].faults;
	}
	printf("hpt-digest: %d cpus %lu calls each, pages of %s\n", nruns, calls,
	       machine.has_64k ? "4K and 64K" : "4K");
	/* Fewer calls may be too few for that. */
	if (calls >= CALLS)
		check("answers of every kind came", all);
	check_eq("each answer is the expected one", (long)wrong, 0);
	check("code and constants are as they were", text_sum() == sum);
	return 0;
}
