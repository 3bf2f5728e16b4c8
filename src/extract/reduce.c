/* Greedy reduction. Every step removes something and checks whether the property still holds. Large
 * parts are tried first, so that irrelevant parts are removed after few attempts; each attempt
 * judges the whole scenario, which takes most of the time. */
#include "extract/reduce.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/scenario/scenario.h"

#include <string.h>

void lc_find_objects(lc_arena *arena, lc_mutable_list *out, lc_mutable *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        if (child->gone || lc_str_is(child->key, "schema"))
            continue;
        if (tree->kind == LC_NODE_MAPPING && lc_is_object_key(child->key))
            *LC_PUSH(arena, out, lc_mutable *) = child;
        else
            lc_find_objects(arena, out, child);
    }
}

/* ---- Taking out. */

static void set_gone(const lc_mutable_groups *groups, size_t from, size_t to, bool gone)
{
    for (size_t i = from; i < to; i++) {
        for (size_t k = 0; k < groups->items[i].count; k++)
            groups->items[i].items[k]->gone = gone;
    }
}

/* Removes groups from..to if the property allows it. Groups removed before stay removed. */
static bool try_range(lc_reducer *r, const lc_mutable_groups *groups, bool *done, size_t from,
                      size_t to)
{
    bool any = false;
    for (size_t i = from; i < to; i++)
        any |= !done[i];
    if (!any)
        return false;
    set_gone(groups, from, to, true);
    if (r->holds(r->context, r->root)) {
        memset(done + from, true, to - from);
        return true;
    }
    for (size_t i = from; i < to; i++) {
        if (!done[i])
            set_gone(groups, i, i + 1, false);
    }
    return false;
}

/* Halves the size of the ranges from all groups at once down to single ones. */
bool lc_remove_some(lc_reducer *r, const lc_mutable_groups *groups)
{
    bool *done = lc_arena_zalloc(r->arena, groups->count + 1);
    bool changed = false;
    for (size_t size = groups->count; size > 0; size /= 2) {
        for (size_t from = 0; from < groups->count; from += size) {
            size_t to = from + size < groups->count ? from + size : groups->count;
            changed = try_range(r, groups, done, from, to) || changed;
        }
    }
    return changed;
}

static void add_single(lc_reducer *r, lc_mutable_groups *groups, lc_mutable *tree)
{
    lc_mutable_list *group = LC_PUSH(r->arena, groups, lc_mutable_list);
    *LC_PUSH(r->arena, group, lc_mutable *) = tree;
}

/* Keys that a request consists of. */
static bool is_asked_key(lc_str key)
{
    return lc_is_config_key(key) || lc_str_is(key, "prior_state");
}

/* ---- Calls, circumstances, what calls carry. */

static bool is_fixed(const lc_mutable *parent, const lc_mutable *child)
{
    static const char *const fixed[] = {
        "lifecheck", "resource", "schema", "rpc",   "phase",      "leg",       "reason",
        "code",      "severity", "probed", "newer", "configured", "all_calls", NULL};
    return parent->kind == LC_NODE_MAPPING && lc_str_is_one_of(child->key, fixed, NULL);
}

/* That an object is to be replaced, without which another call would have followed; the provider's
 * text about an error. */
static bool is_decisive(const lc_mutable *tree)
{
    if (tree->gone)
        return false;
    if (lc_str_is(tree->key, "requires_replace") || lc_str_is(tree->key, "summary"))
        return true;
    bool found = false;
    for (size_t i = 0; !found && !lc_is_object_key(tree->key) && i < tree->count; i++)
        found = is_decisive(tree->items[i]);
    return found;
}

/* Those, and the configurations and the prior state of a run, which calls may repeat. */
static bool is_kept(const lc_reducer *r, const lc_mutable *parent, const lc_mutable *child)
{
    bool run = parent == r->root || (parent->key.len == 0 && !lc_mutable_get(parent, "rpc"));
    bool asked = run && is_asked_key(child->key) && child->kind != LC_NODE_NULL;
    return r->as_asked &&
           (asked || is_decisive(child) || lc_str_is(parent->key, "requires_replace"));
}

static bool reduce_structure(lc_reducer *r, lc_mutable *tree)
{
    lc_mutable_groups groups = {0};
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->items[i]->gone && !is_fixed(tree, tree->items[i]) &&
            !is_kept(r, tree, tree->items[i]))
            add_single(r, &groups, tree->items[i]);
    }
    bool changed = lc_remove_some(r, &groups);
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        bool object = tree->kind == LC_NODE_MAPPING && lc_is_object_key(child->key);
        if (!child->gone && !object && !lc_str_is(child->key, "schema"))
            changed = reduce_structure(r, child) || changed;
    }
    return changed;
}

/* A CloudFormation resource type that is written in the scenario. */
static bool reduce_type(lc_reducer *r)
{
    const lc_mutable *schema = lc_mutable_get(r->root, "schema");
    lc_mutable *type = schema ? lc_mutable_get(schema, "cloudformation") : NULL;
    return type && reduce_structure(r, type);
}

/* ---- Parts of values. */

static bool reduce_value(lc_reducer *r, lc_mutable *tree)
{
    lc_mutable_groups groups = {0};
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->items[i]->gone)
            add_single(r, &groups, tree->items[i]);
    }
    bool changed = lc_remove_some(r, &groups);
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->items[i]->gone)
            changed = reduce_value(r, tree->items[i]) || changed;
    }
    return changed;
}

/* Groups the parts with the same place in several objects: the same key, or the same number among
 * the items that are left. The states of one object only stay consistent if such parts go together.
 */
static void children_by_place(lc_reducer *r, lc_mutable_groups *out, const lc_mutable_list *parents)
{
    lc_table places;
    lc_table_init(&places, r->arena);
    for (size_t p = 0; p < parents->count; p++) {
        const lc_mutable *parent = parents->items[p];
        size_t number = 0;
        for (size_t i = 0; i < parent->count; i++) {
            lc_mutable *child = parent->items[i];
            if (child->gone)
                continue;
            lc_str place = parent->kind == LC_NODE_MAPPING
                               ? lc_str_printf(r->arena, ".%.*s", LC_FMT(child->key))
                               : lc_str_printf(r->arena, "%zu", number++);
            size_t *group = lc_table_get(&places, place);
            if (!group) {
                group = LC_NEW(r->arena, size_t);
                *group = out->count;
                lc_table_put(&places, place, group);
                (void)LC_PUSH(r->arena, out, lc_mutable_list);
            }
            *LC_PUSH(r->arena, &out->items[*group], lc_mutable *) = child;
        }
    }
}

static bool reduce_together(lc_reducer *r, const lc_mutable_list *objects, unsigned depth)
{
    lc_mutable_groups groups = {0};
    bool changed = false;
    children_by_place(r, &groups, objects);
    changed = lc_remove_some(r, &groups);
    for (size_t i = 0; depth < LC_MAX_DEPTH && i < groups.count; i++) {
        if (!groups.items[i].items[0]->gone)
            changed = reduce_together(r, &groups.items[i], depth + 1) || changed;
    }
    return changed;
}

static bool reduce_values(lc_reducer *r)
{
    lc_mutable_list objects = {0}, all = {0};
    lc_find_objects(r->arena, &all, r->root);
    for (size_t i = 0; i < all.count; i++) {
        if (!r->as_asked || !is_asked_key(all.items[i]->key))
            *LC_PUSH(r->arena, &objects, lc_mutable *) = all.items[i];
    }
    bool changed = reduce_together(r, &objects, 0);
    for (size_t i = 0; i < objects.count; i++)
        changed = reduce_value(r, objects.items[i]) || changed;
    return changed;
}

/* ---- Refinements of unknowns: !unknown alone is tried instead of a refined one. */

static bool reduce_unknowns(lc_reducer *r, lc_mutable *tree)
{
    bool changed = false;
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        if (child->gone)
            continue;
        if (lc_str_is(child->key, "$unknown") && child->kind == LC_NODE_MAPPING) {
            lc_mutable before = *child;
            *child = *lc_mutable_new(r->arena, LC_NODE_BOOL, "$unknown");
            child->text = LC_STR("true");
            bool kept = r->holds(r->context, r->root);
            if (!kept)
                *child = before;
            changed = changed || kept;
        } else {
            changed = reduce_unknowns(r, child) || changed;
        }
    }
    return changed;
}

/* ---- Strings are replaced by short ones, everywhere at once, so that equal strings stay equal. */

typedef struct text_uses {
    lc_str text;
    lc_mutable_list uses;
} text_uses;

typedef struct texts {
    lc_arena *arena;
    lc_table by_text;
    LC_VEC(text_uses *) all;
} texts;

static void add_use(texts *t, lc_mutable *tree)
{
    text_uses *uses = lc_table_get(&t->by_text, tree->text);
    if (!uses) {
        uses = LC_NEW(t->arena, text_uses);
        uses->text = tree->text;
        lc_table_put(&t->by_text, tree->text, uses);
        *LC_PUSH(t->arena, &t->all, text_uses *) = uses;
    }
    *LC_PUSH(t->arena, &uses->uses, lc_mutable *) = tree;
}

/* The contents of these markers are a type or encoded bytes, not text. */
static bool has_own_language(lc_str key)
{
    return lc_str_is(key, "$null") || lc_str_is(key, "$msgpack") || lc_str_is(key, "$json");
}

static void find_texts(texts *t, lc_mutable *tree, bool typed)
{
    if (tree->kind == LC_NODE_STRING && tree->text.len)
        add_use(t, tree);
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        bool type = typed && lc_str_is(child->key, "type");
        bool skipped = child->gone || type || has_own_language(child->key);
        if (!skipped)
            find_texts(t, child, lc_str_is(child->key, "$typed"));
    }
}

static bool is_text_key(lc_str key)
{
    static const char *const keys[] = {"summary",           "detail",
                                       "private",           "planned_private",
                                       "prior_private",     "source_private",
                                       "target_private",    "id",
                                       "import_id",         "planned_identity",
                                       "new_identity",      "prior_identity",
                                       "current_identity",  "target_identity",
                                       "upgraded_identity", "raw_identity",
                                       "identity",          NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

static void find_all_texts(texts *t, lc_mutable *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        if (child->gone || lc_str_is(child->key, "schema"))
            continue;
        if (tree->kind == LC_NODE_MAPPING &&
            (lc_is_object_key(child->key) || is_text_key(child->key)))
            find_texts(t, child, false);
        else
            find_all_texts(t, child);
    }
}

/* a, b, ..., z, a1, ...: the next short text that the scenario does not contain. */
static lc_str short_text(texts *t, size_t *number)
{
    for (;;) {
        size_t n = (*number)++;
        char letter = (char)('a' + n % 26);
        lc_str text = n < 26 ? lc_str_printf(t->arena, "%c", letter)
                             : lc_str_printf(t->arena, "%c%zu", letter, n / 26);
        if (!lc_table_get(&t->by_text, text))
            return text;
    }
}

static void set_texts(const text_uses *uses, lc_str text)
{
    for (size_t i = 0; i < uses->uses.count; i++)
        uses->uses.items[i]->text = text;
}

/* Tries the short strings from..to at once, and each half alone if that is refused. */
static bool shorten(lc_reducer *r, text_uses *const *all, const lc_str *shorter, size_t from,
                    size_t to)
{
    if (from == to)
        return false;
    for (size_t i = from; i < to; i++)
        set_texts(all[i], shorter[i]);
    if (r->holds(r->context, r->root))
        return true;
    for (size_t i = from; i < to; i++)
        set_texts(all[i], all[i]->text);
    if (to - from == 1)
        return false;
    size_t middle = from + (to - from) / 2;
    bool first = shorten(r, all, shorter, from, middle);
    return shorten(r, all, shorter, middle, to) || first;
}

static bool reduce_texts(lc_reducer *r)
{
    texts t = {.arena = r->arena};
    size_t number = 0, kept = 0;
    lc_table_init(&t.by_text, r->arena);
    find_all_texts(&t, r->root);
    lc_str *shorter = LC_NEW_ARRAY(r->arena, lc_str, t.all.count + 1);
    for (size_t i = 0; i < t.all.count; i++) {
        if (t.all.items[i]->text.len < 4)
            continue;
        shorter[kept] = short_text(&t, &number);
        t.all.items[kept++] = t.all.items[i];
    }
    return shorten(r, t.all.items, shorter, 0, kept);
}

/* A step may make others possible, so all are repeated; the number of rounds is bounded. */
void lc_reduce(lc_reducer *r)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < 20; round++) {
        changed = reduce_structure(r, r->root);
        changed = lc_reduce_forms(r) || changed;
        changed = lc_reduce_schema(r) || changed;
        changed = reduce_type(r) || changed;
        changed = reduce_values(r) || changed;
        if (r->as_asked)
            continue;
        changed = reduce_unknowns(r, r->root) || changed;
        changed = reduce_texts(r) || changed;
    }
}
