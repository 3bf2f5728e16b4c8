/* Go's %q, and quoted strings of the configuration language. */
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <string.h>
#include <utf8proc.h>

/* Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
static bool is_print(uint32_t rune)
{
    if (rune < 0x80)
        return rune >= 0x20 && rune < 0x7F;
    switch ((int)utf8proc_category((utf8proc_int32_t)rune)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
        return false;
    default:
        return true;
    }
}

static void add_escape(lc_buf *buf, uint32_t rune)
{
    static const char controls[] = "\a\b\f\n\r\t\v", letters[] = "abfnrtv";
    for (size_t i = 0; i < sizeof letters - 1; i++) {
        if (rune == (uint32_t)controls[i]) {
            lc_buf_printf(buf, "\\%c", letters[i]);
            return;
        }
    }
    if (rune < 0x20 || rune == 0x7F)
        lc_buf_printf(buf, "\\x%02x", (unsigned)rune);
    else if (rune < 0x10000)
        lc_buf_printf(buf, "\\u%04x", (unsigned)rune);
    else
        lc_buf_printf(buf, "\\U%08x", (unsigned)rune);
}

/* Runs of ordinary characters are appended at once. Invalid bytes are written as \xNN. */
void lc_buf_add_go_quoted(lc_buf *buf, lc_str s)
{
    lc_buf_add_char(buf, '"');
    size_t at = 0, plain = 0;
    while (at < s.len) {
        size_t start = at;
        unsigned char byte = (unsigned char)s.ptr[at];
        if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
            at++;
            continue;
        }
        uint32_t rune = lc_utf8_next(s, &at);
        bool bad = rune == LC_RUNE_BAD;
        if (!bad && rune != '"' && rune != '\\' && is_print(rune))
            continue;
        lc_buf_add(buf, s.ptr + plain, start - plain);
        plain = at;
        if (bad)
            lc_buf_printf(buf, "\\x%02x", (unsigned char)s.ptr[start]);
        else if (rune == '"' || rune == '\\')
            lc_buf_printf(buf, "\\%c", (int)rune);
        else
            add_escape(buf, rune);
    }
    lc_buf_add(buf, s.ptr + plain, s.len - plain);
    lc_buf_add_char(buf, '"');
}

/* `${` and `%{` would begin a template, so their first character is doubled. Invalid bytes are
 * kept. */
void lc_buf_add_hcl_quoted(lc_buf *buf, lc_str s)
{
    static const char controls[] = "\n\r\t\"\\", letters[] = "nrt\"\\";
    lc_buf_add_char(buf, '"');
    size_t at = 0;
    while (at < s.len) {
        size_t start = at;
        uint32_t rune = lc_utf8_next(s, &at);
        const char *found = rune && rune < 0x80 ? strchr(controls, (int)rune) : NULL;
        if (found)
            lc_buf_printf(buf, "\\%c", letters[found - controls]);
        else if (rune != LC_RUNE_BAD && !is_print(rune))
            lc_buf_printf(buf, rune < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)rune);
        else
            lc_buf_add(buf, s.ptr + start, at - start);
        if ((rune == '$' || rune == '%') && at < s.len && s.ptr[at] == '{')
            lc_buf_add_char(buf, (char)rune);
    }
    lc_buf_add_char(buf, '"');
}
