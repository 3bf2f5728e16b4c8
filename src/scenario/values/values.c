/* Value nodes read by a type, row by row as in the table of values of the format's description.
 *
 * The walk goes down the nodes and the schema together. `shape` is what is expected at a place: a
 * value of a type, the object of a block, or all nested blocks of one type. The last two know what
 * an omitted block means (an empty collection, not null), and that a list or map of blocks with a
 * dynamic attribute inside is a tuple or object for core.
 *
 * There are three kinds of problems. A node that the format does not allow is an error of the file:
 * it is reported at its place, and the walk continues with a null instead. A value that the author
 * typed against the schema on purpose (!typed), or bytes that cannot be decoded, make the whole
 * field undecodable: this is evidence that is judged later. Reaching a limit ends the walk.
 *
 * Messages name paths and types. They never contain scalars, nor paths below a sensitive one. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/sort.h"
#include "scenario/values/walk.h"

#include <stdlib.h>

static lc_value *new_elems(lc_value_walk *w, size_t count)
{
    lc_value *elems = lc_arena_zalloc(w->reader->arena, lc_mul_size(count, sizeof *elems));
    return elems;
}

/* ---- Scalars. */

static void set_number(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
{
    lc_num n = LC_NUM(0);
    switch (lc_num_from_text(&n, w->reader->arena, node->as.text, w->reader->limits.digits)) {
    case LC_NUM_OK:
        lc_value_set_number(slot, n);
        return;
    case LC_NUM_BAD:
        lc_walk_wrong_type(w, slot, node, &lc_type_number, trail);
        return;
    case LC_NUM_OVERFLOW:
        lc_walk_report(w, node, trail, "is a number with an exponent that is out of range");
        break;
    case LC_NUM_TOO_LONG:
        lc_walk_report(w, node, trail, "is a number with too many digits");
        break;
    }
    lc_value_set_null(slot, &lc_type_number);
}

/* In a configuration quoted text is converted to a number or bool, as core converts it. Elsewhere a
 * provider's answer must have the type of the schema. */
static void read_number(lc_value_walk *w, lc_value *slot, const lc_node *node,
                        const lc_trail *trail)
{
    bool text = node->kind == LC_NODE_STRING && node->style != LC_STYLE_PLAIN && w->reader->config;
    if (node->kind == LC_NODE_NUMBER || text)
        set_number(w, slot, node, trail);
    else
        lc_walk_wrong_type(w, slot, node, &lc_type_number, trail);
}

static void read_bool(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_trail *trail)
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
    lc_walk_wrong_type(w, slot, node, &lc_type_bool, trail);
}

/* A plain YAML scalar is text as it is written, even `1.0` or `yes`. In JSON a number or bool is a
 * string only in a configuration, where core converts it. */
static void read_string(lc_value_walk *w, lc_value *slot, const lc_node *node,
                        const lc_trail *trail)
{
    bool scalar = node->kind == LC_NODE_NUMBER || node->kind == LC_NODE_BOOL;
    bool as_written = scalar && (node->style != LC_STYLE_JSON || w->reader->config);
    lc_walk_note_text(w, node, trail);
    if (node->kind == LC_NODE_STRING || as_written)
        lc_value_set_string(slot, w->reader->arena, node->as.text);
    else
        lc_walk_wrong_type(w, slot, node, &lc_type_string, trail);
}

/* ---- Collections. */

static void set_tuple(lc_value_walk *w, lc_value *slot, lc_value *elems, size_t count)
{
    const lc_type **types = LC_NEW_ARRAY(w->reader->arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++)
        types[i] = elems[i].type;
    const lc_type *type = lc_type_tuple(w->reader->arena, types, count);
    lc_value_set_tuple(slot, w->reader->arena, type, elems, count);
}

/* Elements of different types where the element type is dynamic. Core unifies those of a
 * configuration by conversion. From a provider such a collection crashes go-cty. */
static void set_mixed(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                      lc_value *elems, const lc_trail *trail)
{
    lc_value tuple;
    const lc_value *converted;
    lc_str why;
    lc_value_set_null(slot, want);
    if (!w->reader->config) {
        lc_wire_problem problem = {LC_WIRE_CRASHES, 0, LC_STR_EMPTY,
                                   LC_STR("elements of different types in one collection")};
        lc_walk_undecodable(w, trail, problem, LC_PATH_ROOT);
        return;
    }
    if (want->kind != LC_TYPE_MAP) {
        set_tuple(w, &tuple, elems, node->count);
        if (lc_value_convert(&converted, w->reader->arena, &tuple, want, &why)) {
            *slot = *converted;
            return;
        }
    }
    lc_walk_report(w, node, trail, "has elements of different types");
}

/* Paths of set elements get no value, because the elements are being read just now. */
static void read_items(lc_value_walk *w, lc_value *elems, const lc_node *node, lc_value_shape want,
                       bool set, const lc_trail *trail)
{
    for (uint32_t i = 0; i < node->count; i++) {
        lc_trail at = set ? lc_trail_element(trail, NULL) : lc_trail_index(trail, i);
        lc_walk_node(w, &elems[i], &node->as.items[i], want, &at);
    }
}

/* A list or set of `elem`. With `tuple` the elements may have different types. */
static void read_sequence(lc_value_walk *w, lc_value *slot, const lc_node *node,
                          const lc_type *want, lc_value_shape elem, bool tuple,
                          const lc_trail *trail)
{
    bool set = want->kind == LC_TYPE_SET;
    if (node->kind != LC_NODE_SEQUENCE) {
        lc_walk_wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!lc_walk_take(w, node, node->count))
        return;
    lc_arena *arena = w->reader->arena;
    lc_value *elems = new_elems(w, node->count);
    read_items(w, elems, node, elem, set, trail);
    const uint64_t *hashes = set && w->places ? lc_places_add_set(w->places, node, elems) : NULL;
    if (tuple) {
        set_tuple(w, slot, elems, node->count);
        return;
    }
    bool ok = set ? lc_value_set_set(slot, arena, want, elems, node->count)
                  : lc_value_set_list(slot, arena, want, elems, node->count);
    if (!ok)
        set_mixed(w, slot, node, want, elems, trail);
    else if (hashes && slot->count < node->count)
        lc_note_repeats(w->reader, node, hashes);
}

/* Keys are normalised to NFC, as cty does it: two spellings of one key are the same key. */
static void read_members(lc_value_walk *w, lc_str *keys, lc_value *elems, const lc_node *node,
                         lc_value_shape want, bool object, const lc_trail *trail)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        keys[i] = lc_nfc(w->reader->arena, member->key);
        lc_trail at = object ? lc_trail_attr(trail, keys[i]) : lc_trail_key(trail, keys[i]);
        lc_walk_node(w, &elems[i], &member->value, want, &at);
    }
}

static void read_map(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                     lc_value_shape elem, const lc_trail *trail)
{
    if (node->kind != LC_NODE_MAPPING) {
        lc_walk_wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!lc_walk_take(w, node, node->count))
        return;
    lc_str *keys = LC_NEW_ARRAY(w->reader->arena, lc_str, node->count);
    lc_value *elems = new_elems(w, node->count);
    read_members(w, keys, elems, node, elem, false, trail);
    if (!lc_value_set_map(slot, w->reader->arena, want, keys, elems, node->count))
        set_mixed(w, slot, node, want, elems, trail);
    else if (slot->count != node->count)
        lc_walk_report(w, node, trail, "has the same key twice, in two forms of Unicode");
}

/* ---- Objects. */

typedef struct named {
    lc_str name;
    lc_value value;
} named;

LC_ORDER_BY_STR(compare_named, named, name)

/* An object without a given type: its attributes are the keys that are written, sorted by name as
 * object types have them. */
static void read_free_object(lc_value_walk *w, lc_value *slot, const lc_node *node,
                             lc_value_shape elem, const lc_trail *trail)
{
    lc_arena *arena = w->reader->arena;
    uint32_t count = node->count;
    lc_value_set_null(slot, &lc_type_dynamic);
    if (!lc_walk_take(w, node, count))
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
            lc_walk_report(w, node, trail, "has the same key twice, in two forms of Unicode");
            return;
        }
        attrs[i] = (lc_type_attr){sorted[i].name, sorted[i].value.type, false};
        elems[i] = sorted[i].value;
    }
    lc_value_set_object(slot, arena, lc_type_object(arena, attrs, count), elems);
}

/* `slot->type` is set by the first of two members whose keys are equal after normalisation. */
static void read_attribute(lc_value_walk *w, lc_value *slot, const lc_member *member,
                           lc_value_shape want, lc_str name, const lc_trail *trail)
{
    lc_trail at = lc_trail_attr(trail, name);
    if (slot->type) {
        lc_walk_report(w, &member->value, &at, "is written twice, in two forms of Unicode");
        return;
    }
    lc_walk_node(w, slot, &member->value, want, &at);
}

/* Omitted attributes of an object type are null. */
static void read_object(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                        const lc_trail *trail)
{
    lc_value_set_null(slot, want);
    if (!lc_walk_take(w, node, want->count))
        return;
    lc_value *elems = new_elems(w, want->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        lc_str name = lc_nfc(w->reader->arena, member->key);
        long at = lc_type_attr_index(want, name);
        if (at < 0)
            lc_walk_unknown_name(w, member, want, trail);
        else
            read_attribute(w, &elems[at], member, shape_of(want->as.attrs[at].type), name, trail);
    }
    for (uint32_t i = 0; i < want->count; i++) {
        if (!elems[i].type)
            lc_value_set_null(&elems[i], want->as.attrs[i].type);
    }
    lc_value_set_object(slot, w->reader->arena, want, elems);
}

static void read_block_member(lc_value_walk *w, lc_value *elems, const lc_member *member,
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
        lc_walk_unknown_name(w, member, block->implied, trail);
        return;
    }
    lc_value_shape want = {nested->implied, NULL, nested};
    read_attribute(w, &elems[nested->slot], member, want, name, trail);
}

/* Reported once: values of which most names do not fit are likely those of another type. */
static void doubt_schema(lc_value_walk *w, const lc_node *node, const lc_block *block)
{
    lc_value_reader *r = w->reader;
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < node->count; i++)
        unknown +=
            lc_type_attr_index(block->implied, lc_nfc(r->arena, node->as.members[i].key)) < 0;
    bool doubtful =
        unknown == node->count ? unknown >= 2 : unknown >= 3 && unknown > node->count / 2;
    if (r->doubted || !doubtful)
        return;
    r->doubted = true;
    lc_diag_error(
        r->diags, lc_reader_loc(r, node),
        "%u of the %u names in %.*s are not attributes or blocks of the schema: it may be "
        "that of another type",
        unknown, node->count, LC_FMT(r->root));
}

/* Without a schema no value can be read. */
static void report_underived(lc_value_walk *w, const lc_node *node, const lc_block *block)
{
    if (!w->reader->doubted)
        lc_diag_error(w->reader->diags, lc_reader_loc(w->reader, node),
                      "nothing is derived from the resource type: %.*s", LC_FMT(block->underived));
    w->reader->doubted = true;
}

/* The object of a block. An omitted nested block gets the value that core gives it when none is
 * configured: an empty collection, null, or for a group the object of an empty block. */
static void read_block(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_block *block,
                       const lc_trail *trail)
{
    const lc_type *want = block->implied;
    if (node->kind != LC_NODE_MAPPING) {
        lc_walk_wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (block->underived.len && node->count) {
        report_underived(w, node, block);
        return;
    }
    if (!lc_walk_take(w, node, want->count))
        return;
    if (!trail && w->reader->root.len)
        doubt_schema(w, node, block);
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

/* Map and list blocks with a dynamic attribute inside are objects and tuples in core's implied
 * type. */
static void read_nested_blocks(lc_value_walk *w, lc_value *slot, const lc_node *node,
                               const lc_block_type *nested, const lc_trail *trail)
{
    lc_value_shape elem = {nested->block->implied, nested->block, NULL};
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
        lc_walk_wrong_type(w, slot, node, nested->implied, trail);
}

/* ---- By type. */

static void read_tuple(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                       const lc_trail *trail)
{
    if (node->kind != LC_NODE_SEQUENCE || node->count != want->count) {
        lc_walk_wrong_type(w, slot, node, want, trail);
        return;
    }
    lc_value_set_null(slot, want);
    if (!lc_walk_take(w, node, node->count))
        return;
    lc_value *elems = new_elems(w, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        lc_trail at = lc_trail_index(trail, i);
        lc_walk_node(w, &elems[i], &node->as.items[i], shape_of(want->as.items[i]), &at);
    }
    lc_value_set_tuple(slot, w->reader->arena, want, elems, node->count);
}

/* Without a type from the schema the node itself decides: sequences are tuples, mappings objects.
 */
static void read_dynamic(lc_value_walk *w, lc_value *slot, const lc_node *node,
                         const lc_trail *trail)
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
        lc_walk_note_text(w, node, trail);
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

static void read_by_type(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
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
            lc_walk_wrong_type(w, slot, node, want, trail);
        return;
    }
}

void lc_walk_plain(lc_value_walk *w, lc_value *slot, const lc_node *node, lc_value_shape want,
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

/* Recursion is bounded by limits.depth, and the number of values by limits.nodes. */
void lc_walk_node(lc_value_walk *w, lc_value *slot, const lc_node *node, lc_value_shape want,
                  const lc_trail *trail)
{
    lc_value_reader *reader = w->reader;
    lc_value_set_null(slot, want.type);
    if (reader->built > reader->limits.nodes)
        return;
    if (w->depth >= reader->limits.depth) {
        lc_walk_report(w, node, trail, "is nested too deeply");
        return;
    }
    lc_node content;
    lc_marker marker = lc_node_marker(&content, node);
    w->depth++;
    if (marker == LC_MARKER_NONE)
        lc_walk_plain(w, slot, node, want, trail);
    else
        lc_walk_marked(w, slot, marker, node, &content, want, trail);
    w->depth--;
}

/* ---- Roots. */

/* An undecodable field keeps no value: the rules see that it could not be decoded, and where. */
static lc_status read_root(lc_field *out, lc_value_reader *reader, const lc_node *node,
                           lc_value_shape want, bool raw)
{
    size_t errors = reader->diags->errors;
    if (!reader->lines)
        reader->lines = lc_lines_new(reader->arena, reader->source);
    lc_places *places = lc_places_new(reader->arena, reader->lines, node);
    *out = (lc_field){.state = LC_FIELD_GIVEN,
                      .loc = lc_reader_loc(reader, node),
                      .locator = {lc_places_locate, places}};
    lc_value_walk w = {
        .reader = reader, .block = want.block, .field = out, .places = places, .raw = raw};
    lc_value value;
    lc_walk_node(&w, &value, node, want, NULL);
    if (w.undecodable)
        out->state = LC_FIELD_UNDECODABLE;
    else
        out->value = lc_value_new(reader->arena, &value);
    reader->root = LC_STR_EMPTY;
    if (reader->diags->errors == errors)
        return LC_OK;
    return reader->built > reader->limits.nodes ? LC_ELIMIT : LC_EINPUT;
}

lc_status lc_read_object(lc_field *out, lc_value_reader *reader, const lc_node *node,
                         const lc_block *block)
{
    return read_root(out, reader, node, (lc_value_shape){block->implied, block, NULL}, false);
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

/* ---- Places. */

lc_loc lc_reader_where(const lc_value_reader *reader, uint64_t where)
{
    return reader->lines ? lc_lines_loc(reader->lines, where) : lc_where_loc(reader->source, where);
}

lc_loc lc_reader_loc(const lc_value_reader *reader, const lc_node *node)
{
    return lc_reader_where(reader, node->where);
}
