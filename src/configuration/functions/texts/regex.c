/* Functions with regular expressions of Go's regexp package. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/regexp/pattern.h"

#include <string.h>

/* Matches that one call may give. */
#define MAX_MATCHES 1000000

/* A pattern that Go takes and we cannot use makes the result undecided. */
static const char *unusable(lc_fn_call *c, lc_str why)
{
    lc_str text = lc_str_printf(c->e->arena, "a pattern that is not used here: %.*s", LC_FMT(why));
    return lc_str_to_c(c->e->arena, text);
}

static const char *refused(lc_fn_call *c, lc_str why)
{
    lc_str text = lc_str_printf(c->e->arena, "no regular expression: %.*s", LC_FMT(why));
    return lc_str_to_c(c->e->arena, text);
}

/* ---- What a match gives: a string, a tuple or an object of the groups. */

static bool has_names(const lc_pattern *pattern)
{
    return lc_pattern_groups(pattern) > 0 && lc_pattern_group_name(pattern, 0).len > 0;
}

/* Either all groups have names or none has. */
static bool is_mixed(const lc_pattern *pattern)
{
    bool names = has_names(pattern), mixed = false;
    for (size_t i = 0; i < lc_pattern_groups(pattern); i++)
        mixed |= names != (lc_pattern_group_name(pattern, i).len > 0);
    return mixed;
}

/* The group that decides about a name: the last one of that name. */
static bool is_last(const lc_pattern *pattern, size_t i)
{
    lc_str name = lc_pattern_group_name(pattern, i);
    for (size_t k = i + 1; k < lc_pattern_groups(pattern); k++) {
        if (lc_str_eq(name, lc_pattern_group_name(pattern, k)))
            return false;
    }
    return true;
}

static const lc_type *object_type(lc_arena *arena, const lc_pattern *pattern)
{
    size_t kept = 0;
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, lc_pattern_groups(pattern));
    for (size_t i = 0; i < lc_pattern_groups(pattern); i++)
        if (is_last(pattern, i))
            attrs[kept++] =
                (lc_type_attr){lc_pattern_group_name(pattern, i), &lc_type_string, false};
    return lc_type_object(arena, attrs, kept);
}

static const lc_type *result_type(lc_arena *arena, const lc_pattern *pattern)
{
    size_t count = lc_pattern_groups(pattern);
    if (count == 0)
        return &lc_type_string;
    if (has_names(pattern))
        return object_type(arena, pattern);
    const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++)
        items[i] = &lc_type_string;
    return lc_type_tuple(arena, items, count);
}

static void set_span(lc_value *to, lc_arena *arena, lc_str text, const size_t *span)
{
    if (span[0] == LC_NO_SPAN)
        lc_value_set_null(to, &lc_type_string);
    else
        lc_value_set_string(to, arena, lc_str_sub(text, span[0], span[1]));
}

static void set_match(lc_fn_call *c, lc_value *to, const lc_pattern *pattern, const lc_type *type,
                      const size_t *spans)
{
    lc_arena *arena = c->e->arena;
    lc_str text = lc_fn_text(c, 1);
    size_t count = lc_pattern_groups(pattern);
    if (count == 0) {
        set_span(to, arena, text, spans);
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, count);
    for (size_t i = 0; i < count; i++) {
        if (type->kind == LC_TYPE_TUPLE)
            set_span(&elems[i], arena, text, spans + 2 * i + 2);
        else if (is_last(pattern, i))
            set_span(&elems[lc_type_attr_index(type, lc_pattern_group_name(pattern, i))], arena,
                     text, spans + 2 * i + 2);
    }
    if (type->kind == LC_TYPE_TUPLE)
        lc_value_set_tuple(to, arena, type, elems, count);
    else
        lc_value_set_object(to, arena, type, elems);
}

/* ---- regex and regexall. */

/* The pattern of the first argument. Sets *type to what a match gives: dynamic if the pattern
 * cannot be used here. False: an error is set. */
static bool compile(lc_fn_call *c, const lc_pattern **out, const lc_type **type, lc_str *why)
{
    lc_pattern_use use = lc_pattern_new_finder(out, why, c->e->arena, lc_fn_text(c, 0));
    *type = &lc_type_dynamic;
    if (use == LC_PATTERN_NOT_GO)
        return lc_fn_bad_argument(c, 0, refused(c, *why));
    if (!*out)
        return true;
    if (is_mixed(*out))
        return lc_fn_bad_argument(c, 0, "groups with and without names cannot be mixed");
    *type = result_type(c->e->arena, *out);
    return true;
}

bool lc_fn_regex_type(lc_fn_call *c)
{
    const lc_pattern *pattern;
    const lc_type *type = &lc_type_dynamic;
    lc_str why;
    bool ok = !lc_is_known(lc_fn_arg(c, 0)) || compile(c, &pattern, &type, &why);
    return ok && lc_fn_set_type(c, type);
}

bool lc_fn_regexall_type(lc_fn_call *c)
{
    return lc_fn_regex_type(c) &&
           lc_fn_set_type(c, lc_type_collection(c->e->arena, LC_TYPE_LIST, c->type));
}

static bool undecided_search(lc_fn_call *c)
{
    return lc_fn_give_undecided(c, "the search takes too many steps");
}

/* Why the pattern cannot be used: empty groups in repeats are a corner where Go has its own rule.
 */
static const char *unfit(lc_fn_call *c, const lc_pattern *pattern, lc_str why)
{
    if (!pattern)
        return unusable(c, why);
    return lc_pattern_groups_unsure(pattern) ? "a group that may be empty is repeated" : NULL;
}

bool lc_fn_regex(lc_fn_call *c)
{
    const lc_pattern *pattern;
    const lc_type *type;
    const size_t *spans;
    lc_str why;
    lc_value v;
    if (!compile(c, &pattern, &type, &why))
        return false;
    if (unfit(c, pattern, why))
        return lc_fn_give_undecided(c, unfit(c, pattern, why));
    lc_pattern_series *finding = lc_pattern_series_new(c->e->arena, pattern, lc_fn_text(c, 1));
    lc_pattern_match found = lc_pattern_series_next(finding, 0, &spans);
    lc_pattern_series_free(finding);
    if (found == LC_PATTERN_UNDECIDED)
        return undecided_search(c);
    if (found == LC_PATTERN_DIFFERS)
        return lc_fn_fail(c, "the pattern matches no part of the string");
    set_match(c, &v, pattern, type, spans);
    return lc_fn_give(c, &v);
}

/* Where the search continues after a character; after the last one it ends. */
static size_t step(lc_str text, size_t at)
{
    if (at < text.len)
        lc_utf8_next(text, &at);
    else
        at++;
    return at;
}

/* All matches that do not overlap. An empty match directly after another match does not count. */
static lc_pattern_match find_all(lc_fn_call *c, lc_pattern_series *finding,
                                 const lc_pattern *pattern, lc_fn_items *out)
{
    lc_str text = lc_fn_text(c, 1);
    const lc_type *type = c->type->as.elem;
    const size_t *spans;
    size_t before = LC_NO_SPAN;
    for (size_t at = 0; at <= text.len;) {
        lc_pattern_match found = lc_pattern_series_next(finding, at, &spans);
        if (found != LC_PATTERN_MATCHES)
            return found;
        bool taken = spans[1] != at || spans[0] != before;
        at = spans[1] == at ? step(text, at) : spans[1];
        before = spans[1];
        lc_value v;
        if (taken && out->list.count == MAX_MATCHES)
            return LC_PATTERN_UNDECIDED;
        if (!taken)
            continue;
        set_match(c, &v, pattern, type, spans);
        *LC_PUSH(c->e->arena, &out->list, lc_marked) =
            (lc_marked){lc_value_new(c->e->arena, &v), NULL};
    }
    return LC_PATTERN_DIFFERS;
}

static bool give_matches(lc_fn_call *c, const lc_fn_items *items)
{
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, items->list.count);
    lc_value v;
    for (size_t i = 0; i < items->list.count; i++)
        elems[i] = *items->list.items[i].value;
    return lc_value_set_list(&v, c->e->arena, c->type, elems, items->list.count) &&
           lc_fn_give(c, &v);
}

bool lc_fn_regexall(lc_fn_call *c)
{
    const lc_pattern *pattern;
    const lc_type *type;
    lc_fn_items items = {{0}};
    lc_str why;
    if (!compile(c, &pattern, &type, &why))
        return false;
    if (unfit(c, pattern, why))
        return lc_fn_give_undecided(c, unfit(c, pattern, why));
    lc_pattern_series *finding = lc_pattern_series_new(c->e->arena, pattern, lc_fn_text(c, 1));
    lc_pattern_match end = find_all(c, finding, pattern, &items);
    lc_pattern_series_free(finding);
    return end == LC_PATTERN_UNDECIDED ? undecided_search(c) : give_matches(c, &items);
}

/* ---- replace. */

/* What `$` in a replacement refers to: a name or number, and what follows. */
typedef struct variable {
    lc_str name;
    size_t end;
} variable;

static bool is_name_rune(uint32_t rune)
{
    return rune == '_' || (rune < 0x80 && lc_is_alnum((char)rune)) || lc_rune_is_letter(rune) ||
           lc_rune_is_digit(rune);
}

/* Reads the variable after the dollar sign at `at`. False: it is an ordinary character. */
static bool read_variable(lc_str with, size_t at, variable *out)
{
    bool brace = at < with.len && with.ptr[at] == '{';
    size_t from = at + brace, end = from;
    while (end < with.len) {
        size_t next = end;
        if (!is_name_rune(lc_utf8_next(with, &next)))
            break;
        end = next;
    }
    if (end == from || (brace && (end == with.len || with.ptr[end] != '}')))
        return false;
    *out = (variable){lc_str_sub(with, from, end), end + brace};
    return true;
}

/* A number without leading zero, below 10^9; else -1. */
static int64_t number_of(lc_str name)
{
    int64_t n = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!lc_is_digit(name.ptr[i]) || n >= 100000000)
            return -1;
        n = n * 10 + (name.ptr[i] - '0');
    }
    return name.len > 1 && name.ptr[0] == '0' ? -1 : n;
}

/* The group that a variable means: 0 is the whole match. */
static size_t group_of(const lc_pattern *pattern, lc_str name, const size_t *spans)
{
    int64_t n = number_of(name);
    if (n >= 0)
        return (uint64_t)n <= lc_pattern_groups(pattern) ? (size_t)n : SIZE_MAX;
    for (size_t i = 0; i < lc_pattern_groups(pattern); i++) {
        if (lc_str_eq(name, lc_pattern_group_name(pattern, i)) && spans[2 * i + 2] != LC_NO_SPAN)
            return i + 1;
    }
    return SIZE_MAX;
}

/* Adds the replacement of one match. */
static void expand(lc_buf *buf, lc_str text, lc_str with, const lc_pattern *pattern,
                   const size_t *spans)
{
    variable v;
    for (size_t at = 0; at < with.len;) {
        size_t dollar = lc_str_find(with, at, '$');
        lc_buf_add_str(buf, lc_str_sub(with, at, dollar));
        at = dollar + 1;
        if (dollar == with.len)
            return;
        if (at < with.len && with.ptr[at] == '$') {
            lc_buf_add_char(buf, '$');
            at++;
        } else if (!read_variable(with, at, &v)) {
            lc_buf_add_char(buf, '$');
        } else {
            size_t group = group_of(pattern, v.name, spans);
            if (group != SIZE_MAX && spans[2 * group] != LC_NO_SPAN)
                lc_buf_add_str(buf, lc_str_sub(text, spans[2 * group], spans[2 * group + 1]));
            at = v.end;
        }
    }
}

/* As Go's ReplaceAll: an empty match directly after another match is not replaced. */
static lc_pattern_match replace_all(lc_buf *buf, lc_pattern_series *finding,
                                    const lc_pattern *pattern, lc_str text, lc_str with)
{
    size_t done = 0;
    const size_t *spans;
    for (size_t at = 0; at <= text.len && !buf->overflow;) {
        lc_pattern_match found = lc_pattern_series_next(finding, at, &spans);
        if (found == LC_PATTERN_UNDECIDED)
            return found;
        if (found == LC_PATTERN_DIFFERS)
            break;
        lc_buf_add_str(buf, lc_str_sub(text, done, spans[0]));
        if (spans[1] > done || spans[0] == 0)
            expand(buf, text, with, pattern, spans);
        done = spans[1];
        at = step(text, at) > spans[1] ? step(text, at) : spans[1];
    }
    lc_buf_add_str(buf, lc_str_sub(text, done, text.len));
    return LC_PATTERN_MATCHES;
}

bool lc_fn_replace_pattern(lc_fn_call *c, lc_str text, lc_str what, lc_str with)
{
    lc_buf buf = LC_MADE_TEXT;
    const lc_pattern *pattern;
    lc_str why;
    lc_pattern_use use = lc_pattern_new_finder(&pattern, &why, c->e->arena, what);
    if (use == LC_PATTERN_NOT_GO)
        return lc_fn_fail(c, refused(c, why));
    if (!pattern || (unfit(c, pattern, why) && memchr(with.ptr, '$', with.len)))
        return lc_fn_give_undecided(c, unfit(c, pattern, why));
    lc_pattern_series *finding = lc_pattern_series_new(c->e->arena, pattern, text);
    lc_pattern_match end = replace_all(&buf, finding, pattern, text, with);
    lc_pattern_series_free(finding);
    if (end != LC_PATTERN_UNDECIDED)
        return lc_fn_give_made(c, &buf);
    lc_buf_release(&buf);
    return undecided_search(c);
}
