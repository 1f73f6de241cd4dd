/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of `paprika run`. */
#ifndef VMM_OPTIONS_H
#define VMM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"
#include "vmm/sandbox.h"

/* Linux's COMMAND_LINE_SIZE on powerpc, less the final NUL. */
#define PARAMS_MAX     2047
#define GUEST_NAME_MAX 64
#define THREADS_MAX    8

enum mmu_choice { MMU_AUTO, MMU_HPT, MMU_RADIX };
enum hpt_choice { HPT_KERNEL, HPT_USER };
enum irqchip_choice { IRQCHIP_USER, IRQCHIP_KERNEL };

struct run_options {
	const char *kernel, *initrd, *params, *name; /* the caller's strings */
	bool named;				     /* @name was given */
	const char *dump_dtb;			     /* file to write the device tree to */
	uint64_t mem;				     /* bytes */
	uint32_t cpus, threads;			     /* in all, and a core */
	enum mmu_choice mmu;
	enum hpt_choice hpt;
	uint32_t hpt_order; /* log2 of its bytes, 0 for what the memory asks for */
	enum irqchip_choice irqchip;
	enum sandbox_mode sandbox;
	bool hugetlb, no_reboot, hpt_check;
	uint32_t nr_loops, lsi_loops; /* terminals that loop; bit n: the nth has an LSI */
	unsigned int trace;	      /* enum trace_kind bits */
	const char *trace_file;
};

enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_BAD };

/**
 * options_parse - read the words after "run"
 * @argv: argv[0] is the verb
 *
 * Only the form is checked here; what the host offers is checked where it is asked.
 */
enum options_result options_parse(struct run_options *o, int argc, char **argv, struct why *why);

/* What `paprika run --help` prints. */
extern const char run_help[];

#endif
