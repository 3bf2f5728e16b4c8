/* Functions that are evaluated: those about collections and texts that configurations use to make
 * keys. Others are known by name only, and their results are in doubt. */
#include "expression_eval.h"

#include "lifecheck/utf8.h"

#include <string.h>

/* What a function takes. */
enum {
    UNKNOWNS = 1, /* within collections; wholly unknown arguments give an unknown */
    NULLS = 2,
    PARTS = 4,    /* marks of parts stay with them */
    CONVERTS = 8, /* wholly unknown arguments too */
};

typedef struct function {
    const char *name;
    size_t least, most;
    bool (*call)(lc_call *c);
    const lc_type *result; /* of an unknown argument; NULL: whatever */
    unsigned takes;
} function;

#define MANY SIZE_MAX

static bool fail(lc_call *c, const char *detail)
{
    return lc_eval_fail(c->e, c->expr->place, "Error in function call", detail);
}

static bool bad_argument(lc_call *c, const char *detail)
{
    return lc_eval_fail(c->e, c->expr->place, "Invalid function argument", detail);
}

static bool give(lc_call *c, const lc_value *slot)
{
    c->result = (lc_marked){lc_value_new(c->e->arena, slot), NULL};
    return true;
}

static bool give_text(lc_call *c, lc_str text)
{
    lc_value v;
    lc_value_set_string(&v, c->e->arena, text);
    return give(c, &v);
}

static bool give_number(lc_call *c, int64_t n)
{
    lc_value v;
    lc_value_set_number(&v, lc_num_from_int(n));
    return give(c, &v);
}

static bool give_bool(lc_call *c, bool is)
{
    lc_value v;
    lc_value_set_bool(&v, is);
    return give(c, &v);
}

static bool give_tuple(lc_call *c, const lc_marked *items, size_t count)
{
    c->result = lc_eval_tuple(c->e, items, count);
    return true;
}

/* Of texts. */
static bool give_list(lc_call *c, const lc_marked *items, size_t count)
{
    lc_str why;
    return lc_marked_convert(&c->result, c->e->arena, lc_eval_tuple(c->e, items, count),
                             lc_type_collection(c->e->arena, LC_TYPE_LIST, &lc_type_string), &why);
}

static bool argument(lc_call *c, size_t at, const lc_type *want, const lc_value **out)
{
    lc_str why;
    if (lc_value_convert(out, c->e->arena, c->args[at].value, want, &why) && lc_is_known(*out))
        return true;
    return bad_argument(c, "the argument is of another type");
}

static bool text_argument(lc_call *c, size_t at, lc_str *out)
{
    const lc_value *v;
    if (!argument(c, at, &lc_type_string, &v))
        return false;
    *out = v->as.string;
    return true;
}

static const lc_value *arg(const lc_call *c, size_t at)
{
    return c->args[at].value;
}

static bool is_list(const lc_value *v)
{
    return v->type->kind == LC_TYPE_LIST || v->type->kind == LC_TYPE_TUPLE ||
           v->type->kind == LC_TYPE_SET;
}

static bool is_map(const lc_value *v)
{
    return v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT;
}

static lc_str key_at(const lc_value *map, uint32_t at)
{
    return map->type->kind == LC_TYPE_MAP ? map->as.many.keys[at] : map->type->as.attrs[at].name;
}

/* An element with what its collection bears for it. */
static lc_marked element(const lc_call *c, size_t which, uint32_t at)
{
    const lc_marked *whole = &c->args[which];
    lc_marked v = {&whole->value->as.many.elems[at], NULL};
    if (whole->marks && at < whole->marks->count)
        v.marks = whole->marks->children[at];
    return v;
}

/* ---- Conversions. */

static bool convert_to(lc_call *c, const lc_type *want)
{
    lc_str why;
    if (lc_marked_convert(&c->result, c->e->arena, c->args[0], want, &why))
        return true;
    return bad_argument(c, "the argument cannot be converted");
}

static bool to_string(lc_call *c)
{
    return convert_to(c, &lc_type_string);
}

static bool to_number(lc_call *c)
{
    return convert_to(c, &lc_type_number);
}

static bool to_bool(lc_call *c)
{
    return convert_to(c, &lc_type_bool);
}

static bool to_collection(lc_call *c, lc_type_kind kind)
{
    return convert_to(c, lc_type_collection(c->e->arena, kind, &lc_type_dynamic));
}

static bool to_set(lc_call *c)
{
    return to_collection(c, LC_TYPE_SET);
}

static bool to_list(lc_call *c)
{
    return to_collection(c, LC_TYPE_LIST);
}

static bool to_map(lc_call *c)
{
    return to_collection(c, LC_TYPE_MAP);
}

/* ---- Maps. */

static bool keys(lc_call *c)
{
    if (!is_map(arg(c, 0)))
        return bad_argument(c, "a map is required");
    uint32_t count = arg(c, 0)->count;
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, count);
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++) {
        lc_value_set_string(&elems[i], c->e->arena, key_at(arg(c, 0), i));
        items[i] = (lc_marked){&elems[i], NULL};
    }
    return give_list(c, items, count);
}

static bool values(lc_call *c)
{
    if (!is_map(arg(c, 0)))
        return bad_argument(c, "a map is required");
    uint32_t count = arg(c, 0)->count;
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = element(c, 0, i);
    return give_tuple(c, items, count);
}

static bool merge(lc_call *c)
{
    lc_table at;
    LC_VEC(lc_eval_member) list = {0};
    lc_table_init(&at, c->e->arena);
    for (size_t i = 0; i < c->count; i++) {
        if (lc_is_null(arg(c, i)))
            continue;
        if (!is_map(arg(c, i)))
            return bad_argument(c, "every argument is a map or an object");
        for (uint32_t k = 0; k < arg(c, i)->count; k++) {
            lc_str name = key_at(arg(c, i), k);
            size_t *old = lc_table_get(&at, name);
            if (old) {
                list.items[*old].value = element(c, i, k);
                continue;
            }
            old = LC_NEW(c->e->arena, size_t);
            *old = list.count;
            lc_table_put(&at, name, old);
            *LC_PUSH(c->e->arena, &list, lc_eval_member) = (lc_eval_member){name, element(c, i, k)};
        }
    }
    c->result = lc_eval_object(c->e, list.items, list.count);
    return true;
}

static bool zipmap(lc_call *c)
{
    if (!is_list(arg(c, 0)) || !is_list(arg(c, 1)) || arg(c, 0)->count != arg(c, 1)->count)
        return bad_argument(c, "as many keys as values are required");
    lc_table at;
    LC_VEC(lc_eval_member) list = {0};
    lc_table_init(&at, c->e->arena);
    for (uint32_t i = 0; i < arg(c, 0)->count; i++) {
        const lc_value *key = &arg(c, 0)->as.many.elems[i];
        if (!lc_is_known(key) || key->type->kind != LC_TYPE_STRING)
            return bad_argument(c, "keys are texts");
        lc_eval_member *m = lc_table_get(&at, key->as.string);
        if (m)
            return bad_argument(c, "keys are distinct");
        m = LC_PUSH(c->e->arena, &list, lc_eval_member);
        *m = (lc_eval_member){key->as.string, element(c, 1, i)};
        lc_table_put(&at, key->as.string, m);
    }
    c->result = lc_eval_object(c->e, list.items, list.count);
    return true;
}

static bool lookup(lc_call *c)
{
    lc_str key;
    if (!is_map(arg(c, 0)) || !text_argument(c, 1, &key))
        return bad_argument(c, "a map and a key are required");
    const lc_value *found = arg(c, 0)->type->kind == LC_TYPE_MAP ? lc_value_key(arg(c, 0), key)
                                                                 : lc_value_attr(arg(c, 0), key);
    if (found)
        c->result = element(c, 0, (uint32_t)(found - arg(c, 0)->as.many.elems));
    else if (c->count == 3)
        c->result = c->args[2];
    else
        return bad_argument(c, "the map has no such key");
    return true;
}

/* ---- Lists. */

static bool length(lc_call *c)
{
    const lc_value *v = arg(c, 0);
    if (v->type->kind == LC_TYPE_STRING)
        return give_number(c, (int64_t)lc_utf8_count(v->as.string));
    if (lc_type_is_primitive(v->type))
        return bad_argument(c, "a text or a collection is required");
    return give_number(c, v->count);
}

static bool concat(lc_call *c)
{
    LC_VEC(lc_marked) list = {0};
    for (size_t i = 0; i < c->count; i++) {
        if (arg(c, i)->type->kind != LC_TYPE_LIST && arg(c, i)->type->kind != LC_TYPE_TUPLE)
            return bad_argument(c, "every argument is a list");
        for (uint32_t k = 0; k < arg(c, i)->count; k++)
            *LC_PUSH(c->e->arena, &list, lc_marked) = element(c, i, k);
    }
    return give_tuple(c, list.items, list.count);
}

static bool element_at(lc_call *c)
{
    const lc_value *n;
    int64_t at;
    if (!is_list(arg(c, 0)) || !argument(c, 1, &lc_type_number, &n) ||
        !lc_num_to_int64(n->as.number, &at))
        return bad_argument(c, "a list and a whole number are required");
    int64_t count = arg(c, 0)->count;
    if (count == 0)
        return fail(c, "the list is empty");
    at = (at % count + count) % count;
    c->result = element(c, 0, (uint32_t)at);
    return true;
}

static bool contains(lc_call *c)
{
    if (!is_list(arg(c, 0)))
        return bad_argument(c, "a list is required");
    for (uint32_t i = 0; i < arg(c, 0)->count; i++)
        if (lc_value_equals(&arg(c, 0)->as.many.elems[i], arg(c, 1)) == LC_TRUE)
            return give_bool(c, true);
    return give_bool(c, false);
}

#define MAX_RANGE 1024 /* as in the cores */

static bool range(lc_call *c)
{
    int64_t n[3] = {0, 0, 1};
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v;
        if (!argument(c, i, &lc_type_number, &v) ||
            !lc_num_to_int64(v->as.number, &n[c->count == 1 ? 1 : i]))
            return bad_argument(c, "whole numbers are required");
    }
    if (c->count < 3 && n[1] < n[0])
        n[2] = -1;
    if (n[2] == 0)
        return fail(c, "the step must not be zero");
    LC_VEC(lc_marked) list = {0};
    for (int64_t i = n[0]; n[2] > 0 ? i < n[1] : i > n[1]; i += n[2]) {
        if (list.count >= MAX_RANGE)
            return fail(c, "there are too many numbers in the range");
        lc_value v;
        lc_value_set_number(&v, lc_num_from_int(i));
        *LC_PUSH(c->e->arena, &list, lc_marked) = (lc_marked){lc_value_new(c->e->arena, &v), NULL};
    }
    return give_tuple(c, list.items, list.count);
}

/* Elements of lists within lists, with bounded depth. */
static void flatten_into(lc_call *c, lc_call *out, const lc_value *list, unsigned depth)
{
    (void)c;
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v = &list->as.many.elems[i];
        if (lc_is_known(v) && is_list(v) && depth < 100) {
            flatten_into(c, out, v, depth + 1);
            continue;
        }
        if ((out->count & (out->count - 1)) == 0) {
            lc_marked *more = LC_NEW_ARRAY(c->e->arena, lc_marked, 2 * out->count + 1);
            if (out->count > 0)
                memcpy(more, out->args, out->count * sizeof(*more));
            out->args = more;
        }
        out->args[out->count++] = (lc_marked){v, NULL};
    }
}

static bool flatten(lc_call *c)
{
    if (!is_list(arg(c, 0)))
        return bad_argument(c, "a list is required");
    lc_call gathered = {0};
    flatten_into(c, &gathered, arg(c, 0), 0);
    return give_tuple(c, gathered.args, gathered.count);
}

static bool one(lc_call *c)
{
    if (!is_list(arg(c, 0)) || arg(c, 0)->count > 1)
        return bad_argument(c, "a list of at most one element is required");
    if (arg(c, 0)->count == 1) {
        c->result = element(c, 0, 0);
        return true;
    }
    lc_value v;
    lc_value_set_null(&v, &lc_type_dynamic);
    return give(c, &v);
}

static bool coalesce(lc_call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v = arg(c, i);
        bool empty = v->type->kind == LC_TYPE_STRING && lc_is_known(v) && v->as.string.len == 0;
        if (lc_is_null(v) || empty)
            continue;
        c->result = c->args[i];
        return true;
    }
    return fail(c, "there is no argument that is neither null nor empty");
}

/* ---- Texts. */

static bool change_case(lc_call *c, bool up)
{
    lc_str text;
    if (!text_argument(c, 0, &text))
        return false;
    char *to = lc_arena_alloc(c->e->arena, text.len);
    for (size_t i = 0; i < text.len; i++) {
        char ch = text.ptr[i];
        if ((unsigned char)ch >= 0x80) {
            c->result =
                lc_doubtful(c->e->arena, LC_STR("letter case is changed for plain letters only"),
                            c->expr->place);
            return true;
        }
        bool turns = up ? ch >= 'a' && ch <= 'z' : ch >= 'A' && ch <= 'Z';
        to[i] = turns ? (char)(ch ^ 0x20) : ch;
    }
    return give_text(c, (lc_str){to, text.len});
}

static bool upper(lc_call *c)
{
    return change_case(c, true);
}

static bool lower(lc_call *c)
{
    return change_case(c, false);
}

static bool join(lc_call *c)
{
    lc_buf buf = {0};
    lc_str separator, text;
    bool ok = text_argument(c, 0, &separator), first = true;
    for (size_t i = 1; i < c->count && ok; i++) {
        ok = is_list(arg(c, i)) || bad_argument(c, "lists of texts are required");
        for (uint32_t k = 0; ok && k < arg(c, i)->count; k++) {
            lc_marked items[1] = {element(c, i, k)};
            lc_call inner = {.e = c->e, .expr = c->expr, .args = items, .count = 1};
            ok = text_argument(&inner, 0, &text);
            if (!first)
                lc_buf_add_str(&buf, separator);
            if (ok)
                lc_buf_add_str(&buf, text);
            first = false;
        }
    }
    ok = ok && give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

static bool split(lc_call *c)
{
    lc_str separator, text;
    if (!text_argument(c, 0, &separator) || !text_argument(c, 1, &text))
        return false;
    LC_VEC(lc_marked) list = {0};
    size_t from = 0;
    for (size_t i = 0; i <= text.len; i++) {
        bool here = separator.len > 0 && i + separator.len <= text.len &&
                    memcmp(text.ptr + i, separator.ptr, separator.len) == 0;
        if (!here && i < text.len)
            continue;
        lc_value v;
        lc_value_set_string(&v, c->e->arena, lc_str_sub(text, from, i));
        *LC_PUSH(c->e->arena, &list, lc_marked) = (lc_marked){lc_value_new(c->e->arena, &v), NULL};
        if (here)
            i += separator.len - 1;
        from = i + 1;
    }
    return give_list(c, list.items, list.count);
}

static bool starts_with(lc_call *c)
{
    lc_str text, what;
    return text_argument(c, 0, &text) && text_argument(c, 1, &what) &&
           give_bool(c, lc_str_starts_with(text, what));
}

static bool ends_with(lc_call *c)
{
    lc_str text, what;
    return text_argument(c, 0, &text) && text_argument(c, 1, &what) &&
           give_bool(c, lc_str_ends_with(text, what));
}

static bool trim_space(lc_call *c)
{
    lc_str text;
    if (!text_argument(c, 0, &text))
        return false;
    size_t from = 0, to = text.len;
    while (from < to && strchr(" \t\n\r\v\f", text.ptr[from]) && text.ptr[from])
        from++;
    while (to > from && strchr(" \t\n\r\v\f", text.ptr[to - 1]) && text.ptr[to - 1])
        to--;
    return give_text(c, lc_str_sub(text, from, to));
}

/* `%s`, `%d`, `%v`, `%q` without flags of texts, numbers and bools; others are in doubt. */
static bool format_verb(lc_call *c, char verb, size_t at, lc_buf *buf, bool *doubt)
{
    lc_str text;
    if (at >= c->count)
        return fail(c, "there are too few arguments for the format");
    if (!lc_type_is_primitive(arg(c, at)->type) || !strchr("sdv", verb)) {
        *doubt = true;
        return true;
    }
    int64_t n;
    *doubt = verb == 'd' && (arg(c, at)->type->kind != LC_TYPE_NUMBER ||
                             !lc_num_to_int64(arg(c, at)->as.number, &n));
    if (!text_argument(c, at, &text))
        return false;
    lc_buf_add_str(buf, text);
    return true;
}

static bool format(lc_call *c)
{
    lc_str pattern;
    lc_buf buf = {0};
    size_t next = 1;
    bool doubt = false, ok = text_argument(c, 0, &pattern);
    for (size_t i = 0; ok && !doubt && i < pattern.len; i++) {
        if (pattern.ptr[i] != '%' || i + 1 == pattern.len)
            lc_buf_add_char(&buf, pattern.ptr[i]);
        else if (pattern.ptr[++i] == '%')
            lc_buf_add_char(&buf, '%');
        else
            ok = format_verb(c, pattern.ptr[i], next++, &buf, &doubt);
    }
    if (ok && doubt)
        c->result =
            lc_doubtful(c->e->arena, LC_STR("this format is not evaluated"), c->expr->place);
    else if (ok && next < c->count)
        ok = fail(c, "there are too many arguments for the format");
    else if (ok)
        ok = give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

static bool str_contains(lc_call *c)
{
    lc_str text, what;
    if (!text_argument(c, 0, &text) || !text_argument(c, 1, &what))
        return false;
    bool found = what.len == 0;
    for (size_t i = 0; !found && i + what.len <= text.len; i++)
        found = memcmp(text.ptr + i, what.ptr, what.len) == 0;
    return give_bool(c, found);
}

static bool trim_prefix(lc_call *c)
{
    lc_str text, what;
    if (!text_argument(c, 0, &text) || !text_argument(c, 1, &what))
        return false;
    bool cut = lc_str_starts_with(text, what);
    return give_text(c, lc_str_sub(text, cut ? what.len : 0, text.len));
}

static bool trim_suffix(lc_call *c)
{
    lc_str text, what;
    if (!text_argument(c, 0, &text) || !text_argument(c, 1, &what))
        return false;
    bool cut = lc_str_ends_with(text, what);
    return give_text(c, lc_str_sub(text, 0, cut ? text.len - what.len : text.len));
}

/* Plain text for plain text; what looks like a pattern is in doubt. */
static bool replace(lc_call *c)
{
    lc_str text, what, with;
    if (!text_argument(c, 0, &text) || !text_argument(c, 1, &what) || !text_argument(c, 2, &with))
        return false;
    if (what.len == 0 || what.ptr[0] == '/') {
        c->result = lc_doubtful(c->e->arena, LC_STR("patterns are not evaluated"), c->expr->place);
        return true;
    }
    lc_buf buf = {0};
    for (size_t i = 0; i < text.len;) {
        bool here = i + what.len <= text.len && memcmp(text.ptr + i, what.ptr, what.len) == 0;
        if (here)
            lc_buf_add_str(&buf, with);
        else
            lc_buf_add_char(&buf, text.ptr[i]);
        i += here ? what.len : 1;
    }
    bool ok = give_text(c, lc_buf_copy(c->e->arena, &buf));
    lc_buf_release(&buf);
    return ok;
}

/* ---- Numbers. */

static bool extreme(lc_call *c, int sign)
{
    const lc_value *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v;
        if (!argument(c, i, &lc_type_number, &v))
            return false;
        if (!best || sign * lc_num_cmp(v->as.number, best->as.number) > 0)
            best = v;
    }
    return give(c, best);
}

static bool largest(lc_call *c)
{
    return extreme(c, 1);
}

static bool smallest(lc_call *c)
{
    return extreme(c, -1);
}

/* ---- Lists of texts. */

/* The texts of a list argument; nulls too. */
static bool text_list(lc_call *c, size_t at, lc_value **out, uint32_t *count)
{
    if (!is_list(arg(c, at)))
        return bad_argument(c, "a list is required");
    *count = arg(c, at)->count;
    *out = LC_NEW_ARRAY(c->e->arena, lc_value, *count);
    for (uint32_t i = 0; i < *count; i++) {
        const lc_value *text;
        lc_str why;
        if (!lc_value_convert(&text, c->e->arena, &arg(c, at)->as.many.elems[i], &lc_type_string,
                              &why))
            return bad_argument(c, "texts are required");
        (*out)[i] = *text;
    }
    return true;
}

static bool give_texts(lc_call *c, const lc_value *texts, uint32_t count)
{
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (lc_marked){&texts[i], NULL};
    return give_list(c, items, count);
}

static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_value *)a)->as.string, ((const lc_value *)b)->as.string);
}

static bool sort(lc_call *c)
{
    lc_value *texts;
    uint32_t count;
    if (!text_list(c, 0, &texts, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (lc_is_null(&texts[i]))
            return bad_argument(c, "texts are required");
    qsort(texts, count, sizeof(*texts), by_text);
    return give_texts(c, texts, count);
}

static bool compact(lc_call *c)
{
    lc_value *texts;
    uint32_t count, kept = 0;
    if (!text_list(c, 0, &texts, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!lc_is_null(&texts[i]) && texts[i].as.string.len > 0)
            texts[kept++] = texts[i];
    return give_texts(c, texts, kept);
}

static bool distinct(lc_call *c)
{
    lc_value *texts;
    uint32_t count, kept = 0;
    lc_table seen;
    if (!text_list(c, 0, &texts, &count))
        return false;
    lc_table_init(&seen, c->e->arena);
    for (uint32_t i = 0; i < count; i++) {
        if (lc_is_null(&texts[i]))
            return bad_argument(c, "texts are required");
        if (!lc_table_put(&seen, texts[i].as.string, c))
            texts[kept++] = texts[i];
    }
    return give_texts(c, texts, kept);
}

static bool reverse(lc_call *c)
{
    if (!is_list(arg(c, 0)))
        return bad_argument(c, "a list is required");
    uint32_t count = arg(c, 0)->count;
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = element(c, 0, count - 1 - i);
    return give_tuple(c, items, count);
}

static bool slice(lc_call *c)
{
    int64_t n[2];
    for (size_t i = 0; i < 2; i++) {
        const lc_value *v;
        if (!argument(c, i + 1, &lc_type_number, &v) || !lc_num_to_int64(v->as.number, &n[i]))
            return bad_argument(c, "whole numbers are required");
    }
    if (!is_list(arg(c, 0)) || n[0] < 0 || n[1] < n[0] || n[1] > (int64_t)arg(c, 0)->count)
        return bad_argument(c, "the stretch is not within the list");
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, (size_t)(n[1] - n[0]));
    for (int64_t i = n[0]; i < n[1]; i++)
        items[i - n[0]] = element(c, 0, (uint32_t)i);
    return give_tuple(c, items, (size_t)(n[1] - n[0]));
}

/* Sets of texts: which are in `least` to `most` of the arguments, or (subtract) in the first alone.
 */
static bool of_sets(lc_call *c, size_t least, bool subtract)
{
    lc_table counts;
    LC_VEC(lc_marked) list = {0};
    lc_table_init(&counts, c->e->arena);
    for (size_t i = c->count; i-- > 0;) {
        lc_value *texts;
        uint32_t count;
        if (!text_list(c, i, &texts, &count))
            return false;
        for (uint32_t k = 0; k < count; k++) {
            if (lc_is_null(&texts[k]))
                return bad_argument(c, "texts are required");
            /* One bit an argument, so that repetitions do not count. */
            size_t *in = lc_table_get(&counts, texts[k].as.string);
            if (!in) {
                in = LC_NEW(c->e->arena, size_t);
                lc_table_put(&counts, texts[k].as.string, in);
            }
            *in |= (size_t)1 << (i & 63);
            bool all = (size_t)__builtin_popcountll(*in) >= least;
            if (subtract ? i == 0 && *in == 1 : all)
                *LC_PUSH(c->e->arena, &list, lc_marked) = (lc_marked){&texts[k], NULL};
        }
    }
    lc_str why;
    return lc_marked_convert(&c->result, c->e->arena, lc_eval_tuple(c->e, list.items, list.count),
                             lc_type_collection(c->e->arena, LC_TYPE_SET, &lc_type_string), &why);
}

static bool set_union(lc_call *c)
{
    return of_sets(c, 1, false);
}

static bool set_intersection(lc_call *c)
{
    return c->count <= 63 ? of_sets(c, c->count, false)
                          : bad_argument(c, "there are too many sets");
}

static bool set_subtract(lc_call *c)
{
    return of_sets(c, 0, true);
}

/* ---- Marks, and what is known only when it is applied. */

static bool sensitive(lc_call *c)
{
    c->result = lc_marked_with(c->e->arena, c->args[0], LC_MARK_SENSITIVE, NULL);
    return true;
}

static bool later(lc_call *c)
{
    c->result = lc_eval_unknown(c->e, &lc_type_string);
    return true;
}

static const function functions[] = {
    {"compact", 1, 1, compact, NULL, 0},
    {"distinct", 1, 1, distinct, NULL, 0},
    {"max", 1, MANY, largest, &lc_type_number, 0},
    {"min", 1, MANY, smallest, &lc_type_number, 0},
    {"replace", 3, 3, replace, &lc_type_string, 0},
    {"reverse", 1, 1, reverse, NULL, UNKNOWNS | PARTS},
    {"setintersection", 1, MANY, set_intersection, NULL, 0},
    {"setsubtract", 2, 2, set_subtract, NULL, 0},
    {"setunion", 1, MANY, set_union, NULL, 0},
    {"slice", 3, 3, slice, NULL, UNKNOWNS | PARTS},
    {"sort", 1, 1, sort, NULL, 0},
    {"strcontains", 2, 2, str_contains, &lc_type_bool, 0},
    {"trimprefix", 2, 2, trim_prefix, &lc_type_string, 0},
    {"trimsuffix", 2, 2, trim_suffix, &lc_type_string, 0},
    {"coalesce", 1, MANY, coalesce, NULL, NULLS},
    {"concat", 1, MANY, concat, NULL, UNKNOWNS | PARTS},
    {"contains", 2, 2, contains, &lc_type_bool, NULLS},
    {"element", 2, 2, element_at, NULL, UNKNOWNS | PARTS},
    {"endswith", 2, 2, ends_with, &lc_type_bool, 0},
    {"flatten", 1, 1, flatten, NULL, 0},
    {"format", 1, MANY, format, &lc_type_string, 0},
    {"join", 2, MANY, join, &lc_type_string, 0},
    {"keys", 1, 1, keys, NULL, UNKNOWNS | PARTS},
    {"length", 1, 1, length, &lc_type_number, UNKNOWNS | PARTS},
    {"lookup", 2, 3, lookup, NULL, UNKNOWNS | NULLS | PARTS},
    {"lower", 1, 1, lower, &lc_type_string, 0},
    {"merge", 0, MANY, merge, NULL, UNKNOWNS | NULLS | PARTS},
    {"one", 1, 1, one, NULL, UNKNOWNS | PARTS},
    {"range", 1, 3, range, NULL, 0},
    {"sensitive", 1, 1, sensitive, NULL, CONVERTS},
    {"split", 2, 2, split, NULL, 0},
    {"startswith", 2, 2, starts_with, &lc_type_bool, 0},
    {"timestamp", 0, 0, later, NULL, 0},
    {"tobool", 1, 1, to_bool, &lc_type_bool, CONVERTS},
    {"tolist", 1, 1, to_list, NULL, CONVERTS},
    {"tomap", 1, 1, to_map, NULL, CONVERTS},
    {"tonumber", 1, 1, to_number, &lc_type_number, CONVERTS},
    {"toset", 1, 1, to_set, NULL, CONVERTS},
    {"tostring", 1, 1, to_string, &lc_type_string, CONVERTS},
    {"trimspace", 1, 1, trim_space, &lc_type_string, 0},
    {"upper", 1, 1, upper, &lc_type_string, 0},
    {"uuid", 0, 0, later, NULL, 0},
    {"values", 1, 1, values, NULL, UNKNOWNS | PARTS},
    {"zipmap", 2, 2, zipmap, NULL, PARTS},
};

/* Names that the cores know besides. */
static const char *const others[] = {
    "abs",
    "abspath",
    "alltrue",
    "anytrue",
    "base64decode",
    "base64encode",
    "base64gunzip",
    "base64gzip",
    "base64sha256",
    "base64sha512",
    "basename",
    "bcrypt",
    "ceil",
    "chomp",
    "chunklist",
    "cidrcontains",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "coalescelist",
    "csvdecode",
    "dirname",
    "ephemeralasnull",
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "floor",
    "formatdate",
    "formatlist",
    "indent",
    "index",
    "issensitive",
    "jsondecode",
    "jsonencode",
    "list",
    "log",
    "map",
    "matchkeys",
    "md5",
    "nonsensitive",
    "parseint",
    "pathexpand",
    "plantimestamp",
    "pow",
    "regex",
    "regexall",
    "rsadecrypt",
    "setproduct",
    "sha1",
    "sha256",
    "sha512",
    "signum",
    "strrev",
    "substr",
    "sum",
    "templatefile",
    "templatestring",
    "textdecodebase64",
    "textencodebase64",
    "timeadd",
    "timecmp",
    "title",
    "transpose",
    "trim",
    "type",
    "urldecode",
    "urlencode",
    "uuidv5",
    "yamldecode",
    "yamlencode",
};

static const function *find(lc_str name)
{
    lc_str prefix = LC_STR("core::");
    if (lc_str_starts_with(name, prefix))
        name = lc_str_sub(name, prefix.len, name.len);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (lc_str_is(name, functions[i].name))
            return &functions[i];
    return NULL;
}

static bool exists(lc_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] == ':')
            return true;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (lc_str_is(name, others[i]))
            return true;
    return false;
}

static bool call_other(lc_call *c)
{
    lc_str name = c->expr->as.name;
    if (!exists(name))
        return lc_eval_fail(c->e, c->expr->place, "Call to unknown function",
                            "there is no function of this name");
    c->result = lc_doubtful(
        c->e->arena, lc_str_printf(c->e->arena, "the function %.*s is not evaluated", LC_FMT(name)),
        c->expr->place);
    return true;
}

/* Nulls and unknowns as the function takes them. *done: the result is there. */
static bool check_arguments(lc_call *c, const function *f, bool *done)
{
    if (c->count < f->least || c->count > f->most)
        return lc_eval_fail(c->e, c->expr->place,
                            c->count < f->least ? "Not enough function arguments"
                                                : "Too many function arguments",
                            "the function takes another number of arguments");
    for (size_t i = 0; i < c->count && !(f->takes & CONVERTS); i++) {
        if (lc_is_null(arg(c, i)) && !(f->takes & NULLS))
            return bad_argument(c, "an argument is null");
        bool unknown =
            f->takes & UNKNOWNS ? lc_is_unknown(arg(c, i)) : !lc_is_wholly_known(arg(c, i));
        *done |= unknown;
    }
    if (*done)
        c->result = lc_eval_unknown(c->e, f->result ? f->result : &lc_type_dynamic);
    return true;
}

/* The result bears what its arguments bear: all of it, or if parts stay parts what they bear
 * themselves. */
static void mark_result(lc_call *c, bool parts)
{
    for (size_t i = 0; i < c->count; i++) {
        unsigned marks = parts ? lc_marks_self(c->args[i]) : lc_marks_all(c->args[i]);
        if (marks)
            c->result = lc_marked_with(c->e->arena, c->result, marks, c->args[i].marks->doubt);
    }
}

bool lc_function_call(lc_call *c)
{
    const function *f = find(c->expr->as.name);
    bool done = false;
    if (!f) {
        if (!call_other(c))
            return false;
    } else if (!check_arguments(c, f, &done)) {
        return false;
    }
    lc_marked *args = c->args;
    size_t count = c->count;
    if (f && !done && !f->call(c))
        return false;
    c->args = args;
    c->count = count;
    mark_result(c, f && !done && (f->takes & (PARTS | CONVERTS)));
    return true;
}
