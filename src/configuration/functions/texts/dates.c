/* Functions on points in time: RFC 3339 as Go reads it, durations as Go writes them. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"

#include <string.h>

#define SECONDS_A_DAY 86400
#define NANOS         1000000000

/* A point in time as it is written: seconds since 1970 in its own zone. */
typedef struct moment {
    int64_t local;
    int64_t nanos;
    int64_t offset; /* of the zone, in seconds */
} moment;

typedef struct date {
    int64_t year;
    int month, day;
} date;

/* ---- Calendar: the Gregorian one, also before it was introduced. */

static int64_t days_from_date(date d)
{
    int64_t year = d.year - (d.month <= 2);
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t month = d.month > 2 ? d.month - 3 : d.month + 9; /* from March */
    int64_t day_of_year = (153 * month + 2) / 5 + d.day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

static date date_from_days(int64_t days)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day = days - era * 146097;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    date d = {.day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
              .month = (int)(month < 10 ? month + 3 : month - 9)};
    d.year = year + era * 400 + (d.month <= 2);
    return d;
}

static int days_in(int month, int64_t year)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

static int64_t day_of(const moment *t)
{
    return t->local >= 0 ? t->local / SECONDS_A_DAY
                         : -((SECONDS_A_DAY - 1 - t->local) / SECONDS_A_DAY);
}

static int64_t second_of_day(const moment *t)
{
    return t->local - day_of(t) * SECONDS_A_DAY;
}

/* ---- Reading. */

typedef struct reader {
    lc_str text;
    size_t at;
    bool lenient; /* as Go's time.Parse, which go-cty's functions do not use */
    bool bad;
} reader;

static char peek(const reader *r)
{
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static void literal(reader *r, char c)
{
    r->bad |= peek(r) != c;
    r->at++;
}

/* A number of exactly `digits` digits (fewer, but at least one, if `open`) up to `most`. */
static int number(reader *r, int digits, bool open, int least, int most)
{
    int n = 0, got = 0;
    for (; got < digits && lc_is_digit(peek(r)); got++)
        n = n * 10 + (r->text.ptr[r->at++] - '0');
    r->bad |= got == 0 || (got < digits && !open) || n < least || n > most;
    return n;
}

/* Digits beyond nanoseconds are dropped. */
static int64_t fraction(reader *r)
{
    int64_t nanos = 0, unit = NANOS;
    bool point = peek(r) == '.' || (r->lenient && peek(r) == ',');
    if (!point || r->at + 1 >= r->text.len || !lc_is_digit(r->text.ptr[r->at + 1]))
        return 0;
    for (r->at++; lc_is_digit(peek(r)); r->at++) {
        unit /= 10;
        nanos += unit * (peek(r) - '0');
    }
    return nanos;
}

/* Go's own parser takes a zone of 24 hours or 60 minutes. */
static int64_t zone(reader *r)
{
    char sign = peek(r);
    r->at++;
    if (sign == 'Z')
        return 0;
    r->bad |= sign != '+' && sign != '-';
    int64_t hours = number(r, 2, false, 0, r->lenient ? 24 : 23);
    literal(r, ':');
    int64_t minutes = number(r, 2, false, 0, r->lenient ? 60 : 59);
    return (sign == '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
}

/* 2024-05-06; `open`: month and day may have one digit. */
static date read_date(reader *r, bool open)
{
    date d;
    d.year = number(r, 4, false, 0, 9999);
    literal(r, '-');
    d.month = number(r, 2, open, 1, 12);
    literal(r, '-');
    d.day = number(r, 2, open, 1, 31);
    return d;
}

/* 07:08:09 as seconds; `open_hour`, `open`: the hour, the others may have one digit. */
static int64_t read_clock(reader *r, bool open_hour, bool open)
{
    int64_t seconds = number(r, 2, open_hour, 0, 23) * 3600;
    literal(r, ':');
    seconds += number(r, 2, open, 0, 59) * 60;
    literal(r, ':');
    return seconds + number(r, 2, open, 0, 59);
}

/* The text ends here, and there is such a day. */
static bool finish(const reader *r, date d, int64_t seconds, moment *out)
{
    if (r->bad || r->at != r->text.len || d.day > days_in(d.month, d.year))
        return false;
    out->local = days_from_date(d) * SECONDS_A_DAY + seconds;
    return true;
}

static bool read_moment(lc_str text, bool lenient, moment *out)
{
    reader r = {.text = text, .lenient = lenient};
    date d = read_date(&r, false);
    literal(&r, 'T');
    int64_t seconds = read_clock(&r, lenient, false);
    out->nanos = fraction(&r);
    out->offset = zone(&r);
    return finish(&r, d, seconds, out);
}

/* ---- Durations: time.ParseDuration. */

static const struct unit {
    const char *name;
    uint64_t nanos;
} units[] = {
    {"ns", 1},       {"us", 1000}, {"\xc2\xb5s", 1000},         {"\xce\xbcs", 1000},
    {"ms", 1000000}, {"s", NANOS}, {"m", (uint64_t)60 * NANOS}, {"h", (uint64_t)3600 * NANOS},
};

#define MOST ((uint64_t)1 << 63)

/* The unit at r->at; 0: no unit. */
static uint64_t read_unit(reader *r)
{
    size_t from = r->at;
    while (r->at < r->text.len && peek(r) != '.' && !lc_is_digit(peek(r)))
        r->at++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (lc_str_is(lc_str_sub(r->text, from, r->at), units[i].name))
            return units[i].nanos;
    }
    return 0;
}

/* Digits, whose number is limited by 2^63. */
static bool read_whole(reader *r, uint64_t *out)
{
    *out = 0;
    for (; lc_is_digit(peek(r)); r->at++) {
        if (*out > MOST / 10)
            return false;
        *out = *out * 10 + (uint64_t)(peek(r) - '0');
        if (*out > MOST)
            return false;
    }
    return true;
}

/* Digits after the point, as many as fit. */
static uint64_t read_fraction(reader *r, double *scale)
{
    uint64_t n = 0;
    bool full = false;
    *scale = 1;
    for (; lc_is_digit(peek(r)); r->at++) {
        full |= n > (MOST - 1) / 10;
        uint64_t more = n * 10 + (uint64_t)(peek(r) - '0');
        full |= !full && more > MOST;
        if (full)
            continue;
        n = more;
        *scale *= 10;
    }
    return n;
}

/* A number with its unit, added to *sum. */
static bool read_part(reader *r, uint64_t *sum)
{
    uint64_t whole, part = 0;
    double scale = 1;
    size_t from = r->at;
    if (!read_whole(r, &whole))
        return false;
    bool digits = r->at > from;
    if (peek(r) == '.') {
        r->at++;
        from = r->at;
        part = read_fraction(r, &scale);
        digits |= r->at > from;
    }
    uint64_t unit = digits ? read_unit(r) : 0;
    if (unit == 0 || whole > MOST / unit)
        return false;
    whole *= unit;
    if (part > 0)
        whole += (uint64_t)((double)part * ((double)unit / scale));
    if (whole > MOST || *sum + whole > MOST)
        return false;
    *sum += whole;
    return true;
}

static bool read_duration(lc_str text, int64_t *out)
{
    reader r = {.text = text};
    uint64_t sum = 0;
    bool negative = peek(&r) == '-';
    if (negative || peek(&r) == '+')
        r.at++;
    *out = 0;
    if (lc_str_is(lc_str_sub(text, r.at, text.len), "0"))
        return true;
    if (r.at == text.len)
        return false;
    while (r.at < text.len) {
        if (!read_part(&r, &sum))
            return false;
    }
    if (sum == MOST && !negative)
        return false;
    *out = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

/* ---- Writing. */

static void add_zone(lc_buf *buf, const moment *t, bool z, const char *colon)
{
    int64_t minutes = (t->offset < 0 ? -t->offset : t->offset) / 60;
    if (z && t->offset == 0)
        lc_buf_add_char(buf, 'Z');
    else
        lc_buf_printf(buf, "%c%02d%s%02d", t->offset < 0 ? '-' : '+', (int)(minutes / 60), colon,
                      (int)(minutes % 60));
}

static void add_year(lc_buf *buf, int64_t year)
{
    lc_buf_printf(buf, "%s%04lld", year < 0 ? "-" : "", (long long)(year < 0 ? -year : year));
}

static void add_moment(lc_buf *buf, const moment *t)
{
    date d = date_from_days(day_of(t));
    int second = (int)second_of_day(t);
    add_year(buf, d.year);
    lc_buf_printf(buf, "-%02d-%02dT%02d:%02d:%02d", d.month, d.day, second / 3600, second / 60 % 60,
                  second % 60);
    add_zone(buf, t, true, ":");
}

/* ---- timeadd and timecmp. */

bool lc_fn_timeadd(lc_fn_call *c)
{
    lc_buf buf = {0};
    moment t;
    int64_t duration;
    if (!read_moment(lc_fn_text(c, 0), false, &t))
        return lc_fn_fail(c, "the string is not an RFC 3339 timestamp");
    if (!read_duration(lc_fn_text(c, 1), &duration))
        return lc_fn_fail(c, "the string is not a duration");
    t.nanos += duration % NANOS;
    t.local += duration / NANOS + (t.nanos >= NANOS) - (t.nanos < 0);
    add_moment(&buf, &t);
    bool ok = lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

bool lc_fn_timecmp(lc_fn_call *c)
{
    moment t[2];
    for (size_t i = 0; i < 2; i++) {
        if (!read_moment(lc_fn_text(c, i), true, &t[i]))
            return lc_fn_bad_argument(c, i, "the string is not an RFC 3339 timestamp");
    }
    int order = compare(t[0].local - t[0].offset, t[1].local - t[1].offset);
    return lc_fn_give_number(c, order ? order : compare(t[0].nanos, t[1].nanos));
}

/* ---- Timestamps of YAML, as go-cty-yaml has Go's time.Parse read them: fields of one digit are
 * allowed. `separator` is between date and time; 0: there is no time. */

static bool read_short_moment(lc_str text, char separator, moment *out)
{
    reader r = {.text = text, .lenient = true};
    date d = read_date(&r, true);
    int64_t seconds = 0;
    *out = (moment){0, 0, 0};
    if (separator) {
        literal(&r, separator);
        while (separator == ' ' && peek(&r) == ' ')
            r.at++;
        seconds = read_clock(&r, true, true);
        fraction(&r);
    }
    if (separator == 'T' || separator == 't')
        out->offset = zone(&r);
    return finish(&r, d, seconds, out);
}

bool lc_fn_yaml_moment(lc_fn_call *c, lc_str text, lc_str *out)
{
    lc_buf buf = {0};
    moment t;
    if (!read_short_moment(text, 'T', &t) && !read_short_moment(text, 't', &t) &&
        !read_short_moment(text, ' ', &t) && !read_short_moment(text, 0, &t))
        return false;
    add_moment(&buf, &t);
    *out = lc_buf_take(c->e->arena, &buf);
    return true;
}

/* ---- formatdate. */

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};
static const char *const weekdays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};

/* One letter prints the number as it is, two with a leading zero. */
static bool add_number(lc_buf *buf, size_t letters, int n)
{
    if (letters <= 2)
        lc_buf_printf(buf, letters == 1 ? "%d" : "%02d", n);
    return letters <= 2;
}

/* Three letters print the beginning of a name, four all of it. */
static bool add_name(lc_buf *buf, size_t letters, const char *name)
{
    if (letters == 3)
        lc_buf_add(buf, name, 3);
    else if (letters == 4)
        lc_buf_add_c(buf, name);
    return letters == 3 || letters == 4;
}

static bool add_years(lc_buf *buf, size_t letters, int64_t year)
{
    if (letters == 2)
        lc_buf_printf(buf, "%02d", (int)(year % 100));
    else if (letters == 4)
        add_year(buf, year);
    return letters == 2 || letters == 4;
}

static bool add_zone_verb(lc_buf *buf, size_t letters, const moment *t)
{
    if (letters == 3 && t->offset == 0)
        lc_buf_add_c(buf, "UTC");
    else if (letters == 1 || (letters >= 3 && letters <= 5))
        add_zone(buf, t, letters == 1, letters == 3 || letters == 4 ? "" : ":");
    return letters == 1 || (letters >= 3 && letters <= 5);
}

static bool add_half_of_day(lc_buf *buf, size_t letters, bool capital, bool late)
{
    if (letters == 2)
        lc_buf_add_c(buf, capital ? late ? "PM" : "AM" : late ? "pm" : "am");
    return letters == 2;
}

/* One verb: a letter, repeated. False: there is no such verb. */
static bool add_verb(lc_buf *buf, char letter, size_t letters, const moment *t)
{
    date d = date_from_days(day_of(t));
    int second = (int)second_of_day(t), hour = second / 3600;
    switch (letter) {
    case 'Y':
        return add_years(buf, letters, d.year);
    case 'M':
        return letters <= 2 ? add_number(buf, letters, d.month)
                            : add_name(buf, letters, months[d.month - 1]);
    case 'D':
        return add_number(buf, letters, d.day);
    case 'E': /* 1970 began on a Thursday */
        return add_name(buf, letters, weekdays[((day_of(t) + 4) % 7 + 7) % 7]);
    case 'h':
        return add_number(buf, letters, hour);
    case 'H':
        return add_number(buf, letters, hour % 12 ? hour % 12 : 12);
    case 'A':
    case 'a':
        return add_half_of_day(buf, letters, letter == 'A', hour >= 12);
    case 'm':
        return add_number(buf, letters, second / 60 % 60);
    case 's':
        return add_number(buf, letters, second % 60);
    case 'Z':
        return add_zone_verb(buf, letters, t);
    default:
        return false;
    }
}

/* Text between apostrophes, which begin at *at; two apostrophes mean one. False: the closing one is
 * missing. */
static bool add_quoted(lc_buf *buf, lc_str format, size_t *at)
{
    size_t i = *at + 1;
    if (i < format.len && format.ptr[i] == '\'') {
        lc_buf_add_char(buf, '\'');
        *at = i + 1;
        return true;
    }
    for (; i < format.len; i++) {
        bool quote = format.ptr[i] == '\'';
        if (quote && (i + 1 == format.len || format.ptr[i + 1] != '\'')) {
            *at = i + 1;
            return true;
        }
        i += quote;
        lc_buf_add_char(buf, format.ptr[i]);
    }
    return false;
}

static bool format_moment(lc_buf *buf, lc_str format, const moment *t)
{
    for (size_t at = 0; at < format.len && !buf->overflow;) {
        char c = format.ptr[at];
        size_t end = at + 1;
        if (c == '\'') {
            if (!add_quoted(buf, format, &at))
                return false;
            continue;
        }
        while (end < format.len && format.ptr[end] == c && lc_is_letter(c))
            end++;
        if (!lc_is_letter(c))
            lc_buf_add_char(buf, c);
        else if (!add_verb(buf, c, end - at, t))
            return false;
        at = end;
    }
    return true;
}

bool lc_fn_formatdate(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    moment t;
    if (!read_moment(lc_fn_text(c, 1), false, &t))
        return lc_fn_bad_argument(c, 1, "the string is not an RFC 3339 timestamp");
    if (format_moment(&buf, lc_fn_text(c, 0), &t))
        return lc_fn_give_made(c, &buf);
    lc_buf_release(&buf);
    return lc_fn_bad_argument(c, 0, "the format has an unknown verb or an open quotation");
}
