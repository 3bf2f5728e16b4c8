/* Family import: the import returns a stub, which is read, and becomes an object that can be
 * planned. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    lc_cores stopped; /* cores that have stopped at an earlier problem of this import */
} context;

/* `apart`: the path is in the stub or in a generated configuration, which no column shows. */
static lc_finding *emit_at(context *x, lc_rule rule, lc_path path, const lc_field *field,
                           lc_loc loc, const char *note)
{
    lc_finding *f = lc_emit(x->j, &(lc_breach){.rule = rule,
                                               .call = x->call,
                                               .path = path,
                                               .field = field,
                                               .loc = loc,
                                               .promised_by = LC_COLUMN_NONE,
                                               .broken_by = LC_COLUMN_NONE,
                                               .note = lc_str_from_c(note),
                                               .apart = true});
    for (int core = 0; core < LC_CORE_COUNT; core++)
        f->core[core].masked = x->stopped & 1u << core;
    return f;
}

static lc_finding *emit(context *x, lc_rule rule, lc_loc loc, const char *note)
{
    return emit_at(x, rule, LC_PATH_ROOT, NULL, loc, note);
}

static void set_effect(lc_finding *f, lc_cores cores, lc_effect effect)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (cores & 1u << core)
            lc_finding_effect(f, (lc_core)core, effect);
    }
}

/* The cores stop before they get there. */
static void mask(lc_finding *f)
{
    for (int core = 0; core < LC_CORE_COUNT; core++)
        f->core[core].masked = true;
}

static bool by_identity(const lc_call *call)
{
    return call->prior_identity.state != LC_FIELD_ABSENT;
}

/* ---- How many. */

/* With more than one object OpenTofu stops; Terraform reports it and continues. The import command
 * accepts several. */
static void judge_count(context *x)
{
    const lc_call *call = x->call;
    size_t count = call->imported.count;
    if (count == 0) {
        lc_finding *f = emit(x, LC_RULE_IMPORT_NONE, call->loc, "neither an object nor an error");
        lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_IMPORT_NONE, LC_STR_EMPTY);
        return;
    }
    if (count == 1)
        return;
    lc_finding *f = emit(x, LC_RULE_IMPORT_MULTIPLE, call->imported.items[1].loc,
                         "one import returns more than one object");
    if (call->command_line) {
        set_effect(f, LC_BOTH_CORES, LC_EFFECT_NONE);
        return;
    }
    lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_IMPORT_MULTIPLE, LC_STR_EMPTY);
    x->stopped |= LC_OT;
}

/* ---- Type names. */

/* The finding of wire/unknown-type-name about the same object, or -1. */
static long unknown_type_at(const context *x, lc_loc loc)
{
    for (size_t i = 0; i < x->j->out->findings.count; i++) {
        const lc_finding *f = &x->j->out->findings.items[i];
        if (f->rule == LC_RULE_WIRE_UNKNOWN_TYPE_NAME && f->run == x->j->view->number &&
            f->call.index == x->call->index && f->loc.line == loc.line &&
            f->loc.column == loc.column)
            return (long)i;
    }
    return -1;
}

/* For an import block the cores check the first object only. */
static bool is_looked_at(const context *x, const lc_imported *object)
{
    return x->call->command_line || object == x->call->imported.items;
}

static void judge_type_name(context *x, const lc_imported *object)
{
    const lc_schema *schema = x->j->view->schema;
    if (!object->has_type_name)
        return;
    if (object->type_name.len == 0) {
        lc_finding *f = emit(x, LC_RULE_IMPORT_TYPE_NAME_EMPTY, object->loc,
                             "an imported object without the name of its type");
        if (!is_looked_at(x, object)) {
            mask(f);
            return;
        }
        lc_finding_quote(x->j, f, LC_BOTH_CORES, "",
                         lc_str_printf(x->j->scratch, "import of %.*s " LC_DETAIL_NO_TYPE,
                                       LC_FMT(x->j->subject->resource)));
        x->stopped = LC_BOTH_CORES;
        return;
    }
    if (schema->type_name.len == 0 || lc_str_eq(schema->type_name, object->type_name))
        return;
    long unknown = unknown_type_at(x, object->loc);
    lc_finding *f = emit(x, LC_RULE_IMPORT_TYPE_NAME_OTHER, object->loc,
                         "an object of another type than requested");
    f->follows = unknown;
}

/* ---- Stubs. */

/* Null, or a known container of such values at any depth. */
static bool is_empty(const lc_value *v)
{
    if (lc_is_null(v))
        return true;
    bool many = lc_is_known(v) && !lc_type_is_primitive(v->type);
    for (size_t i = 0; many && i < v->count; i++) {
        if (!is_empty(&v->as.many.elems[i]))
            return false;
    }
    return many;
}

typedef struct stub_context {
    context *x;
    const lc_imported *object;
} stub_context;

static void each_unknown(void *opaque, lc_path path)
{
    stub_context *s = opaque;
    emit_at(s->x, LC_RULE_IMPORT_STUB_UNKNOWN, path, &s->object->state, s->object->loc,
            "unknown in an import stub, which must be wholly known");
}

static void judge_null(context *x, const lc_imported *object)
{
    lc_finding *f =
        emit(x, LC_RULE_IMPORT_NULL_STATE, object->loc, "an imported object that is null");
    lc_cores silent = x->call->command_line  ? LC_BOTH_CORES
                      : by_identity(x->call) ? LC_TF
                                             : LC_NO_CORE;
    if (!is_looked_at(x, object))
        mask(f);
    set_effect(f, silent, LC_EFFECT_NONE);
    lc_finding_quote(x->j, f, LC_BOTH_CORES & ~silent, LC_SUMMARY_IMPORT_NULL, LC_STR_EMPTY);
}

/* A stub needs only what the read uses to find the object: an empty one after an import by ID has
 * nothing. */
static void judge_stub(context *x, const lc_imported *object)
{
    if (object->state.state != LC_FIELD_GIVEN)
        return;
    const lc_value *stub = object->state.value;
    if (lc_is_null(stub)) {
        judge_null(x, object);
        return;
    }
    stub_context s = {x, object};
    lc_each_unknown(x->j->scratch, stub, each_unknown, &s);
    if (!by_identity(x->call) && is_empty(stub))
        emit_at(x, LC_RULE_IMPORT_STUB_EMPTY, LC_PATH_ROOT, &object->state, object->loc,
                "the stub of an import by ID has no attribute set");
}

/* ---- The read after the import. */

/* The stub if exactly one was returned, and it is not null. */
static const lc_value *stub_of(const lc_call *call)
{
    const lc_imported *object = call->imported.items;
    if (call->imported.count != 1 || object->state.state != LC_FIELD_GIVEN ||
        lc_is_null(object->state.value))
        return NULL;
    return object->state.value;
}

/* Validations do not concern the object and are skipped. */
static const lc_call *next_call(const lc_run *run, const lc_call *call)
{
    for (size_t i = call->index; i < run->calls.count; i++) {
        if (run->calls.items[i].kind != LC_CALL_VALIDATE)
            return &run->calls.items[i];
    }
    return NULL;
}

static void judge_order(context *x)
{
    const lc_run *run = x->j->view->run;
    const lc_value *stub = stub_of(x->call);
    if (!run->order_known || run->probed || !stub)
        return;
    const lc_call *next = next_call(run, x->call);
    bool reads = next && next->kind == LC_CALL_READ;
    if (reads && (next->prior_state.state != LC_FIELD_GIVEN ||
                  lc_value_raw_equal(next->prior_state.value, stub)))
        return;
    emit(x, LC_RULE_IMPORT_NO_READ, reads ? next->prior_state.loc : x->call->loc,
         reads ? "another object than the stub is read after the import"
               : "the stub is not read before other calls");
}

/* What was generated is known only by the call. */
static void judge_capability(context *x)
{
    const lc_run *run = x->j->view->run;
    const lc_capabilities *c = &run->capabilities;
    bool generated = x->call->generated_config.state != LC_FIELD_ABSENT;
    lc_loc loc = generated ? x->call->generated_config.loc : x->call->generate_loc;
    if ((generated || loc.line) && !run->probed && c->move_resource_state != LC_NOT_KNOWN &&
        c->generate_resource_config == LC_NO)
        emit(x, LC_RULE_IMPORT_GENERATE_WITHOUT_CAPABILITY, loc,
             "GenerateResourceConfig was called, though the provider does not declare it");
}

static void judge_read(context *x)
{
    const lc_call *read = x->j->view->call[LC_CALL_READ];
    const lc_value *found = lc_call_object(read);
    if (!found || !lc_is_null(found) || read->failed == LC_YES || read->deferred == LC_YES ||
        read->index < x->call->index)
        return;
    lc_finding *f = emit(x, LC_RULE_IMPORT_NONEXISTENT, read->result.loc,
                         "nothing is found when the imported object is read");
    lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_IMPORT_NONEXISTENT, LC_STR_EMPTY);
    lc_call_ref *also = LC_NEW(x->j->report, lc_call_ref);
    *also = (lc_call_ref){read->kind, read->index};
    f->also = also;
    f->also_count = 1;
}

/* ---- The plan after the import. */

static bool is_null_at(const lc_judge *j, const lc_value *whole, lc_path path, bool want)
{
    const lc_value *part = whole ? lc_path_apply(j->scratch, whole, path) : NULL;
    return part && lc_is_null(part) == want;
}

/* Is the place null after the import and its read, and set in the configuration? */
static bool is_partial(const lc_judge *j, lc_path path)
{
    const lc_call *read = j->view->call[LC_CALL_READ];
    return path.count && is_null_at(j, lc_call_object(read), path, true) &&
           is_null_at(j, j->view->config, path, false);
}

static void emit_partial(context *x, lc_path path, lc_loc loc, long follows)
{
    if (!is_partial(x->j, path))
        return;
    lc_finding *f = lc_emit(
        x->j, &(lc_breach){.rule = LC_RULE_IMPORT_PARTIAL_PLAN,
                           .call = x->call,
                           .path = path,
                           .loc = loc,
                           .promised_by = LC_COLUMN_PRIOR,
                           .broken_by = LC_COLUMN_PLANNED,
                           .note = LC_STR("the plan does not accept the null that the import left "
                                          "here")});
    f->follows = follows;
}

static bool is_plan_finding(const lc_finding *f, const lc_judge *j, const lc_call *plan)
{
    return f->run == j->view->number && f->call.index == plan->index &&
           lc_str_starts_with(lc_rule_get(f->rule)->slug, LC_STR("plan/"));
}

/* Errors of the plan, and violations of the family plan, at places that the import has left null.
 * The loop works on copies, because adding findings moves them. */
static void judge_plan(lc_judge *j, const lc_call *plan)
{
    context x = {j, plan, LC_NO_CORE};
    for (size_t i = 0; i < plan->diagnostics.count; i++) {
        const lc_provider_diag *d = &plan->diagnostics.items[i];
        if (d->severity == LC_SEVERITY_ERROR && d->has_path)
            emit_partial(&x, d->path, d->loc, -1);
    }
    size_t end = j->out->findings.count;
    for (size_t i = 0; i < end; i++) {
        lc_finding f = j->out->findings.items[i];
        if (is_plan_finding(&f, j, plan))
            emit_partial(&x, f.path, f.loc, (long)i);
    }
}

/* ---- A generated configuration: one that the user could have written. */

static void emit_generated(context *x, lc_path path, const char *note)
{
    const lc_field *field = &x->call->generated_config;
    lc_finding *f = emit_at(x, LC_RULE_IMPORT_GENERATED_CONFIG, path, field, field->loc, note);
    lc_sensitivity_mark place = lc_sensitivity_at(x->j->sensitivity, f->path);
    const lc_value *part = lc_path_apply(x->j->scratch, field->value, path);
    if (part)
        f->values[LC_COLUMN_CONFIG] = lc_show(x->j->report, place, part, part->type);
}

static void each_unknown_generated(void *opaque, lc_path path)
{
    emit_generated(opaque, path, "unknown, which cannot be written in a configuration");
}

static bool visit_generated(lc_visit *visit, const lc_attribute *a, const lc_value *v,
                            const lc_trail *at)
{
    context *x = visit->context;
    lc_path path = lc_path_from_trail(x->j->scratch, at);
    if (a->required && lc_is_null(v))
        emit_generated(x, path, "null for a required attribute");
    else if (a->computed && !a->optional && !lc_is_null(v))
        emit_generated(x, path, "a value for an attribute that a configuration cannot set");
    return a->nested && lc_is_known(v);
}

/* If the generated configuration is planned as it is, everything that the plan breaks is its
 * fault. */
static void judge_generated_plan(context *x)
{
    const lc_run_view *v = x->j->view;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    const lc_value *generated = x->call->generated_config.value;
    if (!plan || !v->config || !lc_value_same(v->config, generated))
        return;
    size_t end = x->j->out->findings.count;
    for (size_t i = 0; i < end; i++) {
        lc_finding f = x->j->out->findings.items[i];
        if (!is_plan_finding(&f, x->j, plan))
            continue;
        emit_generated(x, f.path, "the plan of the generated configuration has a violation here");
        x->j->out->findings.items[x->j->out->findings.count - 1].follows = (long)i;
    }
    if (plan->failed == LC_YES)
        emit_generated(x, LC_PATH_ROOT,
                       "the provider returns an error for the plan of the "
                       "configuration that it generated");
}

static void judge_generated(context *x)
{
    const lc_field *field = &x->call->generated_config;
    if (field->state == LC_FIELD_UNDECODABLE) {
        lc_finding *f = lc_emit(x->j, &(lc_breach){.rule = LC_RULE_IMPORT_GENERATED_CONFIG,
                                                   .call = x->call,
                                                   .path = field->problem_path,
                                                   .loc = field->loc,
                                                   .promised_by = LC_COLUMN_NONE,
                                                   .broken_by = LC_COLUMN_NONE,
                                                   .note = lc_problem_message(x->j, field),
                                                   .apart = true});
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_ERROR);
        return;
    }
    if (field->state != LC_FIELD_GIVEN)
        return;
    if (lc_is_null(field->value)) {
        emit_generated(x, LC_PATH_ROOT, "null is not a configuration");
        return;
    }
    lc_each_unknown(x->j->scratch, field->value, each_unknown_generated, x);
    lc_visit visit = {.context = x, .attribute = visit_generated};
    lc_visit_object(&visit, x->j->view->block, field->value);
    judge_generated_plan(x);
}

/* ---- The call. */

/* In this order: later problems are masked in cores that stop at earlier ones. */
void lc_judge_import(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[LC_CALL_IMPORT], *plan = v->call[LC_CALL_PLAN];
    if (!call || call->failed == LC_YES)
        return;
    context x = {j, call, LC_NO_CORE};
    if (call->deferred != LC_YES && call->imported.items)
        judge_count(&x);
    for (size_t i = 0; i < call->imported.count; i++)
        judge_type_name(&x, &call->imported.items[i]);
    for (size_t i = 0; i < call->imported.count && call->deferred != LC_YES; i++)
        judge_stub(&x, &call->imported.items[i]);
    judge_order(&x);
    judge_read(&x);
    x.stopped = LC_NO_CORE;
    judge_generated(&x);
    judge_capability(&x);
    if (plan)
        judge_plan(j, plan);
}
