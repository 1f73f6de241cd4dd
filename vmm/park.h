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
	pthread_cond_t turn, emptied, opened;
	uint32_t in_guest; /* processors that are not parked */
	uint32_t waiting;  /* for exclusive */
	bool exclusive;	   /* someone has all processors parked, or kicks them out */
	/* Times of CLOCK_MONOTONIC, ns, of the last stop: */
	uint64_t stay_until; /* those that were stopped leave no earlier */
	uint64_t stop_after; /* nor are they stopped again earlier */
};

void park_init(struct park *park);
void park_fini(struct park *park);

/* Park @vcpu, whose thread the caller is. With vm->lock held. */
void park_enter(struct vcpu *vcpu);

/*
 * Wait a bit if a parked processor may not leave. True if it waited: look again at everything,
 * then call again. With vm->lock held.
 */
bool park_wait(struct vm *vm);

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

/* Give it back. @self may run when this returns: all that waited have had their turns. */
void vm_exclusive_end(struct vm *vm, struct vcpu *self);

#endif
