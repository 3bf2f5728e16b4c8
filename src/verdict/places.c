/* An index of things that have a rule and a path, so that expectations, ignores and findings can be
 * matched without trying all pairs. */
#include "lifecheck/base/arena.h"
#include "verdict/internal.h"

void lc_place_index_init(lc_place_index *index, lc_arena *arena)
{
    index->arena = arena;
    lc_table_init(&index->exact, arena);
    lc_table_init(&index->of_rule, arena);
}

bool lc_path_is_exact(lc_path path)
{
    for (size_t i = 0; i < path.count; i++) {
        lc_step_kind kind = path.steps[i].kind;
        if (kind != LC_STEP_ATTR && kind != LC_STEP_INDEX && kind != LC_STEP_KEY)
            return false;
    }
    return true;
}

static void add_to(lc_place_index *index, lc_table *table, lc_str key, size_t item)
{
    lc_place_items *items = lc_table_get(table, key);
    if (!items) {
        items = LC_NEW(index->arena, lc_place_items);
        lc_table_put(table, lc_str_copy(index->arena, key), items);
    }
    *LC_PUSH(index->arena, items, size_t) = item;
}

/* The key of a thing: its rule and the text of its path. */
static void key_of(lc_buf *out, lc_rule rule, const lc_path *path)
{
    lc_buf_printf(out, "%d ", (int)rule);
    if (path)
        lc_path_add_text(out, *path);
}

void lc_place_index_add(lc_place_index *index, lc_rule rule, const lc_path *path, size_t item)
{
    lc_buf key = {0};
    bool exact = path && lc_path_is_exact(*path);
    key_of(&key, rule, exact ? path : NULL);
    add_to(index, exact ? &index->exact : &index->of_rule, lc_buf_str(&key), item);
    lc_buf_release(&key);
}

static const lc_place_items *get(const lc_table *table, lc_rule rule, const lc_path *path)
{
    static const lc_place_items none = {NULL, 0, 0};
    lc_buf key = {0};
    key_of(&key, rule, path);
    const lc_place_items *items = lc_table_get(table, lc_buf_str(&key));
    lc_buf_release(&key);
    return items ? items : &none;
}

const lc_place_items *lc_place_index_at(const lc_place_index *index, lc_rule rule, lc_path path)
{
    return get(&index->exact, rule, &path);
}

const lc_place_items *lc_place_index_of_rule(const lc_place_index *index, lc_rule rule)
{
    return get(&index->of_rule, rule, NULL);
}
