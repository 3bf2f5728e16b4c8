/* Configurations with one place changed, the places that are set, and everything unknown. Values
 * are never written to: what is not changed is shared with the original. */
#include "probe/configurations/edit.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"

#include <string.h>

/* ---- One place changed. */

static bool has_elements(const lc_value *v)
{
    return lc_is_known(v) && v->type->kind >= LC_TYPE_LIST;
}

const lc_value *lc_spot_get(const lc_value *root, lc_spot spot)
{
    const lc_value *at = root;
    for (size_t i = 0; i < spot.count; i++) {
        if (!has_elements(at) || spot.steps[i] >= at->count)
            return NULL;
        at = &at->as.many.elems[spot.steps[i]];
    }
    return at;
}

lc_spot lc_spot_below(lc_arena *arena, lc_spot spot, uint32_t step)
{
    uint32_t *steps = LC_NEW_ARRAY(arena, uint32_t, spot.count + 1);
    if (spot.count)
        memcpy(steps, spot.steps, spot.count * sizeof *steps);
    steps[spot.count] = step;
    return (lc_spot){steps, spot.count + 1};
}

static lc_str *keys_of(lc_arena *arena, const lc_value *map)
{
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, map->count + 1);
    for (uint32_t i = 0; i < map->count; i++)
        keys[i] = map->as.many.keys[i];
    return keys;
}

/* The container with these elements, which become part of it. */
static const lc_value *rebuild(lc_arena *arena, const lc_value *like, lc_str *keys, lc_value *elems,
                               size_t count)
{
    lc_value slot;
    bool ok = true;
    switch (like->type->kind) {
    case LC_TYPE_LIST:
        ok = lc_value_set_list(&slot, arena, like->type, elems, count);
        break;
    case LC_TYPE_SET:
        ok = lc_value_set_set(&slot, arena, like->type, elems, count);
        break;
    case LC_TYPE_MAP:
        ok = lc_value_set_map(&slot, arena, like->type, keys, elems, count);
        break;
    case LC_TYPE_TUPLE:
        ok = count == like->count;
        if (ok)
            lc_value_set_tuple(&slot, arena, like->type, elems, count);
        break;
    case LC_TYPE_OBJECT:
        lc_value_set_object(&slot, arena, like->type, elems);
        break;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        ok = false;
        break;
    }
    return ok ? lc_value_new(arena, &slot) : NULL;
}

static bool fits(const lc_value *value, const lc_value *in_place_of)
{
    return lc_type_equal(value->type, in_place_of->type);
}

const lc_value *lc_spot_set(lc_arena *arena, const lc_value *root, lc_spot spot,
                            const lc_value *value)
{
    if (spot.count == 0)
        return fits(value, root) ? value : NULL;
    if (!has_elements(root) || spot.steps[0] >= root->count)
        return NULL;
    lc_spot rest = {spot.steps + 1, spot.count - 1};
    const lc_value *inner = lc_spot_set(arena, &root->as.many.elems[spot.steps[0]], rest, value);
    if (!inner)
        return NULL;
    lc_value *elems = lc_arena_copy(arena, root->as.many.elems, root->count, sizeof *elems);
    elems[spot.steps[0]] = *inner;
    lc_str *keys = root->type->kind == LC_TYPE_MAP ? keys_of(arena, root) : NULL;
    return rebuild(arena, root, keys, elems, root->count);
}

/* NULL: only collections can have one element less. */
static const lc_value *without(lc_arena *arena, const lc_value *container, uint32_t at)
{
    if (!has_elements(container) || !lc_type_is_collection(container->type) ||
        at >= container->count)
        return NULL;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, container->count);
    bool map = container->type->kind == LC_TYPE_MAP;
    lc_str *keys = map ? keys_of(arena, container) : NULL;
    size_t count = 0;
    for (uint32_t i = 0; i < container->count; i++) {
        if (i == at)
            continue;
        if (keys)
            keys[count] = container->as.many.keys[i];
        elems[count++] = container->as.many.elems[i];
    }
    return rebuild(arena, container, keys, elems, count);
}

const lc_value *lc_spot_remove(lc_arena *arena, const lc_value *root, lc_spot spot)
{
    if (spot.count == 0)
        return NULL;
    lc_spot outer = {spot.steps, spot.count - 1};
    const lc_value *container = lc_spot_get(root, outer);
    const lc_value *rest = container ? without(arena, container, spot.steps[spot.count - 1]) : NULL;
    return rest ? lc_spot_set(arena, root, outer, rest) : NULL;
}

/* Keys of a map are generated; lists get the same element again, and so do sets, where it counts
 * once. */
const lc_value *lc_with_elements(lc_arena *arena, const lc_value *collection, const lc_value *one,
                                 size_t count)
{
    lc_value empty = *collection;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, count + 1);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, count + 1);
    if (!lc_type_is_collection(collection->type))
        return NULL;
    empty.state = LC_KNOWN;
    for (size_t i = 0; i < count; i++) {
        bool has = lc_is_known(collection) && i < collection->count;
        bool key = has && collection->type->kind == LC_TYPE_MAP;
        elems[i] = has ? collection->as.many.elems[i] : *one;
        keys[i] = key ? collection->as.many.keys[i] : lc_str_printf(arena, "key%zu", i + 1);
    }
    return rebuild(arena, &empty, keys, elems, count);
}

const lc_value *lc_with_values(lc_arena *arena, const lc_value *container, lc_value *values)
{
    lc_str *keys = container->type->kind == LC_TYPE_MAP ? keys_of(arena, container) : NULL;
    return rebuild(arena, container, keys, values, container->count);
}

/* The order of maps and sets means nothing, so it is reversed: law 24 asks whether the provider
 * knows. The members are stored as they are, without the setters, which would sort them again. */
static lc_value respelt(lc_arena *arena, const lc_value *v)
{
    lc_value out = *v;
    bool free = v->type->kind == LC_TYPE_SET || v->type->kind == LC_TYPE_MAP;
    if (!has_elements(v) || v->count == 0)
        return out;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t from = free ? v->count - 1 - i : i;
        elems[i] = respelt(arena, &v->as.many.elems[from]);
        if (v->type->kind == LC_TYPE_MAP)
            keys[i] = v->as.many.keys[from];
    }
    out.as.many.elems = elems;
    out.as.many.keys = v->type->kind == LC_TYPE_MAP ? keys : v->as.many.keys;
    return out;
}

const lc_value *lc_respelt(lc_arena *arena, const lc_value *v)
{
    lc_value out = respelt(arena, v);
    return lc_value_new(arena, &out);
}

/* ---- The places that are set. */

typedef struct finder {
    lc_leaves *out;
    lc_arena *arena;
} finder;

/* Where the walk is. */
typedef struct position {
    lc_spot spot;
    lc_str name;
    bool in_set;
    unsigned depth;
} position;

static bool can_be_set(const lc_attribute *a)
{
    return a->required || a->optional;
}

static position below(finder *f, const position *at, uint32_t step, lc_str name, bool in_set)
{
    position next = {lc_spot_below(f->arena, at->spot, step), at->name, at->in_set || in_set,
                     at->depth + 1};
    if (name.len)
        next.name = lc_str_printf(f->arena, "%.*s.%.*s", LC_FMT(at->name), LC_FMT(name));
    return next;
}

/* Places beyond LC_MOST_LEAVES are not tried: a configuration may have any number. */
static void add(finder *f, const position *at, const lc_leaf *leaf)
{
    if (f->out->count >= LC_MOST_LEAVES)
        return;
    lc_leaf *new = LC_PUSH(f->arena, f->out, lc_leaf);
    *new = *leaf;
    new->spot = at->spot;
    new->name = at->name;
    new->in_set = at->in_set;
}

static void find_attributes(finder *f, const position *at, const lc_attribute *attributes,
                            size_t count, const lc_value *object);

static void find_nested(finder *f, const position *at, const lc_attribute *a, const lc_value *v)
{
    const lc_nested_type *nested = a->nested;
    if (nested->nesting == LC_NESTING_SINGLE || nested->nesting == LC_NESTING_GROUP) {
        find_attributes(f, at, nested->attributes, nested->attribute_count, v);
        return;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        position inner = below(f, at, i, LC_STR_EMPTY, nested->nesting == LC_NESTING_SET);
        find_attributes(f, &inner, nested->attributes, nested->attribute_count,
                        &v->as.many.elems[i]);
    }
}

/* Elements of plain collections, members of plain objects. */
static void find_elements(finder *f, const position *at, const lc_attribute *a, const lc_value *v)
{
    for (uint32_t i = 0; has_elements(v) && i < v->count && at->depth < LC_MAX_DEPTH; i++) {
        const lc_value *inner = &v->as.many.elems[i];
        bool object = v->type->kind == LC_TYPE_OBJECT;
        lc_str name = object ? v->type->as.attrs[i].name : LC_STR_EMPTY;
        position next = below(f, at, i, name, v->type->kind == LC_TYPE_SET);
        if (lc_is_null(inner))
            continue;
        add(f, &next, &(lc_leaf){.attribute = a, .value = inner, .element = true});
        find_elements(f, &next, a, inner);
    }
}

static void find_attributes(finder *f, const position *at, const lc_attribute *attributes,
                            size_t count, const lc_value *object)
{
    for (size_t i = 0; lc_is_known(object) && i < count && at->depth < LC_MAX_DEPTH; i++) {
        const lc_attribute *a = &attributes[i];
        const lc_value *v = &object->as.many.elems[a->slot];
        if (!can_be_set(a) || lc_is_null(v))
            continue;
        position inner = below(f, at, a->slot, a->name, false);
        add(f, &inner, &(lc_leaf){.attribute = a, .value = v});
        if (a->nested && has_elements(v))
            find_nested(f, &inner, a, v);
        else if (!a->nested)
            find_elements(f, &inner, a, v);
    }
}

static void find_block(finder *f, const position *at, const lc_block *block, const lc_value *object)
{
    find_attributes(f, at, block->attributes, block->attribute_count, object);
    for (size_t i = 0; lc_is_known(object) && i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        const lc_value *v = &object->as.many.elems[type->slot];
        position inner = below(f, at, type->slot, type->name, false);
        bool single = type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP;
        if (!has_elements(v) || v->count == 0 || at->depth >= LC_MAX_DEPTH)
            continue;
        add(f, &inner, &(lc_leaf){.block = type, .value = v});
        if (single)
            find_block(f, &inner, type->block, v);
        for (uint32_t k = 0; !single && k < v->count; k++) {
            position element = below(f, &inner, k, LC_STR_EMPTY, type->nesting == LC_NESTING_SET);
            find_block(f, &element, type->block, &v->as.many.elems[k]);
        }
    }
}

void lc_find_leaves(lc_leaves *out, lc_arena *arena, const lc_block *block, const lc_value *config)
{
    finder f = {out, arena};
    position root = {{NULL, 0}, LC_STR_EMPTY, false, 0};
    find_block(&f, &root, block, config);
}

size_t lc_count_leaves(const lc_value *value)
{
    size_t count = 0;
    if (lc_is_null(value))
        return 0;
    if (!has_elements(value))
        return 1;
    for (uint32_t i = 0; i < value->count; i++)
        count += lc_count_leaves(&value->as.many.elems[i]);
    return count;
}

/* ---- Everything unknown. */

/* Blocks keep their number; only what is set in them becomes unknown. */
static const lc_value *hide_block(lc_arena *arena, const lc_block *block, const lc_value *object)
{
    if (!lc_is_known(object))
        return object;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, object->count + 1);
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (can_be_set(a) && !lc_is_null(&elems[a->slot]))
            lc_value_set_unknown(&elems[a->slot], a->implied);
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_value *v = &elems[type->slot];
        bool single = type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP;
        if (single) {
            *v = *hide_block(arena, type->block, v);
            continue;
        }
        lc_value *inner = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
        for (uint32_t k = 0; has_elements(v) && k < v->count; k++)
            inner[k] = *hide_block(arena, type->block, &v->as.many.elems[k]);
        const lc_value *hidden =
            has_elements(v)
                ? rebuild(arena, v, v->type->kind == LC_TYPE_MAP ? keys_of(arena, v) : NULL, inner,
                          v->count)
                : v;
        if (hidden)
            *v = *hidden;
    }
    lc_value slot;
    lc_value_set_object(&slot, arena, object->type, elems);
    return lc_value_new(arena, &slot);
}

const lc_value *lc_all_unknown(lc_arena *arena, const lc_block *block, const lc_value *config)
{
    return hide_block(arena, block, config);
}
