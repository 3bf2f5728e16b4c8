/* Laws 37, 38 and 40: objects of this version, and of a newer one. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

/* Law 40: what a newer version of the provider has stored. */
static bool ask_newer(lc_trial *trial, lc_raw_state *raw)
{
    raw->schema_version = trial->exam->schema->version + 1;
    lc_trial_query_upgrade(trial, raw);
    return true;
}

/* Law 38: what was upgraded is stored, and upgraded again later. Its result must not change. */
static bool ask_twice(lc_trial *trial)
{
    lc_raw_state raw;
    const lc_call *first = &trial->scenario.subject.runs.items[0].calls.items[0];
    trial->why = "the upgrade has an error";
    if (!lc_answered(first) || !lc_field_has_value(&first->result) ||
        !lc_raw_of(&raw, trial, first->result.value))
        return false;
    lc_trial_query_upgrade(trial, &raw);
    return true;
}

bool lc_query_upgrade(lc_trial *trial)
{
    lc_raw_state raw;
    trial->why = "validation does not accept the configuration";
    if (!lc_trial_accepts(trial, trial->spec->config))
        return false;
    const lc_value *stored = lc_trial_stored_object(trial);
    if (!stored)
        return false;
    trial->why = "the stored object has no JSON form";
    if (!lc_raw_of(&raw, trial, stored))
        return false;
    lc_run *run = lc_trial_begin_run(trial, stored, NULL);
    run->prior_state.state = LC_FIELD_ABSENT; /* the upgrade makes it from the stored JSON */
    if (trial->spec->law == LC_LAW_40)
        return ask_newer(trial, &raw);
    lc_trial_query_upgrade(trial, &raw);
    return trial->spec->law != LC_LAW_38 || ask_twice(trial);
}

void lc_find_upgrade(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    lc_run_trial(exam,
                 &(lc_trial_spec){.law = law, .config = subject->config, .real = subject->real});
}
