/* Family sequence: what links the calls of a run, and the runs of a case (contract-rules 3.19).
 * Rules about number and order of calls need evidence that knows them. */
#include "judge.h"

#include "lifecheck/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field; /* NULL: point at the call */
    lc_rule rule;
    lc_column promised_by, broken_by;
    const char *note;
} context;

static lc_finding *say(context *x, lc_path path)
{
    return lc_emit(x->j, &(lc_breach){.rule = x->rule,
                                      .call = x->call,
                                      .path = path,
                                      .field = x->field,
                                      .loc = x->call ? x->call->loc : x->j->view->run->loc,
                                      .promised_by = x->promised_by,
                                      .broken_by = x->broken_by,
                                      .note = lc_str_from_c(x->note)});
}

static void each_difference(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    (void)a;
    (void)b;
    say(opaque, path);
}

static void compare(context *x, const lc_value *want, const lc_value *got)
{
    lc_each_difference(x->j->scratch, want, got, each_difference, x);
}

static const lc_value *given(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN ? field->value : NULL;
}

/* ---- sequence/prior-chain. */

static void judge_prior_chain(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    const lc_value *sent = plan ? given(&plan->prior_state) : NULL;
    const lc_value *normal = NULL;
    if (!sent || !v->prior || v->run->tainted == LC_YES)
        return;
    if (lc_is_wholly_known(v->prior))
        normal = lc_normalize_legacy(j->scratch, v->block, v->prior);
    if (normal && lc_value_same(normal, sent))
        return;
    context x = {j,
                 plan,
                 &plan->prior_state,
                 LC_RULE_SEQUENCE_PRIOR_CHAIN,
                 LC_COLUMN_PRIOR,
                 LC_COLUMN_NONE,
                 "the plan is given another prior state than the last read returned"};
    compare(&x, v->prior, sent);
}

/* ---- sequence/state-chain. */

static void judge_state_chain(lc_judge *j)
{
    const lc_run_view *before = j->before;
    const lc_raw_state *raw = &j->view->run->previous_run_state;
    if (!before || !before->saved || !raw->given || !raw->has_attributes ||
        !lc_field_has_value(&raw->attributes))
        return;
    context x = {j,
                 j->view->call[LC_CALL_UPGRADE],
                 &raw->attributes,
                 LC_RULE_SEQUENCE_STATE_CHAIN,
                 LC_COLUMN_NONE,
                 LC_COLUMN_STORED,
                 "not what the run before has saved as its new state"};
    const lc_value *stored = NULL;
    if (raw->schema_version == before->schema->version || lc_is_null(raw->attributes.value))
        stored = lc_stored_decode(j->scratch, raw->attributes.value, before->block->implied, false);
    if (stored) {
        compare(&x, before->saved, stored);
        return;
    }
    x.note = "not what the run before has saved: another schema version, or another form";
    say(&x, LC_PATH_ROOT);
}

/* ---- sequence/plan-twice, sequence/refresh-only, sequence/noop-applied. */

static bool changes(lc_action action)
{
    return action != LC_ACTION_NONE && action != LC_ACTION_NOOP && action != LC_ACTION_DELETE &&
           action != LC_ACTION_FORGET && action != LC_ACTION_READ;
}

static void judge_plan_twice(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *apply = v->call[LC_CALL_APPLY];
    if (!apply || !v->run->order_known || v->call[LC_CALL_FINAL_PLAN] ||
        !changes(v->core[LC_OPENTOFU].action))
        return;
    context x = {j,
                 apply,
                 NULL,
                 LC_RULE_SEQUENCE_PLAN_TWICE,
                 LC_COLUMN_NONE,
                 LC_COLUMN_NONE,
                 "applied without a plan in the apply phase"};
    lc_finding_misses(j, say(&x, LC_PATH_ROOT), LC_CALL_FINAL_PLAN);
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
            say(&x, LC_PATH_ROOT);
    }
}

static void judge_noop_applied(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *apply = v->call[LC_CALL_APPLY];
    if (!apply || v->core[LC_OPENTOFU].action != LC_ACTION_NOOP ||
        v->core[LC_TERRAFORM].action != LC_ACTION_NOOP)
        return;
    context x = {j,
                 apply,
                 NULL,
                 LC_RULE_SEQUENCE_NOOP_APPLIED,
                 LC_COLUMN_NONE,
                 LC_COLUMN_NONE,
                 "applied, though the planned state equals the prior state"};
    say(&x, LC_PATH_ROOT);
}

/* ---- Private data. */

typedef struct bytes {
    bool known;
    lc_str data;
} bytes;

static bytes returned_by(const lc_run_view *v, lc_call_kind kind)
{
    const lc_call *call = v->call[kind];
    if (!call || !call->has_private || call->failed == LC_YES)
        return (bytes){false, LC_STR_EMPTY};
    return (bytes){true, call->private_data};
}

static bytes stored_private(const lc_run_view *v)
{
    const lc_run *run = v->run;
    if (run->has_prior_private)
        return (bytes){true, run->prior_private};
    if (run->previous_run_state.given && run->previous_run_state.has_private)
        return (bytes){true, run->previous_run_state.private_data};
    return (bytes){false, LC_STR_EMPTY};
}

static bytes first_of(bytes a, bytes b)
{
    return a.known ? a : b;
}

/* What a call should have been given. */
static bytes private_for(const lc_run_view *v, lc_call_kind kind)
{
    bytes read = first_of(returned_by(v, LC_CALL_READ), stored_private(v));
    bytes plan = returned_by(v, LC_CALL_PLAN);
    if (kind == LC_CALL_READ)
        return stored_private(v);
    if (kind == LC_CALL_PLAN || kind == LC_CALL_DESTROY_PLAN)
        return read;
    if (kind == LC_CALL_PLAN_CREATE)
        return plan;
    if (kind == LC_CALL_FINAL_PLAN)
        return v->replacing ? (bytes){false, LC_STR_EMPTY} : read;
    bytes create = returned_by(v, LC_CALL_PLAN_CREATE);
    if (kind == LC_CALL_DESTROY)
        return v->deleting ? returned_by(v, LC_CALL_DESTROY_PLAN) : create;
    bytes initial = v->replacing && v->run->tainted != LC_YES ? create : plan;
    return first_of(returned_by(v, LC_CALL_FINAL_PLAN), initial);
}

static void judge_private(lc_judge *j, const lc_call *call)
{
    bytes want = private_for(j->view, call->kind);
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
        say(&x, LC_PATH_ROOT);
    }
    x.rule = LC_RULE_SEQUENCE_PRIVATE_CHAIN;
    x.note = "other private data than the provider returned last";
    say(&x, LC_PATH_ROOT)->follows = cause;
}

static void judge_private_chain(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        lc_call_kind kind = call->kind;
        if (kind == LC_CALL_READ || kind == LC_CALL_PLAN || kind == LC_CALL_PLAN_CREATE ||
            kind == LC_CALL_FINAL_PLAN || kind == LC_CALL_DESTROY_PLAN || kind == LC_CALL_APPLY ||
            kind == LC_CALL_DESTROY)
            judge_private(j, call);
    }
}

/* ---- sequence/apply-input. */

static const lc_value *null_object(const lc_judge *j)
{
    lc_value *null = LC_NEW(j->scratch, lc_value);
    lc_value_set_null(null, j->view->block->implied);
    return null;
}

static void judge_apply_input(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *apply = v->call[LC_CALL_APPLY], *last = v->call[LC_CALL_FINAL_PLAN];
    const lc_value *planned = apply ? given(&apply->planned) : NULL;
    const lc_value *prior = apply ? given(&apply->prior_state) : NULL;
    const lc_value *final = last ? given(&last->result) : NULL;
    context x = {j,
                 apply,
                 NULL,
                 LC_RULE_SEQUENCE_APPLY_INPUT,
                 LC_COLUMN_FINAL_PLANNED,
                 LC_COLUMN_NONE,
                 "apply is given another planned state than the final plan returned"};
    if (planned && (final || !last)) {
        x.field = &apply->planned;
        x.promised_by = last ? LC_COLUMN_FINAL_PLANNED : v->initial_column;
        if (final || v->initial)
            compare(&x, final ? final : v->initial, planned);
    }
    const lc_value *want = v->replacing ? null_object(j) : v->sent_prior;
    x.field = apply ? &apply->prior_state : NULL;
    x.promised_by = LC_COLUMN_PRIOR;
    x.note = "apply is given another prior state than the plan";
    if (prior && want)
        compare(&x, want, prior);
}

/* ---- sequence/not-deterministic: the same question, another answer. */

static bool same_field(const lc_field *a, const lc_field *b)
{
    const lc_value *x = given(a), *y = given(b);
    return x && y ? lc_value_raw_equal(x, y) : a->state == b->state && !x && !y;
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
           lc_str_eq(a->request_private, b->request_private);
}

/* Only what depends on nothing but the request: a read may find another world. */
static bool is_function(const lc_call *call)
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
        break;
    }
    return false;
}

static void compare_answers(lc_judge *j, const lc_call *first, const lc_call *call)
{
    context x = {j,
                 call,
                 &call->result,
                 LC_RULE_SEQUENCE_NOT_DETERMINISTIC,
                 LC_COLUMN_NONE,
                 lc_call_column(call->kind),
                 "the same request got another answer before"};
    const lc_value *a = given(&first->result), *b = given(&call->result);
    if (a && b) {
        compare(&x, a, b);
    } else if (first->failed != call->failed) {
        x.field = NULL;
        say(&x, LC_PATH_ROOT);
    }
}

#define MAX_COMPARED 64 /* calls of one kind looked back at */

static void judge_deterministic(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 1; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        size_t stop = i > MAX_COMPARED ? i - MAX_COMPARED : 0;
        for (size_t k = i; k > stop && is_function(call); k--) {
            const lc_call *before = &run->calls.items[k - 1];
            if (before->kind != call->kind || !same_request(before, call))
                continue;
            compare_answers(j, before, call);
            break;
        }
    }
}

/* ---- sequence/plan-side-effect: a read after the plan finds another object than the one before.
 */

static void judge_side_effect(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *plan = v->call[LC_CALL_PLAN], *apply = v->call[LC_CALL_APPLY];
    if (!plan || !v->prior || !v->run->order_known)
        return;
    for (size_t i = plan->index; i < v->run->calls.count; i++) {
        const lc_call *call = &v->run->calls.items[i];
        if (call == apply)
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
        compare(&x, v->prior, now);
    }
}

void lc_judge_sequence(lc_judge *j)
{
    judge_prior_chain(j);
    judge_state_chain(j);
    judge_plan_twice(j);
    judge_refresh_only(j);
    judge_noop_applied(j);
    judge_apply_input(j);
    judge_private_chain(j);
    judge_deterministic(j);
    judge_side_effect(j);
}
