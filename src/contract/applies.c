/* Conditions of rules that depend on more than features of the schema and the kinds of calls. A
 * rule is "not applicable" only where its condition is known not to hold; a condition is true where
 * that is not known. The table at the end has a row for each rule with a condition. */
#include "contract/judge.h"
#include "contract/walk/visit.h"
#include "lifecheck/cloudformation/cloudformation.h"

#include <string.h>

static bool any_call(const lc_run_view *v, bool (*is)(const lc_call *call))
{
    for (size_t i = 0; i < v->run->calls.count; i++) {
        if (is(&v->run->calls.items[i]))
            return true;
    }
    return false;
}

/* Counts the runs up to this one: rules about repetition look back. */
static size_t count_calls(const lc_judge *j, lc_call_kind kind)
{
    size_t count = 0;
    for (size_t run = 0; run < j->view->number; run++) {
        const lc_run *r = &j->subject->runs.items[run];
        for (size_t i = 0; i < r->calls.count; i++)
            count += r->calls.items[i].kind == kind;
    }
    return count;
}

static bool is_expected(const lc_call *call)
{
    return call->expected != NULL;
}

static bool answer_expected(const lc_judge *j)
{
    return any_call(j->view, is_expected);
}

static bool is_provider(const lc_judge *j)
{
    return j->view->schema->kind == LC_KIND_PROVIDER;
}

static bool states_what_is_stored(const lc_run_view *v)
{
    return v->stored_raw || v->saved_before;
}

static bool stores_an_object(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    return v->stored_raw ? !lc_is_null(v->stored_raw->attributes.value)
                         : !v->saved_before || !lc_is_null(v->saved_before);
}

static bool same_version(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    return !states_what_is_stored(v) ||
           (stores_an_object(j) && v->stored_version == v->schema->version);
}

static bool other_version(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    return !states_what_is_stored(v) ||
           (stores_an_object(j) && v->stored_version < v->schema->version);
}

/* Some configuration has an unknown, or no configuration is known. */
static bool config_has_unknown(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    bool unknown = v->config && !lc_is_wholly_known(v->config), any = v->config;
    for (size_t i = 0; i < v->run->calls.count && !unknown; i++) {
        const lc_call *call = &v->run->calls.items[i];
        if (call->kind != LC_CALL_VALIDATE || !lc_field_has_value(&call->config))
            continue;
        any = true;
        unknown = !lc_is_wholly_known(call->config.value);
    }
    return unknown || !any;
}

static bool is_set_write_only(lc_visit *visit, const lc_attribute *a, const lc_value *v,
                              const lc_trail *at)
{
    bool *found = visit->context;
    (void)at;
    *found = *found || (a->write_only && !lc_is_null(v));
    return !*found;
}

static bool sets_write_only(const lc_judge *j)
{
    bool found = !j->view->config;
    lc_visit visit = {&found, is_set_write_only, NULL};
    if (!found)
        lc_visit_object(&visit, j->view->block, j->view->config);
    return found;
}

static bool is_applied(const lc_judge *j)
{
    return j->view->call[LC_CALL_APPLY];
}

static bool upgraded_twice(const lc_judge *j)
{
    return count_calls(j, LC_CALL_UPGRADE) > 1;
}

static bool not_imported(const lc_judge *j)
{
    return !j->view->call[LC_CALL_IMPORT];
}

/* Either a read right after the apply, or the read of the run that follows an apply, from the
 * second one on. */
static bool read_again(const lc_judge *j)
{
    const lc_call *apply = j->view->call[LC_CALL_APPLY];
    bool at_once = j->view->call[LC_CALL_REREAD] && (!apply || apply->failed != LC_YES);
    return at_once || (j->view->after_apply && j->reads_after_apply > 0);
}

static bool is_identity(const lc_field *field)
{
    return field->state != LC_FIELD_ABSENT && !field->untyped &&
           !(field->value && lc_is_null(field->value));
}

static bool has_identity(const lc_call *call)
{
    bool found = is_identity(&call->identity);
    for (size_t i = 0; i < call->imported.count; i++)
        found = found || is_identity(&call->imported.items[i].identity);
    return found;
}

static bool identity_unasked(const lc_judge *j)
{
    return !j->view->schema->identity_type &&
           (any_call(j->view, has_identity) || lc_identity_is_untyped(j));
}

static bool identity_stored(const lc_judge *j)
{
    return lc_raw_identity(j) != NULL;
}

static bool identity_of_version(const lc_judge *j)
{
    const lc_raw_state *raw = lc_raw_identity(j);
    return raw && raw->identity_schema_version == j->view->schema->identity_version;
}

/* A read is of an existing object. Other calls are only if the run does not delete, create or
 * replace it. The read after an import may differ from nothing. */
static bool identity_persists(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    bool another = v->deleting || v->replacing || v->run->tainted == LC_YES ||
                   (v->sent_prior && lc_is_null(v->sent_prior));
    bool read = v->call[LC_CALL_READ] || v->call[LC_CALL_REREAD];
    bool any = v->schema->identity_type || lc_identity_is_untyped(j);
    bool imported = !not_imported(j);
    if (imported)
        return any && v->call[LC_CALL_READ] && lc_identity_before(j, v->call[LC_CALL_READ]);
    return any && (!another || read);
}

static bool may_be_deferred(const lc_call *call)
{
    return call->deferred != LC_NO;
}

static bool deferred(const lc_judge *j)
{
    return any_call(j->view, may_be_deferred);
}

static bool deferred_finally(const lc_judge *j)
{
    const lc_call *final = j->view->call[LC_CALL_FINAL_PLAN];
    const lc_call *plan = j->view->call[LC_CALL_PLAN];
    return final && final->deferred != LC_NO && !(plan && plan->deferred == LC_YES);
}

/* Some call that may be deferred has not been allowed to be. */
static bool deferral_refused(const lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (may_be_deferred(call) && lc_deferral_allowed(j, call) != LC_YES)
            return true;
    }
    return false;
}

static bool may_lack_config(const lc_call *call)
{
    return call->deferred == LC_NOT_KNOWN ||
           (call->deferred == LC_YES &&
            lc_str_is(call->deferred_reason, "RESOURCE_CONFIG_UNKNOWN"));
}

static bool deferred_for_config(const lc_judge *j)
{
    return any_call(j->view, may_lack_config);
}

static bool may_be_legacy(const lc_call *call)
{
    return call->legacy != LC_NO;
}

/* As long as the protocol version is not known, a schema that SDKv2 can express may be one of
 * SDKv2. */
static bool legacy(const lc_judge *j)
{
    return j->view->schema->not_legacy && any_call(j->view, may_be_legacy);
}

static bool plan_has_prior(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    if (!plan || plan->prior_state.state != LC_FIELD_GIVEN || v->run->tainted == LC_YES)
        return false;
    /* null is sent for a create, and also for an object that is tainted */
    return v->run->prior_state.state != LC_FIELD_DERIVED &&
           (!lc_is_null(plan->prior_state.value) || (v->run->tainted == LC_NO && v->prior));
}

/* ... or one of the plans of which only the call itself says what it was given. */
static bool any_plan_has_prior(const lc_judge *j)
{
    const lc_call *final = j->view->call[LC_CALL_FINAL_PLAN];
    const lc_call *destroy = j->view->call[LC_CALL_DESTROY_PLAN];
    bool returned = j->view->call[LC_CALL_READ] || j->view->call[LC_CALL_UPGRADE] ||
                    j->view->call[LC_CALL_MOVE];
    bool creates = final && final->prior_state.state == LC_FIELD_GIVEN &&
                   lc_is_null(final->prior_state.value) && !returned; /* nothing was there */
    return plan_has_prior(j) || (final && final->prior_state.state == LC_FIELD_GIVEN && !creates) ||
           (destroy && destroy->prior_state.state == LC_FIELD_GIVEN);
}

static bool failed(const lc_call *call)
{
    return call->failed == LC_YES && !call->interrupted;
}

static bool anything_failed(const lc_judge *j)
{
    return any_call(j->view, failed);
}

static bool configuration_known(const lc_call *call)
{
    return call->configured != LC_NOT_KNOWN;
}

static bool knows_configuration(const lc_judge *j)
{
    return any_call(j->view, configuration_known);
}

static bool shows_an_identity(const lc_judge *j)
{
    return any_call(j->view, has_identity);
}

static bool follows_a_run(const lc_judge *j)
{
    return j->before && j->view->stored_raw;
}

static bool gets_private(const lc_call *call)
{
    return call->has_request_private;
}

static bool gets_something(const lc_call *call)
{
    bool apply = call->kind == LC_CALL_APPLY || call->kind == LC_CALL_DESTROY;
    return apply && (gets_private(call) || call->planned.state == LC_FIELD_GIVEN ||
                     call->prior_state.state == LC_FIELD_GIVEN);
}

static bool apply_is_asked(const lc_judge *j)
{
    return any_call(j->view, gets_something);
}

static bool private_is_sent(const lc_judge *j)
{
    return any_call(j->view, gets_private);
}

static bool refresh_only(const lc_judge *j)
{
    return j->view->run->refresh_only != LC_NO;
}

static bool asked_again(const lc_judge *j)
{
    return j->asked_again;
}

static bool was_applied(const lc_judge *j)
{
    return j->view->call[LC_CALL_APPLY] || !j->view->run->order_known;
}

static bool is_no_replace(const lc_judge *j)
{
    return !j->view->replacing;
}

static bool read_after_plan(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[v->deleting ? LC_CALL_DESTROY_PLAN : LC_CALL_PLAN];
    const lc_run *run = v->run;
    for (size_t i = plan ? plan->index : run->calls.count; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == LC_CALL_READ)
            return run->order_known;
    }
    return false;
}

static bool ignores_changes(const lc_judge *j)
{
    return j->view->run->has_ignore_changes && j->view->prior && !lc_is_null(j->view->prior);
}

static bool action_recorded(const lc_judge *j)
{
    return j->view->run->recorded != LC_ACTION_NONE;
}

static bool tainted(const lc_judge *j)
{
    return j->view->run->tainted != LC_NO && !j->view->deleting;
}

static bool forced(const lc_judge *j)
{
    return j->view->run->force_replace != LC_NO && !j->view->deleting && !tainted(j);
}

static bool replaced(const lc_judge *j)
{
    lc_action action = j->view->run->recorded;
    return action == LC_ACTION_DELETE_THEN_CREATE || action == LC_ACTION_CREATE_THEN_DELETE ||
           (action == LC_ACTION_NONE && j->view->replacing);
}

static bool action_follows_values(const lc_judge *j)
{
    return action_recorded(j) && !tainted(j) && !forced(j);
}

static bool has_ephemeral(const lc_judge *j)
{
    return j->view->run->ephemeral.count > 0;
}

static bool has_diagnostics(const lc_call *call)
{
    return call->diagnostics.count > 0;
}

static bool diagnosed(const lc_judge *j)
{
    return any_call(j->view, has_diagnostics);
}

static bool has_placed_diagnostics(const lc_call *call)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        if (call->diagnostics.items[i].has_path)
            return true;
    }
    return false;
}

static bool diagnosed_at_a_place(const lc_judge *j)
{
    return any_call(j->view, has_placed_diagnostics);
}

static bool imported(const lc_judge *j)
{
    const lc_call *import = j->view->call[LC_CALL_IMPORT];
    return import && import->failed != LC_YES;
}

static bool import_settled(const lc_judge *j)
{
    return imported(j) && j->view->call[LC_CALL_IMPORT]->deferred != LC_YES;
}

/* An object was returned, or it is not stated what was returned. */
static bool import_returned(const lc_judge *j)
{
    const lc_call *import = j->view->call[LC_CALL_IMPORT];
    return imported(j) && (import->imported.count > 0 || !import->imported.items);
}

static bool import_returned_now(const lc_judge *j)
{
    return import_returned(j) && import_settled(j);
}

static bool import_by_id(const lc_judge *j)
{
    return import_returned(j) &&
           j->view->call[LC_CALL_IMPORT]->prior_identity.state == LC_FIELD_ABSENT;
}

static bool import_is_read(const lc_judge *j)
{
    const lc_call *read = j->view->call[LC_CALL_READ];
    return imported(j) && !(read && (read->failed == LC_YES || read->deferred == LC_YES));
}

static bool import_generates(const lc_judge *j)
{
    const lc_call *import = j->view->call[LC_CALL_IMPORT];
    return imported(j) &&
           (import->generated_config.state != LC_FIELD_ABSENT || import->generate_loc.line ||
            j->view->run->capabilities.generate_resource_config != LC_NO);
}

static bool import_generated(const lc_judge *j)
{
    return imported(j) && j->view->call[LC_CALL_IMPORT]->generated_config.state != LC_FIELD_ABSENT;
}

static bool settled(const lc_call *call)
{
    return !call || (call->failed != LC_YES && call->deferred != LC_YES);
}

static bool data_settled(const lc_judge *j)
{
    return settled(j->view->call[LC_CALL_DATA]);
}

static bool open_settled(const lc_judge *j)
{
    return settled(j->view->call[LC_CALL_OPEN]);
}

static bool is_list(const lc_judge *j)
{
    return j->view->schema->kind == LC_KIND_LIST;
}

static bool is_about_an_object(const lc_call *call)
{
    return !call->function;
}

static bool not_only_functions(const lc_judge *j)
{
    return j->view->run->calls.count == 0 || any_call(j->view, is_about_an_object);
}

static bool called_again(const lc_judge *j)
{
    return j->function_again;
}

static bool names_an_argument(const lc_call *call)
{
    return call->function && call->function->has_error_argument;
}

static bool error_names_an_argument(const lc_judge *j)
{
    return any_call(j->view, names_an_argument);
}

static bool invoked(const lc_judge *j)
{
    const lc_call *call = j->view->call[LC_CALL_ACTION];
    return !call || call->streamed != LC_NOT_KNOWN || settled(call);
}

static bool data_may_wait(const lc_judge *j)
{
    const lc_call *data = j->view->call[LC_CALL_DATA];
    return !data || data->applying != LC_NO || data->planned.state == LC_FIELD_GIVEN;
}

static bool data_has_to_wait(const lc_judge *j)
{
    const lc_value *config = j->view->config;
    return !config || !lc_is_wholly_known(config) || j->view->run->depends_on_pending != LC_NO;
}

static bool data_need_not_wait(const lc_judge *j)
{
    const lc_value *config = j->view->config;
    return !config || (lc_is_wholly_known(config) && j->view->run->depends_on_pending != LC_YES);
}

static bool moves_object(const lc_judge *j)
{
    const lc_call *move = j->view->call[LC_CALL_MOVE];
    if (!move || move->failed == LC_YES)
        return false;
    const lc_field *source = &move->raw.attributes;
    return !(move->raw.given && lc_field_has_value(source) && lc_is_null(source->value));
}

/* ---- CloudFormation. */

static bool is_captured(const lc_judge *j)
{
    return j->view->schema->captured;
}

static bool may_create(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    return !v->sent_prior || lc_is_null(v->sent_prior) || v->replacing;
}

static bool may_update(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    return !v->deleting && (!v->sent_prior || !lc_is_null(v->sent_prior));
}

static bool may_patch(const lc_judge *j)
{
    return may_update(j) && !j->view->replacing;
}

static bool never_updatable(const lc_judge *j)
{
    const lc_cfn_type *type = j->view->schema->cloudformation;
    return may_update(j) && type && !type->updatable;
}

static bool is_validated(const lc_judge *j)
{
    return j->view->call[LC_CALL_VALIDATE] != NULL;
}

/* Rules without an entry apply in all cases with their calls and features. */
static bool (*const conditions[LC_RULE_COUNT])(const lc_judge *j) = {
    [LC_RULE_WIRE_VALUE_DECODE] = not_only_functions,
    [LC_RULE_WIRE_DIAG_SEVERITY] = diagnosed,
    [LC_RULE_WIRE_DIAG_PATH] = diagnosed_at_a_place,
    [LC_RULE_WIRE_UNKNOWN_TYPE_NAME] = import_returned,
    [LC_RULE_IMPORT_NONE] = import_settled,
    [LC_RULE_IMPORT_MULTIPLE] = imported,
    [LC_RULE_IMPORT_TYPE_NAME_EMPTY] = import_returned,
    [LC_RULE_IMPORT_TYPE_NAME_OTHER] = import_returned,
    [LC_RULE_IMPORT_NULL_STATE] = import_returned_now,
    [LC_RULE_IMPORT_NONEXISTENT] = import_is_read,
    [LC_RULE_IMPORT_STUB_EMPTY] = import_by_id,
    [LC_RULE_IMPORT_STUB_UNKNOWN] = import_returned_now,
    [LC_RULE_IMPORT_NO_READ] = import_returned_now,
    [LC_RULE_IMPORT_PARTIAL_PLAN] = imported,
    [LC_RULE_IMPORT_GENERATED_CONFIG] = import_generates,
    [LC_RULE_IMPORT_GENERATE_WITHOUT_CAPABILITY] = import_generated,
    [LC_RULE_LIST_IDENTITY_SCHEMA] = is_list,
    [LC_RULE_ACTION_NO_EVENTS] = invoked,
    [LC_RULE_ACTION_UNKNOWN_EVENT] = invoked,
    [LC_RULE_FUNCTION_IMPURE] = called_again,
    [LC_RULE_FUNCTION_ERROR_ARGUMENT] = error_names_an_argument,
    [LC_RULE_DEFERRED_ACTION_REASON] = deferred,
    [LC_RULE_MOVE_NULL] = moves_object,
    [LC_RULE_MOVE_MEANING_CHANGED] = moves_object,
    [LC_RULE_DATA_NULL] = data_settled,
    [LC_RULE_DATA_CONFIG_CHANGED] = data_settled,
    [LC_RULE_DATA_PLANNED_OBJECT] = data_may_wait,
    [LC_RULE_DATA_READ_EARLY] = data_has_to_wait,
    [LC_RULE_DATA_READ_LATE] = data_need_not_wait,
    [LC_RULE_EPHEMERAL_NULL] = open_settled,
    [LC_RULE_EPHEMERAL_CONFIG_CHANGED] = open_settled,
    [LC_RULE_CONFIG_EPHEMERAL_OUTSIDE_WRITEONLY] = has_ephemeral,
    [LC_RULE_VALIDATE_PREPARED_CONFIG] = is_provider,
    [LC_RULE_VALIDATE_REJECTS_UNKNOWN] = config_has_unknown,
    [LC_RULE_VALIDATE_REJECTS_COMPUTED_UNKNOWN] = config_has_unknown,
    [LC_RULE_VALIDATE_NOT_REPEATED] = config_has_unknown,
    [LC_RULE_VALIDATE_NEVER_KNOWN] = is_applied,
    [LC_RULE_WO_CONFIG_DROPPED] = sets_write_only,
    [LC_RULE_UPGRADE_LOST] = stores_an_object,
    [LC_RULE_UPGRADE_MEANING_CHANGED] = same_version,
    [LC_RULE_UPGRADE_CAPTURED_DRIFT] = other_version,
    [LC_RULE_UPGRADE_NOT_IDEMPOTENT] = upgraded_twice,
    [LC_RULE_READ_NORMALIZED] = not_imported,
    [LC_RULE_READ_DRIFT] = not_imported,
    [LC_RULE_READ_PARTIAL_DRIFT] = not_imported,
    [LC_RULE_READ_PRIOR_NOT_USED] = not_imported,
    [LC_RULE_READ_AFTER_APPLY_UNSTABLE] = read_again,
    [LC_RULE_IDENTITY_NO_SCHEMA] = identity_unasked,
    [LC_RULE_IDENTITY_UPGRADE_NEWER] = identity_stored,
    [LC_RULE_IDENTITY_NOT_VERSIONED] = identity_of_version,
    [LC_RULE_IDENTITY_CHANGED] = identity_persists,
    [LC_RULE_DEFERRED_NOT_ALLOWED] = deferral_refused,
    [LC_RULE_DEFERRED_DURING_APPLY] = deferred_finally,
    [LC_RULE_DEFERRED_REASON] = deferred,
    [LC_RULE_DEFERRED_REASON_CONFIG] = deferred_for_config,
    [LC_RULE_LEGACY_FLAG_V6] = legacy,
    [LC_RULE_SEQUENCE_PRIOR_CHAIN] = any_plan_has_prior,
    [LC_RULE_SEQUENCE_READ_INPUT] = not_imported,
    [LC_RULE_SEQUENCE_IDENTITY_CHAIN] = shows_an_identity,
    [LC_RULE_SEQUENCE_AFTER_ERROR] = anything_failed,
    [LC_RULE_SEQUENCE_UNCONFIGURED] = knows_configuration,
    [LC_RULE_SEQUENCE_STATE_CHAIN] = follows_a_run,
    [LC_RULE_SEQUENCE_PLAN_TWICE] = was_applied,
    [LC_RULE_SEQUENCE_NOOP_APPLIED] = is_no_replace,
    [LC_RULE_SEQUENCE_APPLY_INPUT] = apply_is_asked,
    [LC_RULE_SEQUENCE_PRIVATE_CHAIN] = private_is_sent,
    [LC_RULE_SEQUENCE_REFRESH_ONLY] = refresh_only,
    [LC_RULE_SEQUENCE_NOT_DETERMINISTIC] = asked_again,
    [LC_RULE_DRIVE_ANSWER] = answer_expected,
    [LC_RULE_SEQUENCE_PERPETUAL_DIFF] = lc_plans_applied_object,
    [LC_RULE_SEQUENCE_PLAN_SIDE_EFFECT] = read_after_plan,
    [LC_RULE_BEHAVIOR_IGNORE_CHANGES_IGNORED] = ignores_changes,
    [LC_RULE_BEHAVIOR_IGNORE_PATH_INEFFECTIVE] = ignores_changes,
    [LC_RULE_BEHAVIOR_TAINTED_NOT_REPLACED] = tainted,
    [LC_RULE_BEHAVIOR_FORCED_REPLACE] = forced,
    [LC_RULE_BEHAVIOR_CBD_ORDER] = replaced,
    [LC_RULE_BEHAVIOR_WRONG_ACTION] = action_follows_values,
    [LC_RULE_CFN_TYPE_NAME] = is_captured,
    [LC_RULE_CFN_SCHEMA_ATTRIBUTE] = is_captured,
    [LC_RULE_CFN_SCHEMA_TYPE] = is_captured,
    [LC_RULE_CFN_SCHEMA_FLAGS] = is_captured,
    [LC_RULE_CFN_ID_ATTRIBUTE] = is_captured,
    [LC_RULE_CFN_PLAN_COMPUTED_NULL] = may_create,
    [LC_RULE_CFN_CREATE_ID] = may_create,
    [LC_RULE_CFN_CREATE_FAILED_STATE] = may_create,
    [LC_RULE_CFN_PLAN_COMPUTED_INVENTED] = may_update,
    [LC_RULE_CFN_PLAN_MULTISET] = may_update,
    [LC_RULE_CFN_REPLACE_MISSING] = may_update,
    [LC_RULE_CFN_REPLACE_UNNEEDED] = may_update,
    [LC_RULE_CFN_REPLACE_NEVER_UPDATE] = never_updatable,
    [LC_RULE_CFN_UPDATE_ID] = may_update,
    [LC_RULE_CFN_MISSING_VALIDATION] = is_validated,
    [LC_RULE_CFN_DESIRED_STATE] = may_create,
    [LC_RULE_CFN_DESIRED_READONLY] = may_create,
    [LC_RULE_CFN_CREATE_UNKNOWN] = may_create,
    [LC_RULE_CFN_UPDATE_UNKNOWN] = may_patch,
    [LC_RULE_CFN_PATCH_SYNTAX] = may_patch,
    [LC_RULE_CFN_PATCH_RESULT] = may_patch,
    [LC_RULE_CFN_PATCH_CREATEONLY] = may_patch,
    [LC_RULE_CFN_PATCH_READONLY] = may_patch,
    [LC_RULE_CFN_PATCH_POSITIONAL] = may_patch,
    [LC_RULE_CFN_PATCH_EMPTY] = may_patch,
    [LC_RULE_CFN_PATCH_WRITEONLY] = may_patch,
};

/* A prober sends requests in its own order. What it sends is nevertheless compared with what a
 * client would send. */
static bool is_about_clients(lc_rule rule)
{
    lc_str family = lc_rule_family(rule);
    return rule == LC_RULE_UPGRADE_NEWER_STATE ||
           (lc_rule_get(rule)->blame == LC_CLIENT && !lc_str_is(family, "config") &&
            !lc_str_is(family, "proposed") && !lc_str_is(family, "wo"));
}

bool lc_rule_applies(const lc_judge *j, lc_rule rule)
{
    if (rule >= LC_RULE_PROBE_PLAN_REJECTS_UNKNOWN && rule <= LC_RULE_PROBE_NEWER_ACCEPTED)
        return lc_probe_was_judged(j, rule);
    if (rule >= LC_RULE_GATE_UPGRADE_FAILS && rule <= LC_RULE_GATE_APPLY_CHANGES)
        return lc_gate_was_judged(j, rule);
    if (j->view->run->probed && is_about_clients(rule))
        return false;
    return !conditions[rule] || conditions[rule](j);
}
