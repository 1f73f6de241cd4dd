// SPDX-License-Identifier: GPL-2.0-only
/*
 * console: input of any length arrives in order, polled and by the vty's interrupt.
 * Echoes each line as "< LINE"; lines that it understands: "irq" and "poll" choose
 * the way of waiting, "quiet" ends the echo, "quit" prints "console: N bytes, cksum
 * C", as cksum(1) has it for all before that line, and powers off.
 */
#include "guest.h"

static u32 crc;
static u64 total, interrupts;
static u32 irq;
static bool by_interrupt, quiet;

static void crc_byte(u8 byte)
{
	int i;

	crc ^= (u32)byte << 24;
	for (i = 0; i < 8; i++)
		crc = crc << 1 ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
}

/* POSIX: the bytes, then their number from its low byte on. */
static void finish_crc(void)
{
	u64 n;

	for (n = total; n; n >>= 8)
		crc_byte((u8)n);
	crc = ~crc;
}

static bool external(struct regs *regs)
{
	u32 xirr = xics_accept();

	(void)regs;
	if (XIRR_SOURCE(xirr) == irq)
		interrupts++;
	if (XIRR_SOURCE(xirr))
		xics_end(xirr);
	return true;
}

/* It runs out every few seconds, and is not what we wait for. */
static bool decrementer(struct regs *regs)
{
	(void)regs;
	set_decrementer(0x7fffffff);
	return true;
}

static bool enable_irq(void)
{
	u32 len;
	const be32_t *cells = dt_prop(console_node(), "interrupts", &len);

	if (!cells || len < 4)
		return false;
	irq = be32_get(cells[0]);
	trap_hook(VEC_EXTERNAL, external);
	xics_set_cppr(XICS_PRI_ALL);
	return rtas_call("ibm,set-xive", 3, 1, NULL, irq, this_cpu()->server, 5) == 0 &&
	       rtas_call("ibm,int-on", 1, 1, NULL, irq) == 0;
}

static int chars_left, chars_used;
static char chars[16];

/* The next byte of input, negative when there will be none. */
static int get(void)
{
	while (chars_used == chars_left) {
		chars_used = 0;
		chars_left = console_read(chars);
		if (chars_left < 0)
			return chars_left;
		/* An interrupt since the read ends this at once: EE is on only inside. */
		if (chars_left == 0 && by_interrupt) {
			hcall(H_CEDE);
			irq_off();
		}
	}
	return (u8)chars[chars_used++];
}

static bool is(const char *line, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(line, word, len);
}

/* False: that was the last line. */
static bool handle(const char *line, size_t len, bool whole)
{
	size_t i;

	if (whole && is(line, len, "quit"))
		return false;
	for (i = 0; i < len; i++)
		crc_byte((u8)line[i]);
	total += len;
	if (whole) {
		crc_byte('\n');
		total++;
	}
	if (!quiet) {
		printf("< ");
		console_write(line, len);
		printf("\n");
	}
	if (whole && is(line, len, "quiet"))
		quiet = true;
	if (whole && is(line, len, "irq"))
		by_interrupt = true;
	if (whole && is(line, len, "poll"))
		by_interrupt = false;
	return true;
}

int main(void)
{
	static char line[4096];
	bool more = true;
	size_t len = 0;
	int c;

	trap_hook(VEC_DECREMENTER, decrementer);
	set_decrementer(0x7fffffff);
	if (!enable_irq())
		printf("not ok - the vty has no interrupt\n");
	printf("console: ready\n");
	while (more && (c = get()) >= 0) {
		bool end = c == '\n' || c == '\r';

		if (!end)
			line[len++] = (char)c;
		if (end || len == sizeof(line)) {
			more = handle(line, len, end);
			len = 0;
		}
	}
	finish_crc();
	printf("console: %lu bytes, cksum %u, %lu interrupts\n", total, crc, interrupts);
	return more;
}
