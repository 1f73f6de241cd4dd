/* SPDX-License-Identifier: GPL-2.0-only */
/* The time-of-day clock: the host's, plus what the guest set it to. */
#ifndef DEVICES_RTC_H
#define DEVICES_RTC_H

#include <stdatomic.h>
#include <stdint.h>

struct rtc {
	_Atomic int64_t offset; /* seconds added to the host's clock */
};

/* Date and time in UTC, as RTAS get-time-of-day gives them. */
struct rtc_time {
	uint32_t year, month, day; /* 1..12, 1..31 */
	uint32_t hour, minute, second;
	uint32_t nanosecond;
};

/* The first and last year that can be set; four digits are all that RTAS has. */
#define RTC_YEAR_MIN 1970
#define RTC_YEAR_MAX 9999

/*
 * As the host's clock. The C library reads the time zone's file when it first converts a
 * date, for UTC too; this is that first time, while files can still be opened.
 */
void rtc_init(struct rtc *rtc);

void rtc_get(struct rtc *rtc, struct rtc_time *now);

/* 0, or -EINVAL for a date that is none. The setting survives a guest reboot. */
int rtc_set(struct rtc *rtc, const struct rtc_time *to);

#endif
