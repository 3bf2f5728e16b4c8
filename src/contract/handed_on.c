/* What must be the same from one call to the next: a state as clients hand it on, and a
 * configuration without write-only values, which no state and no plan contains. */
#include "contract/judge.h"
#include "contract/walk/rebuild.h"

#include "lifecheck/base/arena.h"

const lc_value *lc_state_handed_on(lc_arena *arena, const lc_block *block, const lc_value *state)
{
    if (!lc_is_known(state))
        return state;
    const lc_value *known = lc_value_unknown_as_null(arena, state);
    const lc_value *normal = lc_normalize_legacy(arena, block, known);
    return normal ? normal : known;
}

const lc_value *lc_stored_by_schema(lc_arena *arena, const lc_raw_state *raw,
                                    const lc_schema *schema)
{
    if (!raw->given || !raw->has_attributes || raw->schema_version != schema->version ||
        !lc_field_has_value(&raw->attributes))
        return NULL;
    return lc_stored_decode(arena, raw->attributes.value, schema->block->implied, true);
}

/* ---- Without write-only values. */

static lc_value *strip_attributes(lc_arena *arena, const lc_attribute *attributes, size_t count,
                                  const lc_value *object);
static const lc_value *strip_block(lc_arena *arena, const lc_block *block, const lc_value *object);

static const lc_value *strip_nested(lc_arena *arena, const lc_nested_type *t, const lc_value *v)
{
    if (!t->any_write_only || !lc_is_known(v))
        return v;
    if (t->nesting == LC_NESTING_SINGLE)
        return lc_rebuild(arena, v, v->type,
                          strip_attributes(arena, t->attributes, t->attribute_count, v));
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *e = &v->as.many.elems[i];
        elems[i] = *e;
        if (lc_is_known(e))
            elems[i] = *lc_rebuild(arena, e, e->type,
                                   strip_attributes(arena, t->attributes, t->attribute_count, e));
    }
    return lc_rebuild(arena, v, v->type, elems);
}

static lc_value *strip_attributes(lc_arena *arena, const lc_attribute *attributes, size_t count,
                                  const lc_value *object)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, object->count);
    for (size_t i = 0; i < object->count; i++)
        elems[i] = object->as.many.elems[i];
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        lc_value *slot = &elems[a->slot];
        if (a->write_only)
            lc_value_set_null(slot, slot->type);
        else if (a->nested)
            *slot = *strip_nested(arena, a->nested, slot);
    }
    return elems;
}

/* Blocks that hold dynamic values are left as they are: their shape need not be that of the
 * schema. */
static const lc_value *strip_blocks(lc_arena *arena, const lc_block_type *b, const lc_value *v)
{
    if (!b->block->any_write_only || !lc_is_known(v) || b->dynamic_inside)
        return v;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP)
        return strip_block(arena, b->block, v);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++)
        elems[i] = *strip_block(arena, b->block, &v->as.many.elems[i]);
    return lc_rebuild(arena, v, v->type, elems);
}

static const lc_value *strip_block(lc_arena *arena, const lc_block *block, const lc_value *object)
{
    if (!lc_is_known(object))
        return object;
    lc_value *elems = strip_attributes(arena, block->attributes, block->attribute_count, object);
    for (size_t i = 0; i < block->block_count; i++) {
        lc_value *slot = &elems[block->blocks[i].slot];
        *slot = *strip_blocks(arena, &block->blocks[i], slot);
    }
    return lc_rebuild(arena, object, object->type, elems);
}

const lc_value *lc_without_write_only(lc_arena *arena, const lc_block *block,
                                      const lc_value *config)
{
    return block->any_write_only ? strip_block(arena, block, config) : config;
}
