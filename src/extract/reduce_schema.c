/* Removes attributes and blocks that do not matter from the schema and from all objects at once,
 * level by level. */
#include "extract/reduce.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/scenario/scenario.h"

/* Blocks (or nested types) of one place, and the values of them. */
typedef struct level {
    lc_mutable_list blocks, objects;
    lc_mutable_list kept; /* objects from which nothing is taken, in addition to the others */
} level;

static void add_members(lc_arena *arena, lc_mutable_list *out, const lc_mutable_list *from,
                        lc_str key)
{
    for (size_t i = 0; i < from->count; i++) {
        const lc_mutable *tree = from->items[i];
        for (size_t k = 0; tree->kind == LC_NODE_MAPPING && k < tree->count; k++) {
            if (!tree->items[k]->gone && lc_str_eq(tree->items[k]->key, key))
                *LC_PUSH(arena, out, lc_mutable *) = tree->items[k];
        }
    }
}

/* Through lists, sets and maps to the objects; also through what marks them. */
static void add_objects(lc_arena *arena, lc_mutable_list *out, lc_mutable *value, bool single)
{
    if (value->kind == LC_NODE_MAPPING && value->count == 1 &&
        lc_str_is(value->items[0]->key, "$sensitive")) {
        add_objects(arena, out, value->items[0], single);
    } else if (single) {
        *LC_PUSH(arena, out, lc_mutable *) = value;
    } else {
        for (size_t i = 0; i < value->count; i++) {
            if (!value->items[i]->gone)
                add_objects(arena, out, value->items[i], true);
        }
    }
}

static bool is_single(const lc_mutable *holder)
{
    const lc_mutable *mode = lc_mutable_get(holder, "nesting_mode");
    return mode && (lc_str_is(mode->text, "single") || lc_str_is(mode->text, "group"));
}

static bool reduce_level(lc_reducer *r, const level *l, unsigned depth);

/* The level below one attribute or block type that stayed. */
static bool reduce_below(lc_reducer *r, const level *l, const lc_mutable *part, unsigned depth)
{
    level below = {0};
    lc_mutable_list values = {0}, kept = {0};
    lc_mutable *nested = lc_mutable_get(part, "nested_type");
    lc_mutable *holder = nested ? nested : lc_mutable_get(part, "block");
    if (!holder || holder->kind != LC_NODE_MAPPING || depth > LC_MAX_DEPTH)
        return false;
    *LC_PUSH(r->arena, &below.blocks, lc_mutable *) = holder;
    add_members(r->arena, &values, &l->objects, part->key);
    for (size_t i = 0; i < values.count; i++)
        add_objects(r->arena, &below.objects, values.items[i], is_single(nested ? nested : part));
    add_members(r->arena, &kept, &l->kept, part->key);
    for (size_t i = 0; i < kept.count; i++)
        add_objects(r->arena, &below.kept, kept.items[i], is_single(nested ? nested : part));
    return reduce_level(r, &below, depth + 1);
}

static const char *const parts[] = {"attributes", "block_types"};

/* Omitting blocks also means that there are none. */
static bool are_empty(const lc_mutable_list *values)
{
    bool empty = true;
    for (size_t i = 0; i < values->count; i++) {
        bool many =
            values->items[i]->kind == LC_NODE_SEQUENCE || values->items[i]->kind == LC_NODE_MAPPING;
        empty = empty && many && lc_mutable_count(values->items[i]) == 0;
    }
    return empty;
}

static void add_candidates(lc_reducer *r, lc_mutable_groups *out, const level *l, const char *which,
                           lc_mutable_list *names)
{
    bool blocks = lc_str_is(LC_STR("block_types"), which);
    for (size_t b = 0; b < l->blocks.count; b++) {
        lc_mutable *list = lc_mutable_get(l->blocks.items[b], which);
        for (size_t i = 0; list && i < list->count; i++) {
            if (list->items[i]->gone)
                continue;
            bool known = false;
            for (size_t n = 0; n < names->count; n++)
                known |= lc_str_eq(names->items[n]->key, list->items[i]->key);
            if (known)
                continue;
            lc_mutable *part = list->items[i];
            lc_mutable_list lists = {0}, kept = {0};
            *LC_PUSH(r->arena, names, lc_mutable *) = part;
            add_members(r->arena, &kept, &l->kept, part->key);
            if (kept.count && !(blocks && are_empty(&kept)))
                continue;
            lc_mutable_list *group = LC_PUSH(r->arena, out, lc_mutable_list);
            for (size_t k = 0; k < l->blocks.count; k++) {
                lc_mutable *same = lc_mutable_get(l->blocks.items[k], which);
                if (same)
                    *LC_PUSH(r->arena, &lists, lc_mutable *) = same;
            }
            add_members(r->arena, group, &lists, part->key);
            add_members(r->arena, group, &l->objects, part->key);
            add_members(r->arena, group, &l->kept, part->key);
        }
    }
}

/* Removes lists in which nothing is left. */
static bool drop_empty(lc_reducer *r, const level *l)
{
    lc_mutable_groups groups = {0};
    for (size_t i = 0; i < l->blocks.count * 2; i++) {
        lc_mutable *list = lc_mutable_get(l->blocks.items[i / 2], parts[i % 2]);
        if (!list || lc_mutable_count(list))
            continue;
        lc_mutable_list *group = LC_PUSH(r->arena, &groups, lc_mutable_list);
        *LC_PUSH(r->arena, group, lc_mutable *) = list;
    }
    return lc_remove_some(r, &groups);
}

static bool reduce_level(lc_reducer *r, const level *l, unsigned depth)
{
    lc_mutable_groups groups = {0};
    lc_mutable_list names = {0};
    for (size_t i = 0; i < 2; i++)
        add_candidates(r, &groups, l, parts[i], &names);
    bool changed = lc_remove_some(r, &groups);
    for (size_t i = 0; i < names.count; i++) {
        if (!names.items[i]->gone)
            changed = reduce_below(r, l, names.items[i], depth) || changed;
    }
    return drop_empty(r, l) || changed;
}

static void find_schemas(lc_arena *arena, lc_mutable_list *out, lc_mutable *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        if (child->gone)
            continue;
        if (lc_str_is(child->key, "schema") && child->kind == LC_NODE_MAPPING) {
            lc_mutable *block = lc_mutable_get(child, "block");
            if (block)
                *LC_PUSH(arena, out, lc_mutable *) = block;
        } else if (lc_str_is(child->key, "runs") || tree->kind == LC_NODE_SEQUENCE) {
            find_schemas(arena, out, child);
        }
    }
}

/* The parts of the schema other than its block: the identity, the version. */
static bool reduce_rest(lc_reducer *r)
{
    lc_mutable *schema = lc_mutable_get(r->root, "schema");
    lc_mutable_groups groups = {0};
    for (size_t i = 0; schema && i < schema->count; i++) {
        if (schema->items[i]->gone || lc_str_is(schema->items[i]->key, "block") ||
            lc_str_is(schema->items[i]->key, "kind"))
            continue;
        lc_mutable_list *group = LC_PUSH(r->arena, &groups, lc_mutable_list);
        *LC_PUSH(r->arena, group, lc_mutable *) = schema->items[i];
    }
    return lc_remove_some(r, &groups);
}

bool lc_reduce_schema(lc_reducer *r)
{
    level root = {0};
    lc_mutable_list all = {0};
    find_schemas(r->arena, &root.blocks, r->root);
    lc_find_objects(r->arena, &all, r->root);
    for (size_t i = 0; i < all.count; i++) {
        bool kept = r->as_asked && lc_is_config_key(all.items[i]->key);
        *LC_PUSH(r->arena, kept ? &root.kept : &root.objects, lc_mutable *) = all.items[i];
    }
    bool changed = reduce_level(r, &root, 0);
    return reduce_rest(r) || changed;
}
