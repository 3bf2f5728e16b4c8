/* Closer comparisons of two values than rules depend on: for explanations only. In all of them `p`
 * is the required string or value, `n` the returned one. */
#include "contract/diff/value_diff.h"
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"

#include <string.h>

/* Longest text that is parsed as YAML, and the fewest characters that make a mask. */
#define MAX_YAML   (1024 * 1024)
#define BOM        LC_STR("\xEF\xBB\xBF")
#define BULLET     LC_STR("\xE2\x80\xA2")
#define LEAST_MASK 3

/* ---- Characters. */

static lc_str without_bom(lc_str s)
{
    return lc_str_starts_with(s, BOM) ? lc_str_sub(s, BOM.len, s.len) : s;
}

static bool differ_in_bom(lc_str a, lc_str b)
{
    return a.len != b.len && lc_str_eq(without_bom(a), without_bom(b));
}

/* Is every differing character of `a` outside ASCII a question mark or U+FFFD in `b`? A wrong
 * character set was used. */
static bool is_garbled(lc_str a, lc_str b)
{
    size_t i = 0, k = 0, garbled = 0;
    while (i < a.len && k < b.len) {
        uint32_t x = lc_utf8_next(a, &i), y = lc_utf8_next(b, &k);
        if (x == y)
            continue;
        if (x < 0x80 || (y != '?' && y != 0xFFFD))
            return false;
        garbled++;
    }
    return garbled && i == a.len && k == b.len;
}

/* ---- Words for a bool. */

/* 0 or 1 for a word that means false or true, in any letter case; -1: another word. */
static int bool_word(lc_str s)
{
    static const char *const words[][5] = {{"false", "no", "off", "0", "disabled"},
                                           {"true", "yes", "on", "1", "enabled"}};
    for (int meaning = 0; meaning < 2; meaning++) {
        for (size_t i = 0; i < 5; i++) {
            if (lc_same_characters(s, lc_str_from_c(words[meaning][i]), true))
                return meaning;
        }
    }
    return -1;
}

static bool same_bool_word(lc_str a, lc_str b)
{
    return bool_word(a) >= 0 && bool_word(a) == bool_word(b);
}

/* A string, and the number or bool that it spells. */
static bool same_spelled(lc_arena *arena, const lc_value *text, const lc_value *other)
{
    lc_num n;
    if (text->type->kind != LC_TYPE_STRING)
        return false;
    if (other->type->kind == LC_TYPE_BOOL)
        return bool_word(text->as.string) == (other->as.boolean ? 1 : 0);
    return other->type->kind == LC_TYPE_NUMBER &&
           lc_num_from_text(&n, arena, text->as.string, LC_MAX_DIGITS) == LC_NUM_OK &&
           lc_num_equal(n, other->as.number);
}

/* ---- YAML. */

static bool is_yaml_tree(const lc_source *s)
{
    return s->count == 1 &&
           (s->documents[0].kind == LC_NODE_MAPPING || s->documents[0].kind == LC_NODE_SEQUENCE);
}

static bool parse_both_yaml(lc_source out[2], lc_arena *arena, lc_str a, lc_str b)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    if (a.len > MAX_YAML || b.len > MAX_YAML)
        return false;
    lc_diags_init(&diags, arena);
    return lc_yaml_parse(&out[0], arena, LC_STR_EMPTY, a, &limits, &diags) == LC_OK &&
           lc_yaml_parse(&out[1], arena, LC_STR_EMPTY, b, &limits, &diags) == LC_OK &&
           is_yaml_tree(&out[0]) && is_yaml_tree(&out[1]);
}

static bool same_yaml(lc_arena *arena, lc_str a, lc_str b)
{
    lc_source both[2];
    return parse_both_yaml(both, arena, a, b) &&
           lc_node_same(arena, &both[0].documents[0], &both[1].documents[0]);
}

/* A sentence with a colon is a YAML mapping as well, so one line does not count as a document. */
static bool has_lines(lc_str s)
{
    const char *first = s.len ? memchr(s.ptr, '\n', s.len) : NULL;
    return first && first + 1 < s.ptr + s.len;
}

bool lc_parse_both_documents(lc_source out[2], lc_arena *arena, lc_str a, lc_str b)
{
    return lc_parse_both_json(out, arena, a, b) ||
           ((has_lines(a) || has_lines(b)) && parse_both_yaml(out, arena, a, b));
}

/* ---- Encodings. */

static bool is_hex_of(lc_str coded, lc_str plain)
{
    if (plain.len == 0 || coded.len != plain.len * 2)
        return false;
    for (size_t i = 0; i < plain.len; i++) {
        int high = lc_hex_digit(coded.ptr[2 * i]), low = lc_hex_digit(coded.ptr[2 * i + 1]);
        if (high < 0 || low < 0 || high * 16 + low != (unsigned char)plain.ptr[i])
            return false;
    }
    return true;
}

/* The six bits of a character of either base64 alphabet; -1: another character. */
static int base64_value(char c)
{
    if (lc_is_upper(c))
        return c - 'A';
    if (lc_is_lower(c))
        return c - 'a' + 26;
    if (lc_is_digit(c))
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    if (c == '/' || c == '_')
        return 63;
    return -1;
}

/* Decodes and compares in one pass; padding is optional. */
static bool is_base64_of(lc_str coded, lc_str plain)
{
    while (coded.len && coded.ptr[coded.len - 1] == '=')
        coded.len--;
    if (plain.len == 0 || coded.len != (plain.len * 4 + 2) / 3)
        return false;
    unsigned bits = 0, have = 0;
    size_t at = 0;
    for (size_t i = 0; i < coded.len; i++) {
        int six = base64_value(coded.ptr[i]);
        if (six < 0)
            return false;
        bits = (bits << 6 | (unsigned)six) & 0xFFFF;
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        if (at == plain.len || (bits >> have & 0xFF) != (unsigned char)plain.ptr[at++])
            return false;
    }
    return at == plain.len;
}

/* Percent-encoding with at least one escape; without any the strings would be equal. */
static bool is_percent_of(lc_str coded, lc_str plain)
{
    size_t i = 0, at = 0, escapes = 0;
    while (i < coded.len && at < plain.len) {
        int c = (unsigned char)coded.ptr[i++];
        if (c == '%' && coded.len - i >= 2) {
            int high = lc_hex_digit(coded.ptr[i]), low = lc_hex_digit(coded.ptr[i + 1]);
            if (high < 0 || low < 0)
                return false;
            c = high * 16 + low;
            i += 2;
            escapes++;
        }
        if (c != (unsigned char)plain.ptr[at++])
            return false;
    }
    return escapes && i == coded.len && at == plain.len;
}

static bool is_coded(lc_str coded, lc_str plain)
{
    return is_hex_of(coded, plain) || is_base64_of(coded, plain) || is_percent_of(coded, plain);
}

static bool is_hex(lc_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (lc_hex_digit(s.ptr[i]) < 0)
            return false;
    }
    return s.len > 0;
}

/* Does it look like a digest: hexadecimal with the length of a usual one, also with its name in
 * front, or a hash of a password? */
static bool is_digest(lc_str s)
{
    static const char *const prefixes[] = {"sha256:", "sha1:", "md5:", "sha512:"};
    static const char *const crypts[] = {"$2a$", "$2b$", "$2y$", "$5$", "$6$", "$argon2"};
    for (size_t i = 0; i < sizeof crypts / sizeof *crypts; i++) {
        if (lc_str_starts_with(s, lc_str_from_c(crypts[i])))
            return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (lc_str_starts_with(s, lc_str_from_c(prefixes[i])))
            s = lc_str_sub(s, strlen(prefixes[i]), s.len);
    }
    bool usual = s.len == 32 || s.len == 40 || s.len == 56 || s.len == 64 || s.len == 128;
    return usual && is_hex(s);
}

/* ---- Masks instead of secrets. */

/* The length in bytes of the asterisk or bullet at a place; 0: another character. */
static size_t mask_at(lc_str s, size_t at)
{
    if (s.ptr[at] == '*')
        return 1;
    return lc_str_starts_with(lc_str_sub(s, at, s.len), BULLET) ? BULLET.len : 0;
}

static bool is_hiding_word(lc_str s)
{
    static const char *const words[] = {
        "redacted", "<redacted>",  "[redacted]", "(redacted)",  "hidden", "<hidden>",
        "[hidden]", "<sensitive>", "sensitive",  "(sensitive)", "masked", "(sensitive value)"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lc_same_characters(s, lc_str_from_c(words[i]), true))
            return true;
    }
    return false;
}

/* A row of x, as some services mask secrets. */
static bool is_all_x(lc_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] != 'x' && s.ptr[i] != 'X')
            return false;
    }
    return s.len >= LEAST_MASK;
}

/* The text may keep a beginning and an end of the required one around a single run of mask
 * characters. */
bool lc_is_masked(lc_str p, lc_str n)
{
    size_t start = 0, end, count = 0, width;
    if (is_all_x(p) || p.len == 0)
        return false;
    if (is_hiding_word(n) || is_all_x(n))
        return true;
    while (start < n.len && !mask_at(n, start))
        start++;
    for (end = start; end < n.len && (width = mask_at(n, end)) > 0; end += width)
        count++;
    lc_str front = lc_str_sub(n, 0, start), back = lc_str_sub(n, end, n.len);
    return count >= LEAST_MASK && front.len + back.len < p.len && lc_str_starts_with(p, front) &&
           lc_str_ends_with(p, back);
}

/* ---- Names and lengths. */

static bool is_separator(char c)
{
    return c == '/' || c == ':' || c == '|' || c == '@' || c == '#' || c == '.';
}

/* A name, and a path or identifier that ends with it, or a host name that begins with it. */
static bool is_qualified(lc_str full, lc_str name)
{
    if (name.len == 0 || full.len <= name.len + 1)
        return false;
    return (lc_str_ends_with(full, name) && is_separator(full.ptr[full.len - name.len - 1])) ||
           (lc_str_starts_with(full, name) && full.ptr[name.len] == '.');
}

/* Lengths that fields of databases usually have: powers of two, and one more or less; multiples of
 * ten. */
static bool is_usual_limit(size_t n)
{
    size_t power = 16;
    while (power < n + 1 && power < 1u << 24)
        power *= 2;
    return n + 1 >= power || (n >= 16 && n == power / 2) || n == power / 2 + 1 ||
           (n >= 20 && n % 10 == 0);
}

/* Short strings are often the beginning of others by accident, so a limit is only assumed from 15
 * bytes on. */
static bool is_cut(lc_str p, lc_str n)
{
    return n.len >= 15 && n.len < p.len && lc_str_starts_with(p, n) &&
           (is_usual_limit(n.len) || is_usual_limit(lc_utf8_count(n)));
}

/* ---- Numbers. */

static size_t decimals(lc_num n)
{
    lc_buf text = {0};
    lc_num_add_text(&text, n);
    const char *point = text.len ? memchr(text.ptr, '.', text.len) : NULL;
    size_t count = point ? text.len - (size_t)(point - text.ptr) - 1 : 0;
    lc_buf_release(&text);
    return count;
}

/* The number with fewer decimals, rounded up, down or to the nearest. */
static bool is_rounded(lc_arena *arena, lc_num p, lc_num n)
{
    lc_num distance, unit;
    if (lc_num_is_inf(p) || lc_num_is_inf(n) || lc_num_is_whole(p))
        return false;
    size_t kept = decimals(n);
    if (kept >= decimals(p) || kept > 15 || lc_num_subtract(&distance, arena, p, n) != LC_NUM_GOOD)
        return false;
    lc_num_from_text(&unit, arena, lc_str_printf(arena, "1e-%zu", kept), LC_MAX_DIGITS);
    return lc_num_cmp(lc_num_sign(distance) < 0 ? lc_num_negate(arena, distance) : distance, unit) <
           0;
}

/* ---- All together, the most certain comparison first. */

static lc_difference_kind compare_meanings(lc_arena *arena, lc_str p, lc_str n)
{
    if (differ_in_bom(p, n))
        return LC_DIFFERENCE_BOM;
    if (lc_same_characters(p, n, false) || is_garbled(p, n))
        return LC_DIFFERENCE_UNICODE;
    if (lc_same_characters(p, n, true))
        return LC_DIFFERENCE_CASE;
    if (lc_same_instant(p, n))
        return LC_DIFFERENCE_TIME;
    if (lc_same_duration(p, n))
        return LC_DIFFERENCE_DURATION;
    if (lc_same_address(p, n))
        return LC_DIFFERENCE_NET;
    if (same_bool_word(p, n))
        return LC_DIFFERENCE_SPELLING;
    if (same_yaml(arena, p, n))
        return LC_DIFFERENCE_YAML;
    return is_coded(p, n) || is_coded(n, p) ? LC_DIFFERENCE_ENCODED : LC_UNLIKE;
}

static lc_difference_kind compare_texts(lc_arena *arena, lc_str p, lc_str n, lc_str *where)
{
    bool all_masked = false;
    lc_source both[2];
    lc_difference_kind difference_kind = compare_meanings(arena, p, n);
    if (difference_kind != LC_UNLIKE)
        return difference_kind;
    if (lc_is_masked(p, n))
        return LC_DIFFERENCE_MASKED;
    if (lc_parse_both_json(both, arena, p, n) &&
        lc_document_differences_text(arena, both, where, &all_masked))
        return all_masked ? LC_DIFFERENCE_MASKED : LC_DIFFERENCE_OTHER_DOCUMENT;
    if (is_cut(p, n)) /* before YAML: a string that is cut off can still be valid YAML */
        return LC_DIFFERENCE_CUT;
    if (p.len && is_digest(n) && !is_digest(p) && !is_hex(p))
        return LC_DIFFERENCE_HASH;
    if (is_qualified(n, p) || is_qualified(p, n))
        return LC_DIFFERENCE_LONGER;
    if (lc_parse_both_documents(both, arena, p, n) &&
        lc_document_differences_text(arena, both, where, &all_masked))
        return all_masked ? LC_DIFFERENCE_MASKED : LC_DIFFERENCE_OTHER_DOCUMENT;
    return LC_UNLIKE;
}

lc_difference_kind lc_compare_closely(lc_arena *arena, const lc_value *p, const lc_value *n,
                                      lc_str *where)
{
    lc_difference_kind difference_kind = lc_compare_form(arena, p, n);
    bool texts = p->type->kind == LC_TYPE_STRING && n->type->kind == LC_TYPE_STRING;
    *where = texts && difference_kind == LC_DIFFERENCE_JSON
                 ? lc_json_orders(arena, p->as.string, n->as.string)
                 : LC_STR_EMPTY;
    if (difference_kind == LC_DIFFERENCE_KEY)
        return lc_compare_keys(arena, p, n, where);
    if (difference_kind != LC_UNLIKE || !lc_is_known(p) || !lc_is_known(n))
        return difference_kind;
    if (texts)
        return compare_texts(arena, p->as.string, n->as.string, where);
    if (p->type->kind == LC_TYPE_NUMBER && n->type->kind == LC_TYPE_NUMBER)
        return is_rounded(arena, p->as.number, n->as.number) ? LC_DIFFERENCE_ROUNDED : LC_UNLIKE;
    return same_spelled(arena, p, n) || same_spelled(arena, n, p)
               ? LC_DIFFERENCE_SPELLING
               : lc_compare_keys(arena, p, n, where);
}
