/* Laws about the same question asked again, and about single answers: 16 to 20, 32, 36, 41. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#include <string.h>

#define TOGETHER 8

/* ---- The same plan twice. */

static bool ask_twice(lc_trial *trial, bool elsewhere, bool exactly)
{
    const lc_value *config = trial->spec->config;
    lc_trial_plan plan = {.kind = LC_CALL_PLAN, .config = config};
    lc_trial_begin_run(trial, NULL, config);
    const lc_call *first = lc_trial_query_plan(trial, &plan);
    trial->why = "the configuration does not plan";
    if (!lc_answered(first))
        return first->broke == LC_YES;
    if (exactly)
        lc_trial_begin_run(trial, NULL, config);
    else
        plan.kind = LC_CALL_FINAL_PLAN;
    plan.again = true;
    plan.elsewhere = elsewhere;
    const lc_call *second = lc_trial_query_plan(trial, &plan);
    trial->why = elsewhere ? "the other process does not plan it" : "the second plan has an error";
    return lc_answered(second) || second->broke == LC_YES;
}

/* The answers are judged one after the other, each as the final plan of the first. Every answer has
 * a run of its own. */
static bool ask_together(lc_trial *trial)
{
    lc_examination *exam = trial->exam;
    const lc_value *config = trial->spec->config;
    lc_plan_question questions[TOGETHER];
    lc_call calls[TOGETHER];
    lc_trial_plan plan = {.kind = LC_CALL_PLAN, .config = config};
    memset(calls, 0, sizeof calls);
    for (size_t i = 0; i < TOGETHER; i++)
        questions[i] = (lc_plan_question){
            .kind = LC_CALL_FINAL_PLAN, .config = config, .private_data = LC_STR_EMPTY};
    lc_client_plan_together(exam->cache->client, calls, trial->arena, exam->schema, questions,
                            TOGETHER, (lc_loc){exam->result->name, 0, 0});
    for (size_t i = 0; i < TOGETHER; i++) {
        lc_run *run = lc_trial_begin_run(trial, NULL, config);
        const lc_call *first = lc_trial_query_plan(trial, &plan);
        trial->why = "the configuration does not plan";
        if (!lc_answered(first))
            return first->broke == LC_YES;
        lc_call *last = LC_PUSH(trial->arena, &run->calls, lc_call);
        *last = calls[i];
        last->kind = LC_CALL_FINAL_PLAN;
        last->index = 2;
        last->provider_config = 1;
        run->final_config = run->config;
    }
    return true;
}

/* ---- Single answers. */

static bool ask_once(lc_trial *trial)
{
    const lc_value *config = trial->spec->edited ? trial->spec->edited : trial->spec->config;
    lc_trial_begin_run(trial, NULL, config);
    const lc_call *validated = lc_trial_query_validation(trial, config);
    if (!lc_answered(validated) || !trial->exam->plans)
        return true;
    lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN,
                                                .config = config,
                                                .plain = trial->spec->law == LC_LAW_36});
    return true;
}

/* Does the answer of GetMetadata list the type? Not known: there is no such answer. */
static lc_fact in_metadata(lc_trial *trial)
{
    static const char *const lists[] = {[LC_KIND_RESOURCE] = "resources",
                                        [LC_KIND_DATA] = "data_sources",
                                        [LC_KIND_EPHEMERAL] = "ephemeral_resources"};
    const lc_schema *schema = trial->exam->schema;
    lc_peer_cache *cache = trial->exam->cache;
    lc_live_call call;
    lc_node root;
    lc_question question = {.method =
                                lc_wire_method_named(cache->real.protocol, LC_STR("GetMetadata")),
                            .request = LC_STR_EMPTY};
    lc_wire_reader reader = {.arena = trial->arena, .limits = trial->exam->prober->options->limits};
    if (!question.method || schema->kind > LC_KIND_EPHEMERAL)
        return LC_NOT_KNOWN;
    lc_peer_cache_ask(cache, &call, trial->arena, &question, 1);
    if (call.status || call.response_count != 1 ||
        !lc_wire_read(&root, &reader, question.method->response, call.responses[0]))
        return LC_NOT_KNOWN;
    const lc_node *list = lc_pj_get(&root, lists[schema->kind]);
    for (uint32_t i = 0; list && list->kind == LC_NODE_SEQUENCE && i < list->count; i++) {
        if (lc_str_eq(lc_pj_text(&list->as.items[i], "type_name"), schema->type_name))
            return LC_YES;
    }
    return LC_NO;
}

/* Two runs without calls, each with the schema of its process. */
static bool ask_schemas(lc_trial *trial)
{
    const lc_schema *mine = trial->exam->schema;
    const lc_schema *other = trial->exam->other ? lc_client_schema(trial->exam->other->client,
                                                                   mine->kind, mine->type_name)
                                                : NULL;
    trial->why = "there is no second process, or it does not have the type";
    if (!other)
        return false;
    lc_run *first = lc_trial_begin_run(trial, NULL, NULL);
    first->prior_state.state = LC_FIELD_ABSENT;
    first->in_metadata = in_metadata(trial);
    lc_run *second = lc_trial_begin_run(trial, NULL, NULL);
    second->prior_state.state = LC_FIELD_ABSENT;
    second->schema = other;
    return true;
}

bool lc_query_again(lc_trial *trial)
{
    lc_law law = trial->spec->law;
    if (law == LC_LAW_20)
        return ask_schemas(trial);
    if (law == LC_LAW_17 && !trial->exam->other) {
        trial->why = "there is no second process";
        return false;
    }
    if (law == LC_LAW_18)
        return ask_together(trial);
    if (law == LC_LAW_32 && trial->spec->variant == LC_VARIANT_UPGRADE)
        return lc_query_upgrade(trial);
    if (law == LC_LAW_32 || law == LC_LAW_36 || law == LC_LAW_41)
        return ask_once(trial);
    return ask_twice(trial, law == LC_LAW_17, law == LC_LAW_19);
}

static bool has_write_only(const lc_examination *exam)
{
    return exam->schema->block->any_write_only;
}

void lc_find_again(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_trial_spec spec = {.law = law, .config = subject->config};
    bool without = law == LC_LAW_36 && has_write_only(exam);
    if (without) /* a client that cannot send write-only values has none in its configuration */
        lc_not_tried(exam, law, "the type has write-only attributes");
    else
        lc_run_trial(exam, &spec);
    if (law == LC_LAW_32 && exam->plans)
        lc_run_trial(exam, &(lc_trial_spec){.law = law,
                                            .variant = LC_VARIANT_UPGRADE,
                                            .config = subject->config,
                                            .real = subject->real,
                                            .private_data = subject->private_data});
    if ((law == LC_LAW_36 && !without) || law == LC_LAW_41) {
        spec.edited = lc_all_unknown(arena, exam->schema->block, subject->config);
        lc_run_trial(exam, &spec);
    }
    lc_arena_free(arena);
}
