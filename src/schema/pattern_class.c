/* Single characters and classes of them, in Go's syntax. Mirrors regexp/syntax: parseEscape,
 * parseClass, parseUnicodeClass. */
#include "lifecheck/ascii.h"
#include "lifecheck/str.h"
#include "lifecheck/utf8.h"
#include "pattern.h"

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

static uint32_t octal(lc_go_pattern *p, char first)
{
    uint32_t rune = (uint32_t)(first - '0');
    for (int i = 0; i < 2 && is_octal(lc_go_peek(p, 0)); i++)
        rune = rune * 8 + (uint32_t)(p->text.ptr[p->at++] - '0');
    return rune;
}

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

static bool is_letter_or_digit(char c)
{
    return lc_is_alnum(c);
}

/* After the backslash. */
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
    if ((unsigned char)c >= 0x80 || is_letter_or_digit(c))
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

/* ---- Classes by name. */

/* Go's \s lacks the vertical tab that PCRE2's has. */
static void add_spaces(lc_go_pattern *p, bool opposite, bool in_class)
{
    if (!in_class)
        lc_buf_add_c(p->out, opposite ? "[^\\t\\n\\f\\r ]" : "[\\t\\n\\f\\r ]");
    else if (!opposite)
        lc_buf_add_c(p->out, "\\t\\n\\f\\r ");
    else
        lc_buf_add_c(p->out, "\\x{0}-\\x{8}\\x{b}\\x{e}-\\x{1f}\\x{21}-\\x{10ffff}");
}

static bool is_category(lc_str name)
{
    static const char *const names[] = {"Any", "C",  "Cc", "Cf", "Cn", "Co", "Cs", "L",  "Ll", "Lm",
                                        "Lo",  "Lt", "Lu", "M",  "Mc", "Me", "Mn", "N",  "Nd", "Nl",
                                        "No",  "P",  "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S",
                                        "Sc",  "Sk", "Sm", "So", "Z",  "Zl", "Zp", "Zs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (lc_str_is(name, names[i]))
            return true;
    }
    return false;
}

/* Names of categories that Go knows by their long form too. */
static const char *category_of(lc_str name)
{
    static const char *const names[][2] = {{"Letter", "L"},
                                           {"Uppercase_Letter", "Lu"},
                                           {"Lowercase_Letter", "Ll"},
                                           {"Titlecase_Letter", "Lt"},
                                           {"Modifier_Letter", "Lm"},
                                           {"Other_Letter", "Lo"},
                                           {"Mark", "M"},
                                           {"Number", "N"},
                                           {"Decimal_Number", "Nd"},
                                           {"Letter_Number", "Nl"},
                                           {"Other_Number", "No"},
                                           {"Punctuation", "P"},
                                           {"Symbol", "S"},
                                           {"Separator", "Z"},
                                           {"Space_Separator", "Zs"},
                                           {"Other", "C"},
                                           {"Control", "Cc"},
                                           {"Format", "Cf"},
                                           {"digit", "Nd"},
                                           {"punct", "P"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (lc_str_is(name, names[i][0]))
            return names[i][1];
    }
    return NULL;
}

/* Full names of scripts; PCRE2 also knows abbreviations, of four letters, that Go does not. Whether
 * there is such a script PCRE2 says when it compiles. */
static bool may_be_script(lc_str name)
{
    static const char *const short_names[] = {"Ahom", "Cham", "Kawi", "Lisu",
                                              "Modi", "Newa", "Thai", "Toto"};
    if (name.len < 2 || name.ptr[0] < 'A' || name.ptr[0] > 'Z' ||
        lc_str_starts_with(name, LC_STR("Is")))
        return false;
    for (size_t i = 0; i < name.len; i++) {
        if (!is_letter_or_digit(name.ptr[i]) && name.ptr[i] != '_')
            return false;
    }
    for (size_t i = 0; name.len == 4 && i < sizeof short_names / sizeof *short_names; i++) {
        if (lc_str_is(name, short_names[i]))
            return true;
    }
    return name.len != 4;
}

static void add_unicode_class(lc_go_pattern *p, lc_str name, bool opposite)
{
    if (name.len && name.ptr[0] == '^') {
        opposite = !opposite;
        name = lc_str_sub(name, 1, name.len);
    }
    const char *category = category_of(name);
    if (!category && !is_category(name) && !may_be_script(name)) {
        lc_go_fail(p, "invalid character class range");
        return;
    }
    lc_buf_printf(p->out, "\\%c{", opposite ? 'P' : 'p');
    if (category)
        lc_buf_add_c(p->out, category);
    else
        lc_buf_printf(p->out, "%s%.*s", is_category(name) ? "" : "sc:", LC_FMT(name));
    lc_buf_add_char(p->out, '}');
}

/* After \p or \P: one letter, or a name in braces. */
static void unicode_class(lc_go_pattern *p, bool opposite)
{
    size_t start = p->at;
    if (!lc_go_more(p)) {
        lc_go_fail(p, "invalid character class range");
        return;
    }
    if (lc_go_rune(p) != '{') {
        add_unicode_class(p, lc_str_sub(p->text, start, p->at), opposite);
        return;
    }
    const char *end = memchr(p->text.ptr + p->at, '}', p->text.len - p->at);
    if (!end) {
        lc_go_fail(p, "invalid character class range");
        return;
    }
    lc_str name = lc_str_sub(p->text, p->at, (size_t)(end - p->text.ptr));
    p->at += name.len + 1;
    add_unicode_class(p, name, opposite);
}

bool lc_go_class_escape(lc_go_pattern *p, bool in_class)
{
    char c = lc_go_peek(p, 1);
    if (lc_go_peek(p, 0) != '\\' || c == '\0' || !strchr("dDsSwWpP", c))
        return false;
    p->at += 2;
    if (c == 'p' || c == 'P')
        unicode_class(p, c == 'P');
    else if (c == 's' || c == 'S')
        add_spaces(p, c == 'S', in_class);
    else
        lc_buf_printf(p->out, "\\%c", c);
    return true;
}

/* ---- Classes in brackets. */

static bool is_posix_name(lc_str name)
{
    static const char *const names[] = {"alnum", "alpha", "ascii", "blank", "cntrl",
                                        "digit", "graph", "lower", "print", "punct",
                                        "space", "upper", "word",  "xdigit"};
    if (name.len && name.ptr[0] == '^')
        name = lc_str_sub(name, 1, name.len);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (lc_str_is(name, names[i]))
            return true;
    }
    return false;
}

/* `[:name:]`: false if it is none; without its end the bracket is a character. */
static bool posix_class(lc_go_pattern *p)
{
    if (lc_go_peek(p, 0) != '[' || lc_go_peek(p, 1) != ':')
        return false;
    for (size_t i = p->at + 2; i + 1 < p->text.len; i++) {
        if (p->text.ptr[i] != ':' || p->text.ptr[i + 1] != ']')
            continue;
        lc_str name = lc_str_sub(p->text, p->at + 2, i);
        if (!is_posix_name(name)) {
            lc_go_fail(p, "invalid character class range");
            return true;
        }
        lc_buf_printf(p->out, "[:%.*s:]", LC_FMT(name));
        p->at = i + 2;
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

static void class_range(lc_go_pattern *p)
{
    uint32_t low = class_rune(p), high = low;
    if (!p->why && lc_go_peek(p, 0) == '-' && p->at + 1 < p->text.len && lc_go_peek(p, 1) != ']') {
        p->at++;
        high = class_rune(p);
        if (high < low)
            lc_go_fail(p, "invalid character class range");
    }
    lc_go_add_rune(p, low);
    if (high == low)
        return;
    lc_buf_add_char(p->out, '-');
    lc_go_add_rune(p, high);
}

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
