/* Laws about the same question asked again, and about single answers: 16 to 20, 32, 36, 41. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#include <string.h>

#define TOGETHER 8

/* ---- The same plan twice. */

static bool ask_twice(lc_hearing *h, bool elsewhere, bool exactly)
{
    const lc_value *config = h->trial->config;
    lc_hear_plan plan = {.kind = LC_CALL_PLAN, .config = config};
    lc_hear_run(h, NULL, config);
    const lc_call *first = lc_hear_plan_call(h, &plan);
    h->why = "the configuration does not plan";
    if (!lc_answered(first))
        return first->broke == LC_YES;
    if (exactly)
        lc_hear_run(h, NULL, config);
    else
        plan.kind = LC_CALL_FINAL_PLAN;
    plan.again = true;
    plan.elsewhere = elsewhere;
    const lc_call *second = lc_hear_plan_call(h, &plan);
    h->why = elsewhere ? "the other process does not plan it" : "the second plan has an error";
    return lc_answered(second) || second->broke == LC_YES;
}

/* The answers are judged one after the other, each as the final plan of the first. Every answer has
 * a run of its own. */
static bool ask_together(lc_hearing *h)
{
    lc_examination *x = h->x;
    const lc_value *config = h->trial->config;
    lc_plan_question questions[TOGETHER];
    lc_call calls[TOGETHER];
    lc_hear_plan plan = {.kind = LC_CALL_PLAN, .config = config};
    memset(calls, 0, sizeof calls);
    for (size_t i = 0; i < TOGETHER; i++)
        questions[i] = (lc_plan_question){
            .kind = LC_CALL_FINAL_PLAN, .config = config, .private_data = LC_STR_EMPTY};
    lc_client_plan_together(x->asker->client, calls, h->arena, x->schema, questions, TOGETHER,
                            (lc_loc){x->result->name, 0, 0});
    for (size_t i = 0; i < TOGETHER; i++) {
        lc_run *run = lc_hear_run(h, NULL, config);
        const lc_call *first = lc_hear_plan_call(h, &plan);
        h->why = "the configuration does not plan";
        if (!lc_answered(first))
            return first->broke == LC_YES;
        lc_call *last = LC_PUSH(h->arena, &run->calls, lc_call);
        *last = calls[i];
        last->kind = LC_CALL_FINAL_PLAN;
        last->index = 2;
        last->provider_config = 1;
        run->final_config = run->config;
    }
    return true;
}

/* ---- Single answers. */

static bool ask_once(lc_hearing *h)
{
    const lc_value *config = h->trial->edited ? h->trial->edited : h->trial->config;
    lc_hear_run(h, NULL, config);
    const lc_call *validated = lc_hear_validate(h, config);
    if (!lc_answered(validated) || !h->x->plans)
        return true;
    lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN,
                                         .config = config,
                                         .plain = h->trial->law == LC_LAW_36});
    return true;
}

/* Does the answer of GetMetadata list the type? Not known: there is no such answer. */
static lc_fact in_metadata(lc_hearing *h)
{
    static const char *const lists[] = {[LC_KIND_RESOURCE] = "resources",
                                        [LC_KIND_DATA] = "data_sources",
                                        [LC_KIND_EPHEMERAL] = "ephemeral_resources"};
    const lc_schema *schema = h->x->schema;
    lc_asker *asker = h->x->asker;
    lc_live_call call;
    lc_node root;
    lc_question question = {.method =
                                lc_wire_method_named(asker->real.protocol, LC_STR("GetMetadata")),
                            .request = LC_STR_EMPTY};
    lc_wire_reader reader = {.arena = h->arena, .limits = h->x->prober->options->limits};
    if (!question.method || schema->kind > LC_KIND_EPHEMERAL)
        return LC_NOT_KNOWN;
    lc_asker_ask(asker, &call, h->arena, &question, 1);
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
static bool ask_schemas(lc_hearing *h)
{
    const lc_schema *mine = h->x->schema;
    const lc_schema *other =
        h->x->other ? lc_client_schema(h->x->other->client, mine->kind, mine->type_name) : NULL;
    h->why = "there is no second process, or it does not have the type";
    if (!other)
        return false;
    lc_run *first = lc_hear_run(h, NULL, NULL);
    first->prior_state.state = LC_FIELD_ABSENT;
    first->in_metadata = in_metadata(h);
    lc_run *second = lc_hear_run(h, NULL, NULL);
    second->prior_state.state = LC_FIELD_ABSENT;
    second->schema = other;
    return true;
}

bool lc_hear_again(lc_hearing *h)
{
    lc_law law = h->trial->law;
    if (law == LC_LAW_20)
        return ask_schemas(h);
    if (law == LC_LAW_17 && !h->x->other) {
        h->why = "there is no second process";
        return false;
    }
    if (law == LC_LAW_18)
        return ask_together(h);
    if (law == LC_LAW_32 && h->trial->variant == LC_VARIANT_UPGRADE)
        return lc_hear_upgrade_law(h);
    if (law == LC_LAW_32 || law == LC_LAW_36 || law == LC_LAW_41)
        return ask_once(h);
    return ask_twice(h, law == LC_LAW_17, law == LC_LAW_19);
}

static bool has_write_only(const lc_examination *x)
{
    return x->schema->block->any_write_only;
}

void lc_find_again(lc_examination *x, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_trial trial = {.law = law, .config = subject->config};
    bool without = law == LC_LAW_36 && has_write_only(x);
    if (without) /* a client that cannot send write-only values has none in its configuration */
        lc_not_tried(x, law, "the type has write-only attributes");
    else
        lc_try(x, &trial);
    if (law == LC_LAW_32 && x->plans)
        lc_try(x, &(lc_trial){.law = law,
                              .variant = LC_VARIANT_UPGRADE,
                              .config = subject->config,
                              .real = subject->real,
                              .private_data = subject->private_data});
    if ((law == LC_LAW_36 && !without) || law == LC_LAW_41) {
        trial.edited = lc_all_unknown(arena, x->schema->block, subject->config);
        lc_try(x, &trial);
    }
    lc_arena_free(arena);
}
