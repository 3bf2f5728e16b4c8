/* ignore_changes: the configuration as the cores send it (contract-algorithms 4.8,
 * processIgnoreChanges), the same in both. Paths that do not apply are skipped without an error, as
 * the cores do. */
#include "contract/walk/request.h"

#include "contract/walk/rebuild.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"

/* One ignored path. */
typedef struct record {
    bool has_key;
    lc_str key; /* the last step if it is a key: one entry of the map at the place */
    struct record *next;
} record;

/* The ignored paths that end at one place, in the order in which they were written. */
typedef struct records {
    const lc_value *prior; /* the prior value; NULL: it equals the configuration, or one of the two
                              does not have the place */
    record *first, *last;
    size_t count;
} records;

typedef struct ignorer {
    lc_arena *arena;
    lc_path_node root; /* its items are records */
} ignorer;

/* ---- ignore_changes = all: the prior state, without attributes that are computed only, because no
 * configuration can contain them. */

static void set_null(lc_value *out, const lc_value *like)
{
    lc_value_set_null(out, like->type);
}

static const lc_value *rebuild(lc_arena *arena, const lc_value *like, lc_value *elems)
{
    const lc_value *out = lc_rebuild(arena, like, like->type, elems);
    return out ? out : like;
}

static void without_computed(lc_arena *arena, const lc_attribute *attributes, size_t count,
                             const lc_value *v, lc_value *elems);

static const lc_value *strip_nested(lc_arena *arena, const lc_nested_type *t, const lc_value *v)
{
    if (!lc_is_known(v))
        return v;
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP) {
        lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
        without_computed(arena, t->attributes, t->attribute_count, v, elems);
        return rebuild(arena, v, elems);
    }
    lc_value *elements = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *element = &v->as.many.elems[i];
        elements[i] = *element;
        if (!lc_is_known(element))
            continue;
        lc_value *elems = LC_NEW_ARRAY(arena, lc_value, element->count);
        without_computed(arena, t->attributes, t->attribute_count, element, elems);
        elements[i] = *rebuild(arena, element, elems);
    }
    return rebuild(arena, v, elements);
}

/* Fill `elems`, an array in the order of slots, with the attributes of the known object `v`. */
static void without_computed(lc_arena *arena, const lc_attribute *attributes, size_t count,
                             const lc_value *v, lc_value *elems)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        const lc_value *part = &v->as.many.elems[a->slot];
        if (a->computed && !a->optional)
            set_null(&elems[a->slot], part);
        else
            elems[a->slot] = a->nested ? *strip_nested(arena, a->nested, part) : *part;
    }
}

static const lc_value *strip_block(lc_arena *arena, const lc_block *s, const lc_value *v);

static const lc_value *strip_blocks(lc_arena *arena, const lc_block_type *b, const lc_value *v)
{
    if (!lc_is_known(v))
        return v;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP)
        return strip_block(arena, b->block, v);
    lc_value *elements = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++)
        elements[i] = *strip_block(arena, b->block, &v->as.many.elems[i]);
    return rebuild(arena, v, elements);
}

static const lc_value *strip_block(lc_arena *arena, const lc_block *s, const lc_value *v)
{
    if (!lc_is_known(v) || lc_as_block(arena, v, s) != v)
        return v;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    without_computed(arena, s->attributes, s->attribute_count, v, elems);
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        elems[b->slot] = *strip_blocks(arena, b, &v->as.many.elems[b->slot]);
    }
    return rebuild(arena, v, elems);
}

/* ---- Single paths. */

static records *records_at(ignorer *g, const lc_value *prior, const lc_value *config, lc_path path)
{
    lc_path_node *node = lc_path_node_at(g->arena, &g->root, path);
    if (node->item)
        return node->item;
    records *all = node->item = LC_NEW(g->arena, records);
    const lc_value *p = lc_path_apply(g->arena, prior, path);
    const lc_value *c = lc_path_apply(g->arena, config, path);
    if (p && c && !lc_value_raw_equal(p, c))
        all->prior = p;
    return all;
}

/* Returns whether the prior value differs, so that it has to be restored. */
static bool add_path(ignorer *g, const lc_value *prior, const lc_value *config, lc_path path)
{
    record *r = LC_NEW(g->arena, record);
    if (path.count && path.steps[path.count - 1].kind == LC_STEP_KEY) {
        r->has_key = true;
        r->key = path.steps[--path.count].name;
    }
    records *all = records_at(g, prior, config, path);
    *(all->last ? &all->last->next : &all->first) = r;
    all->last = r;
    all->count++;
    return all->prior;
}

/* The entries of a map while some are restored. The table finds an entry by its key, so that many
 * ignored keys of a large map take only linear time. */
typedef struct entries {
    lc_table at; /* by key: the index of the entry */
    lc_str *keys;
    lc_value *elems;
    bool *gone;
    size_t count;
} entries;

/* Add or replace an entry; `value` NULL: mark it as removed. */
static void put_entry(lc_arena *arena, entries *e, lc_str key, const lc_value *value)
{
    size_t *at = lc_table_get(&e->at, key);
    if (!at) {
        at = LC_NEW(arena, size_t);
        *at = e->count++;
        lc_table_put(&e->at, key, at);
    }
    e->keys[*at] = key;
    e->gone[*at] = !value;
    if (value)
        e->elems[*at] = *value;
}

static size_t drop_gone(entries *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (e->gone[i])
            continue;
        e->keys[kept] = e->keys[i];
        e->elems[kept++] = e->elems[i];
    }
    return kept;
}

/* A map with single ignored keys: the entries of the configuration, with the ignored ones as in the
 * prior state, or removed if it does not have them. A path to the map as a whole takes precedence.
 * The cores restore nothing of an unknown map, not even if it is ignored as a whole. */
static const lc_value *restore_entries(lc_arena *arena, const records *all, const lc_value *v)
{
    if (lc_is_unknown(v))
        return v;
    for (const record *r = all->first; r; r = r->next) {
        if (!r->has_key)
            return all->prior;
    }
    size_t given = lc_is_known(v) ? v->count : 0, most = given + all->count;
    entries e = {.keys = LC_NEW_ARRAY(arena, lc_str, most),
                 .elems = LC_NEW_ARRAY(arena, lc_value, most),
                 .gone = LC_NEW_ARRAY(arena, bool, most)};
    lc_table_init(&e.at, arena);
    for (size_t i = 0; i < given; i++)
        put_entry(arena, &e, v->as.many.keys[i], &v->as.many.elems[i]);
    bool map = lc_is_known(all->prior) && all->prior->type->kind == LC_TYPE_MAP;
    for (const record *r = all->first; r; r = r->next)
        put_entry(arena, &e, r->key, map ? lc_value_key(all->prior, r->key) : NULL);
    size_t count = drop_gone(&e);
    lc_value *out = LC_NEW(arena, lc_value);
    if (count == 0 && lc_is_null(v))
        return v;
    return lc_value_set_map(out, arena, v->type, e.keys, e.elems, count) ? out : v;
}

/* Restore the places of the tree in `v`, children first, as the cores do: a path to a container
 * then overrides paths into it. Sets are not entered, since ignored paths cannot name their
 * elements. */
static const lc_value *restore(lc_arena *arena, const lc_path_node *node, const lc_value *v)
{
    if (!node)
        return v;
    if (node->children && lc_is_known(v) && !lc_type_is_primitive(v->type) &&
        v->type->kind != LC_TYPE_SET) {
        lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
        for (size_t i = 0; i < v->count; i++) {
            lc_step step = lc_trail_part(NULL, v, i).step;
            const lc_path_node *child = lc_path_node_child(node, &step);
            elems[i] = *restore(arena, child, &v->as.many.elems[i]);
        }
        v = rebuild(arena, v, elems);
    }
    const records *all = node->item;
    if (!all || !all->prior)
        return v;
    return v->type->kind == LC_TYPE_MAP ? restore_entries(arena, all, v) : all->prior;
}

/* Nothing is ignored on a create, and a null configuration (a delete) stays null. */
const lc_value *lc_ignore_changes(lc_arena *arena, const lc_run *run, const lc_block *schema,
                                  const lc_value *prior, const lc_value *config)
{
    if (!prior || lc_is_null(prior) || !lc_is_known(config))
        return config;
    if (run->ignore_all)
        return schema ? strip_block(arena, schema, prior) : prior;
    if (run->ignore_changes.count == 0)
        return config;
    ignorer g = {arena, {NULL, NULL}};
    bool any = false;
    for (size_t i = 0; i < run->ignore_changes.count; i++)
        any |= add_path(&g, prior, config, run->ignore_changes.items[i].path);
    return any ? restore(arena, &g.root, config) : config;
}

bool lc_is_ignored(const lc_run *run, lc_path path)
{
    for (size_t i = 0; i < run->ignore_changes.count; i++) {
        lc_path ignored = run->ignore_changes.items[i].path;
        if (ignored.count <= path.count &&
            lc_path_eq(ignored, (lc_path){path.steps, ignored.count}))
            return true;
    }
    return run->ignore_all;
}
