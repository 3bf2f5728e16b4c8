/* A stored object as its author wrote it in a scenario. Omitted blocks are completed by what a
 * state file holds for blocks that are not configured. */
#include "lifecheck/base/arena.h"
#include "scenario/internal.h"

static bool complete(lc_value *out, lc_arena *arena, const lc_block *block, const lc_value *object);

static const lc_value *given(const lc_value *object, lc_str name)
{
    long at = lc_type_attr_index(object->type, name);
    return at < 0 ? NULL : &object->as.many.elems[at];
}

/* The JSON of a state file for blocks that are not configured. An object of a group always exists,
 * and is completed in turn. */
static void set_none(lc_value *slot, lc_arena *arena, const lc_block_type *b)
{
    lc_value empty;
    lc_value_set_object(&empty, arena, &lc_type_empty_object, NULL);
    if (b->nesting == LC_NESTING_GROUP)
        complete(slot, arena, b->block, &empty);
    else if (b->nesting == LC_NESTING_MAP)
        *slot = empty;
    else if (b->nesting == LC_NESTING_LIST || b->nesting == LC_NESTING_SET)
        lc_value_set_tuple(slot, arena, &lc_type_empty_tuple, NULL, 0);
    else
        lc_value_set_null(slot, &lc_type_dynamic);
}

static bool is_many(const lc_value *v)
{
    return lc_is_known(v) && (v->type->kind == LC_TYPE_TUPLE || v->type->kind == LC_TYPE_OBJECT);
}

/* Completes the blocks of one type. True: something was added. The elements change type by that, so
 * the tuple or object around them is built anew. */
static bool complete_blocks(lc_value *slot, lc_arena *arena, const lc_block_type *b,
                            const lc_value *blocks)
{
    *slot = *blocks;
    if (!is_many(blocks))
        return false;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP)
        return complete(slot, arena, b->block, blocks);
    bool changed = false;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, blocks->count);
    for (size_t i = 0; i < blocks->count; i++)
        changed |= complete(&elems[i], arena, b->block, &blocks->as.many.elems[i]);
    if (!changed)
        return false;
    if (blocks->type->kind == LC_TYPE_OBJECT) {
        lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, blocks->count);
        for (size_t i = 0; i < blocks->count; i++)
            attrs[i] = (lc_type_attr){blocks->type->as.attrs[i].name, elems[i].type, false};
        lc_value_set_object(slot, arena, lc_type_object(arena, attrs, blocks->count), elems);
        return true;
    }
    const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, blocks->count);
    for (size_t i = 0; i < blocks->count; i++)
        items[i] = elems[i].type;
    lc_value_set_tuple(slot, arena, lc_type_tuple(arena, items, blocks->count), elems,
                       blocks->count);
    return true;
}

typedef struct members {
    lc_type_attr *attrs;
    lc_value *values;
    size_t count;
} members;

static lc_value *add(members *m, lc_str name)
{
    m->attrs[m->count].name = name;
    return &m->values[m->count++];
}

/* lc_type_object sorts the attributes by name, so the values are put into that order. */
static void set_members(lc_value *out, lc_arena *arena, members *m)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, m->count);
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, m->count);
    for (size_t i = 0; i < m->count; i++)
        attrs[i] = (lc_type_attr){m->attrs[i].name, m->values[i].type, false};
    const lc_type *type = lc_type_object(arena, attrs, m->count);
    for (size_t i = 0; i < m->count; i++)
        elems[lc_type_attr_index(type, m->attrs[i].name)] = m->values[i];
    lc_value_set_object(out, arena, type, elems);
}

/* False: nothing was missing, and *out is the object itself. */
static bool complete(lc_value *out, lc_arena *arena, const lc_block *block, const lc_value *object)
{
    *out = *object;
    if (!lc_is_known(object) || object->type->kind != LC_TYPE_OBJECT || block->block_count == 0)
        return false;
    size_t most = object->count + block->block_count;
    members m = {LC_NEW_ARRAY(arena, lc_type_attr, most), LC_NEW_ARRAY(arena, lc_value, most), 0};
    bool changed = false;
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        const lc_value *blocks = given(object, b->name);
        lc_value *slot = add(&m, b->name);
        if (blocks)
            changed |= complete_blocks(slot, arena, b, blocks);
        else
            set_none(slot, arena, b);
        changed |= !blocks;
    }
    for (size_t i = 0; i < object->count; i++) {
        lc_str name = object->type->as.attrs[i].name;
        if (!lc_block_block(block, name))
            *add(&m, name) = object->as.many.elems[i];
    }
    if (changed)
        set_members(out, arena, &m);
    return changed;
}

const lc_value *lc_stored_with_blocks(lc_arena *arena, const lc_block *block, const lc_value *raw)
{
    lc_value *out = LC_NEW(arena, lc_value);
    return complete(out, arena, block, raw) ? out : raw;
}
