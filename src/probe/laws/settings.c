/* Law 15: the provider's own configuration with unknown values, each time in a new process. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#define MOST_PLACES 40

/* What validation refuses no client configures with. */
bool lc_query_settings(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    lc_trial_begin_run(trial, NULL, t->edited);
    const lc_call *call = lc_trial_query_validation(trial, t->edited);
    if (lc_answered(call))
        lc_trial_configure(trial, t->edited);
    trial->exam->cache->retired = true;
    return true;
}

static const lc_value *unknown_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    lc_value_set_unknown(&slot, type);
    return lc_value_new(arena, &slot);
}

/* Everything unknown, then each setting alone. */
void lc_find_settings(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_leaves leaves = {0};
    lc_trial_spec spec = {.law = law, .config = subject->config};
    spec.edited = lc_all_unknown(arena, exam->schema->block, subject->config);
    lc_find_leaves(&leaves, arena, exam->schema->block, subject->config);
    if (leaves.count > 0)
        lc_run_trial(exam, &spec);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !exam->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        if (leaf->block || leaf->element)
            continue;
        spec.edited =
            lc_spot_set(arena, subject->config, leaf->spot, unknown_of(arena, leaf->value->type));
        if (spec.edited)
            lc_run_trial(exam, &spec);
    }
    lc_arena_free(arena);
}
