/* Functions on address prefixes: Go's old net.ParseCIDR, which accepts leading zeros, and the
 * package go-cidr, with its special cases where numbers do not fit the prefix. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"

#include <string.h>

/* An address, most significant byte first: 4 or 16 bytes. */
typedef struct address {
    uint8_t bytes[16];
    int len;
} address;

typedef struct prefix {
    address base; /* without host bits */
    int64_t bits;
} prefix;

/* ---- Reading. */

typedef struct reader {
    lc_str text;
    size_t at;
} reader;

static char peek(const reader *r)
{
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

#define TOO_BIG 0xFFFFFF

/* -1: no digits, or a number that is too large. */
static int64_t read_number(reader *r, int base)
{
    int64_t n = 0;
    size_t from = r->at;
    for (;; r->at++) {
        int digit = r->at < r->text.len ? lc_hex_digit(peek(r)) : -1;
        if (digit < 0 || digit >= base)
            return r->at > from ? n : -1;
        n = n * base + digit;
        if (n >= TOO_BIG)
            return -1;
    }
}

static bool read_v4(lc_str text, uint8_t out[4])
{
    reader r = {text, 0};
    for (int i = 0; i < 4; i++) {
        if (i > 0 && peek(&r) != '.')
            return false;
        r.at += i > 0;
        int64_t n = read_number(&r, 10);
        if (n < 0 || n > 255)
            return false;
        out[i] = (uint8_t)n;
    }
    return r.at == text.len;
}

/* The state of reading an IPv6 address: bytes so far, and the position of `::` (-1: not present).
 */
typedef struct v6_reader {
    reader r;
    uint8_t *out;
    int count, gap;
} v6_reader;

/* One group. False: an error; *end: it was the last one. */
static bool read_group(v6_reader *v, bool *end)
{
    size_t from = v->r.at;
    int64_t n = read_number(&v->r, 16);
    if (n < 0 || n > 0xFFFF)
        return false;
    if (peek(&v->r) == '.') {
        *end = true;
        bool room = v->gap < 0 ? v->count == 12 : v->count <= 12;
        v->r.at = v->r.text.len;
        bool ok = room && read_v4(lc_str_sub(v->r.text, from, v->r.text.len), v->out + v->count);
        v->count += 4;
        return ok;
    }
    v->out[v->count++] = (uint8_t)(n >> 8);
    v->out[v->count++] = (uint8_t)n;
    *end = v->r.at == v->r.text.len;
    return true;
}

/* What follows a group. */
static bool read_colon(v6_reader *v, bool *end)
{
    if (peek(&v->r) != ':' || ++v->r.at == v->r.text.len)
        return false;
    if (peek(&v->r) != ':')
        return true;
    if (v->gap >= 0)
        return false;
    v->gap = v->count;
    *end = ++v->r.at == v->r.text.len;
    return true;
}

static bool read_v6(lc_str text, uint8_t out[16])
{
    v6_reader v = {{text, 0}, out, 0, -1};
    bool end = false;
    memset(out, 0, 16);
    if (lc_str_starts_with(text, LC_STR("::"))) {
        v.gap = 0;
        v.r.at = 2;
        end = text.len == 2;
    }
    while (!end && v.count < 16) {
        if (!read_group(&v, &end) || (!end && !read_colon(&v, &end)))
            return false;
    }
    if (v.r.at != text.len || (v.count < 16) != (v.gap >= 0))
        return false;
    if (v.gap >= 0) {
        size_t moved = (size_t)(v.count - v.gap);
        memmove(out + 16 - moved, out + v.gap, moved);
        memset(out + v.gap, 0, 16 - moved - (size_t)v.gap);
    }
    return true;
}

static bool read_address(lc_str text, address *out)
{
    out->len = 4;
    if (read_v4(text, out->bytes))
        return true;
    out->len = 16;
    return read_v6(text, out->bytes);
}

static void clear_host_bits(address *a, int64_t bits)
{
    for (int i = 0; i < a->len; i++) {
        int64_t kept = bits - 8 * i;
        if (kept < 8)
            a->bytes[i] &= (uint8_t)(kept <= 0 ? 0 : 0xFF << (8 - kept));
    }
}

static void set_host_bits(address *a, int64_t bits)
{
    for (int i = 0; i < a->len; i++) {
        int64_t kept = bits - 8 * i;
        if (kept < 8)
            a->bytes[i] |= (uint8_t)(kept <= 0 ? 0xFF : 0xFF >> kept);
    }
}

static bool read_prefix(lc_str text, prefix *out)
{
    size_t slash = lc_str_find(text, 0, '/');
    reader r = {text, slash + 1};
    if (slash == text.len || !read_address(lc_str_sub(text, 0, slash), &out->base))
        return false;
    out->bits = read_number(&r, 10);
    if (r.at != text.len || out->bits < 0 || out->bits > 8 * out->base.len)
        return false;
    clear_host_bits(&out->base, out->bits);
    return true;
}

/* ---- Writing. */

/* An IPv4 address, perhaps inside an IPv6 one. NULL: it is not an IPv4 address. */
static const uint8_t *v4_of(const address *a)
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (a->len == 4)
        return a->bytes;
    return memcmp(a->bytes, mapped, sizeof mapped) == 0 ? a->bytes + 12 : NULL;
}

static unsigned group_at(const address *a, int i)
{
    return (unsigned)a->bytes[2 * i] << 8 | a->bytes[2 * i + 1];
}

/* The longest run of at least two zero groups, the first of several; *len 0: no such run. */
static int longest_gap(const address *a, int *len)
{
    int best = -1;
    *len = 0;
    for (int i = 0; i < 8; i++) {
        int end = i;
        while (end < 8 && group_at(a, end) == 0)
            end++;
        if (end - i > *len && end - i > 1) {
            *len = end - i;
            best = i;
        }
    }
    return best;
}

static void add_v6(lc_buf *buf, const address *a)
{
    int len, gap = longest_gap(a, &len);
    for (int i = 0; i < 8; i++) {
        if (i == gap) {
            lc_buf_add_c(buf, "::");
            i += len - 1;
            continue;
        }
        if (i > 0 && i != gap + len)
            lc_buf_add_char(buf, ':');
        lc_buf_printf(buf, "%x", group_at(a, i));
    }
}

static void add_address(lc_buf *buf, const address *a)
{
    const uint8_t *v4 = v4_of(a);
    if (v4)
        lc_buf_printf(buf, "%d.%d.%d.%d", v4[0], v4[1], v4[2], v4[3]);
    else
        add_v6(buf, a);
}

/* Go prints a network whose mask is shorter than nothing as <nil>, and counts only the last 32 bits
 * of an IPv4 prefix inside IPv6. */
static void add_prefix(lc_buf *buf, const prefix *p)
{
    int64_t bits = p->bits;
    if (bits < 0) {
        lc_buf_add_c(buf, "<nil>");
        return;
    }
    if (p->base.len == 16 && v4_of(&p->base))
        bits = bits < 96 ? 0 : bits - 96;
    add_address(buf, &p->base);
    lc_buf_printf(buf, "/%d", (int)bits);
}

static lc_str text_of(lc_fn_call *c, const prefix *p)
{
    lc_buf buf = {0};
    add_prefix(&buf, p);
    return lc_buf_take(c->e->arena, &buf);
}

static bool give_address(lc_fn_call *c, const address *a)
{
    lc_buf buf = {0};
    add_address(&buf, a);
    bool ok = lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

/* ---- Numbers of hosts and networks: whole numbers of any size. */

/* The magnitude, least significant byte first; wide enough for an address that is shifted out of
 * another one. */
#define WIDE 40

typedef struct wide {
    uint8_t bytes[WIDE];
    bool negative;
    bool huge; /* larger than fits */
} wide;

static bool read_wide(lc_fn_call *c, size_t at, wide *out)
{
    lc_num n = lc_fn_arg(c, at)->as.number;
    lc_buf hex = {0};
    memset(out, 0, sizeof *out);
    out->negative = lc_num_sign(n) < 0;
    if (!lc_num_is_whole(n))
        return lc_fn_fail(c, "a whole number is required");
    out->huge = !lc_num_add_whole(&hex, n, 16) || hex.len > 32;
    for (size_t i = 0; !out->huge && i < hex.len; i++)
        out->bytes[i / 2] |= (uint8_t)(lc_hex_digit(hex.ptr[hex.len - 1 - i]) << (i % 2 ? 4 : 0));
    lc_buf_release(&hex);
    return true;
}

static uint64_t low_bits(const wide *n)
{
    uint64_t low = 0;
    for (int i = 7; i >= 0; i--)
        low = low << 8 | n->bytes[i];
    return low;
}

static bool is_zero(const wide *n)
{
    bool zero = !n->huge;
    for (int i = 0; i < WIDE; i++)
        zero &= n->bytes[i] == 0;
    return zero;
}

static void shift_left(wide *n, int64_t by)
{
    if (is_zero(n))
        return;
    if (by > 128 || n->huge) {
        n->huge = true;
        return;
    }
    for (; by >= 8; by -= 8) {
        memmove(n->bytes + 1, n->bytes, WIDE - 1);
        n->bytes[0] = 0;
    }
    for (int i = WIDE - 1; i >= 0; i--)
        n->bytes[i] = (uint8_t)(n->bytes[i] << by | (i > 0 ? n->bytes[i - 1] >> (8 - by) : 0));
}

/* Adds 1 or, with a negative sign, subtracts it. */
static void step(uint8_t *bytes, int len, int sign)
{
    for (int i = 0; i < len; i++) {
        bytes[i] = (uint8_t)(bytes[i] + sign);
        if (bytes[i] != (sign > 0 ? 0 : 0xFF))
            return;
    }
}

/* address | (n << by), as Go's big.Int computes it, of which the magnitude counts. False: it has
 * too many bytes for the address. */
static bool insert(address *a, wide *n, int64_t by)
{
    shift_left(n, by);
    if (n->huge)
        return false;
    if (n->negative)
        step(n->bytes, WIDE, -1);
    for (int i = 0; i < a->len; i++) {
        uint8_t old = a->bytes[a->len - 1 - i];
        n->bytes[i] = (uint8_t)(n->negative ? n->bytes[i] & ~old : n->bytes[i] | old);
    }
    if (n->negative)
        step(n->bytes, WIDE, 1);
    for (int i = a->len; i < WIDE; i++) {
        if (n->bytes[i])
            return false;
    }
    for (int i = 0; i < a->len; i++)
        a->bytes[a->len - 1 - i] = n->bytes[i];
    return true;
}

static bool bad_prefix(lc_fn_call *c)
{
    return lc_fn_fail(c, "the string is not an address prefix");
}

/* ---- cidrhost, cidrnetmask, cidrsubnet. */

/* Is the number larger than 2^bits - 1? */
static bool exceeds(const wide *n, int64_t bits)
{
    bool more = n->huge;
    for (int64_t i = 0; i < WIDE; i++) {
        int64_t kept = bits - 8 * i;
        more |= (n->bytes[i] & (uint8_t)(kept >= 8 ? 0 : kept <= 0 ? 0xFF : 0xFF << kept)) != 0;
    }
    return more;
}

/* Negative numbers count from the end: -1 is the last host. Of a larger number only the lowest 64
 * bits are checked, as a signed number. */
static bool host_number(wide *n, int64_t host_bits)
{
    if (!n->negative)
        return (int64_t)low_bits(n) < 0 || host_bits >= 63 ||
               low_bits(n) <= ((uint64_t)1 << host_bits) - 1;
    step(n->bytes, WIDE, -1);
    if (exceeds(n, host_bits))
        return false;
    for (int64_t i = 0; i < WIDE; i++) {
        int64_t kept = host_bits - 8 * i;
        n->bytes[i] ^= (uint8_t)(kept >= 8 ? 0xFF : kept <= 0 ? 0 : (1 << kept) - 1);
    }
    n->negative = false;
    return true;
}

bool lc_fn_cidrhost(lc_fn_call *c)
{
    prefix p;
    wide n;
    if (!read_wide(c, 1, &n))
        return false;
    if (!read_prefix(lc_fn_text(c, 0), &p))
        return bad_prefix(c);
    int64_t size = 8 * p.base.len;
    bool fits = host_number(&n, size - p.bits);
    if (!fits || !insert(&p.base, &n, p.base.len == 16 && v4_of(&p.base) ? 96 : 0))
        return lc_fn_fail(c, "the prefix has no host of this number");
    return give_address(c, &p.base);
}

bool lc_fn_cidrnetmask(lc_fn_call *c)
{
    prefix p;
    if (!read_prefix(lc_fn_text(c, 0), &p))
        return bad_prefix(c);
    if (!v4_of(&p.base))
        return lc_fn_fail(c, "prefixes of IPv6 have no netmask");
    address mask = {.len = p.base.len};
    memset(mask.bytes, 0xFF, sizeof mask.bytes);
    clear_host_bits(&mask, p.bits);
    return give_address(c, &mask);
}

bool lc_fn_cidrsubnet(lc_fn_call *c)
{
    prefix p;
    int64_t more;
    wide n;
    if (!lc_fn_whole(c, 1, &more) || !read_wide(c, 2, &n))
        return false;
    if (!read_prefix(lc_fn_text(c, 0), &p))
        return bad_prefix(c);
    int64_t size = 8 * p.base.len;
    p.bits = (int64_t)((uint64_t)p.bits + (uint64_t)more); /* wraps as in Go */
    if (p.bits > size)
        return lc_fn_fail(c, "the prefix is too short to be extended by so many bits");
    if (more >= 0 && more < 64 && low_bits(&n) > ((uint64_t)1 << more) - 1)
        return lc_fn_fail(c, "there is no network of this number");
    if (!insert(&p.base, &n, p.bits < 0 ? INT64_MAX : size - p.bits))
        return lc_fn_fail(c, "the number exceeds the address");
    return lc_fn_give_text(c, text_of(c, &p));
}

/* ---- cidrsubnets: networks one after another. */

static void step_address(address *a, int sign)
{
    for (int i = a->len - 1; i >= 0; i--) {
        a->bytes[i] = (uint8_t)(a->bytes[i] + sign);
        if (a->bytes[i] != (sign > 0 ? 0 : 0xFF))
            return;
    }
}

/* Go takes an IPv4 address inside IPv6 for that address, and of its prefix the last 32 bits. */
static prefix as_v4(const prefix *p)
{
    prefix short_one = *p;
    const uint8_t *v4 = v4_of(&p->base);
    if (p->base.len == 4 || !v4)
        return short_one;
    memmove(short_one.base.bytes, short_one.base.bytes + 12, 4);
    short_one.base.len = 4;
    short_one.bits = p->bits < 96 ? 0 : p->bits - 96;
    return short_one;
}

static bool contains(const prefix *p, const address *a)
{
    prefix whole = as_v4(p), part = {*a, 8 * (int64_t)a->len};
    part = as_v4(&part);
    clear_host_bits(&part.base, whole.bits);
    return part.base.len == whole.base.len &&
           memcmp(part.base.bytes, whole.base.bytes, part.base.len == 4 ? 4 : 16) == 0;
}

/* The network of `bits` that begins after `p`. False: the addresses end there. */
static bool next_network(prefix *p, int64_t bits)
{
    static const uint8_t zero[16];
    set_host_bits(&p->base, p->bits);
    clear_host_bits(&p->base, bits);
    set_host_bits(&p->base, bits);
    step_address(&p->base, 1);
    p->bits = bits;
    bool wrapped = memcmp(p->base.bytes, zero, p->base.len == 4 ? 4 : 16) == 0;
    clear_host_bits(&p->base, bits);
    return !wrapped;
}

/* The length of network `at`; -1: an error is set. */
static int64_t length_of(lc_fn_call *c, size_t at, const prefix *whole)
{
    int64_t more;
    if (!lc_fn_int(c, at, &more))
        lc_fn_bad_argument(c, at, "a whole number is required");
    else if (more < 1)
        lc_fn_bad_argument(c, at, "a prefix must be extended by one bit or more");
    else if (more > 32)
        lc_fn_bad_argument(c, at, "a prefix is extended by 32 bits at most");
    else if (whole->bits + more > 8 * whole->base.len)
        lc_fn_bad_argument(c, at, "the prefix is too short to be extended by so many bits");
    else
        return whole->bits + more;
    return -1;
}

bool lc_fn_cidrsubnets(lc_fn_call *c)
{
    prefix whole;
    lc_fn_items items = {{0}};
    if (!read_prefix(lc_fn_text(c, 0), &whole))
        return lc_fn_bad_argument(c, 0, "the string is not an address prefix");
    prefix p = whole;
    for (size_t i = 1; i < c->count; i++) {
        int64_t bits = length_of(c, i, &whole);
        if (bits < 0)
            return false;
        if (i == 1) {
            step_address(&p.base, -1);
            clear_host_bits(&p.base, bits);
            p.bits = bits;
        }
        /* go-cidr finds no network inside an IPv4 prefix that is written as IPv6. */
        bool odd = whole.base.len == 16 && v4_of(&whole.base);
        if (odd || !next_network(&p, bits) || !contains(&whole, &p.base))
            return lc_fn_bad_argument(c, i, "the prefix has no room for this network");
        lc_fn_add_item(c, &items, text_of(c, &p));
    }
    return lc_fn_give_list(c, items.list.items, items.list.count);
}

/* ---- cidrcontains. */

bool lc_fn_cidrcontains(lc_fn_call *c)
{
    prefix whole, part;
    if (!read_prefix(lc_fn_text(c, 0), &whole))
        return bad_prefix(c);
    bool single = read_address(lc_fn_text(c, 1), &part.base);
    part.bits = 8 * part.base.len;
    if (!single && !read_prefix(lc_fn_text(c, 1), &part))
        return lc_fn_fail(c, "the string is neither an address nor a prefix");
    if (!v4_of(&whole.base) != !v4_of(&part.base))
        return lc_fn_fail(c, "an IPv4 and an IPv6 address cannot be compared");
    address last = part.base;
    set_host_bits(&last, part.bits);
    return lc_fn_give_bool(c, contains(&whole, &part.base) && contains(&whole, &last));
}
