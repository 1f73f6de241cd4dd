// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each as small as its race allows: another interrupt could set free what is stuck.
 * Sources A, B, LSI and C have priorities 5 to 8 on server 0; C is in a block of its own.
 */
#include "tests/interleave/scenarios.h"

/* ---- devices and other processors */

static void pulse_a(void)
{
	pulse(A);
}

static void pulse_b(void)
{
	pulse(B);
}

static void pulse_c(void)
{
	pulse(C);
}

static void pulse_a_twice(void)
{
	pulse(A);
	pulse(A);
}

static void assert_lsi(void)
{
	level(true);
}

static void drop_lsi(void)
{
	level(false);
}

static void assert_and_drop_lsi(void)
{
	level(true);
	level(false);
}

static void send_ipi_0(void)
{
	send_ipi(0);
}

static void send_and_cancel_ipi(void)
{
	send_ipi(0);
	cancel_ipi(0);
}

static void move_a(void)
{
	xics_set_xive(&model, A, 1, 5);
}

static void move_b(void)
{
	xics_set_xive(&model, B, 1, 6);
}

static void mask_and_unmask_a(void)
{
	xics_int_off(&model, A);
	xics_int_on(&model, A);
}

static void mask_b(void)
{
	xics_int_off(&model, B);
}

static void unmask_b(void)
{
	xics_int_on(&model, B);
}

/* ---- processors */

static void look_0(void)
{
	look(0);
}

static void look_0_twice(void)
{
	look(0);
	look(0);
}

static void open_0(void)
{
	xics_set_cppr(&model, 0, 0xff);
}

static void open_1(void)
{
	xics_set_cppr(&model, 1, 0xff);
}

/* Still too busy for anything, but what waits must be told so again. */
static void open_0_a_little(void)
{
	xics_set_cppr(&model, 0, 5);
}

/* Enough for A, not for B or C. */
static void admit_only_a(void)
{
	xics_set_cppr(&model, 0, 6);
}

static void close_0(void)
{
	xics_set_cppr(&model, 0, 1);
}

static void open_0_and_look(void)
{
	open_0();
	look(0);
}

static void close_and_open_0(void)
{
	close_0();
	open_0();
}

static void end_a_and_look(void)
{
	end(0, A);
	look(0);
}

static void end_c_and_look(void)
{
	end(0, C);
	look(0);
}

static void end_lsi_and_look(void)
{
	end(0, LSI);
	look(0);
}

/* ---- what was before */

static void c_waits(void)
{
	close_0();
	pulse(C);
}

static void b_and_c_wait(void)
{
	close_0();
	pulse(B);
	pulse(C);
}

static void a_waits(void)
{
	close_0();
	pulse(A);
}

static void all_busy_a_and_c_wait(void)
{
	xics_set_xive(&model, C, 1, 8);
	xics_set_cppr(&model, 1, 1);
	a_waits();
	pulse(C);
}

static void a_in_service(void)
{
	pulse(A);
	take(0, A);
}

static void lsi_in_service(void)
{
	level(true);
	take(0, LSI);
}

static void c_in_service_b_pending(void)
{
	pulse(C);
	take(0, C);
	pulse(B);
}

#define DEV(f)                                                                                     \
	{                                                                                          \
		f, DEVICE                                                                          \
	}
#define CPU(n, f)                                                                                  \
	{                                                                                          \
		f, n                                                                               \
	}

#define SENDER_AND_WALKER_IN_TWO_BLOCKS                                                            \
	{                                                                                          \
		"a sender and a walker who stays busy, in two blocks", c_waits,                    \
			{DEV(pulse_a), CPU(0, open_0_a_little)}, open_0, 4                         \
	}
#define ACCEPT_AND_SEND                                                                            \
	{                                                                                          \
		"an interrupt comes while another is accepted", pulse_b,                           \
			{DEV(pulse_a), CPU(0, look_0)}, NULL, 6                                    \
	}
#define ACCEPT_WITH_STALE_LINE                                                                     \
	{                                                                                          \
		"the line is up for an IPI that was taken back", send_and_cancel_ipi,              \
			{DEV(pulse_c), CPU(0, look_0)}, NULL, 6                                    \
	}

/* clang-format off */
const struct scenario scenarios[] = {
	{"a sender and a walker", close_0, {DEV(pulse_a), CPU(0, open_0)}, NULL, 8},
	{"a sender and a walker who looks", close_0, {DEV(pulse_a), CPU(0, open_0_and_look)}, NULL, 6},
	SENDER_AND_WALKER_IN_TWO_BLOCKS,
	{"a sender and a walker who stays busy for others", c_waits, {DEV(pulse_a), CPU(0, admit_only_a)}, open_0, 4},
	{"two senders and a walker", close_0, {DEV(pulse_a), DEV(pulse_c), CPU(0, open_0)}, NULL, 4},
	{"a sender and a processor that closes and opens", NULL, {DEV(pulse_a), CPU(0, close_and_open_0)}, NULL, 6},
	{"a processor closes to what is pending and a better source comes", pulse_b, {DEV(pulse_a), CPU(0, admit_only_a)}, open_0, 6},
	{"two senders to one presenter", NULL, {DEV(pulse_a), DEV(pulse_b)}, NULL, EVERY},
	ACCEPT_AND_SEND,
	ACCEPT_WITH_STALE_LINE,
	{"a line is raised after its interrupt was accepted", NULL, {DEV(pulse_a), DEV(pulse_b), CPU(0, look_0_twice)}, NULL, 4},
	{"an interrupt is sent while its source moves", NULL, {DEV(pulse_a), DEV(move_a)}, NULL, EVERY},
	{"a source that waits moves when its server opens", a_waits, {CPU(0, open_0), DEV(move_a), DEV(pulse_a)}, NULL, 4},
	{"a source that is rejected moves", pulse_b, {DEV(pulse_a), DEV(move_b), CPU(0, look_0)}, NULL, 4},
	{"a source is masked while it is sent", NULL, {DEV(pulse_a), DEV(mask_and_unmask_a), CPU(0, look_0)}, NULL, 4},
	{"a source is masked while it is rejected", pulse_b, {DEV(pulse_a), DEV(mask_b)}, unmask_b, EVERY},
	{"a source is masked while it waits and its server opens", b_and_c_wait, {CPU(0, open_0), DEV(mask_b)}, unmask_b, 6},
	{"a rejection and an EOI", c_in_service_b_pending, {DEV(pulse_a), CPU(0, end_c_and_look)}, NULL, 6},
	{"a rejection, an EOI and the rejected source again", c_in_service_b_pending, {DEV(pulse_a), CPU(0, end_c_and_look), DEV(pulse_b)}, NULL, 4},
	{"an IPI while an interrupt is accepted", pulse_a, {DEV(send_ipi_0), CPU(0, look_0)}, NULL, 6},
	{"an IPI, an interrupt and a processor", NULL, {DEV(send_ipi_0), CPU(0, look_0_twice), DEV(pulse_a)}, NULL, 4},
	{"an IPI is ended while a source comes that it holds back", send_ipi_0, {DEV(pulse_b), CPU(0, look_0)}, NULL, 6},
	{"an IPI is taken back", NULL, {DEV(send_and_cancel_ipi), CPU(0, look_0_twice)}, NULL, 8},
	{"an IPI is taken back while a source comes", NULL, {DEV(send_and_cancel_ipi), CPU(0, look_0), DEV(pulse_c)}, NULL, 4},
	{"an MSI comes again at its EOI", a_in_service, {DEV(pulse_a), CPU(0, end_a_and_look)}, NULL, 6},
	{"an MSI comes twice at its EOI", a_in_service, {DEV(pulse_a_twice), CPU(0, end_a_and_look)}, NULL, 8},
	{"an LSI comes again at its EOI", lsi_in_service, {DEV(assert_lsi), CPU(0, end_lsi_and_look)}, NULL, 8},
	{"an LSI falls while it is delivered", NULL, {DEV(assert_and_drop_lsi), CPU(0, look_0_twice)}, NULL, 6},
	{"an LSI falls while its server opens", close_0, {DEV(assert_and_drop_lsi), CPU(0, open_0)}, NULL, 6},
	{"an LSI falls while it is rejected", assert_lsi, {DEV(pulse_a), DEV(drop_lsi), CPU(0, look_0)}, NULL, 4},
	{"two walkers, and a source moves from one to the other", all_busy_a_and_c_wait, {CPU(0, open_0), CPU(1, open_1), DEV(move_a)}, NULL, 3},
	{0},
};
/* clang-format on */

const struct mutant mutants[] = {
	{"a block's bit set before its source's", ROOT_FIRST, SENDER_AND_WALKER_IN_TWO_BLOCKS},
	{"blocks' bits cleared after the walk", ROOT_TWICE, SENDER_AND_WALKER_IN_TWO_BLOCKS},
	{"a line lowered after the presenter changed", LOWER_AFTER, ACCEPT_AND_SEND},
	{"a raise counted before the line is up", COUNT_FIRST, ACCEPT_WITH_STALE_LINE},
	{0},
};
