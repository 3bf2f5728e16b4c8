/* The plan phase of a run: the stored object is upgraded or moved or imported, then read, the
 * configuration validated and planned. */
#include "drive/driver.h"

#include "lifecheck/base/arena.h"

#include <string.h>

/* ---- Validation, by a process that is not configured. */

static void ask_validate(lc_turn *t, lc_client *client)
{
    lc_call call;
    const lc_value *config = lc_turn_value(&t->out->config);
    if (lc_turn_is_null(config) || !lc_turn_may_call(t, LC_CALL_VALIDATE))
        return;
    lc_client_validate(client, &call, t->arena, t->schema, config,
                       lc_turn_loc(t, LC_CALL_VALIDATE));
    lc_turn_add(t, &call, LC_CALL_VALIDATE);
}

/* Its own process: a provider that crashes in validation does not end the run of the configured
 * one.
 */
void lc_turn_validate(lc_turn *t)
{
    ask_validate(t, t->driver->validator);
    if (!t->broken)
        return;
    t->driver->validator_died = true;
    t->driver->options.end(t->driver->options.context);
}

/* ---- Functions, which clients call in every walk, and never of a configured provider. */

static void call_functions(lc_turn *t, lc_client *client)
{
    for (size_t i = 0; i < t->in->calls.count; i++) {
        lc_call call;
        const lc_call *wanted = &t->in->calls.items[i];
        if (!wanted->function || !wanted->function->has_arguments || t->broken ||
            lc_turn_is_stopped(t))
            continue;
        lc_client_call_function(client, &call, t->arena, t->schema, wanted->function, wanted->loc);
        t->function = wanted->stated ? wanted : NULL;
        lc_turn_add(t, &call, LC_CALL_FUNCTION);
    }
}

void lc_turn_functions(lc_turn *t)
{
    call_functions(t, t->driver->validator);
    if (!t->asked || t->broken || !lc_turn_open(t, LC_WALK_PLAN))
        return;
    call_functions(t, t->client);
    lc_turn_end(t);
}

/* ---- The object before the plan. */

/* The object as a state file holds it: JSON without types. */
static bool raw_of(lc_turn *t, lc_raw_state *out, const lc_stored_object *stored)
{
    lc_buf json = {0};
    lc_str why;
    lc_source *source = LC_NEW(t->arena, lc_source);
    *out = (lc_raw_state){.given = true,
                          .has_attributes = true,
                          .loc = t->out->loc,
                          .schema_version = t->schema->version,
                          .has_private = true,
                          .private_data = stored->private_data};
    bool good = lc_ctyjson_encode(&json, stored->state, t->schema->block->implied, &why) &&
                lc_json_parse(source, t->arena, LC_STR("state"), lc_buf_take(t->arena, &json),
                              &t->driver->options.limits, t->diags) == LC_OK;
    if (!good)
        return false;
    lc_value_reader reader = {.arena = t->arena,
                              .source = source,
                              .diags = t->diags,
                              .limits = t->driver->options.limits};
    return lc_read_raw(&out->attributes, &reader, &source->documents[0]) == LC_OK &&
           lc_field_has_value(&out->attributes);
}

static void ask_upgrade(lc_turn *t, const lc_raw_state *raw)
{
    lc_call call;
    if (!lc_turn_may_call(t, LC_CALL_UPGRADE))
        return;
    lc_client_upgrade(t->client, &call, t->arena, t->schema, raw, lc_turn_loc(t, LC_CALL_UPGRADE));
    const lc_call *kept = lc_turn_add(t, &call, LC_CALL_UPGRADE);
    if (kept->failed != LC_YES && lc_turn_value(&kept->result))
        t->prior = (lc_stored_object){kept->result.value, t->life->stored.identity,
                                      raw->has_private ? raw->private_data : t->out->prior_private};
}

static void upgrade(lc_turn *t)
{
    lc_raw_state raw;
    const lc_raw_state *given = &t->out->previous_run_state;
    if (t->life->stored.state && raw_of(t, &raw, &t->life->stored))
        ask_upgrade(t, &raw);
    else if (!t->life->stored.state && given->given && given->has_attributes &&
             lc_field_has_value(&given->attributes) && !lc_is_null(given->attributes.value))
        ask_upgrade(t, given);
}

lc_stored_object lc_turn_upgrade_planned(lc_turn *t)
{
    lc_raw_state raw;
    const lc_stored_object prior = t->prior;
    bool stored = t->life->stored.state || t->out->previous_run_state.given;
    if (stored && !lc_turn_is_null(prior.state) && raw_of(t, &raw, &prior))
        ask_upgrade(t, &raw);
    lc_stored_object upgraded = {t->prior.state, prior.identity, prior.private_data};
    t->prior = prior;
    return upgraded;
}

static void ask_import(lc_turn *t)
{
    lc_call call;
    if (!lc_turn_may_call(t, LC_CALL_IMPORT))
        return;
    lc_client_import(t->client, &call, t->arena, t->schema, t->import_id, NULL,
                     lc_turn_loc(t, LC_CALL_IMPORT));
    const lc_call *kept = lc_turn_add(t, &call, LC_CALL_IMPORT);
    const lc_imported *first = kept->imported.count ? kept->imported.items : NULL;
    if (first && lc_turn_value(&first->state))
        t->prior = (lc_stored_object){first->state.value, lc_turn_value(&first->identity),
                                      first->private_data};
    t->failed |= kept->imported.count != 1;
}

static void ask_move(lc_turn *t, const lc_call *move)
{
    lc_call call;
    if (!lc_turn_may_call(t, LC_CALL_MOVE) || !move->raw.has_attributes)
        return;
    lc_client_move(t->client, &call, t->arena, t->schema, &move->raw, move->type_name,
                   t->driver->options.address, lc_turn_loc(t, LC_CALL_MOVE));
    const lc_call *kept = lc_turn_add(t, &call, LC_CALL_MOVE);
    if (lc_turn_value(&kept->result))
        t->prior = (lc_stored_object){kept->result.value, lc_turn_value(&kept->identity),
                                      kept->private_data};
}

/* A client saves what it has read: unknown values become null there. */
static void ask_read(lc_turn *t)
{
    lc_call call;
    bool hurry = t->cleaning && lc_turn_is_stopped(t);
    if (lc_turn_is_null(t->prior.state) || hurry || !lc_turn_may_call(t, LC_CALL_READ))
        return;
    t->prior.state = lc_state_handed_on(t->arena, t->schema->block, t->prior.state);
    lc_client_read(t->client, &call, t->arena, t->schema, &t->prior, lc_turn_loc(t, LC_CALL_READ));
    const lc_call *kept = lc_turn_add(t, &call, LC_CALL_READ);
    t->asks_read = true;
    if (kept->failed == LC_YES || !lc_turn_value(&kept->result))
        return;
    t->prior =
        (lc_stored_object){lc_state_handed_on(t->arena, t->schema->block, kept->result.value),
                           lc_turn_value(&kept->identity), kept->private_data};
}

/* An object of the version before may be one that was never created, so it is not read. */
static void hand_on(lc_turn *t)
{
    if (lc_turn_is_null(t->prior.state))
        return;
    t->prior.state = lc_state_handed_on(t->arena, t->schema->block, t->prior.state);
    t->out->prior_state = (lc_field){
        .state = LC_FIELD_GIVEN, .loc = t->out->prior_state.loc, .value = t->prior.state};
}

/* The plan uses the prior state of the scenario, unless the scenario defines how the object is
 * obtained (import, move, upgrade). */
static void refresh(lc_turn *t)
{
    const lc_call *move = t->in ? lc_run_call(t->in, LC_CALL_MOVE) : NULL;
    const lc_value *prior = lc_turn_value(&t->out->prior_state);
    bool stored = t->life->stored.state || t->out->previous_run_state.given;
    bool reads = t->driving && (t->driving->steps & LC_CALL_BIT(LC_CALL_READ));
    if (t->import_id.len)
        ask_import(t);
    else if (move && !t->life->stored.state)
        ask_move(t, move);
    else if (stored)
        upgrade(t);
    else
        t->prior = (lc_stored_object){prior, lc_turn_value(&t->out->prior_identity),
                                      t->out->prior_private};
    if (t->out->newer) {
        hand_on(t);
        return;
    }
    if (stored || move || t->import_id.len || reads)
        ask_read(t);
    if (stored || move || t->import_id.len || t->asks_read)
        t->out->prior_state = (lc_field){0};
}

/* ---- Planning. */

const lc_call *lc_turn_ask_plan(lc_turn *t, lc_call_kind kind, const lc_stored_object *prior,
                                const lc_value *config)
{
    lc_call call;
    bool replaced = kind == LC_CALL_PLAN_CREATE || lc_turn_is_null(prior->state);
    if (config && lc_is_known(config) && !replaced)
        config = lc_ignore_changes(t->arena, t->out, t->schema->block, prior->state, config);
    const lc_call *planned = t->create ? t->create : t->plan;
    lc_plan_question question = {.kind = kind,
                                 .prior = prior->state,
                                 .config = config,
                                 .identity = prior->identity,
                                 .private_data = prior->private_data};
    if (kind == LC_CALL_FINAL_PLAN && planned)
        question.planned_private = planned->private_data;
    lc_client_plan(t->client, &call, t->arena, t->schema, &question, lc_turn_loc(t, kind));
    return lc_turn_add(t, &call, kind);
}

bool lc_turn_plan_is_valid(lc_turn *t, const lc_call *plan)
{
    lc_core_errors errors[LC_CORE_COUNT];
    const lc_value *planned = lc_turn_value(&plan->result);
    const lc_value *config = lc_turn_value(&plan->config);
    lc_core as = t->driver->options.as;
    if (!planned || !config || plan->failed != LC_NO || plan->deferred == LC_YES)
        return false;
    if (plan->legacy == LC_YES || lc_is_null(config))
        return true;
    lc_core_plan_valid(errors, t->arena, t->schema->block, lc_turn_value(&plan->prior_state),
                       config, planned);
    return errors[as].count == 0 && !errors[as].crash;
}

/* The action that a client decides on. */
static lc_action decide_action(const lc_turn *t, const lc_call *plan)
{
    lc_replace_paths paths;
    const lc_value *prior = t->prior.state, *planned = plan->result.value;
    if (plan->legacy == LC_YES)
        planned = lc_ignore_changes(t->arena, t->out, NULL, prior, planned);
    if (t->out->tainted == LC_YES)
        return LC_ACTION_DELETE_THEN_CREATE;
    if (lc_turn_is_null(prior))
        return LC_ACTION_CREATE;
    lc_replace_filter(&paths, t->arena, t->driver->options.as, t->schema->block, prior, planned,
                      &plan->requires_replace);
    if (paths.count || t->out->force_replace == LC_YES)
        return t->out->create_before_destroy == LC_YES ? LC_ACTION_CREATE_THEN_DELETE
                                                       : LC_ACTION_DELETE_THEN_CREATE;
    return lc_value_same(prior, planned) ? LC_ACTION_NOOP : LC_ACTION_UPDATE;
}

static bool is_replace(lc_action action)
{
    return action == LC_ACTION_DELETE_THEN_CREATE || action == LC_ACTION_CREATE_THEN_DELETE;
}

static void plan_create(lc_turn *t)
{
    lc_stored_object none = {NULL, NULL, t->plan->private_data};
    if (t->driver->options.as == LC_TERRAFORM)
        none.identity = lc_turn_value(&t->plan->identity);
    t->create = lc_turn_ask_plan(t, LC_CALL_PLAN_CREATE, &none, lc_turn_value(&t->out->config));
}

static void plan_change(lc_turn *t)
{
    lc_stored_object prior = t->prior;
    if (t->out->tainted == LC_YES)
        prior = (lc_stored_object){NULL, NULL, LC_STR_EMPTY};
    t->plan = lc_turn_ask_plan(t, LC_CALL_PLAN, &prior, lc_turn_value(&t->out->config));
    if (!lc_turn_plan_is_valid(t, t->plan)) {
        t->failed = true;
        return;
    }
    t->action = decide_action(t, t->plan);
    if (is_replace(t->action) && t->out->tainted != LC_YES)
        plan_create(t);
}

/* A provider that does not plan destroys is not asked. */
static void plan_destroy(lc_turn *t)
{
    t->action = lc_turn_is_null(t->prior.state) ? LC_ACTION_NOOP : LC_ACTION_DELETE;
    if (t->action != LC_ACTION_DELETE || lc_client_capabilities(t->client)->plan_destroy != LC_YES)
        return;
    t->plan = lc_turn_ask_plan(t, LC_CALL_DESTROY_PLAN, &t->prior, NULL);
    t->failed |= !lc_turn_value(&t->plan->result) || !lc_is_null(t->plan->result.value);
}

/* Clients read data sources and open ephemeral resources in the plan if their configuration is
 * known; otherwise in the apply phase. */
static void read_data(lc_turn *t, const lc_value *config)
{
    lc_call call;
    bool data = t->schema->kind == LC_KIND_DATA;
    lc_call_kind kind = data ? LC_CALL_DATA : LC_CALL_OPEN;
    ask_validate(t, t->client);
    if (!lc_turn_may_call(t, kind) || !lc_is_wholly_known(config))
        return;
    if (data)
        lc_client_read_data(t->client, &call, t->arena, t->schema, config, lc_turn_loc(t, kind));
    else
        lc_client_open_ephemeral(t->client, &call, t->arena, t->schema, config,
                                 lc_turn_loc(t, kind));
    call.applying = LC_NO;
    lc_turn_add(t, &call, kind);
}

static void plan_object(lc_turn *t)
{
    const lc_value *config = lc_turn_value(&t->out->config);
    refresh(t);
    if (t->out->refresh_only == LC_YES || !config)
        return;
    if (lc_is_null(config)) {
        if (lc_turn_may_call(t, LC_CALL_PLAN))
            plan_destroy(t);
        return;
    }
    ask_validate(t, t->client);
    if (lc_turn_may_call(t, LC_CALL_PLAN))
        plan_change(t);
}

void lc_turn_plan(lc_turn *t)
{
    const lc_value *config = lc_turn_value(&t->out->config);
    bool other = t->schema->kind == LC_KIND_DATA || t->schema->kind == LC_KIND_EPHEMERAL;
    if (other && !config)
        return;
    if (!lc_turn_begin(t, LC_WALK_PLAN))
        return;
    if (other)
        read_data(t, config);
    else
        plan_object(t);
    lc_turn_end(t);
}
