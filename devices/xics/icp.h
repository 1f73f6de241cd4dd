/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A presenter's state as one word, and each of its transitions as a pure function
 * from an old word to a new one (PAPR 14.5.4.9; the names of the states in the
 * comments are those of the PAPR's presentation controller).
 *
 * The word is laid out as KVM_REG_PPC_ICP_STATE is (Documentation/virt/kvm/api.rst),
 * so its upper half is the XIRR; the lowest 16 bits are ours.
 *
 * What holds of every word, before and after every transition (icp_is_valid):
 *  - XISR is 0 exactly when the pending priority is 0xff;
 *  - what is pending is more favoured than CPPR, so there is output exactly when XISR
 *    is not 0;
 *  - a pending IPI has MFRR's priority, a pending source is more favoured than MFRR.
 * They are also what KVM asks of a state that it is given.
 */
#ifndef DEVICES_XICS_ICP_H
#define DEVICES_XICS_ICP_H

#include <stdbool.h>
#include <stdint.h>

#define XICS_IPI     2	  /* the source number of an interprocessor interrupt */
#define XICS_NONE    0	  /* the source number of no interrupt */
#define XICS_MASKED  0xff /* the priority of a masked source, and of nothing */
#define XICS_XISR(x) ((x)&0xffffff)
#define XICS_CPPR(x) ((x) >> 24)

#define ICP_NEED_RESEND 1ull		      /* some source waits for this presenter */
#define ICP_STATE_MASK	0xffffffffffff0000ull /* what KVM_REG_PPC_ICP_STATE has of it */
#define ICP_RESET	0x00000000ffff0000ull /* accepts nothing, no IPI, nothing pending */

/* CPPR and XISR, as H_XIRR gives them. */
static inline uint32_t icp_xirr(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

static inline uint8_t icp_cppr(uint64_t word)
{
	return (uint8_t)(word >> 56);
}

static inline uint32_t icp_xisr(uint64_t word)
{
	return icp_xirr(word) & 0xffffff;
}

static inline uint8_t icp_mfrr(uint64_t word)
{
	return (uint8_t)(word >> 24);
}

/* The priority of what is pending. */
static inline uint8_t icp_pending(uint64_t word)
{
	return (uint8_t)(word >> 16);
}

/* Whether the processor's line is to be up. */
static inline bool icp_output(uint64_t word)
{
	return icp_xisr(word) != XICS_NONE;
}

static inline uint64_t icp_word(uint8_t cppr, uint32_t xisr, uint8_t mfrr, uint8_t pending)
{
	return (uint64_t)cppr << 56 | (uint64_t)xisr << 32 | (uint64_t)mfrr << 24 |
	       (uint64_t)pending << 16;
}

static inline uint64_t icp_with_pending(uint64_t word, uint32_t xisr, uint8_t priority)
{
	return (word & 0xff000000ff00ffffull) | (uint64_t)xisr << 32 | (uint64_t)priority << 16;
}

/* Whether a source of this priority would be presented at once. */
static inline bool icp_would_take(uint64_t word, uint8_t priority)
{
	return priority < icp_cppr(word) && priority < icp_mfrr(word) &&
	       priority < icp_pending(word);
}

static inline bool icp_is_valid(uint64_t word)
{
	uint8_t pending = icp_pending(word);

	switch (icp_xisr(word)) {
	case XICS_NONE:
		return pending == XICS_MASKED;
	case XICS_IPI:
		return pending == icp_mfrr(word) && pending < icp_cppr(word);
	default:
		return pending < icp_mfrr(word) && pending < icp_cppr(word);
	}
}

/* What a transition comes to. */
struct icp_change {
	uint64_t word;
	uint32_t rejected; /* a source to deliver again, or XICS_NONE; MFRR keeps an IPI */
	bool resend;	   /* sources that wait are to be offered again */
};

static inline void icp_take_back(struct icp_change *c)
{
	if (icp_output(c->word) && icp_xisr(c->word) != XICS_IPI)
		c->rejected = icp_xisr(c->word);
	c->word = icp_with_pending(c->word, XICS_NONE, XICS_MASKED);
}

/* PAPR's Check_IPI: of equal priority the IPI wins. */
static inline void icp_check_ipi(struct icp_change *c)
{
	uint8_t mfrr = icp_mfrr(c->word);

	if (mfrr >= icp_cppr(c->word) || mfrr > icp_pending(c->word))
		return;
	icp_take_back(c);
	c->word = icp_with_pending(c->word, XICS_IPI, mfrr);
}

static inline void icp_take_resend(struct icp_change *c)
{
	c->resend = c->word & ICP_NEED_RESEND;
	c->word &= ~ICP_NEED_RESEND;
}

/* H_XIRR: what is pending becomes the processor's priority. Nothing pending, no change. */
static inline struct icp_change icp_accept(uint64_t old)
{
	struct icp_change c = {.word = old};

	if (icp_output(old))
		c.word = (uint64_t)icp_pending(old) << 56 |
			 (icp_with_pending(old, XICS_NONE, XICS_MASKED) & 0x00ffffffffffffffull);
	return c;
}

/*
 * H_CPPR and the first half of H_EOI: Up_CPPR rejects what is no longer more favoured,
 * Down_CPPR takes the IPI and asks for a resend.
 */
static inline struct icp_change icp_set_cppr(uint64_t old, uint8_t cppr)
{
	struct icp_change c = {.word = (old & 0x00ffffffffffffffull) | (uint64_t)cppr << 56};

	if (icp_output(c.word) && icp_pending(c.word) >= cppr)
		icp_take_back(&c);
	icp_check_ipi(&c);
	if (cppr > icp_cppr(old))
		icp_take_resend(&c);
	return c;
}

/*
 * H_IPI: a pending IPI follows MFRR, which may take it back; a less favoured MFRR may
 * let sources through that it held back.
 */
static inline struct icp_change icp_set_mfrr(uint64_t old, uint8_t mfrr)
{
	struct icp_change c = {.word = (old & ~0xff000000ull) | (uint64_t)mfrr << 24};

	if (icp_xisr(c.word) == XICS_IPI)
		icp_take_back(&c);
	icp_check_ipi(&c);
	if (mfrr > icp_mfrr(old))
		icp_take_resend(&c);
	return c;
}

/* A source arrives. True, or false and the presenter remembers that something waits. */
static inline bool icp_present(struct icp_change *c, uint64_t old, uint32_t source,
			       uint8_t priority)
{
	*c = (struct icp_change){.word = old};
	if (icp_xisr(old) == source)
		return true;
	if (!icp_would_take(old, priority)) {
		c->word |= ICP_NEED_RESEND;
		return false;
	}
	icp_take_back(c);
	c->word = icp_with_pending(c->word, source, priority);
	return true;
}

#endif
