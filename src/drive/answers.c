/* The callbacks of a prediction, answered by processes of providers. */
#include "drive/answers.h"
#include "lifecheck/drive/changing.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/offline_config/settings.h"
#include "lifecheck/scenario/scenario.h"

/* ---- What an answer is worth. */

/* Errors of connections that a provider without a proxy reports. */
static bool says_network(lc_str text)
{
    static const char *const words[] = {"dial tcp",        "dial udp",
                                        "no such host",    "connection refused",
                                        "proxyconnect",    "network is unreachable",
                                        "name resolution", "i/o timeout"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lc_str_contains(text, lc_str_from_c(words[i])))
            return true;
    }
    return false;
}

static bool wants_network(const lc_call *call)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        const lc_provider_diag *d = &call->diagnostics.items[i];
        if (d->severity == LC_SEVERITY_ERROR &&
            (says_network(d->summary) || says_network(d->detail)))
            return true;
    }
    return false;
}

/* Is the answer the provider's own, computed without a host? Else *why. */
static bool counts(lc_query_session *s, lc_arena *arena, const lc_call *call, lc_str *why)
{
    lc_str name = lc_query_name(s);
    if (call->interrupted)
        *why = LC_STR("lifecheck was stopped before its provider responded");
    else if (call->broke == LC_YES)
        *why = lc_query_session_lost(s, arena, call);
    else if (s->reached.len)
        *why = lc_str_printf(arena, "%.*s tries to reach %.*s", LC_FMT(name), LC_FMT(s->reached));
    else if (call->failed == LC_YES && wants_network(call))
        *why = lc_str_printf(arena, "%.*s needs the network to respond", LC_FMT(name));
    else
        return true;
    return false;
}

/* The error diagnostics of the call; false: no errors. */
static bool take_errors(lc_run_question *q, const lc_call *call)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        const lc_provider_diag *d = &call->diagnostics.items[i];
        if (d->severity == LC_SEVERITY_ERROR)
            *LC_PUSH(q->arena, &q->errors, lc_run_diagnostic) =
                (lc_run_diagnostic){d->summary, d->detail};
    }
    if (q->errors.count)
        q->error = q->errors.items[0].summary;
    return q->errors.count > 0;
}

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

/* ---- Planning. */

static const lc_loc nowhere = {{"provider", 8}, 0, 0};

/* The private data that is stored with the object. */
static lc_str stored_private(const lc_run_question *q)
{
    lc_str out = LC_STR_EMPTY;
    size_t at;
    const lc_state_object *object = q->stored && q->stored->state ? q->stored->origin : NULL;
    if (!q->stored)
        return q->private_data;
    if (object && object->private_data && object->private_data->kind == LC_NODE_STRING)
        lc_base64_decode(&out, q->arena, object->private_data->as.text, &at);
    return out;
}

/* False: there are errors, or it is open. */
static bool validate(lc_query_session *s, lc_run_question *q, const lc_value *config, lc_str *why)
{
    lc_call call;
    s->reached = LC_STR_EMPTY;
    lc_client_validate(s->client, &call, q->arena, q->schema, config, nowhere);
    if (q->written)
        lc_query_note_validate(s->owner, q, s->client, &call);
    if (!counts(s, q->arena, &call, why))
        return false;
    q->invalid = take_errors(q, &call);
    return !q->invalid;
}

/* What the client rejects about a plan, of a provider that has no legacy type system. */
static bool is_accepted(const lc_provider_answers *a, lc_run_question *q, const lc_call *call)
{
    lc_core_errors errors[LC_CORE_COUNT];
    const lc_value *prior = lc_is_null(q->prior) ? NULL : q->prior;
    if (q->legacy)
        return true;
    lc_core_plan_valid(errors, q->arena, q->schema->block, prior ? prior : q->prior, q->config,
                       call->result.value);
    if (!errors[a->core].count && !errors[a->core].crash)
        return true;
    q->error = LC_STR(LC_SUMMARY_INVALID_PLAN);
    return false;
}

static bool take_plan(const lc_provider_answers *a, lc_query_session *s, lc_run_question *q,
                      const lc_call *call, lc_str *why)
{
    if (take_errors(q, call))
        return true;
    q->legacy = call->legacy == LC_YES;
    q->out = value_of(&call->result);
    if (call->deferred == LC_YES || !q->out) {
        *why = lc_str_printf(q->arena, "%.*s defers the change, or its plan cannot be read",
                             LC_FMT(lc_query_name(s)));
        return false;
    }
    if (!is_accepted(a, q, call))
        return true;
    q->known = true;
    q->requires_replace = call->requires_replace;
    q->private_data = call->has_private ? call->private_data : LC_STR_EMPTY;
    q->answered_by = lc_query_words(s);
    return true;
}

/* False: it is open, *why. */
static bool ask_plan(const lc_provider_answers *a, lc_query_session *s, lc_run_question *q,
                     lc_str *why)
{
    lc_call call;
    lc_plan_question question = {.kind = q->again ? LC_CALL_PLAN_CREATE : LC_CALL_PLAN,
                                 .prior = lc_is_null(q->prior) ? NULL : q->prior,
                                 .config = q->config,
                                 .proposed = q->proposed,
                                 .private_data = stored_private(q)};
    if (q->written && !validate(s, q, q->written, why))
        return q->errors.count > 0;
    s->reached = LC_STR_EMPTY;
    lc_client_plan(s->client, &call, q->arena, q->schema, &question, nowhere);
    if (q->written || question.kind == LC_CALL_PLAN_CREATE)
        lc_query_note_plan(s->owner, q, &call);
    return counts(s, q->arena, &call, why) && take_plan(a, s, q, &call, why);
}

static void plan(void *context, lc_run_question *q)
{
    lc_provider_answers *a = context;
    lc_str why = LC_STR_EMPTY;
    lc_query_session *s = lc_query_session_for(a, q->settings, &why);
    if (q->only_validated) {
        (void)(s && validate(s, q, q->config, &why));
        return;
    }
    if (s && ask_plan(a, s, q, &why))
        return;
    if (a->otherwise.plan)
        a->otherwise.plan(a->otherwise.context, q);
    if (!q->known)
        q->open_because = why;
}

/* ---- Data sources and ephemeral resources. */

/* Is a part of the value something that was generated? */
static bool holds(const lc_value *v, lc_str text)
{
    if (!lc_is_known(v) || lc_is_null(v))
        return false;
    if (v->type->kind == LC_TYPE_STRING)
        return lc_str_eq(v->as.string, text);
    if (lc_type_is_primitive(v->type))
        return false;
    for (size_t i = 0; i < v->count; i++) {
        if (holds(&v->as.many.elems[i], text))
            return true;
    }
    return false;
}

static bool ask_data(lc_query_session *s, lc_run_question *q, lc_str *why)
{
    lc_call call;
    if (!validate(s, q, q->config, why))
        return q->errors.count > 0;
    if (q->only_validated)
        return true;
    s->reached = LC_STR_EMPTY;
    if (q->schema->kind == LC_KIND_EPHEMERAL)
        lc_client_open_ephemeral(s->client, &call, q->arena, q->schema, q->config, nowhere);
    else
        lc_client_read_data(s->client, &call, q->arena, q->schema, q->config, nowhere);
    if (!counts(s, q->arena, &call, why))
        return false;
    const lc_value *read = value_of(&call.result);
    if (call.failed == LC_YES || call.deferred == LC_YES || !read ||
        lc_settings_sign(q->address.type) || holds(read, LC_STR("offline"))) {
        *why = lc_str_printf(q->arena, "%.*s cannot read it without its cloud",
                             LC_FMT(lc_query_name(s)));
        return false;
    }
    q->known = true;
    q->out = read;
    q->answered_by = lc_query_words(s);
    return true;
}

/* An error of a read without a network does not show what a read with one would return: otherwise
 * known values are used. */
static void data(void *context, lc_run_question *q)
{
    lc_provider_answers *a = context;
    lc_str why = LC_STR_EMPTY;
    lc_query_session *s =
        q->schema && q->config ? lc_query_session_for(a, q->settings, &why) : NULL;
    if (s && ask_data(s, q, &why))
        return;
    if (a->otherwise.data)
        a->otherwise.data(a->otherwise.context, q);
    if (!q->known && !q->open_because.len)
        q->open_because = why;
}

/* ---- Stored objects. */

/* The object as the state file has it. */
static bool read_raw(lc_raw_state *out, const lc_provider_answers *a, lc_arena *arena,
                     const lc_run_prior *prior)
{
    const lc_state_object *object = prior->origin;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    lc_value_reader reader = {.arena = arena,
                              .source = prior->state->source,
                              .diags = &quiet,
                              .limits = a->options.limits};
    *out = (lc_raw_state){.given = true,
                          .has_attributes = true,
                          .loc = nowhere,
                          .schema_version = object->schema_version};
    return object->attributes &&
           lc_read_raw(&out->attributes, &reader, object->attributes) == LC_OK &&
           lc_field_has_value(&out->attributes);
}

/* False: nothing was asked; or with *lost it was, and its answer does not count. */
static bool upgrade(lc_provider_answers *a, lc_arena *arena, const lc_run_prior *prior,
                    const lc_schema *schema, const lc_run_settings *settings, const lc_value **out,
                    lc_str *error, bool *lost)
{
    lc_call call;
    lc_raw_state raw;
    lc_str why;
    const lc_state_object *object = prior->state ? prior->origin : NULL;
    if (!object || object->shown || object->schema_version > schema->version)
        return false;
    lc_query_session *s = lc_query_session_for(a, settings, &why);
    if (!s || !read_raw(&raw, a, arena, prior))
        return false;
    s->reached = LC_STR_EMPTY;
    lc_client_upgrade(s->client, &call, arena, schema, &raw, nowhere);
    lc_query_note_upgrade(a, arena, prior, schema, &raw, &call);
    *lost = !counts(s, arena, &call, &why);
    if (*lost)
        return false;
    const lc_provider_diag *first = lc_call_first_error(&call);
    if (first)
        *error = first->summary;
    *out = value_of(&call.result);
    return *out || error->len;
}

static bool stored(void *context, lc_arena *arena, const lc_run_prior *prior,
                   const lc_schema *schema, const lc_run_settings *settings, const lc_value **out,
                   lc_path_list *sensitive, lc_str *error)
{
    lc_provider_answers *a = context;
    bool lost = false;
    *error = LC_STR_EMPTY;
    if (!upgrade(a, arena, prior, schema, settings, out, error, &lost))
        return !lost && a->otherwise.stored &&
               a->otherwise.stored(a->otherwise.context, arena, prior, schema, settings, out,
                                   sensitive, error);
    if (error->len)
        return false;
    lc_run_stored_sensitive(sensitive, arena, prior, schema);
    return true;
}

/* ---- The rest. */

static const lc_schema *schema(void *context, lc_schema_kind kind, lc_str provider, lc_str type)
{
    lc_provider_answers *a = context;
    const lc_schema *asked = lc_query_schema(a, kind, provider, type);
    return asked                 ? asked
           : a->otherwise.schema ? a->otherwise.schema(a->otherwise.context, kind, provider, type)
                                 : NULL;
}

/* ---- Functions. */

/* The arguments in the types of the parameters. False: their number or a type is wrong. */
static bool convert(lc_function_call *out, lc_provider_call *call, const lc_function *function)
{
    for (size_t i = 0; i < call->count; i++) {
        const lc_parameter *p = lc_function_parameter(function, i);
        lc_field *field = LC_PUSH(call->arena, &out->arguments, lc_field);
        lc_str why;
        *field = (lc_field){.state = LC_FIELD_GIVEN, .loc = nowhere};
        if (!p || !p->type ||
            !lc_value_convert(&field->value, call->arena, call->arguments[i], p->type, &why))
            return false;
        if (!p->takes_unknown && !lc_is_wholly_known(field->value))
            return false;
    }
    return call->count >= function->parameter_count - (function->variadic ? 1 : 0);
}

/* An answer that does not count, and arguments that the client rejects, leave the result open. */
static void function(void *context, lc_str provider, lc_provider_call *call)
{
    lc_provider_answers *a = context;
    const lc_schema *schema = lc_query_schema(a, LC_KIND_PROVIDER, provider, LC_STR_EMPTY);
    const lc_function *known = schema ? lc_schema_function(schema, call->function) : NULL;
    lc_function_call made = {.name = call->function, .has_arguments = true};
    lc_call answer;
    if (!known || !convert(&made, call, known))
        return;
    lc_query_session *s = lc_query_session_any(a, provider, &call->open_because);
    if (!s)
        return;
    s->reached = LC_STR_EMPTY;
    lc_client_call_function(s->client, &answer, call->arena, schema, &made, nowhere);
    if (!counts(s, call->arena, &answer, &call->open_because) || !answer.function)
        return;
    call->failed = answer.function->has_error;
    if (!call->failed)
        call->result = value_of(&answer.function->result);
}

static void read_object(void *context, lc_run_question *q)
{
    lc_provider_answers *a = context;
    a->otherwise.read(a->otherwise.context, q);
}

static void import(void *context, lc_run_question *q)
{
    lc_provider_answers *a = context;
    a->otherwise.import(a->otherwise.context, q);
}

static bool move(void *context, lc_arena *arena, const lc_run_prior *prior, lc_str type,
                 const lc_schema *to, const lc_value **out, lc_str *error)
{
    lc_provider_answers *a = context;
    return a->otherwise.move(a->otherwise.context, arena, prior, type, to, out, error);
}

static bool lacks(void *context, lc_resource_mode mode, lc_str provider, lc_str type)
{
    lc_provider_answers *a = context;
    if (lc_query_schema(a, LC_KIND_PROVIDER, provider, LC_STR_EMPTY))
        return !lc_query_schema(a, lc_resource_mode_kind(mode), provider, type);
    return a->otherwise.lacks && a->otherwise.lacks(a->otherwise.context, mode, provider, type);
}

lc_run_provider lc_provider_answers_run(lc_provider_answers *a)
{
    return (lc_run_provider){.context = a,
                             .asks = true,
                             .schema = schema,
                             .stored = stored,
                             .read = a->otherwise.read ? read_object : NULL,
                             .plan = plan,
                             .import = a->otherwise.import ? import : NULL,
                             .data = data,
                             .move = a->otherwise.move ? move : NULL,
                             .lacks = lacks,
                             .function = function,
                             .ended = lc_query_judge,
                             .asked = lc_query_list};
}
