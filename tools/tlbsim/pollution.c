// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlbsim pollution: how often virtual processors find the TLB of an e500mc unfit, by the condition
 * of before 2014 and by that of since, and what that costs a guest.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"
#include "mmu/tlb_pollution.h"
#include "tools/tlbsim/tlbsim.h"

/*
 * Published with KVM's change of 2014: P5020DS, processors oversubscribed, a load on memory of
 * pages of 4 KiB that covers 75 % of TLB0, which has 512 entries. Seconds.
 */
#define PUBLISHED_HOST	 3.70
#define PUBLISHED_OLDER	 3.89
#define PUBLISHED_NEWER	 3.75
#define MEASURED_ENTRIES 384

#define CPUS_MAX      256 /* of a schedule */
#define LPIDS_MAX     64  /* KVMPPC_NR_LPIDS */
#define VCPUS_MAX     256 /* of a partition */
#define LOADS_MAX     100000
#define SIMULATED_MAX 1e8 /* loads; some seconds */

/* The same machine under both conditions. */
struct host {
	struct tlb_pollution p;
	const struct tlb_vcpu *last[CPUS_MAX * LPIDS_MAX];
	struct tlb_vcpu vcpus[LPIDS_MAX][VCPUS_MAX];
	uint64_t loads, flushes;
	uint64_t first_flushes; /* of LPID 0's first virtual processor */
};

static void host_init(struct host *h, enum tlb_pollution_policy policy)
{
	memset(h, 0, sizeof(*h));
	h->p = (struct tlb_pollution){policy, CPUS_MAX, LPIDS_MAX, h->last};
	for (uint32_t lpid = 0; lpid < LPIDS_MAX; lpid++)
		for (uint32_t v = 0; v < VCPUS_MAX; v++)
			h->vcpus[lpid][v] = (struct tlb_vcpu){lpid, TLB_NO_CPU};
}

static bool load(struct host *h, uint32_t cpu, uint32_t lpid, uint32_t v)
{
	bool flush = true;

	tlb_pollution_load(&h->p, cpu, &h->vcpus[lpid][v], &flush);
	h->loads++;
	h->flushes += flush;
	h->first_flushes += flush && !lpid && !v;
	return flush;
}

/* Turns of the first virtual processor until it has done the work. */
static uint64_t turns_of(const struct settings *s)
{
	return (uint64_t)(PUBLISHED_HOST * 1e6 / (double)s->slice_us + 0.5);
}

static double loads_of(const struct settings *s)
{
	return (double)turns_of(s) * (double)s->vcpus * (double)s->partitions;
}

/* In turn all virtual processors of a processor, those of different partitions side by side. */
static void run(struct host *h, const struct settings *s)
{
	for (uint64_t turn = 0; turn < turns_of(s); turn++) {
		uint64_t moved = s->move ? turn / s->move : 0;

		for (uint32_t v = 0; v < s->vcpus; v++)
			for (uint32_t lpid = 0; lpid < s->partitions; lpid++)
				load(h, (uint32_t)((v + moved) % s->host_cpus), lpid, v);
	}
}

/*
 * Seconds to find one translation again: what the published times differ by, for each flush that
 * the newer condition saves in two guests of one virtual processor that share a processor. This
 * and the rest of the guest's loss are two unknowns for two times: they fit exactly.
 */
static double refill_of(const struct settings *s, struct host *older, struct host *newer)
{
	const struct settings shared = {
		.host_cpus = 1, .partitions = 2, .vcpus = 1, .slice_us = s->measured_slice_us};
	uint64_t saved;

	host_init(older, TLB_LAST_OF_CPU);
	host_init(newer, TLB_LAST_OF_LPID);
	run(older, &shared);
	run(newer, &shared);
	saved = older->first_flushes - newer->first_flushes;
	return (PUBLISHED_OLDER - PUBLISHED_NEWER) / (double)saved / MEASURED_ENTRIES;
}

static int simulate(const struct settings *s, struct host *older, struct host *newer)
{
	static const struct out_column columns[] = {
		{"condition", OUT_WORD, 9, 0}, {"loads", OUT_COUNT, 9, 0},
		{"flushes", OUT_COUNT, 9, 0},  {"of_first", OUT_COUNT, 8, 0},
		{"guest_s", OUT_REAL, 7, 2},
	};
	double refill = refill_of(s, older, newer);
	double rest = PUBLISHED_NEWER - PUBLISHED_HOST -
		      MEASURED_ENTRIES * refill; /* one flush, at first */
	struct host *hosts[] = {older, newer};
	struct out o;

	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		struct host *h = hosts[i];

		host_init(h, i ? TLB_LAST_OF_LPID : TLB_LAST_OF_CPU);
		run(h, s);
		out_row(&o, i ? "of LPID" : "of CPU", h->loads, h->flushes, h->first_flushes,
			PUBLISHED_HOST + rest + (double)(h->first_flushes * s->entries) * refill);
	}
	out_note(&o,
		 "guest_s: processor time of LPID 0's first virtual processor; the host needs "
		 "%.2f s.",
		 PUBLISHED_HOST);
	out_note(&o,
		 "Published: %.2f s before, %.2f s since. From these two, exactly and untested: "
		 "%.2f us a",
		 PUBLISHED_OLDER, PUBLISHED_NEWER, refill * 1e6);
	out_note(&o, "translation to find again, and %.2f s that are lost to other things.", rest);
	out_note(&o,
		 "Assumed: the schedule of that run, two guests of one virtual processor in turn, "
		 "%llu us each;",
		 (unsigned long long)s->measured_slice_us);
	out_note(&o, "and that nobody evicts what the other left.");
	return out_end(&o);
}

/* One line of a schedule: 0, or why not. */
static int parse_load(char *line, uint64_t *load, struct why *why)
{
	static const char *const names[] = {"CPU", "LPID", "VCPU"};
	static const uint32_t limits[] = {CPUS_MAX, LPIDS_MAX, VCPUS_MAX};
	char *word;
	size_t n = 0;

	while ((word = strsep(&line, " \t\n"))) {
		char *end;

		if (!*word)
			continue;
		if (n == ARRAY_SIZE(limits))
			return why_set(why, -EINVAL, "'%s' after CPU, LPID and VCPU", word);
		load[n] = strtoull(word, &end, 10);
		if (*word < '0' || *word > '9' || *end || load[n] >= limits[n])
			return why_set(why, -EINVAL, "%s '%s' is not 0 to %u", names[n], word,
				       limits[n] - 1);
		n++;
	}
	if (n < ARRAY_SIZE(limits))
		return why_set(why, -EINVAL, "no %s", names[n]);
	return 0;
}

static int read_schedule(FILE *f, const char *name, uint64_t (*loads)[3], size_t *count,
			 struct why *why)
{
	char text[100];
	size_t line = 0;

	while (fgets(text, sizeof(text), f)) {
		struct why what;
		int err;

		line++;
		if (strlen(text) + 1 == sizeof(text) && text[sizeof(text) - 2] != '\n')
			return why_set(why, -EINVAL, "%s, line %zu: longer than %zu bytes", name,
				       line, sizeof(text) - 2);
		if (text[0] == '#' || text[0] == '\n')
			continue;
		if (*count == LOADS_MAX)
			return why_set(why, -EINVAL, "%s: more than %d loads", name, LOADS_MAX);
		err = parse_load(text, loads[*count], &what);
		if (err)
			return why_set(why, err, "%s, line %zu: %s", name, line, what.text);
		(*count)++;
	}
	return ferror(f) ? why_set(why, -EIO, "%s: cannot be read", name) : 0;
}

static int follow(const struct settings *s, struct host *older, struct host *newer,
		  uint64_t (*loads)[3], size_t count)
{
	static const struct out_column columns[] = {
		{"cpu", OUT_COUNT, 4, 0},
		{"lpid", OUT_COUNT, 4, 0},
		{"vcpu", OUT_COUNT, 4, 0},
		{"flush_of_cpu", OUT_COUNT, 12, 0},
		{"flush_of_lpid", OUT_COUNT, 13, 0},
	};
	struct out o;

	host_init(older, TLB_LAST_OF_CPU);
	host_init(newer, TLB_LAST_OF_LPID);
	out_begin(&o, s->format, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < count; i++) {
		uint32_t cpu = (uint32_t)loads[i][0], lpid = (uint32_t)loads[i][1],
			 v = (uint32_t)loads[i][2];
		uint64_t first = load(older, cpu, lpid, v), second = load(newer, cpu, lpid, v);

		out_row(&o, loads[i][0], loads[i][1], loads[i][2], first, second);
	}
	out_note(&o, "%llu loads: %llu flushes before 2014, %llu since.",
		 (unsigned long long)older->loads, (unsigned long long)older->flushes,
		 (unsigned long long)newer->flushes);
	return out_end(&o);
}

int verb_pollution(const struct settings *s, struct why *why)
{
	static struct host older, newer;
	static uint64_t loads[LOADS_MAX][3];
	size_t count = 0;
	FILE *f;
	int err;

	if (!s->schedule)
		return loads_of(s) > SIMULATED_MAX
			       ? why_set(why, -EINVAL, "%.3g loads are more than %.3g", loads_of(s),
					 SIMULATED_MAX)
			       : simulate(s, &older, &newer);
	f = fopen(s->schedule, "r");
	if (!f)
		return why_set(why, -errno, "%s: %s", s->schedule, strerror(errno));
	err = read_schedule(f, s->schedule, loads, &count, why);
	fclose(f);
	return err ? err : follow(s, &older, &newer, loads, count);
}
