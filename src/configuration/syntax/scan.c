/* The scanner: at each place the longest token. */
#include "configuration/syntax/scan.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <string.h>

/* Deeper than any parser; bounds the memory for levels. */
#define MAX_LEVELS 10000

void lc_scan_begin(lc_scanner *s, lc_arena *arena, lc_str text, lc_scan_mode mode)
{
    *s = (lc_scanner){.text = text, .arena = arena};
    LC_PUSH(arena, &s->levels, lc_scan_level)->mode = (uint8_t)mode;
}

static lc_scan_level *top(const lc_scanner *s)
{
    return &s->levels.items[s->levels.count - 1];
}

/* The byte at `at`, or -1 at the end. */
static int byte_at(const lc_scanner *s, size_t at)
{
    return at < s->text.len ? (unsigned char)s->text.ptr[at] : -1;
}

static bool looking_at(const lc_scanner *s, size_t at, const char *what)
{
    for (; *what; what++, at++)
        if (byte_at(s, at) != (unsigned char)*what)
            return false;
    return true;
}

static lc_token token(int type, size_t from, size_t to)
{
    return (lc_token){type, (uint32_t)from, (uint32_t)to};
}

/* ---- Parts of tokens. Each returns the offset after the part, or `at` if it is missing. */

/* The length that a byte announces for a sequence; 0: no sequence begins with it. */
static size_t announced(int first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC0)
        return 0;
    if (first < 0xE0)
        return 2;
    if (first < 0xF0)
        return 3;
    if (first < 0xF8)
        return 4;
    return 0;
}

/* A sequence of bytes with the form of UTF-8, regardless of what it denotes. */
static size_t after_sequence(const lc_scanner *s, size_t at)
{
    int first = byte_at(s, at);
    if (first < 0x80)
        return first < 0 ? at : at + 1;
    size_t len = announced(first);
    for (size_t i = 1; i < len; i++)
        if ((byte_at(s, at + i) & ~0x3F) != 0x80)
            return at;
    return at + len;
}

static size_t after_rune(const lc_scanner *s, size_t at, bool (*is)(uint32_t))
{
    size_t end = at;
    return is(lc_utf8_next(s->text, &end)) ? end : at;
}

static size_t after_name(const lc_scanner *s, size_t at)
{
    size_t from = at;
    for (;;) {
        int c = byte_at(s, at);
        if (lc_is_letter(c) || c == '_' || (at > from && (lc_is_digit(c) || c == '-'))) {
            at++;
            continue;
        }
        if (c < 0x80)
            return at;
        size_t end =
            after_rune(s, at, at == from ? lc_rune_starts_identifier : lc_rune_is_in_identifier);
        if (end == at)
            return at;
        at = end;
    }
}

static size_t after_line_break(const lc_scanner *s, size_t at)
{
    size_t end = byte_at(s, at) == '\r' ? at + 1 : at;
    return byte_at(s, end) == '\n' ? end + 1 : at;
}

/* `e` or `E`, perhaps a sign, and a digit. */
static size_t after_exponent(const lc_scanner *s, size_t at)
{
    int c = byte_at(s, at);
    if (c != 'e' && c != 'E')
        return at;
    c = byte_at(s, at + 1);
    size_t digit = c == '+' || c == '-' ? at + 2 : at + 1;
    return lc_is_digit(byte_at(s, digit)) ? digit + 1 : at;
}

/* Digits, dots and exponents in any order; dots at the end do not belong to the number. */
static size_t after_number(const lc_scanner *s, size_t at)
{
    size_t end = at;
    for (;;) {
        int c = byte_at(s, at);
        size_t next = lc_is_digit(c) || c == '.' ? at + 1 : after_exponent(s, at);
        if (next == at)
            return end;
        at = next;
        if (c != '.')
            end = at;
    }
}

static size_t after_line(const lc_scanner *s, size_t at)
{
    const char *from = s->text.ptr + at, *end = memchr(from, '\n', s->text.len - at);
    return end ? at + (size_t)(end - from) + 1 : s->text.len;
}

/* A comment without an end is not a comment. */
static size_t after_long_comment(lc_scanner *s, size_t at)
{
    for (size_t i = at + 2; !s->no_comment_end && i < s->text.len; i++) {
        const char *star = memchr(s->text.ptr + i, '*', s->text.len - i);
        if (!star)
            break;
        i = (size_t)(star - s->text.ptr);
        if (byte_at(s, i + 1) == '/')
            return i + 2;
    }
    s->no_comment_end = true;
    return at;
}

/* ---- Code. */

/* `<<NAME` or `<<-NAME` with a line break. */
static size_t after_heredoc_mark(const lc_scanner *s, size_t at)
{
    if (!looking_at(s, at, "<<"))
        return at;
    size_t name = byte_at(s, at + 2) == '-' ? at + 3 : at + 2;
    size_t end = after_name(s, name);
    size_t line = end > name ? after_line_break(s, end) : end;
    return line > end ? line : at;
}

/* Operators of more than one character. */
static lc_token operator_at(const lc_scanner *s, size_t at)
{
    static const struct {
        char text[4];
        int type;
    } rows[] = {
        {"==", LC_TOKEN_EQUAL},        {"!=", LC_TOKEN_NOT_EQUAL}, {"<=", LC_TOKEN_LESS_EQUAL},
        {">=", LC_TOKEN_MORE_EQUAL},   {"&&", LC_TOKEN_AND},       {"||", LC_TOKEN_OR},
        {"::", LC_TOKEN_DOUBLE_COLON}, {"...", LC_TOKEN_ELLIPSIS}, {"=>", LC_TOKEN_FAT_ARROW},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (looking_at(s, at, rows[i].text))
            return token(rows[i].type, at, at + strlen(rows[i].text));
    return token((unsigned char)s->text.ptr[at], at, at + 1);
}

/* Anything that begins no other token. */
static lc_token strange(const lc_scanner *s, size_t at)
{
    size_t end = after_sequence(s, at);
    return end > at ? token(LC_TOKEN_INVALID, at, end) : token(LC_TOKEN_BAD_UTF8, at, at + 1);
}

/* A brace ends the code in a template, or a pair of braces within. */
static lc_token closing(const lc_scanner *s, size_t at, size_t end)
{
    const lc_scan_level *level = top(s);
    bool ends = s->levels.count > 1 && level->braces == s->braces;
    return token(ends || end > at + 1 ? LC_TOKEN_SEQUENCE_END : '}', at, end);
}

static lc_token slash(lc_scanner *s, size_t at)
{
    int next = byte_at(s, at + 1);
    if (next == '/')
        return token(LC_TOKEN_COMMENT, at, after_line(s, at));
    size_t end = next == '*' ? after_long_comment(s, at) : at;
    return end > at ? token(LC_TOKEN_COMMENT, at, end) : token('/', at, at + 1);
}

/* Characters that denote themselves or begin an operator. */
static lc_token symbol(lc_scanner *s, size_t at)
{
    size_t end;
    int c = byte_at(s, at);
    switch (c) {
    case '\r':
        end = after_line_break(s, at);
        return end > at ? token('\n', at, end) : strange(s, at);
    case '#':
        return token(LC_TOKEN_COMMENT, at, after_line(s, at));
    case '/':
        return slash(s, at);
    case '"':
        return token(LC_TOKEN_OPEN_QUOTE, at, at + 1);
    case '}':
        return closing(s, at, at + 1);
    case '~':
        return byte_at(s, at + 1) == '}' ? closing(s, at, at + 2) : token('~', at, at + 1);
    case '<':
        end = after_heredoc_mark(s, at);
        return end > at ? token(LC_TOKEN_OPEN_HEREDOC, at, end) : operator_at(s, at);
    default:
        return c && c < 0x80 && strchr("\n[](){}.,*%+-=>!?:&|^;`'", c) ? operator_at(s, at)
                                                                       : strange(s, at);
    }
}

static lc_token scan_code(lc_scanner *s, size_t at)
{
    int c;
    while ((c = byte_at(s, at)) == ' ' || c == '\t')
        at++;
    if (c < 0)
        return token(LC_TOKEN_EOF, at, at);
    size_t end = after_name(s, at);
    if (end > at)
        return token(LC_TOKEN_IDENTIFIER, at, end);
    if (lc_is_digit(c))
        return token(LC_TOKEN_NUMBER, at, after_number(s, at));
    return symbol(s, at);
}

/* ---- Templates. */

/* A `$` or `%` that begins no sequence: `$${` is an escape, else the sign denotes itself if another
 * character follows. Returns `at` if nothing follows. */
static size_t after_sign(const lc_scanner *s, size_t at)
{
    int c = byte_at(s, at);
    if (byte_at(s, at + 1) != c || byte_at(s, at + 2) != '{')
        return byte_at(s, at + 1) < 0 ? at : at + 1;
    return byte_at(s, at + 3) == '~' ? at + 4 : at + 3;
}

/* The token `${` or `%{`, if it is there. */
static bool sequence_at(const lc_scanner *s, size_t at, lc_token *out)
{
    int c = byte_at(s, at);
    if ((c != '$' && c != '%') || byte_at(s, at + 1) != '{')
        return false;
    size_t end = byte_at(s, at + 2) == '~' ? at + 3 : at + 2;
    *out = token(c == '$' ? LC_TOKEN_INTERPOLATION : LC_TOKEN_DIRECTIVE, at, end);
    return true;
}

static size_t after_quoted(const lc_scanner *s, size_t at)
{
    for (;;) {
        int c = byte_at(s, at);
        if (c < 0 || c == '$' || c == '%' || c == '"' || c == '\r' || c == '\n')
            return at;
        size_t from = c == '\\' ? at + 1 : at;
        int escaped = byte_at(s, from);
        size_t end = escaped == '\r' || escaped == '\n' ? from : after_sequence(s, from);
        if (end == from)
            return at;
        at = end;
    }
}

static lc_token scan_quoted(const lc_scanner *s, size_t at)
{
    lc_token sequence;
    int c = byte_at(s, at);
    if (c < 0)
        return token(LC_TOKEN_EOF, at, at);
    if (sequence_at(s, at, &sequence))
        return sequence;
    if (c == '"')
        return token(LC_TOKEN_CLOSE_QUOTE, at, at + 1);
    size_t end = c == '$' || c == '%' ? after_sign(s, at) : after_quoted(s, at);
    if (end > at)
        return token(LC_TOKEN_QUOTED, at, end);
    while ((c = byte_at(s, end)) == '\r' || c == '\n')
        end++;
    return end > at ? token(LC_TOKEN_QUOTED_NEWLINE, at, end) : strange(s, at);
}

/* Text without quotes up to a sign or the end of the line. */
static size_t after_text(const lc_scanner *s, size_t at)
{
    for (;;) {
        int c = byte_at(s, at);
        if (c < 0 || c == '$' || c == '%' || c == '\r' || c == '\n')
            return at;
        size_t end = after_sequence(s, at);
        if (end == at)
            return at;
        at = end;
    }
}

/* A line of a heredoc that consists of its name ends it. */
static bool is_heredoc_end(const lc_scanner *s, size_t from, size_t to)
{
    const lc_scan_level *level = top(s);
    return level->line_start && lc_str_eq(lc_trim_space(lc_str_sub(s->text, from, to)),
                                          lc_str_sub(s->text, level->from, level->to));
}

/* A sign that denotes itself, in text without quotes. HCL's scanner takes one more byte if the line
 * ends after that byte, and both are a separate token. */
static size_t after_lone_sign(const lc_scanner *s, size_t at)
{
    int next = byte_at(s, at + 2);
    return next == '\n' || next == '\r' ? at + 2 : at + 1;
}

/* Where nothing fits, the rest of the text is one invalid token: a carriage return without a line
 * feed, a sign at the end. If the whole text is a template, it is text. */
static lc_token scan_text(const lc_scanner *s, size_t at)
{
    lc_token sequence;
    int c = byte_at(s, at);
    bool heredoc = top(s)->mode == LC_SCAN_HEREDOC;
    if (c < 0)
        return token(LC_TOKEN_EOF, at, at);
    if (sequence_at(s, at, &sequence))
        return sequence;
    size_t text = c == '$' || c == '%' ? after_sign(s, at) : after_text(s, at);
    if (text == at + 1 && (c == '$' || c == '%'))
        return token(LC_TOKEN_TEXT, at, after_lone_sign(s, at));
    size_t end = after_line_break(s, text);
    if (heredoc && end > text && is_heredoc_end(s, at, text))
        return token(LC_TOKEN_CLOSE_HEREDOC, at, text);
    if (end > at)
        return token(LC_TOKEN_TEXT, at, end);
    if (c >= 0x80)
        return token(LC_TOKEN_BAD_UTF8, at, at + 1);
    return token(heredoc ? LC_TOKEN_INVALID : LC_TOKEN_TEXT, at, s->text.len);
}

lc_token lc_scan(lc_scanner *s, size_t at)
{
    switch ((lc_scan_mode)top(s)->mode) {
    case LC_SCAN_CODE:
        return scan_code(s, at);
    case LC_SCAN_QUOTED:
        return scan_quoted(s, at);
    case LC_SCAN_HEREDOC:
    case LC_SCAN_BARE:
        break;
    }
    return scan_text(s, at);
}

/* ---- Effects. */

static void push(lc_scanner *s, lc_scan_mode mode)
{
    LC_PUSH(s->arena, &s->levels, lc_scan_level)->mode = (uint8_t)mode;
}

static void open_heredoc(lc_scanner *s, lc_token t)
{
    push(s, LC_SCAN_HEREDOC);
    lc_scan_level *level = top(s);
    level->line_start = true;
    level->from = t.from + (s->text.ptr[t.from + 2] == '-' ? 3 : 2);
    level->to = t.to - (s->text.ptr[t.to - 2] == '\r' ? 2 : 1);
}

static void open_sequence(lc_scanner *s)
{
    top(s)->line_start = false;
    push(s, LC_SCAN_CODE);
    top(s)->braces = ++s->braces;
}

/* A `~}` that ends no sequence counts as a brace nevertheless. */
static void close_sequence(lc_scanner *s)
{
    if (s->levels.count > 1 && top(s)->braces == s->braces)
        s->levels.count--;
    s->braces--;
}

bool lc_scan_accept(lc_scanner *s, lc_token t)
{
    switch (t.type) {
    case '{':
        s->braces++;
        break;
    case '}':
        s->braces--;
        break;
    case LC_TOKEN_OPEN_QUOTE:
        push(s, LC_SCAN_QUOTED);
        break;
    case LC_TOKEN_OPEN_HEREDOC:
        open_heredoc(s, t);
        break;
    case LC_TOKEN_INTERPOLATION:
    case LC_TOKEN_DIRECTIVE:
        open_sequence(s);
        break;
    case LC_TOKEN_SEQUENCE_END:
        close_sequence(s);
        break;
    case LC_TOKEN_CLOSE_QUOTE:
    case LC_TOKEN_CLOSE_HEREDOC:
        s->levels.count--;
        break;
    case LC_TOKEN_TEXT:
        top(s)->line_start = s->text.ptr[t.to - 1] == '\n';
        break;
    default:
        break;
    }
    return s->levels.count <= MAX_LEVELS;
}
