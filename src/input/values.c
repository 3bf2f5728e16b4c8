/* Value nodes read by a type, row by row as the format's table of values has it.
 *
 * The walk goes down the nodes and the schema together. `shape` says what may stand at a place: a
 * type, the object of a block, or a whole collection of nested blocks; the latter two know what is
 * left out (an empty collection instead of null) and when a list or map of blocks is a tuple or
 * object because dynamic is inside.
 *
 * Three things can go wrong and are kept apart. A node that the format does not allow is an error
 * of the file, reported where it stands, and the walk goes on with a null in its place. A value
 * that the author typed on purpose against the schema, or bytes that do not decode, make the whole
 * field undecodable: that is evidence, judged later. What would grow without bound stops the walk.
 *
 * Messages name places and types, never scalars, and no place below a sensitive one. */
#include "internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"

#include <stdlib.h>

typedef struct shape {
    const lc_type *type;
    const lc_block *block;     /* an object of this block, or NULL */
    const lc_block_type *many; /* all nested blocks of one type, or NULL */
} shape;

typedef struct walk {
    lc_value_reader *reader;
    const lc_block *block; /* of the root, for the schema's sensitive flags; may be NULL */
    lc_field *field;
    lc_places *places;
    const lc_trail *secret; /* nearest enclosing place marked sensitive */
    bool in_secret;
    bool undecodable;
    bool raw;
    size_t depth;
} walk;

static void read_node(walk *w, lc_value *slot, const lc_node *node, shape want,
                      const lc_trail *trail);

static shape shape_of(const lc_type *type)
{
    return (shape){type, NULL, NULL};
}

/* ---- Places and messages. */

static size_t trail_length(const lc_trail *trail)
{
    size_t length = 0;
    for (; trail; trail = trail->up)
        length++;
    return length;
}

/* How many steps of the path may be shown: up to and including the first sensitive place. */
static size_t shown_steps(const walk *w, lc_path path)
{
    size_t shown = w->in_secret ? trail_length(w->secret) : path.count;
    for (size_t i = 1; w->block && i < shown; i++) {
        if (path.steps[i - 1].kind != LC_STEP_ATTR)
            continue;
        const lc_attribute *attribute = lc_block_attribute_at(w->block, (lc_path){path.steps, i});
        if (attribute && attribute->sensitive)
            return i;
    }
    return shown;
}

/* The place as text; *hidden says that the place itself lies below a sensitive one. */
static lc_str place_text(const walk *w, const lc_trail *trail, bool *hidden)
{
    lc_buf buf = {0};
    lc_path path = lc_path_from_trail(w->reader->arena, trail);
    size_t shown = shown_steps(w, path);
    bool flagged = false;
    if (w->block && shown && path.steps[shown - 1].kind == LC_STEP_ATTR) {
        const lc_attribute *last = lc_block_attribute_at(w->block, (lc_path){path.steps, shown});
        flagged = last && last->sensitive;
    }
    *hidden = shown < path.count || w->in_secret || flagged;
    path.count = shown;
    lc_path_add_text(&buf, path);
    lc_str text = lc_buf_copy(w->reader->arena, &buf);
    lc_buf_release(&buf);
    return text;
}

static lc_str type_text(const walk *w, const lc_type *type)
{
    lc_buf buf = {0};
    lc_type_add_friendly(&buf, type);
    lc_str text = lc_buf_copy(w->reader->arena, &buf);
    lc_buf_release(&buf);
    return text;
}

static void report(walk *w, const lc_node *node, const lc_trail *trail, const char *what)
{
    bool hidden;
    lc_str place = place_text(w, trail, &hidden);
    lc_diag_error(w->reader->diags, lc_node_loc(w->reader->source, node), "%.*s %s", LC_FMT(place),
                  what);
}

static void wrong_type(walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                       const lc_trail *trail)
{
    bool hidden;
    lc_str place = place_text(w, trail, &hidden);
    lc_str type = type_text(w, want);
    lc_diag_error(w->reader->diags, lc_node_loc(w->reader->source, node),
                  "%.*s is %s where the schema wants %.*s", LC_FMT(place), lc_node_kind_name(node),
                  LC_FMT(type));
    lc_value_set_null(slot, want);
}

static void unknown_name(walk *w, const lc_member *member, const lc_type *object,
                         const lc_trail *trail)
{
    bool hidden;
    lc_str place = place_text(w, trail, &hidden);
    lc_loc loc = lc_where_loc(w->reader->source, member->where);
    if (hidden) {
        lc_diag_error(w->reader->diags, loc, "%.*s has no such attribute", LC_FMT(place));
        return;
    }
    lc_str *names = LC_NEW_ARRAY(w->reader->arena, lc_str, object->count);
    for (uint32_t i = 0; i < object->count; i++)
        names[i] = object->as.attrs[i].name;
    lc_str near = lc_str_nearest(member->key, names, object->count);
    lc_diag_error(w->reader->diags, loc, "%.*s has no attribute or block \"%.*s\"%s%.*s%s",
                  LC_FMT(place), LC_FMT(member->key), near.len ? "; did you mean \"" : "",
                  LC_FMT(near), near.len ? "\"?" : "");
}

/* The field is evidence of a value that is none of the type. The first problem is kept. */
static void undecodable(walk *w, const lc_trail *trail, lc_wire_problem problem, lc_path below)
{
    if (w->undecodable)
        return;
    w->undecodable = true;
    lc_path above = lc_path_from_trail(w->reader->arena, trail);
    lc_step *steps = LC_NEW_ARRAY(w->reader->arena, lc_step, above.count + below.count);
    for (size_t i = 0; i < above.count; i++)
        steps[i] = above.steps[i];
    for (size_t i = 0; i < below.count; i++)
        steps[above.count + i] = below.steps[i];
    lc_path path = {steps, above.count + below.count};
    lc_buf buf = {0};
    lc_path_add_text(&buf, path);
    problem.path = lc_buf_copy(w->reader->arena, &buf);
    lc_buf_release(&buf);
    w->field->problem = problem;
    w->field->problem_path = path;
}

static void set_mismatch(walk *w, lc_value *slot, const lc_type *given, const lc_type *want,
                         const lc_trail *trail)
{
    lc_str is = type_text(w, given), wanted = type_text(w, want);
    lc_str message =
        lc_str_printf(w->reader->arena, "a value of type %.*s where the schema has %.*s",
                      LC_FMT(is), LC_FMT(wanted));
    undecodable(w, trail, (lc_wire_problem){LC_WIRE_REFUSED, 0, LC_STR_EMPTY, message},
                LC_PATH_ROOT);
    lc_value_set_null(slot, want);
}

/* Room for `count` more values. False: the limit is reached, reported once. */
static bool take(walk *w, const lc_node *node, size_t count)
{
    lc_value_reader *reader = w->reader;
    if (reader->built > reader->limits.nodes)
        return false;
    if (count <= reader->limits.nodes - reader->built) {
        reader->built += count;
        return true;
    }
    reader->built = reader->limits.nodes + 1;
    lc_diag_error(reader->diags, lc_node_loc(reader->source, node),
                  "the values of this file are more than %zu", reader->limits.nodes);
    return false;
}

static lc_value *new_elems(walk *w, size_t count)
{
    lc_value *elems = lc_arena_zalloc(w->reader->arena, lc_mul_size(count, sizeof *elems));
    return elems;
}

/* ---- Scalars. */

static void set_number(walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
{
    lc_num n = LC_NUM(0);
    switch (lc_num_from_text(&n, w->reader->arena, node->as.text, w->reader->limits.digits)) {
    case LC_NUM_OK:
        lc_value_set_number(slot, n);
        return;
    case LC_NUM_BAD:
        wrong_type(w, slot, node, &lc_type_number, trail);
        return;
    case LC_NUM_OVERFLOW:
        report(w, node, trail, "is a number with an exponent that is out of range");
        break;
    case LC_NUM_TOO_LONG:
        report(w, node, trail, "is a number with too many digits");
        break;
    }
    lc_value_set_null(slot, &lc_type_number);
}

static void read_number(walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
{
    bool text = node->kind == LC_NODE_STRING && node->style != LC_STYLE_PLAIN && w->reader->config;
    if (node->kind == LC_NODE_NUMBER || text)
        set_number(w, slot, node, trail);
    else
        wrong_type(w, slot, node, &lc_type_number, trail);
}

static void read_bool(walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
{
    if (node->kind == LC_NODE_BOOL) {
        lc_value_set_bool(slot, node->boolean);
        return;
    }
    lc_value text;
    const lc_value *converted;
    lc_str why;
    if (node->kind == LC_NODE_STRING && node->style != LC_STYLE_PLAIN && w->reader->config) {
        lc_value_set_string(&text, w->reader->arena, node->as.text);
        if (lc_value_convert(&converted, w->reader->arena, &text, &lc_type_bool, &why)) {
            *slot = *converted;
            return;
        }
    }
    wrong_type(w, slot, node, &lc_type_bool, trail);
}

/* Plain YAML is text as written, whatever it looks like; JSON has types of its own. */
static void read_string(walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
{
    bool scalar = node->kind == LC_NODE_NUMBER || node->kind == LC_NODE_BOOL;
    bool as_written = scalar && (node->style != LC_STYLE_JSON || w->reader->config);
    if (node->kind == LC_NODE_STRING || as_written)
        lc_value_set_string(slot, w->reader->arena, node->as.text);
    else
        wrong_type(w, slot, node, &lc_type_string, trail);
}

/* ---- Collections. */

static void set_tuple(walk *w, lc_value *slot, lc_value *elems, size_t count)
{
    const lc_type **types = LC_NEW_ARRAY(w->reader->arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++)
        types[i] = elems[i].type;
    const lc_type *type = lc_type_tuple(w->reader->arena, types, count);
    lc_value_set_tuple(slot, w->reader->arena, type, elems, count);
}

/* Elements of different types below dynamic. A configuration is converted first, as core does; in
 * an answer of a provider they crash go-cty. */
static void set_mixed(walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                      lc_value *elems, const lc_trail *trail)
{
    lc_value tuple;
    const lc_value *converted;
    lc_str why;
    lc_value_set_null(slot, want);
    if (!w->reader->config) {
        lc_wire_problem problem = {LC_WIRE_CRASHES, 0, LC_STR_EMPTY,
                                   LC_STR("elements of different types in one collection")};
        undecodable(w, trail, problem, LC_PATH_ROOT);
        return;
    }
    if (want->kind != LC_TYPE_MAP) {
        set_tuple(w, &tuple, elems, node->count);
        if (lc_value_convert(&converted, w->reader->arena, &tuple, want, &why)) {
            *slot = *converted;
            return;
        }
    }
    report(w, node, trail, "has elements of different types");
}

static void read_items(walk *w, lc_value *elems, const lc_node *node, shape want, bool set,
                       const lc_trail *trail)
{
    for (uint32_t i = 0; i < node->count; i++) {
        lc_trail at = set ? lc_trail_element(trail, NULL) : lc_trail_index(trail, i);
        read_node(w, &elems[i], &node->as.items[i], want, &at);
    }
}

/* A list or set of `elem`; with `tuple` the list is one whose elements may differ in type. */
static void read_sequence(walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                          shape elem, bool tuple, const lc_trail *trail)
{
    bool set = want->kind == LC_TYPE_SET;
    if (node->kind != LC_NODE_SEQUENCE) {
        wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!take(w, node, node->count))
        return;
    lc_arena *arena = w->reader->arena;
    lc_value *elems = new_elems(w, node->count);
    read_items(w, elems, node, elem, set, trail);
    if (set && w->places)
        lc_places_add_set(w->places, node, elems);
    if (tuple) {
        set_tuple(w, slot, elems, node->count);
        return;
    }
    bool ok = set ? lc_value_set_set(slot, arena, want, elems, node->count)
                  : lc_value_set_list(slot, arena, want, elems, node->count);
    if (!ok)
        set_mixed(w, slot, node, want, elems, trail);
}

static void read_members(walk *w, lc_str *keys, lc_value *elems, const lc_node *node, shape want,
                         bool object, const lc_trail *trail)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        keys[i] = lc_nfc(w->reader->arena, member->key);
        lc_trail at = object ? lc_trail_attr(trail, keys[i]) : lc_trail_key(trail, keys[i]);
        read_node(w, &elems[i], &member->value, want, &at);
    }
}

static void read_map(walk *w, lc_value *slot, const lc_node *node, const lc_type *want, shape elem,
                     const lc_trail *trail)
{
    if (node->kind != LC_NODE_MAPPING) {
        wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!take(w, node, node->count))
        return;
    lc_str *keys = LC_NEW_ARRAY(w->reader->arena, lc_str, node->count);
    lc_value *elems = new_elems(w, node->count);
    read_members(w, keys, elems, node, elem, false, trail);
    if (!lc_value_set_map(slot, w->reader->arena, want, keys, elems, node->count))
        set_mixed(w, slot, node, want, elems, trail);
    else if (slot->count != node->count)
        report(w, node, trail, "has the same key twice, in two forms of Unicode");
}

/* ---- Objects. */

typedef struct named {
    lc_str name;
    lc_value value;
} named;

static int compare_named(const void *a, const void *b)
{
    return lc_str_cmp(((const named *)a)->name, ((const named *)b)->name);
}

/* An object whose attributes are those that are written. */
static void read_free_object(walk *w, lc_value *slot, const lc_node *node, shape elem,
                             const lc_trail *trail)
{
    lc_arena *arena = w->reader->arena;
    uint32_t count = node->count;
    lc_value_set_null(slot, &lc_type_dynamic);
    if (!take(w, node, count))
        return;
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, count);
    lc_value *elems = new_elems(w, count);
    read_members(w, keys, elems, node, elem, true, trail);
    named *sorted = LC_NEW_ARRAY(arena, named, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (named){keys[i], elems[i]};
    if (count)
        qsort(sorted, count, sizeof *sorted, compare_named);
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i && lc_str_eq(sorted[i].name, sorted[i - 1].name)) {
            report(w, node, trail, "has the same key twice, in two forms of Unicode");
            return;
        }
        attrs[i] = (lc_type_attr){sorted[i].name, sorted[i].value.type, false};
        elems[i] = sorted[i].value;
    }
    lc_value_set_object(slot, arena, lc_type_object(arena, attrs, count), elems);
}

static void read_attribute(walk *w, lc_value *slot, const lc_member *member, shape want,
                           lc_str name, const lc_trail *trail)
{
    lc_trail at = lc_trail_attr(trail, name);
    if (slot->type) {
        report(w, &member->value, &at, "is written twice, in two forms of Unicode");
        return;
    }
    read_node(w, slot, &member->value, want, &at);
}

/* Omitted attributes are null. */
static void read_object(walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                        const lc_trail *trail)
{
    lc_value_set_null(slot, want);
    if (!take(w, node, want->count))
        return;
    lc_value *elems = new_elems(w, want->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        lc_str name = lc_nfc(w->reader->arena, member->key);
        long at = lc_type_attr_index(want, name);
        if (at < 0)
            unknown_name(w, member, want, trail);
        else
            read_attribute(w, &elems[at], member, shape_of(want->as.attrs[at].type), name, trail);
    }
    for (uint32_t i = 0; i < want->count; i++) {
        if (!elems[i].type)
            lc_value_set_null(&elems[i], want->as.attrs[i].type);
    }
    lc_value_set_object(slot, w->reader->arena, want, elems);
}

static void read_block_member(walk *w, lc_value *elems, const lc_member *member,
                              const lc_block *block, const lc_trail *trail)
{
    lc_str name = lc_nfc(w->reader->arena, member->key);
    const lc_attribute *attribute = lc_block_attribute(block, name);
    if (attribute) {
        read_attribute(w, &elems[attribute->slot], member, shape_of(attribute->implied), name,
                       trail);
        return;
    }
    const lc_block_type *nested = lc_block_block(block, name);
    if (!nested) {
        unknown_name(w, member, block->implied, trail);
        return;
    }
    shape want = {nested->implied, NULL, nested};
    read_attribute(w, &elems[nested->slot], member, want, name, trail);
}

/* The object of a block. Omitted blocks are what they are when none is configured. */
static void read_block(walk *w, lc_value *slot, const lc_node *node, const lc_block *block,
                       const lc_trail *trail)
{
    const lc_type *want = block->implied;
    if (node->kind != LC_NODE_MAPPING) {
        wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!take(w, node, want->count))
        return;
    lc_value *elems = new_elems(w, want->count);
    for (uint32_t i = 0; i < node->count; i++)
        read_block_member(w, elems, &node->as.members[i], block, trail);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *nested = &block->blocks[i];
        if (!elems[nested->slot].type)
            elems[nested->slot] = *lc_block_type_empty_value(w->reader->arena, nested);
    }
    for (uint32_t i = 0; i < want->count; i++) {
        if (!elems[i].type)
            lc_value_set_null(&elems[i], want->as.attrs[i].type);
    }
    lc_value_set_object(slot, w->reader->arena, want, elems);
}

static void read_nested_blocks(walk *w, lc_value *slot, const lc_node *node,
                               const lc_block_type *nested, const lc_trail *trail)
{
    shape elem = {nested->block->implied, nested->block, NULL};
    bool map = nested->nesting == LC_NESTING_MAP;
    if (nested->nesting == LC_NESTING_SINGLE || nested->nesting == LC_NESTING_GROUP)
        read_block(w, slot, node, nested->block, trail);
    else if (map && !nested->dynamic_inside)
        read_map(w, slot, node, nested->implied, elem, trail);
    else if (!map)
        read_sequence(w, slot, node, nested->implied, elem, nested->dynamic_inside, trail);
    else if (node->kind == LC_NODE_MAPPING)
        read_free_object(w, slot, node, elem, trail);
    else
        wrong_type(w, slot, node, nested->implied, trail);
}

/* ---- By type. */

static void read_tuple(walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                       const lc_trail *trail)
{
    if (node->kind != LC_NODE_SEQUENCE || node->count != want->count) {
        wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!take(w, node, node->count))
        return;
    lc_value *elems = new_elems(w, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        lc_trail at = lc_trail_index(trail, i);
        read_node(w, &elems[i], &node->as.items[i], shape_of(want->as.items[i]), &at);
    }
    lc_value_set_tuple(slot, w->reader->arena, want, elems, node->count);
}

static void read_dynamic(walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
{
    switch ((lc_node_kind)node->kind) {
    case LC_NODE_NULL:
        lc_value_set_null(slot, &lc_type_dynamic);
        return;
    case LC_NODE_BOOL:
        lc_value_set_bool(slot, node->boolean);
        return;
    case LC_NODE_NUMBER:
        set_number(w, slot, node, trail);
        return;
    case LC_NODE_STRING:
        lc_value_set_string(slot, w->reader->arena, node->as.text);
        return;
    case LC_NODE_SEQUENCE:
        read_sequence(w, slot, node, &lc_type_dynamic, shape_of(&lc_type_dynamic), true, trail);
        return;
    case LC_NODE_MAPPING:
        read_free_object(w, slot, node, shape_of(&lc_type_dynamic), trail);
        return;
    }
}

static void read_by_type(walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                         const lc_trail *trail)
{
    switch (want->kind) {
    case LC_TYPE_BOOL:
        read_bool(w, slot, node, trail);
        return;
    case LC_TYPE_NUMBER:
        read_number(w, slot, node, trail);
        return;
    case LC_TYPE_STRING:
        read_string(w, slot, node, trail);
        return;
    case LC_TYPE_DYNAMIC:
        read_dynamic(w, slot, node, trail);
        return;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        read_sequence(w, slot, node, want, shape_of(want->as.elem), false, trail);
        return;
    case LC_TYPE_MAP:
        read_map(w, slot, node, want, shape_of(want->as.elem), trail);
        return;
    case LC_TYPE_TUPLE:
        read_tuple(w, slot, node, want, trail);
        return;
    case LC_TYPE_OBJECT:
        if (node->kind == LC_NODE_MAPPING)
            read_object(w, slot, node, want, trail);
        else
            wrong_type(w, slot, node, want, trail);
        return;
    }
}

static void read_plain(walk *w, lc_value *slot, const lc_node *node, shape want,
                       const lc_trail *trail)
{
    if (node->kind == LC_NODE_NULL)
        lc_value_set_null(slot, want.type);
    else if (want.block)
        read_block(w, slot, node, want.block, trail);
    else if (want.many && want.many->nesting != LC_NESTING_INVALID)
        read_nested_blocks(w, slot, node, want.many, trail);
    else
        read_by_type(w, slot, node, want.type, trail);
}

/* ---- Markers. */

static void read_typed_marker(walk *w, lc_value *slot, const lc_node *content, shape want,
                              const lc_trail *trail)
{
    const lc_type *type;
    const lc_node *value;
    lc_value_set_null(slot, want.type);
    if (!lc_marker_typed(w->reader, &type, &value, content))
        return;
    read_node(w, slot, value, shape_of(type), trail);
    if (!lc_type_conforms(slot->type, want.type))
        set_mismatch(w, slot, slot->type, want.type, trail);
}

static void read_null_marker(walk *w, lc_value *slot, const lc_node *content, shape want,
                             const lc_trail *trail)
{
    const lc_type *type;
    lc_value_set_null(slot, want.type);
    if (!lc_marker_type(w->reader, &type, content))
        return;
    if (lc_type_conforms(type, want.type)) {
        lc_value_set_null(slot, want.type->has_dynamic ? type : want.type);
        return;
    }
    bool hidden;
    lc_str place = place_text(w, trail, &hidden);
    lc_str is = type_text(w, type), wanted = type_text(w, want.type);
    lc_diag_error(w->reader->diags, lc_node_loc(w->reader->source, content),
                  "%.*s is a null of type %.*s where the schema wants %.*s", LC_FMT(place),
                  LC_FMT(is), LC_FMT(wanted));
}

static void decode(walk *w, lc_value *slot, lc_marker marker, lc_str bytes, const lc_type *want,
                   const lc_trail *trail)
{
    const lc_value *value;
    lc_wire_result result = {0};
    lc_arena *arena = w->reader->arena;
    bool ok = marker == LC_MARKER_MSGPACK ? lc_msgpack_decode(&value, arena, bytes, want, &result)
                                          : lc_ctyjson_decode(&value, arena, bytes, want, &result);
    w->field->wire_notes |= result.notes;
    if (ok) {
        *slot = *value;
        return;
    }
    lc_path below;
    lc_str why;
    size_t at;
    if (!lc_path_parse(&below, arena, result.problem.path, false, &why, &at))
        below = LC_PATH_ROOT;
    undecodable(w, trail, result.problem, below);
}

static void read_bytes_marker(walk *w, lc_value *slot, lc_marker marker, const lc_node *content,
                              const lc_type *want, const lc_trail *trail)
{
    lc_str text, bytes;
    size_t at;
    lc_value_set_null(slot, want);
    if (!lc_marker_text(w->reader, &text, content, lc_marker_name(marker)))
        return;
    if (marker == LC_MARKER_JSON)
        decode(w, slot, marker, text, want, trail);
    else if (lc_base64_decode(&bytes, w->reader->arena, text, &at))
        decode(w, slot, marker, bytes, want, trail);
    else
        report(w, content, trail, "is marked as msgpack, but its text is not base64");
}

/* A place below a set cannot be told from its neighbours: the whole set is meant. */
static void add_sensitive(walk *w, const lc_trail *trail)
{
    lc_path path = lc_path_from_trail(w->reader->arena, trail);
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind == LC_STEP_ELEMENT)
            path.count = i;
    }
    *LC_PUSH(w->reader->arena, &w->reader->sensitive, lc_path) = path;
}

static void read_sensitive(walk *w, lc_value *slot, const lc_node *content, shape want,
                           const lc_trail *trail)
{
    bool outermost = !w->in_secret;
    if (outermost) {
        w->in_secret = true;
        w->secret = trail;
    }
    add_sensitive(w, trail);
    read_node(w, slot, content, want, trail);
    if (outermost)
        w->in_secret = false;
}

static lc_str nearest_marker(walk *w, lc_str spelling)
{
    lc_str names[LC_MARKER_FOREIGN];
    size_t count = 0;
    for (unsigned i = LC_MARKER_UNKNOWN; i < LC_MARKER_FOREIGN; i++)
        names[count++] = lc_str_printf(w->reader->arena, "!%s", lc_marker_name((lc_marker)i));
    return lc_str_nearest(spelling, names, count);
}

static void refuse_marker(walk *w, lc_value *slot, lc_marker marker, const lc_node *node,
                          const lc_type *want, const lc_trail *trail)
{
    bool hidden;
    lc_str place = place_text(w, trail, &hidden);
    lc_str spelling = lc_marker_spelling(w->reader->arena, node);
    lc_loc loc = lc_node_loc(w->reader->source, node);
    lc_value_set_null(slot, want);
    if (marker != LC_MARKER_FOREIGN) {
        lc_diag_error(w->reader->diags, loc, "%.*s takes no %.*s: %s", LC_FMT(place),
                      LC_FMT(spelling),
                      w->raw ? "a raw state holds plain JSON" : "that marks private data");
        return;
    }
    lc_str near = nearest_marker(w, spelling);
    lc_diag_error(w->reader->diags, loc, "%.*s has the tag %.*s, which is no marker%s%.*s%s",
                  LC_FMT(place), LC_FMT(spelling), near.len ? "; did you mean \"" : "",
                  LC_FMT(near), near.len ? "\"?" : "");
}

static bool marker_allowed(const walk *w, lc_marker marker)
{
    if (marker == LC_MARKER_FOREIGN || marker == LC_MARKER_TEXT)
        return false;
    return !w->raw || marker == LC_MARKER_SENSITIVE || marker == LC_MARKER_LITERAL;
}

static void read_marked(walk *w, lc_value *slot, lc_marker marker, const lc_node *node,
                        const lc_node *content, shape want, const lc_trail *trail)
{
    switch (marker) {
    case LC_MARKER_UNKNOWN:
        if (!lc_marker_refinement(w->reader, slot, content, want.type))
            lc_value_set_unknown(slot, want.type);
        return;
    case LC_MARKER_TYPED:
        read_typed_marker(w, slot, content, want, trail);
        return;
    case LC_MARKER_NULL:
        read_null_marker(w, slot, content, want, trail);
        return;
    case LC_MARKER_SENSITIVE:
        read_sensitive(w, slot, content, want, trail);
        return;
    case LC_MARKER_MSGPACK:
    case LC_MARKER_JSON:
        read_bytes_marker(w, slot, marker, content, want.type, trail);
        return;
    case LC_MARKER_LITERAL:
        if (content->kind == LC_NODE_MAPPING && !content->tag) {
            read_plain(w, slot, content, want, trail);
            return;
        }
        lc_value_set_null(slot, want.type);
        report(w, node, trail, "is marked as literal, which is for mappings only");
        return;
    case LC_MARKER_NONE:
    case LC_MARKER_TEXT:
    case LC_MARKER_FOREIGN:
        break;
    }
    LC_UNREACHABLE();
}

static void read_node(walk *w, lc_value *slot, const lc_node *node, shape want,
                      const lc_trail *trail)
{
    lc_value_reader *reader = w->reader;
    lc_value_set_null(slot, want.type);
    if (reader->built > reader->limits.nodes)
        return;
    if (w->depth >= reader->limits.depth) {
        report(w, node, trail, "is nested too deeply");
        return;
    }
    lc_node content;
    lc_marker marker = lc_node_marker(&content, node);
    w->depth++;
    if (marker == LC_MARKER_NONE)
        read_plain(w, slot, node, want, trail);
    else if (marker_allowed(w, marker))
        read_marked(w, slot, marker, node, &content, want, trail);
    else
        refuse_marker(w, slot, marker, node, want.type, trail);
    w->depth--;
}

/* ---- Roots. */

static lc_status read_root(lc_field *out, lc_value_reader *reader, const lc_node *node, shape want,
                           bool raw)
{
    size_t errors = reader->diags->errors;
    lc_places *places = lc_places_new(reader->arena, reader->source, node);
    *out = (lc_field){.state = LC_FIELD_GIVEN,
                      .loc = lc_node_loc(reader->source, node),
                      .locator = {lc_places_locate, places}};
    walk w = {.reader = reader, .block = want.block, .field = out, .places = places, .raw = raw};
    lc_value value;
    read_node(&w, &value, node, want, NULL);
    if (w.undecodable)
        out->state = LC_FIELD_UNDECODABLE;
    else
        out->value = lc_value_new(reader->arena, &value);
    if (reader->diags->errors == errors)
        return LC_OK;
    return reader->built > reader->limits.nodes ? LC_ELIMIT : LC_EINPUT;
}

lc_status lc_read_object(lc_field *out, lc_value_reader *reader, const lc_node *node,
                         const lc_block *block)
{
    return read_root(out, reader, node, (shape){block->implied, block, NULL}, false);
}

lc_status lc_read_typed(lc_field *out, lc_value_reader *reader, const lc_node *node,
                        const lc_type *type)
{
    return read_root(out, reader, node, shape_of(type), false);
}

lc_status lc_read_raw(lc_field *out, lc_value_reader *reader, const lc_node *node)
{
    return read_root(out, reader, node, shape_of(&lc_type_dynamic), true);
}
