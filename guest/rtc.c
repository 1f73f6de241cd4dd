// SPDX-License-Identifier: GPL-2.0-only
/* rtc: the clock runs, can be set to any date, and keeps going from there. */
#include "guest.h"

static bool plausible(const struct rtas_time *t)
{
	return t->year >= 1970 && t->month >= 1 && t->month <= 12 && t->day >= 1 && t->day <= 31 &&
	       t->hour < 24 && t->minute < 60 && t->second < 61 && t->nanosecond < 1000000000;
}

static void print(const struct rtas_time *t)
{
	printf("rtc: %04u-%02u-%02u %02u:%02u:%02u.%09u\n", t->year, t->month, t->day, t->hour,
	       t->minute, t->second, t->nanosecond);
}

/* Set the clock just before the end of a day; is it the given next day soon? */
static bool turns_over(u32 y, u32 m, u32 d, u32 next_y, u32 next_m, u32 next_d)
{
	struct rtas_time t = {y, m, d, 23, 59, 59, 0};
	u64 start = timebase();

	if (rtas_set_time(&t))
		return false;
	do {
		if (rtas_get_time(&t))
			return false;
	} while (t.day == d && timebase() - start < 3ul * timebase_frequency());
	print(&t);
	return t.year == next_y && t.month == next_m && t.day == next_d && !t.hour && !t.minute;
}

int main(void)
{
	struct rtas_time t = {0}, before;

	check_eq("get-time-of-day", rtas_get_time(&t), 0);
	print(&t);
	check("the time makes sense", plausible(&t));
	before = t;
	delay_us(1100000);
	rtas_get_time(&t);
	check("it goes on", t.second != before.second);
	check("a leap day comes", turns_over(2028, 2, 28, 2028, 2, 29));
	check("and not in 2100", turns_over(2100, 2, 28, 2100, 3, 1));
	check("a year ends", turns_over(2099, 12, 31, 2100, 1, 1));
	before.month = 13;
	check("month 13 is refused", rtas_set_time(&before) == RTAS_PARAM_ERROR);
	before.month = 0;
	check("month 0 is refused", rtas_set_time(&before) == RTAS_PARAM_ERROR);
	before.month = before.day = ~0u;
	check("day 0xffffffff is refused", rtas_set_time(&before) == RTAS_PARAM_ERROR);
	rtas_get_time(&t);
	check("and the time stayed what it was", t.year == 2100 && t.month == 1);
	return 0;
}
