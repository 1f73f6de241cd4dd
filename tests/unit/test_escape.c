// SPDX-License-Identifier: GPL-2.0-only
/* vmm/escape.c: every way to cut a sequence into buffers gives the same bytes. */
#include <string.h>

#include "tests/unit/unit.h"
#include "vmm/escape.h"

/* Feed @in cut where the bits of @cuts say; what comes out, and whether it quits. */
static bool filter(const char *in, unsigned int cuts, char *out)
{
	struct escape escape = {0};
	size_t len = strlen(in), done = 0;
	bool quit = false;

	*out = '\0';
	while (done < len && !quit) {
		uint8_t buf[16 + 1];
		size_t n = 1, left;

		while (done + n < len && !(cuts & 1u << (done + n - 1)))
			n++;
		memcpy(buf, in + done, n);
		done += n;
		left = escape_filter(&escape, buf, n, &quit);
		ck_assert_uint_le(left, n + 1);
		strncat(out, (const char *)buf, left);
	}
	return quit;
}

static void check_splits(const char *in, const char *want, bool want_quit)
{
	for (unsigned int cuts = 0; cuts < 1u << (strlen(in) - 1); cuts++) {
		char out[64];
		bool quit = filter(in, cuts, out);

		ck_assert_msg(!strcmp(out, want) && quit == want_quit,
			      "cuts %#x of a %zu byte input: %zu bytes, quit %d", cuts, strlen(in),
			      strlen(out), quit);
	}
}

START_TEST(passes_plain_bytes)
{
	check_splits("hello x\r", "hello x\r", false);
}
END_TEST

START_TEST(quits_on_the_sequence)
{
	check_splits("\1x", "", true);
	check_splits("ab\1xcd", "ab", true);
}
END_TEST

START_TEST(sends_one_for_two)
{
	check_splits("\1\1", "\1", false);
	check_splits("a\1\1b", "a\1b", false);
	check_splits("\1\1\1\1", "\1\1", false);
	/* The second of a pair does not start another sequence. */
	check_splits("\1\1x", "\1x", false);
	check_splits("\1\1\1x", "\1", true);
}
END_TEST

START_TEST(passes_other_bytes_with_the_key)
{
	check_splits("\1a", "\1a", false);
	check_splits("a\1bc\1d", "a\1bc\1d", false);
	check_splits("\1a\1b\1c\1d", "\1a\1b\1c\1d", false);
	check_splits("\1\1\1a\1x", "\1\1a", true);
	check_splits("\1a\1\1b\1xz", "\1a\1b", true);
}
END_TEST

START_TEST(holds_the_key_back_at_the_end)
{
	check_splits("ab\1", "ab", false);
}
END_TEST

START_TEST(keeps_the_key_over_an_empty_buffer)
{
	struct escape escape = {0};
	uint8_t buf[2] = {1};
	bool quit = false;

	ck_assert_uint_eq(escape_filter(&escape, buf, 1, &quit), 0);
	ck_assert_uint_eq(escape_filter(&escape, buf, 0, &quit), 0);
	buf[0] = 'x';
	ck_assert_uint_eq(escape_filter(&escape, buf, 1, &quit), 0);
	ck_assert(quit);
}
END_TEST

void escape_tests(TCase *tc)
{
	tcase_add_test(tc, passes_plain_bytes);
	tcase_add_test(tc, quits_on_the_sequence);
	tcase_add_test(tc, sends_one_for_two);
	tcase_add_test(tc, passes_other_bytes_with_the_key);
	tcase_add_test(tc, holds_the_key_back_at_the_end);
	tcase_add_test(tc, keeps_the_key_over_an_empty_buffer);
}
