/* What a provider was asked about one object, as a case: the rules of the contract hold for these
 * answers as for recorded ones. The calls live in the arena of the question, which is that of the
 * object, so the case is judged before the next object. */
#include "drive/answers.h"

#include "lifecheck/base/arena.h"

/* The life of an object begins with its first call: an upgrade, or a validation without one. */
static void begin(lc_provider_answers *a, lc_str address, const lc_schema *schema)
{
    a->object = (lc_query_object){.address = lc_str_copy(a->arena, address), .schema = schema};
    a->object.run = (lc_run){.loc = {address, 0, 0},
                             .schema = schema,
                             .order_known = true,
                             .stored = LC_NO,
                             .deposed = LC_STR_EMPTY,
                             .address = a->object.address,
                             .prior_private = LC_STR_EMPTY,
                             .refresh_only = LC_NO};
}

/* Only the object whose question began last is kept. */
static bool is_object(const lc_provider_answers *a, lc_str address)
{
    return a->object.schema && lc_str_eq(a->object.address, address);
}

static void add(lc_provider_answers *a, lc_arena *arena, const lc_call *call)
{
    lc_call *kept = LC_PUSH(arena, &a->object.run.calls, lc_call);
    *kept = *call;
    kept->index = (uint32_t)a->object.run.calls.count;
    kept->deposed = LC_STR_EMPTY;
}

void lc_query_note_upgrade(lc_provider_answers *a, lc_arena *arena, const lc_run_prior *prior,
                           const lc_schema *schema, const lc_raw_state *raw, const lc_call *call)
{
    begin(a, lc_address_text(arena, &prior->address), schema);
    a->object.run.previous_run_state = *raw;
    add(a, arena, call);
}

/* A validation after a plan begins a new question about the object. */
void lc_query_note_validate(lc_provider_answers *a, const lc_run_question *q,
                            const lc_client *client, const lc_call *call)
{
    lc_run *run = &a->object.run;
    if (!is_object(a, q->text) || lc_run_call(run, LC_CALL_PLAN))
        begin(a, q->text, q->schema);
    run->capabilities = lc_client_run_capabilities(client);
    run->config = (lc_field){.state = LC_FIELD_GIVEN, .loc = run->loc, .value = q->written};
    if (q->ignored) {
        run->ignore_all = q->ignored->ignore_all;
        run->has_ignore_changes = q->ignored->has_ignore_changes;
        run->ignore_changes = q->ignored->ignore_changes;
    }
    run->tainted = q->stored || !lc_is_null(q->prior) ? LC_NO : LC_NOT_KNOWN;
    add(a, q->arena, call);
}

void lc_query_note_plan(lc_provider_answers *a, const lc_run_question *q, const lc_call *call)
{
    if (!is_object(a, q->text))
        return;
    add(a, q->arena, call);
    a->object.question = *q;
    a->object.planned = true;
}

/* Each address is judged once, however often it is predicted. */
void lc_query_judge(void *context)
{
    lc_provider_answers *a = context;
    const lc_answers_options *o = &a->options;
    const lc_run_question *q = &a->object.question;
    lc_case subject = {.source = LC_SOURCE_RPC,
                       .file = o->file,
                       .document = 1,
                       .name = q->text,
                       .loc = {o->file, 0, 0},
                       .resource = q->text,
                       .unasked = LC_STR_EMPTY};
    if (a->object.planned && o->judge && !lc_table_put(&a->judged, a->object.address, a)) {
        subject.type = a->object.schema->type_name;
        *LC_PUSH(q->arena, &subject.runs, lc_run) = a->object.run;
        for (size_t i = 0; i < q->sensitive_count; i++)
            *LC_PUSH(q->arena, &subject.sensitive, lc_path) = q->sensitive[i];
        o->judge(o->context, &subject);
    }
    a->object = (lc_query_object){0}; /* its calls go with the arena of the object */
}
