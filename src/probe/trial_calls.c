/* One trial: its questions become a case, which is judged as a recording of them would be. */
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"
#include "probe/internal.h"

#include <string.h>

lc_loc lc_trial_place(const lc_trial *trial)
{
    return (lc_loc){trial->exam->result->name, 0, 0};
}

static lc_field given(const lc_trial *trial, const lc_value *value)
{
    return (lc_field){.state = LC_FIELD_GIVEN, .loc = lc_trial_place(trial), .value = value};
}

/* Of the version that is asked; a move is asked of the type that the object becomes one of. */
const lc_schema *lc_trial_schema(const lc_trial *trial)
{
    const lc_prober *prober = trial->newer ? trial->exam->newer : trial->exam->prober;
    if (trial->moves)
        return lc_prober_schema(prober, LC_KIND_RESOURCE, trial->spec->target);
    return trial->newer ? trial->exam->newer_schema : trial->exam->schema;
}

lc_peer_cache *lc_trial_cache(const lc_trial *trial)
{
    return trial->newer ? &trial->exam->newer->main : trial->exam->cache;
}

static const lc_value *null_object(const lc_trial *trial)
{
    lc_value slot;
    lc_value_set_null(&slot, lc_trial_schema(trial)->block->implied);
    return lc_value_new(trial->arena, &slot);
}

/* ---- The case. */

lc_run *lc_trial_begin_run(lc_trial *trial, const lc_value *prior, const lc_value *config)
{
    lc_case *subject = &trial->scenario.subject;
    lc_run *run = LC_PUSH(trial->arena, &subject->runs, lc_run);
    run->loc = lc_trial_place(trial);
    run->schema = lc_trial_schema(trial);
    run->newer = trial->newer;
    run->probed = run->order_known = true;
    run->deposed = run->address = LC_STR_EMPTY;
    run->refresh_only = LC_NO;
    run->stored = LC_NO;
    run->capabilities = lc_client_run_capabilities(lc_trial_cache(trial)->client);
    if (trial->exam->schema->kind == LC_KIND_RESOURCE)
        run->prior_state = given(trial, prior ? prior : null_object(trial));
    if (config)
        run->config = given(trial, config);
    return run;
}

static lc_run *last_run(lc_trial *trial)
{
    lc_case *subject = &trial->scenario.subject;
    return &subject->runs.items[subject->runs.count - 1];
}

/* A call that is going to be made: the place where it is kept. */
lc_call *lc_trial_next_call(lc_trial *trial)
{
    lc_run *run = last_run(trial);
    lc_call *call = LC_PUSH(trial->arena, &run->calls, lc_call);
    call->index = (uint32_t)run->calls.count;
    return call;
}

void lc_trial_finish_call(lc_call *call, uint32_t index)
{
    call->index = index;
    call->provider_config = 1;
    if (call->deposed.ptr == NULL)
        call->deposed = LC_STR_EMPTY;
}

const lc_call *lc_trial_query_validation(lc_trial *trial, const lc_value *config)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_client_validate(lc_trial_cache(trial)->client, call, trial->arena, lc_trial_schema(trial),
                       config, lc_trial_place(trial));
    lc_trial_finish_call(call, index);
    return call;
}

static lc_client *client_of(const lc_trial *trial, const lc_trial_plan *plan)
{
    return plan->elsewhere ? trial->exam->other->client
           : plan->plain   ? trial->exam->prober->plain
                           : lc_trial_cache(trial)->client;
}

/* `respelt`: the same question in another spelling, so its proposed state must be respelt too, and
 * not be computed from the configuration, which would put it in order again. */
static void ask_plan(lc_trial *trial, lc_call *out, const lc_trial_plan *plan)
{
    lc_peer_cache *cache = plan->elsewhere ? trial->exam->other : lc_trial_cache(trial);
    lc_plan_question question = {.kind = plan->kind,
                                 .prior = plan->prior,
                                 .config = plan->config,
                                 .identity = plan->prior ? trial->identity : NULL,
                                 .private_data = plan->private_data};
    if (!question.private_data.ptr)
        question.private_data = LC_STR_EMPTY;
    if (plan->respelt) {
        question.config = lc_respelt(trial->arena, plan->config);
        question.proposed = lc_respelt(trial->arena, plan->respelt);
    }
    cache->bypass = plan->again;
    lc_client_plan(client_of(trial, plan), out, trial->arena, lc_trial_schema(trial), &question,
                   lc_trial_place(trial));
    cache->bypass = false;
}

/* A final plan and one of a client without capabilities say so in their run, by which they are
 * judged. */
const lc_call *lc_trial_query_plan(lc_trial *trial, const lc_trial_plan *plan)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    ask_plan(trial, call, plan);
    call->kind = plan->kind;
    lc_trial_finish_call(call, index);
    if (plan->kind == LC_CALL_FINAL_PLAN)
        last_run(trial)->final_config = given(trial, plan->config);
    if (plan->plain)
        last_run(trial)->capabilities.write_only_attributes_allowed = LC_NO;
    return call;
}

const lc_call *lc_trial_query_upgrade(lc_trial *trial, const lc_raw_state *raw)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_client_upgrade(lc_trial_cache(trial)->client, call, trial->arena, lc_trial_schema(trial),
                      raw, lc_trial_place(trial));
    lc_trial_finish_call(call, index);
    return call;
}

/* ---- Configuring. */

const lc_call *lc_trial_query_configure(lc_trial *trial, const lc_value *config)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_peer_cache *cache = lc_trial_cache(trial);
    cache->bypass = true;
    lc_client_configure(cache->client, call, trial->arena, config, lc_trial_place(trial));
    cache->bypass = false;
    call->kind = LC_CALL_VALIDATE;
    call->config = given(trial, config);
    lc_trial_finish_call(call, index);
    return call;
}

/* Configuring is preparation. Only if it ends the provider it is evidence, and stays in the case.
 */
void lc_trial_configure(lc_trial *trial, const lc_value *config)
{
    if (lc_trial_query_configure(trial, config)->broke != LC_YES)
        last_run(trial)->calls.count--;
}

const lc_call *lc_trial_call_function(lc_trial *trial, const lc_arguments *arguments,
                                      bool elsewhere, bool again)
{
    lc_peer_cache *cache = elsewhere ? trial->exam->other : lc_trial_cache(trial);
    lc_function_call *function = LC_NEW(trial->arena, lc_function_call);
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    function->name = trial->exam->function->name;
    function->has_arguments = true;
    for (size_t i = 0; i < arguments->count; i++)
        *LC_PUSH(trial->arena, &function->arguments, lc_field) = given(trial, arguments->values[i]);
    cache->bypass = again;
    lc_client_call_function(cache->client, call, trial->arena, lc_trial_schema(trial), function,
                            lc_trial_place(trial));
    cache->bypass = false;
    lc_trial_finish_call(call, index);
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
static bool keep_broken(lc_trial *trial, const lc_call *call, const lc_value *prior,
                        const lc_value *config)
{
    if (call->broke != LC_YES || trial->broke)
        return false;
    trial->broke = true;
    trial->scenario.subject.runs.count = 0;
    lc_run *run = lc_trial_begin_run(trial, prior, config);
    lc_call *kept = LC_PUSH(trial->arena, &run->calls, lc_call);
    *kept = *call;
    lc_trial_finish_call(kept, 1);
    return true;
}

bool lc_trial_accepts(lc_trial *trial, const lc_value *config)
{
    lc_call call;
    memset(&call, 0, sizeof call);
    lc_client_validate(lc_trial_cache(trial)->client, &call, trial->arena, lc_trial_schema(trial),
                       config, lc_trial_place(trial));
    keep_broken(trial, &call, NULL, config);
    return lc_answered(&call);
}

/* ---- Stored objects. */

/* The plan of which an object is generated. */
static const lc_value *plan_for_stored(lc_trial *trial)
{
    lc_call call;
    memset(&call, 0, sizeof call);
    ask_plan(trial, &call, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = trial->spec->config});
    if (!planned(&call) || !lc_is_known(call.result.value)) {
        trial->why = "the configuration does not plan";
        keep_broken(trial, &call, NULL, trial->spec->config);
        return NULL;
    }
    trial->legacy = call.legacy == LC_YES;
    if (lc_field_has_value(&call.identity) && lc_is_known(call.identity.value) &&
        lc_is_wholly_known(call.identity.value))
        trial->identity = call.identity.value;
    return trial->invented_from = call.result.value;
}

/* Does the provider plan it with its own configuration? Only then a law says something of it. */
static bool is_taken(lc_trial *trial, const lc_value *stored)
{
    lc_call call;
    memset(&call, 0, sizeof call);
    ask_plan(trial, &call,
             &(lc_trial_plan){.kind = LC_CALL_PLAN,
                              .prior = stored,
                              .config = trial->spec->config,
                              .private_data = trial->spec->private_data});
    if (!planned(&call))
        keep_broken(trial, &call, stored, trial->spec->config);
    return planned(&call);
}

/* The first that the provider takes. */
static const lc_value *invented(lc_trial *trial)
{
    static const lc_invention ways[] = {LC_INVENT_ALL, LC_INVENT_ID, LC_INVENT_NULL};
    const lc_value *plan = plan_for_stored(trial);
    if (!plan)
        return NULL;
    for (size_t i = trial->filled ? 0 : 1; i < (trial->filled ? 1 : 3); i++) {
        const lc_value *stored =
            lc_invent(trial->arena, trial->exam->schema->block, plan, ways[i], trial->legacy);
        if (stored && is_taken(trial, stored))
            return stored;
    }
    trial->refused = true;
    trial->why = "the provider does not take a generated stored object";
    return NULL;
}

const lc_value *lc_trial_stored_object(lc_trial *trial)
{
    if (!trial->spec->real)
        return invented(trial);
    if (is_taken(trial, trial->spec->real))
        return trial->spec->real;
    trial->why = "the stored object does not plan with its configuration";
    return NULL;
}

bool lc_trial_replaces(const lc_trial *trial, const lc_value *prior, const lc_call *plan)
{
    lc_replace_paths paths;
    if (!prior || !lc_answered(plan) || !lc_field_has_value(&plan->result))
        return false;
    lc_replace_filter(&paths, trial->arena, trial->exam->prober->options->as,
                      trial->exam->schema->block, prior, plan->result.value,
                      &plan->requires_replace);
    return paths.count > 0;
}

/* The object as a state file has it, in the version of the schema that is asked. */
bool lc_raw_of(lc_raw_state *out, lc_trial *trial, const lc_value *stored)
{
    lc_buf json = {0};
    lc_str why;
    lc_source *source = LC_NEW(trial->arena, lc_source);
    lc_diags *quiet = LC_NEW(trial->arena, lc_diags);
    lc_diags_init(quiet, trial->arena);
    memset(out, 0, sizeof *out);
    bool ok = lc_ctyjson_encode(&json, stored, lc_trial_schema(trial)->block->implied, &why);
    lc_str text = lc_buf_take(trial->arena, &json);
    const lc_limits *limits = &trial->exam->prober->options->limits;
    if (!ok ||
        lc_json_parse(source, trial->arena, lc_trial_place(trial).file, text, limits, quiet) !=
            LC_OK ||
        source->count != 1)
        return false;
    lc_value_reader reader = {
        .arena = trial->arena, .source = source, .diags = quiet, .limits = *limits};
    if (lc_read_raw(&out->attributes, &reader, source->documents) != LC_OK ||
        !lc_field_has_value(&out->attributes))
        return false;
    out->attributes.locator = (lc_locator){NULL, NULL};
    out->attributes.loc = out->loc = lc_trial_place(trial);
    out->given = out->has_attributes = true;
    out->schema_version = lc_trial_schema(trial)->version;
    out->private_data = LC_STR_EMPTY;
    return true;
}

/* ---- Judging. */

static void set_case(lc_trial *trial)
{
    lc_case *subject = &trial->scenario.subject;
    subject->source = LC_SOURCE_SCENARIO; /* judged as the file that is written of it */
    subject->file = lc_trial_place(trial).file;
    subject->document = 1;
    subject->loc = lc_trial_place(trial);
    subject->name = lc_law_get(trial->spec->law)->id;
    subject->type =
        trial->exam->function ? trial->exam->result->name : lc_trial_schema(trial)->type_name;
    subject->resource = trial->exam->result->name;
    trial->scenario.expects = lc_arena_zalloc(
        trial->arena, lc_mul_size(subject->runs.count + 1, sizeof *trial->scenario.expects));
}

/* What is made of a configuration may be none that a client sends. */
static bool is_sendable(const lc_trial *trial)
{
    const lc_value *const configs[] = {trial->spec->config, trial->spec->edited,
                                       trial->spec->other};
    bool sendable = true;
    lc_arena *scratch = lc_arena_new();
    for (size_t i = 0; sendable && i < 3; i++)
        sendable = !configs[i] || lc_config_is_sendable(scratch, trial->exam->schema, configs[i]);
    lc_arena_free(scratch);
    return sendable;
}

/* Answers of the version that is asked first, to what a client may send. */
static void learn(const lc_trial *trial)
{
    const lc_prober *prober = trial->exam->prober;
    lc_learned *learned = prober->options->learned;
    if (!learned || trial->broke || trial->exam->newer)
        return;
    lc_str provider = lc_prober_address(prober, trial->arena);
    if (!lc_str_contains(provider, LC_STR("/"))) /* the name of a file */
        provider = LC_STR_EMPTY;
    if (provider.len && prober->options->release.len)
        lc_learned_version_set(learned, provider, prober->options->release);
    lc_learned_from_case(learned, &trial->scenario.subject, &provider);
}

#define CACHES 3

/* Each trial begins with providers that run, and without the marks that an earlier one left. */
static bool begin(lc_peer_cache *const *caches)
{
    for (size_t i = 0; i < CACHES; i++) {
        if (!caches[i])
            continue;
        if (!lc_peer_cache_restart(caches[i]))
            return false;
        caches[i]->exhausted = false;
        caches[i]->reached = LC_STR_EMPTY;
    }
    return true;
}

static bool any_exhausted(lc_peer_cache *const *caches)
{
    bool exhausted = false;
    for (size_t i = 0; i < CACHES; i++)
        exhausted |= caches[i] && caches[i]->exhausted;
    return exhausted;
}

/* An answer for which the provider required the network does not count without one. */
static bool reaches_out(lc_trial *trial, lc_peer_cache *const *caches)
{
    for (size_t i = 0; i < CACHES; i++) {
        if (caches[i] && caches[i]->reached.len) {
            trial->why = "the provider needs its cloud";
            return true;
        }
    }
    return false;
}

bool lc_trial_build_case(lc_trial *trial)
{
    trial->why = "no client sends such a configuration";
    if (trial->spec->law != LC_LAW_20 && !is_sendable(trial)) /* which compares schemas alone */
        return false;
    lc_peer_cache *const caches[] = {trial->exam->cache, trial->exam->other,
                                     trial->exam->newer ? &trial->exam->newer->main : NULL};
    if (!begin(caches)) {
        trial->why = "the provider could not be started again";
        return false;
    }
    bool function = trial->spec->arguments && !trial->exam->newer;
    bool built = function ? lc_query_function(trial) : lc_method_of(trial->spec->law)->query(trial);
    if (any_exhausted(caches)) {
        trial->why = "time or calls ran out";
        return false;
    }
    if (reaches_out(trial, caches))
        return false;
    if (!built && !trial->broke)
        return false;
    set_case(trial);
    learn(trial);
    return true;
}

/* A case is judged once: values derived from it live in `scratch` and are freed afterwards. */
bool lc_trial_judge(lc_trial *trial, lc_judged *out)
{
    if (!lc_trial_build_case(trial))
        return false;
    lc_arena *scratch = lc_arena_new();
    lc_verdict_judge(out, trial->arena, scratch, &trial->scenario,
                     trial->exam->prober->options->policy);
    lc_arena_free(scratch);
    return true;
}
