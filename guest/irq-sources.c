// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq-sources: interrupts of the terminals that loop (--tty loop, loop-lsi), all at once.
 * First each source reaches each CPU, and masks and CPPR hold it back. Then half of the
 * CPUs write, in "rounds=N" bursts, each of which must come back before the next, while
 * the others move the sources about, mask them and change their own CPPR. Handlers read
 * until nothing is left. Bytes are numbered: each must come back, once and in order.
 * "kernel-xics" among the boot arguments lets KVM's controllers interrupt once more often
 * after a source was moved or unmasked, and take priorities of more than a byte, unless
 * "wide-priority" is there too.
 *
 * LOCKING: a terminal's `write` lock keeps its bytes in order and is taken with interrupts
 * off; its `read` lock does so for handlers. `move` is for whoever changes its source, as
 * in any kernel: it is only tried.
 */
#include "guest.h"

#define ROUNDS 10
#define BURST  16 /* writes a round of one CPU */
#define CPUS   8
#define TTYS   15

#define FAVOURED 2 /* sources have priorities from here */
#define LEAST	 6 /* to here: KVM's controllers over XIVE know no more */

struct tty {
	u32 unit, source;
	bool lsi;
	spinlock_t write, read, move;
	u64 sent, received, wrong; /* bytes */
	u64 writes, interrupts, empty;
	u64 in_service; /* handlers that run */
};

static struct tty ttys[TTYS];
static u32 nttys;

static u64 rounds, ready, go, calm, writers, written, stuck;
static u64 accepted, spurious, busy, moves, masks, priorities;

/* A random number below @limit. Each CPU has a sequence of its own. */
static u32 draw(u64 *state, u32 limit)
{
	*state = *state * 6364136223846793005ul + 1442695040888963407ul;
	return (u32)(*state >> 33) % limit;
}

static void find_ttys(void)
{
	struct term found[TTYS];
	u32 i = 0;

	for (nttys = term_find(found, TTYS); i < nttys; i++) {
		ttys[i].unit = found[i].unit;
		ttys[i].source = found[i].source;
		ttys[i].lsi = found[i].lsi;
	}
}

/*
 * Let interrupts in. The hypercall, which changes nothing, is for emulated hosts that have
 * no LPCR[MER]: there KVM can deliver only when it enters the guest.
 */
static void let_in(void)
{
	irq_on();
	xics_set_cppr(XICS_PRI_ALL);
	irq_off();
}

/* Read until nothing is left; how many bytes there were. */
static u64 drain(struct tty *tty)
{
	u64 count = 0;
	char buf[16];
	int i, n;

	spin_lock(&tty->read);
	while ((n = term_get(tty->unit, buf)) > 0) {
		for (i = 0; i < n; i++)
			if ((u8)buf[i] != (u8)(tty->received + (u64)i))
				tty->wrong++;
		atomic_add(&tty->received, (u64)n);
		count += (u64)n;
	}
	spin_unlock(&tty->read);
	return count;
}

static bool external(struct regs *regs)
{
	u32 i, xirr = xics_accept();

	(void)regs;
	if (XIRR_SOURCE(xirr) == 0) {
		atomic_add(&spurious, 1);
		return true;
	}
	for (i = 0; i < nttys; i++) {
		if (ttys[i].source != XIRR_SOURCE(xirr))
			continue;
		atomic_add(&accepted, 1);
		atomic_add(&this_cpu()->count, 1);
		atomic_add(&ttys[i].interrupts, 1);
		atomic_add(&ttys[i].in_service, 1);
		if (!drain(&ttys[i]))
			atomic_add(&ttys[i].empty, 1);
		xics_end(xirr);
		atomic_add(&ttys[i].in_service, (u64)-1);
		return true;
	}
	return false;
}

/* With interrupts off. False: it was full. */
static bool write(struct tty *tty, u32 n)
{
	char buf[16];
	bool done;
	u32 i;

	spin_lock(&tty->write);
	for (i = 0; i < n; i++)
		buf[i] = (char)(tty->sent + i);
	done = term_put(tty->unit, buf, n) == H_SUCCESS;
	if (done) {
		atomic_add(&tty->sent, n);
		atomic_add(&tty->writes, 1);
	}
	spin_unlock(&tty->write);
	return done;
}

static bool route(const struct tty *tty, u32 server, u32 priority)
{
	return rtas_call("ibm,set-xive", 3, 1, NULL, tty->source, server, priority) == 0;
}

static bool mask(const struct tty *tty, bool on)
{
	return rtas_call(on ? "ibm,int-off" : "ibm,int-on", 1, 1, NULL, tty->source) == 0;
}

/* Whether all that was sent is back. */
static bool comes_back(struct tty *tty)
{
	return sleep_until(&tty->received, atomic_get(&tty->sent));
}

/* ---- one after another */

/* A handler that still runs would read what is written now. */
static bool is_idle(struct tty *tty)
{
	return wait_for(&tty->in_service, 0);
}

static bool reaches_all(struct tty *tty)
{
	int i;

	for (i = 0; i < ncpus; i++) {
		u64 before = atomic_get(&cpus[i].count);

		if (!is_idle(tty) || !route(tty, cpus[i].server, LEAST) || !write(tty, 16))
			return false;
		if (!sleep_until(&cpus[i].count, before + 1) || !comes_back(tty))
			return false;
	}
	return true;
}

/* A priority is one byte: of more, not even the low byte counts. */
static bool wide_is_refused(struct tty *tty)
{
	u32 self = this_cpu()->server, xive[2]; /* server, priority */

	return route(tty, self, LEAST) && !route(tty, self, 0x100 | FAVOURED) &&
	       rtas_call("ibm,get-xive", 1, 3, xive, tty->source) == 0 && xive[0] == self &&
	       xive[1] == LEAST;
}

/* Nothing comes while the source is masked, and then it does. */
static bool mask_holds(struct tty *tty)
{
	u64 before = atomic_get(&tty->received);

	if (!is_idle(tty) || !mask(tty, true) || !write(tty, 1))
		return false;
	irq_on();
	delay_us(1000);
	irq_off();
	return atomic_get(&tty->received) == before && mask(tty, false) && comes_back(tty);
}

static bool cppr_holds(struct tty *tty)
{
	u64 before = atomic_get(&tty->received);
	bool held = is_idle(tty);

	route(tty, this_cpu()->server, LEAST);
	xics_set_cppr(LEAST);
	irq_on();
	write(tty, 1);
	delay_us(1000);
	irq_off();
	held &= atomic_get(&tty->received) == before;
	xics_set_cppr(XICS_PRI_ALL);
	return held && comes_back(tty);
}

static bool each(bool (*test)(struct tty *))
{
	bool ok = true;
	u32 i;

	for (i = 0; i < nttys; i++)
		ok &= test(&ttys[i]);
	return ok;
}

/* Masked, it fills up; no byte that it took is lost. */
static bool full_refuses(struct tty *tty)
{
	u32 n = 0;

	if (!mask(tty, true))
		return false;
	while (n < 100000 && write(tty, 16))
		n++;
	return mask(tty, false) && comes_back(tty) && n && n < 100000;
}

/* ---- all at once */

static void write_burst(u64 *random)
{
	int i;

	for (i = 0; i < BURST; i++) {
		struct tty *tty = &ttys[draw(random, nttys)];

		/* A full one is emptied only if its interrupts come. */
		if (!write(tty, 1 + draw(random, 16))) {
			atomic_add(&busy, 1);
			comes_back(tty);
		}
		let_in();
	}
}

static void write_rounds(u64 *random)
{
	u64 round;
	u32 i;

	for (round = 1; round <= rounds && !atomic_get(&stuck); round++) {
		write_burst(random);
		for (i = 0; i < nttys; i++) {
			if (comes_back(&ttys[i]))
				continue;
			printf("# source 0x%x: %lu of %lu bytes came back in round %lu\n",
			       ttys[i].source, ttys[i].received, ttys[i].sent, round);
			atomic_add(&stuck, 1);
		}
	}
	atomic_add(&written, 1);
}

/* Give this CPU another CPPR for a moment, in which some sources are held back. */
static void change_cppr(u64 *random)
{
	xics_set_cppr(draw(random, LEAST + 1));
	irq_on();
	hcall(H_IPOLL, this_cpu()->server);
	irq_off();
	xics_set_cppr(XICS_PRI_ALL);
	atomic_add(&priorities, 1);
}

/* Masked and unmasked, by one of the two ways that there are. */
static void change_mask(struct tty *tty, u64 *random)
{
	if (draw(random, 2)) {
		mask(tty, true);
		delay_us(20);
		mask(tty, false);
	} else {
		route(tty, this_cpu()->server, XICS_PRI_ALL);
		delay_us(20);
		route(tty, this_cpu()->server, LEAST);
	}
	atomic_add(&masks, 1);
}

static void change_route(struct tty *tty, u64 *random)
{
	route(tty, cpus[draw(random, (u32)ncpus)].server,
	      FAVOURED + draw(random, LEAST - FAVOURED + 1));
	atomic_add(&moves, 1);
}

static void change(u64 *random)
{
	struct tty *tty = &ttys[draw(random, nttys)];
	u32 what = draw(random, 4);

	if (what == 0)
		change_cppr(random);
	if (what == 0 || __atomic_exchange_n(&tty->move.taken, 1, __ATOMIC_ACQUIRE))
		return;
	if (what == 1)
		change_mask(tty, random);
	else
		change_route(tty, random);
	spin_unlock(&tty->move);
}

static bool is_writer(const struct cpu *cpu)
{
	return (cpu - cpus) % 2 == 0;
}

static void storm(struct cpu *cpu)
{
	u64 random = (u64)(cpu - cpus);

	if (is_writer(cpu))
		write_rounds(&random);
	while (atomic_get(&written) < writers) {
		if (!is_writer(cpu))
			change(&random);
		/* What sources are routed here is not to wait. */
		let_in();
	}
}

static void secondary(struct cpu *cpu)
{
	xics_set_cppr(XICS_PRI_ALL);
	atomic_add(&ready, 1);
	/* As long as one after another takes */
	while (!sleep_until(&go, 1))
		;
	storm(cpu);
	atomic_add(&calm, 1);
	/* Stay until the last byte is back, wherever its interrupt comes. */
	while (!sleep_until(&go, 2))
		;
}

static bool start_others(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < ncpus; i++) {
		writers += is_writer(&cpus[i]);
		if (&cpus[i] != this_cpu())
			ok &= cpu_start(&cpus[i], secondary, 0) == 0;
	}
	return ok && wait_for(&ready, (u64)ncpus - 1);
}

static bool others_stop(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < ncpus; i++)
		if (&cpus[i] != this_cpu())
			ok &= cpu_wait_state(&cpus[i], CPU_STOPPED);
	return ok;
}

/* What of a terminal's count is too much: interrupts that nothing was behind. */
static bool count_is_bounded(const struct tty *tty, u64 changes)
{
	printf("# source 0x%x (%s): %lu bytes %lu writes %lu interrupts %lu empty\n", tty->source,
	       tty->lsi ? "LSI" : "MSI", tty->received, tty->writes, tty->interrupts, tty->empty);
	if (tty->lsi)
		return tty->empty <= changes;
	return tty->interrupts <= tty->writes + changes;
}

static void check_counts(void)
{
	u64 sent = 0, received = 0, wrong = 0, empty = 0;
	u64 changes = moves + masks;
	bool bounded = true;
	u32 i;

	for (i = 0; i < nttys; i++) {
		sent += ttys[i].sent;
		received += ttys[i].received;
		wrong += ttys[i].wrong;
		empty += ttys[i].empty;
		bounded &= count_is_bounded(&ttys[i], dt_bootarg("kernel-xics") ? changes : 0);
	}
	printf("irq-sources: %d cpus %u terminals: %lu bytes %lu interrupts %lu empty %lu "
	       "spurious, "
	       "%lu moves %lu masks %lu priorities %lu busy\n",
	       ncpus, nttys, received, accepted, empty, spurious, moves, masks, priorities, busy);
	check_eq("every byte came back", (long)received, (long)sent);
	check_eq("in order", (long)wrong, 0);
	check("no source had more interrupts than reasons", bounded);
	check("few interrupts had no source", spurious <= accepted + changes + priorities);
}

int main(void)
{
	rounds = dt_bootarg_number("rounds", ROUNDS);
	find_ttys();
	trap_hook(VEC_EXTERNAL, external);
	sleep_init();
	xics_set_cppr(XICS_PRI_ALL);
	if (!check("there are terminals that loop", nttys > 0))
		return 0;
	check("the other CPUs start", start_others());
	check("each source reaches each CPU", each(reaches_all));
	if (!dt_bootarg("kernel-xics") || dt_bootarg("wide-priority"))
		check("a priority of more than a byte is refused", each(wide_is_refused));
	check("a mask holds each back", each(mask_holds));
	check("CPPR holds each back", each(cppr_holds));
	check("a full one refuses and loses nothing", each(full_refuses));
	atomic_set(&go, 1);
	storm(this_cpu());
	sleep_until(&calm, (u64)ncpus - 1);
	check("and after the storm each comes", each(comes_back) && each(reaches_all));
	check_eq("no writer waited in vain", (long)stuck, 0);
	atomic_set(&go, 2);
	check("the other CPUs stop", others_stop());
	check_counts();
	return 0;
}
