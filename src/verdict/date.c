/* Calendar days as numbers yyyymmdd, so that comparing days is comparing numbers. */
#include "lifecheck/verdict/verdict.h"

static bool is_leap(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned days_in(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static bool digits(unsigned *out, lc_str text)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *out = *out * 10 + (unsigned)(text.ptr[i] - '0');
    }
    return true;
}

bool lc_date_parse(lc_date *out, lc_str text)
{
    unsigned year, month, day;
    if (text.len != 10 || text.ptr[4] != '-' || text.ptr[7] != '-')
        return false;
    if (!digits(&year, lc_str_sub(text, 0, 4)) || !digits(&month, lc_str_sub(text, 5, 7)) ||
        !digits(&day, lc_str_sub(text, 8, 10)))
        return false;
    if (year == 0 || month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return false;
    *out = year * 10000 + month * 100 + day;
    return true;
}

/* Subtracts years and months from 1970 on. Later days than the last of year 9999 are that day, so
 * that the loop is bounded. */
lc_date lc_date_from_seconds(int64_t seconds)
{
    int64_t days = seconds < 0 ? 0 : seconds / 86400;
    unsigned year = 1970, month = 1;
    while (year < 9999 && days >= (is_leap(year) ? 366 : 365))
        days -= is_leap(year++) ? 366 : 365;
    if (days > 364 + is_leap(year))
        days = 364 + is_leap(year);
    while (days >= days_in(year, month))
        days -= days_in(year, month++);
    return year * 10000 + month * 100 + (unsigned)days + 1;
}

int64_t lc_date_to_seconds(lc_date day)
{
    unsigned year = day / 10000, month = day / 100 % 100;
    int64_t days = (int64_t)(day % 100) - 1;
    for (unsigned m = 1; m < month; m++)
        days += days_in(year, m);
    for (unsigned y = 1970; y < year; y++)
        days += is_leap(y) ? 366 : 365;
    return days * 86400;
}

lc_str lc_date_text(lc_arena *arena, lc_date day)
{
    return lc_str_printf(arena, "%04u-%02u-%02u", day / 10000, day / 100 % 100, day % 100);
}
