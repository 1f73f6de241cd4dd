/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How processors are stopped (vmm/park.c, and the kicks of vmm/vcpu.c) for spin: the
 * processors' threads, which run the guest and now and then want all others parked, and
 * one from outside that wants the same, or resets the machine. tests/model/run builds it.
 *
 * Names and order are those of park.c and vcpu.c. vm->lock is here, and what is done under
 * it is one step unless a thread that does not hold it could tell: KVM_RUN looks at
 * immediate_exit and at pending signals, so the two halves of a kick are two steps. A signal
 * that finds the thread outside KVM_RUN is lost, as its handler does nothing. Time is
 * whatever it likes to be: `stay` begins with a stop, `rest` when a processor leaves, and they
 * end at any moment.
 *
 * Asserted: with exclusive taken no processor runs the guest, and one thread has it. Nobody has
 * a second turn before the park has opened, and a processor that was made to stay leaves when
 * that is over, before there are turns again: so all wait for a bounded number of turns. The
 * machine is not reset between a turn and the return to KVM_RUN. And all end: a kick or a
 * wake-up that is lost leaves a thread that cannot go on.
 */
#ifndef CPUS
#define CPUS 2
#endif
#ifndef CALLS
#define CALLS 1 /* how often each processor wants all others parked */
#endif
#ifndef REQUESTS
#define REQUESTS 1 /* and the one outside */
#endif
#ifndef RESETS
#define RESETS 0 /* the one outside resets the machine so many times */
#endif

#define OUTSIDE CPUS
#define THREADS (CPUS + 2)

mtype = { none, turn, emptied, opened, rested, changed };
mtype waits_for[THREADS] = none;

bool locked;
byte in_guest, waiting, leaving, resets;
bool exclusive, quit, stay, rest;
bool in[CPUS];	      /* vcpu->in_guest */
bool spared[CPUS];    /* vcpu->spared */
bool immediate_exit[CPUS];
bool in_kvm[CPUS];  /* between entry to KVM_RUN and return from it */
bool pending[CPUS]; /* a signal that found it there */
bool runs[CPUS];    /* the guest */
byte ended;	    /* threads that want nothing any more */
bool had_turn[THREADS]; /* since the park opened */
bool owed[CPUS];	/* it was made to stay, and has not left since */
hidden byte w;

#define closed (exclusive || waiting > 0)

inline lock()
{
	atomic {
		!locked;
		locked = true
	}
}

inline unlock()
{
	locked = false
}

/* pthread_cond_wait; the timed ones are written where they are. */
inline wait(cond)
{
	atomic {
		waits_for[self] = cond;
		locked = false
	}
	atomic {
		waits_for[self] == none && !locked;
		locked = true
	}
}

/* Any of those that wait. */
inline signal(cond)
{
	if
	:: waits_for[0] == cond -> waits_for[0] = none
	:: waits_for[1] == cond -> waits_for[1] = none
	:: waits_for[2] == cond -> waits_for[2] = none
	:: waits_for[3] == cond -> waits_for[3] = none
#if CPUS > 2
	:: waits_for[4] == cond -> waits_for[4] = none
#endif
	:: else
	fi
}

inline broadcast(cond)
{
	atomic {
		w = 0;
		do
		:: w < THREADS ->
			if
			:: waits_for[w] == cond -> waits_for[w] = none
			:: else
			fi;
			w++
		:: else -> break
		od;
		w = 0
	}
}

inline kick(cpu)
{
	if
	:: immediate_exit[cpu]
	:: else ->
#ifndef WRONG_SIGNAL_FIRST
		immediate_exit[cpu] = true;
		pending[cpu] = pending[cpu] || in_kvm[cpu]
#else
		pending[cpu] = pending[cpu] || in_kvm[cpu];
		immediate_exit[cpu] = true
#endif
	fi
}

inline kick_guest()
{
	k = 0;
	do
	:: k < CPUS ->
		if
		:: in[k] ->
			kick(k);
			owed[k] = owed[k] || lasting
		:: else
		fi;
		k++
	:: else -> break
	od;
	k = 0;
	do
	:: in_guest > 0 -> wait(emptied)
	:: else -> break
	od
}

/* Ends with `lasting`: those that are stopped now are to stay. */
inline wait_for_others()
{
	do
	:: closed || stay -> lasting = false; break
	:: !closed && !stay && leaving > 0 ->
#ifndef WRONG_NO_REST
		wait(rested)
#else
		lasting = true; break
#endif
	:: !closed && !stay && leaving == 0 && rest ->
		unlock(); /* for a while */
		!rest;
		lock()
	:: else -> lasting = true; break
	od
}

inline park_enter()
{
	atomic {
		in[self] = false;
		in_guest--;
#ifndef WRONG_NO_EMPTIED
		if
		:: in_guest == 0 -> signal(emptied)
		:: else
		fi
#endif
	}
}

inline pass_on()
{
	atomic {
		if
		:: waiting > 0 -> signal(turn)
		:: else ->
			broadcast(opened);
			w = 0;
			do
			:: w < THREADS -> had_turn[w] = false; w++
			:: else -> break
			od;
			w = 0
		fi
	}
}

inline count_in()
{
	owed[self] = false;
	in[self] = true;
	in_guest++
}

inline park_leave()
{
	atomic {
		if
		:: !spared[self] -> rest = true
		:: else
		fi;
		spared[self] = false;
		count_in()
	}
}

inline return_to_guest()
{
	if
	:: self < CPUS ->
		if
#ifndef WRONG_NO_BOUNCE
		:: closed -> immediate_exit[self] = true
#endif
		:: else
		fi;
		atomic {
			count_in();
			spared[self] = immediate_exit[self]
		}
	:: else
	fi
}

/* vm_exclusive_begin, what it is for, and vm_exclusive_end */
inline call(is_reset)
{
	lock();
	seen = resets;
	if
	:: self < CPUS -> park_enter()
	:: else
	fi;
	wait_for_others();
	assert(!lasting || !owed[0] && !owed[1] && !owed[CPUS - 1]);
	waiting++;
	do
	:: exclusive -> wait(turn)
	:: else -> break
	od;
	waiting--;
	if
	:: self == OUTSIDE || resets == seen ->
		assert(!exclusive && !had_turn[self]);
		atomic {
			exclusive = true;
			had_turn[self] = (self < CPUS);
			lasting = lasting && self < CPUS && in_guest > 0
		}
		kick_guest();
		if
		:: lasting -> stay = true
		:: else
		fi;
		unlock();

		assert(exclusive && !runs[0] && !runs[1] && !runs[CPUS - 1]);
		resets = resets + is_reset;
		assert(exclusive && !runs[0] && !runs[1] && !runs[CPUS - 1]);

		lock();
		exclusive = false;
#ifdef WRONG_WAIT_TO_RETURN
		do
		:: self < CPUS && waiting > 0 ->
			pass_on();
			wait(opened)
		:: else -> break
		od;
#endif
		return_to_guest();
		pass_on();
		unlock();
		/* What is left of the call */
		assert(self == OUTSIDE || resets == seen)
	:: else ->
		return_to_guest();
#ifndef WRONG_KEEP_TURN
		pass_on();
#endif
		unlock()
	fi;
	seen = 0;
	lasting = false
}

/* KVM_RUN, until it is to look around. */
inline run_guest()
{
	do
	:: in_kvm[self] = true;
	   if
	   :: immediate_exit[self] -> break
	   :: else
	   fi;
	   atomic {
		if
		:: pending[self] -> break
		:: else -> runs[self] = true
		fi
	   }
	   if
	   :: atomic {
		pending[self] ->
		runs[self] = false
	      }
	      break
	   :: atomic {
		calls > 0 && !pending[self] ->
		runs[self] = false;
		in_kvm[self] = false;
		calls--
	      }
	      call(0);
	      if
	      :: calls == 0 -> ended++
	      :: else
	      fi
	   fi
	od;
	atomic {
		in_kvm[self] = false;
		pending[self] = false
	}
}

/* park_wait, when it is to wait */
inline count_leaving(change)
{
	atomic {
		leaving = leaving change;
		if
		:: leaving == 0 -> broadcast(rested)
		:: else
		fi
	}
}

proctype vcpu(byte self)
{
	byte calls = CALLS, seen, k;
	bool lasting;

	lock();
	do
	:: quit -> break
#ifndef WRONG_LEAVE_EARLY
	:: !quit && closed ->
#else
	:: !quit && exclusive ->
#endif
		leaving++;
		wait(opened);
		count_leaving(-1)
	:: !quit && !closed && stay && !spared[self] ->
		leaving++;
		unlock(); /* for a while, or until vm->changed */
		!stay || quit;
		lock();
		count_leaving(-1)
	:: else ->
#ifndef WRONG_CLEAR_LATE
		immediate_exit[self] = false;
#endif
		park_leave();
		unlock();
#ifdef WRONG_CLEAR_LATE
		immediate_exit[self] = false;
#endif
		run_guest();
		lock();
		park_enter()
	od;
	unlock()
}

proctype outside(byte self)
{
	byte requests = REQUESTS, seen, k;
	bool lasting;

	do
	:: requests > 0 ->
		call((requests <= RESETS -> 1 : 0));
		requests--
	:: else -> break
	od;
	ended++
}

/* vm_join, when nobody wants anything any more */
proctype ender()
{
	byte k;

	ended == CPUS + 1;
	lock();
	do
	:: k < CPUS -> kick(k); k++
	:: else -> break
	od;
	quit = true;
	broadcast(changed);
	unlock()
}

/* The clock ends what a stop began; it need not. */
proctype clock()
{
end:	do
	:: atomic { stay -> stay = false }
	:: atomic { rest -> rest = false }
	od
}

init
{
	byte k;

	atomic {
		do
		:: k < CPUS -> run vcpu(k); k++
		:: else -> break
		od;
		run outside(OUTSIDE);
		run ender();
		run clock()
	}
}
