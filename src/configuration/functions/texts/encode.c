/* Functions that encode strings as strings: Base64, URLs, character encodings. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/codec/codec.h"

#include <string.h>

/* ---- Base64. */

bool lc_fn_give_base64(lc_fn_call *c, lc_str bytes)
{
    lc_buf buf = LC_MADE_TEXT;
    lc_base64_encode(&buf, bytes);
    return lc_fn_give_made(c, &buf);
}

bool lc_fn_base64encode(lc_fn_call *c)
{
    return lc_fn_give_base64(c, lc_fn_text(c, 0));
}

/* Go skips line breaks and ignores bits that do not reach the output. */
bool lc_fn_from_base64(lc_fn_call *c, lc_str text, lc_str *out)
{
    char *kept = lc_arena_alloc(c->e->arena, text.len + 1);
    size_t len = 0, at;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\n' && text.ptr[i] != '\r')
            kept[len++] = text.ptr[i];
    size_t digits = len;
    while (digits > 0 && len - digits < 2 && kept[digits - 1] == '=')
        digits--;
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *last =
        digits > 0 && kept[digits - 1] != '\0' ? strchr(alphabet, kept[digits - 1]) : NULL;
    size_t unused = digits % 4 == 2 ? 0xF : digits % 4 == 3 ? 0x3 : 0;
    if (last && len % 4 == 0)
        kept[digits - 1] = alphabet[(size_t)(last - alphabet) & ~unused];
    return lc_base64_decode(out, c->e->arena, (lc_str){kept, len}, &at);
}

bool lc_fn_base64decode(lc_fn_call *c)
{
    lc_str bytes;
    bool known = !lc_is_unknown(lc_fn_arg(c, 0));
    if (known && !lc_fn_from_base64(c, lc_fn_text(c, 0), &bytes))
        return lc_fn_fail(c, "the string is not Base64");
    if (known && !lc_utf8_valid(bytes))
        return lc_fn_fail(c, "the decoded bytes are not UTF-8");
    if (known)
        lc_fn_give_text(c, bytes);
    else
        lc_fn_give_unknown(c);
    lc_fn_add_marks(c, 0);
    return true;
}

/* ---- URLs: the query part. */

bool lc_fn_urlencode(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    lc_str text = lc_fn_text(c, 0);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char ch = (unsigned char)text.ptr[i];
        if (ch == ' ')
            lc_buf_add_char(&buf, '+');
        else if (ch < 0x80 && (lc_is_alnum((char)ch) || (ch && strchr("-_.~", ch))))
            lc_buf_add_char(&buf, (char)ch);
        else
            lc_buf_printf(&buf, "%%%02X", ch);
    }
    return lc_fn_give_made(c, &buf);
}

bool lc_fn_urldecode(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    lc_str text = lc_fn_text(c, 0);
    for (size_t i = 0; i < text.len; i++) {
        char ch = text.ptr[i];
        int high = ch == '%' && i + 2 < text.len ? lc_hex_digit(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? lc_hex_digit(text.ptr[i + 2]) : -1;
        if (ch == '%' && low < 0) {
            lc_buf_release(&buf);
            return lc_fn_fail(c, "a percent sign is not followed by two hexadecimal digits");
        }
        lc_buf_add_char(&buf, ch == '%' ? (char)(high * 16 + low) : ch == '+' ? ' ' : ch);
        i += ch == '%' ? 2 : 0;
    }
    return lc_fn_give_made(c, &buf);
}
