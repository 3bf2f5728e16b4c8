/* Reads Go syntax of values as core messages print them: what print.c writes (GoString of cty). */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    lc_arena *arena;
    lc_str text;
    size_t at, depth;
    bool broken; /* a string contained a line break */
} reader;

typedef LC_VEC(lc_value) value_list;
typedef LC_VEC(lc_str) name_list;

/* ---- Words and strings. White space may be anywhere: terminals break lines. */

static char peek(reader *r)
{
    while (r->at < r->text.len && strchr(" \t\n", r->text.ptr[r->at]))
        r->at++;
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static bool take(reader *r, const char *word)
{
    peek(r);
    lc_str rest = lc_str_sub(r->text, r->at, r->text.len);
    if (!lc_str_starts_with(rest, lc_str_from_c(word)))
        return false;
    r->at += strlen(word);
    return true;
}

/* The number of digits that an escape has, and its base; 0: it is one letter. */
static size_t digits_of(char escape, unsigned *base)
{
    *base = escape >= '0' && escape <= '7' ? 8 : 16;
    if (escape == 'x')
        return 2;
    if (escape == 'u')
        return 4;
    if (escape == 'U')
        return 8;
    if (*base == 8)
        return 3;
    return 0;
}

static bool add_code(reader *r, lc_buf *out, char escape)
{
    unsigned base;
    size_t count = digits_of(escape, &base), from = r->at - (base == 8);
    uint32_t code = 0;
    char bytes[4];
    if (from + count > r->text.len)
        return false;
    for (size_t i = from; i < from + count; i++) {
        int digit = lc_hex_digit(r->text.ptr[i]);
        if (digit < 0 || digit >= (int)base)
            return false;
        code = code * base + (uint32_t)digit;
    }
    r->at = from + count;
    if (escape == 'u' || escape == 'U')
        lc_buf_add(out, bytes, lc_utf8_put(bytes, code <= 0x10FFFF ? code : LC_RUNE_BAD));
    else
        lc_buf_add_char(out, (char)code);
    return true;
}

static bool add_escape(reader *r, lc_buf *out)
{
    static const char letters[] = "abfnrtv\\\"'", meant[] = "\a\b\f\n\r\t\v\\\"'";
    char escape = r->at < r->text.len ? r->text.ptr[r->at++] : '\0';
    unsigned base;
    if (escape == '\0')
        return false;
    if (digits_of(escape, &base))
        return add_code(r, out, escape);
    const char *letter = strchr(letters, escape);
    if (letter)
        lc_buf_add_char(out, meant[letter - letters]);
    return letter != NULL;
}

static bool read_string(reader *r, lc_str *out)
{
    lc_buf buf = {0};
    bool good = take(r, "\"");
    while (good && r->at < r->text.len && r->text.ptr[r->at] != '"') {
        char c = r->text.ptr[r->at++];
        r->broken |= c == '\n';
        if (c == '\\')
            good = add_escape(r, &buf);
        else
            lc_buf_add_char(&buf, c == '\n' ? ' ' : c);
    }
    good = good && r->at++ < r->text.len;
    *out = lc_nfc(r->arena, lc_buf_copy(r->arena, &buf));
    lc_buf_release(&buf);
    return good;
}

/* ---- Types. */

static const lc_type *read_type(reader *r);

static const lc_type *read_collection_type(reader *r, lc_type_kind kind)
{
    const lc_type *elem = read_type(r);
    return elem && take(r, ")") ? lc_type_collection(r->arena, kind, elem) : NULL;
}

static const lc_type *read_tuple_type(reader *r)
{
    LC_VEC(const lc_type *) items = {0};
    while (peek(r) != '}') {
        const lc_type *item = read_type(r);
        if (!item)
            return NULL;
        *LC_PUSH(r->arena, &items, const lc_type *) = item;
        if (!take(r, ","))
            break;
    }
    return take(r, "})") ? lc_type_tuple(r->arena, items.items, items.count) : NULL;
}

LC_ORDER_BY_STR(by_name, lc_type_attr, name)

/* An object type needs distinct names. NULL: two are equal. */
static const lc_type *object_type(reader *r, lc_type_attr *attrs, size_t count)
{
    qsort(attrs, count, sizeof *attrs, by_name);
    for (size_t i = 1; i < count; i++) {
        if (lc_str_eq(attrs[i - 1].name, attrs[i].name))
            return NULL;
    }
    return lc_type_object(r->arena, attrs, count);
}

static const lc_type *read_object_type(reader *r)
{
    LC_VEC(lc_type_attr) attrs = {0};
    while (peek(r) != '}') {
        lc_type_attr attr = {0};
        if (!read_string(r, &attr.name) || !take(r, ":"))
            return NULL;
        attr.type = read_type(r);
        if (!attr.type)
            return NULL;
        *LC_PUSH(r->arena, &attrs, lc_type_attr) = attr;
        if (!take(r, ","))
            break;
    }
    return take(r, "})") ? object_type(r, attrs.items, attrs.count) : NULL;
}

static const lc_type *read_type_by_name(reader *r)
{
    if (take(r, "cty.List("))
        return read_collection_type(r, LC_TYPE_LIST);
    if (take(r, "cty.Set("))
        return read_collection_type(r, LC_TYPE_SET);
    if (take(r, "cty.Map("))
        return read_collection_type(r, LC_TYPE_MAP);
    if (take(r, "cty.Tuple([]cty.Type{"))
        return read_tuple_type(r);
    if (take(r, "cty.Object(map[string]cty.Type{"))
        return read_object_type(r);
    if (take(r, "cty.EmptyObject"))
        return &lc_type_empty_object;
    if (take(r, "cty.EmptyTuple"))
        return &lc_type_empty_tuple;
    if (take(r, "cty.String"))
        return &lc_type_string;
    if (take(r, "cty.Number"))
        return &lc_type_number;
    if (take(r, "cty.Bool"))
        return &lc_type_bool;
    if (take(r, "cty.DynamicPseudoType"))
        return &lc_type_dynamic;
    return NULL;
}

static const lc_type *read_type(reader *r)
{
    const lc_type *type = r->depth < LC_MAX_DEPTH ? (r->depth++, read_type_by_name(r)) : NULL;
    r->depth -= type != NULL;
    return type;
}

/* ---- Values. */

static bool read_value(reader *r, lc_value *out);

static bool read_number(reader *r, lc_value *out)
{
    lc_num number;
    bool quoted = peek(r) == '"';
    lc_str text;
    size_t from = r->at;
    if (quoted && !read_string(r, &text))
        return false;
    while (!quoted && r->at < r->text.len && strchr("+-.0123456789eE", r->text.ptr[r->at]))
        r->at++;
    if (!quoted)
        text = lc_str_sub(r->text, from, r->at);
    if (lc_str_starts_with(text, LC_STR("+")))
        text = lc_str_sub(text, 1, text.len);
    if (lc_num_from_text(&number, r->arena, text, LC_MAX_DIGITS) != LC_NUM_OK)
        return false;
    lc_value_set_number(out, number);
    return take(r, ")");
}

static bool read_elements(reader *r, value_list *out)
{
    while (peek(r) != '}') {
        lc_value value;
        if (!read_value(r, &value))
            return false;
        *LC_PUSH(r->arena, out, lc_value) = value;
        if (!take(r, ","))
            break;
    }
    return take(r, "})");
}

static bool read_members(reader *r, name_list *names, value_list *out)
{
    while (peek(r) != '}') {
        lc_value value;
        lc_str name;
        if (!read_string(r, &name) || !take(r, ":") || !read_value(r, &value))
            return false;
        *LC_PUSH(r->arena, names, lc_str) = name;
        *LC_PUSH(r->arena, out, lc_value) = value;
        if (!take(r, ","))
            break;
    }
    return take(r, "})");
}

static bool read_sequence(reader *r, lc_value *out, lc_type_kind kind)
{
    value_list elems = {0};
    if (!read_elements(r, &elems))
        return false;
    if (kind == LC_TYPE_TUPLE) {
        lc_value_set_tuple(out, r->arena, &lc_type_dynamic, elems.items, elems.count);
        return true;
    }
    const lc_type *want = lc_type_collection(r->arena, kind, &lc_type_dynamic);
    return kind == LC_TYPE_SET ? lc_value_set_set(out, r->arena, want, elems.items, elems.count)
                               : lc_value_set_list(out, r->arena, want, elems.items, elems.count);
}

static bool read_map(reader *r, lc_value *out)
{
    value_list elems = {0};
    name_list names = {0};
    const lc_type *want = lc_type_collection(r->arena, LC_TYPE_MAP, &lc_type_dynamic);
    return read_members(r, &names, &elems) &&
           lc_value_set_map(out, r->arena, want, names.items, elems.items, elems.count);
}

static bool read_object(reader *r, lc_value *out)
{
    value_list elems = {0};
    name_list names = {0};
    if (!read_members(r, &names, &elems))
        return false;
    lc_type_attr *attrs = LC_NEW_ARRAY(r->arena, lc_type_attr, names.count);
    lc_value *sorted = LC_NEW_ARRAY(r->arena, lc_value, names.count);
    for (size_t i = 0; i < names.count; i++)
        attrs[i] = (lc_type_attr){names.items[i], elems.items[i].type, false};
    const lc_type *type = object_type(r, attrs, names.count);
    for (size_t i = 0; type && i < names.count; i++)
        sorted[lc_type_attr_index(type, names.items[i])] = elems.items[i];
    if (type)
        lc_value_set_object(out, r->arena, type, sorted);
    return type != NULL;
}

static bool read_empty(reader *r, lc_value *out, lc_type_kind kind)
{
    const lc_type *type = read_collection_type(r, kind);
    if (!type)
        return false;
    return kind == LC_TYPE_LIST  ? lc_value_set_list(out, r->arena, type, NULL, 0)
           : kind == LC_TYPE_SET ? lc_value_set_set(out, r->arena, type, NULL, 0)
                                 : lc_value_set_map(out, r->arena, type, NULL, NULL, 0);
}

static bool read_typed(reader *r, lc_value *out, bool null)
{
    const lc_type *type = read_type(r);
    if (!type || !take(r, ")"))
        return false;
    if (null)
        lc_value_set_null(out, type);
    else
        lc_value_set_unknown(out, type);
    return true;
}

static bool read_plain_string(reader *r, lc_value *out)
{
    lc_str text;
    if (!read_string(r, &text))
        return false;
    lc_value_set_string(out, r->arena, text);
    return take(r, ")");
}

static bool read_constant(reader *r, lc_value *out)
{
    if (take(r, "cty.True"))
        lc_value_set_bool(out, true);
    else if (take(r, "cty.False"))
        lc_value_set_bool(out, false);
    else if (take(r, "cty.EmptyTupleVal"))
        lc_value_set_tuple(out, r->arena, &lc_type_empty_tuple, NULL, 0);
    else if (take(r, "cty.EmptyObjectVal"))
        lc_value_set_object(out, r->arena, &lc_type_empty_object, NULL);
    else if (take(r, "cty.DynamicVal"))
        lc_value_set_unknown(out, &lc_type_dynamic);
    else
        return false;
    return true;
}

static bool read_by_name(reader *r, lc_value *out)
{
    if (take(r, "cty.StringVal("))
        return read_plain_string(r, out);
    if (take(r, "cty.NumberIntVal(") || take(r, "cty.NumberUIntVal(") ||
        take(r, "cty.NumberFloatVal(") || take(r, "cty.MustParseNumberVal("))
        return read_number(r, out);
    if (take(r, "cty.NullVal("))
        return read_typed(r, out, true);
    if (take(r, "cty.UnknownVal("))
        return read_typed(r, out, false);
    if (take(r, "cty.ListVal([]cty.Value{"))
        return read_sequence(r, out, LC_TYPE_LIST);
    if (take(r, "cty.SetVal([]cty.Value{"))
        return read_sequence(r, out, LC_TYPE_SET);
    if (take(r, "cty.TupleVal([]cty.Value{"))
        return read_sequence(r, out, LC_TYPE_TUPLE);
    if (take(r, "cty.MapVal(map[string]cty.Value{"))
        return read_map(r, out);
    if (take(r, "cty.ObjectVal(map[string]cty.Value{"))
        return read_object(r, out);
    if (take(r, "cty.ListValEmpty("))
        return read_empty(r, out, LC_TYPE_LIST);
    if (take(r, "cty.SetValEmpty("))
        return read_empty(r, out, LC_TYPE_SET);
    return take(r, "cty.MapValEmpty(") ? read_empty(r, out, LC_TYPE_MAP) : read_constant(r, out);
}

static bool read_value(reader *r, lc_value *out)
{
    if (r->depth >= LC_MAX_DEPTH)
        return false;
    r->depth++;
    bool good = read_by_name(r, out);
    r->depth--;
    return good;
}

const lc_value *lc_value_read_go(lc_arena *arena, lc_str text, bool *broken)
{
    reader r = {.arena = arena, .text = text};
    lc_value value;
    bool good = read_value(&r, &value);
    *broken |= r.broken;
    return good ? lc_value_new(arena, &value) : NULL;
}
