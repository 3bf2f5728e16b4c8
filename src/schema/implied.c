/* What is derived from a schema: implied types, slots, flags that hold at any depth, empty values.
 *
 * Everything is computed once, bottom-up, while a schema is read: children are finished before what
 * holds them, so that no walk is repeated and the work is linear. Mirrors implied_type.go,
 * decoder_spec.go and empty_value.go of configschema and, for the flags, its nestedblock and
 * NoLegacy helpers. Invalid schemas get what those functions return where they do not panic. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "schema/internal.h"

#include <string.h>

/* ---- Nesting modes. */

LC_ENUM_NAMES(lc_nesting, LC_NESTINGS);
LC_ENUM_NAMES(lc_schema_kind, LC_SCHEMA_KINDS);

const char *lc_kind_prefix(lc_schema_kind kind)
{
    switch (kind) {
    case LC_KIND_DATA:
        return "data.";
    case LC_KIND_EPHEMERAL:
        return "ephemeral.";
    case LC_KIND_ACTION:
        return "action.";
    case LC_KIND_LIST:
        return "list.";
    case LC_KIND_STORE:
        return "state_store.";
    case LC_KIND_PROVIDER:
        return "provider.";
    case LC_KIND_RESOURCE:
        break;
    }
    return "";
}

lc_str lc_kind_and_type(lc_arena *arena, lc_schema_kind kind, lc_str type)
{
    if (kind == LC_KIND_PROVIDER && type.len == 0)
        return LC_STR("provider");
    return lc_str_printf(arena, "%s%.*s", lc_kind_prefix(kind), LC_FMT(type));
}

/* The collection type that a nesting mode makes of `object`. Callers handle objects with dynamic
 * attributes before, because lists and maps of those have no fixed element type. */
static const lc_type *wrap(lc_arena *arena, lc_nesting nesting, const lc_type *object)
{
    switch (nesting) {
    case LC_NESTING_SINGLE:
    case LC_NESTING_GROUP:
        return object;
    case LC_NESTING_LIST:
        return lc_type_collection(arena, LC_TYPE_LIST, object);
    case LC_NESTING_SET:
        return lc_type_collection(arena, LC_TYPE_SET, object);
    case LC_NESTING_MAP:
        return lc_type_collection(arena, LC_TYPE_MAP, object);
    case LC_NESTING_INVALID:
        break;
    }
    return &lc_type_empty_object;
}

/* ---- Attributes. */

static uint32_t slot_of(const lc_type *object, lc_str name)
{
    long index = lc_type_attr_index(object, name);
    LC_ASSERT(index >= 0);
    return (uint32_t)index;
}

/* An attribute without a usable type gets dynamic, so that values of it can still be held and the
 * fault is reported by validation alone. */
void lc_schema_finish_attribute(lc_attribute *a)
{
    if (a->nested)
        a->implied = a->nested->implied;
    else
        a->implied = a->type ? a->type : &lc_type_dynamic;
}

const lc_type *lc_schema_attributes_type(lc_arena *arena, lc_attribute *attributes, size_t count)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, count);
    for (size_t i = 0; i < count; i++)
        attrs[i] = (lc_type_attr){attributes[i].name, attributes[i].implied, false};
    const lc_type *object = lc_type_object(arena, attrs, count);
    for (size_t i = 0; i < count; i++)
        attributes[i].slot = slot_of(object, attributes[i].name);
    return object;
}

static bool is_sensitive(const lc_attribute *a)
{
    return a->sensitive || (a->nested && a->nested->any_sensitive);
}

static bool is_secret(const lc_attribute *a)
{
    return a->secret || (a->nested && a->nested->any_secret);
}

static bool is_write_only(const lc_attribute *a)
{
    return a->write_only || (a->nested && a->nested->any_write_only);
}

void lc_schema_finish_nested(lc_arena *arena, lc_nested_type *nested, lc_attribute *attributes)
{
    nested->attributes = attributes;
    nested->flat = true;
    for (size_t i = 0; i < nested->attribute_count; i++) {
        nested->any_sensitive |= is_sensitive(&attributes[i]);
        nested->any_write_only |= is_write_only(&attributes[i]);
        nested->any_secret |= is_secret(&attributes[i]);
        nested->flat &= !attributes[i].nested;
    }
    nested->object = lc_schema_attributes_type(arena, attributes, nested->attribute_count);
    nested->implied = wrap(arena, nested->nesting, nested->object);
}

/* ---- Blocks. */

bool lc_schema_nesting_is_many(lc_nesting nesting)
{
    return nesting == LC_NESTING_LIST || nesting == LC_NESTING_SET || nesting == LC_NESTING_MAP;
}

/* Elements of a list or map block with a dynamic attribute may have different types, so both cores
 * decode such blocks as a tuple or an object, whose type is only known with the value. Sets cannot
 * hold dynamic attributes: InternalValidate refuses them. */
void lc_schema_finish_block_type(lc_arena *arena, lc_block_type *type)
{
    const lc_type *object = type->block->implied;
    type->dynamic_inside = object->has_dynamic && lc_schema_nesting_is_many(type->nesting) &&
                           type->nesting != LC_NESTING_SET;
    type->implied = type->dynamic_inside || type->nesting == LC_NESTING_INVALID
                        ? &lc_type_dynamic
                        : wrap(arena, type->nesting, object);
}

static void note_attributes(lc_block *block)
{
    for (size_t i = 0; i < block->attribute_count; i++) {
        block->any_sensitive |= is_sensitive(&block->attributes[i]);
        block->any_write_only |= is_write_only(&block->attributes[i]);
        block->any_secret |= is_secret(&block->attributes[i]);
        block->flat &= !block->attributes[i].nested;
    }
}

/* Includes unusable block types: they have no values, but validation asks for these flags. */
static void note_block_types(lc_block *block, const lc_block_type *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        block->any_sensitive |= types[i].block->any_sensitive;
        block->any_write_only |= types[i].block->any_write_only;
        block->any_computed_block |= types[i].computed || types[i].block->any_computed_block;
    }
}

/* Moves the block types that have no attribute in the implied type to the end; both parts stay
 * sorted. Returns the number of usable ones, which come first. */
static size_t part_block_types(lc_arena *arena, const lc_block *block, lc_block_type *types,
                               size_t count)
{
    lc_block_type *unusable = LC_NEW_ARRAY(arena, lc_block_type, count);
    size_t usable = 0, rest = 0;
    for (size_t i = 0; i < count; i++) {
        if (types[i].nesting == LC_NESTING_INVALID || lc_block_attribute(block, types[i].name))
            unusable[rest++] = types[i];
        else
            types[usable++] = types[i];
    }
    if (rest)
        memcpy(types + usable, unusable, rest * sizeof *types);
    return usable;
}

/* Slots are known only after lc_type_object has sorted the attributes of the implied type. */
void lc_schema_finish_block(lc_arena *arena, lc_block *block, lc_attribute *attributes,
                            lc_block_type *types)
{
    size_t count = block->block_count;
    block->attributes = attributes;
    block->blocks = types;
    block->block_count = part_block_types(arena, block, types, count);
    block->unusable = types ? types + block->block_count : NULL;
    block->unusable_count = count - block->block_count;
    lc_type_attr *attrs =
        LC_NEW_ARRAY(arena, lc_type_attr, block->attribute_count + block->block_count);
    size_t filled = 0;
    for (size_t i = 0; i < block->attribute_count; i++)
        attrs[filled++] = (lc_type_attr){attributes[i].name, attributes[i].implied, false};
    for (size_t i = 0; i < block->block_count; i++)
        attrs[filled++] = (lc_type_attr){types[i].name, types[i].implied, false};
    block->implied = lc_type_object(arena, attrs, filled);
    for (size_t i = 0; i < block->attribute_count; i++)
        attributes[i].slot = slot_of(block->implied, attributes[i].name);
    for (size_t i = 0; i < block->block_count; i++)
        types[i].slot = slot_of(block->implied, types[i].name);
    block->flat = block->block_count == 0;
    note_attributes(block);
    note_block_types(block, types, count);
}

/* ---- NoLegacy: does the schema use what no provider of SDKv2 declares? The cores
 * tolerate more from providers of SDKv2; a schema for which this is true is not one of those.
 */

/* Tuples, objects, maps of objects, and collections of collections of other than primitives. */
static bool type_is_not_legacy(const lc_type *type)
{
    if (type->kind == LC_TYPE_TUPLE || type->kind == LC_TYPE_OBJECT)
        return true;
    if (!lc_type_is_collection(type))
        return false;
    const lc_type *elem = type->as.elem;
    if (type->kind == LC_TYPE_MAP && elem->kind == LC_TYPE_OBJECT)
        return true;
    return lc_type_is_collection(elem) && !lc_type_is_primitive(elem->as.elem);
}

bool lc_schema_is_not_legacy(const lc_block *block)
{
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (a->nested || (a->type && type_is_not_legacy(a->type)))
            return true;
    }
    for (size_t i = 0; i < block->block_count; i++) {
        if (block->blocks[i].computed || lc_schema_is_not_legacy(block->blocks[i].block))
            return true;
    }
    return false;
}

/* ---- Empty values. */

static void set_empty_block(lc_value *slot, lc_arena *arena, const lc_block *block);

/* A group block is never null: its empty value is the empty value of the block. Lists, sets and
 * maps are empty, not null. A single block is null. */
static void set_empty_block_type(lc_value *slot, lc_arena *arena, const lc_block_type *type)
{
    switch (type->nesting) {
    case LC_NESTING_GROUP:
        set_empty_block(slot, arena, type->block);
        return;
    case LC_NESTING_LIST:
        if (type->dynamic_inside)
            lc_value_set_tuple(slot, arena, &lc_type_empty_tuple, NULL, 0);
        else
            lc_value_set_list(slot, arena, type->implied, NULL, 0);
        return;
    case LC_NESTING_MAP:
        if (type->dynamic_inside)
            lc_value_set_object(slot, arena, &lc_type_empty_object, NULL);
        else
            lc_value_set_map(slot, arena, type->implied, NULL, NULL, 0);
        return;
    case LC_NESTING_SET:
        lc_value_set_set(slot, arena, type->implied, NULL, 0);
        return;
    case LC_NESTING_SINGLE:
    case LC_NESTING_INVALID:
        break;
    }
    lc_value_set_null(slot, type->implied);
}

static void set_empty_block(lc_value *slot, lc_arena *arena, const lc_block *block)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, block->implied->count);
    for (size_t i = 0; i < block->attribute_count; i++)
        lc_value_set_null(&elems[block->attributes[i].slot], block->attributes[i].implied);
    for (size_t i = 0; i < block->block_count; i++)
        set_empty_block_type(&elems[block->blocks[i].slot], arena, &block->blocks[i]);
    lc_value_set_object(slot, arena, block->implied, elems);
}

const lc_value *lc_block_empty_value(lc_arena *arena, const lc_block *block)
{
    lc_value slot;
    set_empty_block(&slot, arena, block);
    return lc_value_new(arena, &slot);
}

const lc_value *lc_block_type_empty_value(lc_arena *arena, const lc_block_type *type)
{
    lc_value slot;
    set_empty_block_type(&slot, arena, type);
    return lc_value_new(arena, &slot);
}
