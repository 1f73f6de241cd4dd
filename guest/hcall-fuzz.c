// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: hypercalls and RTAS calls drawn from a seed, on every CPU, between acts that make
 * state; after each call registers, memory and the answer are looked at. docs/FUZZING.md.
 *
 * Boot arguments: "seed=S", "calls=N" for each CPU; "only=FAMILY", "without=CALL+CALL";
 * "keep=A-B,C" makes these of the calls and leaves out the others; "trace" tells each call before
 * it is made and waits "slow=MS"; "kernel-xics" leaves out what KVM's XICS is known to get wrong,
 * and "known" does not; "plant=I" does harm with call I, for the driver to find: to memory beside
 * what calls may change, or with "harm=page" elsewhere, or by "harm=registers" or "harm=answer";
 * "agree" asks what KVM and the monitor answer alike.
 *
 * LOCKING: a CPU's fuzzer is its own, but for the atomics `stopped` and `done`.
 */
#include "fuzz/fuzz.h"

#define CALLS  2000
#define ACT_IN 8    /* calls, one act */
#define ALL_IN 1000 /* calls, one look at all memory */

struct settings set;
struct fuzzer fuzzers[MAX_FUZZERS];
int nfuzzers;

static u64 text;

struct fuzzer *this_fuzzer(void)
{
	return &fuzzers[this_cpu() - cpus];
}

/* Each index has random numbers of its own, whatever came before it. */
static void reseed(struct fuzzer *f)
{
	/* splitmix64 */
	u64 z = f->seed * 0xd1342543de82ef95ul + (f->index + 1) * 0x9e3779b97f4a7c15ul;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ul;
	z = (z ^ z >> 27) * 0x94d049bb133111ebul;
	f->random = (z ^ z >> 31) | 1;
}

static void give_up(const struct fuzzer *f, const char *why) __attribute__((noreturn));
static void give_up(const struct fuzzer *f, const char *why)
{
	printf("hcall-fuzz: FOUND cpu=%u index=%lu: %s\n", this_cpu()->server, f->index, why);
	rtas_os_term("hcall-fuzz found something");
}

/* All memory takes as long as hundreds of calls: not at each look of a short run. */
static void look(struct fuzzer *f)
{
	if (f->issued - f->looked >= ALL_IN || f->index == set.calls) {
		f->looked = f->issued;
		if (!guard_all())
			give_up(f, "memory changed that no call was given");
		if (text_sum() != text)
			give_up(f, "code or constants changed");
	}
	printf("hcall-fuzz: cpu=%u at=%lu issued=%lu digest=%016lx\n", this_cpu()->server, f->index,
	       f->issued, f->digest);
}

/* For a test of the fuzzer itself. A wrong answer is issue()'s. */
static void do_harm(void)
{
	if (set.harm_registers)
		__asm__ volatile("xxlxor 40,40,41");
	else if (!set.harm_answer)
		guard_break(set.harm_page);
}

static void step(struct fuzzer *f)
{
	u64 start = timebase();
	const char *why;
	struct drawn d;

	reseed(f);
	if (!kept(f->index))
		return;
	if (one_in(f, ACT_IN)) {
		act(f);
		return;
	}
	draw_call(f, &d);
	if (f->index == set.plant)
		do_harm();
	why = issue(f, &d);
	if (why)
		give_up(f, why);
	f->ticks[d.call - calls] += timebase() - start;
}

void fuzz_cpu(struct cpu *cpu)
{
	struct fuzzer *f = &fuzzers[cpu - cpus];
	u64 part = set.calls < 10 ? 1 : set.calls / 10;

	atomic_set(&f->stopped, 0);
	extended_fill();
	if (!dt_radix())
		hpt_set_segment(&(struct vpage){.ea = FUZZ_EA, .vsid = fuzz_vsid(f), .shift = 12},
				0);
	while (f->index < set.calls) {
		step(f);
		f->index++;
		if (f->index % part == 0 && f->index < set.calls)
			look(f);
	}
	/* Here, for the last step may have been to stop. */
	look(f);
	atomic_set(&f->done, 1);
}

static u64 ticks_to_us(u64 ticks)
{
	return ticks * 1000000 / timebase_frequency();
}

static void print_pairs(int n)
{
	u64 left = 0, us = 0;
	int i, k;

	for (i = 0; i < nfuzzers; i++) {
		left += fuzzers[i].codes[n][0].count;
		us += ticks_to_us(fuzzers[i].ticks[n]);
	}
	if (!left)
		return;
	/* All processors draw at the same time. */
	printf("hcall-fuzz: pairs %s %s %s us=%lu", calls[n].name, family_name(calls[n].family),
	       server_name(calls[n].by), us / (u64)nfuzzers);
	/* A code may come more than once: each CPU has its own. */
	for (i = 0; i < nfuzzers; i++)
		for (k = 0; k < MAX_CODES && fuzzers[i].codes[n][k].count; k++)
			printf(" %ld=%lu", fuzzers[i].codes[n][k].code,
			       fuzzers[i].codes[n][k].count);
	printf("\n");
}

static void report(u64 start)
{
	u64 us = ticks_to_us(timebase() - start), issued = 0;
	static struct fuzzer sum;
	int i;

	for (i = 0; i < nfuzzers; i++) {
		issued += fuzzers[i].issued;
		sum.interrupts += fuzzers[i].interrupts;
		sum.faults += fuzzers[i].faults;
		sum.resets += fuzzers[i].resets;
		sum.accesses += fuzzers[i].accesses;
		sum.restarts += fuzzers[i].restarts;
	}
	for (i = 0; i < ncalls; i++)
		print_pairs(i);
	printf("hcall-fuzz: acts accesses=%lu faults=%lu interrupts=%lu resets=%lu restarts=%lu\n",
	       sum.accesses, sum.faults, sum.interrupts, sum.resets, sum.restarts);
	printf("hcall-fuzz: done issued=%lu us=%lu\n", issued, us);
}

/* False: it cannot be. */
static bool read_settings(void)
{
	const char *s = dt_bootargs();
	size_t n;

	set.seed = dt_bootarg_number("seed", 1);
	set.calls = dt_bootarg_number("calls", CALLS);
	set.plant = dt_bootarg_number("plant", ~0ul);
	set.harm_page = dt_bootarg("harm=page");
	set.harm_registers = dt_bootarg("harm=registers");
	set.harm_answer = dt_bootarg("harm=answer");
	set.slow = dt_bootarg_number("slow", 0);
	set.trace = dt_bootarg("trace");
	set.kernel_xics = dt_bootarg("kernel-xics");
	set.known = dt_bootarg("known");
	set.agree = dt_bootarg("agree");
	set.only = -1;
	while (*s && strncmp(s, "only=", 5))
		s++;
	if (!*s)
		return true;
	for (n = 0, s += 5; s[n] && s[n] != ' ';)
		n++;
	set.only = family_of(s, n);
	return set.only >= 0;
}

/* Start the others that stopped themselves until all have come to their end. */
static void wait_for_all(struct fuzzer *f)
{
	int i;

	for (i = 0; i < nfuzzers; i++)
		while (!atomic_get(&fuzzers[i].done)) {
			reseed(f);
			f->index++;
			start_stopped(f);
		}
}

int main(void)
{
	u64 start;
	int i, boot = (int)(this_cpu() - cpus);

	nfuzzers = ncpus < MAX_FUZZERS ? ncpus : MAX_FUZZERS;
	if (!read_settings()) {
		printf("hcall-fuzz: no such family of calls\n");
		return 1;
	}
	if (!keep_init() || !table_init() || boot >= nfuzzers) {
		printf("hcall-fuzz: the command line leaves nothing to do\n");
		return 1;
	}
	devices_init();
	draw_init();
	guard_init();
	hpt_init();
	acts_init();
	set.may_stop = nfuzzers > 1;
	text = text_sum();
	start = timebase();
	for (i = 0; i < nfuzzers; i++) {
		fuzzers[i].mfrr = XICS_PRI_ALL;
		fuzzers[i].seed = set.seed * MAX_FUZZERS + (u64)i;
		cpus[i].fn = fuzz_cpu;
	}
	/* A call of another's may have been faster. */
	for (i = 0; i < nfuzzers; i++) {
		int status = i == boot ? 0 : cpu_start(&cpus[i], fuzz_cpu, 0);

		if (status && status != RTAS_CPU_STATE_INVALID)
			give_up(&fuzzers[boot], "a processor does not start");
	}
	fuzz_cpu(this_cpu());
	wait_for_all(&fuzzers[boot]);
	report(start);
	if (hcall(H_SET_MODE, LITTLE_ENDIAN, H_SET_MODE_RESOURCE_LE))
		give_up(&fuzzers[boot], "a good call fails");
	return 0;
}
