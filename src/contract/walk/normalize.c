/* NormalizeObjectFromLegacySDK (contract-algorithms 4.7): what the cores make of an object that the
 * old SDK returns. Blocks that are null or unknown become the empty collections or the blocks of
 * unknowns that the schema asks for. The result has the schema's implied type. */
#include "contract/walk/walk.h"

#include "contract/walk/rebuild.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"

static bool normalize(lc_arena *arena, const lc_block *s, const lc_value *v, lc_value *out);

bool lc_block_has_stub(const lc_block *block)
{
    for (size_t i = 0; i < block->attribute_count; i++) {
        if (block->attributes[i].nested)
            return false;
    }
    for (size_t i = 0; i < block->block_count; i++) {
        if (block->blocks[i].nesting != LC_NESTING_MAP &&
            !lc_block_has_stub(block->blocks[i].block))
            return false;
    }
    return true;
}

/* A block of unknowns (unknownBlockStub). The caller has checked lc_block_has_stub. */
static void make_stub(lc_arena *arena, const lc_block *s, lc_value *out)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, s->attribute_count + s->block_count);
    for (size_t i = 0; i < s->attribute_count; i++) {
        lc_value_set_unknown(&elems[s->attributes[i].slot], s->attributes[i].implied);
    }
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        lc_value *slot = &elems[b->slot];
        lc_value *one = LC_NEW(arena, lc_value);
        if (b->nesting == LC_NESTING_MAP) {
            *slot = *lc_block_type_empty_value(arena, b);
            continue;
        }
        make_stub(arena, b->block, one);
        if (b->nesting == LC_NESTING_LIST && b->dynamic_inside)
            lc_value_set_tuple(slot, arena, &lc_type_dynamic, one, 1);
        else if (b->nesting == LC_NESTING_LIST)
            lc_value_set_list(slot, arena, b->implied, one, 1);
        else if (b->nesting == LC_NESTING_SET)
            lc_value_set_set(slot, arena, b->implied, one, 1);
        else
            *slot = *one;
    }
    lc_value_set_object(out, arena, s->implied, elems);
}

/* False: the cores crash building it. */
static bool stub(lc_arena *arena, const lc_block *s, lc_value *out)
{
    if (!lc_block_has_stub(s))
        return false;
    make_stub(arena, s, out);
    return true;
}

static bool normalize_elements(lc_arena *arena, const lc_block_type *b, const lc_value *v,
                               lc_value *out)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++) {
        if (!normalize(arena, b->block, &v->as.many.elems[i], &elems[i]))
            return false;
    }
    if (b->nesting == LC_NESTING_LIST)
        lc_value_set_list(out, arena, b->implied, elems, v->count);
    else
        lc_value_set_set(out, arena, b->implied, elems, v->count);
    return true;
}

static bool normalize_collection(lc_arena *arena, const lc_block_type *b, const lc_value *v,
                                 lc_value *out)
{
    if (lc_is_unknown(v)) {
        lc_value *one = LC_NEW(arena, lc_value);
        if (!stub(arena, b->block, one))
            return false;
        if (b->nesting == LC_NESTING_LIST)
            lc_value_set_list(out, arena, b->implied, one, 1);
        else
            lc_value_set_set(out, arena, b->implied, one, 1);
        return true;
    }
    if (lc_is_null(v) || v->count == 0) {
        *out = *lc_block_type_empty_value(arena, b);
        return true;
    }
    return normalize_elements(arena, b, v, out);
}

/* Blocks with dynamic values inside are left as they are. */
static bool normalize_block_type(lc_arena *arena, const lc_block_type *b, const lc_value *v,
                                 lc_value *out)
{
    *out = *v;
    if (b->block->implied->has_dynamic)
        return true;
    switch (b->nesting) {
    case LC_NESTING_SINGLE:
        if (lc_is_unknown(v))
            return stub(arena, b->block, out);
        return lc_is_null(v) || normalize(arena, b->block, v, out);
    case LC_NESTING_GROUP:
        if (lc_is_unknown(v))
            return stub(arena, b->block, out);
        if (lc_is_null(v)) {
            *out = *lc_block_type_empty_value(arena, b);
            return true;
        }
        return normalize(arena, b->block, v, out);
    case LC_NESTING_LIST:
    case LC_NESTING_SET:
        return normalize_collection(arena, b, v, out);
    case LC_NESTING_MAP:
    case LC_NESTING_INVALID:
        break;
    }
    return true;
}

static bool normalize(lc_arena *arena, const lc_block *s, const lc_value *v, lc_value *out)
{
    if (lc_is_null(v)) {
        lc_value_set_null(out, s->implied);
        return true;
    }
    v = lc_as_block(arena, v, s);
    if (!v)
        return false;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, s->attribute_count + s->block_count);
    lc_value unknown;
    for (size_t i = 0; i < s->attribute_count; i++) {
        uint32_t slot = s->attributes[i].slot;
        if (lc_is_known(v))
            elems[slot] = v->as.many.elems[slot];
        else
            lc_value_set_unknown(&elems[slot], s->attributes[i].implied);
    }
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        const lc_value *part = &unknown;
        if (lc_is_known(v))
            part = &v->as.many.elems[b->slot];
        else
            lc_value_set_unknown(&unknown, b->implied);
        if (!normalize_block_type(arena, b, part, &elems[b->slot]))
            return false;
    }
    lc_value_set_object(out, arena, s->implied, elems);
    return true;
}

const lc_value *lc_normalize_legacy(lc_arena *arena, const lc_block *block, const lc_value *value)
{
    lc_value *out = LC_NEW(arena, lc_value);
    return normalize(arena, block, value, out) ? out : NULL;
}
