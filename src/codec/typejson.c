/* Types as JSON, as go-cty's Type.UnmarshalJSON and MarshalJSON do it (values-and-wire 1.2): the
 * last of duplicate attributes wins, null means no attributes or no elements. An optional attribute
 * that is not declared makes go-cty crash; here it is an error.
 *
 * go-cty writes a tuple that was read from null as null again. Such a type is equal to the empty
 * tuple; only `items` distinguishes them, which is then not NULL though there are no items. */
#include "codec/internal.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/json.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/table.h"

#include <stdlib.h>

/* ---- Reading. */

static bool read_type(const lc_type **out, lc_json_scan *s, unsigned depth);

static bool read_primitive(const lc_type **out, lc_json_scan *s)
{
    const char *from = s->in.at;
    lc_str name;
    if (!lc_json_scan_string(s, &name))
        return false;
    if (lc_str_is(name, "string"))
        *out = &lc_type_string;
    else if (lc_str_is(name, "number"))
        *out = &lc_type_number;
    else if (lc_str_is(name, "bool"))
        *out = &lc_type_bool;
    else if (lc_str_is(name, "dynamic"))
        *out = &lc_type_dynamic;
    else
        return lc_codec_refuse_name(s->trouble, LC_WIRE_REFUSED, (size_t)(from - s->in.start),
                                    "no primitive type has the name ", name, "");
    return true;
}

typedef struct named_type {
    lc_type_attr attr;
    size_t order; /* of appearance: the last of equal names wins */
} named_type;

static int by_name(const void *a, const void *b)
{
    const named_type *x = a, *y = b;
    int order = lc_str_cmp(x->attr.name, y->attr.name);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

typedef LC_VEC(named_type) named_types;

static bool read_attr(lc_json_scan *s, named_types *attrs, unsigned depth)
{
    lc_str name;
    named_type item = {.order = attrs->count};
    if (!lc_json_scan_string(s, &name) || !lc_json_scan_char(s, ':', "':'"))
        return false;
    if (!read_type(&item.attr.type, s, depth + 1))
        return lc_codec_within(s->trouble, CODEC_ATTR(name));
    item.attr.name = lc_nfc(s->trouble->arena, name);
    *LC_PUSH(s->trouble->arena, attrs, named_type) = item;
    return true;
}

static bool read_attrs(lc_json_scan *s, named_types *attrs, unsigned depth)
{
    if (lc_json_scan_peek(s) == 'n')
        return lc_json_scan_word(s, "null");
    if (!lc_json_scan_char(s, '{', "an object of attribute types"))
        return false;
    lc_json_items items = {.close = '}'};
    while (lc_json_scan_more(s, &items)) {
        if (!read_attr(s, attrs, depth))
            return false;
    }
    return !items.failed;
}

/* Sort and keep the last of equal names. Returns how many are left. */
static size_t settle_names(named_types *attrs)
{
    if (attrs->count == 0)
        return 0;
    qsort(attrs->items, attrs->count, sizeof *attrs->items, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < attrs->count; i++) {
        if (i + 1 < attrs->count &&
            lc_str_eq(attrs->items[i].attr.name, attrs->items[i + 1].attr.name))
            continue;
        attrs->items[kept++] = attrs->items[i];
    }
    return kept;
}

/* `attrs` is sorted. */
static lc_type_attr *find_attr(lc_type_attr *attrs, size_t count, lc_str name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lc_str_cmp(attrs[middle].name, name);
        if (order == 0)
            return &attrs[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool read_optional_names(lc_json_scan *s, lc_type_attr *attrs, size_t count)
{
    if (lc_json_scan_peek(s) == 'n')
        return lc_json_scan_word(s, "null");
    if (!lc_json_scan_char(s, '[', "an array of optional names"))
        return false;
    lc_json_items items = {.close = ']'};
    while (lc_json_scan_more(s, &items)) {
        lc_str name;
        size_t at = lc_json_lex_offset(&s->in);
        if (!lc_json_scan_string(s, &name))
            return false;
        lc_type_attr *attr = find_attr(attrs, count, lc_nfc(s->trouble->arena, name));
        if (!attr)
            return lc_codec_refuse_name(s->trouble, LC_WIRE_CRASHES, at, "the optional attribute ",
                                        name, " is not declared");
        attr->optional = true;
    }
    return !items.failed;
}

static bool read_object(const lc_type **out, lc_json_scan *s, unsigned depth)
{
    named_types named = {0};
    if (!read_attrs(s, &named, depth))
        return false;
    size_t count = settle_names(&named);
    lc_type_attr *attrs = LC_NEW_ARRAY(s->trouble->arena, lc_type_attr, count);
    for (size_t i = 0; i < count; i++)
        attrs[i] = named.items[i].attr;
    if (lc_json_scan_peek(s) == ',') {
        s->in.at++;
        if (!read_optional_names(s, attrs, count))
            return false;
    }
    *out = lc_type_object(s->trouble->arena, attrs, count);
    return true;
}

/* Its address marks the tuple that was read from null, see above. */
static const lc_type *const no_items[1] = {NULL};

static bool read_null_tuple(const lc_type **out, lc_json_scan *s)
{
    lc_type *type = lc_arena_alloc(s->trouble->arena, sizeof *type);
    *type = lc_type_empty_tuple;
    type->as.items = no_items;
    *out = type;
    return lc_json_scan_word(s, "null");
}

static bool read_tuple(const lc_type **out, lc_json_scan *s, unsigned depth)
{
    LC_VEC(const lc_type *) items = {0};
    if (lc_json_scan_peek(s) == 'n')
        return read_null_tuple(out, s);
    if (!lc_json_scan_char(s, '[', "an array of element types"))
        return false;
    lc_json_items in_text = {.close = ']'};
    while (lc_json_scan_more(s, &in_text)) {
        const lc_type *item;
        if (!read_type(&item, s, depth + 1))
            return lc_codec_within(s->trouble, CODEC_INDEX(items.count));
        *LC_PUSH(s->trouble->arena, &items, const lc_type *) = item;
    }
    if (in_text.failed)
        return false;
    *out = lc_type_tuple(s->trouble->arena, items.items, items.count);
    return true;
}

static bool read_collection(const lc_type **out, lc_json_scan *s, lc_type_kind kind, unsigned depth)
{
    const lc_type *elem;
    if (!read_type(&elem, s, depth + 1))
        return lc_codec_within(s->trouble, kind == LC_TYPE_SET ? CODEC_ELEMENT : CODEC_INDEX(0));
    *out = lc_type_collection(s->trouble->arena, kind, elem);
    return true;
}

/* What follows the kind, up to the closing bracket. */
static bool read_by_kind(const lc_type **out, lc_json_scan *s, lc_str kind, const char *at,
                         unsigned depth)
{
    if (lc_str_is(kind, "object"))
        return read_object(out, s, depth);
    if (lc_str_is(kind, "list"))
        return read_collection(out, s, LC_TYPE_LIST, depth);
    if (lc_str_is(kind, "set"))
        return read_collection(out, s, LC_TYPE_SET, depth);
    if (lc_str_is(kind, "map"))
        return read_collection(out, s, LC_TYPE_MAP, depth);
    if (lc_str_is(kind, "tuple"))
        return read_tuple(out, s, depth);
    return lc_codec_refuse_name(s->trouble, LC_WIRE_REFUSED, (size_t)(at - s->in.start),
                                "no kind of complex type has the name ", kind, "");
}

static bool read_complex(const lc_type **out, lc_json_scan *s, unsigned depth)
{
    if (depth >= LC_MAX_DEPTH)
        return lc_codec_refuse(s->trouble, LC_WIRE_ACCEPTS, lc_json_lex_offset(&s->in),
                               "a type nested deeper than %d levels", LC_MAX_DEPTH);
    s->in.at++;
    lc_json_lex_space(&s->in);
    const char *at = s->in.at;
    lc_str kind;
    if (!lc_json_scan_string(s, &kind) || !lc_json_scan_char(s, ',', "','"))
        return false;
    return read_by_kind(out, s, kind, at, depth) && lc_json_scan_char(s, ']', "']'");
}

static bool read_type(const lc_type **out, lc_json_scan *s, unsigned depth)
{
    int c = lc_json_scan_peek(s);
    if (c == '"')
        return read_primitive(out, s);
    if (c == '[')
        return read_complex(out, s, depth);
    return lc_json_scan_unexpected(s, "a type, which is a string or an array,");
}

/* The type that `text` holds, nothing but white space around it. `text` is part of s->in, whose
 * place is kept. */
static bool read_whole_type(const lc_type **out, lc_json_scan *s, lc_str text)
{
    const char *after = s->in.at, *end = s->in.end;
    s->in.at = text.ptr;
    s->in.end = text.ptr + text.len;
    if (!read_type(out, s, 0))
        return false;
    int c = lc_json_scan_peek(s);
    /* go-cty only checks with its decoder whether an array continues; a closing bracket ends it. */
    if (c >= 0)
        return lc_codec_refuse(s->trouble, c == ']' || c == '}' ? LC_WIRE_ACCEPTS : LC_WIRE_REFUSED,
                               lc_json_lex_offset(&s->in), "there is more after the type");
    s->in.at = after;
    s->in.end = end;
    return true;
}

/* Dynamic positions repeat the same few types, which are kept by their text: one for each slot. */
bool lc_codec_read_wrapper_type(const lc_type **out, lc_decoder *decoder, lc_json_scan *s,
                                lc_str text)
{
    size_t slot = lc_str_hash(text) % CODEC_TYPE_SLOTS;
    if (!decoder->types[slot].type || !lc_str_eq(decoder->types[slot].text, text)) {
        const lc_type *type;
        if (!read_whole_type(&type, s, text)) {
            s->trouble->outermost = NULL; /* places inside the type mean nothing in the value */
            s->trouble->steps = 0;
            return false;
        }
        decoder->types[slot].text = text;
        decoder->types[slot].type = lc_type_without_optional(type);
    }
    *out = decoder->types[slot].type;
    return true;
}

bool lc_typejson_decode(const lc_type **out, lc_arena *arena, lc_str in, lc_wire_problem *problem)
{
    lc_codec_trouble trouble;
    lc_codec_trouble_init(&trouble, arena, problem);
    lc_json_scan s = lc_json_scan_over(in, &trouble);
    return read_whole_type(out, &s, (lc_str){s.in.at, in.len}) || lc_codec_give_up(&trouble);
}

/* ---- Writing: byte for byte what Go's encoder writes. */

static void write_type(lc_json *w, const lc_type *type);

static void write_object(lc_json *w, const lc_type *type)
{
    bool optional = false;
    lc_json_object(w, NULL);
    for (uint32_t i = 0; i < type->count; i++) {
        const lc_type_attr *attr = &type->as.attrs[i];
        lc_json_key(w, attr->name);
        write_type(w, attr->type);
        optional |= attr->optional;
    }
    lc_json_end_object(w);
    if (!optional)
        return;
    lc_json_array(w, NULL);
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->as.attrs[i].optional)
            lc_json_str(w, NULL, type->as.attrs[i].name);
    }
    lc_json_end_array(w);
}

static void write_tuple(lc_json *w, const lc_type *type)
{
    if (type->as.items == no_items) {
        lc_json_null(w, NULL);
        return;
    }
    lc_json_array(w, NULL);
    for (uint32_t i = 0; i < type->count; i++)
        write_type(w, type->as.items[i]);
    lc_json_end_array(w);
}

static void write_type(lc_json *w, const lc_type *type)
{
    static const char *const names[] = {
        [LC_TYPE_BOOL] = "bool",   [LC_TYPE_NUMBER] = "number", [LC_TYPE_STRING] = "string",
        [LC_TYPE_LIST] = "list",   [LC_TYPE_SET] = "set",       [LC_TYPE_MAP] = "map",
        [LC_TYPE_TUPLE] = "tuple", [LC_TYPE_OBJECT] = "object", [LC_TYPE_DYNAMIC] = "dynamic",
    };
    if (type->kind < LC_TYPE_LIST) {
        lc_json_c(w, NULL, names[type->kind]);
        return;
    }
    lc_json_array(w, NULL);
    lc_json_c(w, NULL, names[type->kind]);
    if (type->kind == LC_TYPE_OBJECT)
        write_object(w, type);
    else if (type->kind == LC_TYPE_TUPLE)
        write_tuple(w, type);
    else
        write_type(w, type->as.elem);
    lc_json_end_array(w);
}

void lc_typejson_encode(lc_buf *buf, const lc_type *type)
{
    lc_json w = {.out = buf, .html = true};
    write_type(&w, type);
}
