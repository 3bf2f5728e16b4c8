/* Strings of tokens: escapes, and strings in which no templates are allowed. */
#include "configuration/syntax/parser.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

/* Text with escapes that are being resolved. */
typedef struct unescaping {
    lc_parser *p;
    lc_str text;
    size_t from; /* of the text, in the parser's */
    size_t at;
    lc_buf out;
} unescaping;

static void bad_escape(unescaping *u, const char *detail)
{
    lc_syntax_error(u->p, u->from + u->at, LC_SUMMARY_ESCAPE_SEQUENCE, detail);
}

/* Appends the next `len` bytes as they are. */
static void keep(unescaping *u, size_t len)
{
    lc_buf_add_str(&u->out, lc_str_sub(u->text, u->at, u->at + len));
    u->at += len;
}

/* \uXXXX and \UXXXXXXXX. What is wrong stays as it is. */
static void code_point(unescaping *u, size_t digits)
{
    uint32_t rune = 0;
    size_t end = u->at + 2;
    int digit;
    while (end < u->text.len && end < u->at + 2 + digits &&
           (digit = lc_hex_digit(u->text.ptr[end])) >= 0) {
        rune = rune << 4 | (uint32_t)digit;
        end++;
    }
    if (end < u->at + 2 + digits) {
        bad_escape(u, digits == 4 ? "four hexadecimal digits must follow \\u"
                                  : "eight hexadecimal digits must follow \\U");
        keep(u, end - u->at);
    } else if (rune > 0x10FFFF || (rune >= 0xD800 && rune <= 0xDFFF)) {
        bad_escape(u, "there is no such character");
        keep(u, end - u->at);
    } else {
        char bytes[4];
        lc_buf_add(&u->out, bytes, lc_utf8_put(bytes, rune));
        u->at = end;
    }
}

/* A backslash and what follows. An unknown escape loses its backslash. */
static void escape(unescaping *u)
{
    static const char from[] = "nrt\"\\", to[] = "\n\r\t\"\\";
    char c = u->at + 1 < u->text.len ? u->text.ptr[u->at + 1] : '\0';
    const char *found = c ? strchr(from, c) : NULL;
    if (found) {
        lc_buf_add_char(&u->out, to[found - from]);
        u->at += 2;
    } else if (c == 'u' || c == 'U') {
        code_point(u, c == 'u' ? 4 : 8);
    } else {
        bad_escape(u, "this is not an escape; a backslash is written \\\\");
        u->at++;
    }
}

/* `$${` and `%%{` denote themselves without the first sign. The scanner cuts the text so that they
 * can only be at its beginning. */
static size_t doubled_sign(lc_str text)
{
    bool is = text.len > 2 && (text.ptr[0] == '$' || text.ptr[0] == '%') &&
              text.ptr[1] == text.ptr[0] && text.ptr[2] == '{';
    return is ? 1 : 0;
}

lc_str lc_syntax_unescape(lc_parser *p, lc_token token)
{
    lc_str text = lc_syntax_text(p, token);
    size_t skipped = doubled_sign(text);
    text = lc_str_sub(text, skipped, text.len);
    if (token.type != LC_TOKEN_QUOTED || !memchr(text.ptr, '\\', text.len))
        return text;
    unescaping u = {.p = p, .text = text, .from = token.from + skipped};
    while (u.at < text.len) {
        if (text.ptr[u.at] == '\\')
            escape(&u);
        else
            keep(&u, lc_str_find(text, u.at, '\\') - u.at);
    }
    return lc_buf_take(p->arena, &u.out);
}

/* ---- Labels. */

/* A template in a label: an error; it is left out. */
static void template_in_label(lc_parser *p, lc_token sequence)
{
    lc_syntax_error(p, sequence.from, LC_SUMMARY_STRING_LITERAL,
                    "no templates are allowed in this string; $${ and %%{ stand for ${ and %{");
    lc_syntax_recover(p, LC_TOKEN_SEQUENCE_END);
}

/* One token of a label. False: the label ends with it. */
static bool label_token(lc_parser *p, lc_buf *text)
{
    lc_token t = lc_syntax_read(p);
    switch (t.type) {
    case LC_TOKEN_CLOSE_QUOTE:
        return false;
    case LC_TOKEN_QUOTED:
        lc_buf_add_str(text, lc_syntax_unescape(p, t));
        return true;
    case LC_TOKEN_INTERPOLATION:
    case LC_TOKEN_DIRECTIVE:
        template_in_label(p, t);
        return true;
    case LC_TOKEN_EOF:
        lc_syntax_error(p, t.from, LC_SUMMARY_STRING_UNTERMINATED, "the closing quote is missing");
        return false;
    default:
        lc_syntax_error(p, t.from, LC_SUMMARY_STRING_LITERAL,
                        "a label is a plain string on one line; is its closing quote missing?");
        lc_syntax_recover(p, LC_TOKEN_CLOSE_QUOTE);
        return false;
    }
}

lc_str lc_syntax_label(lc_parser *p)
{
    lc_buf text = {0};
    lc_syntax_read(p);
    while (label_token(p, &text))
        ;
    return lc_buf_take(p->arena, &text);
}
