/* Strings from inputs inside XML and HTML, and names of cases. */
#include "lifecheck/base/utf8.h"
#include "report/internal.h"

#include <string.h>

/* The characters of XML 1.0 without the controls that HTML does not know. */
static bool is_character(uint32_t rune)
{
    if (rune == '\n' || rune == '\t')
        return true;
    return rune >= 0x20 && !(rune >= 0x7f && rune < 0xa0) && rune != LC_RUNE_BAD &&
           (rune & 0xfffe) != 0xfffe && !(rune >= 0xfdd0 && rune <= 0xfdef);
}

static const char *reference(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void lc_markup_add(lc_buf *out, lc_str text)
{
    size_t at = 0;
    while (at < text.len) {
        size_t start = at;
        const char *escaped = reference(text.ptr[at]);
        if (!is_character(lc_utf8_next(text, &at)))
            lc_buf_add_c(out, "\xef\xbf\xbd");
        else if (escaped)
            lc_buf_add_c(out, escaped);
        else
            lc_buf_add_str(out, lc_str_sub(text, start, at));
    }
}

void lc_add_cell_lines(lc_buf *out, lc_str text, void (*add_words)(lc_buf *out, lc_str words))
{
    while (text.len) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t length = end ? (size_t)(end - text.ptr) : text.len;
        add_words(out, lc_str_sub(text, 0, length));
        lc_buf_add_c(out, end ? "<br>" : "");
        text = lc_str_sub(text, end ? length + 1 : length, text.len);
    }
}

void lc_add_case_name(lc_buf *out, const lc_case *subject)
{
    lc_text_words(out, subject->file);
    if (subject->name.len == 0)
        return;
    lc_buf_add_char(out, '#');
    lc_text_words(out, subject->name);
}
