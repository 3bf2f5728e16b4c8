/* Objects that a provider could have stored, made from what it planned. */
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"
#include "probe/internal.h"

#include <string.h>

/* The values that replace unknown ones are made by type and name. Types are nested less deep than
 * LC_MAX_DEPTH: reading them saw to that. NULL: what was made does not fit. */
static const lc_value *fill(lc_arena *arena, const lc_value *v, lc_str name)
{
    static const lc_wish nothing;
    if (lc_is_unknown(v))
        return lc_make_value(arena, v->type, name, &nothing, 0);
    if (lc_is_null(v) || lc_type_is_primitive(v->type) || lc_is_wholly_known(v))
        return v;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++) {
        bool object = v->type->kind == LC_TYPE_OBJECT;
        const lc_value *inner =
            fill(arena, &v->as.many.elems[i], object ? v->type->as.attrs[i].name : name);
        if (!inner)
            return NULL;
        elems[i] = *inner;
    }
    return lc_with_values(arena, v, elems);
}

/* SDKv2 takes an object without an id for one that does not exist. */
static const lc_value *with_id(lc_arena *arena, const lc_value *planned)
{
    for (uint32_t i = 0; i < planned->type->count; i++) {
        lc_str name = planned->type->as.attrs[i].name;
        const lc_value *v = &planned->as.many.elems[i];
        if (lc_str_is(name, "id") && lc_is_unknown(v))
            return lc_spot_set(arena, planned, (lc_spot){&i, 1}, fill(arena, v, name));
    }
    return NULL;
}

/* ---- What SDKv2 stores. */

static void set_zero(lc_value *slot, lc_arena *arena, const lc_type *type)
{
    if (type->kind == LC_TYPE_STRING)
        lc_value_set_string(slot, arena, LC_STR_EMPTY);
    else if (type->kind == LC_TYPE_BOOL)
        lc_value_set_bool(slot, false);
    else if (type->kind == LC_TYPE_NUMBER)
        lc_value_set_number(slot, LC_NUM(0));
    else if (type->kind == LC_TYPE_MAP)
        (void)lc_value_set_map(slot, arena, type, NULL, NULL, 0);
    else if (type->kind == LC_TYPE_LIST)
        (void)lc_value_set_list(slot, arena, type, NULL, 0);
    else if (type->kind == LC_TYPE_SET)
        (void)lc_value_set_set(slot, arena, type, NULL, 0);
}

static const lc_value *zero_blocks(lc_arena *arena, const lc_block *block, const lc_value *object);

/* In blocks it stores "", 0, false and empty collections for what is not set. */
static const lc_value *zero_object(lc_arena *arena, const lc_block *block, const lc_value *object)
{
    if (!lc_is_known(object))
        return object;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, object->count + 1);
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (lc_is_null(&elems[a->slot]) && !a->write_only)
            set_zero(&elems[a->slot], arena, a->implied);
    }
    const lc_value *filled = lc_with_values(arena, object, elems);
    return filled ? zero_blocks(arena, block, filled) : NULL;
}

/* NULL: what was made does not fit. */
static const lc_value *zero_blocks(lc_arena *arena, const lc_block *block, const lc_value *object)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, object->count + 1);
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_value *v = &elems[type->slot];
        if (!lc_is_known(v) || !lc_type_is_collection(v->type))
            continue;
        lc_value *inner = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
        for (uint32_t k = 0; k < v->count; k++) {
            const lc_value *made = zero_object(arena, type->block, &v->as.many.elems[k]);
            if (!made)
                return NULL;
            inner[k] = *made;
        }
        const lc_value *all = lc_with_values(arena, v, inner);
        if (!all)
            return NULL;
        *v = *all;
    }
    return lc_with_values(arena, object, elems);
}

static const lc_value *fill_all(lc_arena *arena, const lc_block *block, const lc_value *planned,
                                bool legacy)
{
    const lc_value *filled = fill(arena, planned, LC_STR_EMPTY);
    return filled && legacy ? zero_blocks(arena, block, filled) : filled;
}

const lc_value *lc_invent(lc_arena *arena, const lc_block *block, const lc_value *planned,
                          lc_invention how, bool legacy)
{
    const lc_value *object = how == LC_INVENT_ALL  ? fill_all(arena, block, planned, legacy)
                             : how == LC_INVENT_ID ? with_id(arena, planned)
                                                   : planned;
    if (!object)
        return NULL;
    return lc_without_write_only(arena, block, lc_state_handed_on(arena, block, object));
}
