// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/hpt_check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "vmm/hpt_kvm.h"
#include "vmm/vm_internal.h"

#define SHOWN_MAX 100 /* differences that are printed */

struct check {
	const struct hpt *hpt;
	FILE *to;
	uint64_t next; /* the first entry that KVM's table was not yet heard of */
	uint64_t valid, differences;
};

static void compare(struct check *c, uint64_t index, struct hpte kernel)
{
	struct hpte model = hpt_peek(c->hpt, index);
	uint64_t r = kernel.r;

	/* Hardware may have set these since the model looked. */
	r &= ~(HPTE_R_RC & ~model.r);
	c->valid += kernel.v & HPTE_V_VALID;
	if (model.v == kernel.v && (model.r == r || !(model.v & HPTE_V_VALID)))
		return;
	if (c->differences++ < SHOWN_MAX)
		fprintf(c->to,
			"entry %#" PRIx64 ": kernel %#018" PRIx64 " %#018" PRIx64
			", model %#018" PRIx64 " %#018" PRIx64 "\n",
			index, kernel.v, kernel.r, model.v, model.r);
}

/* Entries that KVM's table does not have, up to @end. */
static void compare_gap(struct check *c, uint64_t end)
{
	for (; c->next < end; c->next++)
		compare(c, c->next, (struct hpte){0});
}

static void on_entry(void *ctx, uint64_t index, struct hpte entry)
{
	struct check *c = ctx;

	if (index < c->next)
		return; /* told again, as it changed meanwhile: with all parked, R and C */
	compare_gap(c, index);
	compare(c, index, entry);
	c->next = index + 1;
}

int hpt_check(struct vm *vm, FILE *to, uint64_t *differences, struct why *why)
{
	struct check c = {.hpt = &vm->machine.hpt, .to = to};
	int err;

	if (vm->platform.radix)
		return why_set(why, -ENOTSUP, "a radix guest has no hashed page table");
	if (!c.hpt->slots)
		return why_set(why, -ENOTSUP,
			       "KVM serves the page table calls here: there is no second table "
			       "(--hpt user)");
	err = hpt_kvm_load(vm);
	if (!err)
		err = hpt_kvm_stream(vm, on_entry, &c);
	if (err)
		return why_set(why, err, "cannot read KVM's hashed page table: %s", strerror(-err));
	compare_gap(&c, hpt_count(c.hpt));
	fprintf(to,
		"hpt 2^%u bytes, %" PRIu64 " entries, %" PRIu64 " valid, %" PRIu64 " differences\n",
		c.hpt->order, hpt_count(c.hpt), c.valid, c.differences);
	*differences = c.differences;
	return 0;
}
