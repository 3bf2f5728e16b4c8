/* Law 15: the provider's own configuration with unknown values, each time in a new process. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#define MOST_PLACES 40

/* What validation refuses no client configures with. */
bool lc_hear_settings(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    lc_hear_run(h, NULL, t->edited);
    const lc_call *call = lc_hear_validate(h, t->edited);
    if (lc_answered(call))
        lc_hear_configure(h, t->edited);
    h->x->asker->used = true;
    return true;
}

static const lc_value *unknown_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    lc_value_set_unknown(&slot, type);
    return lc_value_new(arena, &slot);
}

/* Everything unknown, then each setting alone. */
void lc_find_settings(lc_examination *x, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_leaves leaves = {0};
    lc_trial trial = {.law = law, .config = subject->config};
    trial.edited = lc_all_unknown(arena, x->schema->block, subject->config);
    lc_find_leaves(&leaves, arena, x->schema->block, subject->config);
    if (leaves.count > 0)
        lc_try(x, &trial);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !x->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        if (leaf->block || leaf->element)
            continue;
        trial.edited =
            lc_spot_set(arena, subject->config, leaf->spot, unknown_of(arena, leaf->value->type));
        if (trial.edited)
            lc_try(x, &trial);
    }
    lc_arena_free(arena);
}
