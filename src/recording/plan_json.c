/* Plans (`show -json`) and state files to cases. A plan has no evaluated configuration and no
 * refinements: what needs them is not checked. */
#include "lifecheck/recording/capture.h"
#include "lifecheck/scenario/evidence.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/plan/state.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    lc_arena *arena;
    lc_arena *cases; /* of the case that is made at the moment; it may be the arena */
    lc_schemas schemas;
    const lc_source *source;
    lc_limits limits;
    lc_diags *diags;
    void (*take)(void *context, lc_scenario *scenario);
    void *context;
    lc_table later; /* current objects of --new-state by address */
    lc_log log;     /* --log */
} reader;

/* ---- A case. */

static lc_scenario *new_case(const reader *r, const lc_schema *schema, lc_str address,
                             lc_source_kind source, lc_loc loc)
{
    lc_scenario *s = LC_NEW(r->cases, lc_scenario);
    s->subject.source = source;
    s->subject.file = r->source->file;
    s->subject.document = 1;
    s->subject.type = schema->type_name;
    s->subject.name = s->subject.resource = address;
    s->subject.loc = loc;
    s->expects = LC_NEW(r->cases, lc_expectation);
    lc_run *run = LC_PUSH(r->cases, &s->subject.runs, lc_run);
    run->schema = schema;
    run->loc = loc;
    run->deposed = LC_STR_EMPTY;
    run->tainted = run->refresh_only = run->force_replace = LC_NO;
    return s;
}

static lc_call *add_call(const reader *r, lc_run *run, lc_call_kind kind, lc_loc loc)
{
    lc_call *call = LC_PUSH(r->cases, &run->calls, lc_call);
    *call = (lc_call){.kind = kind, .index = (uint32_t)run->calls.count, .loc = loc};
    call->deposed = call->request_private = call->type_name = call->import_id = LC_STR_EMPTY;
    call->deferred_reason = call->private_data = call->raw.private_data = LC_STR_EMPTY;
    call->failed = call->deferred = LC_NO;
    /* Only the legacy SDK sets the flag, and it cannot make such a schema. */
    call->legacy = run->schema->not_legacy ? LC_NO : LC_NOT_KNOWN;
    return call;
}

static void give(reader *r, lc_scenario *s)
{
    lc_run *run = &s->subject.runs.items[0];
    run->address = s->subject.resource;
    lc_log_findings_show(&r->log.logged, run, s->subject.type);
    for (size_t i = 0; i < run->calls.count; i++) {
        lc_call *call = &run->calls.items[i];
        if (call->legacy == LC_NOT_KNOWN &&
            lc_log_legacy(&r->log, r->arena, lc_str_from_c(lc_call_rpc(call->kind)),
                          s->subject.type))
            call->legacy = LC_YES;
    }
    r->take(r->context, s);
    if (r->cases != r->arena)
        lc_arena_reset(r->cases);
}

/* Calls of the log without values here get the schemas of calls with values. */
static const lc_schema *schema_of_type(void *context, lc_str provider, lc_str type)
{
    reader *r = context;
    lc_diags quiet;
    lc_diags_init(&quiet, r->arena);
    return lc_schemas_get(&r->schemas, LC_KIND_RESOURCE, provider, type,
                          (lc_loc){r->source->file, 0, 0}, &quiet);
}

/* ---- Plans. */

static void read_object(const reader *r, lc_field *out, const lc_schema *schema,
                        const lc_node *known, const lc_node *unknown, lc_loc loc)
{
    *out = (lc_field){.loc = loc};
    lc_field_from_plain_json(out, r->cases, schema, known, unknown);
}

static const lc_action actions[] = {
    [LC_PLAN_UNKNOWN] = LC_ACTION_NONE,
    [LC_PLAN_NOOP] = LC_ACTION_NOOP,
    [LC_PLAN_CREATE] = LC_ACTION_CREATE,
    [LC_PLAN_READ] = LC_ACTION_READ,
    [LC_PLAN_UPDATE] = LC_ACTION_UPDATE,
    [LC_PLAN_DELETE] = LC_ACTION_DELETE,
    [LC_PLAN_DELETE_CREATE] = LC_ACTION_DELETE_THEN_CREATE,
    [LC_PLAN_CREATE_DELETE] = LC_ACTION_CREATE_THEN_DELETE,
    [LC_PLAN_FORGET] = LC_ACTION_FORGET,
    /* Core plans the new object as in a replace. */
    [LC_PLAN_CREATE_FORGET] = LC_ACTION_CREATE_THEN_DELETE,
    [LC_PLAN_FORGET_CREATE] = LC_ACTION_NONE,
};

typedef struct marks {
    const reader *r;
    lc_case *subject;
} marks;

static void each_mark(void *context, lc_path path)
{
    const marks *m = context;
    *LC_PUSH(m->r->cases, &m->subject->sensitive, lc_path) = path;
}

static bool marks_differ(const reader *r, const lc_plan_change *c)
{
    const lc_node *before = c->before_sensitive, *after = c->after_sensitive;
    return before && after ? !lc_node_same(r->cases, before, after) : before != after;
}

static void set_action(const reader *r, lc_run *run, const lc_plan_change *c, lc_loc loc)
{
    bool forced =
        c->reason == LC_PLAN_REASON_REPLACE_REQUEST || c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS;
    run->recorded = actions[c->action];
    run->recorded_loc = loc;
    run->tainted = c->reason == LC_PLAN_REASON_REPLACE_TAINTED ? LC_YES : LC_NO;
    run->force_replace = forced ? LC_YES : LC_NO;
    /* An update of marks alone follows from no value. */
    if (run->recorded == LC_ACTION_UPDATE && c->before && marks_differ(r, c))
        run->recorded = LC_ACTION_NONE;
}

/* resource_drift has the changes that the refresh found, with the state before it. */
static void add_refresh(const reader *r, lc_run *run, const lc_schema *schema, lc_plan *plan,
                        lc_str address)
{
    const lc_plan_change *drift = lc_table_get(&plan->drift_by_address, address);
    if (!drift || !drift->change)
        return;
    lc_call *upgrade = add_call(r, run, LC_CALL_UPGRADE, lc_plan_loc(plan, drift->change));
    read_object(r, &upgrade->result, schema, drift->before, NULL,
                lc_lines_loc(plan->lines, drift->before_where));
    upgrade->result.state =
        upgrade->result.state == LC_FIELD_GIVEN ? LC_FIELD_DERIVED : LC_FIELD_ABSENT;
    lc_call *read = add_call(r, run, LC_CALL_READ, upgrade->loc);
    read_object(r, &read->result, schema, drift->after, NULL,
                lc_lines_loc(plan->lines, drift->after_where));
}

static void add_later(const reader *r, lc_case *subject, lc_run *run, const lc_schema *schema)
{
    const lc_state_object *o = lc_table_get(&r->later, subject->resource);
    bool applied = run->recorded != LC_ACTION_NOOP && run->recorded != LC_ACTION_DELETE &&
                   run->recorded != LC_ACTION_FORGET;
    if (!o || !applied)
        return;
    lc_call *apply = add_call(r, run, LC_CALL_APPLY, o->loc);
    lc_state_object_value(&apply->result, r->cases, o, schema);
    apply->failed = o->tainted ? LC_YES : LC_NOT_KNOWN;
    marks m = {r, subject};
    lc_state_sensitive(r->cases, o, schema, each_mark, &m);
}

static void add_plan(const reader *r, lc_run *run, const lc_schema *schema, const lc_plan *plan,
                     const lc_plan_change *c)
{
    bool replaced = run->recorded == LC_ACTION_DELETE_THEN_CREATE ||
                    run->recorded == LC_ACTION_CREATE_THEN_DELETE;
    bool create = replaced && run->tainted != LC_YES;
    if (lc_plan_action_ends(c->action))
        return;
    lc_call *call = add_call(r, run, create ? LC_CALL_PLAN_CREATE : LC_CALL_PLAN, run->loc);
    read_object(r, &call->result, schema, c->after, c->after_unknown,
                lc_lines_loc(plan->lines, c->after_where));
}

static void read_change(reader *r, lc_plan *plan, const lc_plan_change *c)
{
    if (!c->change || !lc_str_is(c->mode, "managed") || c->deposed.len)
        return;
    if (c->address.len == 0) /* it is not known which object it is */
        return;
    lc_loc loc = lc_plan_loc(plan, c->node);
    const lc_schema *schema =
        lc_schemas_get(&r->schemas, LC_KIND_RESOURCE, c->provider_name, c->type, loc, r->diags);
    if (!schema)
        return;
    lc_scenario *s = new_case(r, schema, c->address, LC_SOURCE_PLAN, loc);
    lc_run *run = &s->subject.runs.items[0];
    marks m = {r, &s->subject};
    lc_plain_json_marks(r->cases, schema->block->implied, c->before_sensitive, each_mark, &m);
    lc_plain_json_marks(r->cases, schema->block->implied, c->after_sensitive, each_mark, &m);
    set_action(r, run, c, loc);
    add_refresh(r, run, schema, plan, c->address);
    read_object(r, &run->prior_state, schema, c->before, NULL,
                lc_lines_loc(plan->lines, c->before_where));
    add_plan(r, run, schema, plan, c);
    add_later(r, &s->subject, run, schema);
    give(r, s);
}

static void read_changes(reader *r, lc_plan *plan)
{
    for (size_t i = 0; i < plan->changes.count; i++)
        read_change(r, plan, &plan->changes.items[i]);
}

/* ---- State files. */

static bool read_raw(lc_field *out, const reader *r, const lc_source *source, const lc_lines *lines,
                     const lc_node *node)
{
    lc_diags quiet;
    if (!node)
        return false;
    lc_diags_init(&quiet, r->cases);
    lc_value_reader values = {
        .arena = r->cases, .source = source, .lines = lines, .diags = &quiet, .limits = r->limits};
    if (lc_read_raw(out, &values, node) != LC_OK)
        *out = (lc_field){0};
    return lc_field_has_value(out);
}

/* Of a printed state as the file has it, with the types of what the schema leaves open. */
static void add_types(lc_raw_state *raw, const reader *r, const lc_state_object *o,
                      const lc_schema *schema)
{
    lc_field value, typed;
    lc_buf json = {0};
    lc_str why;
    lc_diags quiet;
    lc_source *source = LC_NEW(r->cases, lc_source);
    lc_diags_init(&quiet, r->cases);
    lc_state_object_value(&value, r->cases, o, schema);
    bool ok = value.state == LC_FIELD_GIVEN &&
              lc_ctyjson_encode(&json, value.value, schema->block->implied, &why) &&
              lc_json_parse(source, r->cases, o->loc.file, lc_buf_copy(r->cases, &json), &r->limits,
                            &quiet) == LC_OK;
    lc_buf_release(&json);
    if (!ok)
        return;
    raw->has_attributes = read_raw(&typed, r, source, NULL, &source->documents[0]);
    typed.loc = raw->attributes.loc;
    raw->attributes = typed;
}

/* What was stored, as it is sent to an upgrade. */
static lc_raw_state raw_of(const reader *r, const lc_state_file *state, const lc_state_object *o,
                           const lc_schema *schema)
{
    lc_raw_state raw = {.given = true, .loc = o->loc, .private_data = LC_STR_EMPTY};
    raw.tainted = o->tainted ? LC_YES : LC_NO;
    raw.schema_version = o->schema_version;
    raw.identity_schema_version = o->identity_schema_version;
    raw.has_attributes = read_raw(&raw.attributes, r, state->source, state->lines, o->attributes);
    raw.has_identity = read_raw(&raw.identity, r, state->source, state->lines, o->identity);
    if (o->shown && schema->block->implied->has_dynamic)
        add_types(&raw, r, o, schema);
    return raw;
}

static void read_stored(reader *r, const lc_state_file *state, const lc_state_object *o)
{
    const lc_state_resource *resource = &state->resources.items[o->resource];
    const lc_schema *schema =
        lc_schemas_get(&r->schemas, resource->kind, lc_state_provider_source(state, o),
                       resource->type, o->loc, r->diags);
    if (!schema || o->deposed.len)
        return;
    lc_scenario *s = new_case(r, schema, o->address, LC_SOURCE_PLAN, o->loc);
    lc_run *run = &s->subject.runs.items[0];
    const lc_state_object *next = lc_table_get(&r->later, o->address);
    run->previous_run_state = raw_of(r, state, o, schema);
    run->tainted = LC_NOT_KNOWN;
    marks m = {r, &s->subject};
    lc_state_sensitive(r->cases, o, schema, each_mark, &m);
    lc_call *call = add_call(r, run, LC_CALL_UPGRADE, o->loc);
    lc_state_object_value(&call->result, r->cases, next ? next : o, schema);
    call->failed = LC_NOT_KNOWN;
    call->raw = run->previous_run_state;
    give(r, s);
}

static void read_objects(reader *r, const lc_state_file *state)
{
    for (size_t i = 0; i < state->objects.count; i++)
        read_stored(r, state, &state->objects.items[i]);
}

/* Includes objects that no core accepts: the case of the state reports them, and more may be wrong.
 */
static void index_later(reader *r, const lc_state_file *later)
{
    lc_table_init(&r->later, r->arena);
    for (size_t i = 0; later && i < later->objects.count; i++) {
        lc_state_object *o = &later->objects.items[i];
        if (!o->deposed.len)
            lc_table_put(&r->later, o->address, o);
    }
}

/* ---- Both. */

static lc_state_file *open_state(reader *r, lc_str file)
{
    return file.len ? lc_state_document_open(r->arena, file, &r->limits, r->diags) : NULL;
}

static lc_plan *read_plan(reader *r)
{
    lc_plan *plan = LC_NEW(r->arena, lc_plan);
    bool ok = lc_plan_from_node(plan, r->arena, r->source, r->source->documents, r->diags) == LC_OK;
    return ok ? plan : NULL;
}

static void read_log(reader *r, const lc_capture_options *options)
{
    lc_log_init(&r->log, r->arena);
    if (!options->log.len)
        return;
    lc_log_open_named(&r->log, r->arena, options->log, &r->limits, r->diags);
    lc_log_summarize(&r->log, options->used, options->log);
}

static void read_evidence(reader *r, lc_json_kind kind, const lc_capture_options *options)
{
    bool is_plan = kind == LC_JSON_PLAN;
    lc_state_file *next = open_state(r, options->new_state);
    read_log(r, options);
    lc_plan *plan = is_plan ? read_plan(r) : NULL;
    lc_state_file *now = is_plan ? NULL : lc_state_document(r->arena, r->source, r->diags);
    lc_plan_case_inputs inputs = {plan, now, next, options, &r->schemas};
    if (options->prior_state.len) {
        inputs.state = open_state(r, options->prior_state);
        inputs.next_state = is_plan ? next : now;
    }
    /* The whole plan comes first: errors in it may explain those of single objects. */
    lc_scenario *whole = lc_plan_case(r->arena, r->source->file, &inputs, r->diags);
    if (whole)
        r->take(r->context, whole);
    index_later(r, next);
    if (!r->schemas.docs.count)
        lc_diag_warning(
            r->diags, (lc_loc){r->source->file, 0, 0},
            "no schemas: objects are not checked one by one; --schema names a document, "
            "or put one next to the file as schema.json");
    else if (plan)
        read_changes(r, plan);
    else if (now)
        read_objects(r, now);
}

void lc_json_evidence_read(lc_json_kind kind, lc_arena *arena, lc_schema_store *store, lc_str file,
                           lc_str json, const lc_capture_options *options, lc_diags *diags,
                           void (*take)(void *context, lc_scenario *scenario), void *context)
{
    lc_source *source = LC_NEW(arena, lc_source); /* cases that are kept refer to it */
    reader r = {.arena = arena,
                .source = source,
                .limits = store->limits,
                .diags = diags,
                .take = take,
                .context = context};
    if (lc_json_parse(source, arena, file, json, &r.limits, diags) != LC_OK ||
        !lc_json_is(kind, source, diags))
        return;
    r.cases = options->kept ? arena : lc_arena_new();
    lc_schemas_open(&r.schemas, arena, store, file, options, diags);
    read_evidence(&r, kind, options);
    lc_log_findings_rest(&r.log.logged, file, schema_of_type, &r, take, context);
    if (r.cases != arena)
        lc_arena_free(r.cases);
}
