/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the model share: its structures, and the only ways to touch what
 * several threads touch.
 *
 * LOCKING
 *
 * A source is one 64-bit word with its lock in it (SOURCE_LOCKED): taking the lock gives
 * the state, releasing it stores the new one. No thread holds two. The lock covers the
 * word, the source's counters, and its bit in the block's `waiting`.
 *
 * A presenter is one 64-bit word (icp.h) that is only changed by compare-and-swap to
 * what a pure function makes of the old one. Effects come after: the line, a rejected
 * source, a resend. A rejected source is delivered from the start, its server looked up
 * again, when no lock is held.
 *
 * Resend. A source that its presenter would not take waits: its bit in `waiting` is set
 * and so is its block's bit in the presenter's `blocks`.
 *	sender, source locked: presenter refuses, NEED_RESEND set -> leaf (waiting) ->
 *		root (blocks) -> look at the presenter again
 *	walker: NEED_RESEND cleared -> take root -> look at leaf -> lock the source
 * With leaf before root, a walker that takes the root bit sees the leaf; a walker that
 * comes too early for the root bit leaves it set for the next, and then the sender sees
 * that NEED_RESEND is gone, or that the presenter would take the source, and tries
 * again. Both halves are "I store, then read what you store": the accesses are
 * sequentially consistent. Root before leaf would strand the source: a walker takes the
 * root bit and sees no leaf. Bits of `blocks` that stay behind without a waiting source
 * cost a look at the block, no more; `waiting` is always exact under the source's lock.
 *
 * Line. Whoever turns output on raises the line, after the swap. Only the processor's
 * own thread lowers it, before the swap, and raises it again if the new word has output:
 * lowering after the swap, or from elsewhere, could undo a raise that came in between.
 * Two cases leave a line up without output: a raise that comes after the processor has
 * already accepted what it was for, and an IPI that another processor takes back. The
 * guest sees an interrupt whose H_XIRR gives 0, as on hardware, and this H_XIRR lowers
 * the line. It does so only if the line may be up, that is if `raised` is not what it was
 * when the line was last lowered: `raised` is counted after the line is up, and noted
 * before the line is lowered, so the two can differ without need, which costs one call,
 * but are never the same for good while the line is up.
 *
 * Races that are left, and why they are harmless: a source may be moved or masked while
 * it is presented and is then accepted where it was; xics_reset() may be overtaken by
 * an interrupt in flight from a device, which then waits masked.
 */
#ifndef DEVICES_XICS_INTERNAL_H
#define DEVICES_XICS_INTERNAL_H

#include <stdatomic.h>

#include "devices/xics/xics.h"
#include "lib/util.h"

/* A source's word: KVM's form in the lower bits, and what KVM does not tell. */
#define SOURCE_SERVER	      0x00000000ffffffffull
#define SOURCE_PRIORITY	      0x000000ff00000000ull /* also while it is masked */
#define SOURCE_PRIORITY_SHIFT 32
#define SOURCE_LSI	      (1ull << 40)
#define SOURCE_MASKED	      (1ull << 41)
#define SOURCE_PENDING	      (1ull << 42) /* came while it was masked */
#define SOURCE_PRESENTED      (1ull << 43) /* P: on its way, from sending to EOI */
#define SOURCE_QUEUED	      (1ull << 44) /* Q: an MSI that came meanwhile */
#define SOURCE_ASSERTED	      (1ull << 45) /* the level of an LSI */
#define SOURCE_EXISTS	      (1ull << 62)
#define SOURCE_LOCKED	      (1ull << 63)

/* Threads on different sources, or presenters, should not meet in a cache line. */
#define XICS_LINE 64

struct xics_source {
	_Alignas(XICS_LINE) _Atomic uint64_t word;
	atomic_uint delivered, rejected, resent, coalesced; /* under the lock, read freely */
};

struct xics_block {
	_Alignas(XICS_LINE) _Atomic uint64_t waiting[XICS_BLOCK / 64];
	struct xics_source sources[XICS_BLOCK];
};

struct xics_presenter {
	_Alignas(XICS_LINE) _Atomic uint64_t word;
	_Atomic uint64_t raised; /* how often the line was raised */
	uint64_t raised_seen;	 /* of those, when it was lowered last; the owner's */
	_Atomic uint64_t delivered, ipis, lowered; /* written by the owner only */
	_Atomic uint64_t rejected, resent, kicks;
	_Alignas(XICS_LINE) _Atomic uint64_t blocks[XICS_BLOCKS_MAX / 64];
};

/*
 * Where threads can meet. A test that drives them through every order replaces these
 * two: xics_step() comes before each access, xics_wait() while a lock is not free.
 */
#ifdef XICS_STEPS
void xics_step(void);
void xics_wait(unsigned int tries);
#else
static inline void xics_step(void)
{
}
/* Spin for a moment, then let others run: the holder may have lost its CPU. */
void xics_wait(unsigned int tries);
#endif

/*
 * Debug builds check what the comment above says: no thread holds two locks, or gives
 * back one that is not its own, and no presenter is in a state that cannot be.
 */
#ifdef XICS_CHECK
#include <assert.h>
extern _Thread_local struct xics_source *xics_held;
#define xics_check_lock(s)   (assert(!xics_held), xics_held = (s))
#define xics_check_unlock(s) (assert(xics_held == (s)), xics_held = NULL)
#define xics_check_free()    assert(!xics_held)
#define xics_check_word(w)   assert(icp_is_valid(w))
#else
#define xics_check_lock(s)   ((void)(s))
#define xics_check_unlock(s) ((void)(s))
#define xics_check_free()    ((void)0)
#define xics_check_word(w)   ((void)(w))
#endif

/* NULL where there is none: the only way from a guest's number to a presenter. */
static inline struct xics_presenter *presenter_at(const struct xics *xics, uint32_t server)
{
	return likely(server < xics->nr_servers) ? &xics->presenters[server] : NULL;
}

/* NULL where there is none: the only way from a number to a source. The IPI has none. */
static inline struct xics_source *source_at(const struct xics *xics, uint32_t source)
{
	struct xics_block *block;
	struct xics_source *s;

	if (unlikely(source / XICS_BLOCK >= xics->nr_blocks))
		return NULL;
	block = xics->blocks[source / XICS_BLOCK];
	if (unlikely(!block))
		return NULL;
	s = &block->sources[source % XICS_BLOCK];
	return (atomic_load_explicit(&s->word, memory_order_relaxed) & SOURCE_EXISTS) ? s : NULL;
}

/* Wait for the source's lock; gives its state. */
static inline uint64_t source_lock(struct xics_source *s)
{
	uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);

	for (unsigned int tries = 0;; tries++) {
		word &= ~SOURCE_LOCKED;
		xics_step();
		if (likely(atomic_compare_exchange_weak_explicit(
			    &s->word, &word, word | SOURCE_LOCKED, memory_order_acquire,
			    memory_order_relaxed))) {
			xics_check_lock(s);
			return word;
		}
		xics_wait(tries);
	}
}

/* Give it back, with a new state. */
static inline void source_unlock(struct xics_source *s, uint64_t word)
{
	xics_check_unlock(s);
	xics_step();
	atomic_store_explicit(&s->word, word, memory_order_release);
}

/* Add one where nobody else does at the same time: an atomic store, not a locked one. */
#define count_alone(counter)                                                                       \
	atomic_store_explicit((counter),                                                           \
			      atomic_load_explicit((counter), memory_order_relaxed) + 1,           \
			      memory_order_relaxed)
#define count_shared(counter) ((void)atomic_fetch_add_explicit((counter), 1, memory_order_relaxed))

static inline uint64_t presenter_look(struct xics_presenter *icp)
{
	xics_step();
	return atomic_load(&icp->word);
}

static inline bool presenter_swap(struct xics_presenter *icp, uint64_t *old, uint64_t word)
{
	xics_check_word(word);
	xics_step();
	return atomic_compare_exchange_strong(&icp->word, old, word);
}

/* resend.c: sources that wait. Each with the source locked, but for resend(). */
bool source_waits(struct xics *xics, uint32_t source);
/* Leaf, then root. */
void source_set_waiting(struct xics *xics, struct xics_presenter *icp, uint32_t source);
void source_clear_waiting(struct xics *xics, uint32_t source);
/* Offer again what waits for this server. No lock held. */
void resend(struct xics *xics, uint32_t server);

/* presenter.c: after output was turned on, no lock held; and before it is turned off. */
void raise_line(struct xics *xics, uint32_t server);
void lower_line(struct xics *xics, uint32_t server);

/* source.c */
/* Send a source, locked, with this state; unlocks it. What was rejected, or XICS_NONE. */
uint32_t source_send(struct xics *xics, struct xics_source *s, uint32_t source, uint64_t word);
/* Deliver a rejected source, and what that rejects in turn. No lock held. */
void redeliver(struct xics *xics, uint32_t source);
/* The source's half of H_EOI. -EINVAL for one that does not exist. */
int source_eoi(struct xics *xics, uint32_t source);

#endif
