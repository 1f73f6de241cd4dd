// SPDX-License-Identifier: GPL-2.0-only
/*
 * Backing of the table model by KVM's own table, through KVM_PPC_GET_HTAB_FD: entries
 * are written one at a time, and R and C are read from it.
 *
 * A stock kernel refuses to write while a processor is in KVM_RUN (EBUSY). So whoever
 * changes the table has all others parked (vm_exclusive_begin), and that before it locks
 * an entry of the model: a processor that waits for an entry's lock counts as running.
 * With all of them out of the guest R and C are stable, and can be read before an
 * entry is invalidated.
 *
 * A kernel with KVM_CAP_PPC_HPT_ENTRY (docs/KERNEL.md) changes single entries while
 * processors run, and gives R and C back as they are after the invalidation: vm->hpt_live.
 * Then nobody is parked, and the locks of the model's entries are all the order there is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/endian.h"
#include "lib/util.h"
#include "vmm/hpt_kvm.h"
#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

struct record {
	struct kvm_get_htab_header header; /* of the host's byte order */
	be64_t v, r;
};

_Static_assert(sizeof(struct record) == 24, "as KVM has it");

static int write_all(struct vm *vm, const void *records, size_t size)
{
	ssize_t n = write(vm->htab_fd, records, size);

	if (n < 0)
		return -errno;
	return (size_t)n == size ? 0 : -EIO;
}

static int write_entry(struct vm *vm, uint64_t index, struct hpte entry)
{
	struct record record = {
		.header = {.index = (uint32_t)index, .n_valid = 1},
		.v = be64(entry.v),
		.r = be64(entry.r),
	};

	return write_all(vm, &record, sizeof(record));
}

/* What KVM refuses to enter, the guest may not have so. */
static int enter(void *ctx, uint64_t index, struct hpte entry)
{
	int err = write_entry(ctx, index, entry);

	return err == -EIO ? -EINVAL : err;
}

/* R and C were looked at when nobody could set them any more. */
static int update(void *ctx, uint64_t index, struct hpte entry, uint64_t clear)
{
	(void)clear;
	return write_entry(ctx, index, entry);
}

/* KVM puts no entry into a read that fills the buffer: there must be room behind it. */
int hpt_kvm_read(struct vm *vm, uint64_t index, struct hpte *entry)
{
	char buf[sizeof(struct record) + sizeof(struct kvm_get_htab_header)];
	struct record record;
	int fd = kvm_open_htab(vm->vm_fd, 0, index);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, buf, sizeof(buf));
	close(fd);
	if (n < 0)
		return -errno;
	*entry = (struct hpte){0};
	memcpy(&record, buf, sizeof(record));
	if ((size_t)n < sizeof(record) || record.header.index != index || !record.header.n_valid)
		return 0;
	entry->v = be64_get(record.v) & ~(HPTE_V_LOCKED | HPTE_V_ABSENT);
	entry->r = be64_get(record.r);
	return 0;
}

static int look(void *ctx, uint64_t index, uint64_t *rc)
{
	struct hpte entry = {0};
	int err = hpt_kvm_read(ctx, index, &entry);

	*rc = entry.r & HPTE_R_RC;
	return err;
}

static int invalidate(void *ctx, const uint64_t *indexes, size_t count, uint64_t *rc)
{
	struct kvm_get_htab_header records[HPT_BULK];
	int err = 0;

	for (size_t i = 0; !err && i < count; i++) {
		if (rc[i])
			err = look(ctx, indexes[i], &rc[i]);
		records[i] =
			(struct kvm_get_htab_header){.index = (uint32_t)indexes[i], .n_invalid = 1};
	}
	return err ? err : write_all(ctx, records, count * sizeof(records[0]));
}

static const struct hpt_backing stopped = {enter, invalidate, update, look};

/* ---- while processors run */

static int change(struct vm *vm, uint32_t op, uint64_t index, struct hpte *entry)
{
	struct kvm_ppc_hpt_entry arg = {.index = index, .op = op, .v = entry->v, .r = entry->r};
	int err = kvm_hpt_entry(vm->vm_fd, &arg);

	*entry = (struct hpte){arg.v, arg.r};
	return err;
}

static int enter_live(void *ctx, uint64_t index, struct hpte entry)
{
	return change(ctx, KVM_PPC_HPT_ENTER, index, &entry);
}

static int invalidate_live(void *ctx, const uint64_t *indexes, size_t count, uint64_t *rc)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++) {
		struct hpte entry = {0};

		err = change(ctx, KVM_PPC_HPT_REMOVE, indexes[i], &entry);
		rc[i] = entry.r & HPTE_R_RC;
	}
	return err;
}

static int update_live(void *ctx, uint64_t index, struct hpte entry, uint64_t clear)
{
	if (clear)
		entry.r = clear;
	return change(ctx, clear ? KVM_PPC_HPT_CLEAR : KVM_PPC_HPT_PROTECT, index, &entry);
}

static const struct hpt_backing live = {enter_live, invalidate_live, update_live, look};

static int init_model(struct vm *vm)
{
	struct hpt *hpt = &vm->machine.hpt;
	int err = hpt_init(hpt, vm->hpt_order, vm->hpt_live ? &live : &stopped, vm);

	/* KVM keeps the first doubleword only as hardware has it. */
	if (!err && cpu_generation(vm->platform.pvr) >= CPU_POWER9)
		hpt->v_lost = HPTE_V_AVPN_HIGH;
	return err;
}

int hpt_kvm_create(struct vm *vm, struct why *why)
{
	int err;

	vm->htab_fd = kvm_open_htab(vm->vm_fd, KVM_GET_HTAB_WRITE, 0);
	if (vm->htab_fd < 0)
		return why_set(why, vm->htab_fd, "KVM_PPC_GET_HTAB_FD: %s", strerror(-vm->htab_fd));
	vm->hpt_live = kvm_cap(vm->vm_fd, KVM_CAP_PPC_HPT_ENTRY) > 0;
	err = init_model(vm);
	return err ? why_set(why, err, "no memory for a hashed page table of 2^%u bytes",
			     vm->hpt_order)
		   : 0;
}

void hpt_kvm_destroy(struct vm *vm)
{
	hpt_fini(&vm->machine.hpt);
	if (vm->htab_fd >= 0)
		close(vm->htab_fd);
}

int hpt_kvm_reset(struct vm *vm)
{
	hpt_fini(&vm->machine.hpt);
	vm->hpt_loaded = false;
	return init_model(vm);
}

/* The records of one read. */
static void parse(const char *at, const char *end, hpt_kvm_each *each, void *ctx)
{
	while (at < end) {
		struct kvm_get_htab_header header;

		memcpy(&header, at, sizeof(header));
		at += sizeof(header);
		for (uint32_t i = 0; i < header.n_valid; i++, at += 16) {
			be64_t words[2];

			memcpy(words, at, sizeof(words));
			each(ctx, (uint64_t)header.index + i,
			     (struct hpte){be64_get(words[0]) & ~(HPTE_V_LOCKED | HPTE_V_ABSENT),
					   be64_get(words[1])});
		}
	}
}

int hpt_kvm_stream(struct vm *vm, hpt_kvm_each *each, void *ctx)
{
	const size_t size = KIB(64);
	char *buf = malloc(size);
	int fd = kvm_open_htab(vm->vm_fd, 0, 0);
	ssize_t n = -1;

	if (!buf || fd < 0) {
		free(buf);
		return fd < 0 ? fd : -ENOMEM;
	}
	/* After all that is valid comes what changed since, which is nothing: then 0. */
	while ((n = read(fd, buf, size)) > 0)
		parse(buf, buf + n, each, ctx);
	n = n < 0 ? -errno : 0;
	close(fd);
	free(buf);
	return (int)n;
}

static void load_entry(void *ctx, uint64_t index, struct hpte entry)
{
	hpt_load(ctx, index, entry);
}

int hpt_kvm_load(struct vm *vm)
{
	return vm->hpt_loaded ? 0 : hpt_kvm_stream(vm, load_entry, &vm->machine.hpt);
}
