/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine for the fuzzer of hypercalls: tests/unit/fake.h writes down what it is asked,
 * this one does it. Processors start and stop, terminals interrupt, the page table has
 * hardware behind it, and beside all that is what must come of it: memory as it has to
 * be, the naive page table, which interrupts are in service.
 */
#ifndef TESTS_FUZZ_CALLS_VM_H
#define TESTS_FUZZ_CALLS_VM_H

#include "hcall/hcall.h"
#include "tests/unit/hpt_hw.h"
#include "tests/unit/hpt_naive.h"

#define VM_CPUS_MAX  8
#define VM_MEM	     0x100000ull
#define VM_PAGE	     0x1000ull
#define VM_HPT_ORDER HPT_ORDER_MIN
#define VM_LOOPS     4
#define VM_SOURCES   10
#define VM_TOUCHED   512
#define VM_EVENTS    1000 /* interrupts at the end of a run: more than can be */

/* The bytes that choose: 0 where there are no more. */
struct input {
	const uint8_t *at, *end;
};

static inline uint8_t draw(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static inline uint64_t draw_bytes(struct input *in, unsigned int n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | draw(in);
	return value;
}

enum vm_mmu {
	VM_HASH_BACKED, /* the model serves the page table, with hardware behind */
	VM_HASH_ALONE,	/* with nothing behind */
	VM_HASH_KERNEL, /* KVM serves it */
	VM_RADIX,
};

struct fuzz_vm {
	struct machine machine;
	struct hcpu cpus[VM_CPUS_MAX];
	enum vm_mmu mmu;

	/* The world outside. */
	uint32_t caller; /* whose thread this is */
	bool parked;	 /* all processors are */
	bool line[VM_CPUS_MAX], stopped[VM_CPUS_MAX];
	struct hpt_hw hw;
	int host;	       /* what the host answers the next that asks it */
	bool hpt_gone;	       /* hpt_begin() says so, once */
	bool refuses;	       /* if an entry fails, then as the host cannot have it so */
	int held;	       /* hpt_begin() without hpt_end() */
	enum stop_reason stop; /* asked for by this call */

	/* What must be. naive.mem is memory as it has to be. */
	struct hpt_naive naive;
	bool dirty[VM_MEM / VM_PAGE]; /* pages that are no longer all zero */
	uint64_t touched[VM_TOUCHED]; /* entries that may be valid */
	uint32_t nr_touched;
	bool in_service[VM_SOURCES]; /* accepted, not ended */
	bool wild;		     /* the guest ended what it did not accept */

	/* What XICS was when it was saved. */
	bool saved, saved_in_service[VM_SOURCES];
	uint64_t saved_presenters[VM_CPUS_MAX], saved_sources[VM_SOURCES];
};

extern const uint32_t vm_sources[VM_SOURCES];

/* Ends the program with what is wrong, unless @ok. */
void must(bool ok, const char *what);

/* As it is made, with so many processors. The same object each time: it is dear. */
struct fuzz_vm *vm_start(uint32_t nr_cpus, enum vm_mmu mmu);
/* The guest's reset, with all processors parked. */
void vm_reset(struct fuzz_vm *vm);
/* It has ended, and another like it begins. */
void vm_renew(struct fuzz_vm *vm);

/* Position of a source in vm_sources, or -1. */
int vm_source(uint32_t source);

/* The guest itself writes to its memory; what is not memory is left out. */
void vm_poke(struct fuzz_vm *vm, uint64_t addr, const void *from, uint64_t len);
/* A call may have written there. */
void vm_written(struct fuzz_vm *vm, uint64_t addr, uint64_t len);
/* Memory there, if it is, and naive.mem with it, may be other than zero. */
void vm_dirty(struct fuzz_vm *vm, uint64_t addr, uint64_t len);
/* This entry of the page table may have become valid. */
void vm_touched(struct fuzz_vm *vm, uint64_t index);

/* What must hold after each step, and after the last. */
void vm_check(struct fuzz_vm *vm);
void vm_finish(struct fuzz_vm *vm);

#endif
