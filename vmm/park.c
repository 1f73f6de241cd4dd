// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING
 *
 * struct park is under vm->lock. Each condition variable has one kind of waiter, so that
 * hardly anybody is woken who could only go back to sleep:
 *
 *   turn     those that want `exclusive`, which another has; one is woken when it is free
 *   emptied  the one that has `exclusive`, until the last processor is parked
 *   opened   parked processors, until nobody has or wants `exclusive`
 *   rested   those that want `exclusive`, while it is the others' time to run
 *
 * Who wants `exclusive` is counted (`waiting`) before it sleeps. As long as the count is not
 * zero no parked processor leaves: those that were kicked out of the guest with a wish of the
 * same kind have their turns one after the other, with one stop of all, and each has one, as
 * after it a kick is pending that has it park. Whoever gets a turn and does not use it
 * passes it on. A thread that had its turn counts as in the guest from the moment at which it
 * gives up `exclusive`: nobody else, a reset for one, comes between a call and its end.
 *
 * To stop processors costs far more than what it is mostly for, a change of the page
 * table, and such changes come in bursts. So the processors that were stopped stay parked for
 * STAY times as long as it took to stop them, while those that had turns run on and find
 * them still parked when they come again. When that time is over nobody has a turn before all
 * that want to leave have left, and ran for as long as it took to stop them.
 *
 * tests/model/park.pml has this protocol together with the kicks of vcpu.c.
 */
#include "vmm/park.h"

#include <time.h>

#include "lib/util.h"
#include "vmm/vm_internal.h"

#define STAY	    8
#define STOP_MAX_NS 1000000 /* what counts of a stop, at most: interrupts wait for those parked */

/* Wait for @cond until @deadline at the latest. */
static void wait_until(struct vm *vm, pthread_cond_t *cond, uint64_t deadline)
{
	struct timespec at = {(time_t)(deadline / 1000000000), (long)(deadline % 1000000000)};

	pthread_cond_clockwait(cond, &vm->lock, CLOCK_MONOTONIC, &at);
}

void park_init(struct park *park)
{
	*park = (struct park){0};
	pthread_cond_init(&park->turn, NULL);
	pthread_cond_init(&park->emptied, NULL);
	pthread_cond_init(&park->opened, NULL);
	pthread_cond_init(&park->rested, NULL);
}

void park_fini(struct park *park)
{
	pthread_cond_destroy(&park->turn);
	pthread_cond_destroy(&park->emptied);
	pthread_cond_destroy(&park->opened);
	pthread_cond_destroy(&park->rested);
}

void park_enter(struct vcpu *vcpu)
{
	struct park *park = &vcpu->vm->park;

	vcpu->in_guest = false;
	if (!--park->in_guest)
		pthread_cond_signal(&park->emptied);
}

static bool closed(const struct park *park)
{
	return park->exclusive || park->waiting;
}

bool park_wait(struct vcpu *vcpu)
{
	struct vm *vm = vcpu->vm;
	struct park *park = &vm->park;
	bool stays = !vcpu->spared && park->stay_until && now_ns() < park->stay_until;

	if (!closed(park) && !stays)
		return false;
	park->leaving++;
	if (closed(park))
		pthread_cond_wait(&park->opened, &vm->lock);
	else
		wait_until(vm, &vm->changed, park->stay_until);
	if (!--park->leaving)
		pthread_cond_broadcast(&park->rested);
	return true;
}

static void count_in(struct vcpu *vcpu)
{
	vcpu->in_guest = true;
	vcpu->vm->park.in_guest++;
}

void park_leave(struct vcpu *vcpu)
{
	struct park *park = &vcpu->vm->park;

	if (!vcpu->spared && park->stay_until)
		park->stop_after = now_ns() + park->took;
	vcpu->spared = false;
	count_in(vcpu);
}

/* Whose turn is it? The next one's that waits for it, or the guest's. */
static void pass_on(struct vm *vm)
{
	if (vm->park.waiting)
		pthread_cond_signal(&vm->park.turn);
	else
		pthread_cond_broadcast(&vm->park.opened);
}

/*
 * With a turn, or the wish for one, behind it: in the guest again, but if others have theirs
 * now, or a kick is pending, only to park at once, and not to stay.
 */
static void return_to_guest(struct vm *vm, struct vcpu *self)
{
	if (!self)
		return;
	if (closed(&vm->park))
		__atomic_store_n(&self->run->immediate_exit, 1, __ATOMIC_SEQ_CST);
	count_in(self);
	self->spared = __atomic_load_n(&self->run->immediate_exit, __ATOMIC_SEQ_CST);
}

/*
 * Before a turn, unless others have theirs: let those run that were stopped for a time that is
 * over. True if it is for the caller to say how long those stay that it stops.
 */
static bool wait_for_others(struct vm *vm)
{
	struct park *park = &vm->park;

	while (park->stay_until && !closed(park)) {
		uint64_t now = now_ns();

		if (now < park->stay_until)
			return false;
		if (park->leaving)
			pthread_cond_wait(&park->rested, &vm->lock);
		else if (now < park->stop_after)
			wait_until(vm, &park->rested, park->stop_after);
		else
			return true;
	}
	return !closed(park);
}

static void kick_guest(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->nr_vcpus; i++)
		if (vm->vcpus[i].in_guest)
			vcpu_kick(&vm->vcpus[i]);
	while (vm->park.in_guest)
		pthread_cond_wait(&vm->park.emptied, &vm->lock);
}

/* The same, and those that were stopped are to stay parked. */
static void kick_guest_for_long(struct vm *vm)
{
	struct park *park = &vm->park;
	uint64_t start = now_ns();

	kick_guest(vm);
	park->took = min_u64(now_ns() - start, STOP_MAX_NS);
	park->stay_until = start + (1 + STAY) * park->took;
}

bool vm_exclusive_begin(struct vm *vm, struct vcpu *self)
{
	struct park *park = &vm->park;
	uint32_t resets;
	bool first, wanted;

	pthread_mutex_lock(&vm->lock);
	resets = vm->resets;
	if (self)
		park_enter(self);
	first = wait_for_others(vm);
	park->waiting++;
	while (park->exclusive)
		pthread_cond_wait(&park->turn, &vm->lock);
	park->waiting--;
	wanted = !self || vm->resets == resets;
	if (wanted) {
		park->exclusive = true;
		if (first && self && park->in_guest)
			kick_guest_for_long(vm);
		else
			kick_guest(vm);
	} else {
		return_to_guest(vm, self);
		pass_on(vm);
	}
	pthread_mutex_unlock(&vm->lock);
	return wanted;
}

void vm_exclusive_end(struct vm *vm, struct vcpu *self)
{
	pthread_mutex_lock(&vm->lock);
	vm->park.exclusive = false;
	return_to_guest(vm, self);
	pass_on(vm);
	pthread_mutex_unlock(&vm->lock);
}
