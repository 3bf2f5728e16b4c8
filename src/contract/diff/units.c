/* Different strings for one instant, one duration, or one address. Values are compared exactly. */
#include "contract/diff/value_diff.h"

#include "lifecheck/base/ascii.h"

#include <arpa/inet.h>
#include <string.h>

/* ---- Instants, RFC 3339. */

typedef struct instant {
    int64_t seconds;
    lc_str fraction; /* without zeros at its end */
} instant;

/* Read `count` digits from the front of the text, and remove them from it. */
static bool take_digits(lc_str *s, size_t count, int64_t *out)
{
    *out = 0;
    if (s->len < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!lc_is_digit(s->ptr[i]))
            return false;
        *out = *out * 10 + (s->ptr[i] - '0');
    }
    *s = lc_str_sub(*s, count, s->len);
    return true;
}

static bool take_char(lc_str *s, const char *any)
{
    if (s->len == 0 || s->ptr[0] == 0 || !strchr(any, s->ptr[0]))
        return false;
    *s = lc_str_sub(*s, 1, s->len);
    return true;
}

/* Days since the first of March of the year 0: with March as the first month leap days end a year,
 * so that one formula fits all months. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    return y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
}

/* The digits without zeros at their end, so that equal fractions are equal strings. */
static lc_str take_fraction(lc_str *s)
{
    lc_str digits = {s->ptr, 0};
    while (digits.len < s->len && lc_is_digit(s->ptr[digits.len]))
        digits.len++;
    *s = lc_str_sub(*s, digits.len, s->len);
    while (digits.len && digits.ptr[digits.len - 1] == '0')
        digits.len--;
    return digits;
}

static bool take_offset(lc_str *s, int64_t *seconds)
{
    int64_t hours, minutes;
    *seconds = 0;
    if (take_char(s, "Zz"))
        return true;
    bool west = s->len && s->ptr[0] == '-';
    if (!take_char(s, "+-") || !take_digits(s, 2, &hours) || !take_char(s, ":") ||
        !take_digits(s, 2, &minutes) || hours > 23 || minutes > 59)
        return false;
    *seconds = (west ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

static bool parse_instant(instant *out, lc_str s)
{
    int64_t year, month, day, hour, minute, second, offset;
    if (!take_digits(&s, 4, &year) || !take_char(&s, "-") || !take_digits(&s, 2, &month) ||
        !take_char(&s, "-") || !take_digits(&s, 2, &day) || !take_char(&s, "Tt ") ||
        !take_digits(&s, 2, &hour) || !take_char(&s, ":") || !take_digits(&s, 2, &minute) ||
        !take_char(&s, ":") || !take_digits(&s, 2, &second))
        return false;
    out->fraction = take_char(&s, ".") ? take_fraction(&s) : LC_STR_EMPTY;
    if (!take_offset(&s, &offset) || s.len || month < 1 || month > 12 || day < 1 || day > 31 ||
        hour > 23 || minute > 59 || second > 60)
        return false;
    out->seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
    return true;
}

bool lc_same_instant(lc_str a, lc_str b)
{
    instant x, y;
    return parse_instant(&x, a) && parse_instant(&y, b) && x.seconds == y.seconds &&
           lc_str_eq(x.fraction, y.fraction);
}

/* ---- Durations, in nanoseconds: of Go ("1h30m") and of ISO 8601 ("PT1H30M"). */

/* Leaves room for sums of amounts without an overflow. */
#define MAX_NANOSECONDS (INT64_MAX / 4)

typedef struct unit {
    const char *name;
    int64_t nanoseconds;
} unit;

static const unit go_units[] = {
    {"ns", 1},
    {"us", 1000},
    {"\xc2\xb5s", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {"m", 60 * 1000000000LL},
    {"h", 3600 * 1000000000LL},
    {"d", 86400 * 1000000000LL},
    {NULL, 0},
};
static const unit iso_days[] = {
    {"W", 7 * 86400 * 1000000000LL}, {"D", 86400 * 1000000000LL}, {NULL, 0}};
static const unit iso_times[] = {
    {"H", 3600 * 1000000000LL}, {"M", 60 * 1000000000LL}, {"S", 1000000000}, {NULL, 0}};

static bool take_unit(lc_str *s, const unit *units, int64_t *out)
{
    for (const unit *u = units; u->name; u++) {
        lc_str name = lc_str_from_c(u->name);
        if (!lc_str_starts_with(*s, name))
            continue;
        *s = lc_str_sub(*s, name.len, s->len);
        *out = u->nanoseconds;
        return true;
    }
    return false;
}

/* Read a number with its unit. An amount that is not a whole number of nanoseconds is refused,
 * never rounded. */
static bool take_amount(lc_str *s, const unit *units, int64_t *total)
{
    int64_t number = 0, scale = 1, each = 0;
    size_t digits = 0;
    for (bool point = false; s->len; *s = lc_str_sub(*s, 1, s->len)) {
        char c = s->ptr[0];
        if (c == '.' && !point && digits) {
            point = true;
            continue;
        }
        if (!lc_is_digit(c))
            break;
        if (digits++ > 15)
            return false;
        number = number * 10 + (c - '0');
        scale *= point ? 10 : 1;
    }
    if (!digits || !take_unit(s, units, &each))
        return false;
    /* number * each / scale, without leaving 64 bits */
    while (scale > 1 && each % 10 == 0) {
        scale /= 10;
        each /= 10;
    }
    if (number % scale != 0 || (number && each > MAX_NANOSECONDS / number))
        return false;
    *total += number / scale * each;
    return *total <= MAX_NANOSECONDS;
}

static bool take_amounts(lc_str *s, const unit *units, int64_t *total, bool *any)
{
    while (s->len && lc_is_digit(s->ptr[0])) {
        if (!take_amount(s, units, total))
            return false;
        *any = true;
    }
    return true;
}

static bool parse_duration(int64_t *out, lc_str s)
{
    bool any = false, minus = s.len && s.ptr[0] == '-';
    *out = 0;
    if (minus)
        s = lc_str_sub(s, 1, s.len);
    if (take_char(&s, "P")) {
        if (!take_amounts(&s, iso_days, out, &any))
            return false;
        if (take_char(&s, "T") && !take_amounts(&s, iso_times, out, &any))
            return false;
    } else if (!take_amounts(&s, go_units, out, &any)) {
        return false;
    }
    *out = minus ? -*out : *out;
    return any && s.len == 0;
}

bool lc_same_duration(lc_str a, lc_str b)
{
    int64_t x, y;
    return parse_duration(&x, a) && parse_duration(&y, b) && x == y;
}

/* ---- Addresses. */

typedef struct address {
    int family; /* 0: hardware */
    unsigned bits, width;
    unsigned char bytes[16];
} address;

static bool to_c(char out[64], lc_str s)
{
    if (s.len == 0 || s.len > 63 || memchr(s.ptr, 0, s.len))
        return false;
    memcpy(out, s.ptr, s.len);
    out[s.len] = 0;
    return true;
}

static bool parse_bits(address *out, lc_str s)
{
    int64_t bits;
    size_t count = s.len;
    if (count < 1 || count > 3 || !take_digits(&s, count, &bits) || bits > out->width)
        return false;
    out->bits = (unsigned)bits;
    return true;
}

static bool parse_ip(address *out, lc_str s)
{
    char text[64];
    const char *slash = s.len ? memchr(s.ptr, '/', s.len) : NULL;
    size_t end = slash ? (size_t)(slash - s.ptr) : s.len;
    memset(out, 0, sizeof *out);
    if (!to_c(text, lc_str_sub(s, 0, end)))
        return false;
    out->family = strchr(text, ':') ? AF_INET6 : AF_INET;
    out->width = out->family == AF_INET ? 32 : 128;
    out->bits = out->width;
    return inet_pton(out->family, text, out->bytes) == 1 &&
           (!slash || parse_bits(out, lc_str_sub(s, end + 1, s.len)));
}

/* A hardware address: six or eight bytes in groups of two or four digits, or without groups. */
static bool parse_hardware(address *out, lc_str s)
{
    size_t digits = 0, group = 0, width = 0;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < s.len; i++) {
        int digit = lc_hex_digit(s.ptr[i]);
        if (digit < 0) {
            if (!strchr(":-.", s.ptr[i]) || s.ptr[i] == 0 || (width && group != width) ||
                (group != 2 && group != 4))
                return false;
            width = group;
            group = 0;
            continue;
        }
        if (digits == 16)
            return false;
        out->bytes[digits / 2] = (unsigned char)(out->bytes[digits / 2] * 16 + digit);
        digits++;
        group++;
    }
    out->width = (unsigned)digits * 4;
    out->bits = out->width;
    return (digits == 12 || digits == 16) && (!width || group == width);
}

/* Bits beyond the prefix length do not count. */
static bool same_network(const address *a, const address *b)
{
    if (a->family != b->family || a->width != b->width || a->bits != b->bits)
        return false;
    for (unsigned i = 0; i < a->width / 8; i++) {
        unsigned left = a->bits > i * 8 ? a->bits - i * 8 : 0;
        unsigned mask = left >= 8 ? 0xFF : (0xFF00u >> left) & 0xFF;
        if ((a->bytes[i] & mask) != (b->bytes[i] & mask))
            return false;
    }
    return true;
}

bool lc_same_address(lc_str a, lc_str b)
{
    address x, y;
    return ((parse_ip(&x, a) && parse_ip(&y, b)) ||
            (parse_hardware(&x, a) && parse_hardware(&y, b))) &&
           same_network(&x, &y);
}
