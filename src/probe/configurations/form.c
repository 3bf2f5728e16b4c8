/* The tree of what a configuration can set, and the configuration that it describes. */
#include "probe/configurations/form.h"

#include "lifecheck/base/arena.h"

#define DEEPEST_OPTIONAL 3 /* blocks inside each other that need not be there */
#define DEEPEST          20

/* ---- The tree. */

static void grow_block(lc_arena *arena, lc_slot *slot, const lc_block *block, unsigned depth);

/* Attributes that only the provider sets have no slot. */
static void grow_attributes(lc_arena *arena, lc_slot *up, const lc_attribute *attributes,
                            size_t count, unsigned depth)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        lc_slot *slot = &up->below[up->count];
        if (!a->required && !a->optional)
            continue;
        up->count++;
        *slot = (lc_slot){.up = up, .name = a->name, .attribute = a, .elements = 1};
        if (a->nested && depth < DEEPEST) {
            slot->below = LC_NEW_ARRAY(arena, lc_slot, a->nested->attribute_count + 1);
            grow_attributes(arena, slot, a->nested->attributes, a->nested->attribute_count,
                            depth + 1);
        }
    }
}

static void grow_block(lc_arena *arena, lc_slot *slot, const lc_block *block, unsigned depth)
{
    slot->below = LC_NEW_ARRAY(arena, lc_slot, block->attribute_count + block->block_count + 1);
    grow_attributes(arena, slot, block->attributes, block->attribute_count, depth);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_slot *inner = &slot->below[slot->count++];
        uint32_t least =
            type->min_items > 0 && type->min_items < 100 ? (uint32_t)type->min_items : 0;
        *inner = (lc_slot){.up = slot,
                           .name = type->name,
                           .block = type,
                           .elements = least ? least : 1,
                           .least = least,
                           .most = type->max_items > 0 ? (uint32_t)type->max_items : 0};
        if (depth < DEEPEST)
            grow_block(arena, inner, type->block, depth + 1);
    }
}

lc_slot *lc_form_new(lc_arena *arena, const lc_block *block)
{
    lc_slot *root = LC_NEW(arena, lc_slot);
    root->set = true;
    root->name = LC_STR_EMPTY;
    grow_block(arena, root, block, 0);
    lc_form_set(root, false);
    return root;
}

bool lc_slot_is_optional(const lc_slot *slot)
{
    return slot->block ? slot->least == 0 : !slot->attribute || !slot->attribute->required;
}

/* Optional parts are added only so deep, or configurations of recursive schemas have no end. */
static void set_below(lc_slot *slot, bool all, unsigned depth)
{
    for (size_t i = 0; i < slot->count; i++) {
        lc_slot *inner = &slot->below[i];
        bool deep = inner->count > 0 && depth >= DEEPEST_OPTIONAL;
        bool deprecated = inner->attribute && inner->attribute->deprecated;
        bool wanted = all && !inner->left_out && !deep && !deprecated;
        inner->set = !lc_slot_is_optional(inner) || wanted;
        if (inner->set)
            set_below(inner, all, depth + 1);
    }
}

void lc_form_set(lc_slot *root, bool all)
{
    set_below(root, all, 0);
}

/* A slot can only be set in a parent that is. Below it is what the schema requires. */
void lc_slot_set(lc_slot *slot, bool set)
{
    slot->set = set;
    slot->left_out = slot->left_out && !set;
    if (set)
        set_below(slot, false, 0);
    for (lc_slot *up = slot->up; set && up; up = up->up)
        up->set = true;
}

/* ---- The value. */

static const lc_value *block_value(lc_arena *arena, const lc_slot *slot, const lc_block *block);

/* Objects of a nested type. */
static const lc_value *nested_object(lc_arena *arena, const lc_slot *slot,
                                     const lc_nested_type *nested);

/* False: the collection cannot be written, because its blocks have a dynamic attribute inside. */
static bool collect(lc_value *out, lc_arena *arena, const lc_type *type, lc_nesting nesting,
                    lc_value *elems, size_t count)
{
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, count + 1);
    for (size_t i = 0; i < count; i++)
        keys[i] = lc_str_printf(arena, "key%zu", i + 1);
    bool dynamic = type->kind == LC_TYPE_DYNAMIC; /* a block with a dynamic attribute inside */
    if (dynamic && nesting == LC_NESTING_LIST) {
        lc_value_set_tuple(out, arena, type, elems, count);
        return true;
    }
    if (dynamic)
        return false;
    if (nesting == LC_NESTING_LIST)
        return lc_value_set_list(out, arena, type, elems, count);
    if (nesting == LC_NESTING_SET)
        return lc_value_set_set(out, arena, type, elems, count);
    if (nesting == LC_NESTING_MAP)
        return lc_value_set_map(out, arena, type, keys, elems, count);
    return false;
}

/* Also below a sensitive attribute. */
static bool is_secret(const lc_slot *slot)
{
    for (; slot; slot = slot->up) {
        if (slot->attribute && (slot->attribute->sensitive || slot->attribute->write_only))
            return true;
    }
    return false;
}

static const lc_value *attribute_value(lc_arena *arena, const lc_slot *slot)
{
    const lc_attribute *a = slot->attribute;
    lc_value out;
    lc_wish wish = slot->wish;
    wish.elements = slot->elements;
    wish.secret = is_secret(slot);
    if (!a->nested)
        return lc_make_value(arena, a->implied, a->name, &wish, slot->turn);
    if (a->nested->nesting == LC_NESTING_SINGLE || a->nested->nesting == LC_NESTING_GROUP)
        return nested_object(arena, slot, a->nested);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, slot->elements + 1);
    for (uint32_t i = 0; i < slot->elements; i++)
        elems[i] = *nested_object(arena, slot, a->nested);
    if (!collect(&out, arena, a->implied, a->nested->nesting, elems, slot->elements))
        lc_value_set_null(&out, a->implied);
    return lc_value_new(arena, &out);
}

/* What the slot would be if it was set; the slot itself stays as it is, what is required below it
 * is set. */
const lc_value *lc_slot_value(lc_arena *arena, lc_slot *slot)
{
    if (!slot->set)
        set_below(slot, false, 0);
    return attribute_value(arena, slot);
}

static void fill(lc_arena *arena, lc_value *elems, const lc_slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        const lc_slot *inner = &slot->below[i];
        if (inner->set && inner->attribute)
            elems[inner->attribute->slot] = *attribute_value(arena, inner);
    }
}

static const lc_value *nested_object(lc_arena *arena, const lc_slot *slot,
                                     const lc_nested_type *nested)
{
    lc_value out, *elems = LC_NEW_ARRAY(arena, lc_value, nested->object->count + 1);
    for (uint32_t i = 0; i < nested->object->count; i++)
        lc_value_set_null(&elems[i], nested->object->as.attrs[i].type);
    fill(arena, elems, slot);
    lc_value_set_object(&out, arena, nested->object, elems);
    return lc_value_new(arena, &out);
}

/* A group is never null: what is not set is an object of nulls. */
static const lc_value *blocks_value(lc_arena *arena, const lc_slot *slot)
{
    const lc_block_type *type = slot->block;
    lc_value out;
    if (!slot->set && type->nesting != LC_NESTING_GROUP)
        return lc_block_type_empty_value(arena, type);
    if (type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP)
        return block_value(arena, slot, type->block);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, slot->elements + 1);
    for (uint32_t i = 0; i < slot->elements; i++)
        elems[i] = *block_value(arena, slot, type->block);
    if (!collect(&out, arena, type->implied, type->nesting, elems, slot->elements))
        return lc_block_type_empty_value(arena, type);
    return lc_value_new(arena, &out);
}

static const lc_value *block_value(lc_arena *arena, const lc_slot *slot, const lc_block *block)
{
    const lc_value *empty = lc_block_empty_value(arena, block);
    lc_value out, *elems = LC_NEW_ARRAY(arena, lc_value, block->implied->count + 1);
    for (uint32_t i = 0; i < block->implied->count; i++)
        elems[i] = empty->as.many.elems[i];
    fill(arena, elems, slot);
    for (size_t i = 0; i < slot->count; i++) {
        if (slot->below[i].block)
            elems[slot->below[i].block->slot] = *blocks_value(arena, &slot->below[i]);
    }
    lc_value_set_object(&out, arena, block->implied, elems);
    return lc_value_new(arena, &out);
}

const lc_value *lc_form_value(lc_arena *arena, const lc_slot *root, const lc_block *block)
{
    return block_value(arena, root, block);
}
