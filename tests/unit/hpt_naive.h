/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page frame table calls a second time, as PAPR 14.5.4.1 has them and as naive as
 * can be: an array, one caller, R and C in the entries. It shares no code and no
 * constant with the model that it is compared with.
 */
#ifndef TESTS_UNIT_HPT_NAIVE_H
#define TESTS_UNIT_HPT_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

struct naive_entry {
	uint64_t v, r; /* both 0 where not valid */
};

struct hpt_naive {
	struct naive_entry *entries;
	uint64_t count;
	uint8_t *mem; /* of the guest */
	uint64_t mem_size;
	bool backed;		  /* calls reach a backing */
	unsigned int fails_after; /* of which one fails, after so many calls; 0: none does */
	int64_t failure;	  /* the PAPR code of a call in which it did */
};

/* Zeroed memory and an empty table of 2^@order bytes, from malloc. */
bool naive_init(struct hpt_naive *n, uint32_t order, uint64_t mem_size);
void naive_fini(struct hpt_naive *n);

/* The call with this number; answers come back in @args. */
int64_t naive_call(struct hpt_naive *n, uint64_t nr, uint64_t args[]);

#endif
