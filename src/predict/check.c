/* Errors in options, blocks and statements that the clients report before they plan anything. Each
 * check is made in the order of the clients; with pred->stop there is no plan. */
#include "lifecheck/base/key.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/provider_config/provider_config.h"
#include "predict/internal.h"

/* ---- Options. */

/* An error in the options. */
static void reject_options(lc_predictor *pred, const char *summary)
{
    lc_predict_error(pred, lc_str_from_c(summary), LC_STR_EMPTY, (lc_source_pos){NULL, 0, 0});
    pred->stop = true;
}

/* The options are checked in the order of the clients' command line: combination of -target and
 * -exclude, addresses of -replace, then the planning mode. */
void lc_predict_check_options(lc_predictor *pred)
{
    const lc_run_options *o = &pred->in->options;
    if (o->targets.list.count && o->excludes.list.count)
        reject_options(pred, LC_SUMMARY_OPTIONS_COMBINATION);
    for (size_t i = 0; i < o->replace.list.count; i++) {
        const lc_address *a = &o->replace.list.items[i];
        if (!lc_address_is_module(a) && a->mode == LC_MODE_MANAGED)
            continue;
        lc_str text = lc_address_text(pred->arena, a);
        lc_buf summary = {0};
        lc_buf_add_c(&summary, LC_SUMMARY_FORCE_REPLACE_ADDRESS);
        lc_buf_add_go_quoted(&summary, text);
        lc_predict_error(pred, lc_buf_take(pred->arena, &summary), text,
                         (lc_source_pos){NULL, 0, 0});
        pred->stop = true;
    }
    if (pred->stop)
        return;
    if (o->mode == LC_RUN_REFRESH_ONLY && o->no_refresh)
        reject_options(pred, LC_SUMMARY_REFRESH_OPTIONS);
    else if (o->mode != LC_RUN_NORMAL && o->replace.list.count)
        reject_options(pred, LC_SUMMARY_PLAN_MODE);
}

/* Which version runs is not known, but predictions are about the first major version: a constraint
 * that none of it meets is an error of every client. Both clients look at it before all else. */
static void check_versions(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        for (size_t k = 0; k < m->versions.count; k++) {
            const lc_config_version *v = &m->versions.items[k];
            if (lc_version_allows_major(v->text, 1))
                continue;
            lc_predict_error(pred,
                             is_opentofu(pred) ? LC_STR(LC_SUMMARY_VERSION_OPENTOFU)
                                               : LC_STR(LC_SUMMARY_VERSION_TERRAFORM),
                             m->path, v->place);
            pred->stop = true;
        }
    }
}

/* A later stage begins only if the earlier ones found nothing. */
static void report_problem(lc_predictor *pred, const lc_config_problem *p, bool loaded)
{
    if (p->warning || !p->summary.len || (p->stage >= LC_STAGE_GRAPH) != loaded)
        return;
    lc_run_error *e = lc_predict_error(pred, p->summary, p->address, p->place);
    e->detail = p->detail;
    e->loc = p->place.source ? e->loc : p->loc;
    pred->stop = true;
}

/* Problems found while reading the configuration, unless they are warnings or only lifecheck's own
 * limits (no summary). */
void lc_predict_check_files(lc_predictor *pred)
{
    check_versions(pred);
    if (pred->stop)
        return;
    for (size_t i = 0; i < pred->config->problems.count; i++)
        report_problem(pred, &pred->config->problems.items[i], false);
    bool loads = !pred->stop;
    for (size_t i = 0; loads && i < pred->config->problems.count; i++)
        report_problem(pred, &pred->config->problems.items[i], true);
}

/* ---- Static checks (`validate`): what is wrong whatever the values are. */

/* An error about a block, which precludes planning. */
static lc_run_error *report_block(lc_predictor *pred, const char *summary, lc_str address,
                                  lc_source_pos place)
{
    pred->stop = true;
    return lc_predict_error(pred, lc_str_from_c(summary), address, place);
}

/* What count and for_each refer to, and their value if nothing is missing. */
static void check_repetition(lc_predictor *pred, const lc_reference_user *user,
                             const lc_config_repetition *repetition, bool call)
{
    size_t from = pred->out->errors.count;
    lc_predict_references(pred, repetition->count, user);
    lc_predict_references(pred, repetition->for_each, user);
    if (pred->out->errors.count == from)
        lc_predict_validate_repetition(pred, user->module, repetition, call, user->address);
}

/* replace_triggered_by: OpenTofu looks for the resources during validation. */
static void check_triggers(lc_predictor *pred, const lc_config_resource *config, lc_str address)
{
    const lc_config_refs *refs = &config->lifecycle->replace_triggered_by;
    for (size_t i = 0; is_opentofu(pred) && i < refs->list.count; i++) {
        const lc_config_ref *ref = &refs->list.items[i];
        const lc_reference *to = ref->reference;
        if (!to || (to->root != LC_ROOT_RESOURCE && to->root != LC_ROOT_DATA)) {
            report_block(pred, LC_SUMMARY_REPLACE_TRIGGER, address, ref->place);
            continue;
        }
        lc_str text =
            lc_str_printf(pred->arena, "%s%.*s.%.*s", to->root == LC_ROOT_DATA ? "data." : "",
                          LC_FMT(to->type), LC_FMT(to->name));
        const lc_config_resource *other = lc_table_get(&config->module->resource, text);
        if (!config->module->incomplete && !other)
            report_block(pred, LC_SUMMARY_REPLACE_TRIGGER_UNDECLARED, address, ref->place);
        lc_source_pos place;
        if (other && !lc_predict_knows_attribute(pred, other, to, &place))
            report_block(pred, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE, address, place);
    }
}

/* each and count need the corresponding repetition of the block, and conditions must not refer to
 * their own resource except by `self`. */
static void check_condition_names(lc_predictor *pred, const lc_references *refs, const char *kind,
                                  const lc_config_resource *resource)
{
    for (size_t i = 0; resource && i < refs->list.count; i++) {
        const lc_reference *ref = refs->list.items[i];
        lc_str text =
            lc_str_printf(pred->arena, "%s%.*s.%.*s", ref->root == LC_ROOT_DATA ? "data." : "",
                          LC_FMT(ref->type), LC_FMT(ref->name));
        lc_str itself = lc_str_printf(pred->arena, "Invalid reference in %s", kind);
        if (ref->root == LC_ROOT_EACH && !resource->repetition.for_each)
            report_block(pred, LC_SUMMARY_EACH_WITHOUT_FOR_EACH, resource->address, ref->place);
        else if (ref->root == LC_ROOT_COUNT && !resource->repetition.count)
            report_block(pred, LC_SUMMARY_COUNT_WITHOUT_COUNT, resource->address, ref->place);
        else if ((ref->root == LC_ROOT_RESOURCE || ref->root == LC_ROOT_DATA) &&
                 lc_str_eq(text, resource->address))
            report_block(pred, lc_str_to_c(pred->arena, itself), resource->address, ref->place);
    }
}

/* Conditions must not refer to what they cannot have. */
static void check_conditions(lc_predictor *pred, const lc_config_conditions *conditions,
                             const char *kind, const lc_config_resource *resource)
{
    for (size_t i = 0; i < conditions->list.count; i++) {
        const lc_expr *expr = conditions->list.items[i].condition;
        lc_references refs = {pred->arena, {NULL, 0, 0}};
        if (!expr)
            continue;
        lc_expr_references(&refs, expr);
        check_condition_names(pred, &refs, kind, resource);
    }
}

/* The first step of an ignore_changes path must be in the schema. */
static void check_ignored(lc_predictor *pred, const lc_config_resource *config, lc_str address)
{
    const lc_schema *schema = lc_run_schema(&pred->in->provider, pred->config, config);
    const lc_config_refs *refs = &config->lifecycle->ignore_changes;
    for (size_t i = 0; schema && i < refs->list.count; i++) {
        lc_str text = refs->list.items[i].text;
        size_t end = 0;
        while (end < text.len && text.ptr[end] != '.' && text.ptr[end] != '[')
            end++;
        lc_str name = lc_str_sub(text, 0, end);
        if (!lc_block_attribute(schema->block, name) && !lc_block_block(schema->block, name))
            report_block(pred, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE, address, refs->list.items[i].place)
                ->detail = lc_str_printf(pred->arena, "%.*s has no attribute or block \"%.*s\"",
                                         LC_FMT(config->type), LC_FMT(name));
    }
}

/* A value that several resources use fails once. What is found in a body has a place of its own. */
static bool is_reported(lc_predictor *pred, size_t from, size_t end, const lc_eval_error *e)
{
    lc_loc loc = lc_predict_loc(pred, e->place);
    for (size_t i = from; i < end; i++) {
        const lc_run_error *was = &pred->out->errors.items[i];
        if (loc.line && lc_str_eq(was->summary, e->summary) && lc_str_eq(was->loc.file, loc.file) &&
            was->loc.line == loc.line && was->loc.column == loc.column)
            return true;
    }
    return false;
}

/* Unknown names and missing required arguments are errors whatever the values are. Other errors are
 * those of the body while nothing is planned, unless `names` is false: it refers to something that
 * there is not. `from`: the first error of the module's resources. False: there are errors. */
static bool check_body(lc_predictor *pred, lc_module_scope *scope, const lc_config_resource *config,
                       lc_str address, size_t from, bool names)
{
    size_t end = pred->out->errors.count;
    const lc_schema *schema = lc_run_schema(&pred->in->provider, pred->config, config);
    if (!schema || !lc_expr_is_object(config->body))
        return true;
    lc_module_instance m = {.config = scope->module, .scope = scope};
    lc_eval_scope w = {.run = pred, .module = &m, .arena = pred->scratch};
    lc_marked value;
    lc_eval_error trouble = {0};
    lc_arena_reset(pred->scratch);
    bool good = lc_predict_body_form(&w, config->body, schema->block, &trouble);
    bool fits = good; /* otherwise details are names; those of values may be secret */
    if (good && names &&
        !lc_predict_unresolved(&value, pred, pred->scratch, config->module, &config->repetition,
                               config->body, schema->block, &trouble))
        good = lc_predict_has_failing_local(pred, config->module, config->body);
    for (const lc_eval_error *e = &trouble; !good && e && e->summary.len; e = e->next) {
        if (!is_reported(pred, from, end, e))
            lc_predict_error(pred, e->summary, address, e->place)->detail =
                fits ? LC_STR_EMPTY : lc_str_copy(pred->arena, e->detail);
        pred->stop = true;
    }
    return good;
}

/* OpenTofu allows expressions for prevent_destroy, and rejects literals that are not a bool at
 * once. */
static void check_protection(lc_predictor *pred, const lc_config_resource *config, lc_str address)
{
    const lc_config_flag *flag = &config->lifecycle->prevent_destroy;
    if (is_opentofu(pred) && flag->unfit)
        report_block(pred, LC_SUMMARY_PREVENT_DESTROY_VALUE, address, flag->place);
}

/* An expression of a condition. The clients evaluate it even if a reference names no object, and
 * then no name has a value. */
static void check_condition(lc_predictor *pred, const lc_expr *expr, const lc_reference_user *user)
{
    lc_scope names = {.profile = pred->config->profile,
                      .files = &pred->config->files,
                      .both_operands = pred->config->client.both_operands,
                      .client = &pred->config->client,
                      .empty = true};
    lc_eval_error trouble = {0};
    lc_marked value;
    if (lc_predict_references(pred, expr, user) || lc_expr_errors(expr))
        return;
    lc_arena_reset(pred->scratch);
    if (lc_evaluate(&value, pred->scratch, expr, &names, 0, &trouble))
        return;
    for (const lc_eval_error *e = &trouble; e && e->summary.len; e = e->next)
        report_block(pred, lc_str_to_c(pred->arena, e->summary), user->address, e->place);
}

static void check_condition_references(lc_predictor *pred, const lc_config_conditions *conditions,
                                       const lc_reference_user *user)
{
    for (size_t i = 0; i < conditions->list.count; i++) {
        check_condition(pred, conditions->list.items[i].condition, user);
        check_condition(pred, conditions->list.items[i].message, user);
    }
}

/* Everything that a block of a resource refers to. What `self` means in conditions is looked at
 * when they are evaluated. False: the body refers to something that there is not. */
static bool check_names(lc_predictor *pred, const lc_config_resource *config, lc_str address)
{
    lc_reference_user user = {.module = config->module,
                              .address = address,
                              .check = config->check,
                              .repetition = &config->repetition};
    size_t errors = pred->out->errors.count;
    lc_predict_references(pred, config->body, &user);
    bool good = pred->out->errors.count == errors;
    lc_predict_depends(pred, &config->depends_on, &user);
    user.self_allowed = true;
    for (size_t i = 0; i < config->provisioners.count; i++) {
        lc_predict_references(pred, config->provisioners.items[i].body, &user);
        lc_predict_references(pred, config->provisioners.items[i].connection, &user);
    }
    lc_predict_references(pred, config->connection, &user);
    check_condition_references(pred, &config->lifecycle->preconditions, &user);
    check_condition_references(pred, &config->lifecycle->postconditions, &user);
    return good;
}

/* A type that its provider does not have. */
static bool is_missing(lc_predictor *pred, const lc_config_resource *config)
{
    const lc_run_provider *p = &pred->in->provider;
    lc_profile profile = pred->config->profile;
    lc_str name = lc_provider_name_of_type(config->type);
    if (config->provider)
        name = lc_provider_ref_parse(config->provider, profile).name;
    return p->lacks &&
           p->lacks(p->context, config->mode,
                    lc_provider_of(pred->arena, profile, config->module, name), config->type);
}

static void check_resource(lc_predictor *pred, lc_module_scope *scope,
                           const lc_config_resource *config, size_t from)
{
    static const char *const summaries[] = {
        [LC_MODE_MANAGED] = LC_SUMMARY_RESOURCE_TYPE,
        [LC_MODE_DATA] = LC_SUMMARY_DATA_TYPE,
        [LC_MODE_EPHEMERAL] = LC_SUMMARY_EPHEMERAL_TYPE,
    };
    lc_str address = lc_predict_config_text(pred, config);
    if (is_missing(pred, config)) {
        report_block(pred, summaries[config->mode], address, config->type_place);
        return;
    }
    lc_reference_user before = {.module = config->module, .address = address, .itself = config};
    check_repetition(pred, &before, &config->repetition, false);
    check_protection(pred, config, address);
    bool names = check_names(pred, config, address);
    if (!check_body(pred, scope, config, address, from, names) || !names)
        return; /* the clients look at the rest when the body is sound */
    check_triggers(pred, config, address);
    check_ignored(pred, config, address);
}

/* Errors of one block, which are not reported if something fails that the block needs. */
static void note_errors(lc_predictor *pred, const void *block, size_t from)
{
    if (block && pred->out->errors.count > from)
        *LC_PUSH(pred->arena, &pred->failing, lc_failing_block) =
            (lc_failing_block){block, from, pred->out->errors.count};
}

static void check_local_value(lc_predictor *pred, const lc_module *m, const lc_config_local *local)
{
    size_t from = pred->out->errors.count;
    lc_reference_user user = {.module = m, .address = local->name};
    lc_predict_references(pred, local->value, &user);
    if (pred->out->errors.count == from)
        lc_predict_validate_local(pred, m, local);
    note_errors(pred, local, from);
}

/* A root output that is sensitive whatever the values are must say so. */
static void check_output_value(lc_predictor *pred, const lc_module *m,
                               const lc_config_output *output)
{
    lc_marked value;
    if (!output->value || !lc_predict_validate_output(&value, pred, m, output))
        return;
    unsigned marks = lc_marks_all(value) & (LC_MARK_SENSITIVE | LC_MARK_UNDECIDED);
    if (!m->parent && !output->sensitive && marks == LC_MARK_SENSITIVE)
        report_block(pred, LC_SUMMARY_SECRET_OUTPUT, output->name, output->place);
}

/* A root module output of a sensitive value must be sensitive. Options select nothing yet. */
static void check_outputs(lc_predictor *pred, const lc_module *m)
{
    for (size_t i = 0; i < m->outputs.count; i++) {
        const lc_config_output *output = m->outputs.items[i];
        lc_reference_user user = {.module = m, .address = output->name};
        size_t from = pred->out->errors.count;
        lc_predict_references(pred, output->value, &user);
        lc_predict_depends(pred, &output->depends_on, &user);
        check_condition_references(pred, &output->preconditions, &user);
        bool good = pred->out->errors.count == from;
        if (!m->parent && output->ephemeral)
            report_block(pred,
                         is_opentofu(pred) ? LC_SUMMARY_ROOT_EPHEMERAL_OPENTOFU
                                           : LC_SUMMARY_ROOT_EPHEMERAL,
                         output->name, output->place);
        if (good)
            check_output_value(pred, m, output);
        note_errors(pred, output, from);
    }
}

/* Arguments of a module call must be variables of the module, and required variables must be
 * given. */
static void check_arguments(lc_predictor *pred, const lc_config_call *call)
{
    const lc_module *child = call->child;
    if (!child || child->incomplete || !lc_expr_is_object(call->arguments))
        return;
    lc_str name;
    const lc_expr *key;
    for (size_t i = 0; (key = lc_expr_key_at(&name, call->arguments, i)); i++) {
        if (name.len && !lc_table_get(&child->variable, name))
            report_block(
                pred,
                lc_predict_strange_name(call->arguments, lc_expr_value_at(call->arguments, i)),
                call->name, lc_expr_pos(key));
    }
    for (size_t i = 0; i < child->variables.count; i++) {
        const lc_config_variable *v = child->variables.items[i];
        if (!v->initial && !lc_expr_member_of(call->arguments, v->name))
            report_block(pred, LC_SUMMARY_MISSING_ARGUMENT, v->name,
                         lc_expr_is_native_body(call->arguments) ? lc_expr_pos(call->arguments)
                                                                 : call->place);
    }
}

/* The references in arguments of a module call: each is the value of a variable of its own. */
static void check_given(lc_predictor *pred, const lc_config_call *call,
                        const lc_reference_user *user)
{
    lc_str name;
    if (!lc_expr_is_object(call->arguments)) {
        lc_predict_references(pred, call->arguments, user);
        return;
    }
    lc_module_scope *scope = lc_predict_argument_scope(pred, call, user->module);
    for (size_t i = 0; lc_expr_key_at(&name, call->arguments, i); i++) {
        size_t from = pred->out->errors.count;
        const lc_expr *given = lc_expr_value_at(call->arguments, i);
        lc_predict_references(pred, given, user);
        if (pred->out->errors.count == from)
            lc_predict_validate_argument(pred, scope, name, given);
        note_errors(pred, call->child ? lc_table_get(&call->child->variable, name) : NULL, from);
    }
}

static void check_asserts(lc_predictor *pred, const lc_module *m)
{
    for (size_t i = 0; i < m->checks.count; i++) {
        const lc_config_check *check = &m->checks.items[i];
        lc_reference_user user = {.module = m, .address = check->name, .check = check->name};
        for (size_t k = 0; k < check->asserts.list.count; k++) {
            lc_predict_references(pred, check->asserts.list.items[k].condition, &user);
            lc_predict_references(pred, check->asserts.list.items[k].message, &user);
        }
    }
}

static void check_module(lc_predictor *pred, const lc_module *m)
{
    lc_module_scope *scope = lc_module_scope_new(pred->arena, &pred->around, m, NULL, NULL);
    for (size_t i = 0; i < m->calls.count; i++) {
        const lc_config_call *call = m->calls.items[i];
        size_t own = pred->out->errors.count;
        lc_reference_user user = {
            .module = m, .address = call->name, .repetition = &call->repetition};
        lc_reference_user before = {.module = m, .address = call->name};
        check_repetition(pred, &before, &call->repetition, true);
        note_errors(pred, call, own);
        size_t errors = pred->out->errors.count;
        check_arguments(pred, call);
        if (pred->out->errors.count == errors)
            check_given(pred, call, &user);
        lc_predict_depends(pred, &call->depends_on, &user);
    }
    for (size_t i = 0; i < m->locals.count; i++)
        check_local_value(pred, m, m->locals.items[i]);
    check_outputs(pred, m);
    check_asserts(pred, m);
    size_t from = pred->out->errors.count;
    for (size_t i = 0; i < m->resources.count; i++) {
        size_t own = pred->out->errors.count;
        check_resource(pred, scope, m->resources.items[i], from);
        note_errors(pred, m->resources.items[i], own);
    }
}

/* The block of a provider that some resource uses; the clients do not look at others. */
static void check_provider(lc_predictor *pred, const lc_provider_config *config)
{
    const lc_run_provider *p = &pred->in->provider;
    const lc_config_provider *block = config->block;
    const lc_schema *schema =
        p->schema ? p->schema(p->context, LC_KIND_PROVIDER, config->fqn, LC_STR_EMPTY) : NULL;
    lc_str address =
        lc_str_printf(pred->arena, "provider.%.*s", LC_FMT(lc_predict_provider_name(pred, config)));
    lc_reference_user user = {
        .module = block->module, .address = address, .repetition = &block->repetition};
    lc_marked value;
    lc_eval_error trouble = {0};
    size_t from = pred->out->errors.count;
    lc_predict_references(pred, block->body, &user);
    bool names = pred->out->errors.count == from;
    lc_arena_reset(pred->scratch);
    if (names &&
        !lc_predict_unresolved(&value, pred, pred->scratch, block->module, &block->repetition,
                               block->body, schema ? schema->block : NULL, &trouble) &&
        trouble.summary.len && !lc_predict_has_failing_local(pred, block->module, block->body))
        lc_predict_eval_error(pred, &trouble, address);
    pred->stop |= pred->out->errors.count > from;
    note_errors(pred, block, from);
}

static void check_providers(lc_predictor *pred)
{
    lc_table seen;
    lc_table_init(&seen, pred->arena);
    for (size_t i = 0; pred->providers && i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        for (size_t k = 0; k < m->resources.count; k++) {
            const lc_provider_config *config =
                lc_provider_config_of(pred->providers, m->resources.items[k]);
            if (config && config->block && !lc_table_put(&seen, LC_BYTES_OF(config->block), pred))
                check_provider(pred, config);
        }
    }
}

/* ---- Consequences. */

/* The clients walk through the graph: where something fails, they do not look at what needs it. */
static void drop_consequences(lc_predictor *pred)
{
    lc_table at;
    lc_table_init(&at, pred->arena);
    for (size_t i = 0; i < pred->failing.count; i++)
        lc_table_put_index(&at, LC_BYTES_OF(pred->failing.items[i].block), i);
    bool *drop =
        lc_arena_zalloc(pred->arena, lc_mul_size(pred->out->errors.count + 1, sizeof *drop));
    bool *failed =
        lc_arena_zalloc(pred->arena, lc_mul_size(pred->graph.nodes.count + 1, sizeof *failed));
    for (size_t i = 0; pred->failing.count && i < pred->graph.order_count; i++) {
        uint32_t id = pred->graph.order[i];
        const lc_graph_node *node = &pred->graph.nodes.items[id];
        size_t own = lc_table_get_index(&at, LC_BYTES_OF(node->block));
        for (size_t k = 0; k < node->needs.count && !failed[id]; k++)
            failed[id] = failed[node->needs.items[k]];
        if (own == LC_NO_INDEX ||
            node->kind == NODE_CLOSE) /* the call's errors are its first node's */
            continue;
        const lc_failing_block *f = &pred->failing.items[own];
        for (size_t k = f->from; failed[id] && k < f->to; k++)
            drop[k] = true;
        failed[id] = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < pred->out->errors.count; i++)
        if (!drop[i])
            pred->out->errors.items[kept++] = pred->out->errors.items[i];
    pred->out->errors.count = kept;
}

/* ---- Blocks by themselves. */

/* What runs when an object is destroyed may speak of that object only, because others may be gone.
 */
static bool is_left_at_destroy(const lc_reference *ref)
{
    static const char *const heads[] = {"self", "path", "terraform", "tofu", NULL};
    bool single = ref->path_count == 1 && ref->path[0].kind == LC_REF_ATTR;
    return lc_str_is_one_of(ref->head, heads, NULL) ||
           (single && ref->root == LC_ROOT_COUNT && lc_str_is(ref->name, "index")) ||
           (single && ref->root == LC_ROOT_EACH && lc_str_is(ref->name, "key"));
}

static void check_destroyer(lc_predictor *pred, const lc_expr *body, lc_str address)
{
    lc_str name;
    for (size_t i = 0; body && lc_expr_key_at(&name, body, i); i++) {
        const lc_expr *member = lc_expr_member_of(body, name);
        lc_references refs = {pred->arena, {NULL, 0, 0}};
        if (member)
            lc_expr_references(&refs, member);
        for (size_t k = 0; k < refs.list.count; k++) {
            if (!is_left_at_destroy(refs.list.items[k]))
                report_block(pred, LC_SUMMARY_DESTROY_REFERENCE, address, lc_expr_pos(member));
        }
    }
}

static void check_destroyers(lc_predictor *pred, const lc_config_resource *config, lc_str address)
{
    for (size_t i = 0; i < config->provisioners.count; i++) {
        const lc_config_provisioner *p = &config->provisioners.items[i];
        if (!p->destroy)
            continue;
        check_destroyer(pred, p->body, address);
        check_destroyer(pred, p->connection, address);
    }
}

/* A local that names itself is distinguished from longer cycles. */
static void check_local(lc_predictor *pred, const lc_config_local *local)
{
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    lc_expr_references(&refs, local->value);
    for (size_t i = 0; i < refs.list.count; i++) {
        const lc_reference *ref = refs.list.items[i];
        if (ref->root == LC_ROOT_LOCAL && lc_str_eq(ref->name, local->name))
            report_block(pred, LC_SUMMARY_SELF_LOCAL, local->name, ref->place);
    }
}

/* What the clients check in each block on its own, while loading the configuration. */
void lc_predict_check_blocks(lc_predictor *pred)
{
    lc_table seen;
    lc_table_init(&seen, pred->arena);
    for (size_t i = 0; i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        lc_predict_check_addresses(pred, m, &seen);
        for (size_t j = 0; j < m->resources.count; j++) {
            const lc_config_resource *config = m->resources.items[j];
            const lc_config_lifecycle *l = config->lifecycle;
            check_conditions(pred, &l->preconditions, "precondition", config);
            check_conditions(pred, &l->postconditions, "postcondition", config);
            check_destroyers(pred, config, config->address);
        }
        for (size_t j = 0; j < m->locals.count; j++)
            check_local(pred, m->locals.items[j]);
    }
}

/* What the clients check between blocks, once the whole configuration is loaded. */
void lc_predict_validate(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->config->modules.count; i++)
        check_module(pred, pred->config->modules.items[i]);
    check_providers(pred);
    drop_consequences(pred);
    for (size_t i = 0; !pred->stop && i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        for (size_t j = 0; j < m->removed.count; j++)
            lc_predict_check_gone(pred, &m->removed.items[j]);
    }
}
