// SPDX-License-Identifier: GPL-2.0-only
#include "devices/rtc.h"

#include <errno.h>
#include <stdbool.h>
#include <time.h>

/* A leap second cannot be set: the host's clock has no place for it. */
static bool rtc_time_ok(const struct rtc_time *t)
{
	static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (t->year % 4 == 0 && t->year % 100) || t->year % 400 == 0;
	uint32_t last;

	if (t->year < RTC_YEAR_MIN || t->year > RTC_YEAR_MAX || t->month < 1 || t->month > 12)
		return false;
	last = days[t->month - 1] + (t->month == 2 && leap);
	return t->day >= 1 && t->day <= last && t->hour < 24 && t->minute < 60 && t->second < 60 &&
	       t->nanosecond < 1000000000;
}

void rtc_init(struct rtc *rtc)
{
	tzset();
	atomic_init(&rtc->offset, 0);
}

void rtc_get(struct rtc *rtc, struct rtc_time *now)
{
	struct timespec ts;
	struct tm tm;
	time_t when;

	clock_gettime(CLOCK_REALTIME, &ts);
	when = ts.tv_sec + atomic_load_explicit(&rtc->offset, memory_order_relaxed);
	gmtime_r(&when, &tm);
	*now = (struct rtc_time){
		.year = (uint32_t)tm.tm_year + 1900,
		.month = (uint32_t)tm.tm_mon + 1,
		.day = (uint32_t)tm.tm_mday,
		.hour = (uint32_t)tm.tm_hour,
		.minute = (uint32_t)tm.tm_min,
		.second = (uint32_t)tm.tm_sec,
		.nanosecond = (uint32_t)ts.tv_nsec,
	};
}

int rtc_set(struct rtc *rtc, const struct rtc_time *to)
{
	struct timespec ts;
	struct tm tm;

	if (!rtc_time_ok(to))
		return -EINVAL;
	tm = (struct tm){
		.tm_year = (int)to->year - 1900,
		.tm_mon = (int)to->month - 1,
		.tm_mday = (int)to->day,
		.tm_hour = (int)to->hour,
		.tm_min = (int)to->minute,
		.tm_sec = (int)to->second,
	};
	clock_gettime(CLOCK_REALTIME, &ts);
	atomic_store_explicit(&rtc->offset, timegm(&tm) - ts.tv_sec, memory_order_relaxed);
	return 0;
}
