/* Values with unknown places and marks in the form of the recorded expressions, in and out. */
#include "marked.h"
#include "values.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/value/path.h"

#include <stdlib.h>

/* ---- In. */

#define MAX_STEPS 1000

typedef struct reading {
    lc_arena *arena;
    const lc_node *unknown, *marks;
    lc_str names[MAX_STEPS]; /* the place; names.ptr NULL: an index */
    uint64_t indices[MAX_STEPS];
    size_t depth;
    bool bad;
} reading;

static bool is_here(const reading *r, const lc_node *path)
{
    if (path->kind != LC_NODE_SEQUENCE || path->count != r->depth)
        return false;
    for (size_t i = 0; i < r->depth; i++) {
        const lc_node *step = &path->as.items[i];
        if (lc_node_is(step, LC_NODE_MAPPING))
            step = lc_node_get(step, "element");
        bool index = lc_node_is(step, LC_NODE_NUMBER);
        if (index != !r->names[i].ptr)
            return false;
        if (index ? strtoull(step->as.text.ptr, NULL, 10) != r->indices[i]
                  : !lc_str_eq(lc_node_as_text(step), r->names[i]))
            return false;
    }
    return true;
}

static const lc_node *entry_here(const reading *r, const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *entry = &list->as.items[i];
        if (is_here(r, lc_node_get(entry, "path")))
            return entry;
    }
    return NULL;
}

static lc_num number(reading *r, const lc_node *node)
{
    lc_num n = LC_NUM(0);
    lc_str text = node ? node->as.text : LC_STR_EMPTY;
    if (lc_str_is(text, "Infinity"))
        text = LC_STR("1e999999999");
    if (lc_str_is(text, "-Infinity"))
        text = LC_STR("-1e999999999");
    r->bad |= lc_num_from_text(&n, r->arena, text, 100000) != LC_NUM_OK;
    return n;
}

static bool read_bound(reading *r, const lc_node *pair, lc_num *n, bool *inclusive)
{
    if (!pair)
        return false;
    *n = number(r, lc_node_item(pair, 0));
    *inclusive = lc_node_is_true(lc_node_item(pair, 1));
    return true;
}

static bool read_length(const lc_node *node, uint64_t *n)
{
    if (node)
        *n = strtoull(node->as.text.ptr, NULL, 10);
    return node != NULL;
}

static void read_unknown(reading *r, const lc_type *type, const lc_node *entry, lc_value *slot)
{
    lc_refinement f = {0};
    const lc_node *refine = lc_node_get(entry, "refine");
    const lc_node *null = lc_node_get(refine, "null"), *prefix = lc_node_get(refine, "prefix");
    f.not_null = null && !lc_node_is_true(null);
    f.has_prefix = prefix != NULL;
    f.prefix = lc_node_as_text(prefix);
    f.has_min = read_bound(r, lc_node_get(refine, "lower"), &f.min, &f.min_inclusive);
    f.has_max = read_bound(r, lc_node_get(refine, "upper"), &f.max, &f.max_inclusive);
    f.has_min_len = read_length(lc_node_get(refine, "length_lower"), &f.min_len);
    f.has_max_len = read_length(lc_node_get(refine, "length_upper"), &f.max_len);
    if (!refine)
        lc_value_set_unknown(slot, type);
    else
        r->bad |= !lc_value_set_refined(slot, r->arena, type, &f);
}

static const lc_marks *read_place(reading *r, const lc_type *type, const lc_node *node,
                                  lc_value *slot);

static const lc_marks *read_part(reading *r, lc_str name, uint64_t index, const lc_type *type,
                                 const lc_node *node, lc_value *slot)
{
    if (r->depth == MAX_STEPS) {
        r->bad = true;
        lc_value_set_null(slot, type);
        return NULL;
    }
    r->names[r->depth] = name;
    r->indices[r->depth++] = index;
    const lc_marks *marks = read_place(r, type, node, slot);
    r->depth--;
    return marks;
}

/* The elements of a list, set, map or tuple. */
static const lc_marks *read_items(reading *r, const lc_type *type, const lc_node *node,
                                  lc_value *slot)
{
    bool map = type->kind == LC_TYPE_MAP;
    lc_value *elems = LC_NEW_ARRAY(r->arena, lc_value, node->count);
    lc_str *keys = LC_NEW_ARRAY(r->arena, lc_str, node->count);
    const lc_marks **marks = LC_NEW_ARRAY(r->arena, const lc_marks *, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_type *t = type->kind == LC_TYPE_TUPLE ? type->as.items[i] : type->as.elem;
        const lc_node *item = map ? &node->as.members[i].value : &node->as.items[i];
        keys[i] = map ? node->as.members[i].key : (lc_str){NULL, 0};
        marks[i] = read_part(r, keys[i], i, t, item, &elems[i]);
    }
    if (type->kind == LC_TYPE_TUPLE)
        lc_value_set_tuple(slot, r->arena, type, elems, node->count);
    else if (map)
        r->bad |= !lc_value_set_map(slot, r->arena, type, keys, elems, node->count);
    else if (type->kind == LC_TYPE_SET)
        r->bad |= !lc_value_set_set(slot, r->arena, type, elems, node->count);
    else
        r->bad |= !lc_value_set_list(slot, r->arena, type, elems, node->count);
    return type->kind == LC_TYPE_SET ? NULL : lc_marks_join(r->arena, marks, node->count);
}

static const lc_marks *read_object(reading *r, const lc_type *type, const lc_node *node,
                                   lc_value *slot)
{
    lc_value *elems = LC_NEW_ARRAY(r->arena, lc_value, type->count);
    const lc_marks **marks = LC_NEW_ARRAY(r->arena, const lc_marks *, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        const lc_type_attr *a = &type->as.attrs[i];
        marks[i] = read_part(r, a->name, 0, a->type, lc_node_value(node, a->name), &elems[i]);
    }
    lc_value_set_object(slot, r->arena, type, elems);
    return lc_marks_join(r->arena, marks, type->count);
}

static const lc_marks *read_known(reading *r, const lc_type *type, const lc_node *node,
                                  lc_value *slot)
{
    bool mapping = type->kind == LC_TYPE_MAP || type->kind == LC_TYPE_OBJECT;
    if (!lc_type_is_primitive(type) &&
        node->kind != (mapping ? LC_NODE_MAPPING : LC_NODE_SEQUENCE)) {
        r->bad = true;
        lc_value_set_null(slot, type);
        return NULL;
    }
    switch (type->kind) {
    case LC_TYPE_BOOL:
        lc_value_set_bool(slot, lc_node_is_true(node));
        return NULL;
    case LC_TYPE_NUMBER:
        lc_value_set_number(slot, number(r, node));
        return NULL;
    case LC_TYPE_STRING:
        lc_value_set_string(slot, r->arena, lc_node_as_text(node));
        return NULL;
    case LC_TYPE_OBJECT:
        return read_object(r, type, node, slot);
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
        break;
    }
    return read_items(r, type, node, slot);
}

static unsigned read_marks(const lc_node *list)
{
    unsigned marks = 0;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        marks |= lc_str_is(lc_node_as_text(&list->as.items[i]), "sensitive") ? LC_MARK_SENSITIVE
                                                                             : LC_MARK_EPHEMERAL;
    return marks;
}

static const lc_marks *read_place(reading *r, const lc_type *type, const lc_node *node,
                                  lc_value *slot)
{
    const lc_marks *marks = NULL;
    const lc_node *unknown = entry_here(r, r->unknown);
    const lc_node *marked = entry_here(r, r->marks);
    if (unknown)
        read_unknown(r, type, unknown, slot);
    else if (lc_node_is_null(node))
        lc_value_set_null(slot, type);
    else
        marks = read_known(r, type, node, slot);
    if (!marked)
        return marks;
    lc_marked v = {slot, marks};
    return lc_marked_with(r->arena, v, read_marks(lc_node_get(marked, "marks")), NULL).marks;
}

bool vectors_marked_read(lc_marked *out, lc_arena *arena, const lc_node *node)
{
    const lc_type *type;
    lc_value slot;
    reading *r = LC_NEW(arena, reading);
    r->arena = arena;
    r->unknown = lc_node_get(node, "unknown");
    r->marks = lc_node_get(node, "marks");
    const lc_node *text = lc_node_get(node, "type");
    if (!text || !vectors_type(&type, arena, text))
        return false;
    out->marks = read_place(r, type, lc_node_get(node, "value"), &slot);
    out->value = lc_value_new(arena, &slot);
    return !r->bad;
}

/* ---- Out. */

static void write_number(lc_buf *out, lc_num n)
{
    if (lc_num_is_inf(n))
        lc_buf_add_c(out, lc_num_sign(n) < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    else
        lc_num_add_text(out, n);
}

static void write_data(lc_json *w, const lc_value *v)
{
    bool named = v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT;
    if (!lc_is_known(v)) {
        lc_json_null(w, NULL);
    } else if (v->type->kind == LC_TYPE_BOOL) {
        lc_json_bool(w, NULL, v->as.boolean);
    } else if (v->type->kind == LC_TYPE_STRING) {
        lc_json_str(w, NULL, v->as.string);
    } else if (v->type->kind == LC_TYPE_NUMBER) {
        write_number(lc_json_value(w, NULL), v->as.number);
    } else {
        (named ? lc_json_object : lc_json_array)(w, NULL);
        for (uint32_t i = 0; i < v->count; i++) {
            if (named)
                lc_json_key(w, v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i]
                                                            : v->type->as.attrs[i].name);
            write_data(w, &v->as.many.elems[i]);
        }
        (named ? lc_json_end_object : lc_json_end_array)(w);
    }
}

static void write_path(lc_json *w, const lc_trail *at)
{
    if (!at)
        return;
    write_path(w, at->up);
    if (at->step.kind == LC_STEP_INDEX) {
        lc_json_uint(w, NULL, at->step.index);
    } else if (at->step.kind == LC_STEP_ELEMENT) {
        lc_json_object(w, NULL);
        lc_json_uint(w, "element", at->step.index);
        lc_json_end_object(w);
    } else {
        lc_json_str(w, NULL, at->step.name);
    }
}

static lc_trail step_to(const lc_trail *up, const lc_value *v, uint32_t i)
{
    if (v->type->kind == LC_TYPE_MAP)
        return lc_trail_key(up, v->as.many.keys[i]);
    if (v->type->kind == LC_TYPE_OBJECT)
        return lc_trail_attr(up, v->type->as.attrs[i].name);
    if (v->type->kind == LC_TYPE_SET)
        return (lc_trail){up, {LC_STEP_ELEMENT, {"", 0}, i, NULL}};
    return lc_trail_index(up, i);
}

static uint32_t parts(const lc_value *v)
{
    return lc_is_known(v) && !lc_type_is_primitive(v->type) ? v->count : 0;
}

static void write_bound(lc_json *w, const char *key, lc_num n, bool inclusive)
{
    lc_json_array(w, key);
    write_number(lc_json_value(w, NULL), n);
    lc_json_bool(w, NULL, inclusive);
    lc_json_end_array(w);
}

static void write_refinement(lc_json *w, const lc_refinement *f)
{
    static const lc_refinement nothing;
    bool any = f && (f->not_null || f->has_prefix || f->has_min || f->has_max ||
                     (f->has_min_len && f->min_len) || f->has_max_len);
    if (!f)
        f = &nothing;
    if (!any)
        return;
    lc_json_object(w, "refine");
    if (f->not_null)
        lc_json_bool(w, "null", false);
    if (f->has_prefix)
        lc_json_str(w, "prefix", f->prefix);
    if (f->has_min)
        write_bound(w, "lower", f->min, f->min_inclusive);
    if (f->has_max)
        write_bound(w, "upper", f->max, f->max_inclusive);
    if (f->has_min_len && f->min_len)
        lc_json_uint(w, "length_lower", f->min_len);
    if (f->has_max_len)
        lc_json_uint(w, "length_upper", f->max_len);
    lc_json_end_object(w);
}

static void write_unknown(lc_json *w, const lc_value *v, const lc_trail *at)
{
    if (lc_is_unknown(v)) {
        lc_json_object(w, NULL);
        lc_json_array(w, "path");
        write_path(w, at);
        lc_json_end_array(w);
        write_refinement(w, lc_value_refinement(v));
        lc_json_end_object(w);
        return;
    }
    for (uint32_t i = 0; i < parts(v); i++) {
        lc_trail here = step_to(at, v, i);
        write_unknown(w, &v->as.many.elems[i], &here);
    }
}

/* The marks that the clients have. What lifecheck does not know is left to the callers. */
#define CLIENT_MARKS ((unsigned)(LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL))

static void write_marks(lc_json *w, lc_marked v, const lc_trail *at)
{
    unsigned self = lc_marks_self(v) & CLIENT_MARKS;
    if (self) {
        lc_json_object(w, NULL);
        lc_json_array(w, "path");
        write_path(w, at);
        lc_json_end_array(w);
        lc_json_array(w, "marks");
        if (self & LC_MARK_EPHEMERAL)
            lc_json_c(w, NULL, "ephemeral");
        if (self & LC_MARK_SENSITIVE)
            lc_json_c(w, NULL, "sensitive");
        lc_json_end_array(w);
        lc_json_end_object(w);
    }
    for (uint32_t i = 0; v.marks && i < v.marks->count && i < parts(v.value); i++) {
        lc_trail here = step_to(at, v.value, i);
        write_marks(w, (lc_marked){&v.value->as.many.elems[i], v.marks->children[i]}, &here);
    }
}

void vectors_marked_write(lc_buf *out, lc_marked v)
{
    lc_json w = {.out = out};
    lc_buf_add_c(out, "\"type\":");
    lc_typejson_encode(out, v.value->type);
    lc_buf_add_c(out, ",\"value\":");
    write_data(&w, v.value);
    if (!lc_is_wholly_known(v.value)) {
        lc_json list = {.out = out};
        lc_buf_add_c(out, ",\"unknown\":");
        lc_json_array(&list, NULL);
        write_unknown(&list, v.value, NULL);
        lc_json_end_array(&list);
    }
    if (lc_marks_all(v) & CLIENT_MARKS) {
        lc_json list = {.out = out};
        lc_buf_add_c(out, ",\"marks\":");
        lc_json_array(&list, NULL);
        write_marks(&list, v, NULL);
        lc_json_end_array(&list);
    }
}
