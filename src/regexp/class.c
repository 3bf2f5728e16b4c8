/* Translates single characters and character classes. Mirrors parseEscape, parseClass and
 * appendFoldedRange of Go's regexp/syntax. Characters are written as \x{...}, so that none has a
 * special meaning in PCRE2. */
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/str.h"
#include "lifecheck/base/utf8.h"
#include "regexp/internal.h"

#include <string.h>

#define MAX_RUNE 0x10FFFFu

void lc_go_fail(lc_go_pattern *p, const char *why)
{
    if (!p->why)
        p->why = why;
    p->at = p->text.len;
}

bool lc_go_more(const lc_go_pattern *p)
{
    return p->at < p->text.len;
}

char lc_go_peek(const lc_go_pattern *p, size_t ahead)
{
    return ahead < p->text.len - p->at ? p->text.ptr[p->at + ahead] : '\0';
}

uint32_t lc_go_rune(lc_go_pattern *p)
{
    if (!lc_go_more(p)) {
        lc_go_fail(p, "it ends too early");
        return 0;
    }
    uint32_t rune = lc_utf8_next(p->text, &p->at);
    if (rune == LC_RUNE_BAD)
        lc_go_fail(p, "invalid UTF-8");
    return rune;
}

/* ---- Escapes. */

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* Up to three octal digits, the first of which was read. */
static uint32_t octal(lc_go_pattern *p, char first)
{
    uint32_t rune = (uint32_t)(first - '0');
    for (int i = 0; i < 2 && is_octal(lc_go_peek(p, 0)); i++)
        rune = rune * 8 + (uint32_t)(p->text.ptr[p->at++] - '0');
    return rune;
}

/* \x{10FFFF}: any number of digits up to the largest code point. */
static uint32_t braced_hex(lc_go_pattern *p)
{
    uint32_t rune = 0;
    size_t digits = 0;
    p->at++;
    while (lc_hex_digit(lc_go_peek(p, 0)) >= 0) {
        rune = rune * 16 + (uint32_t)lc_hex_digit(p->text.ptr[p->at++]);
        if (rune > MAX_RUNE)
            lc_go_fail(p, "invalid escape sequence");
        digits++;
    }
    if (digits == 0 || lc_go_peek(p, 0) != '}')
        lc_go_fail(p, "invalid escape sequence");
    else
        p->at++;
    return rune;
}

static uint32_t hex(lc_go_pattern *p)
{
    if (lc_go_peek(p, 0) == '{')
        return braced_hex(p);
    int high = lc_hex_digit(lc_go_peek(p, 0)), low = high < 0 ? -1 : lc_hex_digit(lc_go_peek(p, 1));
    if (low < 0) {
        lc_go_fail(p, "invalid escape sequence");
        return 0;
    }
    p->at += 2;
    return (uint32_t)(high * 16 + low);
}

/* The character that an escape means. Go allows \1 to \7 only as octal numbers with at least two
 * digits: it has no back-references. */
static uint32_t escaped(lc_go_pattern *p, char c)
{
    switch (c) {
    case 'a':
        return 7;
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    case 'x':
        return hex(p);
    case '0':
        return octal(p, c);
    default:
        break;
    }
    if (c >= '1' && c <= '7' && is_octal(lc_go_peek(p, 0)))
        return octal(p, c);
    if ((unsigned char)c >= 0x80 || lc_is_alnum(c))
        lc_go_fail(p, "invalid escape sequence");
    return (uint32_t)(unsigned char)c;
}

uint32_t lc_go_escape(lc_go_pattern *p)
{
    p->at++;
    if (!lc_go_more(p)) {
        lc_go_fail(p, "trailing backslash at end of expression");
        return 0;
    }
    return escaped(p, p->text.ptr[p->at++]);
}

void lc_go_add_rune(lc_go_pattern *p, uint32_t rune)
{
    lc_buf_printf(p->out, "\\x{%x}", (unsigned)rune);
}

/* ---- Named classes. */

/* ASCII classes as pairs of first and last character. */
typedef struct ascii_class {
    const char *name, *ranges;
} ascii_class;

static const ascii_class ascii_classes[] = {{"alnum", "09AZaz"},
                                            {"alpha", "AZaz"},
                                            {"ascii", "\x01\x7f"},
                                            {"blank", "\t\t  "},
                                            {"cntrl", "\x01\x1f\x7f\x7f"},
                                            {"digit", "09"},
                                            {"graph", "!~"},
                                            {"lower", "az"},
                                            {"print", " ~"},
                                            {"punct", "!/:@[`{~"},
                                            {"space", "\t\r  "},
                                            {"upper", "AZ"},
                                            {"word", "09AZ__az"},
                                            {"xdigit", "09AFaf"}};

#define LONG_S 0x17F  /* the only code points beyond ASCII that fold to ASCII letters, s */
#define KELVIN 0x212A /* and k */

static const ascii_class *ascii_class_of(lc_str name)
{
    for (size_t i = 0; i < sizeof ascii_classes / sizeof *ascii_classes; i++) {
        if (lc_str_is(name, ascii_classes[i].name))
            return &ascii_classes[i];
    }
    return NULL;
}

static bool in_ascii_class(const ascii_class *class, char c)
{
    for (const char *r = class->ranges; *r; r += 2) {
        if (c >= r[0] && c <= r[1])
            return true;
    }
    /* A NUL cannot be part of the C string of ranges. */
    return c == '\0' && (lc_str_is(lc_str_from_c(class->name), "ascii") ||
                         lc_str_is(lc_str_from_c(class->name), "cntrl"));
}

/* Membership with case folding: both cases of a letter are tried, and the two special code points.
 */
static bool in_class_of(const ascii_class *class, bool fold, uint32_t rune)
{
    if (!fold && rune < 0x80)
        return in_ascii_class(class, (char)rune);
    if (fold && (rune == LONG_S || rune == KELVIN))
        rune = rune == LONG_S ? 's' : 'k';
    if (rune >= 0x80)
        return false;
    char c = (char)rune, other = (char)(c ^ 0x20);
    return in_ascii_class(class, c) || (lc_is_letter(c) && in_ascii_class(class, other));
}

void lc_go_add_range(lc_go_pattern *p, uint32_t low, uint32_t high)
{
    lc_go_add_rune(p, low);
    if (high == low)
        return;
    lc_buf_add_char(p->out, '-');
    lc_go_add_rune(p, high);
}

/* Writes a class, or its opposite, as single characters and ranges, including the code points that
 * its letters fold to. PCRE2's named classes do not fold, and their opposites in a class with
 * \p{...} miss code points above U+00FF. */
static void add_runes(lc_go_pattern *p, const ascii_class *class, bool opposite)
{
    static const uint32_t beyond[] = {0x80,       LONG_S - 1, LONG_S, LONG_S,     LONG_S + 1,
                                      KELVIN - 1, KELVIN,     KELVIN, KELVIN + 1, MAX_RUNE};
    for (uint32_t c = 0; c < 0x80; c++) {
        if (in_class_of(class, p->fold, c) != opposite)
            lc_go_add_rune(p, c);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i += 2) {
        if (in_class_of(class, p->fold, beyond[i]) != opposite)
            lc_go_add_range(p, beyond[i], beyond[i + 1]);
    }
}

/* Go's \s does not contain the vertical tab, PCRE2's does. */
static void add_spaces(lc_go_pattern *p, bool opposite, bool in_class)
{
    if (!in_class)
        lc_buf_add_c(p->out, opposite ? "[^\\t\\n\\f\\r ]" : "[\\t\\n\\f\\r ]");
    else if (!opposite)
        lc_buf_add_c(p->out, "\\t\\n\\f\\r ");
    else
        lc_buf_add_c(p->out, "\\x{0}-\\x{8}\\x{b}\\x{e}-\\x{1f}\\x{21}-\\x{10ffff}");
}

/* \d, \w and their opposites, which mean the same in PCRE2 except where folding or a class is
 * involved. */
static void add_named(lc_go_pattern *p, char letter, bool in_class)
{
    bool opposite = letter == 'D' || letter == 'W';
    bool word = letter == 'w' || letter == 'W';
    if (!(opposite && in_class) && !(word && p->fold)) {
        lc_buf_printf(p->out, "\\%c", letter);
        return;
    }
    if (!in_class)
        lc_buf_add_char(p->out, '[');
    add_runes(p, ascii_class_of(word ? LC_STR("word") : LC_STR("digit")), opposite);
    if (!in_class)
        lc_buf_add_char(p->out, ']');
}

bool lc_go_class_escape(lc_go_pattern *p, bool in_class)
{
    char c = lc_go_peek(p, 1);
    if (lc_go_peek(p, 0) != '\\' || c == '\0' || !strchr("dDsSwWpP", c))
        return false;
    p->at += 2;
    if (c == 'p' || c == 'P')
        lc_go_unicode_class(p, c == 'P', in_class);
    else if (c == 's' || c == 'S')
        add_spaces(p, c == 'S', in_class);
    else
        add_named(p, c, in_class);
    return true;
}

/* ---- Classes in brackets. */

/* Translates [:name:]. False: it is not one; without the closing :] the bracket is an ordinary
 * character. */
static bool posix_class(lc_go_pattern *p)
{
    if (lc_go_peek(p, 0) != '[' || lc_go_peek(p, 1) != ':')
        return false;
    for (size_t i = p->at + 2; i + 1 < p->text.len; i++) {
        if (p->text.ptr[i] != ':' || p->text.ptr[i + 1] != ']')
            continue;
        lc_str name = lc_str_sub(p->text, p->at + 2, i);
        bool opposite = name.len && name.ptr[0] == '^';
        const ascii_class *class = ascii_class_of(lc_str_sub(name, opposite, name.len));
        if (!class)
            lc_go_fail(p, "invalid character class range");
        else if (p->fold || opposite)
            add_runes(p, class, opposite);
        else
            lc_buf_printf(p->out, "[:%.*s:]", LC_FMT(name));
        p->at = class ? i + 2 : p->at;
        return true;
    }
    return false;
}

static uint32_t class_rune(lc_go_pattern *p)
{
    if (!lc_go_more(p)) {
        lc_go_fail(p, "missing closing ]");
        return 0;
    }
    return lc_go_peek(p, 0) == '\\' ? lc_go_escape(p) : lc_go_rune(p);
}

/* A single character or a range. A minus before the closing bracket is an ordinary character. */
static void class_range(lc_go_pattern *p)
{
    uint32_t low = class_rune(p), high = low;
    if (!p->why && lc_go_peek(p, 0) == '-' && p->at + 1 < p->text.len && lc_go_peek(p, 1) != ']') {
        p->at++;
        high = class_rune(p);
        if (high < low)
            lc_go_fail(p, "invalid character class range");
    }
    lc_go_add_range(p, low, high);
}

/* A closing bracket in first position is an ordinary character. */
void lc_go_class(lc_go_pattern *p)
{
    bool first = true;
    p->at++;
    lc_buf_add_char(p->out, '[');
    if (lc_go_peek(p, 0) == '^' && lc_go_more(p)) {
        lc_buf_add_char(p->out, '^');
        p->at++;
    }
    while (!p->why && (!lc_go_more(p) || lc_go_peek(p, 0) != ']' || first)) {
        first = false;
        if (!lc_go_more(p))
            lc_go_fail(p, "missing closing ]");
        else if (!posix_class(p) && !lc_go_class_escape(p, true))
            class_range(p);
    }
    if (!p->why)
        p->at++;
    lc_buf_add_char(p->out, ']');
}
