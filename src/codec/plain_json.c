/* Bare JSON to values (values-and-wire 5.1): what is unknown is left out of the first tree, or null
 * in it, and `true` in the second. */
#include "lifecheck/codec/plain_json.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"

static bool build(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                  const lc_node *u, const lc_trail *at);

static bool fail(lc_plain_json *b, const lc_trail *at, const lc_type *want)
{
    lc_buf text = {0};
    lc_type_add_friendly(&text, want);
    lc_buf_add_c(&text, " is required");
    b->why = lc_buf_copy(b->arena, &text);
    b->failure = lc_path_from_trail(b->arena, at);
    lc_buf_release(&text);
    return false;
}

/* The second tree has {} and [] where nothing inside is unknown. */
static bool has_content(const lc_node *u)
{
    return u && (u->kind == LC_NODE_MAPPING || u->kind == LC_NODE_SEQUENCE) && u->count > 0;
}

/* ---- Leaves. */

static bool build_primitive(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                            const lc_trail *at)
{
    lc_num n;
    if (type->kind == LC_TYPE_BOOL && a->kind == LC_NODE_BOOL) {
        lc_value_set_bool(out, a->boolean);
        return true;
    }
    if (type->kind == LC_TYPE_STRING && a->kind == LC_NODE_STRING) {
        lc_value_set_string(out, b->arena, lc_str_copy(b->arena, a->as.text));
        return true;
    }
    if (type->kind == LC_TYPE_NUMBER && a->kind == LC_NODE_NUMBER &&
        lc_num_from_text(&n, b->arena, a->as.text, b->limits.digits) == LC_NUM_OK) {
        lc_value_set_number(out, n);
        return true;
    }
    return fail(b, at, type);
}

/* ---- Sequences. */

static uint32_t longer(const lc_node *a, const lc_node *u)
{
    uint32_t of_a = lc_node_item_count(a), of_u = lc_node_item_count(u);
    return of_a > of_u ? of_a : of_u;
}

static bool build_sequence(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                           const lc_node *u, const lc_trail *at)
{
    if (!lc_node_is_null(a) && a->kind != LC_NODE_SEQUENCE)
        return fail(b, at, type);
    uint32_t count = longer(a, u);
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, count);
    for (uint32_t i = 0; i < count; i++) {
        lc_trail trail =
            type->kind == LC_TYPE_SET ? lc_trail_element(at, NULL) : lc_trail_index(at, i);
        if (!build(b, &elems[i], type->as.elem, lc_node_item(a, i), lc_node_item(u, i), &trail))
            return false;
    }
    bool ok = type->kind == LC_TYPE_LIST ? lc_value_set_list(out, b->arena, type, elems, count)
                                         : lc_value_set_set(out, b->arena, type, elems, count);
    return ok || fail(b, at, type);
}

/* Below dynamic, too: there the JSON determines the types of the elements. */
static bool build_tuple(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                        const lc_node *u, const lc_trail *at)
{
    uint32_t count = longer(a, u);
    const lc_type **types = LC_NEW_ARRAY(b->arena, const lc_type *, count);
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, count);
    if (type->kind == LC_TYPE_TUPLE && count != type->count)
        return fail(b, at, type);
    for (uint32_t i = 0; i < count; i++) {
        lc_trail trail = lc_trail_index(at, i);
        const lc_type *want = type->kind == LC_TYPE_TUPLE ? type->as.items[i] : &lc_type_dynamic;
        if (!build(b, &elems[i], want, lc_node_item(a, i), lc_node_item(u, i), &trail))
            return false;
        types[i] = elems[i].type;
    }
    lc_value_set_tuple(out, b->arena, lc_type_tuple(b->arena, types, count), elems, count);
    return true;
}

/* ---- Mappings. */

/* Keys of both trees, those of the second only if something there is unknown. */
static size_t keys_of(lc_plain_json *b, lc_str **keys, const lc_node *a, const lc_node *u)
{
    size_t count = 0;
    uint32_t of_a = lc_node_member_count(a);
    uint32_t of_u = lc_node_member_count(u);
    *keys = LC_NEW_ARRAY(b->arena, lc_str, of_a + of_u);
    lc_table seen;
    lc_table_init(&seen, b->arena);
    for (uint32_t i = 0; i < of_a; i++) {
        (*keys)[count] = lc_str_copy(b->arena, a->as.members[i].key);
        lc_table_put(&seen, (*keys)[count++], b);
    }
    for (uint32_t i = 0; i < of_u; i++) {
        const lc_member *m = &u->as.members[i];
        if (!lc_table_get(&seen, m->key) && (lc_node_is_true(&m->value) || has_content(&m->value)))
            (*keys)[count++] = lc_str_copy(b->arena, m->key);
    }
    return count;
}

static bool build_map(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                      const lc_node *u, const lc_trail *at)
{
    lc_str *keys;
    if (!lc_node_is_null(a) && a->kind != LC_NODE_MAPPING)
        return fail(b, at, type);
    size_t count = keys_of(b, &keys, a, u);
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, count);
    for (size_t i = 0; i < count; i++) {
        lc_trail trail = lc_trail_key(at, keys[i]);
        if (!build(b, &elems[i], type->as.elem, lc_node_value(a, keys[i]),
                   lc_node_value(u, keys[i]), &trail))
            return false;
    }
    return lc_value_set_map(out, b->arena, type, keys, elems, count) || fail(b, at, type);
}

static bool build_object(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                         const lc_node *u, const lc_trail *at)
{
    if (!lc_node_is_null(a) && a->kind != LC_NODE_MAPPING)
        return fail(b, at, type);
    for (uint32_t i = 0; i < lc_node_member_count(a); i++) {
        if (lc_type_attr_index(type, a->as.members[i].key) < 0) {
            b->why = lc_str_printf(b->arena, "the type has no attribute \"%.*s\"",
                                   LC_FMT(a->as.members[i].key));
            b->failure = lc_path_from_trail(b->arena, at);
            return false;
        }
    }
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, type->count);
    for (size_t i = 0; i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        lc_trail trail = lc_trail_attr(at, name);
        if (!build(b, &elems[i], type->as.attrs[i].type, lc_node_value(a, name),
                   lc_node_value(u, name), &trail))
            return false;
    }
    lc_value_set_object(out, b->arena, type, elems);
    return true;
}

/* Below dynamic the JSON alone determines the type. */
static bool build_members(lc_plain_json *b, lc_value *out, const lc_node *a, const lc_node *u,
                          const lc_trail *at)
{
    lc_str *keys;
    size_t count = keys_of(b, &keys, a, u);
    lc_type_attr *attrs = LC_NEW_ARRAY(b->arena, lc_type_attr, count);
    for (size_t i = 0; i < count; i++)
        attrs[i] = (lc_type_attr){keys[i], &lc_type_dynamic, false};
    const lc_type *shape = lc_type_object(b->arena, attrs, count);
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, count);
    for (size_t i = 0; i < shape->count; i++) {
        lc_str name = shape->as.attrs[i].name;
        lc_trail trail = lc_trail_attr(at, name);
        if (!build(b, &elems[i], &lc_type_dynamic, lc_node_value(a, name), lc_node_value(u, name),
                   &trail))
            return false;
    }
    lc_value_set_object(out, b->arena, shape, elems);
    return true;
}

static bool build_dynamic(lc_plain_json *b, lc_value *out, const lc_node *a, const lc_node *u,
                          const lc_trail *at)
{
    const lc_node *shape = lc_node_is_null(a) ? u : a;
    switch ((lc_node_kind)shape->kind) {
    case LC_NODE_BOOL:
        return build_primitive(b, out, &lc_type_bool, shape, at);
    case LC_NODE_NUMBER:
        return build_primitive(b, out, &lc_type_number, shape, at);
    case LC_NODE_STRING:
        return build_primitive(b, out, &lc_type_string, shape, at);
    case LC_NODE_SEQUENCE:
        return build_tuple(b, out, &lc_type_dynamic, a, u, at);
    case LC_NODE_MAPPING:
        return build_members(b, out, a, u, at);
    case LC_NODE_NULL:
        break;
    }
    lc_value_set_null(out, &lc_type_dynamic);
    return true;
}

static bool build(lc_plain_json *b, lc_value *out, const lc_type *type, const lc_node *a,
                  const lc_node *u, const lc_trail *at)
{
    if (lc_node_is_true(u)) {
        lc_value_set_unknown(out, type);
        return true;
    }
    if (lc_node_is_null(a) && !has_content(u)) {
        lc_value_set_null(out, type);
        return true;
    }
    switch (type->kind) {
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        return lc_node_is_null(a) ? fail(b, at, type) : build_primitive(b, out, type, a, at);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        return build_sequence(b, out, type, a, u, at);
    case LC_TYPE_MAP:
        return build_map(b, out, type, a, u, at);
    case LC_TYPE_TUPLE:
        return build_tuple(b, out, type, a, u, at);
    case LC_TYPE_OBJECT:
        return build_object(b, out, type, a, u, at);
    case LC_TYPE_DYNAMIC:
        if (lc_trail_depth(at) > b->limits.depth)
            return fail(b, at, type);
        return build_dynamic(b, out, a, u, at);
    }
    return false;
}

bool lc_plain_json_value(lc_value *out, lc_plain_json *bare, const lc_type *type,
                         const lc_node *known, const lc_node *unknown)
{
    return build(bare, out, type, known, unknown, NULL);
}

/* ---- Marks. */

typedef struct marker {
    lc_arena *arena;
    void (*each)(void *context, lc_path path);
    void *context;
} marker;

/* Marks (as in after_sensitive) have the form of the value, with true where the mark is; {} and []
 * are none. */
static void walk_marks(const marker *m, const lc_type *type, const lc_node *marks,
                       const lc_trail *at)
{
    if (lc_node_is_true(marks)) {
        m->each(m->context, lc_path_from_trail(m->arena, at));
        return;
    }
    for (uint32_t i = 0; marks->kind == LC_NODE_SEQUENCE && i < marks->count; i++) {
        bool set = type->kind == LC_TYPE_SET;
        lc_trail trail = set ? lc_trail_element(at, NULL) : lc_trail_index(at, i);
        walk_marks(m, lc_type_is_collection(type) ? type->as.elem : &lc_type_dynamic,
                   &marks->as.items[i], &trail);
    }
    for (uint32_t i = 0; marks->kind == LC_NODE_MAPPING && i < marks->count; i++) {
        const lc_member *member_of = &marks->as.members[i];
        lc_str key = lc_str_copy(m->arena, member_of->key);
        long index = type->kind == LC_TYPE_OBJECT ? lc_type_attr_index(type, key) : -1;
        lc_trail trail = type->kind == LC_TYPE_MAP ? lc_trail_key(at, key) : lc_trail_attr(at, key);
        walk_marks(m,
                   index >= 0                  ? type->as.attrs[index].type
                   : type->kind == LC_TYPE_MAP ? type->as.elem
                                               : &lc_type_dynamic,
                   &member_of->value, &trail);
    }
}

void lc_plain_json_marks(lc_arena *arena, const lc_type *type, const lc_node *marks,
                         void (*each)(void *context, lc_path path), void *context)
{
    marker m = {arena, each, context};
    if (marks)
        walk_marks(&m, type, marks, NULL);
}
