/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of hcalls.def, rtas.def and fuzz.def. Guest programs include this too. */
#ifndef HCALL_KINDS_H
#define HCALL_KINDS_H

/* What an argument means: the fuzzer draws from these, the reference prints them. */
enum hcall_arg {
	ARG_NONE,
	ARG_FLAGS,    /* a set of bits */
	ARG_VALUE,    /* any number */
	ARG_ADDRESS,  /* a real address */
	ARG_LENGTH,   /* bytes */
	ARG_SERVER,   /* an interrupt server number */
	ARG_SOURCE,   /* an interrupt source number */
	ARG_XIRR,     /* CPPR and XISR */
	ARG_PRIORITY, /* 0 to 0xff */
	ARG_UNIT,     /* a virtual device's unit address */
	ARG_PTEX,     /* an index into the hashed page table */
	ARG_PTE,      /* a doubleword of a page table entry */
	ARG_AVPN,     /* an abbreviated virtual page number */
	ARG_TOKEN,    /* an RTAS token or a parameter's number */
};

/*
 * Who serves a call: KVM, this monitor, KVM where it can and the monitor else, or
 * nobody: guests are known to ask, and docs/HCALLS.md says why it is not there.
 */
enum hcall_server { BY_KERNEL, BY_MONITOR, BY_EITHER, BY_NOBODY };

/* What keeps a fuzzer in a guest from a call, or from some of its arguments. */
enum fuzz_limit {
	FUZZ_NEVER = 0x001,   /* not drawn: an act of the fuzzer does it */
	FUZZ_LAST = 0x002,    /* ends the guest: its last call, if at all */
	FUZZ_SLOTS = 0x004,   /* changes entries: not those that real mode needs */
	FUZZ_BULK = 0x008,    /* entry indexes are requests of H_BULK_REMOVE */
	FUZZ_COPY = 0x010,    /* writes as much as it is told to */
	FUZZ_CONSOLE = 0x020, /* writes to the console, which the fuzzer reports on */
	FUZZ_SELF = 0x040,    /* interrupts, where only the caller may be */
	FUZZ_SLEEP = 0x080,   /* sleeps: a timer has to end it */
	FUZZ_BLOCK = 0x100,   /* KVM with its own XICS ends KVM_RUN for a bad block */
	FUZZ_WILD = 0x200,    /* KVM's XICS does harm with priorities above 0xff */
	FUZZ_SOURCE = 0x400,  /* KVM's XICS over XIVE crashes for some sources that are none */
	FUZZ_POLL = 0x800,    /* KVM's XICS over XIVE harms another processor that is polled */
	FUZZ_START = 0x1000,  /* lets a processor run: only where there is code for it */
};

/* What `--only` selects by. */
enum fuzz_family {
	FAMILY_OTHER,
	FAMILY_HPT,
	FAMILY_XICS,
	FAMILY_CPU,
	FAMILY_MEMORY,
	FAMILY_TERM,
	FAMILY_MMU,
	FAMILY_RTAS,
	FAMILY_UNKNOWN,
	FAMILIES
};

#endif
