// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/irqchip_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "vmm/kvm.h"
#include "vmm/vm_internal.h"

/* A value with its name, in either form. */
static void field(FILE *to, bool json, const char *name, uint64_t value)
{
	fprintf(to, json ? ", \"%s\": %" PRIu64 : " %s %" PRIu64, name, value);
}

static void flag(FILE *to, bool json, const char *name, bool set)
{
	if (json)
		fprintf(to, ", \"%s\": %s", name, set ? "true" : "false");
	else if (set)
		fprintf(to, " %s", name);
}

static void print_presenter(struct vm *vm, bool json, FILE *to, uint32_t server, uint64_t state)
{
	struct xics_presenter_counters c;

	fprintf(to,
		json ? "{\"server\": %u, \"state\": \"0x%016" PRIx64 "\""
		     : "presenter %u state 0x%016" PRIx64 ":",
		server, state);
	field(to, json, "cppr", icp_cppr(state));
	field(to, json, "xisr", icp_xisr(state));
	field(to, json, "mfrr", icp_mfrr(state));
	field(to, json, "pending", icp_pending(state));
	if (!xics_presenter_counters(&vm->machine.xics, server, &c)) {
		field(to, json, "delivered", c.delivered);
		field(to, json, "ipis", c.ipis);
		field(to, json, "rejected", c.rejected);
		field(to, json, "resent", c.resent);
		field(to, json, "raised", c.raised);
		field(to, json, "lowered", c.lowered);
		field(to, json, "kicks", c.kicks);
	}
	fputs(json ? "}" : "\n", to);
}

static void print_source(struct vm *vm, bool json, FILE *to, uint32_t source, uint64_t state)
{
	struct xics_source_counters c;

	fprintf(to,
		json ? "{\"source\": %u, \"state\": \"0x%016" PRIx64 "\""
		     : "source %#x state 0x%016" PRIx64 ":",
		source, state);
	field(to, json, "server", state & KVM_XICS_DESTINATION_MASK);
	field(to, json, "priority", (state >> KVM_XICS_PRIORITY_SHIFT) & KVM_XICS_PRIORITY_MASK);
	flag(to, json, "level", state & KVM_XICS_LEVEL_SENSITIVE);
	flag(to, json, "masked", state & KVM_XICS_MASKED);
	flag(to, json, "pending", state & KVM_XICS_PENDING);
	flag(to, json, "presented", state & KVM_XICS_PRESENTED);
	flag(to, json, "queued", state & KVM_XICS_QUEUED);
	if (!xics_source_counters(&vm->machine.xics, source, &c)) {
		field(to, json, "delivered", c.delivered);
		field(to, json, "rejected", c.rejected);
		field(to, json, "resent", c.resent);
		field(to, json, "coalesced", c.coalesced);
	}
	fputs(json ? "}" : "\n", to);
}

int irqchip_print(struct vm *vm, bool json, FILE *to, struct why *why)
{
	uint64_t state;
	int err;

	fprintf(to, json ? "{\"irqchip\": \"%s\", \"presenters\": [" : "irqchip %s\n",
		vm->irqchip->name);
	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		err = vm->irqchip->get_presenter(vm, i, &state);
		if (err)
			return why_set(why, err, "presenter %u: %s", i, strerror(-err));
		if (json && i)
			fputs(", ", to);
		print_presenter(vm, json, to, i, state);
	}
	if (json)
		fputs("], \"sources\": [", to);
	for (uint32_t i = 0; i < vm->nr_sources; i++) {
		err = vm->irqchip->get_source(vm, IRQ_FIRST + i, &state);
		if (err)
			return why_set(why, err, "source %#x: %s", IRQ_FIRST + i, strerror(-err));
		if (json && i)
			fputs(", ", to);
		print_source(vm, json, to, IRQ_FIRST + i, state);
	}
	if (json)
		fputs("]}\n", to);
	return 0;
}

/* Words of presenters and sources that are to be set. */
struct words {
	uint64_t *presenters, *sources;
	bool *has_presenter, *has_source;
};

static void words_free(struct words *w)
{
	free(w->presenters);
	free(w->sources);
	free(w->has_presenter);
	free(w->has_source);
}

static int words_alloc(struct words *w, const struct vm *vm)
{
	*w = (struct words){
		.presenters = calloc(vm->nr_vcpus, sizeof(uint64_t)),
		.sources = calloc(vm->nr_sources, sizeof(uint64_t)),
		.has_presenter = calloc(vm->nr_vcpus, sizeof(bool)),
		.has_source = calloc(vm->nr_sources, sizeof(bool)),
	};
	return w->presenters && w->sources && w->has_presenter && w->has_source ? 0 : -ENOMEM;
}

/* The state as it is, of everything. */
static int words_save(struct words *w, struct vm *vm)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < vm->nr_vcpus; i++) {
		err = vm->irqchip->get_presenter(vm, i, &w->presenters[i]);
		w->has_presenter[i] = true;
	}
	for (uint32_t i = 0; !err && i < vm->nr_sources; i++) {
		err = vm->irqchip->get_source(vm, IRQ_FIRST + i, &w->sources[i]);
		w->has_source[i] = true;
	}
	return err;
}

/* Presenters first: a source that is sent again must meet what it will find. */
static int words_set(const struct words *w, struct vm *vm, struct why *why)
{
	int err;

	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		err = w->has_presenter[i] ? vm->irqchip->set_presenter(vm, i, w->presenters[i]) : 0;
		if (err)
			return why_set(why, err, "presenter %u refuses state 0x%016" PRIx64, i,
				       w->presenters[i]);
	}
	for (uint32_t i = 0; i < vm->nr_sources; i++) {
		err = w->has_source[i] ? vm->irqchip->set_source(vm, IRQ_FIRST + i, w->sources[i])
				       : 0;
		if (err)
			return why_set(why, err, "source %#x refuses state 0x%016" PRIx64,
				       IRQ_FIRST + i, w->sources[i]);
	}
	return 0;
}

/* A number that a blank, a colon or the end follows; where that is, or NULL. */
static const char *parse_number_of(const char *at, int base, uint64_t max, uint64_t *value)
{
	const char *digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
	size_t len;

	if (at[0] == '0' && at[1] == 'x') {
		base = 16;
		digits = "0123456789abcdefABCDEF";
		at += 2;
	}
	len = strspn(at, digits);
	if (!len || len > 16 || !strchr(" :\n", at[len]))
		return NULL;
	*value = strtoull(at, NULL, base);
	return *value <= max ? at + len : NULL;
}

static const char *skip(const char *at, const char *word)
{
	return at && !strncmp(at, word, strlen(word)) ? at + strlen(word) : NULL;
}

/* "presenter|source NUMBER state WORD", and the rest of the line whatever it is. */
static int words_parse_line(struct words *w, const struct vm *vm, const char *line, int len,
			    struct why *why)
{
	bool presenter = skip(line, "presenter ");
	uint32_t first = presenter ? 0 : IRQ_FIRST;
	uint32_t count = presenter ? vm->nr_vcpus : vm->nr_sources;
	uint64_t number, state;
	const char *at = presenter ? line + 10 : skip(line, "source ");

	at = at ? parse_number_of(at, 10, UINT32_MAX, &number) : NULL;
	at = skip(at, " state ");
	at = at ? parse_number_of(at, 16, UINT64_MAX, &state) : NULL;
	if (!at)
		return why_set(why, -EINVAL, "'%.*s' is not KIND NUMBER state WORD",
			       len < 60 ? len : 60, line);
	if (number < first || number - first >= count)
		return why_set(why, -EINVAL,
			       presenter
				       ? "no presenter %llu here: %u presenters, sources %#x to %#x"
				       : "no source %#llx here: %u presenters, sources %#x to %#x",
			       (unsigned long long)number, vm->nr_vcpus, IRQ_FIRST,
			       IRQ_FIRST + vm->nr_sources - 1);
	if (presenter) {
		w->presenters[number] = state;
		w->has_presenter[number] = true;
	} else {
		w->sources[number - first] = state;
		w->has_source[number - first] = true;
	}
	return 0;
}

static int words_parse(struct words *w, const struct vm *vm, const char *text, struct why *why)
{
	int err = 0;

	while (!err && *text) {
		size_t len = strcspn(text, "\n");

		if (len && !skip(text, "irqchip "))
			err = words_parse_line(w, vm, text, (int)len, why);
		text += len + (text[len] == '\n');
	}
	return err;
}

/*
 * What no controller is to be given, whatever it would take: states that cannot be, a
 * source of another kind than its device, one source pending twice. @w names everything.
 */
static int words_check(const struct words *w, const struct vm *vm, const struct words *before,
		       struct why *why)
{
	bool pending[IRQ_SOURCES_MAX] = {false};

	for (uint32_t i = 0; i < vm->nr_vcpus; i++) {
		uint64_t state = w->presenters[i];
		uint32_t xisr = icp_xisr(state), n = xisr - IRQ_FIRST;
		bool bad =
			w->has_presenter[i] && (!icp_is_valid(state) || (state & ~ICP_STATE_MASK));

		if (xisr != XICS_NONE && xisr != XICS_IPI) {
			bad = bad || xisr < IRQ_FIRST || n >= vm->nr_sources || pending[n];
			if (!bad)
				pending[n] = true;
		}
		if (bad)
			return why_set(why, -EINVAL, "presenter %u refuses state 0x%016" PRIx64, i,
				       state);
	}
	for (uint32_t i = 0; i < vm->nr_sources; i++) {
		uint64_t state = w->sources[i], other = state ^ before->sources[i];

		if (!w->has_source[i])
			continue;
		if ((other & KVM_XICS_LEVEL_SENSITIVE) || (state & ~XICS_SOURCE_STATE) ||
		    (state & KVM_XICS_DESTINATION_MASK) >= vm->nr_vcpus)
			return why_set(why, -EINVAL, "source %#x refuses state 0x%016" PRIx64,
				       IRQ_FIRST + i, state);
	}
	return 0;
}

/* What is not named stays as it was. */
static void words_complete(struct words *w, const struct words *before, const struct vm *vm)
{
	for (uint32_t i = 0; i < vm->nr_vcpus; i++)
		if (!w->has_presenter[i])
			w->presenters[i] = before->presenters[i];
	for (uint32_t i = 0; i < vm->nr_sources; i++)
		if (!w->has_source[i])
			w->sources[i] = before->sources[i];
}

int irqchip_load(struct vm *vm, const char *text, struct why *why)
{
	struct words wanted = {0}, before = {0};
	struct why ignored;
	int err = words_alloc(&wanted, vm);

	if (!err)
		err = words_alloc(&before, vm);
	if (!err)
		err = words_save(&before, vm);
	if (err)
		why_set(why, err, "cannot save the state before: %s", strerror(-err));
	if (!err)
		err = words_parse(&wanted, vm, text, why);
	if (!err) {
		words_complete(&wanted, &before, vm);
		err = words_check(&wanted, vm, &before, why);
	}
	if (!err) {
		err = words_set(&wanted, vm, why);
		if (err)
			words_set(&before, vm, &ignored);
	}
	words_free(&wanted);
	words_free(&before);
	return err;
}
