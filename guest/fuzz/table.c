// SPDX-License-Identifier: GPL-2.0-only
/*
 * hcall-fuzz: the calls, from the tables that the monitor dispatches by.
 *
 * LOCKING: none. Filled before a second CPU runs.
 */
#include "fuzz.h"
#include "hcall/positions.h"

#define FUZZ_WEIGHT 8

struct rule {
	bool given;
	u8 family, weight;
	u16 limits;
	u64 hints[MAX_HINTS];
};

#define HCALL(number, call, who, handler, ...)                                                     \
	{.name = #call, .nr = (number), .args = {__VA_ARGS__}, .family = FAMILY_OTHER, .by = (who)},
static const struct call hcalls[] = {
#include "hcall/hcalls.def"
};
#undef HCALL

#define RTAS(service, handler, inputs, outputs, ...)                                               \
	{.name = (service),                                                                        \
	 .nargs = (inputs),                                                                        \
	 .nret = (outputs),                                                                        \
	 .args = {__VA_ARGS__},                                                                    \
	 .rtas = true,                                                                             \
	 .by = BY_MONITOR,                                                                         \
	 .family = FAMILY_RTAS},
static const struct call services[] = {
#include "hcall/rtas.def"
};
#undef RTAS

#define RULE(kin, heavy, limit, ...)                                                               \
	{                                                                                          \
		.given = true, .family = (kin), .weight = (heavy), .limits = (limit), .hints = {   \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#define RTAS_FUZZ(...)
#define HCALL_FUZZ(call, ...) [POSITION_##call] = RULE(__VA_ARGS__),
static const struct rule hcall_rules[ARRAY_SIZE(hcalls)] = {
#include "hcall/fuzz.def"
};
#undef HCALL_FUZZ
#undef RTAS_FUZZ

#define HCALL_FUZZ(...)
#define RTAS_FUZZ(handler, ...) [POSITION_##handler] = RULE(__VA_ARGS__),
static const struct rule service_rules[ARRAY_SIZE(services)] = {
#include "hcall/fuzz.def"
};
#undef HCALL_FUZZ
#undef RTAS_FUZZ

/* hcall/answers.def: the monitor's codes or an RTAS service's, and KVM's. */
#define HCALL_ANSWERS(call, changed, failed, ...) [POSITION_##call] = {__VA_ARGS__},
#define KVM_ANSWERS(...)
#define RTAS_ANSWERS(...)
static const int16_t hcall_codes[ARRAY_SIZE(hcalls)][CODES_MAX] = {
#include "hcall/answers.def"
};
#undef HCALL_ANSWERS
#undef KVM_ANSWERS

#define HCALL_ANSWERS(...)
#define KVM_ANSWERS(call, ...) [POSITION_##call] = {__VA_ARGS__},
static const int16_t kvm_codes[ARRAY_SIZE(hcalls)][CODES_MAX] = {
#include "hcall/answers.def"
};
#undef KVM_ANSWERS
#undef RTAS_ANSWERS

#define KVM_ANSWERS(...)
#define RTAS_ANSWERS(handler, ...) [POSITION_##handler] = {__VA_ARGS__},
static const int16_t service_codes[ARRAY_SIZE(services)][CODES_MAX] = {
#include "hcall/answers.def"
};

_Static_assert(ARRAY_SIZE(hcalls) + ARRAY_SIZE(services) < MAX_CALLS, "MAX_CALLS is too small");

static const char *const family_names[FAMILIES] = {
	[FAMILY_OTHER] = "other", [FAMILY_HPT] = "hpt",	      [FAMILY_XICS] = "xics",
	[FAMILY_CPU] = "cpu",	  [FAMILY_MEMORY] = "memory", [FAMILY_TERM] = "term",
	[FAMILY_MMU] = "mmu",	  [FAMILY_RTAS] = "rtas",     [FAMILY_UNKNOWN] = "unknown",
};

static const char *const server_names[] = {
	[BY_KERNEL] = "kvm",
	[BY_MONITOR] = "monitor",
	[BY_EITHER] = "either",
	[BY_NOBODY] = "nobody",
};

struct call calls[MAX_CALLS];
int ncalls, unknown_call;

/* By weight: which call each of so many parts of a draw is. */
static u8 lots[4096];
static u32 nlots;

const char *family_name(int family)
{
	return family_names[family];
}

const char *server_name(int by)
{
	return server_names[by];
}

int family_of(const char *name, size_t len)
{
	int i;

	for (i = 0; i < FAMILIES; i++)
		if (strlen(family_names[i]) == len && !strncmp(family_names[i], name, len))
			return i;
	return -1;
}

/* Is it one of the names in "without=A+B"? */
static bool is_left_out(const char *name)
{
	const char *s = dt_bootargs();
	size_t n = strlen(name);

	while (*s && strncmp(s, "without=", 8))
		s++;
	for (s += *s ? 8 : 0; *s && *s != ' '; s++) {
		if (!strncmp(s, name, n) && (s[n] == '+' || s[n] == ' ' || !s[n]))
			return true;
		while (s[1] && s[0] != '+' && s[1] != ' ')
			s++;
	}
	return false;
}

static void add(const struct call *call, const struct rule *rule, const int16_t *codes,
		const int16_t *by_kvm)
{
	struct call *c = &calls[ncalls];
	u32 i;

	*c = *call;
	c->weight = FUZZ_WEIGHT;
	c->codes = codes;
	c->kvm_codes = by_kvm;
	if (rule->given) {
		c->family = rule->family;
		c->weight = rule->weight ? rule->weight : FUZZ_WEIGHT;
		c->limits = rule->limits;
		memcpy(c->hints, rule->hints, sizeof(c->hints));
	}
	if (c->rtas)
		c->nr = (u64)(u32)rtas_token(c->name);
	if (c->limits & (FUZZ_NEVER | FUZZ_LAST) || (c->limits & FUZZ_BLOCK && set.kernel_xics) ||
	    (set.only >= 0 && c->family != set.only) || is_left_out(c->name))
		c->weight = 0;
	for (i = 0; i < c->weight && nlots < ARRAY_SIZE(lots); i++)
		lots[nlots++] = (u8)ncalls;
	ncalls++;
}

bool table_init(void)
{
	static const struct call unknown = {
		.name = "unknown", .family = FAMILY_UNKNOWN, .by = BY_NOBODY};
	static const struct rule none;
	static const int16_t no_codes[CODES_MAX];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(hcalls); i++)
		add(&hcalls[i], &hcall_rules[i], hcall_codes[i], kvm_codes[i]);
	for (i = 0; i < ARRAY_SIZE(services); i++)
		add(&services[i], &service_rules[i], service_codes[i], no_codes);
	unknown_call = ncalls;
	add(&unknown, &none, no_codes, no_codes);
	return nlots;
}

const struct call *table_draw(struct fuzzer *f)
{
	return &calls[lots[below(f, nlots)]];
}
