/* ignore_changes: the configuration as core sends it (contract-algorithms 4.8), the same in both
 * cores. Paths that do not apply are passed over in silence, as core does. */
#include "request.h"

#include "lifecheck/arena.h"
#include "rebuild.h"

typedef struct record {
    lc_path path;
    const lc_value *prior;
    bool has_key;
    lc_str key; /* the last step, cut off: one entry of a map */
} record;

typedef struct ignorer {
    lc_arena *arena;
    record *records;
    size_t count;
} ignorer;

/* ---- `all`: the prior value, without what only the provider sets. */

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

static void add_record(ignorer *g, const lc_value *prior, const lc_value *config, lc_path path)
{
    record r = {path, NULL, false, LC_STR_EMPTY};
    if (path.count && path.steps[path.count - 1].kind == LC_STEP_KEY) {
        r.has_key = true;
        r.key = path.steps[path.count - 1].name;
        r.path.count--;
    }
    const lc_value *p = lc_path_apply(g->arena, prior, r.path);
    const lc_value *c = lc_path_apply(g->arena, config, r.path);
    if (!p || !c || lc_value_raw_equal(p, c))
        return;
    r.prior = p;
    g->records[g->count++] = r;
}

/* A map's entries one by one: those of the configuration, with the ignored ones set back. */
static const lc_value *set_back_entries(ignorer *g, const lc_value *v, lc_path path)
{
    const record *first = NULL;
    size_t extra = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (!lc_path_eq(g->records[i].path, path))
            continue;
        if (!g->records[i].has_key)
            return g->records[i].prior;
        first = first ? first : &g->records[i];
        extra++;
    }
    if (!first || lc_is_unknown(v))
        return v;
    size_t capacity = (lc_is_known(v) ? v->count : 0) + extra, n = 0;
    lc_str *keys = LC_NEW_ARRAY(g->arena, lc_str, capacity);
    lc_value *elems = LC_NEW_ARRAY(g->arena, lc_value, capacity);
    for (size_t i = 0; lc_is_known(v) && i < v->count; i++) {
        keys[n] = v->as.many.keys[i];
        elems[n++] = v->as.many.elems[i];
    }
    for (size_t i = 0; i < g->count; i++) {
        const record *r = &g->records[i];
        if (!lc_path_eq(r->path, path))
            continue;
        const lc_value *old = lc_is_known(r->prior) && r->prior->type->kind == LC_TYPE_MAP
                                  ? lc_value_key(r->prior, r->key)
                                  : NULL;
        size_t at = 0;
        while (at < n && !lc_str_eq(keys[at], r->key))
            at++;
        if (old) {
            keys[at] = r->key;
            elems[at] = *old;
            n += at == n;
        } else if (at < n) {
            keys[at] = keys[--n];
            elems[at] = elems[n];
        }
    }
    lc_value *out = LC_NEW(g->arena, lc_value);
    if (n == 0 && lc_is_null(v))
        return v;
    return lc_value_set_map(out, g->arena, v->type, keys, elems, n) ? out : v;
}

static bool leads_to_record(const ignorer *g, lc_path path)
{
    for (size_t i = 0; i < g->count; i++) {
        lc_path prefix = g->records[i].path;
        if (prefix.count < path.count)
            continue;
        prefix.count = path.count;
        if (lc_path_eq(prefix, path))
            return true;
    }
    return false;
}

/* Bottom-up: children first, then the node itself. */
static const lc_value *set_back(ignorer *g, const lc_value *v, const lc_trail *at)
{
    lc_path path = lc_path_from_trail(g->arena, at);
    if (!leads_to_record(g, path))
        return v;
    if (lc_is_known(v) && !lc_type_is_primitive(v->type) && v->type->kind != LC_TYPE_SET) {
        lc_value *elems = LC_NEW_ARRAY(g->arena, lc_value, v->count);
        for (size_t i = 0; i < v->count; i++) {
            lc_trail trail = v->type->kind == LC_TYPE_OBJECT
                                 ? lc_trail_attr(at, v->type->as.attrs[i].name)
                             : v->type->kind == LC_TYPE_MAP ? lc_trail_key(at, v->as.many.keys[i])
                                                            : lc_trail_index(at, i);
            elems[i] = *set_back(g, &v->as.many.elems[i], &trail);
        }
        v = rebuild(g->arena, v, elems);
    }
    if (v->type->kind == LC_TYPE_MAP)
        return set_back_entries(g, v, path);
    for (size_t i = 0; i < g->count; i++) {
        if (lc_path_eq(g->records[i].path, path))
            return g->records[i].prior;
    }
    return v;
}

const lc_value *lc_ignore_changes(lc_arena *arena, const lc_run *run, const lc_block *schema,
                                  const lc_value *prior, const lc_value *config)
{
    if (!prior || lc_is_null(prior) || !lc_is_known(config))
        return config;
    if (run->ignore_all)
        return schema ? strip_block(arena, schema, prior) : prior;
    if (run->ignore_changes.count == 0)
        return config;
    ignorer g = {arena, LC_NEW_ARRAY(arena, record, run->ignore_changes.count), 0};
    for (size_t i = 0; i < run->ignore_changes.count; i++)
        add_record(&g, prior, config, run->ignore_changes.items[i].path);
    return g.count ? set_back(&g, config, NULL) : config;
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
