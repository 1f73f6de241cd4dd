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
 * EXCLUDED below, and docs/HPT.md.
 */
#include "guest.h"

/*
 * EXCLUDED
 *
 * STALE		H_READ of a free entry: nothing but that it is not valid.
 * SOFTWARE_COND	H_ANDCOND with bits that say what state an entry is in.
 * LARGE_IN_MEMORY	Pages in memory that are larger than the host's.
 * ZERO_PAGE		The flag of H_ENTER.
 * RESERVED_PP		Protections that the architecture does not define.
 * CLEARED_UNUSED	H_READ of R or C after it was cleared in an entry that was never used.
 * HYPERVISOR_ENTRIES	Those of real mode.
 * PASSED_OVER		H_ENTER that takes another free entry than the first.
 */
#define AVPN_HIGH     0x3ff0000000000000ul /* entries of Power ISA 3.0 have no room for these */
#define SOFTWARE_COND 0x61ul

#define MAX_RUNS     4
#define CALLS	     2000
#define WINDOW	     16 /* groups, and as many where their pages are second */
#define GROUP	     8
#define ENTRIES	     (2 * WINDOW * GROUP)
#define SEGMENTS     4 /* of 4 KiB pages, and then one of 64 KiB pages */
#define MAX_PAGES    ((SEGMENTS + 1) * WINDOW)
#define NO_PAGE	     (-1)
#define SHOWN	     10 /* wrong answers */
#define HV_SOFTWARE  0x60ul
#define RUBBISH_VSID 0x0008000000000000ul /* no page has it */

struct entry {
	u64 v, r;    /* free: v is 0 */
	u64 cleared; /* R and C that were, while it was unused */
	int page;
	bool used; /* a translation came of it */
	bool foreign;
};

struct run {
	u64 seed, random, digest, calls;
	u64 wrong, accesses, faults, done;
	u64 good, refused, missed, full; /* calls, by return code */
	u64 first[2];			 /* group of each window */
	int npages;
	struct vpage pages[MAX_PAGES];
	int where[MAX_PAGES]; /* the entry, or NO_PAGE */
	u64 content[MAX_PAGES];
	struct entry table[ENTRIES];
};

static struct run runs[MAX_RUNS];
static u8 memory[MAX_RUNS][WINDOW * (SEGMENTS * 0x1000 + 0x10000)] __attribute__((aligned(65536)));
static u64 calls, nentries, memory_end;
static u64 lost; /* of first doublewords */
static bool has_64k;

static u64 draw(struct run *run)
{
	/* xorshift64* */
	run->random ^= run->random >> 12;
	run->random ^= run->random << 25;
	run->random ^= run->random >> 27;
	return run->random * 0x2545f4914f6cdd1dul;
}

/* Below @n; the generator's upper bits are its best. */
static u64 below(struct run *run, u64 n)
{
	return (draw(run) >> 16) % n;
}

static bool one_in(struct run *run, u64 n)
{
	return below(run, n) == 0;
}

static void digest(struct run *run, u64 value)
{
	/* FNV-1a, by doublewords */
	run->digest = (run->digest ^ value) * 0x100000001b3ul;
	run->digest ^= run->digest >> 32;
}

static u64 index_of(const struct run *run, int place)
{
	return (run->first[place / (WINDOW * GROUP)] * GROUP) + place % (WINDOW * GROUP);
}

/* Where in table[], or -1: the indexes that are asked for are these or none. */
static int place_of(const struct run *run, u64 index)
{
	int w;

	for (w = 0; w < 2; w++)
		if (index - run->first[w] * GROUP < WINDOW * GROUP)
			return (int)(index - run->first[w] * GROUP) + w * WINDOW * GROUP;
	return -1;
}

/* ---- what is asked */

/* A place, mostly of an entry of ours, never of one of the hypervisor. */
static int draw_place(struct run *run)
{
	int place = (int)below(run, ENTRIES), tries;
	bool used = !one_in(run, 6);

	for (tries = 0; tries < ENTRIES; tries++, place = (place + 1) % ENTRIES)
		if (!run->table[place].foreign && (!used || run->table[place].v))
			return place;
	return 0;
}

static u64 draw_index(struct run *run)
{
	switch (below(run, 40)) {
	case 0:
		return nentries + below(run, 1000);
	case 1:
		return draw(run) | 1ul << 55;
	default:
		return index_of(run, draw_place(run));
	}
}

/* What to compare with: what fits, what does not, a condition, or anything. */
static u64 draw_value(struct run *run, u64 index)
{
	int place = place_of(run, index);
	u64 v = place < 0 ? 0 : run->table[place].v;
	u64 bit = below(run, 4) ? 1ul << (1 + below(run, 4)) : 1ul << (7 + below(run, 45));

	switch (below(run, 8)) {
	case 0:
		return (v & ~0x7ful) ^ 1ul << (7 + below(run, 45));
	case 1:
		return v & ~SOFTWARE_COND;
	case 2:
	case 3:
		return bit & ~SOFTWARE_COND;
	case 4:
		return draw(run) & ~SOFTWARE_COND;
	case 5:
		return 0;
	default:
		return v & ~0x7ful;
	}
}

static u64 draw_condition(struct run *run)
{
	static const u64 flags[] = {0, 0, H_AVPN, H_AVPN, H_ANDCOND, H_AVPN | H_ANDCOND};
	u64 rubbish = one_in(run, 8) ? draw(run) & ~(H_AVPN | H_ANDCOND) : 0;

	return flags[below(run, ARRAY_SIZE(flags))] | rubbish;
}

static u64 draw_protection(struct run *run)
{
	u64 r = draw(run) & HPTE_R_PROT;

	/* RESERVED_PP */
	if ((r & HPTE_R_PP) != 2)
		r &= ~HPTE_R_PP0;
	return r;
}

/* ---- what is expected */

/* log2 of the size of the page of an entry, 0 if there is none such. */
static u32 page_shift(u64 v, u64 r)
{
	u32 lp = (u32)(r >> 12) & 0xff;

	if (!(v & HPTE_V_LARGE))
		return 12;
	if ((lp & 15) == 1 || (lp & 15) == 7)
		return 16;
	if (lp == 0 || lp == 8 || lp == 0x38)
		return 24;
	return lp == 3 ? 34 : 0;
}

static bool fits(const struct entry *e, bool avpn, bool andcond, u64 value)
{
	return e->v && !(avpn && (e->v & ~0x7ful) != value) && !(andcond && (e->v & value));
}

static void forget(struct run *run, struct entry *e)
{
	if (e->page != NO_PAGE)
		run->where[e->page] = NO_PAGE;
	e->v = 0;
	e->page = NO_PAGE;
}

static void show(const struct run *run, const struct hcall *asked, const struct hcall *got, long rc,
		 int n, const u64 *want)
{
	int i;

	printf("# call %lu: 0x%lx (0x%lx 0x%lx 0x%lx 0x%lx): %ld, expected %ld\n", run->calls,
	       asked->r[0], asked->r[1], asked->r[2], asked->r[3], asked->r[4], (long)got->r[0],
	       rc);
	for (i = 0; i < n; i++)
		printf("#   r%d 0x%lx, expected 0x%lx\n", 4 + i, got->r[1 + i], want[i]);
}

static u64 *count_of(struct run *run, long rc)
{
	switch (rc) {
	case H_SUCCESS:
		return &run->good;
	case H_NOT_FOUND:
		return &run->missed;
	case H_PTEG_FULL:
		return &run->full;
	default:
		return &run->refused;
	}
}

/*
 * PASSED_OVER: H_ENTER that must give entry @at. KVM tries once to lock a free entry, and takes
 * the next if that fails. Then take it out again and ask once more; sooner or later it gives @at.
 */
static long enter_do(struct hcall *h, u64 at)
{
	const struct hcall asked = *h;
	long rc = hcall_do(h);
	int tries;

	for (tries = 0; tries < 8 && !rc && h->r[1] > at && h->r[1] / GROUP == at / GROUP;
	     tries++) {
		hcall(H_REMOVE, 0, h->r[1], 0);
		*h = asked;
		rc = hcall_do(h);
	}
	return rc;
}

/* Make a call whose return code must be @rc, and the @n results @want where @mask has ones. */
static void call(struct run *run, struct hcall *h, long rc, int n, const u64 *want, const u64 *mask)
{
	struct hcall asked = *h;
	bool wrong;
	int i;

	wrong = (h->r[0] == H_ENTER && n ? enter_do(h, want[0]) : hcall_do(h)) != rc;
	run->calls++;
	*count_of(run, rc) += 1;
	digest(run, h->r[0]);
	for (i = 0; i < n; i++) {
		u64 m = mask ? mask[i] : ~0ul;

		digest(run, h->r[1 + i] & m);
		wrong |= ((h->r[1 + i] ^ want[i]) & m) != 0;
	}
	if (wrong && run->wrong++ < SHOWN)
		show(run, &asked, h, rc, n, want);
}

/* ---- the calls */

static void enter(struct run *run, bool exact, u64 index, u64 v, u64 r, int page)
{
	u64 noise = one_in(run, 8) ? draw(run) & ~(H_EXACT | H_ZERO_PAGE) : 0;
	struct hcall h = {{H_ENTER, (exact ? H_EXACT : 0) | noise, index, v, r}};
	int place = index < nentries ? place_of(run, exact ? index : index & ~7ul) : -1, i = 0;
	u64 at;

	if (place < 0 || (v & HPTE_V_RESERVED_B) || !page_shift(v, r)) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	while (i < (exact ? 1 : GROUP) && run->table[place + i].v)
		i++;
	if (i == (exact ? 1 : GROUP)) {
		call(run, &h, H_PTEG_FULL, 0, NULL, NULL);
		return;
	}
	place += i;
	at = index_of(run, place);
	call(run, &h, H_SUCCESS, 1, &at, NULL);
	run->table[place] = (struct entry){
		.v = (v & ~HV_SOFTWARE & ~lost) | HPTE_V_VALID,
		.r = r & ~HPTE_R_TS,
		.page = page,
	};
	if (page != NO_PAGE)
		run->where[page] = place;
}

/* Map a page that is not mapped, where hardware looks for it. */
static void enter_page(struct run *run)
{
	int n = (int)below(run, (u64)run->npages);
	bool secondary = one_in(run, 3), exact = one_in(run, 2);
	struct vpage *page = &run->pages[n];
	u64 index = hpt_group(page, secondary) * GROUP + below(run, GROUP);

	if (run->where[n] != NO_PAGE)
		return;
	enter(run, exact, index,
	      hpt_v(page) | (secondary ? HPTE_V_SECONDARY : 0) | (draw(run) & 0x78),
	      hpt_r(page) | draw_protection(run) | (draw(run) & HPTE_R_RC), n);
}

/* Real addresses: of the program, of any memory, just beyond, and anything. */
static u64 draw_real(struct run *run)
{
	switch (below(run, 4)) {
	case 0:
		return run->pages[below(run, (u64)run->npages)].real;
	case 1:
		return below(run, memory_end) & ~0xffful;
	case 2:
		return memory_end + (below(run, 256) << 12);
	default:
		return draw(run) & HPTE_R_RPN;
	}
}

static void enter_rubbish(struct run *run)
{
	u64 v = draw(run) | RUBBISH_VSID, r, index = draw_index(run), size;
	static const u8 sizes[] = {0x00, 0x01, 0x03, 0x07, 0x08, 0x38};

	if (!one_in(run, 8))
		v &= ~HPTE_V_RESERVED_B;
	r = draw_real(run) | (draw(run) & 0xfff) | draw_protection(run) | (draw(run) & HPTE_R_TS);
	if (one_in(run, 2))
		r = (r & ~0xff000ul) | (u64)sizes[below(run, ARRAY_SIZE(sizes))] << 12;
	/* draw_protection() has the last word. */
	if ((r & HPTE_R_PP) != 2)
		r &= ~HPTE_R_PP0;
	/* LARGE_IN_MEMORY */
	size = 1ul << page_shift(v, r);
	if ((r & HPTE_R_RPN & ~(size - 1)) < memory_end && size > (has_64k ? 0x10000 : 0x1000))
		v &= ~HPTE_V_LARGE;
	enter(run, one_in(run, 2), index, v, r, NO_PAGE);
}

static void remove(struct run *run)
{
	u64 index = draw_index(run), flags = draw_condition(run), value = draw_value(run, index);
	struct hcall h = {{H_REMOVE, flags, index, value}};
	struct entry *e;
	u64 want[2];

	if (place_of(run, index) < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	e = &run->table[place_of(run, index)];
	if (!fits(e, flags & H_AVPN, flags & H_ANDCOND, value)) {
		call(run, &h, H_NOT_FOUND, 0, NULL, NULL);
		return;
	}
	want[0] = e->v;
	want[1] = e->r;
	call(run, &h, H_SUCCESS, 2, want, NULL);
	forget(run, e);
}

static u64 draw_request(struct run *run)
{
	static const u64 types[] = {0, BULK_RESPONSE, BULK_END, BULK_END};
	u64 index = draw_index(run) & BULK_INDEX;
	u64 condition = one_in(run, 32) ? BULK_CONDITION : below(run, 3) * BULK_ANDCOND;
	u64 type = one_in(run, 12) ? types[below(run, ARRAY_SIZE(types))] : BULK_REQUEST;
	u64 noise = one_in(run, 8) ? draw(run) & 0x3c00000000000000ul : 0;

	return type | condition | noise | index;
}

/* One request's answer; false if it is the last. */
static bool expect_removal(struct run *run, u64 request, u64 value, u64 *want, long *rc)
{
	u64 index = request & BULK_INDEX, condition = request & BULK_CONDITION;
	u64 answer = BULK_RESPONSE | condition | index;
	struct entry *e;

	*want = request;
	if ((request & BULK_END) == BULK_END)
		return false;
	if ((request & BULK_END) != BULK_REQUEST || condition == BULK_CONDITION ||
	    index >= nentries) {
		*want = answer | BULK_PARAMETER;
		*rc = H_PARAMETER;
		return false;
	}
	e = &run->table[place_of(run, index)];
	if (!fits(e, condition == BULK_AVPN, condition == BULK_ANDCOND, value)) {
		*want = answer | BULK_NOT_FOUND;
		return true;
	}
	*want = answer | (e->r & HPTE_R_RC) << BULK_RC_SHIFT;
	forget(run, e);
	return true;
}

static void bulk_remove(struct run *run)
{
	struct hcall h = {{H_BULK_REMOVE}};
	long rc = H_SUCCESS;
	bool more = true;
	u64 want[8];
	int i;

	for (i = 1; i < 9; i += 2) {
		h.r[i] = draw_request(run);
		h.r[i + 1] = draw_value(run, h.r[i] & BULK_INDEX);
	}
	memcpy(want, &h.r[1], sizeof(want));
	for (i = 0; more && i < 8; i += 2)
		more = expect_removal(run, h.r[1 + i], h.r[2 + i], &want[i], &rc);
	call(run, &h, rc, 8, want, NULL);
}

static void protect(struct run *run)
{
	u64 index = draw_index(run), value = draw_value(run, index), bits = draw_protection(run);
	/* H_ANDCOND is no flag of this call; the others may be anything. */
	u64 flags = draw_condition(run) & (H_AVPN | H_ANDCOND);
	struct hcall h = {{H_PROTECT,
			   flags | bits >> 55 | (bits & HPTE_R_KEY_HI) >> 48 |
				   (bits & (HPTE_R_KEY_LO | HPTE_R_N | HPTE_R_PP)),
			   index, value}};
	struct entry *e;

	if (place_of(run, index) < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	e = &run->table[place_of(run, index)];
	if (!fits(e, flags & H_AVPN, false, value)) {
		call(run, &h, H_NOT_FOUND, 0, NULL, NULL);
		return;
	}
	call(run, &h, H_SUCCESS, 0, NULL, NULL);
	e->r = (e->r & ~HPTE_R_PROT) | bits;
}

static void read(struct run *run)
{
	u64 index = draw_index(run), want[8], mask[8];
	int n = one_in(run, 2) ? 4 : 1, place, i;
	struct hcall h = {{H_READ, n == 4 ? H_READ_4 : 0, index}};

	place = place_of(run, n == 4 ? index & ~3ul : index);
	if (place < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	for (i = 0; i < n; i++) {
		struct entry *e = &run->table[place + i];

		want[2 * i] = e->v;
		want[2 * i + 1] = e->r;
		/* STALE, HYPERVISOR_ENTRIES, CLEARED_UNUSED */
		mask[2 * i] = e->foreign ? 0 : e->v ? ~0ul : HPTE_V_VALID;
		mask[2 * i + 1] = e->foreign || !e->v ? 0 : ~(e->cleared & ~e->r);
	}
	call(run, &h, H_SUCCESS, 2 * n, want, mask);
}

static void clear(struct run *run)
{
	bool mod = one_in(run, 2);
	u64 index = draw_index(run), bit = mod ? HPTE_R_C : HPTE_R_R, was;
	struct hcall h = {{mod ? H_CLEAR_MOD : H_CLEAR_REF, 0, index}};
	struct entry *e;

	if (place_of(run, index) < 0) {
		call(run, &h, H_PARAMETER, 0, NULL, NULL);
		return;
	}
	e = &run->table[place_of(run, index)];
	if (!e->v) {
		call(run, &h, H_NOT_FOUND, 0, NULL, NULL);
		return;
	}
	was = e->r;
	call(run, &h, H_SUCCESS, 1, &was, NULL);
	if (!e->used)
		e->cleared |= e->r & bit;
	e->r &= ~bit;
}

/* ---- accesses */

static bool read_only(const struct entry *e)
{
	return (e->r & HPTE_R_PP0) || (e->r & HPTE_R_PP) == 3;
}

/* Mostly one that is mapped. */
static int draw_page(struct run *run)
{
	int n = (int)below(run, (u64)run->npages), tries = one_in(run, 4) ? 0 : run->npages;

	for (; tries && run->where[n] == NO_PAGE; tries--)
		n = (n + 1) % run->npages;
	return n;
}

/* Load or store in a page: what it maps, its protection, its R and C must tell. */
static void touch(struct run *run)
{
	int n = draw_page(run);
	struct entry *e = run->where[n] == NO_PAGE ? NULL : &run->table[run->where[n]];
	u64 stored = draw(run), ea = run->pages[n].ea, loaded = 0, wanted = run->content[n];
	bool store = one_in(run, 2);
	u32 fault, want = 0;

	if (!e)
		want = DSISR_NOHPTE | (store ? DSISR_STORE : 0);
	else if (store && read_only(e))
		want = DSISR_PROT | DSISR_STORE;
	fault = store ? hpt_store(ea, stored) : hpt_load(ea, &loaded);
	run->accesses++;
	run->faults += want != 0;
	if (!want) {
		e->r |= store ? HPTE_R_RC : HPTE_R_R;
		e->used = true;
		e->cleared = 0;
		if (store)
			run->content[n] = stored;
	}
	if (store || want)
		loaded = wanted;
	digest(run, fault);
	digest(run, loaded);
	if ((fault != want || loaded != wanted) && run->wrong++ < SHOWN)
		printf("# after call %lu: %s at 0x%lx: dsisr 0x%x, expected 0x%x; 0x%lx, expected "
		       "0x%lx\n",
		       run->calls, store ? "store" : "load", ea, fault, want, loaded, wanted);
}

/* ---- all together */

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
	u64 mask = nentries / GROUP - 1, real = (u64)memory[n], p;
	u64 vrma = HPT_VRMA_VSID ^ HPT_VRMA_VSID << 25;
	u32 s;
	int i;

	run->seed = dt_bootarg_number("seed", 1) + n;
	run->random = (run->seed + 1) * 0x9e3779b97f4a7c15ul | 1;
	run->first[0] = ((mask / 2 + 1 + n * WINDOW) ^ vrma) & mask & ~(u64)(WINDOW - 1);
	run->first[1] = ~run->first[0] & mask & ~(u64)(WINDOW - 1);
	for (s = 0; has_64k && s < 1; s++)
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
	nentries = 8ul << hpt_group_bits();
	memory_end = dt_memory_end();
	lost = processor_version() >= PVR_POWER9 ? AVPN_HIGH : 0;
	has_64k = hpt_has_64k(&(u64){0});
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
	       has_64k ? "4K and 64K" : "4K");
	/* Fewer calls may be too few for that. */
	if (calls >= CALLS)
		check("answers of every kind came", all);
	check_eq("each answer is the expected one", (long)wrong, 0);
	check("code and constants are as they were", text_sum() == sum);
	return 0;
}
