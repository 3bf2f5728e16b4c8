/* A scenario from its first run to the end of what it has created. */
#include "drive/driver.h"

#include "lifecheck/base/arena.h"

#include <string.h>

/* ---- The provider. */

static bool open_validator(lc_driver *d, lc_diags *diags)
{
    lc_peer peer;
    const lc_driver_options *o = &d->options;
    if (!o->begin(o->context, &peer, false))
        return false;
    lc_client_options client = {.as = o->as,
                                .version = o->version,
                                .limits = o->limits,
                                .peer = peer,
                                .timeout_ms = o->timeout_ms,
                                .on_call = o->on_call,
                                .on_call_context = o->context};
    lc_client *validator = lc_client_open(d->arena, &client, o->schemas, diags);
    if (!validator) {
        o->end(o->context);
        return false;
    }
    d->validator = validator;
    d->validator_died = false;
    return true;
}

lc_driver *lc_driver_open(lc_arena *arena, const lc_driver_options *options, lc_diags *diags)
{
    lc_driver *d = LC_NEW(arena, lc_driver);
    d->options = *options;
    d->arena = arena;
    d->validator_died = true;
    return open_validator(d, diags) ? d : NULL;
}

const lc_schema *lc_driver_schema(void *driver, lc_schema_kind kind, lc_str type)
{
    lc_driver *d = driver;
    return lc_client_schema(d->validator, kind, type);
}

/* ---- Runs. */

static void begin_run(lc_run *out, const lc_driver *d, const lc_run *in)
{
    *out = *in;
    memset(&out->calls, 0, sizeof out->calls);
    out->order_known = true;
    out->capabilities = lc_client_run_capabilities(d->validator);
    out->recorded = LC_ACTION_NONE;
}

/* A run that the scenario does not have: another plan of what was applied, or the destroy. */
static void begin_extra(lc_run *out, const lc_turn *before, lc_value *null)
{
    const lc_field *config = lc_field_has_value(&before->out->final_config)
                                 ? &before->out->final_config
                                 : &before->out->config;
    *out = (lc_run){.loc = before->out->loc, .schema = before->schema, .order_known = true};
    out->deposed = out->address = out->prior_private = LC_STR_EMPTY;
    out->capabilities = lc_client_run_capabilities(before->driver->validator);
    out->refresh_only = LC_NO;
    out->config = *config;
    out->address = before->out->address;
    out->ignore_all = before->out->ignore_all;
    out->has_ignore_changes = before->out->has_ignore_changes;
    out->ignore_changes = before->out->ignore_changes;
    if (null)
        out->config = (lc_field){.state = LC_FIELD_GIVEN, .loc = out->loc, .value = null};
}

static lc_run *push_run(lc_scenario *out, lc_arena *arena)
{
    size_t count = out->subject.runs.count;
    lc_expectation *expects = lc_arena_zalloc(arena, lc_mul_size(count + 1, sizeof *expects));
    if (count)
        memcpy(expects, out->expects, count * sizeof *expects);
    out->expects = expects;
    return LC_PUSH(arena, &out->subject.runs, lc_run);
}

static bool is_applied(const lc_turn *t)
{
    bool wanted = !t->driving || t->driving->apply != LC_NO;
    return t->driver->options.apply && wanted;
}

static bool is_planned(lc_schema_kind kind)
{
    return kind == LC_KIND_RESOURCE || kind == LC_KIND_DATA || kind == LC_KIND_EPHEMERAL;
}

static void drive_turn(lc_turn *t, bool applies)
{
    if (!t->driver->validator_died || open_validator(t->driver, t->diags))
        lc_turn_validate(t);
    if (t->schema->kind == LC_KIND_PROVIDER)
        lc_turn_functions(t);
    else if (t->schema->kind == LC_KIND_LIST)
        lc_turn_list(t);
    else if (t->schema->kind == LC_KIND_ACTION)
        lc_turn_action(t, applies);
    else if (t->schema->kind == LC_KIND_STORE)
        lc_turn_store(t, applies);
    if (!is_planned(t->schema->kind))
        return;
    if (!t->failed && !t->broken)
        lc_turn_plan(t);
    if (applies && !t->failed && !t->broken)
        lc_turn_apply(t);
}

static void note(lc_drive_result *result, const lc_turn *t)
{
    if (t->broken)
        *result = LC_DRIVE_BROKEN;
    else if (t->asked && !t->refused && *result == LC_DRIVE_NOTHING)
        *result = LC_DRIVE_ANSWERED;
}

/* ---- What was not asked. */

/* Was there an answer to what the run is about? A call that got none is a finding of its own. */
static bool is_answered(const lc_turn *t)
{
    lc_call_kind kind = t->schema->kind == LC_KIND_DATA        ? LC_CALL_DATA
                        : t->schema->kind == LC_KIND_EPHEMERAL ? LC_CALL_OPEN
                                                               : LC_CALL_PLAN;
    unsigned steps = t->driving ? t->driving->steps : 0;
    bool wanted =
        is_planned(t->schema->kind) && !t->list && (!steps || (steps & LC_CALL_BIT(kind)));
    for (size_t i = 0; i < t->out->calls.count; i++) {
        if (t->out->calls.items[i].broke == LC_YES)
            return true;
    }
    const lc_call *asked = kind == LC_CALL_PLAN ? t->plan : lc_run_call(t->out, kind);
    return !wanted || (asked && asked->failed == LC_NO);
}

/* A case that was not asked to its end does not conform, and one that a signal ended has not had
 * the time to meet what is expected. */
static void note_unasked(lc_scenario *out, const lc_turn *last, lc_arena *arena)
{
    if (lc_turn_is_stopped(last)) {
        out->subject.unasked = LC_STR("lifecheck was stopped before all requests were sent");
        memset(out->expects, 0, out->subject.runs.count * sizeof *out->expects);
        out->known_failing = false;
    } else if ((last->failed || last->broken) && !last->foreseen && !is_answered(last)) {
        out->subject.unasked =
            lc_str_printf(arena, "run %zu was not %s", out->subject.runs.count,
                          last->schema->kind == LC_KIND_RESOURCE ? "planned" : "read");
    }
}

/* ---- After the runs of the scenario. */

/* A turn for a run that the scenario does not have. */
static lc_turn extra_turn(lc_scenario *out, const lc_turn *last, lc_value *null)
{
    lc_run before = *last->out; /* runs move */
    lc_turn of_before = *last, t = *last;
    of_before.out = &before;
    t.out = push_run(out, last->arena);
    begin_extra(t.out, &of_before, null);
    t.in = NULL;
    t.import_id = LC_STR_EMPTY;
    t.prior = (lc_stored_object){NULL, NULL, LC_STR_EMPTY};
    t.plan = t.create = NULL;
    t.action = LC_ACTION_NONE;
    t.failed = t.broken = t.asks_read = false;
    return t;
}

/* The object is read and planned again, as a user would do to see whether all is well. */
static void look_again(lc_scenario *out, lc_turn *last, lc_drive_result *result)
{
    bool applied = lc_run_call(last->out, LC_CALL_APPLY) != NULL;
    if (!last->life->stored.state || last->failed || last->broken || last->life->unsure ||
        !applied || lc_turn_is_stopped(last))
        return;
    const lc_call *reread = last->in ? lc_run_call(last->in, LC_CALL_REREAD) : NULL;
    lc_turn t = extra_turn(out, last, NULL);
    t.reread = reread && reread->stated ? reread : NULL;
    lc_turn_plan(&t);
    note(result, &t);
    *last = t;
}

/* ---- Lists. */

/* Objects of a list that are read. */
#define MOST_READ 10

/* The run has no configuration: only what exists is looked at. */
static void only_look(lc_run *run)
{
    run->config = (lc_field){0};
    run->apart = true;
}

static lc_turn looking_turn(lc_scenario *out, const lc_turn *last)
{
    lc_turn t = extra_turn(out, last, NULL);
    only_look(t.out);
    return t;
}

/* Each object that the last run has listed is read, and then they are listed again with their
 * objects. */
static void read_listed(lc_scenario *out, lc_turn *last, lc_drive_result *result)
{
    const lc_value *listed[MOST_READ];
    lc_known_object known[MOST_READ];
    size_t more;
    if (!last->list || last->failed || last->broken || lc_turn_is_stopped(last))
        return;
    size_t count = lc_turn_listed(last, listed, MOST_READ, &more);
    if (more)
        lc_turn_report(last, "of the objects that are listed the first %d are read, %zu are not",
                       MOST_READ, more);
    if (!count || !lc_turn_begin(last, LC_WALK_PLAN))
        return;
    for (size_t i = 0; i < count; i++) {
        lc_turn t = looking_turn(out, last);
        lc_turn_read_listed(&t, listed[i], &known[i]);
        note(result, &t);
    }
    lc_turn t = looking_turn(out, last);
    lc_turn_list_known(&t, known, count);
    lc_turn_end(&t);
    note(result, &t);
    *last = t;
}

/* What was created is to be found by the list resource of its type, if it has one. The run becomes
 * the last one of the case, as in recordings, where lists are apart. False: nothing is listed. */
static bool list_created(lc_run *out, lc_turn *last, lc_drive_result *result)
{
    const lc_object_life *life = last->life;
    const lc_value *identity = life->stored.identity;
    bool has_list =
        lc_client_schema(last->driver->validator, LC_KIND_LIST, last->schema->type_name) != NULL;
    if (!has_list || !life->ours || !life->stored.state || lc_turn_is_null(identity) ||
        !lc_is_wholly_known(identity) || last->failed || last->broken || life->unsure ||
        !lc_turn_may_call(last, LC_CALL_LIST) || !lc_turn_begin(last, LC_WALK_PLAN))
        return false;
    lc_turn t = *last;
    t.out = out;
    t.in = NULL;
    begin_extra(out, last, NULL);
    only_look(out);
    const lc_known_object known = {
        .loc = out->loc, .identity = identity, .state = life->stored.state, .created = true};
    lc_turn_list_known(&t, &known, 1);
    lc_turn_end(last);
    note(result, &t);
    return out->calls.count > 0;
}

static void report_undestroyed(const lc_turn *t, const lc_object_life *life)
{
    const lc_driver_options *o = &t->driver->options;
    lc_undestroyed_object left = {.resource = t->subject->resource,
                                  .type = t->schema->type_name,
                                  .state = life->stored.state ? life->stored.state : life->tried,
                                  .schema = t->schema,
                                  .private_data = life->stored.private_data,
                                  .settings_loc = life->settings_loc,
                                  .certain = life->stored.state && !life->unsure};
    o->on_not_destroyed(o->context, &left);
}

/* A provider that refuses to plan the destroy is asked to do it all the same. */
static void destroy_object(lc_turn *t)
{
    lc_object_life *life = t->life;
    lc_turn_plan(t);
    if (!t->failed && !t->broken && t->action == LC_ACTION_NOOP) {
        life->stored.state = NULL;
        lc_turn_report(t, "the provider reports that the created object no longer exists; it was "
                          "not destroyed");
        return;
    }
    if (t->failed || t->broken || t->action == LC_ACTION_NONE) {
        t->failed = t->broken = false;
        t->action = LC_ACTION_DELETE;
        t->plan = NULL;
        t->prior = life->stored;
    }
    lc_turn_apply(t);
}

/* In new processes, because the ones before may have exited. */
static void destroy_created(lc_scenario *out, lc_turn *last, lc_object_life *life,
                            lc_drive_result *result)
{
    lc_value *null = LC_NEW(last->arena, lc_value);
    bool other = life != last->life;
    if (!life->ours || (!life->stored.state && !life->unsure))
        return;
    if (life->stored.state) {
        lc_value_set_null(null, last->schema->block->implied);
        lc_turn t = extra_turn(out, last, null);
        t.driving = NULL;
        t.life = life;
        t.settings = life->settings;
        t.settings_loc = life->settings_loc;
        t.out->apart = other;
        t.cleaning = true;
        life->unsure = false;
        if (other)
            last->driver->options.on_set_aside(last->driver->options.context, last->schema);
        destroy_object(&t);
        note(result, &t);
    }
    if (life->stored.state || life->unsure)
        report_undestroyed(last, life);
}

/* What is only read is not stored, as in recordings. */
static void note_stored(lc_scenario *out)
{
    for (size_t i = 0; i < out->subject.runs.count; i++) {
        lc_run *run = &out->subject.runs.items[i];
        bool applied = lc_run_call(run, LC_CALL_APPLY) || lc_run_call(run, LC_CALL_DESTROY);
        run->stored = applied ? LC_NOT_KNOWN : LC_NO;
    }
}

/* ---- What would be asked. */

static lc_str import_id_of(const lc_run *run)
{
    const lc_call *import = lc_run_call(run, LC_CALL_IMPORT);
    return import && import->has_import_id ? import->import_id : LC_STR_EMPTY;
}

static void list(lc_buf *out, const char *rpc, const char *rest)
{
    lc_buf_printf(out, "  %s%s\n", rpc, rest);
}

static void list_object(lc_buf *out, const lc_run *run, bool applies)
{
    bool null = lc_turn_is_null(lc_turn_value(&run->config));
    bool stored = run->previous_run_state.given;
    if (import_id_of(run).len)
        list(out, "ImportResourceState", "");
    if (stored)
        list(out, "UpgradeResourceState", "");
    if (stored || import_id_of(run).len)
        list(out, "ReadResource", "");
    if (!null)
        list(out, "ValidateResourceConfig", "");
    list(out, "PlanResourceChange", null ? " (of a destroy)" : "; again if it is a replace");
    if (applies)
        list(out,
             null ? "ApplyResourceChange (of a destroy)"
                  : "ValidateResourceConfig, PlanResourceChange, ApplyResourceChange",
             null ? "" : "; then it is read, planned again, and destroyed");
}

static void list_other(lc_buf *out, lc_schema_kind kind, bool applies)
{
    if (kind == LC_KIND_LIST)
        list(out, "ValidateListResourceConfig, ListResource",
             "; each object is imported and read, then all are listed again");
    else if (kind == LC_KIND_ACTION)
        list(out, "ValidateActionConfig, PlanAction",
             applies ? "; InvokeAction if the scenario says apply: true" : "");
    else
        list(out, "ValidateStateStoreConfig, ConfigureStateStore, GetStates",
             applies ? "; then a state of its own is locked, written, read and deleted" : "");
}

void lc_driver_list(const lc_driver *d, lc_buf *out, const lc_scenario *scenario)
{
    for (size_t i = 0; i < scenario->subject.runs.count; i++) {
        const lc_run *run = &scenario->subject.runs.items[i];
        const lc_driving *driving = scenario->driving ? &scenario->driving[i] : NULL;
        bool applies = d->options.apply && !(driving && driving->apply == LC_NO);
        lc_buf_printf(out, "%.*s#%.*s, run %zu: %.*s\n", LC_FMT(scenario->subject.file),
                      LC_FMT(scenario->subject.name), i + 1, LC_FMT(run->schema->type_name));
        if (run->schema->kind == LC_KIND_RESOURCE)
            list_object(out, run, applies);
        else if (run->schema->kind == LC_KIND_PROVIDER)
            list(out, "CallFunction", ", each function by two processes");
        else if (!is_planned(run->schema->kind))
            list_other(out, run->schema->kind, applies);
        else
            list(out, "Validate",
                 run->schema->kind == LC_KIND_DATA ? ", ReadDataSource"
                                                   : ", OpenEphemeralResource and Close");
    }
}

/* ---- Scenarios. */

static void report_not_applied(const lc_turn *t)
{
    if (t->driving && t->driving->apply == LC_YES && !t->driver->options.apply)
        lc_turn_report(t, "apply: true needs --apply on the command line too; nothing is applied");
}

/* Of two versions that a case compares the newer one is asked; the answers of the older one are
 * those that the scenario states. */
static bool is_of_older_version(const lc_case *subject, size_t run)
{
    return run + 1 < subject->runs.count && subject->runs.items[run + 1].newer &&
           !subject->runs.items[run].newer;
}

/* What follows the stated runs: the object is read and planned again, what was created is listed
 * and then destroyed, the last created first. `last` is the turn of the last run that was asked. */
static void finish(lc_scenario *out, lc_turn *last, lc_drive_result *result)
{
    lc_run list;
    note_unasked(out, last, last->arena);
    look_again(out, last, result);
    read_listed(out, last, result);
    bool listed = list_created(&list, last, result);
    destroy_created(out, last, last->life, result);
    while (last->others->count)
        destroy_created(out, last, &last->others->items[--last->others->count], result);
    if (listed)
        *push_run(out, last->arena) = list;
    note_stored(out);
}

lc_drive_result lc_driver_run(lc_driver *d, lc_scenario *out, lc_arena *arena,
                              const lc_scenario *scenario, lc_diags *diags)
{
    lc_drive_result result = LC_DRIVE_NOTHING;
    lc_object_life life = {.stored = {NULL, NULL, LC_STR_EMPTY}};
    lc_object_lives others = {0};
    lc_turn t = {0};
    *out = *scenario;
    out->subject.unasked = LC_STR_EMPTY;
    memset(&out->subject.runs, 0, sizeof out->subject.runs);
    for (size_t i = 0; i < scenario->subject.runs.count && !t.failed && !t.broken; i++) {
        const lc_run *in = &scenario->subject.runs.items[i];
        if (is_of_older_version(&scenario->subject, i)) {
            *push_run(out, arena) = *in;
            out->expects[i] = scenario->expects[i];
            continue;
        }
        t = (lc_turn){.driver = d,
                      .arena = arena,
                      .diags = diags,
                      .in = in,
                      .driving = scenario->driving ? &scenario->driving[i] : NULL,
                      .subject = &scenario->subject,
                      .out = push_run(out, arena),
                      .schema = in->schema,
                      .life = &life,
                      .others = &others,
                      .settings_loc = {LC_STR_EMPTY, 0, 0},
                      .import_id = import_id_of(in)};
        out->expects[i] = scenario->expects[i];
        begin_run(t.out, d, in);
        report_not_applied(&t);
        drive_turn(&t, is_applied(&t));
        note(&result, &t);
    }
    if ((t.failed || t.broken) && out->subject.runs.count < scenario->subject.runs.count)
        lc_turn_report(&t, "the runs after run %zu are skipped", out->subject.runs.count);
    if (t.driver)
        finish(out, &t, &result);
    return result;
}
