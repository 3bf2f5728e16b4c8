/* cty JSON to values: one pass over the text, driven by the target type, as go-cty's json.Unmarshal
 * (values-and-wire 3.6). The last of duplicate members wins, missing attributes are null, text
 * after the value is noted.
 *
 * The number of elements is not known in advance, so they are collected on one stack for all levels
 * and copied to the arena when their container ends; a value is never read in place on the stack,
 * which may move. */
#include "codec/internal.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/table.h"

#include <string.h>

typedef struct lc_ctyjson_reader {
    lc_json_scan s;
    lc_codec_builder b;
    lc_value *stack; /* heap */
    size_t used, capacity;
} lc_ctyjson_reader;

typedef LC_VEC(lc_str) str_list;

static bool read_value(lc_ctyjson_reader *r, lc_value *slot, const lc_type *want, unsigned depth);

/* ---- Primitives. */

/* go-cty converts here: strings to bools and numbers, and bools to strings. */
static bool read_bool(lc_ctyjson_reader *r, lc_value *slot)
{
    size_t at = lc_json_scan_here(&r->s);
    int c = lc_json_scan_peek(&r->s);
    lc_str text;
    if (c == 't' || c == 'f') {
        lc_value_set_bool(slot, c == 't');
        return lc_json_scan_word(&r->s, c == 't' ? "true" : "false");
    }
    if (c != '"')
        return lc_json_scan_unexpected(&r->s, "a bool");
    if (!lc_json_scan_string(&r->s, &text))
        return false;
    bool yes = lc_str_is(text, "true") || lc_str_is(text, "1");
    if (!yes && !lc_str_is(text, "false") && !lc_str_is(text, "0"))
        return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at,
                               "a bool is required, found a string that is not a bool");
    lc_value_set_bool(slot, yes);
    return true;
}

static bool read_number(lc_ctyjson_reader *r, lc_value *slot)
{
    size_t at = lc_json_scan_here(&r->s);
    int c = lc_json_scan_peek(&r->s);
    lc_str text;
    lc_num n;
    if (c != '"' && c != '-' && !lc_is_digit(c))
        return lc_json_scan_unexpected(&r->s, "a number");
    if (!(c == '"' ? lc_json_scan_string(&r->s, &text) : lc_json_scan_number(&r->s, &text)))
        return false;
    if (!lc_codec_number_from_text(&r->b, &n, text, at))
        return false;
    codec_set_number(&r->b, slot, n);
    return true;
}

/* A number where a string is required is its own text. */
static bool read_string(lc_ctyjson_reader *r, lc_value *slot)
{
    int c = lc_json_scan_peek(&r->s);
    lc_str text;
    if (c == 't' || c == 'f') {
        text = c == 't' ? LC_STR("true") : LC_STR("false");
        if (!lc_json_scan_word(&r->s, text.ptr))
            return false;
    } else if (c == '"') {
        if (!lc_json_scan_string(&r->s, &text))
            return false;
    } else if (c == '-' || lc_is_digit(c)) {
        if (!lc_json_scan_number(&r->s, &text))
            return false;
    } else {
        return lc_json_scan_unexpected(&r->s, "a string");
    }
    lc_value_set_string(slot, r->b.arena, text);
    return true;
}

/* ---- The stack of elements. */

static void push(lc_ctyjson_reader *r, const lc_value *v)
{
    if (r->used == r->capacity) {
        r->capacity = r->capacity ? lc_mul_size(r->capacity, 2) : 64;
        r->stack = lc_heap_resize(r->stack, lc_mul_size(r->capacity, sizeof *r->stack));
    }
    r->stack[r->used++] = *v;
}

/* The elements above `base`, moved to the arena. */
static lc_value *pop(lc_ctyjson_reader *r, size_t base, size_t *count)
{
    *count = r->used - base;
    const lc_value *first = *count ? r->stack + base : NULL;
    lc_value *elems = lc_arena_copy(r->b.arena, first, *count, sizeof *elems);
    r->used = base;
    return elems;
}

/* ---- Containers. */

static bool open_container(lc_ctyjson_reader *r, char open, const char *what, unsigned depth)
{
    if (lc_json_scan_peek(&r->s) != (unsigned char)open)
        return lc_json_scan_unexpected(&r->s, what);
    if (!codec_check_depth(&r->b.trouble, lc_json_scan_here(&r->s), depth))
        return false;
    r->s.in.at++;
    return true;
}

/* Reads elements onto the stack. For tuples at most as many as the type has. */
static bool read_elements(lc_ctyjson_reader *r, const lc_type *want, unsigned depth, size_t base)
{
    lc_json_items items = {.close = ']'};
    while (lc_json_scan_more(&r->s, &items)) {
        size_t index = r->used - base;
        lc_value v;
        if (want->kind == LC_TYPE_TUPLE && index == want->count)
            return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, lc_json_scan_here(&r->s),
                                   "a tuple of length %lu is required (more given)",
                                   (unsigned long)want->count);
        if (!codec_count(&r->b, lc_json_scan_here(&r->s), 1, "values"))
            return false;
        if (!read_value(r, &v, codec_element_type(want, index), depth + 1))
            return lc_codec_within(&r->b.trouble, codec_element_step(want, index));
        push(r, &v);
    }
    return !items.failed;
}

static bool read_sequence(lc_ctyjson_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    lc_codec_container c = {want, lc_json_scan_here(&r->s), r->b.zeros};
    size_t base = r->used, count;
    if (!open_container(r, '[', lc_codec_type_word(want), depth) ||
        !read_elements(r, want, depth, base))
        return false;
    lc_value *elems = pop(r, base, &count);
    if (want->kind == LC_TYPE_TUPLE && count < want->count)
        /* go-cty shortens its path by one step for this message, and the path is empty at the root.
         */
        return lc_codec_refuse(&r->b.trouble, depth == 0 ? LC_WIRE_CRASHES : LC_WIRE_REFUSED, c.at,
                               "a tuple of length %lu is required (%lu given)",
                               (unsigned long)want->count, (unsigned long)count);
    return lc_codec_set_sequence(&r->b, slot, &c, elems, count);
}

/* The key of the next member and the colon; *at is its place. False at the end, or if it failed. */
static bool read_key(lc_ctyjson_reader *r, lc_json_items *members, size_t *at, lc_str *key)
{
    if (!lc_json_scan_more(&r->s, members))
        return false;
    *at = lc_json_scan_here(&r->s);
    members->failed = !lc_json_scan_string(&r->s, key) || !lc_json_scan_char(&r->s, ':', "':'");
    return !members->failed;
}

static bool read_members(lc_ctyjson_reader *r, const lc_type *want, unsigned depth, str_list *keys)
{
    lc_json_items members = {.close = '}'};
    size_t at;
    lc_str key;
    while (read_key(r, &members, &at, &key)) {
        lc_value v;
        key = lc_nfc(r->b.arena, key);
        if (!codec_count(&r->b, at, 1, "values"))
            return false;
        if (!read_value(r, &v, want->as.elem, depth + 1))
            return lc_codec_within(&r->b.trouble, CODEC_KEY(key));
        push(r, &v);
        *LC_PUSH(r->b.arena, keys, lc_str) = key;
    }
    return !members.failed;
}

static bool read_map(lc_ctyjson_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    lc_codec_container c = {want, lc_json_scan_here(&r->s), r->b.zeros};
    size_t base = r->used, count;
    str_list keys = {0};
    if (!open_container(r, '{', "a map", depth) || !read_members(r, want, depth, &keys))
        return false;
    lc_value *elems = pop(r, base, &count);
    return lc_codec_set_map(&r->b, slot, &c, keys.items, elems, count);
}

static bool read_attrs(lc_ctyjson_reader *r, lc_value *elems, const lc_type *want, unsigned depth)
{
    lc_json_items members = {.close = '}'};
    size_t at;
    lc_str key;
    for (uint32_t i = 0; read_key(r, &members, &at, &key); i++) {
        uint32_t index = i;
        if (!codec_find_attr(&r->b, want, &index, key, at))
            return false;
        if (elems[index].type)
            r->b.notes |= LC_WIRE_NOTE_DUPLICATES;
        if (!read_value(r, &elems[index], want->as.attrs[index].type, depth + 1))
            return lc_codec_within(&r->b.trouble, CODEC_ATTR(key));
    }
    return !members.failed;
}

static bool read_object(lc_ctyjson_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    size_t at = lc_json_scan_here(&r->s);
    if (!open_container(r, '{', "an object", depth) ||
        !codec_count(&r->b, at, want->count, "values"))
        return false;
    lc_value *elems = lc_codec_new_attrs(&r->b, want);
    if (!read_attrs(r, elems, want, depth))
        return false;
    for (uint32_t i = 0; i < want->count; i++) {
        if (!elems[i].type)
            lc_value_set_null(&elems[i], want->as.attrs[i].type);
    }
    lc_value_set_object(slot, r->b.arena, want, elems);
    return true;
}

/* ---- Dynamic positions. */

/* The bytes of the two members, whichever comes first. */
static bool read_wrapper(lc_ctyjson_reader *r, lc_str *type, lc_str *value, unsigned depth)
{
    lc_json_items members = {.close = '}'};
    size_t at;
    lc_str key;
    while (read_key(r, &members, &at, &key)) {
        bool is_type = lc_str_is(key, "type");
        if (!is_type && !lc_str_is(key, "value"))
            return lc_codec_refuse_name(&r->b.trouble, LC_WIRE_REFUSED, at, "the key ", key,
                                        " is given together with \"type\" and \"value\"");
        if ((is_type ? type : value)->ptr)
            r->b.notes |= LC_WIRE_NOTE_DUPLICATES;
        if (!lc_json_scan_skip(&r->s, is_type ? type : value, depth + 1))
            return false;
    }
    return !members.failed;
}

static bool read_dynamic(lc_ctyjson_reader *r, lc_value *slot, unsigned depth)
{
    size_t at = lc_json_scan_here(&r->s);
    lc_str text = {0}, value = {0};
    const lc_type *type;
    if (!open_container(r, '{', "an object of a type and a value", depth) ||
        !read_wrapper(r, &text, &value, depth))
        return false;
    if (!text.ptr || !value.ptr)
        return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at,
                               text.ptr ? "the value has no \"value\""
                                        : "the value has no \"type\"");
    if (!lc_codec_read_wrapper_type(&type, r->b.decoder, &r->s, text))
        return false;
    const char *after = r->s.in.at, *end = r->s.in.end;
    r->s.in.at = value.ptr;
    r->s.in.end = value.ptr + value.len;
    bool ok = read_value(r, slot, type, depth + 1);
    r->s.in.at = after;
    r->s.in.end = end;
    return ok;
}

static bool read_value(lc_ctyjson_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    if (lc_json_scan_peek(&r->s) == 'n') {
        lc_value_set_null(slot, want);
        return lc_json_scan_word(&r->s, "null");
    }
    switch (want->kind) {
    case LC_TYPE_BOOL:
        return read_bool(r, slot);
    case LC_TYPE_NUMBER:
        return read_number(r, slot);
    case LC_TYPE_STRING:
        return read_string(r, slot);
    case LC_TYPE_DYNAMIC:
        return read_dynamic(r, slot, depth);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_TUPLE:
        return read_sequence(r, slot, want, depth);
    case LC_TYPE_MAP:
        return read_map(r, slot, want, depth);
    case LC_TYPE_OBJECT:
        return read_object(r, slot, want, depth);
    }
    LC_UNREACHABLE();
}

bool lc_ctyjson_decode(const lc_value **out, lc_arena *arena, lc_str in, const lc_type *want,
                       lc_wire_result *result)
{
    lc_decoder decoder = {.arena = arena};
    lc_ctyjson_reader r = {0};
    lc_value root;
    lc_codec_builder_init(&r.b, &decoder, result);
    r.s = lc_json_scan_over(in, &r.b.trouble);
    bool ok = read_value(&r, &root, lc_type_without_optional(want), 0);
    lc_heap_free(r.stack);
    result->notes = r.b.notes | (r.s.in.mended ? LC_WIRE_NOTE_BAD_UTF8 : 0);
    if (!ok)
        return lc_codec_give_up(&r.b.trouble);
    if (lc_json_scan_peek(&r.s) >= 0)
        result->notes |= LC_WIRE_NOTE_TRAILING;
    *out = lc_value_new(arena, &root);
    return true;
}
