/* Functions that are evaluated for simple input only: whole numbers, ASCII text, lists. For
 * anything else the result is undecided instead of perhaps wrong. */
#include "configuration/functions/functions.h"

#include "lifecheck/codec.h"

#include <string.h>

static bool undecided(lc_fn_call *c, const char *reason)
{
    c->result = lc_undecided_value(c->e->arena, lc_str_from_c(reason), c->expr->place);
    return true;
}

/* ---- Numbers. */

/* An argument as a whole number. *whole is false if it is a fraction or exceeds 64 bits. */
static bool number(lc_fn_call *c, size_t at, int64_t *out, bool *whole)
{
    const lc_value *v;
    if (!lc_fn_argument(c, at, &lc_type_number, &v))
        return false;
    *whole = lc_num_to_int64(v->as.number, out);
    return true;
}

bool lc_fn_abs(lc_fn_call *c)
{
    int64_t n;
    bool whole;
    if (!number(c, 0, &n, &whole))
        return false;
    if (!whole || n == INT64_MIN)
        return undecided(c, "only whole numbers are evaluated here");
    return lc_fn_give_number(c, n < 0 ? -n : n);
}

bool lc_fn_signum(lc_fn_call *c)
{
    const lc_value *v;
    return lc_fn_argument(c, 0, &lc_type_number, &v) &&
           lc_fn_give_number(c, lc_num_sign(v->as.number));
}

bool lc_fn_sum(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    const lc_value *list = lc_fn_arg(c, 0);
    int64_t total = 0;
    if (!lc_fn_is_list(list) || list->count == 0)
        return lc_fn_bad_argument(c, 0, "a list of numbers is required");
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v;
        lc_str why;
        int64_t n;
        if (lc_is_null(&list->as.many.elems[i]) ||
            !lc_value_convert(&v, c->e->arena, &list->as.many.elems[i], &lc_type_number, &why))
            return lc_fn_bad_argument(c, 0, "numbers are required");
        if (!lc_num_to_int64(v->as.number, &n) || __builtin_add_overflow(total, n, &total))
            return undecided(c, "only whole numbers are evaluated here");
    }
    return lc_fn_give_number(c, total);
}

/* ---- Texts. */

static bool plain(lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] >= 0x80)
            return false;
    }
    return true;
}

/* The first argument, if it is ASCII. *done: the result is undecided already, because it is not. */
static bool plain_text(lc_fn_call *c, lc_str *out, bool *done)
{
    *done = false;
    if (!lc_fn_text_argument(c, 0, out))
        return false;
    *done = !plain(*out) && undecided(c, "only texts of ASCII characters are evaluated here");
    return true;
}

bool lc_fn_chomp(lc_fn_call *c)
{
    lc_str text;
    if (!lc_fn_text_argument(c, 0, &text))
        return false;
    while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
        text.len--;
    return lc_fn_give_text(c, text);
}

/* Reversing bytes reverses characters only in ASCII text; the cores reverse grapheme clusters. */
bool lc_fn_strrev(lc_fn_call *c)
{
    lc_str text;
    bool done;
    if (!plain_text(c, &text, &done) || done)
        return done;
    char *to = lc_arena_alloc(c->e->arena, text.len);
    for (size_t i = 0; i < text.len; i++)
        to[i] = text.ptr[text.len - 1 - i];
    return lc_fn_give_text(c, (lc_str){to, text.len});
}

/* A negative offset counts from the end; length -1 means up to the end. */
bool lc_fn_substr(lc_fn_call *c)
{
    lc_str text;
    bool done, whole[2];
    int64_t from, length;
    if (!plain_text(c, &text, &done) || done)
        return done;
    if (!number(c, 1, &from, &whole[0]) || !number(c, 2, &length, &whole[1]))
        return false;
    int64_t size = (int64_t)text.len;
    if (!whole[0] || !whole[1] || from < -size || length < -1)
        return undecided(c, "this part of a text is not evaluated");
    from = from < 0 ? from + size : from > size ? size : from;
    if (length < 0 || length > size - from)
        length = size - from;
    return lc_fn_give_text(c, lc_str_sub(text, (size_t)from, (size_t)(from + length)));
}

bool lc_fn_trim(lc_fn_call *c)
{
    lc_str text, cut;
    bool done;
    if (!plain_text(c, &text, &done) || done)
        return done;
    if (!lc_fn_text_argument(c, 1, &cut))
        return false;
    if (!plain(cut))
        return undecided(c, "only texts of ASCII characters are evaluated here");
    size_t from = 0, to = text.len;
    while (from < to && memchr(cut.ptr, text.ptr[from], cut.len))
        from++;
    while (to > from && memchr(cut.ptr, text.ptr[to - 1], cut.len))
        to--;
    return lc_fn_give_text(c, lc_str_sub(text, from, to));
}

/* Spaces are inserted after each line break, so the first line stays as it is. */
bool lc_fn_indent(lc_fn_call *c)
{
    lc_str text;
    int64_t n;
    bool whole;
    lc_buf buf = {0};
    if (!number(c, 0, &n, &whole) || !lc_fn_text_argument(c, 1, &text))
        return false;
    if (!whole || n < 0 || n > 1000)
        return undecided(c, "this indentation is not evaluated");
    for (size_t i = 0; i < text.len; i++) {
        lc_buf_add_char(&buf, text.ptr[i]);
        for (int64_t k = 0; text.ptr[i] == '\n' && k < n; k++)
            lc_buf_add_char(&buf, ' ');
    }
    bool ok = lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

static bool in_word(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           ch == '_';
}

/* Upper case for the first letter of each word. */
bool lc_fn_title(lc_fn_call *c)
{
    lc_str text;
    bool done;
    if (!plain_text(c, &text, &done) || done)
        return done;
    char *to = lc_arena_alloc(c->e->arena, text.len);
    for (size_t i = 0; i < text.len; i++) {
        char ch = text.ptr[i];
        bool first = i == 0 || !in_word(text.ptr[i - 1]);
        to[i] = first && ch >= 'a' && ch <= 'z' ? (char)(ch - 'a' + 'A') : ch;
    }
    return lc_fn_give_text(c, (lc_str){to, text.len});
}

bool lc_fn_basename(lc_fn_call *c)
{
    lc_str text;
    if (!lc_fn_text_argument(c, 0, &text))
        return false;
    if (!text.len)
        return lc_fn_give_text(c, LC_STR("."));
    while (text.len > 1 && text.ptr[text.len - 1] == '/')
        text.len--;
    size_t from = text.len;
    while (from > 0 && text.ptr[from - 1] != '/')
        from--;
    return lc_fn_give_text(c, from < text.len ? lc_str_sub(text, from, text.len) : text);
}

/* Groups of three bytes become four digits; missing bytes become `=`. */
bool lc_fn_base64encode(lc_fn_call *c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    lc_str text;
    lc_buf buf = {0};
    if (!lc_fn_text_argument(c, 0, &text))
        return false;
    for (size_t i = 0; i < text.len; i += 3) {
        unsigned long bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < text.len ? (unsigned char)text.ptr[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            lc_buf_add_char(&buf, i + k <= text.len ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
    bool ok = lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

/* ---- Lists. */

/* `alltrue` (`all`) and `anytrue`. Elements are examined in order, as in the cores: one before an
 * unknown element may decide. */
static bool truths(lc_fn_call *c, bool all)
{
    const lc_value *list = lc_fn_arg(c, 0);
    bool open = false;
    if (!lc_fn_is_list(list))
        return lc_fn_bad_argument(c, 0, "a list of bools is required");
    for (uint32_t i = 0; i < list->count && !(all && open); i++) {
        const lc_value *v;
        lc_str why;
        if (!lc_value_convert(&v, c->e->arena, &list->as.many.elems[i], &lc_type_bool, &why))
            return lc_fn_bad_argument(c, 0, "truths are required");
        if (lc_is_unknown(v))
            open = true;
        else if ((lc_is_null(v) ? false : v->as.boolean) != all)
            return lc_fn_give_bool(c, !all);
    }
    if (open)
        c->result = lc_eval_unknown(c->e, &lc_type_bool);
    return open || lc_fn_give_bool(c, all);
}

bool lc_fn_alltrue(lc_fn_call *c)
{
    return truths(c, true);
}

bool lc_fn_anytrue(lc_fn_call *c)
{
    return truths(c, false);
}

/* The first element that is certainly equal. */
bool lc_fn_index(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    const lc_value *list = lc_fn_arg(c, 0);
    if (!lc_fn_is_sequence(list))
        return lc_fn_fail(c, "a list is required");
    for (uint32_t i = 0; i < list->count; i++) {
        if (lc_value_equals(&list->as.many.elems[i], lc_fn_arg(c, 1)) == LC_TRUE)
            return lc_fn_give_number(c, i);
    }
    return lc_fn_fail(c, "the list has no such element");
}

/* ---- JSON. */

bool lc_fn_jsonencode(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_buf buf = {0};
    const lc_value *v = lc_fn_arg(c, 0);
    lc_str why;
    bool ok = lc_ctyjson_encode(&buf, v, v->type, &why)
                  ? lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf))
                  : undecided(c, "this value is not written as JSON");
    lc_buf_release(&buf);
    return ok;
}
