/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A backing of the hashed page table model: what hardware would have. It sets R and C,
 * and fails, when told, and writes down what the model must not ask of a backing.
 */
#ifndef TESTS_UNIT_HPT_HW_H
#define TESTS_UNIT_HPT_HW_H

#include "mmu/hpt.h"

struct hpt_hw {
	struct hpt *hpt;	  /* the model's */
	struct hpte *entries;	  /* both doublewords 0: none */
	unsigned int fails_after; /* so many calls from now one fails; 0: none does */
	bool looks_work;	  /* but not one that asks for R and C */
	int err;		  /* and gives this */
	uint64_t meanwhile; /* of R and C, set in the entry that is updated next, just before */
	unsigned int enters, invalidates, updates, looks; /* calls that did not fail */
	const char *fault;				  /* or NULL */
};

/* Make a model of 2^@order bytes, with this behind. 0 or a negative errno. */
int hpt_hw_init(struct hpt_hw *hw, struct hpt *hpt, uint32_t order);
/* The model is its owner's. */
void hpt_hw_fini(struct hpt_hw *hw);

/* A processor uses a translation, if there is one: R, or R and C. */
void hpt_hw_touch(struct hpt_hw *hw, uint64_t index, uint64_t rc);

#endif
