/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of hcall-fuzz. */
#ifndef GUEST_FUZZ_H
#define GUEST_FUZZ_H

#include "guest.h"
#include "hcall/answers.h"
#include "hcall/kinds.h"
#include "random.h"

#define MAX_FUZZERS 8
#define MAX_ARGS    9
#define MAX_OUTPUTS 3  /* of an RTAS call, that are looked at */
#define MAX_CODES   24 /* return codes told apart, of one call */
#define MAX_CALLS   128
#define MAX_HINTS   4
#define KEPT	    8
#define MAX_TTYS    8
#define MAX_KEPT    256 /* ranges of "keep=" */

/* Pages of each CPU for translated accesses, in a segment of its own. */
#define FUZZ_EA	   (16ul << 28)
#define FUZZ_PAGES 0x400

#define LARGEST_PAGE (1ul << 34) /* of the hashed page table */

/* A hypercall or RTAS service: what may be drawn. */
struct call {
	const char *name;
	u64 nr; /* number, or RTAS token */
	u8 args[8];
	u8 nargs, nret; /* RTAS: the least */
	bool rtas;
	u8 family, weight, by;
	u16 limits;
	u64 hints[MAX_HINTS];
	const int16_t *codes, *kvm_codes; /* CODES_MAX each: what it may answer */
};

extern struct call calls[MAX_CALLS];
extern int ncalls, unknown_call; /* the last entry stands for all numbers without one */

/* What was drawn: of an RTAS call the cells, of others r4 to r12. */
struct drawn {
	const struct call *call;
	u64 nr;
	u64 args[MAX_ARGS];
	u32 nargs, nret;
	u64 block;
};

/* One CPU's run. */
struct fuzzer {
	u64 seed, random;
	u64 index, issued, last_loss;
	u64 looked; /* issued, when all memory was looked at */
	u64 digest;
	u64 stopped, done;			 /* atomics */
	u64 ptex[KEPT], pte_v[KEPT], xirr[KEPT]; /* of earlier answers */
	u64 mfrr, off, in_service;		 /* agree.c */
	u64 interrupts, faults, resets, accesses, restarts;
	u64 ticks[MAX_CALLS]; /* for drawing, making and checking them */
	u32 guard_at;
	struct {
		long code;
		u64 count;
	} codes[MAX_CALLS][MAX_CODES];
	be32_t block[64] __attribute__((aligned(256)));
};

extern struct fuzzer fuzzers[MAX_FUZZERS];
extern int nfuzzers;

/* What the command line says. */
struct settings {
	u64 seed, calls, slow, plant;
	bool trace, kernel_xics, known, agree, may_stop;
	bool harm_page, harm_registers, harm_answer;
	int only; /* a family, or -1 */
};
extern struct settings set;

struct fuzzer *this_fuzzer(void);
static inline u64 fuzz_vsid(const struct fuzzer *f)
{
	return 0x2000 + (u64)(f - fuzzers);
}

/* Where start-cpu is to let processors begin: head.S. */
void cpu_entry(void);

/* table.c: join the tables and drop what is not wanted. False: no call is left. */
bool table_init(void);
const struct call *table_draw(struct fuzzer *f);
int family_of(const char *name, size_t len);
const char *family_name(int family);
const char *server_name(int by); /* of an enum hcall_server */

/* draw.c */
u64 draw(struct fuzzer *f);
u64 below(struct fuzzer *f, u64 n);
bool one_in(struct fuzzer *f, u64 n);
void draw_init(void);
void draw_call(struct fuzzer *f, struct drawn *d);
u64 draw_address(struct fuzzer *f);
u32 draw_tty(struct fuzzer *f); /* the unit of one that loops; ~0: there is none */

/* devices.c */
#define SOURCE_FIRST 0x1000
extern u64 memory_end;
extern u32 ttys[MAX_TTYS], sources[MAX_TTYS], nttys;
void devices_init(void);
bool is_present_source(u64 source);
/* A source that is there, for any of a block of KVM's that has some. */
u64 present_source(u64 source);

/* limit.c: change what would do harm that is known */
void limit(struct fuzzer *f, struct drawn *d);

/* keep.c: is this index to be issued? */
bool keep_init(void);
bool kept(u64 index);

/* guard.c: memory that calls may change, among memory that they must not. */
#define ARENA_SIZE (1ul << 20)
#define GUARD_SIZE (1ul << 18)
extern u8 *arena;
void guard_init(void);
void guard_break(bool spare);	/* for a test of the fuzzer itself */
u64 guard_rubbish(u64 address); /* an address that may be written, for one that may not */
bool guard_step(struct fuzzer *f);
bool guard_all(void);

/* issue.c: make the call, look at its answer. Why it is wrong, or NULL. */
const char *issue(struct fuzzer *f, struct drawn *d);

/* acts.c: what is no call */
void acts_init(void);
void act(struct fuzzer *f);
void start_stopped(struct fuzzer *f);
void fuzz_cpu(struct cpu *cpu);

/* agree.c: what KVM and the monitor may answer differently. */
void agree_limit(struct fuzzer *f, struct drawn *d);
bool agree_on_entry(u64 index, u64 v); /* of H_READ */
void agree_add(struct fuzzer *f, u64 value);
void agree_digest(struct fuzzer *f, const struct drawn *d, long code, const u64 *results);

#endif
