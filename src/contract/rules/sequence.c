/* Family sequence: what links the calls of a run, and the runs of a case (contract-rules 3.19).
 * Rules about the number and order of calls apply only where the input knows them (recordings,
 * `calls:`). */
#include "contract/rules/sequence.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"

#include <string.h>

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field; /* NULL: point at the call */
    lc_rule rule;
    lc_column promised_by, broken_by;
    const char *note;
} context;

/* A finding without a call is about the stored state, which belongs to the upgrade even if none was
 * recorded. */
static lc_finding *emit(context *x, lc_path path)
{
    lc_finding *f = lc_emit(x->j, &(lc_breach){.rule = x->rule,
                                               .call = x->call,
                                               .path = path,
                                               .field = x->field,
                                               .loc = x->call ? x->call->loc : x->j->view->run->loc,
                                               .promised_by = x->promised_by,
                                               .broken_by = x->broken_by,
                                               .note = lc_str_from_c(x->note),
                                               .apart = !x->field});
    if (!x->call)
        f->call.kind = LC_CALL_UPGRADE;
    return f;
}

static void each_difference(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    (void)a;
    (void)b;
    emit(opaque, path);
}

/* One finding for every place where the values differ. */
static void compare(context *x, const lc_value *want, const lc_value *got)
{
    lc_each_difference(x->j->scratch, want, got, each_difference, x);
}

static const lc_value *given(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN ? field->value : NULL;
}

/* ---- sequence/prior-chain. */

bool lc_may_be_sent(lc_judge *j, const lc_value *read, const lc_value *sent)
{
    if (!lc_is_known(read))
        return false;
    read = lc_value_unknown_as_null(j->scratch, read);
    const lc_value *normal = lc_normalize_legacy(j->scratch, j->view->block, read);
    return lc_value_same(read, sent) || (normal && lc_value_same(normal, sent));
}

/* For a tainted object null is sent, so nothing is compared. */
static void judge_prior_chain(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    const lc_value *sent = plan ? given(&plan->prior_state) : NULL;
    const lc_value *read = given(&v->run->prior_state);
    bool tainted =
        v->run->tainted == LC_YES || (v->run->tainted != LC_NO && sent && lc_is_null(sent));
    if (!sent || !read || tainted || lc_may_be_sent(j, read, sent))
        return;
    context x = {j,
                 plan,
                 &plan->prior_state,
                 LC_RULE_SEQUENCE_PRIOR_CHAIN,
                 LC_COLUMN_PRIOR,
                 LC_COLUMN_NONE,
                 "the plan is given another prior state than the last read returned"};
    compare(&x, read, sent);
}

/* ---- sequence/state-chain. */

/* If the stored version is that of the run before, its schema decodes the stored object; else the
 * whole object is reported. */
static void judge_state_chain(lc_judge *j)
{
    const lc_run_view *before = j->before;
    const lc_raw_state *raw = j->view->stored_raw;
    if (!before || !before->saved || !raw)
        return;
    context x = {j,
                 j->view->call[LC_CALL_UPGRADE],
                 &raw->attributes,
                 LC_RULE_SEQUENCE_STATE_CHAIN,
                 LC_COLUMN_NONE,
                 LC_COLUMN_STORED,
                 "not the new state of the previous run"};
    const lc_value *stored = NULL;
    if (raw->schema_version == before->schema->version || lc_is_null(raw->attributes.value))
        stored = lc_stored_decode(j->scratch, raw->attributes.value, before->block->implied, false);
    if (stored) {
        compare(&x, before->saved, stored);
        return;
    }
    x.note = "not the new state of the previous run: another schema version, or another form";
    emit(&x, LC_PATH_ROOT);
}

/* ---- sequence/plan-twice, sequence/refresh-only, sequence/noop-applied. */

static bool changes(lc_action action)
{
    return action != LC_ACTION_NONE && action != LC_ACTION_NOOP && action != LC_ACTION_DELETE &&
           action != LC_ACTION_FORGET && action != LC_ACTION_READ;
}

/* Was the object planned in the apply phase? A plan call that the input does not mark as one of the
 * apply phase may still be the second plan. */
static bool planned_again(const lc_run_view *v)
{
    const lc_call *plan = v->call[LC_CALL_PLAN];
    for (size_t i = plan ? plan->index : 0; i < v->run->calls.count; i++) {
        lc_call_kind kind = v->run->calls.items[i].kind;
        if (kind == LC_CALL_FINAL_PLAN || (plan && kind == LC_CALL_PLAN))
            return true;
    }
    return false;
}

/* Both cores plan again before they apply, since unknown values are known then. */
static void judge_plan_twice(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *apply = v->call[LC_CALL_APPLY];
    bool never =
        v->run->all_calls == LC_YES && !v->call[LC_CALL_PLAN] && !v->call[LC_CALL_PLAN_CREATE];
    if (!apply || !v->run->order_known || planned_again(v) ||
        !(never || changes(v->core[LC_OPENTOFU].action)))
        return;
    context x = {j,
                 apply,
                 NULL,
                 LC_RULE_SEQUENCE_PLAN_TWICE,
                 LC_COLUMN_NONE,
                 LC_COLUMN_NONE,
                 "applied without a plan in the apply phase"};
    lc_finding_misses(j, emit(&x, LC_PATH_ROOT), LC_CALL_FINAL_PLAN);
}

static void judge_refresh_only(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count && run->refresh_only == LC_YES; i++) {
        const lc_call *call = &run->calls.items[i];
        lc_call_kind kind = call->kind;
        bool refused = kind == LC_CALL_PLAN || kind == LC_CALL_PLAN_CREATE ||
                       kind == LC_CALL_FINAL_PLAN || kind == LC_CALL_DESTROY_PLAN ||
                       kind == LC_CALL_APPLY || kind == LC_CALL_DESTROY;
        context x = {j,
                     call,
                     NULL,
                     LC_RULE_SEQUENCE_REFRESH_ONLY,
                     LC_COLUMN_NONE,
                     LC_COLUMN_NONE,
                     "a refresh-only run plans and applies nothing"};
        if (refused)
            emit(&x, LC_PATH_ROOT);
    }
}

/* The last plan counts: an update of the plan phase may turn out to be none in the apply phase. */
static void judge_noop_applied(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *apply = v->call[LC_CALL_APPLY];
    bool nothing = v->core[LC_OPENTOFU].action == LC_ACTION_NOOP &&
                   v->core[LC_TERRAFORM].action == LC_ACTION_NOOP;
    if (v->sent_prior && v->promised && !lc_is_null(v->sent_prior))
        nothing = nothing || lc_value_same(v->promised, v->sent_prior);
    if (!apply || !nothing || v->replacing)
        return;
    context x = {j,
                 apply,
                 NULL,
                 LC_RULE_SEQUENCE_NOOP_APPLIED,
                 LC_COLUMN_NONE,
                 LC_COLUMN_NONE,
                 "applied, though the planned state equals the prior state"};
    emit(&x, LC_PATH_ROOT);
}

/* ---- Private data. */

/* Private data as far as it is known; `nothing` is known to be empty. */
typedef struct bytes {
    bool known;
    lc_str data;
} bytes;

static const bytes not_known = {.known = false};
static const bytes nothing = {.known = true};

/* The last call of a kind before another call, or NULL. */
static const lc_call *last_before(const lc_run_view *v, lc_call_kind kind, const lc_call *call)
{
    for (size_t i = call->index; i > 1; i--) {
        const lc_call *before = &v->run->calls.items[i - 2];
        if (before->kind == kind)
            return before;
    }
    return NULL;
}

/* What a failed call returned is not handed on. */
static bytes returned_by(const lc_call *call)
{
    if (!call || !call->has_private || call->failed == LC_YES)
        return not_known;
    return (bytes){true, call->private_data};
}

/* The private data that is stored with the object at the beginning of the run. */
static bytes stored_private(const lc_run_view *v)
{
    const lc_run *run = v->run;
    const lc_call *import = v->call[LC_CALL_IMPORT];
    if (import && import->imported.count)
        return (bytes){import->imported.items[0].has_private,
                       import->imported.items[0].private_data};
    if (v->call[LC_CALL_MOVE])
        return returned_by(v->call[LC_CALL_MOVE]);
    if (run->has_prior_private)
        return (bytes){true, run->prior_private};
    if (run->previous_run_state.given && run->previous_run_state.has_private)
        return (bytes){true, run->previous_run_state.private_data};
    return not_known;
}

/* The private data of the refreshed object before a call. If the result of the read does not have
 * it, it is not known. */
static bytes current_private(const lc_run_view *v, const lc_call *call)
{
    const lc_call *read = last_before(v, LC_CALL_READ, call);
    return read ? returned_by(read) : stored_private(v);
}

/* A final plan comes from the plan file, which has neither an object nor its private data if the
 * read found that it was gone. */
static bytes final_private(const lc_run_view *v, const lc_call *call)
{
    const lc_call *read = last_before(v, LC_CALL_READ, call);
    bool gone = read && lc_field_has_value(&read->result) && lc_is_null(read->result.value);
    return gone ? nothing : current_private(v, call);
}

/* The private data of the plan that an apply carries out. */
static bytes planned_private(const lc_run_view *v, const lc_call *call)
{
    const lc_call *final = last_before(v, LC_CALL_FINAL_PLAN, call);
    if (final)
        return returned_by(final);
    bool twice = v->replacing && v->run->tainted != LC_YES;
    return returned_by(v->call[twice ? LC_CALL_PLAN_CREATE : LC_CALL_PLAN]);
}

/* The private data for the apply that destroys an object. In a replace with create_before_destroy
 * the old object is deposed, and destroyed by a plan of its own. */
static bytes destroy_private(const lc_run_view *v, const lc_call *call)
{
    const lc_call *plan = last_before(v, LC_CALL_DESTROY_PLAN, call);
    const lc_call *create = last_before(v, LC_CALL_APPLY, call);
    if (plan)
        return returned_by(plan);
    if (v->deleting || create)
        return current_private(v, call);
    return returned_by(v->call[v->run->tainted == LC_YES ? LC_CALL_PLAN : LC_CALL_PLAN_CREATE]);
}

/* The private data that a call should have been sent. */
static bytes private_for(const lc_run_view *v, const lc_call *call)
{
    bool tainted = v->run->tainted == LC_YES;
    switch (call->kind) {
    case LC_CALL_READ:
        return last_before(v, LC_CALL_READ, call) ? not_known : stored_private(v);
    case LC_CALL_PLAN:
        return tainted ? nothing : current_private(v, call);
    case LC_CALL_DESTROY_PLAN:
        return current_private(v, call);
    case LC_CALL_PLAN_CREATE:
        return returned_by(v->call[LC_CALL_PLAN]);
    case LC_CALL_FINAL_PLAN:
        return tainted || v->replacing ? nothing : final_private(v, call);
    case LC_CALL_APPLY:
        return planned_private(v, call);
    case LC_CALL_DESTROY:
        return destroy_private(v, call);
    case LC_CALL_SCHEMA:
    case LC_CALL_IMPORT:
    case LC_CALL_MOVE:
    case LC_CALL_UPGRADE:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_VALIDATE:
    case LC_CALL_REREAD:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_LIST:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        break;
    }
    return not_known;
}

static void judge_private(lc_judge *j, const lc_call *call)
{
    bytes want = private_for(j->view, call);
    if (!call->has_request_private || !want.known || lc_str_eq(want.data, call->request_private))
        return;
    bool applying = call->kind == LC_CALL_APPLY || call->kind == LC_CALL_DESTROY;
    long cause = -1;
    context x = {j,
                 call,
                 NULL,
                 LC_RULE_SEQUENCE_APPLY_INPUT,
                 LC_COLUMN_NONE,
                 LC_COLUMN_NONE,
                 "other private data than the plan returned"};
    if (applying) {
        cause = (long)j->out->findings.count;
        emit(&x, LC_PATH_ROOT);
    }
    x.rule = LC_RULE_SEQUENCE_PRIVATE_CHAIN;
    x.note = "other private data than the provider returned last";
    emit(&x, LC_PATH_ROOT)->follows = cause;
}

static void judge_private_chain(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++)
        judge_private(j, &run->calls.items[i]);
}

/* ---- sequence/apply-input. */

static const lc_value *null_object(const lc_judge *j)
{
    lc_value *null = LC_NEW(j->scratch, lc_value);
    lc_value_set_null(null, j->view->block->implied);
    return null;
}

/* The planned state of the last plan as clients hand it on: a plan with legacy_type_system gets
 * ignore_changes applied. NULL: not known. */
static const lc_value *last_plan(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    bool twice = v->replacing && v->run->tainted != LC_YES;
    const lc_call *last = v->call[LC_CALL_FINAL_PLAN];
    if (!last)
        last = v->call[twice ? LC_CALL_PLAN_CREATE : LC_CALL_PLAN];
    const lc_value *planned = last ? given(&last->result) : NULL;
    if (planned && last->legacy == LC_YES && v->sent_prior && !v->replacing)
        planned = lc_ignore_changes(j->scratch, v->run, NULL, v->sent_prior, planned);
    return planned;
}

/* The prior state for an apply: null for the create of a replace, else that of the last plan. */
static const lc_value *prior_of_apply(const lc_judge *j, const lc_call *call)
{
    const lc_run_view *v = j->view;
    const lc_call *last = v->call[LC_CALL_FINAL_PLAN];
    if (call->kind == LC_CALL_DESTROY)
        return v->prior;
    if (last && given(&last->prior_state))
        return last->prior_state.value;
    return v->replacing ? null_object(j) : v->sent_prior;
}

typedef struct applied_config {
    context *x;
    const lc_value *planned, *prior; /* configuration and prior state of the plan */
} applied_config;

/* An apply has the configuration as it was written, but its plan that after ignore_changes, with
 * the prior value. */
static void each_applied(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    const applied_config *c = opaque;
    lc_arena *scratch = c->x->j->scratch;
    const lc_value *before = c->prior ? lc_path_apply(scratch, c->prior, path) : NULL;
    (void)b;
    if (!before || !lc_value_same(before, a))
        emit(c->x, path);
}

static void judge_applied_config(lc_judge *j, const lc_call *apply)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[LC_CALL_FINAL_PLAN];
    const lc_value *sent = given(&apply->config), *want = plan ? given(&plan->config) : NULL;
    if (!sent || !want || v->run->has_ignore_changes || v->run->ignore_all ||
        plan->index > apply->index)
        return;
    sent = lc_without_write_only(j->scratch, v->block, sent);
    want = lc_without_write_only(j->scratch, v->block, want);
    context x = {j,
                 apply,
                 &apply->config,
                 LC_RULE_SEQUENCE_APPLY_INPUT,
                 LC_COLUMN_NONE,
                 LC_COLUMN_NONE,
                 "apply is given another configuration than its plan"};
    applied_config c = {&x, want, given(&plan->prior_state)};
    lc_each_difference(j->scratch, want, sent, each_applied, &c);
}

static void judge_input(lc_judge *j, const lc_call *call)
{
    const lc_run_view *v = j->view;
    bool destroy = call->kind == LC_CALL_DESTROY;
    const lc_value *planned = given(&call->planned), *prior = given(&call->prior_state);
    const lc_value *want = destroy ? null_object(j) : last_plan(j);
    context x = {j,
                 call,
                 &call->planned,
                 LC_RULE_SEQUENCE_APPLY_INPUT,
                 destroy                       ? LC_COLUMN_NONE
                 : v->call[LC_CALL_FINAL_PLAN] ? LC_COLUMN_FINAL_PLANNED
                                               : v->initial_column,
                 LC_COLUMN_NONE,
                 "apply is given another planned state than the last plan returned"};
    if (planned && want)
        compare(&x, want, planned);
    want = prior_of_apply(j, call);
    x.field = &call->prior_state;
    x.promised_by = LC_COLUMN_PRIOR;
    x.note = "apply is given another prior state than the plan";
    if (prior && want && !lc_may_be_sent(j, want, prior))
        compare(&x, want, prior);
    if (!destroy)
        judge_applied_config(j, call);
}

static void judge_apply_input(lc_judge *j)
{
    const lc_run_view *v = j->view;
    if (v->call[LC_CALL_APPLY])
        judge_input(j, v->call[LC_CALL_APPLY]);
    if (v->call[LC_CALL_DESTROY])
        judge_input(j, v->call[LC_CALL_DESTROY]);
}

/* ---- sequence/not-deterministic: the same request, another response. Requests are found by hash,
 * so that a recording with many calls takes near-linear time. */

static bool same_field(const lc_field *a, const lc_field *b)
{
    const lc_value *x = given(a), *y = given(b);
    return x && y ? lc_value_raw_equal(x, y)
                  : a->state == LC_FIELD_ABSENT && b->state == LC_FIELD_ABSENT;
}

static bool same_raw(const lc_raw_state *a, const lc_raw_state *b)
{
    return a->given == b->given && (!a->given || (a->schema_version == b->schema_version &&
                                                  same_field(&a->attributes, &b->attributes)));
}

static bool same_request(const lc_call *a, const lc_call *b)
{
    return same_field(&a->config, &b->config) && same_field(&a->prior_state, &b->prior_state) &&
           same_field(&a->proposed, &b->proposed) && same_raw(&a->raw, &b->raw) &&
           a->has_request_private == b->has_request_private &&
           lc_str_eq(a->request_private, b->request_private) &&
           same_field(&a->prior_identity, &b->prior_identity);
}

/* Does the response depend on the request only? That of a read depends on the remote system.
 * Requests that are not stated cannot be compared. */
static bool is_deterministic(const lc_call *call)
{
    bool asked = call->config.state == LC_FIELD_GIVEN || call->raw.given;
    switch (call->kind) {
    case LC_CALL_PLAN:
    case LC_CALL_PLAN_CREATE:
    case LC_CALL_DESTROY_PLAN:
    case LC_CALL_FINAL_PLAN:
        return asked && call->prior_state.state == LC_FIELD_GIVEN;
    case LC_CALL_UPGRADE:
    case LC_CALL_VALIDATE:
        return asked;
    case LC_CALL_SCHEMA:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_READ:
    case LC_CALL_IMPORT:
    case LC_CALL_MOVE:
    case LC_CALL_APPLY:
    case LC_CALL_DESTROY:
    case LC_CALL_REREAD:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_LIST:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        break;
    }
    return false;
}

static bool has_path(const lc_path_list *list, lc_path path)
{
    for (size_t i = 0; i < list->count; i++) {
        if (lc_path_eq(list->items[i].path, path))
            return true;
    }
    return false;
}

static bool same_paths(const lc_path_list *a, const lc_path_list *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = has_path(b, a->items[i].path);
    return same;
}

/* The parts of an answer other than its object. Only a prober is known to have changed nothing
 * between the two requests. */
static void compare_asides(context *x, const lc_call *first, const lc_call *call)
{
    if (!x->j->view->run->probed)
        return;
    x->field = NULL;
    x->broken_by = LC_COLUMN_NONE;
    x->note = "the same request got other paths in requires_replace before";
    if (!same_paths(&first->requires_replace, &call->requires_replace))
        emit(x, LC_PATH_ROOT);
    x->note = "the same request got other private data before";
    if (first->has_private && call->has_private &&
        !lc_str_eq(first->private_data, call->private_data))
        emit(x, LC_PATH_ROOT);
}

static void compare_answers(lc_judge *j, const lc_call *first, const lc_call *call)
{
    context x = {j,
                 call,
                 &call->result,
                 LC_RULE_SEQUENCE_NOT_DETERMINISTIC,
                 LC_COLUMN_NONE,
                 lc_call_column(call->kind),
                 "the same request got another response before"};
    const lc_value *a = given(&first->result), *b = given(&call->result);
    if (a && b) {
        compare(&x, a, b);
        compare_asides(&x, first, call);
    } else if (first->failed != call->failed) {
        x.field = NULL;
        emit(&x, LC_PATH_ROOT);
    }
}

static bool same_rpc(const lc_call *a, const lc_call *b)
{
    return strcmp(lc_call_rpc(a->kind), lc_call_rpc(b->kind)) == 0;
}

/* Two processes of the provider may have been configured differently. If that is not known, only
 * calls of one run are compared, or of runs of one prober. */
bool lc_same_provider(const lc_judge *j, const lc_call *a, uint32_t run, const lc_call *b)
{
    if (j->view->run->newer != j->subject->runs.items[run - 1].newer)
        return false;
    if (j->view->run->probed && j->subject->runs.items[run - 1].probed)
        return true;
    if (a->provider_config || b->provider_config)
        return a->provider_config == b->provider_config;
    return run == j->view->number;
}

static uint64_t mix_field(uint64_t hash, const lc_field *field)
{
    const lc_value *v = given(field);
    return lc_hash_mix(hash, v ? lc_value_hash(v) : (uint64_t)field->state);
}

/* A hash as a key of the table: equal requests have equal keys, and those with the same key are
 * compared. */
static lc_str key_of_request(lc_arena *arena, const lc_judge *j, const lc_call *call)
{
    uint64_t hash = lc_str_hash(lc_str_from_c(lc_call_rpc(call->kind)));
    hash = lc_hash_mix(hash, (uint64_t)(uintptr_t)j->view->schema);
    hash = mix_field(hash, &call->config);
    hash = mix_field(hash, &call->prior_state);
    hash = mix_field(hash, &call->proposed);
    hash = lc_hash_mix(hash, (uint64_t)call->raw.schema_version);
    hash = mix_field(hash, &call->raw.attributes);
    hash = lc_hash_mix(hash, lc_str_hash(call->request_private));
    return lc_str_copy(arena, LC_BYTES_OF(hash));
}

/* A request that was made, with the last call that made it. `before` chains other requests with the
 * same key. */
typedef struct asked_request {
    const lc_call *call;
    uint32_t run;
    struct asked_request *before;
} asked_request;

static void compare_with_last(lc_judge *j, const lc_call *call)
{
    lc_str key = key_of_request(j->scratch, j, call);
    asked_request *first = lc_table_get(j->asked, key), *found = first;
    while (found && !(same_rpc(found->call, call) && same_request(found->call, call) &&
                      lc_same_provider(j, found->call, found->run, call)))
        found = found->before;
    if (found) {
        j->asked_again = true;
        compare_answers(j, found->call, call);
        found->call = call;
        found->run = j->view->number;
        return;
    }
    asked_request *made = LC_NEW(j->scratch, asked_request);
    *made = (asked_request){call, j->view->number, first};
    lc_table_put(j->asked, key, made);
}

static void judge_deterministic(lc_judge *j)
{
    const lc_run *run = j->view->run;
    j->asked_again = false;
    for (size_t i = 0; i < run->calls.count; i++) {
        if (is_deterministic(&run->calls.items[i]))
            compare_with_last(j, &run->calls.items[i]);
    }
}

/* ---- sequence/perpetual-diff: an object that was just applied, with object and configuration
 * unchanged, is planned to be changed again. */

/* Write-only values are left out of the comparison, because they may be others each time. */
bool lc_plans_applied_object(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    const lc_value *applied = v->after_apply ? lc_applied_config(j->before) : NULL;
    const lc_value *config = plan ? v->config : NULL;
    if (!applied || !config || plan->failed == LC_YES || plan->deferred == LC_YES ||
        v->run->tainted == LC_YES || v->run->force_replace == LC_YES || !v->sent_prior ||
        !lc_is_known(v->sent_prior) || !lc_call_object(plan) || j->before->schema != v->schema)
        return false;
    return lc_value_same(lc_without_write_only(j->scratch, v->block, applied),
                         lc_without_write_only(j->scratch, v->block, config)) &&
           lc_value_same(lc_state_handed_on(j->scratch, v->block, j->before->saved),
                         lc_state_handed_on(j->scratch, v->block, v->sent_prior));
}

static void judge_perpetual_diff(lc_judge *j)
{
    const lc_run_view *v = j->view;
    if (!lc_plans_applied_object(j) || v->core[LC_OPENTOFU].action == LC_ACTION_NOOP ||
        v->core[LC_TERRAFORM].action == LC_ACTION_NOOP)
        return;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    context x = {j,
                 plan,
                 &plan->result,
                 LC_RULE_SEQUENCE_PERPETUAL_DIFF,
                 LC_COLUMN_PRIOR,
                 LC_COLUMN_PLANNED,
                 "a change is planned, though the same configuration was just applied and the "
                 "object is as it was stored"};
    compare(&x, v->sent_prior, lc_call_object(plan));
}

/* ---- sequence/plan-side-effect: a read after the plan returns another object than the read before
 * it. */

static void judge_side_effect(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[v->deleting ? LC_CALL_DESTROY_PLAN : LC_CALL_PLAN];
    const lc_value *before = plan ? lc_call_object(last_before(v, LC_CALL_READ, plan)) : NULL;
    if (!before || !v->run->order_known)
        return;
    for (size_t i = plan->index; i < v->run->calls.count; i++) {
        const lc_call *call = &v->run->calls.items[i];
        if (call->kind == LC_CALL_APPLY || call->kind == LC_CALL_DESTROY)
            return;
        const lc_value *now = lc_call_object(call);
        if (call->kind != LC_CALL_READ || !now || call->failed == LC_YES)
            continue;
        context x = {j,
                     call,
                     &call->result,
                     LC_RULE_SEQUENCE_PLAN_SIDE_EFFECT,
                     LC_COLUMN_PRIOR,
                     LC_COLUMN_NONE,
                     "changed between the plan and its apply"};
        compare(&x, before, now);
    }
}

static void judge_client(lc_judge *j)
{
    judge_prior_chain(j);
    judge_state_chain(j);
    judge_plan_twice(j);
    judge_refresh_only(j);
    judge_noop_applied(j);
    judge_apply_input(j);
    judge_private_chain(j);
    lc_judge_sequence_calls(j);
}

void lc_judge_sequence(lc_judge *j)
{
    if (!j->view->run->probed)
        judge_client(j);
    judge_deterministic(j);
    judge_perpetual_diff(j);
    judge_side_effect(j);
}
