/* Functions on strings. Characters are grapheme clusters where go-cty counts them, code points or
 * bytes where it uses Go's strings package. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/utf8.h"

#include <string.h>

bool lc_fn_give_made(lc_fn_call *c, lc_buf *buf)
{
    bool ok = buf->overflow ? lc_fn_give_undecided(c, "the string would be larger than 16 MiB")
                            : lc_fn_give_text(c, lc_buf_copy(c->e->arena, buf));
    lc_buf_release(buf);
    return ok;
}

bool lc_fn_whole(lc_fn_call *c, size_t at, int64_t *out)
{
    return lc_fn_int(c, at, out) || lc_fn_fail(c, "a whole number of at most 64 bits is required");
}

lc_marked lc_fn_item(lc_fn_call *c, lc_str text)
{
    lc_value v;
    lc_value_set_string(&v, c->e->arena, text);
    return (lc_marked){lc_value_new(c->e->arena, &v), NULL};
}

void lc_fn_add_item(lc_fn_call *c, lc_fn_items *items, lc_str text)
{
    *LC_PUSH(c->e->arena, &items->list, lc_marked) = lc_fn_item(c, text);
}

/* ---- Letter case. */

bool lc_fn_upper(lc_fn_call *c)
{
    return lc_fn_give_text(c, lc_to_case(c->e->arena, lc_fn_text(c, 0), LC_UPPER));
}

bool lc_fn_lower(lc_fn_call *c)
{
    return lc_fn_give_text(c, lc_to_case(c->e->arena, lc_fn_text(c, 0), LC_LOWER));
}

bool lc_fn_title(lc_fn_call *c)
{
    return lc_fn_give_text(c, lc_to_case(c->e->arena, lc_fn_text(c, 0), LC_TITLE));
}

/* ---- Ends. */

bool lc_fn_chomp(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0);
    while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
        text.len--;
    return lc_fn_give_text(c, text);
}

bool lc_fn_trimspace(lc_fn_call *c)
{
    return lc_fn_give_text(c, lc_trim_space(lc_fn_text(c, 0)));
}

static bool has_rune(lc_str set, uint32_t rune)
{
    for (size_t at = 0; at < set.len;) {
        if (lc_utf8_next(set, &at) == rune)
            return true;
    }
    return false;
}

/* Cuts code points that the second text contains off both ends. */
bool lc_fn_trim(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0), set = lc_fn_text(c, 1);
    size_t from = text.len, end = 0;
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        if (has_rune(set, lc_utf8_next(text, &at)))
            continue;
        from = start < from ? start : from;
        end = at;
    }
    return lc_fn_give_text(c, end > from ? lc_str_sub(text, from, end) : LC_STR_EMPTY);
}

bool lc_fn_trimprefix(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0), what = lc_fn_text(c, 1);
    size_t cut = lc_str_starts_with(text, what) ? what.len : 0;
    return lc_fn_give_text(c, lc_str_sub(text, cut, text.len));
}

bool lc_fn_trimsuffix(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0), what = lc_fn_text(c, 1);
    size_t cut = lc_str_ends_with(text, what) ? what.len : 0;
    return lc_fn_give_text(c, lc_str_sub(text, 0, text.len - cut));
}

/* ---- Questions. */

/* An unknown text may have a known prefix, which can decide. */
static bool unknown_starts_with(lc_fn_call *c, lc_str what)
{
    const lc_refinement *known = lc_value_refinement(lc_fn_arg(c, 0));
    lc_str prefix = known && known->has_prefix ? known->prefix : LC_STR_EMPTY;
    if (what.len == 0 || (prefix.len > 0 && lc_str_starts_with(prefix, what)))
        return lc_fn_give_bool(c, true);
    if (prefix.len > 0 && prefix.len >= what.len)
        return lc_fn_give_bool(c, false);
    return lc_fn_give_unknown(c);
}

bool lc_fn_startswith(lc_fn_call *c)
{
    if (lc_is_unknown(lc_fn_arg(c, 0)))
        return unknown_starts_with(c, lc_fn_text(c, 1));
    return lc_fn_give_bool(c, lc_str_starts_with(lc_fn_text(c, 0), lc_fn_text(c, 1)));
}

bool lc_fn_endswith(lc_fn_call *c)
{
    return lc_fn_give_bool(c, lc_str_ends_with(lc_fn_text(c, 0), lc_fn_text(c, 1)));
}

bool lc_fn_strcontains(lc_fn_call *c)
{
    return lc_fn_give_bool(c, lc_str_contains(lc_fn_text(c, 0), lc_fn_text(c, 1)));
}

/* ---- Parts. */

bool lc_fn_strrev(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0);
    char *to = lc_arena_alloc(c->e->arena, text.len);
    for (size_t at = 0, end; at < text.len; at = end) {
        end = lc_grapheme_end(text, at);
        memcpy(to + (text.len - end), text.ptr + at, end - at);
    }
    return lc_fn_give_text(c, (lc_str){to, text.len});
}

/* The offset after `count` clusters from `at` on, or the end. */
static size_t skip_clusters(lc_str text, size_t at, int64_t count)
{
    while (count-- > 0 && at < text.len)
        at = lc_grapheme_end(text, at);
    return at;
}

/* A negative offset counts from the end, a negative length means all that is left. With a negative
 * offset the length 0 means that, too: so it is in go-cty. */
bool lc_fn_substr(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0);
    int64_t from, length;
    if (!lc_fn_whole(c, 1, &from) || !lc_fn_whole(c, 2, &length))
        return false;
    if (from >= 0 && length == 0)
        return lc_fn_give_text(c, LC_STR_EMPTY);
    if (from < 0)
        from += (int64_t)lc_grapheme_count(text);
    size_t start = skip_clusters(text, 0, from);
    size_t end = length > 0 ? skip_clusters(text, start, length) : text.len;
    return lc_fn_give_text(c, lc_str_sub(text, start, end));
}

static void split_runes(lc_fn_call *c, lc_fn_items *items, lc_str text)
{
    for (size_t at = 0, from = 0; at < text.len; from = at) {
        lc_utf8_next(text, &at);
        lc_fn_add_item(c, items, lc_str_sub(text, from, at));
    }
}

/* An empty separator splits into code points. */
bool lc_fn_split(lc_fn_call *c)
{
    lc_str separator = lc_fn_text(c, 0), text = lc_fn_text(c, 1);
    lc_fn_items items = {{0}};
    size_t from = 0, at = 0;
    if (separator.len == 0)
        split_runes(c, &items, text);
    while (separator.len > 0 && at + separator.len <= text.len) {
        if (memcmp(text.ptr + at, separator.ptr, separator.len) != 0) {
            at++;
            continue;
        }
        lc_fn_add_item(c, &items, lc_str_sub(text, from, at));
        at += separator.len;
        from = at;
    }
    if (separator.len > 0)
        lc_fn_add_item(c, &items, lc_str_sub(text, from, text.len));
    return lc_fn_give_list(c, items.list.items, items.list.count);
}

/* ---- Made strings. */

/* Adds the elements of list `at`; *first: nothing was added yet. */
static bool join_list(lc_fn_call *c, lc_buf *buf, size_t at, bool *first)
{
    const lc_value *list = lc_fn_arg(c, at);
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v = &list->as.many.elems[i];
        if (lc_is_null(v))
            return lc_fn_bad_argument(c, at, "null elements cannot be joined");
        if (!*first)
            lc_buf_add_str(buf, lc_fn_text(c, 0));
        lc_buf_add_str(buf, v->as.string);
        *first = false;
    }
    return true;
}

bool lc_fn_join(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    bool first = true;
    if (c->count < 2)
        return lc_fn_fail(c, "at least one list is required");
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    for (size_t i = 1; i < c->count; i++) {
        if (!join_list(c, &buf, i, &first)) {
            lc_buf_release(&buf);
            return false;
        }
    }
    return lc_fn_give_made(c, &buf);
}

/* Adds spaces after every line feed. */
bool lc_fn_indent(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    lc_str text = lc_fn_text(c, 1);
    int64_t spaces;
    if (!lc_fn_whole(c, 0, &spaces))
        return false;
    if (spaces < 0)
        return lc_fn_fail(c, "the number of spaces is negative");
    for (size_t at = 0; at < text.len && !buf.overflow; at++) {
        lc_buf_add_char(&buf, text.ptr[at]);
        for (int64_t i = 0; text.ptr[at] == '\n' && i < spaces && !buf.overflow; i++)
            lc_buf_add_char(&buf, ' ');
    }
    return lc_fn_give_made(c, &buf);
}

/* An empty text is found at both ends and between all code points. */
static void replace_nothing(lc_buf *buf, lc_str text, lc_str with)
{
    lc_buf_add_str(buf, with);
    for (size_t at = 0, from = 0; at < text.len && !buf->overflow; from = at) {
        lc_utf8_next(text, &at);
        lc_buf_add_str(buf, lc_str_sub(text, from, at));
        lc_buf_add_str(buf, with);
    }
}

static void replace_text(lc_buf *buf, lc_str text, lc_str what, lc_str with)
{
    for (size_t at = 0; at < text.len && !buf->overflow;) {
        bool here = at + what.len <= text.len && memcmp(text.ptr + at, what.ptr, what.len) == 0;
        lc_buf_add_str(buf, here ? with : lc_str_sub(text, at, at + 1));
        at += here ? what.len : 1;
    }
}

/* A string between slashes is a regular expression. */
bool lc_fn_replace(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    lc_str text = lc_fn_text(c, 0), what = lc_fn_text(c, 1), with = lc_fn_text(c, 2);
    if (what.len > 1 && what.ptr[0] == '/' && what.ptr[what.len - 1] == '/')
        return lc_fn_replace_pattern(c, text, lc_str_sub(what, 1, what.len - 1), with);
    if (what.len == 0)
        replace_nothing(&buf, text, with);
    else
        replace_text(&buf, text, what, with);
    return lc_fn_give_made(c, &buf);
}
