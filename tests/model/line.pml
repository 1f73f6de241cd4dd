/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The line rule of devices/xics (internal.h, "Line") for spin: one processor, its
 * presenter's word and its external interrupt line; devices and another processor that
 * change the word at the same time. tests/model/run builds it.
 *
 * Names and order are those of presenter.c. One step here is one access there: each look
 * at the word, each compare-and-swap with its outcome, the line, `raised`. Here the
 * swap cannot be taken together with the look before it, since the line is lowered
 * between the two. Sources that the presenter refuses or rejects are offered again by
 * their device as soon as they would be taken: how they wait is resend.pml's affair.
 *
 * The guest takes an interrupt when the line is up, calls H_XIRR, handles what it gets
 * and ends it. It also calls H_XIRR unasked, closes itself with H_CPPR, and sends IPIs to
 * itself.
 *
 * Asserted: whenever no call is under way, output means that the line is up, so the
 * processor is woken; an H_XIRR that found nothing, with nobody else in a call, leaves the
 * line down; when nobody can go on, all that was sent was accepted. And every fair run
 * ends (the search for non-progress cycles): a line that stays up without output would
 * have the guest come back for ever.
 *
 * Steps are sequentially consistent. The C code asks for that: the word is
 * memory_order_seq_cst, `raised` is counted with release after ops->raise and read with
 * acquire before ops->lower. What is left to the callbacks: that a raise is not seen
 * before the swap that it follows (WRONG_RAISE_BEFORE_SWAP is what happens otherwise), nor
 * a lowering after the look that follows it.
 */
#ifndef PULSES_1
#define PULSES_1 1 /* times each device fires */
#endif
#ifndef PULSES_2
#define PULSES_2 1
#endif
#ifndef IPIS
#define IPIS 2 /* calls of H_IPI from another processor */
#endif
#ifndef POLLS
#define POLLS 1 /* calls of H_XIRR that no line asked for */
#endif
#ifndef CLOSES
#define CLOSES 1 /* times the processor closes itself with H_CPPR, and opens again */
#endif
#ifndef SELF_IPIS
#define SELF_IPIS 0 /* calls of H_IPI to itself */
#endif

#define NONE 0
#define IPI  1 /* source n is n + 1; its priority is n */
#define OPEN 3 /* CPPR of all, MFRR of none, pending priority of nothing */

/* icp.h's word: two bits each. */
#define WORD(cppr, xisr, mfrr, pending) ((cppr) << 6 | (xisr) << 4 | (mfrr) << 2 | (pending))
#define CPPR(word)			((word) >> 6)
#define XISR(word)			(((word) >> 4) & 3)
#define MFRR(word)			(((word) >> 2) & 3)
#define PENDING(word)			((word)&3)
#define OUTPUT(word)			(XISR(word) != NONE)

#define would_take(value) ((value) < CPPR(word) && (value) < MFRR(word) && (value) < PENDING(word))

byte word = WORD(OPEN, NONE, OPEN, OPEN);
bool line;
bool ahead; /* `raised` is not raised_seen */

byte to_send; /* sources to deliver, a bit each */
byte given;   /* those a presenter took, until they are rejected or accepted */
byte busy;    /* calls under way, the processor's own apart */
bool own_busy;
bool alone; /* nobody else was in a call since the processor's began */
hidden byte n, cppr, xisr, mfrr, pending;

inline check_calm()
{
	assert(busy > 0 || own_busy || !OUTPUT(word) || line)
}

inline begin_call()
{
	busy++;
	alone = false
}

inline end_call()
{
	busy--;
	check_calm()
}

/* ---- icp.h: from `old`, the new word in `new` and what was rejected */

inline split()
{
	cppr = CPPR(old);
	xisr = XISR(old);
	mfrr = MFRR(old);
	pending = PENDING(old);
	rejected = NONE
}

inline join()
{
	new = WORD(cppr, xisr, mfrr, pending)
}

inline take_back()
{
	rejected = (xisr > IPI -> xisr : NONE);
	xisr = NONE;
	pending = OPEN
}

inline check_ipi()
{
	if
	:: mfrr < cppr && mfrr <= pending ->
		take_back();
		xisr = IPI;
		pending = mfrr
	:: else
	fi
}

#define ACCEPT	 0
#define SET_CPPR 1
#define SET_MFRR 2

inline apply(what, value)
{
	atomic {
		split();
		if
		:: what == ACCEPT ->
			if
			:: xisr != NONE -> cppr = pending; xisr = NONE; pending = OPEN
			:: else
			fi
		:: what == SET_CPPR ->
			cppr = value;
			if
			:: xisr != NONE && pending >= cppr -> take_back()
			:: else
			fi;
			n = rejected;
			check_ipi();
			rejected = (n != NONE -> n : rejected)
		:: what == SET_MFRR ->
			mfrr = value;
			if
			:: xisr == IPI -> take_back()
			:: else
			fi;
			check_ipi()
		fi;
		join()
	}
}

inline apply_again(what, value)
{
	if
	:: !done -> apply(what, value)
	:: else
	fi
}

/* ---- presenter.c */

inline raise_line()
{
#ifdef WRONG_COUNT_BEFORE_RAISE
	ahead = true;
	line = true
#else
	line = true;
	ahead = true
#endif
}

inline lower_line()
{
#ifdef WRONG_NOTE_AFTER_LOWER
	line = false;
	ahead = false
#else
	ahead = false;
	line = false
#endif
}

/* A swap; true in `done` if it succeeded, else `old` is what is there. */
inline swap()
{
	d_step {
		if
		:: word == old ->
			word = new;
			done = true;
			/* A rejected source is its device's again; an accepted one is, too. */
			to_send = (rejected > IPI -> to_send | 1 << rejected : to_send);
			given = (rejected > IPI -> given & ~(1 << rejected) : given)
		:: else -> old = word
		fi
	}
}

inline update(own, what, value)
{
	atomic { old = word; done = false; apply(what, value) }
	do
	:: done -> break
	:: !done ->
		if
#ifndef WRONG_LOWER_AFTER_SWAP
		:: own && !lowered && OUTPUT(old) && !OUTPUT(new) ->
			lower_line();
			atomic { lowered = true; old = word; apply(what, value) }
		:: !(own && !lowered && OUTPUT(old) && !OUTPUT(new)) ->
#else
		:: true ->
#endif
			if
			:: new == old -> break
			:: new != old -> atomic { swap(); apply_again(what, value) }
			fi
		fi
	od;
#ifdef WRONG_LOWER_AFTER_SWAP
	if
	:: own && OUTPUT(old) && !OUTPUT(new) -> lower_line()
	:: else
	fi;
#endif
#ifdef WRONG_LOWER_ELSEWHERE
	/* Whoever turns output off lowers the line. */
	if
	:: !own && OUTPUT(old) && !OUTPUT(new) -> lower_line()
	:: else
	fi;
#endif
#ifdef WRONG_NO_RAISE_AGAIN
	lowered = false;
#endif
	if
	:: OUTPUT(new) && (lowered || !OUTPUT(old)) -> raise_line()
	:: else
	fi;
	lowered = false
}

#define LOCALS                                                                                     \
	byte old, new, rejected;                                                                   \
	bool done, lowered

/* ---- who calls */

/* A device of source `number`: a pulse, and what source.c makes of a rejection. */
proctype device(byte number; byte pulses)
{
	LOCALS;

end:
	if
	:: atomic {
		pulses > 0 && !(given & 1 << number) && !(to_send & 1 << number) ->
		pulses--;
		to_send = to_send | 1 << number
	   }
	:: atomic {
		(to_send & 1 << number) && would_take(number - 1) ->
		begin_call();
		old = word
	   }
#ifdef WRONG_RAISE_BEFORE_SWAP
	   raise_line();
#endif
	   do
	   :: atomic {
		/* icp_present() */
		split();
		if
		:: number - 1 < cppr && number - 1 < mfrr && number - 1 < pending ->
			take_back();
			xisr = number;
			pending = number - 1;
			join()
		:: else -> new = old
		fi
	      }
	      if
	      :: new == old -> break
	      :: new != old ->
		d_step {
			done = false;
			if
			:: word == old ->
				word = new;
				done = true;
				to_send = to_send & ~(1 << number);
				given = given | 1 << number;
				to_send = (rejected > IPI -> to_send | 1 << rejected : to_send);
				given = (rejected > IPI -> given & ~(1 << rejected) : given)
			:: else -> old = word
			fi
		}
		if
		:: done -> break
		:: else
		fi
	      fi
	   od;
#ifndef WRONG_RAISE_BEFORE_SWAP
	   if
	   :: new != old && !OUTPUT(old) -> raise_line()
	   :: else
	   fi;
#endif
	   atomic {
		old = 0;
		new = 0;
		rejected = 0;
		done = false;
		end_call()
	   }
	fi;
	goto end
}

/* Another processor's H_IPI: calls, and takes back. */
proctype other(byte ipis)
{
	byte value;
	LOCALS;

	do
	:: ipis == 0 -> break
	:: atomic {
		ipis > 0 ->
		ipis--;
		begin_call();
		if
		:: value = 2
		:: value = OPEN
		fi
	   }
	   update(false, SET_MFRR, value);
	   atomic {
		old = 0;
		new = 0;
		value = 0;
		done = false;
		rejected = 0;
		end_call()
	   }
	od
}

/* The processor. */
proctype cpu()
{
	byte polls = POLLS, closes = CLOSES, self_ipis = SELF_IPIS;
	byte xirr, value, back = OPEN;
	LOCALS;

end:
	if
	:: atomic {
		(line || polls > 0) ->
		polls = (line -> polls : polls - 1);
		own_busy = true;
		alone = (busy == 0)
	   }
	   /* xics_accept() */
#ifndef WRONG_NO_LATE_LOWER
	   old = word;
	   if
	   :: OUTPUT(old)
	   :: !OUTPUT(old) ->
		if
		:: ahead ->
			lower_line();
			lowered = true
		:: else
		fi
	   fi;
#endif
	   update(true, ACCEPT, 0);
	   atomic {
		xirr = XISR(old);
		back = CPPR(old);
		given = given & ~(xirr > IPI -> 1 << xirr : 0);
		assert(xirr != NONE || !alone || !line)
	   }
	   if
	   :: xirr == NONE -> value = CPPR(word)
	   :: xirr == IPI -> update(true, SET_MFRR, OPEN); value = back
	   :: else -> value = back
	   fi;
	   /* H_EOI, or H_CPPR with what is there already */
	   if
	   :: xirr != NONE -> update(true, SET_CPPR, value)
	   :: else
	   fi
	:: atomic { closes > 0 && CPPR(word) == OPEN -> closes--; own_busy = true }
	   update(true, SET_CPPR, 0)
	:: atomic { CPPR(word) == 0 -> own_busy = true }
	   update(true, SET_CPPR, OPEN)
	:: atomic {
		self_ipis > 0 ->
		self_ipis--;
		own_busy = true;
		if
		:: value = 2
		:: value = OPEN
		fi
	   }
	   update(true, SET_MFRR, value)
	fi;
	atomic {
		old = 0;
		new = 0;
		xirr = 0;
		value = 0;
		back = 0;
		rejected = 0;
		done = false;
		own_busy = false;
		check_calm()
	}
	goto end
}

/* When nobody can go on: all was accepted, and the line is down. */
proctype quiet()
{
	timeout;
	assert(busy == 0 && to_send == 0 && given == 0);
	assert(word == WORD(OPEN, NONE, OPEN, OPEN) && !line)
}

init
{
	atomic {
		run cpu();
		run device(2, PULSES_1);
		run device(3, PULSES_2);
		run other(IPIS);
		run quiet()
	}
}
