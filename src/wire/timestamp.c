/* Times of google.protobuf.Timestamp as protojson writes them: RFC 3339, UTC, with 0, 3, 6 or 9
 * decimals. */
#include "wire/timestamp.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <time.h>

#define FIRST_SECOND (-62135596800) /* of the year 1 */
#define LAST_SECOND  253402300799   /* of the year 9999 */

bool lc_wire_timestamp_text(lc_str *out, lc_arena *arena, int64_t seconds, int32_t nanos)
{
    time_t time = (time_t)seconds;
    struct tm t;
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos > 999999999 ||
        !gmtime_r(&time, &t))
        return false;
    int digits = nanos == 0 ? 0 : nanos % 1000000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : 9;
    int32_t fraction = digits == 3 ? nanos / 1000000 : digits == 6 ? nanos / 1000 : nanos;
    *out = lc_str_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d", t.tm_year + 1900, t.tm_mon + 1,
                         t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
    *out = digits ? lc_str_printf(arena, "%.*s.%0*dZ", LC_FMT(*out), digits, (int)fraction)
                  : lc_str_printf(arena, "%.*sZ", LC_FMT(*out));
    return true;
}

/* A number of two or four digits and the character after it, removed from the front. */
static bool take(lc_str *s, size_t digits, const char *end, int low, int high, int *out)
{
    lc_str behind = lc_str_from_c(end);
    *out = 0;
    if (s->len < digits + behind.len)
        return false;
    for (size_t i = 0; i < digits; i++) {
        if (!lc_is_digit(s->ptr[i]))
            return false;
        *out = *out * 10 + (s->ptr[i] - '0');
    }
    *s = lc_str_sub(*s, digits, s->len);
    if (!lc_str_starts_with(*s, behind) || *out < low || *out > high)
        return false;
    *s = lc_str_sub(*s, behind.len, s->len);
    return true;
}

/* At most nine decimals, if there is a point. */
static bool take_fraction(lc_str *s, int32_t *nanos)
{
    size_t at = 1;
    int32_t unit = 100000000;
    *nanos = 0;
    if (s->len == 0 || s->ptr[0] != '.')
        return true;
    for (; at < s->len && at <= 9 && lc_is_digit(s->ptr[at]); at++, unit /= 10)
        *nanos += unit * (s->ptr[at] - '0');
    *s = lc_str_sub(*s, at, s->len);
    return at > 1;
}

/* Seconds east of UTC; nothing may follow. */
static bool take_offset(lc_str s, int *seconds)
{
    int hours, minutes;
    *seconds = 0;
    if (lc_str_is(s, "Z"))
        return true;
    bool west = s.len > 0 && s.ptr[0] == '-';
    if (s.len != 6 || (!west && s.ptr[0] != '+'))
        return false;
    s = lc_str_sub(s, 1, s.len);
    if (!take(&s, 2, ":", 0, 23, &hours) || !take(&s, 2, "", 0, 59, &minutes))
        return false;
    *seconds = (west ? -60 : 60) * (hours * 60 + minutes);
    return true;
}

static int days_of_month(int year, int month)
{
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month == 2)
        return leap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/* Days since 1970-01-01. The year begins with March here, so that a leap day ends it. Then the
 * month m begins after (153 m + 2) / 5 days: five months in a row have 153. timegm is not in POSIX.
 */
static int64_t days_until(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    return y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719469;
}

bool lc_wire_timestamp_parse(lc_str text, int64_t *seconds, int32_t *nanos)
{
    int year, month, day, hour, minute, second, offset;
    if (!take(&text, 4, "-", 1, 9999, &year) || !take(&text, 2, "-", 1, 12, &month) ||
        !take(&text, 2, "T", 1, days_of_month(year, month), &day) ||
        !take(&text, 2, ":", 0, 23, &hour) || !take(&text, 2, ":", 0, 59, &minute) ||
        !take(&text, 2, "", 0, 59, &second) || !take_fraction(&text, nanos) ||
        !take_offset(text, &offset))
        return false;
    *seconds = days_until(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
    return *seconds >= FIRST_SECOND && *seconds <= LAST_SECOND;
}
