// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq-state: interrupts that wait while the machine's owner looks at the controller, or
 * loads another's state into it. With "make" among the boot arguments it brings about one
 * of each kind, on CPU 0 with interrupts off: a source that is presented, one that it
 * displaced, a second edge before EOI, an LSI, an IPI, a masked source. Then it prints
 * "ready" ("raise-mfrr": an IPI whose MFRR then becomes less favoured), waits for a line, and
 * accepts and ends what there is: a line each. Needs
 * "--tty loop --tty loop --tty loop --tty loop-lsi".
 */
#include "guest.h"

#define TTYS	 4
#define FAVOURED 3 /* priority of the first terminal's source; then one less favoured each */
#define IPI	 6 /* and of the IPI */
#define MANY	 32

static struct term ttys[TTYS];

/* A byte to a terminal comes back, with an interrupt. */
static void interrupt(u32 tty)
{
	term_put(ttys[tty].unit, "x", 1);
}

static void make(void)
{
	u32 self = this_cpu()->server, i;

	for (i = 0; i < TTYS; i++)
		rtas_call("ibm,set-xive", 3, 1, NULL, ttys[i].source, self, FAVOURED + i);
	rtas_call("ibm,int-off", 1, 1, NULL, ttys[2].source);
	interrupt(1); /* presented */
	interrupt(0); /* presented in its place */
	interrupt(0); /* queued behind itself */
	interrupt(2); /* masked */
	interrupt(3); /* the LSI waits */
	xics_ipi(self, IPI);
}

/*
 * Take the cause away. The LSI falls when its last byte was read, and only if it had one,
 * which in a machine whose state was loaded it has not.
 */
static void serve(u32 source)
{
	static bool raised;
	char buf[16];
	u32 i;

	if (source == XICS_IPI)
		xics_ipi(this_cpu()->server, XICS_PRI_ALL);
	for (i = 0; i < TTYS; i++) {
		if (ttys[i].source != source)
			continue;
		if (i == 3 && !raised) {
			interrupt(i);
			raised = true;
		}
		while (term_get(ttys[i].unit, buf) > 0)
			;
	}
}

static u32 accept_all(void)
{
	u32 n, xirr;

	for (n = 0; n < MANY && XIRR_SOURCE(xirr = xics_accept()); n++) {
		printf("accepted 0x%x\n", XIRR_SOURCE(xirr));
		serve(XIRR_SOURCE(xirr));
		xics_end(xirr);
	}
	return n;
}

int main(void)
{
	char buf[16];
	u32 n;

	check_eq("four terminals", (long)term_find(ttys, TTYS), TTYS);
	xics_set_cppr(XICS_PRI_ALL);
	if (dt_bootarg("make"))
		make();
	if (dt_bootarg("raise-mfrr")) { /* of an IPI that is pending */
		xics_ipi(this_cpu()->server, IPI);
		xics_ipi(this_cpu()->server, IPI + 2);
	}
	printf("ready\n");
	while (console_read(buf) <= 0)
		delay_us(1000);
	n = accept_all();
	rtas_call("ibm,int-on", 1, 1, NULL, ttys[2].source);
	printf("unmasked\n");
	n += accept_all();
	check("it came to an end", n < MANY);
	printf("accepted %u\n", n);
	return 0;
}
