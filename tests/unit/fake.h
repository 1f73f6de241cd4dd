/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine with nothing behind its callbacks: most write down that they were called. */
#ifndef TESTS_UNIT_FAKE_H
#define TESTS_UNIT_FAKE_H

#include "hcall/hcall.h"
#include "hcall/machine.h"

#define FAKE_CPUS	  4
#define FAKE_FIRST_SOURCE 0x1000
#define FAKE_NR_SOURCES	  8

struct fake {
	struct machine machine;
	struct hcpu cpu; /* server 1 */
	char log[512];	 /* "name(arguments) " for every call since it was last cleared */
	int cpu_start, cpu_stopped, system_reset, set_lpcr, set_process_table; /* answers */
	bool line[FAKE_CPUS];
	bool hpt_gone;			   /* hpt_begin() says so */
	unsigned int hpt_begun, hpt_ended; /* they make no line in the log */
};

/*
 * With @mem_size bytes of zeroed memory, from malloc, and no hashed page table, which
 * whoever wants one adds. False if there is no memory.
 */
bool fake_init(struct fake *fake, uint64_t mem_size);
void fake_fini(struct fake *fake);

/* A hypercall of server 1; @args come back as the answers. */
int64_t fake_hcall(struct fake *fake, uint64_t nr, uint64_t args[HCALL_ARGS]);

#endif
