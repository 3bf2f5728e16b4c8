/* Law 39 about what is really applied, which the user allows with --apply: the older version
 * creates the objects that the newer one is asked about, and both create and destroy one. */
#include "lifecheck/base/arena.h"
#include "probe/laws/newer.h"

/* ---- One object. */

static const lc_value *known_identity(const lc_call *call)
{
    bool known = lc_field_has_value(&call->identity) && lc_is_wholly_known(call->identity.value) &&
                 !lc_is_null(call->identity.value);
    return known ? call->identity.value : NULL;
}

/* Plans and applies in the last run. False: one of both failed, and there may be no object. */
static bool create(lc_trial *trial, const lc_value *config, lc_stored_object *out)
{
    const lc_call plan = *lc_trial_query_plan(
        trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = config, .again = true});
    if (!lc_answered(&plan) || !lc_field_has_value(&plan.result) || !lc_is_known(plan.result.value))
        return false;
    const lc_call *call = lc_trial_query_apply(
        trial, &(lc_apply_question){.planned = plan.result.value,
                                    .config = config,
                                    .identity = known_identity(&plan),
                                    .private_data =
                                        plan.private_data.ptr ? plan.private_data : LC_STR_EMPTY});
    bool object = lc_field_has_value(&call->result) && lc_is_known(call->result.value) &&
                  lc_is_wholly_known(call->result.value);
    *out = (lc_stored_object){.state = object ? call->result.value : NULL,
                              .identity = known_identity(call),
                              .private_data =
                                  call->private_data.ptr ? call->private_data : LC_STR_EMPTY};
    return lc_answered(call) && object;
}

/* In the last run. */
static bool destroy(lc_trial *trial, const lc_stored_object *object)
{
    if (!object->state)
        return true;
    const lc_call *call =
        lc_trial_query_apply(trial, &(lc_apply_question){.prior = object->state,
                                                         .identity = object->identity,
                                                         .private_data = object->private_data});
    return lc_answered(call);
}

static bool destroy_quietly(lc_trial *trial, const lc_stored_object *object, bool newer)
{
    lc_trial quiet = {
        .exam = trial->exam, .spec = trial->spec, .arena = trial->arena, .newer = newer};
    lc_trial_begin_run(&quiet, object->state, NULL);
    return destroy(&quiet, object);
}

/* ---- Of both versions. */

/* Twice, so that what differs each time is seen. The second object is destroyed at once. */
static bool create_older(lc_trial *trial, lc_stored_object *kept, lc_stored_object *spare)
{
    const lc_value *config = trial->spec->config;
    lc_trial_begin_run(trial, NULL, config);
    trial->why = "the old version does not apply the configuration";
    bool ok = create(trial, config, kept) && create(trial, config, spare);
    if (!ok) {
        destroy_quietly(trial, kept, false);
        destroy_quietly(trial, spare, false);
    }
    return ok;
}

static void create_newer(lc_trial *trial, const lc_value *config)
{
    lc_stored_object made = {.state = NULL};
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, config);
    create(trial, config, &made);
    if (!destroy_quietly(trial, &made, true))
        destroy_quietly(trial, &made, false);
}

static void destroy_both(lc_trial *trial, const lc_stored_object *kept,
                         const lc_stored_object *spare)
{
    lc_newer_stored stored = {.value = kept->state, .private_data = kept->private_data};
    trial->newer = false;
    bool raw = lc_raw_of(&stored.raw, trial, kept->state);
    lc_stored_object upgraded = {.state = raw ? lc_newer_upgrade(trial, &stored) : NULL,
                                 .private_data = kept->private_data};
    lc_trial_begin_run(trial, spare->state, NULL);
    bool destroyed = destroy(trial, spare);
    trial->newer = true;
    if (destroyed && upgraded.state) {
        lc_trial_begin_run(trial, upgraded.state, NULL);
        if (destroy(trial, &upgraded))
            return;
    } else {
        trial->scenario.subject.runs.count--; /* nothing is compared */
    }
    destroy_quietly(trial, kept, false);
}

bool lc_newer_query_applied(lc_trial *trial)
{
    lc_stored_object kept = {.state = NULL}, spare = {.state = NULL};
    const lc_value *config = trial->spec->config, *newer = lc_newer_config(trial, config);
    if (!newer || !lc_newer_accepts(trial, config, newer) || !create_older(trial, &kept, &spare))
        return false;
    create_newer(trial, newer);
    destroy_both(trial, &kept, &spare);
    return true;
}

/* ---- Objects for the other trials. */

void lc_newer_create_subjects(lc_examination *exam)
{
    const lc_trial_spec spec = {.law = LC_LAW_39, .private_data = LC_STR_EMPTY};
    for (size_t i = 0; exam->prober->options->apply && exam->plans && i < exam->subjects.count;
         i++) {
        lc_subject *subject = &exam->subjects.items[i];
        lc_trial quiet = {.exam = exam, .spec = &spec, .arena = exam->arena};
        lc_stored_object made = {.state = NULL};
        if (subject->real)
            continue;
        lc_trial_begin_run(&quiet, NULL, subject->config);
        if (create(&quiet, subject->config, &made)) {
            subject->real = made.state;
            subject->private_data = made.private_data;
            subject->created = true;
        } else if (made.state) {
            destroy_quietly(&quiet, &made, false);
        }
    }
}

void lc_newer_destroy_subjects(lc_examination *exam)
{
    const lc_trial_spec spec = {.law = LC_LAW_39, .private_data = LC_STR_EMPTY};
    for (size_t i = 0; i < exam->subjects.count; i++) {
        lc_subject *subject = &exam->subjects.items[i];
        lc_trial quiet = {.exam = exam, .spec = &spec, .arena = exam->arena};
        const lc_stored_object made = {.state = subject->real,
                                       .private_data = subject->private_data};
        if (subject->created &&
            !(lc_peer_cache_restart(exam->cache) && destroy_quietly(&quiet, &made, false)))
            lc_not_tried(exam, LC_LAW_39, "an object that was created could not be destroyed");
    }
}
