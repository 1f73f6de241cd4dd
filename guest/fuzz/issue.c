// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: making a call, and what any answer must hold to.
 *
 * LOCKING: none. All of it belongs to one CPU.
 */
#include "fuzz.h"

#define CANARY	       0x5ca1ab1e
#define BLOCK	       16    /* cells before it */
#define TIMER_FRACTION 20000 /* of a second */
#define H_PLANTED      9999  /* no call's answer; within KVM it is H_TOO_HARD */

/* hcall/answers.def has what it may answer; KVM's own codes, as H_TOO_HARD, are in none of it. */
static bool may_answer(const struct call *call, long code)
{
	if (call->by == BY_NOBODY)
		return code == H_FUNCTION;
	/* H_RTAS itself may refuse the block. */
	return codes_have(call->codes, code) || codes_have(call->kvm_codes, code) ||
	       (call->rtas && code == H_PARAMETER);
}

static bool count(struct fuzzer *f, const struct call *call, long code)
{
	int i, n = (int)(call - calls);

	for (i = 0; i < MAX_CODES; i++) {
		if (f->codes[n][i].count && f->codes[n][i].code != code)
			continue;
		f->codes[n][i].code = code;
		f->codes[n][i].count++;
		return true;
	}
	return false;
}

/* Keep what later calls may be about. */
static void keep(struct fuzzer *f, const struct drawn *d, const struct hcall *h)
{
	u32 at = (u32)f->issued % KEPT;

	switch (d->nr) {
	case H_ENTER:
		f->ptex[at] = h->r[1];
		f->pte_v[at] = d->args[2];
		break;
	case H_READ:
		if (set.agree && !agree_on_entry(d->args[1], h->r[1]))
			break;
		f->pte_v[at] = h->r[1];
		break;
	case H_XIRR:
	case H_XIRR_X:
	case H_IPOLL:
		f->xirr[at] = (u32)h->r[1];
		break;
	}
}

static const char *issue_hcall(struct fuzzer *f, struct drawn *d, long *code)
{
	struct hcall h = {{d->nr}};

	memcpy(&h.r[1], d->args, sizeof(d->args));
	if (d->call->limits & FUZZ_SLEEP)
		set_decrementer(timebase_frequency() / TIMER_FRACTION);
	f->last_loss = hcall_checked(&h) | extended_lost();
	*code = (long)h.r[0];
	if (d->call->limits & FUZZ_SLEEP)
		irq_off();
	if (*code == H_SUCCESS)
		keep(f, d, &h);
	agree_digest(f, d, *code, &h.r[1]);
	memcpy(d->args, &h.r[1], sizeof(d->args));
	return f->last_loss ? "registers lost" : NULL;
}

static u32 fill_block(struct fuzzer *f, const struct drawn *d)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(f->block); i++)
		f->block[i] = be32(CANARY);
	f->block[BLOCK] = be32((u32)d->nr);
	f->block[BLOCK + 1] = be32(d->nargs);
	f->block[BLOCK + 2] = be32(d->nret);
	for (i = 0; i < MAX_ARGS && i < d->nargs; i++)
		f->block[BLOCK + 3 + i] = be32((u32)d->args[i]);
	return BLOCK + 3 + d->nargs;
}

/* Nothing but the outputs may have changed. */
static bool block_kept(const struct fuzzer *f, const struct drawn *d, u32 outputs)
{
	u32 i, end = outputs + d->nret;

	if (d->nargs > RTAS_MAX_ARGS || d->nret > RTAS_MAX_ARGS - d->nargs)
		outputs = end = ARRAY_SIZE(f->block);
	for (i = 0; i < ARRAY_SIZE(f->block); i++) {
		if ((i >= outputs && i < end) || (i >= BLOCK && i < BLOCK + 3))
			continue;
		if (i >= BLOCK + 3 && i < BLOCK + 3 + d->nargs && i < BLOCK + 3 + MAX_ARGS)
			continue;
		if (be32_get(f->block[i]) != CANARY)
			return false;
	}
	return true;
}

static const char *issue_rtas(struct fuzzer *f, struct drawn *d, long *code)
{
	u32 outputs = fill_block(f, d);
	struct hcall h = {{H_RTAS, (u64)(f->block + BLOCK)}};
	u64 results[MAX_OUTPUTS] = {0};
	u32 i;

	f->last_loss = hcall_checked(&h) | extended_lost();
	*code = (long)h.r[0];
	if (*code == H_SUCCESS && d->nret && outputs < ARRAY_SIZE(f->block))
		*code = (int)be32_get(f->block[outputs]);
	for (i = 0; *code == H_SUCCESS && i < d->nret && i < MAX_OUTPUTS; i++)
		results[i] = be32_get(f->block[outputs + i]);
	agree_digest(f, d, *code, results);
	memcpy(d->args, results, sizeof(results));
	if (f->last_loss)
		return "registers lost";
	return block_kept(f, d, outputs) ? NULL : "RTAS wrote outside its outputs";
}

static void show(const struct fuzzer *f, const char *what, const struct drawn *d)
{
	printf("hcall-fuzz: %s cpu=%u index=%lu call=%s nr=0x%lx args=%lx,%lx,%lx,%lx,%lx,%lx "
	       "nargs=%u nret=%u\n",
	       what, this_cpu()->server, f->index, d->call->name, d->nr, d->args[0], d->args[1],
	       d->args[2], d->args[3], d->args[4], d->args[5], d->nargs, d->nret);
}

const char *issue(struct fuzzer *f, struct drawn *d)
{
	struct drawn before = *d;
	const char *why;
	long code;

	if (set.trace) {
		show(f, "issue", d);
		/* If the host dies of it, this has been seen. */
		delay_us(set.slow * 1000);
	}
	why = d->call->rtas ? issue_rtas(f, d, &code) : issue_hcall(f, d, &code);
	f->issued++;
	if (set.harm_answer && f->index == set.plant)
		code = H_PLANTED;
	if (set.trace)
		printf("hcall-fuzz: answer index=%lu code=%ld gave=%lx,%lx,%lx digest=%016lx\n",
		       f->index, code, d->args[0], d->args[1], d->args[2], f->digest);
	if (!may_answer(d->call, code))
		why = "an answer that this call does not have";
	if (!count(f, d->call, code))
		why = "more return codes than a call can have";
	if (!guard_step(f))
		why = "memory changed that no call was given";
	if (why) {
		show(f, "call", &before);
		printf("hcall-fuzz: code=%ld lost=%lx\n", code, f->last_loss);
	}
	return why;
}
