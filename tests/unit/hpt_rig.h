/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine with a hashed page table and hardware behind it (hpt_hw.h), for tests of the
 * page frame table calls. After each call nothing is locked, what began was ended, and
 * the model did not misuse its backing.
 */
#ifndef TESTS_UNIT_HPT_RIG_H
#define TESTS_UNIT_HPT_RIG_H

#include <errno.h>

#include "hcall/papr.h"
#include "lib/util.h"
#include "tests/unit/fake.h"
#include "tests/unit/hpt_hw.h"
#include "tests/unit/unit.h"

#define HPT_RIG_MEM   (MIB(16) + KIB(256))
#define HPT_RIG_COUNT 0x4000ull /* entries: a table of 256 KiB */

/* Flags as PAPR has them, numbers as in its table. */
#define EXACT	  0x8000000000ull
#define READ_4	  0x2000000000ull
#define AVPN	  0x80000000ull
#define ANDCOND	  0x40000000ull
#define ZERO_PAGE 0x8000ull

#define H_REMOVE      0x004
#define H_ENTER	      0x008
#define H_READ	      0x00c
#define H_CLEAR_MOD   0x010
#define H_CLEAR_REF   0x014
#define H_PROTECT     0x018
#define H_BULK_REMOVE 0x124

/* Two entries for pages of 4 KiB, and their abbreviated virtual page numbers. */
#define V1    0x0123456789abc081ull
#define AVPN1 0x0123456789abc080ull
#define R1    0x0000000000005012ull
#define V2    0x4000000000000a91ull /* 1 TiB segment, bolted */
#define AVPN2 0x4000000000000a80ull
#define R2    0x9000000000007607ull /* all that H_PROTECT changes, partly */

#define UNTOUCHED 0x3333333333333333ull /* what a call finds in registers it has no use for */

extern struct fake fake;
extern struct hpt *hpt;
extern struct hpt_hw hw;
extern uint64_t args[HCALL_ARGS]; /* of the last call its answers */

void hpt_rig_setup(void);
void hpt_rig_teardown(void);
/* From now on the model is by itself. */
void hpt_rig_without_backing(void);
/* So many backing calls later one fails. */
void hpt_rig_fails(unsigned int after, int err);

/* What must hold after each call. */
void hpt_rig_check(void);

/* Make a call; what it gives. */
int64_t call4(uint64_t nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
#define CALL(...)		   CALL_(__VA_ARGS__, UNTOUCHED, UNTOUCHED, UNTOUCHED, 0)
#define CALL_(nr, a, b, c, d, ...) call4(nr, a, b, c, d)
#define gives(code, ...)	   ck_assert_int_eq(CALL(__VA_ARGS__), code)

/* H_ENTER with H_EXACT succeeds. */
void has(uint64_t index, uint64_t v, uint64_t r);
/* H_READ answers this, and hardware has it too; both words 0: the entry is free. */
void holds(uint64_t index, uint64_t v, uint64_t r);
void is_free(uint64_t index);

#endif
