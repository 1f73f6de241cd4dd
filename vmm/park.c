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
 *
 * Who wants `exclusive` is counted (`waiting`) before it sleeps. As long as the count is not
 * zero no processor leaves the park: those that were kicked out of the guest, or came out
 * of it with a wish of the same kind, have their turns one after the other with one stop of
 * all. Each has one turn, as it then waits with the others: the rest wait for a bounded time.
 * Whoever gets a turn and does not use it passes it on. tests/model/park.pml has this
 * protocol together with the kicks of vcpu.c.
 *
 * To stop processors costs far more than what it is mostly for, a change of the page
 * table, and such changes come in bursts. So the processors that were stopped stay parked for
 * STAY times as long as it took to stop them, while those that had their turns run on and
 * find them still parked when they come again. After that all may run for as long as it took
 * to stop them, before they are stopped again: nobody is kept from running by others' bursts.
 */
#include "vmm/park.h"

#include <time.h>

#include "vmm/vm_internal.h"

#define STAY	    8
#define STOP_MAX_NS 1000000 /* what counts of a stop, at most: interrupts wait for those parked */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

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
}

void park_fini(struct park *park)
{
	pthread_cond_destroy(&park->turn);
	pthread_cond_destroy(&park->emptied);
	pthread_cond_destroy(&park->opened);
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

bool park_wait(struct vm *vm)
{
	struct park *park = &vm->park;

	if (closed(park))
		pthread_cond_wait(&park->opened, &vm->lock);
	else if (now_ns() < park->stay_until)
		wait_until(vm, &vm->changed, park->stay_until);
	else
		return false;
	return true;
}

void park_leave(struct vcpu *vcpu)
{
	vcpu->in_guest = true;
	vcpu->vm->park.in_guest++;
}

/* Whose turn is it? The next one's that waits for it, or the guest's. */
static void pass_on(struct vm *vm)
{
	if (vm->park.waiting)
		pthread_cond_signal(&vm->park.turn);
	else
		pthread_cond_broadcast(&vm->park.opened);
}

static void return_to_guest(struct vm *vm, struct vcpu *self)
{
	if (!self)
		return;
	while (closed(&vm->park))
		pthread_cond_wait(&vm->park.opened, &vm->lock);
	park_leave(self);
}

static void kick_guest(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->nr_vcpus; i++)
		if (vm->vcpus[i].in_guest)
			vcpu_kick(&vm->vcpus[i]);
	while (vm->park.in_guest)
		pthread_cond_wait(&vm->park.emptied, &vm->lock);
}

/* Processors are in the guest: get them out, but not those that have only just been let go. */
static void stop_guest(struct vm *vm)
{
	struct park *park = &vm->park;
	uint64_t start = now_ns(), took;
	bool burst = start < park->stay_until;

	while (!burst && start < park->stop_after) {
		wait_until(vm, &park->emptied, park->stop_after);
		if (!park->in_guest)
			return;
		start = now_ns();
	}
	kick_guest(vm);
	if (burst)
		return; /* who was in the guest joins those that stay */
	took = now_ns() - start;
	if (took > STOP_MAX_NS)
		took = STOP_MAX_NS;
	park->stay_until = start + (1 + STAY) * took;
	park->stop_after = park->stay_until + took;
}

bool vm_exclusive_begin(struct vm *vm, struct vcpu *self)
{
	struct park *park = &vm->park;
	uint32_t resets;
	bool wanted;

	pthread_mutex_lock(&vm->lock);
	resets = vm->resets;
	if (self)
		park_enter(self);
	park->waiting++;
	while (park->exclusive)
		pthread_cond_wait(&park->turn, &vm->lock);
	park->waiting--;
	wanted = !self || vm->resets == resets;
	if (wanted) {
		park->exclusive = true;
		if (park->in_guest)
			stop_guest(vm);
	} else {
		pass_on(vm);
		return_to_guest(vm, self);
	}
	pthread_mutex_unlock(&vm->lock);
	return wanted;
}

void vm_exclusive_end(struct vm *vm, struct vcpu *self)
{
	pthread_mutex_lock(&vm->lock);
	vm->park.exclusive = false;
	pass_on(vm);
	return_to_guest(vm, self);
	pthread_mutex_unlock(&vm->lock);
}
