/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The resend protocol of devices/xics (internal.h, "Resend") for spin: presenters,
 * sources in two blocks, and threads that do at once what devices, processors and RTAS
 * do. tests/model/run builds it; docs/XICS.md says what is where.
 *
 * Names and order are those of source.c, resend.c and presenter.c. One step here is one
 * access there to what threads share, with these put together, none of which hides an
 * order that another thread could tell:
 *  - a presenter's compare-and-swap loop is one step: what it stores is a pure function
 *    of the word it replaces, so only the swap that succeeds counts (or the look after
 *    which there is nothing to store);
 *  - what only the holder of a source's lock touches goes with taking the lock. A leaf is
 *    changed by the holder only, so the holder's own look at it is no step of its own;
 * Steps are sequentially consistent. The C code asks for that: `word`, `waiting` and
 * `blocks` are memory_order_seq_cst throughout, and what the source's lock orders is
 * acquire and release. Anything weaker for the first three is not covered by this.
 *
 * What is asserted. Whenever no call is under way (end_call()):
 *  - a source waits only if its presenter would not take it, and then NEED_RESEND and
 *    both bits are there for the next walker: nothing is stranded;
 *  - a source that is presented is in exactly one place: nothing is lost or doubled;
 *  - an IPI is pending where MFRR asks for it.
 * At every step a presenter's word is valid and a source is not offered while a presenter
 * has it. At the end, processors having accepted what they could, each interrupt was
 * accepted as often as it was due. And every run ends: no two threads keep each other
 * busy (the search for cycles, -DNP).
 *
 * Scenarios are sizes below; tests/model/run has them. WRONG_* are mistakes that must be
 * found, or the model would prove nothing.
 */
#ifndef PRESENTERS
#define PRESENTERS 2
#endif
#ifndef CLOSES_0
#define CLOSES_0 1 /* times a processor closes itself (H_CPPR 0), and opens again */
#endif
#ifndef CLOSES_1
#define CLOSES_1 0
#endif
#ifndef START_1
#define START_1 0 /* the second one's CPPR at first */
#endif
#ifndef PULSES_2
#define PULSES_2 1 /* times each source's device fires */
#endif
#ifndef PULSES_3
#define PULSES_3 1
#endif
#ifndef PULSES_4
#define PULSES_4 1
#endif
#ifndef MOVES
#define MOVES 0 /* calls of ibm,set-xive: a source to the last server, or (MASKS) masked */
#endif
#ifndef IPIS
#define IPIS 0 /* calls of H_IPI from another thread */
#endif
#ifndef LEVELS
#define LEVELS 0 /* times the level of source 2, an LSI then, goes up, and down */
#endif

/* Source numbers; 1 is the IPI here. */
#define NONE	   0
#define IPI	   1
#define FIRST	   2
#define END	   5
#define BLOCKS	   2
#define BLOCK(s)   ((s) / 4) /* 2 and 3 in block 0, 4 in block 1 */
#define BIT(n)	   (1 << (n))
#define LOWEST(b)  (((b)&1) -> 0 : (((b)&2) -> 1 : (((b)&4) -> 2 : 3)))

/* Priorities: 0 is the most favoured, 7 stands for 0xff. */
#define OPEN   7
#define MASKED 7
#define NO_IPI 7

typedef presenter {
	byte cppr, xisr, mfrr, pending;
	bool need_resend;
	byte blocks; /* the root */
};

typedef source {
	bool locked;
	byte server, pri;
	bool presented, queued, pended; /* P, Q, SOURCE_PENDING */
	/* What no code has: how many acceptances are due, whether one is in service. */
	byte due;
	bool in_service;
};

presenter icp[PRESENTERS];
source src[END];
byte waiting[BLOCKS]; /* the leaves */
byte busy;	      /* calls under way */
hidden byte n, m, places, raised; /* within a step only: no state */
byte todo;	      /* threads that will still do something of their own accord */
#if LEVELS
bool asserted;
#define IS_LSI(s) ((s) == 2)
#else
#define asserted  false
#define IS_LSI(s) false
#endif

#define would_take(p, value)                                                                         \
	((value) < icp[p].cppr && (value) < icp[p].mfrr && (value) < icp[p].pending)
#define leaf_is_set(s) (waiting[BLOCK(s)] & BIT((s) % 4))
#define root_is_set(s) (icp[src[s].server].blocks & BIT(BLOCK(s)))

/* icp_is_valid() */
inline check_word(p)
{
	assert(icp[p].xisr != NONE || icp[p].pending == OPEN);
	assert(icp[p].xisr != IPI ||
	       (icp[p].pending == icp[p].mfrr && icp[p].pending < icp[p].cppr));
	assert(icp[p].xisr <= IPI ||
	       (icp[p].pending < icp[p].mfrr && icp[p].pending < icp[p].cppr));
}

/* In a step: a call ends. What holds when none is under way. */
inline end_call()
{
	busy--;
	if
	:: busy == 0 ->
		for (n : FIRST .. END - 1) {
			assert(!src[n].locked);
			places = src[n].pended + src[n].in_service + (leaf_is_set(n) != 0);
			for (m : 0 .. PRESENTERS - 1) {
				places = places + (icp[m].xisr == n);
			}
			assert(places == src[n].presented); /* neither lost nor doubled */
			assert(!leaf_is_set(n) ||
			       !would_take(src[n].server, src[n].pri)); /* stranded */
			assert(!leaf_is_set(n) ||
			       (icp[src[n].server].need_resend && root_is_set(n)));
			assert(!leaf_is_set(n) || src[n].pri != MASKED);
			assert(!src[n].queued || src[n].presented);
			assert(!IS_LSI(n) || !asserted || src[n].presented);
			assert(!IS_LSI(n) || asserted || (!leaf_is_set(n) && !src[n].pended));
		}
		for (m : 0 .. PRESENTERS - 1) {
			assert(icp[m].mfrr >= icp[m].cppr || icp[m].mfrr > icp[m].pending ||
			       icp[m].xisr == IPI);
		}
	:: else
	fi
}

/* ---- icp.h: each within a step */

inline take_back(p)
{
	if
	:: icp[p].xisr > IPI -> rejected = icp[p].xisr
	:: else
	fi
	icp[p].xisr = NONE;
	icp[p].pending = OPEN;
}

inline check_ipi(p)
{
	if
	:: icp[p].mfrr < icp[p].cppr && icp[p].mfrr <= icp[p].pending ->
		take_back(p);
		icp[p].xisr = IPI;
		icp[p].pending = icp[p].mfrr;
	:: else
	fi
}

inline take_resend(p)
{
	resend_due = icp[p].need_resend;
	icp[p].need_resend = false;
}

inline set_cppr(p, value)
{
	if
	:: icp[p].xisr != NONE && icp[p].pending >= value -> take_back(p)
	:: else
	fi
	raised = value > icp[p].cppr;
	icp[p].cppr = value;
	check_ipi(p);
	if
	:: raised -> take_resend(p)
	:: else
	fi
	check_word(p);
}

inline set_mfrr(p, value)
{
	raised = value > icp[p].mfrr;
	icp[p].mfrr = value;
	if
	:: icp[p].xisr == IPI -> take_back(p)
	:: else
	fi
	check_ipi(p);
	if
	:: raised -> take_resend(p)
	:: else
	fi
	check_word(p);
}

inline present(p, s)
{
	for (n : 0 .. PRESENTERS - 1) {
		assert(icp[n].xisr != s);
	}
	taken = would_take(p, src[s].pri);
	if
	:: taken ->
		take_back(p);
		icp[p].xisr = s;
		icp[p].pending = src[s].pri;
	:: else -> icp[p].need_resend = true
	fi
	check_word(p);
}

/* ---- source.c, resend.c */

#define TAKE_LOCK(s) !src[s].locked -> src[s].locked = true

inline set_leaf(s)
{
	waiting[BLOCK(s)] = waiting[BLOCK(s)] | BIT(s % 4)
}

inline clear_leaf(s)
{
	waiting[BLOCK(s)] = waiting[BLOCK(s)] & ~BIT(s % 4)
}

inline set_root(s)
{
	icp[src[s].server].blocks = icp[src[s].server].blocks | BIT(BLOCK(s))
}

/* source_set_waiting() */
inline set_waiting(s)
{
#ifdef WRONG_ROOT_BEFORE_LEAF
	atomic { set_root(s) }
	atomic { set_leaf(s) }
#else
	atomic { set_leaf(s) }
	atomic { set_root(s) }
#endif
}

/* source_send() of a locked source, and redeliver() of what that rejects. */
inline send(s)
{
	do
	:: atomic {
		IS_LSI(s) && !asserted ->
		src[s].presented = false;
		src[s].due = 0
	   }
	   src[s].locked = false;
	   break
	:: atomic {
		!(IS_LSI(s) && !asserted) && src[s].pri == MASKED ->
		src[s].presented = true;
		src[s].pended = true
	   }
	   src[s].locked = false;
	   break
	:: atomic {
		else ->
		src[s].presented = true;
		present(src[s].server, s)
	   }
	   if
	   :: taken ->
		atomic { taken = false; src[s].locked = false }
		if
		:: rejected == NONE -> break
		:: atomic { rejected != NONE && TAKE_LOCK(rejected); s = rejected; rejected = NONE }
		fi
	   :: else ->
		set_waiting(s);
#ifdef WRONG_NO_SECOND_LOOK
		src[s].locked = false;
		break
#else
		d_step {
#ifdef WRONG_ONLY_NEED_RESEND
			taken = !icp[src[s].server].need_resend;
#else
			taken = !icp[src[s].server].need_resend ||
				would_take(src[s].server, src[s].pri);
#endif
		}
		if
		:: !taken -> src[s].locked = false; break
		:: else -> d_step { clear_leaf(s); taken = false }
		fi
#endif
	   fi
	od
}

/* resend() and resend_block(); s, roots and leaves are the caller's. */
inline resend(p, s)
{
#ifdef WRONG_LEAF_BEFORE_ROOT
	/* Looks at the leaves of the blocks in the root first, then takes these. */
	roots = icp[p].blocks;
	leaves = ((roots & 1) -> waiting[0] : 0);
	leaves = ((roots & 2) -> leaves | (waiting[1] << 4) : leaves);
	icp[p].blocks = icp[p].blocks & ~roots;
	do
	:: leaves == 0 -> break
	:: else ->
		d_step {
			s = ((leaves & 15) -> LOWEST(leaves) : 4 + LOWEST(leaves >> 4));
			leaves = leaves & ~BIT(s)
		}
		resend_source(p, s)
	od
	atomic { roots = 0; s = NONE }
#else
	if
	:: icp[p].blocks == 0
	:: icp[p].blocks != 0 ->
		atomic { roots = icp[p].blocks; icp[p].blocks = 0 }
		do
		:: roots == 0 -> break
		:: roots != 0 ->
			leaves = waiting[LOWEST(roots)];
			do
			:: leaves == 0 -> break
			:: leaves != 0 ->
				d_step {
					s = 4 * LOWEST(roots) + LOWEST(leaves);
					leaves = leaves & (leaves - 1)
				}
				resend_source(p, s)
			od
			atomic { roots = roots & (roots - 1); s = NONE }
		od
	fi
#endif
}

inline resend_source(p, s)
{
	atomic { TAKE_LOCK(s) }
	if
	:: src[s].server != p || !leaf_is_set(s) -> src[s].locked = false
	:: else ->
		d_step { clear_leaf(s) }
		send(s)
	fi
}

/* follow(): what a presenter's change leaves to do. */
inline follow(p, s)
{
	if
	:: atomic { rejected != NONE && TAKE_LOCK(rejected); s = rejected; rejected = NONE }
	   send(s)
	:: rejected == NONE
	fi
	s = NONE;
	if
	:: resend_due -> resend_due = false; resend(p, s)
	:: !resend_due
	fi
}

#define LOCALS                                                                                     \
	byte s, rejected, roots, leaves;                                                           \
	bool taken, resend_due

/* ---- who calls */

/* xics_pulse() */
proctype device(byte number; byte pulses)
{
	LOCALS;

	do
	:: pulses == 0 -> break
	:: atomic { pulses > 0 && TAKE_LOCK(number); pulses--; busy++; s = number }
	   if
	   :: atomic {
		src[s].presented ->
		src[s].due = src[s].due + !src[s].queued;
		src[s].queued = true;
		src[s].locked = false
	      }
	   :: atomic { !src[s].presented -> src[s].due++ }
	      send(s)
	   fi
	   atomic { s = NONE; end_call() }
	od
	todo--
}

#if LEVELS
/* xics_set_level() of source 2 */
proctype lsi(byte levels)
{
	LOCALS;

	do
	:: levels == 0 && !asserted -> break
	:: atomic {
		levels > 0 && !asserted && TAKE_LOCK(2);
		levels--;
		busy++;
		s = 2;
		asserted = true
	   }
	   if
	   :: atomic { src[s].presented -> src[s].locked = false }
	   :: atomic { !src[s].presented -> src[s].due = 1 }
	      send(s)
	   fi
	   atomic { s = NONE; end_call() }
	:: atomic {
		asserted && TAKE_LOCK(2);
		busy++;
		asserted = false;
		if
		:: leaf_is_set(2) || src[2].pended -> src[2].presented = false; src[2].due = 0
		:: else
		fi
		src[2].pended = false
	   }
	   d_step {
		waiting[0] = waiting[0] & ~BIT(2);
		src[2].locked = false;
		end_call()
	   }
	od
	todo--
}
#endif

/* A processor: takes interrupts whenever it is open; H_CPPR, H_XIRR, H_EOI, H_IPI. */
proctype cpu(byte self; byte closes)
{
	byte eoi, cppr; /* what is in service, and the CPPR to go back to */
	LOCALS;

end:
	if
	:: atomic {
		/* H_XIRR, and until the end of H_EOI all of it is one call */
		icp[self].xisr != NONE ->
		eoi = icp[self].xisr;
		cppr = icp[self].cppr;
		icp[self].cppr = icp[self].pending;
		icp[self].xisr = NONE;
		icp[self].pending = OPEN;
		busy++;
		if
		:: eoi > IPI ->
			assert(!src[eoi].in_service);
			src[eoi].in_service = true;
			assert(src[eoi].due > 0 || IS_LSI(eoi));
			if
			:: !IS_LSI(eoi) -> src[eoi].due--
			:: else
			fi
		:: else
		fi;
		check_word(self)
	   }
	   if
	   :: eoi == IPI ->
		d_step { eoi = NONE; set_mfrr(self, NO_IPI) }
		follow(self, s)
	   :: eoi != IPI
	   fi
	:: atomic { icp[self].cppr == OPEN && closes > 0 -> closes--; cppr = 0; busy++ }
	:: atomic { icp[self].cppr != OPEN -> cppr = OPEN; busy++ }
	fi;
	atomic { set_cppr(self, cppr); cppr = 0 }
	follow(self, s);
	if
	:: eoi == NONE
	:: atomic { eoi != NONE && TAKE_LOCK(eoi); s = eoi; eoi = NONE }
	   /* source_eoi() */
	   if
	   :: atomic {
		(IS_LSI(s) -> asserted : src[s].queued) ->
		src[s].in_service = false;
		src[s].queued = false
	      }
	      send(s)
	   :: atomic {
		else ->
		src[s].in_service = false;
		src[s].presented = false;
		src[s].locked = false
	      }
	   fi
	fi;
	atomic { s = NONE; end_call() }
	goto end
}

#if MOVES
inline reroute(s)
{
	if
	:: atomic { !leaf_is_set(s) && !src[s].pended -> src[s].locked = false }
	:: atomic { leaf_is_set(s) || src[s].pended -> src[s].pended = false }
	   d_step { clear_leaf(s) }
	   send(s)
	fi;
	atomic { s = NONE; end_call() }
}
/* xics_set_xive(): a source moves and changes its priority, or is masked for a while. */
proctype rtas(byte moves)
{
	byte masked;
	LOCALS;

	do
	:: moves == 0 && masked == NONE -> break
	:: atomic {
		moves > 0 && masked == NONE ->
		moves--;
		select(n : FIRST .. END - 1);
		s = n;
		TAKE_LOCK(s);
		busy++;
#ifdef MASKS
		src[s].pri = MASKED;
		masked = s
#else
		src[s].pri = 1;
		src[s].server = PRESENTERS - 1
#endif
	   }
	   reroute(s)
	:: atomic {
		masked != NONE && TAKE_LOCK(masked);
		s = masked;
		masked = NONE;
		busy++;
		src[s].pri = 3
	   }
	   reroute(s)
	od
	todo--
}
#endif

#if IPIS
/* xics_ipi() of another thread: a call, or one that is taken back. */
proctype ipi(byte ipis)
{
	LOCALS;

	do
	:: ipis == 0 -> break
	:: ipis > 0 ->
		atomic {
			ipis--;
			busy++;
			if
			:: set_mfrr(0, 2)
			:: set_mfrr(0, NO_IPI)
			fi
		}
		follow(0, s);
		atomic { end_call() }
	od
	todo--
}
#endif

/* When nobody can go on: all that was due was accepted. */
proctype quiet()
{
	timeout;
	d_step {
		assert(busy == 0 && todo == 0);
		for (n : FIRST .. END - 1) {
			assert(!src[n].locked && !src[n].presented);
			assert(IS_LSI(n) || src[n].due == 0);
		}
		for (n : 0 .. PRESENTERS - 1) {
			assert(icp[n].cppr == OPEN && icp[n].xisr == NONE);
			assert(icp[n].mfrr == NO_IPI);
		}
	}
}

init
{
	atomic {
		for (n : 0 .. PRESENTERS - 1) {
			icp[n].mfrr = NO_IPI;
			icp[n].pending = OPEN;
			icp[n].cppr = (n == 1 -> START_1 : 0);
			run cpu(n, (n == 0 -> CLOSES_0 : CLOSES_1));
		}
		/* 2 and 4 are of different blocks, 3 is more favoured than either. */
		for (n : FIRST .. END - 1) {
			src[n].pri = (n == 3 -> 2 : 3);
		}
#if LEVELS
		todo++;
		run lsi(LEVELS);
#endif
		todo = todo + 3;
		run device(2, PULSES_2);
		run device(3, PULSES_3);
		run device(4, PULSES_4);
#if MOVES
		todo++;
		run rtas(MOVES);
#endif
#if IPIS
		todo++;
		run ipi(IPIS);
#endif
		run quiet()
	}
}
