/* SPDX-License-Identifier: GPL-2.0-only */
/* Hypercalls: tokens and return codes as the PAPR numbers them. */
#ifndef GUEST_HCALL_H
#define GUEST_HCALL_H

#include "types.h"

#define H_SUCCESS   0
#define H_BUSY	    1
#define H_CLOSED    2
#define H_FUNCTION  (-2)
#define H_PARAMETER (-4)
#define H_PTEG_FULL (-6)
#define H_NOT_FOUND (-7)
#define H_P2	    (-55)

#define H_REMOVE	   0x4
#define H_ENTER		   0x8
#define H_READ		   0xc
#define H_CLEAR_MOD	   0x10
#define H_CLEAR_REF	   0x14
#define H_PROTECT	   0x18
#define H_LOGICAL_CI_LOAD  0x3c
#define H_LOGICAL_CI_STORE 0x40
#define H_GET_TERM_CHAR	   0x54
#define H_PUT_TERM_CHAR	   0x58
#define H_EOI		   0x64
#define H_CPPR		   0x68
#define H_IPI		   0x6c
#define H_IPOLL		   0x70
#define H_XIRR		   0x74
#define H_CEDE		   0xe0
#define H_CONFER	   0xe4
#define H_PROD		   0xe8
#define H_BULK_REMOVE	   0x124
#define H_JOIN		   0x298
#define H_XIRR_X	   0x2fc
#define H_RANDOM	   0x300
#define H_SET_MODE	   0x31c
#define H_SIGNAL_SYS_RESET 0x380
#define H_RTAS		   0xf000 /* KVM's, not the PAPR's */

/* H_SET_MODE: the byte order that interrupts are taken in */
#define H_SET_MODE_RESOURCE_LE 4

/* r3 to r12: token (afterwards: return code) and arguments (afterwards: results) */
struct hcall {
	u64 r[10];
};

/* Make the hypercall that @h holds; its return code. */
long hcall_do(struct hcall *h);

/* hcall(TOKEN, arguments...): for where only the return code matters. */
#define hcall(...) hcall_do(&(struct hcall){{__VA_ARGS__}})

/*
 * Call @fn with r3 to r12 from @h, back into @h. Bit n of the answer: rn, which
 * the ABI makes @fn keep, has changed; bit 0: CR2 to CR4 have.
 */
u64 call_checked(void (*fn)(void), struct hcall *h);

/* The hypercall as a function for call_checked(). */
void hcall_insn(void);

/*
 * Registers that these programs have no other use for: the vector-scalar ones, which floating
 * point and vectors are parts of, TAR, DSCR and VRSAVE. extended_fill() gives them values, on
 * each CPU by itself; extended_lost() says which have others since: bits EXTENDED_* of asm.h.
 */
void extended_fill(void);
u64 extended_lost(void);

static inline u64 hcall_checked(struct hcall *h)
{
	return call_checked(hcall_insn, h);
}

#endif
