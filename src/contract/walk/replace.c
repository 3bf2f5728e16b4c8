/* requires_replace as the cores filter it, the action that a plan leads to, and the configuration
 * with Terraform's computed blocks (contract-algorithms 4.9, 4.10 and 4.4). */
#include "contract/walk/request.h"

#include "contract/walk/rebuild.h"
#include "lifecheck/base/arena.h"

/* Is the path that of a write-only attribute? Terraform needs the exact path of an existing value;
 * OpenTofu looks at the schema only. */
static bool is_write_only(lc_arena *arena, lc_core core, const lc_block *block,
                          const lc_value *planned, lc_path path)
{
    const lc_attribute *a = lc_block_attribute_at(block, path);
    if (!a || !a->write_only)
        return false;
    return core == LC_OPENTOFU || lc_path_apply(arena, planned, path) != NULL;
}

/* Values that cannot be compared for certain (unknowns) count as different. */
lc_replace_state lc_replace_path_state(lc_arena *arena, lc_core core, const lc_block *block,
                                       const lc_value *prior, const lc_value *planned, lc_path path)
{
    const lc_value *before = lc_path_apply_hcl(arena, prior, path);
    const lc_value *after = lc_path_apply_hcl(arena, planned, path);
    if (!before && !after)
        return LC_REPLACE_INVALID;
    if (!before || !after || lc_value_equals(after, before) != LC_TRUE)
        return LC_REPLACE_KEPT;
    return is_write_only(arena, core, block, planned, path) ? LC_REPLACE_KEPT
                                                            : LC_REPLACE_UNCHANGED;
}

void lc_replace_filter(lc_replace_paths *out, lc_arena *arena, lc_core core, const lc_block *block,
                       const lc_value *prior, const lc_value *planned, const lc_path_list *paths)
{
    *out = (lc_replace_paths){NULL, 0, false, false};
    if (!prior || lc_is_null(prior))
        return;
    lc_path *kept = LC_NEW_ARRAY(arena, lc_path, paths->count);
    for (size_t i = 0; i < paths->count; i++) {
        lc_path path = paths->items[i].path;
        switch (lc_replace_path_state(arena, core, block, prior, planned, path)) {
        case LC_REPLACE_INVALID:
            out->invalid = true;
            break;
        case LC_REPLACE_KEPT:
            kept[out->count++] = path;
            out->any_write_only |= is_write_only(arena, core, block, planned, path);
            break;
        case LC_REPLACE_UNCHANGED:
            break;
        }
    }
    out->kept = kept;
}

/* The order of tests is the cores'. OpenTofu replaces for a kept write-only path even if nothing
 * else differs, and looks at equality before it looks at the other paths; Terraform does it
 * after. */
lc_action lc_decide_action(lc_core core, const lc_run *run, const lc_value *prior,
                           const lc_value *planned, const lc_replace_paths *paths)
{
    lc_action replace = run->create_before_destroy == LC_YES ? LC_ACTION_CREATE_THEN_DELETE
                                                             : LC_ACTION_DELETE_THEN_CREATE;
    if (run->tainted == LC_YES)
        return replace;
    if (!prior || lc_is_null(prior))
        return LC_ACTION_CREATE;
    bool forced = run->force_replace == LC_YES;
    bool equal = lc_value_equals(planned, prior) == LC_TRUE;
    if (core == LC_OPENTOFU) {
        if (paths->any_write_only)
            return replace;
        if (equal && !forced)
            return LC_ACTION_NOOP;
    }
    if (forced || paths->count > 0)
        return replace;
    return equal ? LC_ACTION_NOOP : LC_ACTION_UPDATE;
}

/* ---- Terraform's computed blocks: PrepareComputedBlocks. */

/* An element of another shape (a dynamic attribute inside) is left as it is. */
static const lc_value *prepare_element(lc_arena *arena, const lc_block *block, const lc_value *v)
{
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT ||
        v->count != block->attribute_count + block->block_count)
        return v;
    return lc_prepare_computed_blocks(arena, block, v);
}

static const lc_value *prepare_blocks(lc_arena *arena, const lc_block_type *b, const lc_value *v)
{
    if (!lc_is_known(v))
        return v;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP)
        return prepare_element(arena, b->block, v);
    if (v->count == 0) {
        if (!b->computed)
            return v;
        lc_value *null = LC_NEW(arena, lc_value);
        lc_value_set_null(null, v->type);
        return null;
    }
    if (!b->block->any_computed_block)
        return v;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++)
        elems[i] = *prepare_element(arena, b->block, &v->as.many.elems[i]);
    const lc_value *prepared = lc_rebuild(arena, v, v->type, elems);
    return prepared ? prepared : v;
}

const lc_value *lc_prepare_computed_blocks(lc_arena *arena, const lc_block *block,
                                           const lc_value *config)
{
    if (!block->any_computed_block || !lc_is_known(config) ||
        lc_as_block(arena, config, block) != config)
        return config;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, config->count);
    for (size_t i = 0; i < config->count; i++)
        elems[i] = config->as.many.elems[i];
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        elems[b->slot] = *prepare_blocks(arena, b, &config->as.many.elems[b->slot]);
    }
    lc_value *out = LC_NEW(arena, lc_value);
    lc_value_set_object(out, arena, config->type, elems);
    return out;
}
