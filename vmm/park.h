/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stopping processors: a processor's thread is in the guest or parked, and whoever needs
 * all of them parked can have that.
 */
#ifndef VMM_PARK_H
#define VMM_PARK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct vm;
struct vcpu;

struct park {
	pthread_cond_t turn, emptied, opened, rested;
	uint32_t in_guest; /* processors that are not parked */
	uint32_t leaving;  /* those that are, and only wait until they may leave */
	uint32_t waiting;  /* threads that want exclusive, and wait for their turn */
	bool exclusive;	   /* someone has all processors parked, or kicks them out */
	/* Of the last stop after which processors stay, in ns of CLOCK_MONOTONIC: */
	uint64_t took;	     /* how long it took to stop them */
	uint64_t stay_until; /* they leave no earlier */
	uint64_t stop_after; /* nor are they stopped again earlier, once they have left */
};

void park_init(struct park *park);
void park_fini(struct park *park);

/* Park @vcpu, whose thread the caller is. With vm->lock held. */
void park_enter(struct vcpu *vcpu);

/*
 * Wait if @vcpu, which is parked, may not leave. True if it waited: look again at everything, then
 * call again. With vm->lock held.
 */
bool park_wait(struct vcpu *vcpu);

/* @vcpu counts as in the guest again. With vm->lock held, after park_wait said false. */
void park_leave(struct vcpu *vcpu);

/**
 * vm_exclusive_begin - park every processor but the caller's, and keep them parked
 * @self: the caller's processor, which serves an exit and counts as parked; or NULL
 *
 * Waits for its turn, and until the last has left KVM_RUN. Without vm->lock. False, with
 * nothing taken, if the machine was reset while @self waited: what the caller wants is a
 * wish of the guest before.
 */
bool vm_exclusive_begin(struct vm *vm, struct vcpu *self);

/* Give it back. @self counts as in the guest again, and has to return to KVM_RUN. */
void vm_exclusive_end(struct vm *vm, struct vcpu *self);

#endif
