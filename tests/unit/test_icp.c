// SPDX-License-Identifier: GPL-2.0-only
/*
 * devices/xics/icp.h: each transition of a presenter as a table, and what must hold of
 * all of them whatever the state.
 */
#include "devices/xics/icp.h"
#include "lib/util.h"
#include "tests/unit/unit.h"

#define IPI  XICS_IPI
#define NONE XICS_NONE
#define S    0x1234 /* a source */
#define T    0xabcdef
#define NEED ICP_NEED_RESEND

enum op { ACCEPT, CPPR, MFRR, PRESENT };
static const char *const op_names[] = {"H_XIRR", "CPPR", "MFRR", "present"};

/* What a transition gives, with what only presenting has: whether it was taken. */
struct result {
	struct icp_change c;
	bool taken;
};

static struct result apply(enum op op, uint64_t old, uint8_t value, uint32_t source)
{
	struct result r = {0};

	switch (op) {
	case ACCEPT:
		r.c = icp_accept(old);
		break;
	case CPPR:
		r.c = icp_set_cppr(old, value);
		break;
	case MFRR:
		r.c = icp_set_mfrr(old, value);
		break;
	case PRESENT:
		r.taken = icp_present(&r.c, old, source, value);
		break;
	}
	return r;
}

/* CPPR, XISR, MFRR, pending priority, and whether something waits. */
struct fields {
	uint8_t cppr;
	uint32_t xisr;
	uint8_t mfrr, pending;
	uint64_t need;
};

static uint64_t word(const struct fields *f)
{
	return icp_word(f->cppr, f->xisr, f->mfrr, f->pending) | f->need;
}

struct row {
	const char *what;
	struct fields before;
	enum op op;
	uint32_t value, source;
	struct fields after;
	uint32_t rejected;
	bool resend, taken;
};

/* clang-format off */
static const struct row rows[] = {
	/* H_XIRR */
	{"a source is accepted", {0xff, S, 0xff, 5, 0}, ACCEPT, 0, 0, {5, NONE, 0xff, 0xff, 0}, 0, false, false},
	{"an IPI is accepted, MFRR stays", {0xff, IPI, 4, 4, 0}, ACCEPT, 0, 0, {4, NONE, 4, 0xff, 0}, 0, false, false},
	{"nothing is accepted", {0x42, NONE, 0xff, 0xff, 0}, ACCEPT, 0, 0, {0x42, NONE, 0xff, 0xff, 0}, 0, false, false},
	{"nothing, an IPI that CPPR holds back", {4, NONE, 4, 0xff, 0}, ACCEPT, 0, 0, {4, NONE, 4, 0xff, 0}, 0, false, false},
	{"what waits goes on waiting", {0xff, S, 6, 5, NEED}, ACCEPT, 0, 0, {5, NONE, 6, 0xff, NEED}, 0, false, false},
	{"nothing, and what waits goes on", {3, NONE, 0xff, 0xff, NEED}, ACCEPT, 0, 0, {3, NONE, 0xff, 0xff, NEED}, 0, false, false},
	{"priority 0", {1, S, 1, 0, 0}, ACCEPT, 0, 0, {0, NONE, 1, 0xff, 0}, 0, false, false},
	{"a source of 24 bits", {0xff, 0xffffff, 0xff, 0xfe, 0}, ACCEPT, 0, 0, {0xfe, NONE, 0xff, 0xff, 0}, 0, false, false},

	/* Up_CPPR */
	{"up, nothing pending", {0xff, NONE, 0xff, 0xff, 0}, CPPR, 5, 0, {5, NONE, 0xff, 0xff, 0}, 0, false, false},
	{"up, still less favoured than what is pending", {0xff, S, 0xff, 5, 0}, CPPR, 6, 0, {6, S, 0xff, 5, 0}, 0, false, false},
	{"up to what is pending", {0xff, S, 0xff, 5, 0}, CPPR, 5, 0, {5, NONE, 0xff, 0xff, 0}, S, false, false},
	{"up above what is pending", {0xff, S, 0xff, 5, 0}, CPPR, 0, 0, {0, NONE, 0xff, 0xff, 0}, S, false, false},
	{"up, a source goes and the IPI is no better", {0xff, S, 6, 5, 0}, CPPR, 5, 0, {5, NONE, 6, 0xff, 0}, S, false, false},
	{"up to a pending IPI: MFRR keeps it", {0xff, IPI, 4, 4, 0}, CPPR, 4, 0, {4, NONE, 4, 0xff, 0}, 0, false, false},
	{"up, the IPI stays pending", {0xff, IPI, 4, 4, 0}, CPPR, 5, 0, {5, IPI, 4, 4, 0}, 0, false, false},
	{"up asks for no resend", {0xff, S, 0xff, 5, NEED}, CPPR, 5, 0, {5, NONE, 0xff, 0xff, NEED}, S, false, false},
	{"as it was", {7, S, 0xff, 5, NEED}, CPPR, 7, 0, {7, S, 0xff, 5, NEED}, 0, false, false},

	/* Down_CPPR */
	{"down, nothing waits", {0, NONE, 0xff, 0xff, 0}, CPPR, 0xff, 0, {0xff, NONE, 0xff, 0xff, 0}, 0, false, false},
	{"down, a source waits", {0, NONE, 0xff, 0xff, NEED}, CPPR, 0xff, 0, {0xff, NONE, 0xff, 0xff, 0}, 0, true, false},
	{"down, an IPI waits", {0, NONE, 4, 0xff, 0}, CPPR, 5, 0, {5, IPI, 4, 4, 0}, 0, false, false},
	{"down to the IPI is not enough", {0, NONE, 4, 0xff, 0}, CPPR, 4, 0, {4, NONE, 4, 0xff, 0}, 0, false, false},
	{"down, IPI and source wait", {0, NONE, 4, 0xff, NEED}, CPPR, 0xff, 0, {0xff, IPI, 4, 4, 0}, 0, true, false},
	{"down, a source is pending", {6, S, 0xff, 5, NEED}, CPPR, 7, 0, {7, S, 0xff, 5, 0}, 0, true, false},
	{"down by one", {0xfe, NONE, 0xfe, 0xff, NEED}, CPPR, 0xff, 0, {0xff, IPI, 0xfe, 0xfe, 0}, 0, true, false},

	/* Set_MFRR and Check_IPI */
	{"an IPI to an idle presenter", {0xff, NONE, 0xff, 0xff, 0}, MFRR, 4, 0, {0xff, IPI, 4, 4, 0}, 0, false, false},
	{"more favoured than CPPR by one", {5, NONE, 0xff, 0xff, 0}, MFRR, 4, 0, {5, IPI, 4, 4, 0}, 0, false, false},
	{"of CPPR's priority", {5, NONE, 0xff, 0xff, 0}, MFRR, 5, 0, {5, NONE, 5, 0xff, 0}, 0, false, false},
	{"less favoured than CPPR", {5, NONE, 0xff, 0xff, 0}, MFRR, 6, 0, {5, NONE, 6, 0xff, 0}, 0, false, false},
	{"a pending IPI gets more favoured", {0xff, IPI, 4, 4, 0}, MFRR, 2, 0, {0xff, IPI, 2, 2, 0}, 0, false, false},
	{"a pending IPI as it was", {0xff, IPI, 4, 4, NEED}, MFRR, 4, 0, {0xff, IPI, 4, 4, NEED}, 0, false, false},
	{"a pending IPI gets less favoured", {9, IPI, 4, 4, NEED}, MFRR, 8, 0, {9, IPI, 8, 8, 0}, 0, true, false},
	{"a pending IPI gets too little favoured", {9, IPI, 4, 4, 0}, MFRR, 9, 0, {9, NONE, 9, 0xff, 0}, 0, false, false},
	{"a pending IPI is taken back", {0xff, IPI, 4, 4, 0}, MFRR, 0xff, 0, {0xff, NONE, 0xff, 0xff, 0}, 0, false, false},
	{"taken back where sources wait", {0xff, IPI, 4, 4, NEED}, MFRR, 0xff, 0, {0xff, NONE, 0xff, 0xff, 0}, 0, true, false},
	{"raised, not pending", {4, NONE, 4, 0xff, NEED}, MFRR, 0xff, 0, {4, NONE, 0xff, 0xff, 0}, 0, true, false},
	{"an IPI rejects a less favoured source", {0xff, S, 0xff, 5, 0}, MFRR, 4, 0, {0xff, IPI, 4, 4, 0}, S, false, false},
	{"an IPI rejects a source of its priority", {0xff, S, 0xff, 5, 0}, MFRR, 5, 0, {0xff, IPI, 5, 5, 0}, S, false, false},
	{"an IPI leaves a more favoured source", {0xff, S, 0xff, 5, 0}, MFRR, 6, 0, {0xff, S, 6, 5, 0}, 0, false, false},
	{"raised behind a pending source", {0xff, S, 6, 5, NEED}, MFRR, 0xff, 0, {0xff, S, 0xff, 5, 0}, 0, true, false},

	/* A source arrives. */
	{"taken", {0xff, NONE, 0xff, 0xff, 0}, PRESENT, 5, S, {0xff, S, 0xff, 5, 0}, 0, false, true},
	{"taken, others go on waiting", {6, NONE, 0xff, 0xff, NEED}, PRESENT, 5, S, {6, S, 0xff, 5, NEED}, 0, false, true},
	{"of CPPR's priority", {5, NONE, 0xff, 0xff, 0}, PRESENT, 5, S, {5, NONE, 0xff, 0xff, NEED}, 0, false, false},
	{"less favoured than CPPR", {5, NONE, 0xff, 0xff, 0}, PRESENT, 6, S, {5, NONE, 0xff, 0xff, NEED}, 0, false, false},
	{"of MFRR's priority", {0xff, IPI, 5, 5, 0}, PRESENT, 5, S, {0xff, IPI, 5, 5, NEED}, 0, false, false},
	{"of MFRR's priority, the IPI not pending", {0xff, NONE, 5, 0xff, 0}, PRESENT, 5, S, {0xff, NONE, 5, 0xff, NEED}, 0, false, false},
	{"displaces an IPI, MFRR keeps it", {0xff, IPI, 6, 6, 0}, PRESENT, 5, S, {0xff, S, 6, 5, 0}, 0, false, true},
	{"displaces a source", {0xff, T, 0xff, 6, 0}, PRESENT, 5, S, {0xff, S, 0xff, 5, 0}, T, false, true},
	{"of a pending source's priority", {0xff, T, 0xff, 5, 0}, PRESENT, 5, S, {0xff, T, 0xff, 5, NEED}, 0, false, false},
	{"less favoured than a pending source", {0xff, T, 0xff, 5, 0}, PRESENT, 6, S, {0xff, T, 0xff, 5, NEED}, 0, false, false},
	{"is there already", {0xff, S, 0xff, 5, 0}, PRESENT, 5, S, {0xff, S, 0xff, 5, 0}, 0, false, true},
	{"nothing is accepted after reset", {0, NONE, 0xff, 0xff, 0}, PRESENT, 0, S, {0, NONE, 0xff, 0xff, NEED}, 0, false, false},
};
/* clang-format on */

static void check_row(const struct row *row)
{
	struct result r = apply(row->op, word(&row->before), (uint8_t)row->value, row->source);

	ck_assert_msg(icp_is_valid(word(&row->before)), "%s: not a state", row->what);
	ck_assert_msg(r.c.word == word(&row->after), "%s, %s: 0x%016llx, not 0x%016llx",
		      op_names[row->op], row->what, (unsigned long long)r.c.word,
		      (unsigned long long)word(&row->after));
	ck_assert_msg(r.c.rejected == row->rejected, "%s: rejected 0x%x", row->what, r.c.rejected);
	ck_assert_msg(r.c.resend == row->resend, "%s: resend %d", row->what, r.c.resend);
	ck_assert_msg(r.taken == row->taken, "%s: taken %d", row->what, r.taken);
}

START_TEST(each_transition_gives_what_papr_says)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(&rows[i]);
}
END_TEST

static const uint8_t priorities[] = {0, 1, 4, 5, 6, 0xfe, 0xff};
static const uint32_t xisrs[] = {NONE, IPI, S, T};
#define N_PRIORITIES ARRAY_SIZE(priorities)
/* 7 * 7 with nothing pending, 6 + 5 .. + 1 IPIs, 6 * 6 + 5 * 5 .. + 1 of each source. */
#define STATES (2ul * (49 + 21 + 2 * 91)) /* with and without something that waits */

/* Call @f with each state that can be, and count them. */
static size_t for_each_state(void (*f)(uint64_t state))
{
	size_t n = 0;

	for (size_t i = 0; i < N_PRIORITIES * N_PRIORITIES * N_PRIORITIES * 8; i++) {
		size_t rest = i / 8;
		uint8_t cppr = priorities[rest % N_PRIORITIES];
		uint8_t mfrr = priorities[rest / N_PRIORITIES % N_PRIORITIES];
		uint8_t pending = priorities[rest / N_PRIORITIES / N_PRIORITIES];
		uint64_t state = icp_word(cppr, xisrs[i / 2 % 4], mfrr, pending) | (i & 1);

		if (!icp_is_valid(state))
			continue;
		f(state);
		n++;
	}
	return n;
}

/* Call @f with each state, operation and value. */
static void (*on_change)(enum op op, uint64_t old, uint8_t value, const struct result *r);

static void change_state(uint64_t old)
{
	for (enum op op = ACCEPT; op <= PRESENT; op++)
		for (size_t i = 0; i < N_PRIORITIES; i++) {
			struct result r = apply(op, old, priorities[i], S);

			/* A masked source is never offered. */
			if (op != PRESENT || priorities[i] != XICS_MASKED)
				on_change(op, old, priorities[i], &r);
		}
}

static size_t for_each_change(void (*f)(enum op, uint64_t, uint8_t, const struct result *))
{
	on_change = f;
	return for_each_state(change_state);
}

#define assert_change(what)                                                                        \
	ck_assert_msg(what, "%s 0x%x: 0x%016llx -> 0x%016llx, rejected 0x%x, resend %d: " #what,   \
		      op_names[op], value, (unsigned long long)old, (unsigned long long)new,       \
		      r->c.rejected, r->c.resend)

static void stays_valid(enum op op, uint64_t old, uint8_t value, const struct result *r)
{
	uint64_t new = r->c.word;

	assert_change(icp_is_valid(new));
	assert_change(!(new & 0xffff & ~NEED));
	assert_change(icp_mfrr(new) == (op == MFRR ? value : icp_mfrr(old)));
	if (op == ACCEPT)
		assert_change(icp_cppr(new) ==
			      (icp_output(old) ? icp_pending(old) : icp_cppr(old)));
	else
		assert_change(icp_cppr(new) == (op == CPPR ? value : icp_cppr(old)));
	/* An IPI that CPPR lets through is pending, or something better is. */
	if (op == CPPR || op == MFRR)
		assert_change(icp_mfrr(new) >= icp_cppr(new) || icp_output(new));
	/* What gets in is better than all that was there. */
	if (op == PRESENT && icp_xisr(old) != S)
		assert_change(r->taken == (value < icp_cppr(old) && value < icp_mfrr(old) &&
					   value < icp_pending(old)));
	if (op == PRESENT && !r->taken)
		assert_change(new == (old | NEED));
}

START_TEST(every_transition_leads_to_a_state_that_can_be)
{
	ck_assert_uint_eq(for_each_change(stays_valid), STATES);
}
END_TEST

/* A source stays, is accepted or is rejected, and nothing else is rejected. */
static void loses_nothing(enum op op, uint64_t old, uint8_t value, const struct result *r)
{
	uint32_t was = icp_xisr(old);
	uint64_t new = r->c.word;
	bool source = was != NONE && was != IPI;

	if (op == ACCEPT)
		assert_change(icp_xisr(new) == NONE && !r->c.rejected);
	else if (source && icp_xisr(new) != was)
		assert_change(r->c.rejected == was);
	else
		assert_change(r->c.rejected == NONE);
	/* A rejected source is sent again, and this presenter must not take it at once. */
	if (r->c.rejected)
		assert_change(!icp_would_take(new, icp_pending(old)));
	if (was == IPI && op != MFRR)
		assert_change(icp_mfrr(new) == icp_pending(old));
}

START_TEST(no_transition_loses_an_interrupt)
{
	ck_assert_uint_eq(for_each_change(loses_nothing), STATES);
}
END_TEST

/* Whoever waits is told as soon as it could be taken. */
static void tells_waiters(enum op op, uint64_t old, uint8_t value, const struct result *r)
{
	uint64_t new = r->c.word;
	bool better = false;

	for (unsigned int p = 0; p < XICS_MASKED; p++)
		better |= !icp_would_take(old, (uint8_t)p) && icp_would_take(new, (uint8_t)p);
	if (old & NEED)
		assert_change(r->c.resend == !(new &NEED));
	else
		assert_change(!r->c.resend && (!(new &NEED) || (op == PRESENT && !r->taken)));
	if ((old & NEED) && better)
		assert_change(r->c.resend);
}

START_TEST(what_waits_is_offered_when_it_may_be_taken)
{
	ck_assert_uint_eq(for_each_change(tells_waiters), STATES);
}
END_TEST

void icp_tests(TCase *tc)
{
	tcase_add_test(tc, each_transition_gives_what_papr_says);
	tcase_add_test(tc, every_transition_leads_to_a_state_that_can_be);
	tcase_add_test(tc, no_transition_loses_an_interrupt);
	tcase_add_test(tc, what_waits_is_offered_when_it_may_be_taken);
}
