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
 * whatever it likes to be: `stay` and `rest` begin with a stop and end at any moment.
 *
 * Asserted: with exclusive taken no processor runs the guest, and one thread has it; nobody
 * has a second turn before the park has opened, so all wait for a bounded number of turns.
 * And all end: a kick or a wake-up that is lost leaves a thread that cannot go on.
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

mtype = { none, turn, emptied, opened, changed };
mtype waits_for[THREADS] = none;

bool locked;
byte in_guest, waiting, resets;
bool exclusive, quit, stay, rest;
bool in[CPUS]; /* vcpu->in_guest */
bool immediate_exit[CPUS];
bool in_kvm[CPUS];  /* between entry to KVM_RUN and return from it */
bool pending[CPUS]; /* a signal that found it there */
bool runs[CPUS];    /* the guest */
byte ended;	    /* threads that want nothing any more */
bool had_turn[THREADS];
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
#ifndef WRONG_SIGNAL_FIRST
	immediate_exit[cpu] = true;
	pending[cpu] = pending[cpu] || in_kvm[cpu]
#else
	pending[cpu] = pending[cpu] || in_kvm[cpu];
	immediate_exit[cpu] = true
#endif
}

inline kick_guest()
{
	k = 0;
	do
	:: k < CPUS ->
		if
		:: in[k] -> kick(k)
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

inline stop_guest()
{
	if
	:: in_guest > 0 && stay -> kick_guest()
	:: in_guest > 0 && !stay ->
		do
		:: in_guest > 0 && rest ->
			unlock(); /* for a while: until emptied, or there was rest enough */
			in_guest == 0 || !rest;
			lock()
		:: else -> break
		od;
		if
		:: in_guest > 0 ->
			kick_guest();
			atomic {
				stay = true;
				rest = true
			}
		:: else
		fi
	:: else
	fi
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

inline return_to_guest()
{
	if
	:: self < CPUS ->
		do
#ifndef WRONG_LEAVE_EARLY
		:: closed -> wait(opened)
#else
		:: exclusive -> wait(opened)
#endif
		:: else -> break
		od;
		atomic {
			in[self] = true;
			in_guest++
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
			had_turn[self] = (self < CPUS)
		}
		stop_guest();
		unlock();

		assert(exclusive && !runs[0] && !runs[1] && !runs[CPUS - 1]);
		resets = resets + is_reset;
		assert(exclusive && !runs[0] && !runs[1] && !runs[CPUS - 1]);

		lock();
		exclusive = false;
		pass_on();
		return_to_guest()
	:: else ->
#ifndef WRONG_KEEP_TURN
		pass_on();
#endif
		return_to_guest()
	fi;
	seen = 0;
	unlock()
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

proctype vcpu(byte self)
{
	byte calls = CALLS, seen, k;

	lock();
	do
	:: quit -> break
	:: !quit && closed -> wait(opened)
	:: !quit && !closed && stay ->
		unlock(); /* for a while */
		!stay || quit;
		lock()
	:: else ->
#ifndef WRONG_CLEAR_LATE
		immediate_exit[self] = false;
#endif
		atomic {
			in[self] = true;
			in_guest++
		}
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
	broadcast(opened);
	unlock()
}

/* The clock ends what a stop began; it need not. */
proctype clock()
{
end:	do
	:: atomic { stay -> stay = false }
	:: atomic { rest && !stay -> rest = false }
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
