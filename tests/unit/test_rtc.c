// SPDX-License-Identifier: GPL-2.0-only
/* devices/rtc.c: dates that are none, and dates that come back as they were set. */
#include <errno.h>
#include <time.h>

#include "devices/rtc.h"
#include "lib/util.h"
#include "tests/unit/unit.h"

static struct rtc rtc;

static void setup(void)
{
	rtc_init(&rtc);
}

/* Not time(): its clock lags by up to a tick. */
static int64_t host_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec;
}

/* Seconds since the epoch, for comparison. */
static int64_t seconds(const struct rtc_time *t)
{
	struct tm tm = {
		.tm_year = (int)t->year - 1900,
		.tm_mon = (int)t->month - 1,
		.tm_mday = (int)t->day,
		.tm_hour = (int)t->hour,
		.tm_min = (int)t->minute,
		.tm_sec = (int)t->second,
	};

	return timegm(&tm);
}

START_TEST(starts_as_the_host)
{
	struct rtc_time now;
	int64_t before = host_seconds();

	rtc_get(&rtc, &now);
	ck_assert_int_ge(seconds(&now), before);
	ck_assert_int_le(seconds(&now), host_seconds());
	ck_assert_uint_lt(now.nanosecond, 1000000000);
}
END_TEST

static const struct rtc_time good[] = {
	{1970, 1, 1, 0, 0, 0, 0},      {1970, 1, 1, 0, 0, 1, 999999999},
	{2000, 2, 29, 12, 34, 56, 0}, /* a leap year: by 400 */
	{2024, 2, 29, 23, 59, 58, 0}, /* by 4 */
	{2038, 1, 19, 3, 14, 8, 0},    {2100, 2, 28, 0, 0, 0, 0},
	{2106, 2, 7, 6, 28, 16, 0},    {2023, 12, 31, 23, 59, 57, 0},
	{9999, 12, 31, 23, 59, 50, 0},
};

START_TEST(gives_what_was_set)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct rtc_time now;

		ck_assert_int_eq(rtc_set(&rtc, &good[i]), 0);
		rtc_get(&rtc, &now);
		/* It runs: let a slow machine have some seconds. */
		ck_assert_int_ge(seconds(&now), seconds(&good[i]));
		ck_assert_int_le(seconds(&now), seconds(&good[i]) + 5);
		if (good[i].second < 50) {
			ck_assert_uint_eq(now.year, good[i].year);
			ck_assert_uint_eq(now.month, good[i].month);
			ck_assert_uint_eq(now.day, good[i].day);
			ck_assert_uint_eq(now.hour, good[i].hour);
			ck_assert_uint_eq(now.minute, good[i].minute);
		}
	}
}
END_TEST

static const struct rtc_time bad[] = {
	{1969, 12, 31, 23, 59, 59, 0},
	{10000, 1, 1, 0, 0, 0, 0},
	{0, 1, 1, 0, 0, 0, 0},
	{UINT32_MAX, 1, 1, 0, 0, 0, 0},
	{2024, 0, 1, 0, 0, 0, 0},
	{2024, 13, 1, 0, 0, 0, 0},
	{2024, UINT32_MAX, 1, 0, 0, 0, 0},
	{2024, 1, 0, 0, 0, 0, 0},
	{2024, 1, 32, 0, 0, 0, 0},
	{2024, 4, 31, 0, 0, 0, 0},
	{2024, 2, 30, 0, 0, 0, 0},
	{2023, 2, 29, 0, 0, 0, 0},
	{2100, 2, 29, 0, 0, 0, 0},
	{2024, 1, UINT32_MAX, 0, 0, 0, 0},
	{2024, 1, 1, 24, 0, 0, 0},
	{2024, 1, 1, 0, 60, 0, 0},
	{2024, 1, 1, 0, 0, 60, 0},
	{2024, 1, 1, 0, 0, 0, 1000000000},
	{2024, 1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
};

START_TEST(refuses_dates_that_are_none)
{
	int64_t before = host_seconds();
	struct rtc_time now;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(rtc_set(&rtc, &bad[i]) == -EINVAL, "date %zu was taken", i);
	rtc_get(&rtc, &now);
	ck_assert_int_ge(seconds(&now), before);
	ck_assert_int_le(seconds(&now), host_seconds());
}
END_TEST

void rtc_tests(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, starts_as_the_host);
	tcase_add_test(tc, gives_what_was_set);
	tcase_add_test(tc, refuses_dates_that_are_none);
}
