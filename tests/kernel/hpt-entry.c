// SPDX-License-Identifier: GPL-2.0-only
/*
 * hpt-entry: whether KVM_PPC_HPT_ENTRY does what its header says, for a machine that has
 * no processor.
 *
 *   hpt-entry [ROUNDS]
 *
 * First the answers, one by one. Then threads change entries of their own, while the
 * memory behind them goes and comes, and then while the table is replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/kvm.h>
#include <linux/kvm_ppc_hpt.h>

#define KVM_TYPE_HV 1

#define ORDER	20 /* of the table's size */
#define ENTRIES (1UL << (ORDER - 4))
#define MEMORY	(16UL << 20)
#define THREADS 4
#define OWN	64 /* entries of a thread */

#define HPTE_V_VALID 1UL
#define HPTE_R_R     0x100UL
#define HPTE_R_C     0x080UL
#define HPTE_R_RC    (HPTE_R_R | HPTE_R_C)
#define HPTE_R_M     0x010UL
#define HPTE_R_PP    0x003UL
#define HPTE_R_RW    0x002UL
/* A bit that KVM keeps for itself */
#define HPTE_GR_MODIFIED (1UL << 62)

static int vm;
static void *memory;
static int passed, failed;

static void die(const char *what)
{
	fprintf(stderr, "hpt-entry: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(const char *what, bool good)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	*(good ? &passed : &failed) += 1;
}

static void check_eq(const char *what, long got, long want)
{
	if (got != want)
		printf("# 0x%lx, not 0x%lx\n", got, want);
	check(what, got == want);
}

/* 0, or a negative errno. */
static int change(uint32_t op, uint64_t index, uint64_t *v, uint64_t *r)
{
	struct kvm_ppc_hpt_entry entry = {.index = index, .op = op, .v = *v, .r = *r};

	if (ioctl(vm, KVM_PPC_HPT_ENTRY, &entry))
		return -errno;
	*v = entry.v;
	*r = entry.r;
	return 0;
}

static int change_r(uint32_t op, uint64_t index, uint64_t r)
{
	uint64_t v = 0;

	return change(op, index, &v, &r);
}

/* A page of 4K, which may be written. */
static int enter(uint64_t index, uint64_t real, uint64_t more)
{
	uint64_t v = index << 12 | HPTE_V_VALID;
	uint64_t r = real | HPTE_R_M | HPTE_R_RW | more;

	return change(KVM_PPC_HPT_ENTER, index, &v, &r);
}

static int set_memory(uint64_t size)
{
	struct kvm_userspace_memory_region region = {.memory_size = size,
						     .userspace_addr = (uintptr_t)memory};

	return ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region);
}

static int set_table(uint32_t order)
{
	return ioctl(vm, KVM_PPC_ALLOCATE_HTAB, &order);
}

static void make_machine(void)
{
	struct kvm_ppc_mmuv3_cfg hash = {0};
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	if (kvm < 0)
		die("/dev/kvm");
	vm = ioctl(kvm, KVM_CREATE_VM, KVM_TYPE_HV);
	if (vm < 0)
		die("KVM_CREATE_VM");
	if (ioctl(vm, KVM_CHECK_EXTENSION, KVM_CAP_PPC_HPT_ENTRY) <= 0) {
		puts("skip - the kernel has no KVM_PPC_HPT_ENTRY");
		exit(0);
	}
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("memory");
	memset(memory, 1, MEMORY);
	if (ioctl(vm, KVM_CHECK_EXTENSION, KVM_CAP_PPC_MMU_HASH_V3) > 0 &&
	    ioctl(vm, KVM_PPC_CONFIGURE_V3_MMU, &hash))
		die("KVM_PPC_CONFIGURE_V3_MMU");
}

/* How many valid entries KVM's table has. */
static long valid_entries(void)
{
	struct kvm_get_htab_fd htab = {0};
	static char buf[65536];
	int fd = ioctl(vm, KVM_PPC_GET_HTAB_FD, &htab);
	long valid = 0;
	ssize_t n;

	if (fd < 0)
		die("KVM_PPC_GET_HTAB_FD");
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		const char *at = buf;

		while (at < buf + n) {
			struct kvm_get_htab_header header;

			memcpy(&header, at, sizeof(header));
			at += sizeof(header) + 16UL * header.n_valid;
			valid += header.n_valid;
		}
	}
	if (n < 0)
		die("reading the table");
	close(fd);
	return valid;
}

static void answers(void)
{
	struct kvm_ppc_hpt_entry flags = {.op = KVM_PPC_HPT_REMOVE, .flags = 1};
	struct kvm_get_htab_fd htab = {0};
	uint64_t v = 0, r = 0;
	int interest;

	check_eq("no table", change_r(KVM_PPC_HPT_REMOVE, 0, 0), -EINVAL);
	if (set_table(ORDER) || set_memory(MEMORY))
		die("a table and memory");
	/* Who reads the table has KVM note what changes. */
	interest = ioctl(vm, KVM_PPC_GET_HTAB_FD, &htab);
	if (interest < 0)
		die("KVM_PPC_GET_HTAB_FD");

	check("flags", ioctl(vm, KVM_PPC_HPT_ENTRY, &flags) && errno == EINVAL);
	check("a bad address", ioctl(vm, KVM_PPC_HPT_ENTRY, NULL) && errno == EFAULT);
	check_eq("no such op", change_r(4, 0, HPTE_R_R), -EINVAL);
	check_eq("no such entry", change_r(KVM_PPC_HPT_REMOVE, ENTRIES, 0), -EINVAL);
	check_eq("enter what is not valid", change_r(KVM_PPC_HPT_ENTER, 7, HPTE_R_RW), -EINVAL);
	check_eq("remove nothing", change_r(KVM_PPC_HPT_REMOVE, 7, 0), -ENOENT);
	check_eq("protect nothing", change_r(KVM_PPC_HPT_PROTECT, 7, 0), -ENOENT);
	check_eq("clear R of nothing", change_r(KVM_PPC_HPT_CLEAR, 7, HPTE_R_R), -ENOENT);

	check_eq("enter", enter(7, 0x30000, HPTE_R_RC), 0);
	check_eq("enter again", enter(7, 0x30000, 0), -EEXIST);
	check_eq("protect", change_r(KVM_PPC_HPT_PROTECT, 7, HPTE_R_PP), 0);
	check_eq("clear neither R nor C", change_r(KVM_PPC_HPT_CLEAR, 7, HPTE_R_RW), -EINVAL);
	r = HPTE_R_RC;
	check_eq("clear both", change(KVM_PPC_HPT_CLEAR, 7, &v, &r), 0);
	check_eq("what was there", (long)r, 0x30000 | HPTE_R_RC | HPTE_R_M | HPTE_R_PP);
	r = HPTE_R_RC;
	check_eq("clear both again", change(KVM_PPC_HPT_CLEAR, 7, &v, &r), 0);
	check_eq("what was there then", (long)r, 0x30000 | HPTE_R_M | HPTE_R_PP);
	v = r = 0;
	check_eq("remove", change(KVM_PPC_HPT_REMOVE, 7, &v, &r), 0);
	check_eq("its first doubleword", (long)v, 7 << 12 | HPTE_V_VALID);
	check_eq("its second doubleword", (long)r, 0x30000 | HPTE_R_M | HPTE_R_PP);

	check_eq("enter with C", enter(7, 0x30000, HPTE_R_C), 0);
	r = HPTE_R_R;
	check_eq("clear R", change(KVM_PPC_HPT_CLEAR, 7, &v, &r), 0);
	check_eq("C is left", (long)r, 0x30000 | HPTE_R_C | HPTE_R_M | HPTE_R_RW);
	r = HPTE_R_C;
	check_eq("clear C", change(KVM_PPC_HPT_CLEAR, 7, &v, &r), 0);
	check_eq("C was left", (long)r, 0x30000 | HPTE_R_C | HPTE_R_M | HPTE_R_RW);
	check_eq("remove it", change(KVM_PPC_HPT_REMOVE, 7, &v, &r), 0);
	check_eq("C is gone", (long)r, 0x30000 | HPTE_R_M | HPTE_R_RW);
	close(interest);
}

/* ---- at once */

static long rounds = 2000;
static atomic_int running;
static atomic_long surprises;
/* The table goes: so may entries. */
static bool may_be_gone;

static void expect(int got)
{
	if (got && !(may_be_gone && got == -ENOENT) && atomic_fetch_add(&surprises, 1) < 5)
		printf("# %s\n", strerror(-got));
}

static void *change_own(void *arg)
{
	const uint64_t first = *(const uint64_t *)arg;

	for (long i = 0; i < rounds; i++) {
		/* Neighbours are of other threads, and all pages are of all. */
		uint64_t index = first + THREADS * ((uint64_t)i % OWN);
		uint64_t v = 0, r = HPTE_R_RC;

		expect(enter(index, ((uint64_t)i % (MEMORY >> 16)) << 16, HPTE_R_RC));
		expect(change_r(KVM_PPC_HPT_PROTECT, index, HPTE_R_PP));
		expect(change(KVM_PPC_HPT_CLEAR, index, &v, &r));
		if (!may_be_gone && (r & HPTE_R_RC) != HPTE_R_RC)
			expect(-ERANGE);
		expect(change(KVM_PPC_HPT_REMOVE, index, &v, &r));
		if (!may_be_gone && (r & (HPTE_R_RC | HPTE_R_PP | HPTE_GR_MODIFIED)) != HPTE_R_PP)
			expect(-EDOM);
	}
	atomic_fetch_sub(&running, 1);
	return NULL;
}

/* How often TURN was called while threads changed entries; it is told whether that is even. */
static long meanwhile(int (*turn)(long n))
{
	static uint64_t first[THREADS];
	pthread_t threads[THREADS];
	long n = 0;

	atomic_store(&running, THREADS);
	for (int i = 0; i < THREADS; i++) {
		first[i] = (uint64_t)i;
		if (pthread_create(&threads[i], NULL, change_own, &first[i]))
			die("a thread");
	}
	while (atomic_load(&running))
		if (turn(n++))
			die("a turn");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (n % 2 && turn(n++))
		die("the last turn");
	return n;
}

static int turn_memory(long n)
{
	return set_memory(n % 2 ? MEMORY : 0);
}
static int turn_table(long n)
{
	return set_table(n % 2 ? ORDER : ORDER + 1);
}
static int no_turn(long n)
{
	return n < 0 ? -1 : usleep(10000);
}

int main(int argc, char **argv)
{
	long n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1)
		rounds = atol(argv[1]);
	make_machine();
	answers();

	meanwhile(no_turn);
	check_eq("entries of threads", atomic_exchange(&surprises, 0), 0);
	n = meanwhile(turn_memory);
	check_eq("while memory goes and comes", atomic_exchange(&surprises, 0), 0);
	printf("# %ld times\n", n);
	check_eq("nothing is left", valid_entries(), 0);
	may_be_gone = true;
	n = meanwhile(turn_table);
	check_eq("while the table is replaced", atomic_exchange(&surprises, 0), 0);
	printf("# %ld times\n", n);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
