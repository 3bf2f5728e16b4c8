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

/* `state`: of an object that exists, or that the provider did not confirm. */
static void report_undestroyed(const lc_trial *trial, const lc_value *state, lc_str private_data,
                               bool certain)
{
    const lc_probe_hooks *hooks = &trial->exam->prober->options->hooks;
    const lc_schema *schema = lc_trial_schema(trial);
    const lc_undestroyed_object left = {.resource = schema->type_name,
                                        .type = schema->type_name,
                                        .state = state,
                                        .schema = schema,
                                        .private_data = private_data,
                                        .settings_loc = {.file = LC_STR_EMPTY},
                                        .certain = certain};
    trial->exam->result->undestroyed++;
    if (hooks->not_destroyed)
        hooks->not_destroyed(hooks->context, &left);
}

/* An error without an object says that there is none. */
static bool may_exist(const lc_call *call)
{
    bool none = lc_field_has_value(&call->result) && lc_is_null(call->result.value);
    return call->broke == LC_YES || (call->failed != LC_YES && !none);
}

/* Plans and applies in the last run. False: one of both failed, and there may be no object. */
static bool create(lc_trial *trial, const lc_value *config, lc_stored_object *out)
{
    const lc_call plan = *lc_trial_query_plan(
        trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = config, .again = true});
    if (!lc_answered(&plan) || !lc_field_has_value(&plan.result) ||
        !lc_is_known(plan.result.value) || !lc_peer_cache_has_budget(lc_trial_cache(trial)))
        return false;
    lc_str planned_private = plan.private_data.ptr ? plan.private_data : LC_STR_EMPTY;
    const lc_call *call =
        lc_trial_query_apply(trial, &(lc_apply_question){.planned = plan.result.value,
                                                         .config = config,
                                                         .identity = known_identity(&plan),
                                                         .private_data = planned_private});
    bool object = lc_field_has_value(&call->result) && lc_is_known(call->result.value) &&
                  lc_is_wholly_known(call->result.value);
    *out = (lc_stored_object){.state = object ? call->result.value : NULL,
                              .identity = known_identity(call),
                              .private_data =
                                  call->private_data.ptr ? call->private_data : LC_STR_EMPTY};
    if (!object && may_exist(call))
        report_undestroyed(trial, plan.result.value, planned_private, false);
    return lc_answered(call) && object;
}

/* In the last run, although time or calls ran out or a signal came: a second one ends this, too. */
static bool destroy(lc_trial *trial, const lc_stored_object *object)
{
    lc_peer_cache *cache = lc_trial_cache(trial);
    if (!object->state)
        return true;
    cache->destroys = true;
    const lc_call *call =
        lc_trial_query_apply(trial, &(lc_apply_question){.prior = object->state,
                                                         .identity = object->identity,
                                                         .private_data = object->private_data});
    cache->destroys = false;
    return lc_answered(call) && lc_field_has_value(&call->result) && lc_is_null(call->result.value);
}

/* By a provider that runs, in a trial without a verdict. */
static bool destroy_quietly(lc_trial *trial, const lc_stored_object *object, bool newer)
{
    lc_trial quiet = {
        .exam = trial->exam, .spec = trial->spec, .arena = trial->arena, .newer = newer};
    lc_peer_cache *cache = lc_trial_cache(&quiet);
    cache->destroys = true;
    bool runs = !object->state || lc_peer_cache_restart(cache);
    cache->destroys = false;
    lc_trial_begin_run(&quiet, object->state, NULL);
    return runs && destroy(&quiet, object);
}

/* What the older version made, or could not destroy. */
static void discard(lc_trial *trial, const lc_stored_object *object)
{
    const lc_trial older = {.exam = trial->exam, .spec = trial->spec, .arena = trial->arena};
    if (!destroy_quietly(trial, object, false))
        report_undestroyed(&older, object->state, object->private_data, true);
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
        discard(trial, kept);
        discard(trial, spare);
    }
    return ok;
}

static void create_newer(lc_trial *trial, const lc_value *config)
{
    lc_stored_object made = {.state = NULL};
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, config);
    create(trial, config, &made);
    if (!destroy_quietly(trial, &made, true) && !destroy_quietly(trial, &made, false))
        report_undestroyed(trial, made.state, made.private_data, true);
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
    if (!destroyed)
        discard(trial, spare);
    trial->newer = true;
    if (destroyed && upgraded.state) {
        lc_trial_begin_run(trial, upgraded.state, NULL);
        if (destroy(trial, &upgraded))
            return;
    } else {
        trial->scenario.subject.runs.count--; /* nothing is compared */
    }
    discard(trial, kept);
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
            discard(&quiet, &made);
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
        if (subject->created)
            discard(&quiet, &made);
    }
}
