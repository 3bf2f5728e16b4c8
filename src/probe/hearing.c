/* One trial: its questions become a case, which is judged as a recording of them would be. */
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"
#include "probe/internal.h"

#include <string.h>

static lc_loc place(const lc_hearing *h)
{
    return (lc_loc){h->x->result->name, 0, 0};
}

static lc_field given(const lc_hearing *h, const lc_value *value)
{
    return (lc_field){.state = LC_FIELD_GIVEN, .loc = place(h), .value = value};
}

static const lc_value *null_object(const lc_hearing *h)
{
    lc_value slot;
    lc_value_set_null(&slot, h->x->schema->block->implied);
    return lc_value_new(h->arena, &slot);
}

/* ---- The case. */

lc_run *lc_hear_run(lc_hearing *h, const lc_value *prior, const lc_value *config)
{
    lc_case *subject = &h->scenario.subject;
    lc_run *run = LC_PUSH(h->arena, &subject->runs, lc_run);
    run->loc = place(h);
    run->schema = h->x->schema;
    run->probed = run->order_known = true;
    run->deposed = run->address = LC_STR_EMPTY;
    run->refresh_only = LC_NO;
    run->stored = LC_NO;
    run->capabilities = *lc_client_capabilities(h->x->asker->client);
    run->capabilities.deferral_allowed = LC_NO; /* clients do not allow it while they plan */
    run->capabilities.write_only_attributes_allowed = LC_YES;
    if (h->x->schema->kind == LC_KIND_RESOURCE)
        run->prior_state = given(h, prior ? prior : null_object(h));
    if (config)
        run->config = given(h, config);
    return run;
}

static lc_run *last_run(lc_hearing *h)
{
    lc_case *subject = &h->scenario.subject;
    return &subject->runs.items[subject->runs.count - 1];
}

/* A call that is going to be made: the place where it is kept. */
static lc_call *next_call(lc_hearing *h)
{
    lc_run *run = last_run(h);
    lc_call *call = LC_PUSH(h->arena, &run->calls, lc_call);
    call->index = (uint32_t)run->calls.count;
    return call;
}

static void finish_call(lc_call *call, uint32_t index)
{
    call->index = index;
    call->provider_config = 1;
    if (call->deposed.ptr == NULL)
        call->deposed = LC_STR_EMPTY;
}

const lc_call *lc_hear_validate(lc_hearing *h, const lc_value *config)
{
    lc_call *call = next_call(h);
    uint32_t index = call->index;
    lc_client_validate(h->x->asker->client, call, h->arena, h->x->schema, config, place(h));
    finish_call(call, index);
    return call;
}

static lc_client *client_of(const lc_hearing *h, const lc_hear_plan *plan)
{
    return plan->elsewhere ? h->x->other->client
           : plan->plain   ? h->x->prober->plain
                           : h->x->asker->client;
}

static void ask_plan(lc_hearing *h, lc_call *out, const lc_hear_plan *plan)
{
    lc_asker *asker = plan->elsewhere ? h->x->other : h->x->asker;
    lc_plan_question question = {.kind = plan->kind,
                                 .prior = plan->prior,
                                 .config = plan->config,
                                 .identity = plan->prior ? h->identity : NULL,
                                 .private_data = plan->private_data};
    if (!question.private_data.ptr)
        question.private_data = LC_STR_EMPTY;
    if (plan->respelt) {
        question.config = lc_respelt(h->arena, plan->config);
        question.proposed = lc_respelt(h->arena, plan->respelt);
    }
    asker->fresh = plan->again;
    lc_client_plan(client_of(h, plan), out, h->arena, h->x->schema, &question, place(h));
    asker->fresh = false;
}

const lc_call *lc_hear_plan_call(lc_hearing *h, const lc_hear_plan *plan)
{
    lc_call *call = next_call(h);
    uint32_t index = call->index;
    ask_plan(h, call, plan);
    call->kind = plan->kind;
    finish_call(call, index);
    if (plan->kind == LC_CALL_FINAL_PLAN)
        last_run(h)->final_config = given(h, plan->config);
    if (plan->plain)
        last_run(h)->capabilities.write_only_attributes_allowed = LC_NO;
    return call;
}

const lc_call *lc_hear_upgrade(lc_hearing *h, const lc_raw_state *raw)
{
    lc_call *call = next_call(h);
    uint32_t index = call->index;
    lc_client_upgrade(h->x->asker->client, call, h->arena, h->x->schema, raw, place(h));
    finish_call(call, index);
    return call;
}

void lc_hear_configure(lc_hearing *h, const lc_value *config)
{
    lc_call *call = next_call(h);
    uint32_t index = call->index;
    lc_asker *asker = h->x->asker;
    asker->fresh = true;
    lc_client_configure(asker->client, call, h->arena, config, place(h));
    asker->fresh = false;
    call->kind = LC_CALL_VALIDATE;
    call->config = given(h, config);
    finish_call(call, index);
    if (call->broke != LC_YES)
        last_run(h)->calls.count--;
}

const lc_call *lc_hear_function_call(lc_hearing *h, const lc_arguments *arguments, bool elsewhere,
                                     bool again)
{
    lc_asker *asker = elsewhere ? h->x->other : h->x->asker;
    lc_function_call *function = LC_NEW(h->arena, lc_function_call);
    lc_call *call = next_call(h);
    uint32_t index = call->index;
    function->name = h->x->function->name;
    function->has_arguments = true;
    for (size_t i = 0; i < arguments->count; i++)
        *LC_PUSH(h->arena, &function->arguments, lc_field) = given(h, arguments->values[i]);
    asker->fresh = again;
    lc_client_call_function(asker->client, call, h->arena, h->x->schema, function, place(h));
    asker->fresh = false;
    finish_call(call, index);
    return call;
}

bool lc_answered(const lc_call *call)
{
    return call->failed != LC_YES && call->broke != LC_YES && call->deferred != LC_YES;
}

static bool planned(const lc_call *call)
{
    return lc_answered(call) && lc_field_has_value(&call->result);
}

/* A call that got no answer is evidence, although it was only asked to prepare the trial: it is all
 * that the case then has. */
static bool keep_broken(lc_hearing *h, const lc_call *call, const lc_value *prior,
                        const lc_value *config)
{
    if (call->broke != LC_YES || h->broke)
        return false;
    h->broke = true;
    h->scenario.subject.runs.count = 0;
    lc_run *run = lc_hear_run(h, prior, config);
    lc_call *kept = LC_PUSH(h->arena, &run->calls, lc_call);
    *kept = *call;
    finish_call(kept, 1);
    return true;
}

bool lc_is_accepted(lc_hearing *h, const lc_value *config)
{
    lc_call call;
    memset(&call, 0, sizeof call);
    lc_client_validate(h->x->asker->client, &call, h->arena, h->x->schema, config, place(h));
    keep_broken(h, &call, NULL, config);
    return lc_answered(&call);
}

/* ---- Stored objects. */

/* The plan of which an object is invented. */
static const lc_value *plan_for_stored(lc_hearing *h)
{
    lc_call call;
    memset(&call, 0, sizeof call);
    ask_plan(h, &call, &(lc_hear_plan){.kind = LC_CALL_PLAN, .config = h->trial->config});
    if (!planned(&call) || !lc_is_known(call.result.value)) {
        h->why = "the configuration does not plan";
        keep_broken(h, &call, NULL, h->trial->config);
        return NULL;
    }
    h->legacy = call.legacy == LC_YES;
    if (lc_field_has_value(&call.identity) && lc_is_known(call.identity.value) &&
        lc_is_wholly_known(call.identity.value))
        h->identity = call.identity.value;
    return h->holes = call.result.value;
}

static bool is_taken(lc_hearing *h, const lc_value *stored)
{
    lc_call call;
    memset(&call, 0, sizeof call);
    ask_plan(h, &call,
             &(lc_hear_plan){.kind = LC_CALL_PLAN,
                             .prior = stored,
                             .config = h->trial->config,
                             .private_data = h->trial->private_data});
    if (!planned(&call))
        keep_broken(h, &call, stored, h->trial->config);
    return planned(&call);
}

/* The first that the provider takes. */
static const lc_value *invented(lc_hearing *h)
{
    static const lc_invention ways[] = {LC_INVENT_ALL, LC_INVENT_ID, LC_INVENT_NULL};
    const lc_value *plan = plan_for_stored(h);
    if (!plan)
        return NULL;
    for (size_t i = h->filled ? 0 : 1; i < (h->filled ? 1 : 3); i++) {
        const lc_value *stored = lc_invent(h->arena, h->x->schema->block, plan, ways[i], h->legacy);
        if (stored && is_taken(h, stored))
            return stored;
    }
    h->refused = true;
    h->why = "the provider does not take an invented stored object";
    return NULL;
}

const lc_value *lc_hear_stored(lc_hearing *h)
{
    if (!h->trial->real)
        return invented(h);
    if (is_taken(h, h->trial->real))
        return h->trial->real;
    h->why = "the stored object does not plan with its configuration";
    return NULL;
}

bool lc_hear_replaces(const lc_hearing *h, const lc_value *prior, const lc_call *plan)
{
    lc_replace_paths paths;
    if (!prior || !lc_answered(plan) || !lc_field_has_value(&plan->result))
        return false;
    lc_replace_filter(&paths, h->arena, h->x->prober->options->as, h->x->schema->block, prior,
                      plan->result.value, &plan->requires_replace);
    return paths.count > 0;
}

bool lc_raw_of(lc_raw_state *out, lc_hearing *h, const lc_value *stored)
{
    lc_buf json = {0};
    lc_str why;
    lc_source *source = LC_NEW(h->arena, lc_source);
    lc_diags *quiet = LC_NEW(h->arena, lc_diags);
    lc_diags_init(quiet, h->arena);
    memset(out, 0, sizeof *out);
    bool ok = lc_ctyjson_encode(&json, stored, h->x->schema->block->implied, &why);
    lc_str text = lc_buf_take(h->arena, &json);
    const lc_limits *limits = &h->x->prober->options->limits;
    if (!ok || lc_json_parse(source, h->arena, place(h).file, text, limits, quiet) != LC_OK ||
        source->count != 1)
        return false;
    lc_value_reader reader = {
        .arena = h->arena, .source = source, .diags = quiet, .limits = *limits};
    if (lc_read_raw(&out->attributes, &reader, source->documents) != LC_OK ||
        !lc_field_has_value(&out->attributes))
        return false;
    out->attributes.locator = (lc_locator){NULL, NULL};
    out->attributes.loc = out->loc = place(h);
    out->given = out->has_attributes = true;
    out->schema_version = h->x->schema->version;
    out->private_data = LC_STR_EMPTY;
    return true;
}

/* ---- Judging. */

static void set_case(lc_hearing *h)
{
    lc_case *subject = &h->scenario.subject;
    subject->source = LC_SOURCE_SCENARIO; /* judged as the file that is written of it */
    subject->file = place(h).file;
    subject->document = 1;
    subject->loc = place(h);
    subject->name = lc_law_get(h->trial->law)->id;
    subject->type = h->x->function ? h->x->result->name : h->x->schema->type_name;
    subject->resource = h->x->result->name;
    h->scenario.expects = lc_arena_zalloc(
        h->arena, lc_mul_size(subject->runs.count + 1, sizeof *h->scenario.expects));
}

/* What is made of a configuration may be none that a client sends. */
static bool is_sendable(const lc_hearing *h)
{
    const lc_value *const configs[] = {h->trial->config, h->trial->edited, h->trial->other};
    bool sendable = true;
    lc_arena *scratch = lc_arena_new();
    for (size_t i = 0; sendable && i < 3; i++)
        sendable = !configs[i] || lc_config_is_sendable(scratch, h->x->schema, configs[i]);
    lc_arena_free(scratch);
    return sendable;
}

bool lc_hear_case(lc_hearing *h)
{
    h->why = "no client sends such a configuration";
    if (!is_sendable(h))
        return false;
    if (!lc_asker_revive(h->x->asker) || (h->x->other && !lc_asker_revive(h->x->other))) {
        h->why = "the provider could not be started again";
        return false;
    }
    h->x->asker->spent = false;
    if (h->x->other)
        h->x->other->spent = false;
    bool heard = h->trial->arguments ? lc_hear_function(h) : lc_method_of(h->trial->law)->hear(h);
    if (h->x->asker->spent || (h->x->other && h->x->other->spent)) {
        h->why = "time or calls ran out";
        return false;
    }
    if (!heard && !h->broke)
        return false;
    set_case(h);
    return true;
}

/* A case is judged once: what was derived from it is gone afterwards. */
bool lc_hear_trial(lc_hearing *h, lc_judged *out)
{
    if (!lc_hear_case(h))
        return false;
    lc_arena *scratch = lc_arena_new();
    lc_verdict_judge(out, h->arena, scratch, &h->scenario, h->x->prober->options->policy);
    lc_arena_free(scratch);
    return true;
}
