// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stopping processors, with threads that play processors: what KVM_RUN does about a kick
 * is played by run(). ThreadSanitizer sees whether what is done while all are parked is
 * ordered with what they do in the guest.
 */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/unit/stress.h"
#include "tests/unit/unit.h"
#include "vmm/park.h"
#include "vmm/vm_internal.h"

#define CPUS 4

static struct vm vm;
static struct vcpu vcpus[CPUS];
static struct kvm_run runs[CPUS];
static atomic_uint kicks, running, holders, faults, cancelled;
static atomic_ullong rounds[CPUS]; /* how often each was in the guest */
/* Only changed with all parked: */
static uint64_t guarded;
static uint64_t stay, rounds_before; /* when processors were made to stay last */

void vcpu_kick(struct vcpu *vcpu)
{
	atomic_fetch_add(&kicks, 1);
	__atomic_store_n(&vcpu->run->immediate_exit, 1, __ATOMIC_SEQ_CST);
}

static void set_up(uint32_t nr)
{
	memset(&vm, 0, sizeof(vm));
	memset(vcpus, 0, sizeof(vcpus));
	memset(runs, 0, sizeof(runs));
	memset(rounds, 0, sizeof(rounds));
	kicks = running = holders = faults = cancelled = 0;
	guarded = stay = rounds_before = 0;
	vm.vcpus = vcpus;
	vm.nr_vcpus = nr;
	pthread_mutex_init(&vm.lock, NULL);
	pthread_cond_init(&vm.changed, NULL);
	park_init(&vm.park);
	for (uint32_t i = 0; i < nr; i++) {
		vcpus[i].vm = &vm;
		vcpus[i].run = &runs[i];
		vcpus[i].cpu.server = i;
	}
}

static void tear_down(void)
{
	park_fini(&vm.park);
	pthread_cond_destroy(&vm.changed);
	pthread_mutex_destroy(&vm.lock);
}

/* As vcpu_main: park, and wait until the processor may run, if the machine goes on. */
static bool enter_guest(struct vcpu *vcpu)
{
	bool go;

	pthread_mutex_lock(&vm.lock);
	if (vcpu->in_guest)
		park_enter(vcpu);
	while (!vm.quit && park_wait(vcpu))
		;
	go = !vm.quit;
	if (go) {
		__atomic_store_n(&vcpu->run->immediate_exit, 0, __ATOMIC_SEQ_CST);
		park_leave(vcpu);
		atomic_fetch_add(&rounds[vcpu->cpu.server], 1);
	}
	pthread_mutex_unlock(&vm.lock);
	return go;
}

static void leave_guest(struct vcpu *vcpu)
{
	pthread_mutex_lock(&vm.lock);
	park_enter(vcpu);
	pthread_mutex_unlock(&vm.lock);
}

/* In the guest: for at most @steps, until kicked. */
static bool run(struct vcpu *vcpu, uint32_t steps)
{
	bool kicked;

	atomic_fetch_add(&running, 1);
	do {
		if (guarded & 1)
			atomic_fetch_add(&faults, 1);
		kicked = __atomic_load_n(&vcpu->run->immediate_exit, __ATOMIC_SEQ_CST);
		sched_yield();
	} while (!kicked && steps-- > 1);
	atomic_fetch_sub(&running, 1);
	return kicked;
}

/* At the end, who is parked leaves no more; those that wait for their turn still get it. */
static bool ends(void)
{
	bool quit;

	pthread_mutex_lock(&vm.lock);
	quit = vm.quit;
	pthread_mutex_unlock(&vm.lock);
	return quit;
}

/* What is done with all parked: nobody runs, nobody else does it. */
static void check_alone(void)
{
	if (atomic_fetch_add(&holders, 1) || running)
		atomic_fetch_add(&faults, 1);
	guarded++; /* odd meanwhile */
	sched_yield();
	guarded++;
	/* Before any are made to stay again, processor 0, who never asks, was in the guest. */
	if (vm.park.stay_until != stay) {
		if (rounds_before && rounds[0] == rounds_before && !ends())
			atomic_fetch_add(&faults, 1);
		stay = vm.park.stay_until;
		rounds_before = rounds[0];
	}
	if (atomic_fetch_sub(&holders, 1) != 1 || running)
		atomic_fetch_add(&faults, 1);
}

static void stop_others(struct vcpu *self)
{
	if (!vm_exclusive_begin(&vm, self)) {
		atomic_fetch_add(&cancelled, 1);
		return;
	}
	check_alone();
	vm_exclusive_end(&vm, self);
}

/* A processor that stops the others every few steps. */
static void *busy(void *arg)
{
	struct vcpu *vcpu = arg;
	uint32_t state = vcpu->cpu.server + 1;

	while (enter_guest(vcpu)) {
		while (!run(vcpu, 1 + draw(&state) % 20))
			stop_others(vcpu);
	}
	return NULL;
}

/* One that computes, or sleeps, and leaves only when kicked. */
static void *idle(void *arg)
{
	struct vcpu *vcpu = arg;

	while (enter_guest(vcpu)) {
		while (!run(vcpu, UINT32_MAX))
			;
	}
	return NULL;
}

static void quit(const pthread_t *threads, uint32_t nr)
{
	pthread_mutex_lock(&vm.lock);
	for (uint32_t i = 0; i < vm.nr_vcpus; i++)
		vcpu_kick(&vcpus[i]);
	vm.quit = true;
	pthread_cond_broadcast(&vm.changed);
	pthread_mutex_unlock(&vm.lock);
	for (uint32_t i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

/* As vm_reset: those that wait for their turn meanwhile do not get it. */
static void reset(void)
{
	vm_exclusive_begin(&vm, NULL);
	check_alone();
	pthread_mutex_lock(&vm.lock);
	vm.resets++;
	pthread_mutex_unlock(&vm.lock);
	vm_exclusive_end(&vm, NULL);
}

static void stress(bool resets)
{
	uint64_t end = now_ms() + 500;
	pthread_t threads[CPUS];

	set_up(CPUS);
	for (uint32_t i = 0; i < CPUS; i++)
		pthread_create(&threads[i], NULL, i ? busy : idle, &vcpus[i]);
	while (now_ms() < end) {
		if (resets)
			reset();
		else
			stop_others(NULL);
		sched_yield();
	}
	quit(threads, CPUS);
	ck_assert_uint_eq(faults, 0);
	ck_assert_uint_eq(vm.park.in_guest, 0);
	ck_assert_uint_eq(vm.park.waiting, 0);
	for (uint32_t i = 0; i < CPUS; i++)
		ck_assert_uint_gt(rounds[i], 1);
	tear_down();
}

START_TEST(who_stops_all_is_alone)
{
	stress(false);
	ck_assert_uint_eq(cancelled, 0);
}
END_TEST

START_TEST(reset_voids_what_waits)
{
	stress(true);
	ck_assert_uint_gt(cancelled, 0);
}
END_TEST

static void *ask_void(void *arg)
{
	stop_others(arg);
	leave_guest(arg);
	return NULL;
}

/* Each of several that wait is told, by the one before it, that its turn is void. */
START_TEST(void_turns_are_passed_on)
{
	pthread_t threads[CPUS];
	uint32_t waiting = 0;

	set_up(CPUS);
	for (uint32_t i = 0; i < CPUS; i++) {
		/* In the guest before anybody stops that. */
		vcpus[i].in_guest = true;
		vm.park.in_guest++;
	}
	pthread_mutex_lock(&vm.lock);
	vm.park.exclusive = true;
	pthread_mutex_unlock(&vm.lock);
	for (uint32_t i = 0; i < CPUS; i++)
		pthread_create(&threads[i], NULL, ask_void, &vcpus[i]);
	while (waiting < CPUS) {
		pthread_mutex_lock(&vm.lock);
		waiting = vm.park.waiting;
		pthread_mutex_unlock(&vm.lock);
		sched_yield();
	}
	pthread_mutex_lock(&vm.lock);
	vm.resets++;
	pthread_mutex_unlock(&vm.lock);
	vm_exclusive_end(&vm, NULL);
	for (uint32_t i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(cancelled, CPUS);
	ck_assert_uint_eq(vm.park.in_guest, 0);
	tear_down();
}
END_TEST

/* One processor comes again and again; the other is stopped less often, but gets to run. */
START_TEST(bursts_stop_others_once)
{
	uint64_t calls = 0;
	pthread_t thread;

	set_up(2);
	pthread_create(&thread, NULL, idle, &vcpus[0]);
	while (!rounds[0])
		sched_yield();
	ck_assert(enter_guest(&vcpus[1]));
	while (rounds[0] < 50) {
		stop_others(&vcpus[1]);
		calls++;
	}
	leave_guest(&vcpus[1]);
	ck_assert_uint_eq(faults, 0);
	ck_assert_msg(kicks < calls / 2, "%u kicks in %llu calls", kicks,
		      (unsigned long long)calls);
	quit(&thread, 1);
	tear_down();
}
END_TEST

/* Alone, or with others that are stopped, there is nobody to kick and nothing to wait for. */
START_TEST(alone_nobody_is_stopped)
{
	set_up(2);
	ck_assert(enter_guest(&vcpus[0]));
	for (int i = 0; i < 1000; i++)
		stop_others(&vcpus[0]);
	ck_assert_uint_eq(vm.park.in_guest, 1);
	leave_guest(&vcpus[0]);
	ck_assert_uint_eq(kicks, 0);
	ck_assert_uint_eq(vm.park.stay_until, 0);
	tear_down();
}
END_TEST

void park_stress_tests(TCase *tc)
{
	tcase_add_test(tc, who_stops_all_is_alone);
	tcase_add_test(tc, reset_voids_what_waits);
	tcase_add_test(tc, void_turns_are_passed_on);
	tcase_add_test(tc, bursts_stop_others_once);
	tcase_add_test(tc, alone_nobody_is_stopped);
}
