/* Family sequence, second part: what a client sends with one call, and whether it may make it at
 * all, after what the calls before it returned. */
#include "contract/judge.h"
#include "contract/rules/sequence.h"

#include "lifecheck/base/arena.h"

static const lc_value *given(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN ? field->value : NULL;
}

static bool is_object(const lc_value *v)
{
    return v && lc_is_known(v);
}

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field; /* NULL: point at the call */
    lc_rule rule;
    lc_column promised_by;
    const char *note;
} context;

static lc_finding *emit(const context *x, lc_path path)
{
    return lc_emit(x->j, &(lc_breach){.rule = x->rule,
                                      .call = x->call,
                                      .path = path,
                                      .field = x->field,
                                      .loc = x->call->loc,
                                      .promised_by = x->promised_by,
                                      .broken_by = LC_COLUMN_NONE,
                                      .note = lc_str_from_c(x->note),
                                      .apart = x->promised_by == LC_COLUMN_NONE});
}

static void each_difference(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    (void)a;
    (void)b;
    emit(opaque, path);
}

/* ---- Calls before a call. */

#define PLANS                                                                                      \
    (LC_CALL_BIT(LC_CALL_PLAN) | LC_CALL_BIT(LC_CALL_PLAN_CREATE) |                                \
     LC_CALL_BIT(LC_CALL_DESTROY_PLAN) | LC_CALL_BIT(LC_CALL_FINAL_PLAN))
#define APPLIES (LC_CALL_BIT(LC_CALL_APPLY) | LC_CALL_BIT(LC_CALL_DESTROY))
#define STATES                                                                                     \
    (LC_CALL_BIT(LC_CALL_UPGRADE) | LC_CALL_BIT(LC_CALL_MOVE) | LC_CALL_BIT(LC_CALL_IMPORT) |      \
     LC_CALL_BIT(LC_CALL_READ))

/* The nearest call of one of these kinds before a call, or NULL. */
static const lc_call *nearest(const lc_judge *j, const lc_call *call, unsigned kinds)
{
    const lc_run *run = j->view->run;
    for (size_t i = call->index; i > 1; i--) {
        const lc_call *before = &run->calls.items[i - 2];
        if (kinds & LC_CALL_BIT(before->kind))
            return before;
    }
    return NULL;
}

/* The call that gave the object which a call is about: none, if the object was changed after it. */
static const lc_call *source_of(const lc_judge *j, const lc_call *call)
{
    const lc_call *found = nearest(j, call, STATES | APPLIES);
    return found && STATES & LC_CALL_BIT(found->kind) ? found : NULL;
}

/* ---- sequence/read-input, and what sequence/prior-chain says of plans without a read, and of
 * those in the apply phase. */

static void compare_object(context *x, const lc_value *want, const lc_value *sent)
{
    if (!is_object(sent) || !is_object(want) || lc_value_same(want, sent) ||
        lc_may_be_sent(x->j, want, sent))
        return;
    lc_each_difference(x->j->scratch, want, sent, each_difference, x);
}

static void judge_origin(context *x)
{
    if (x->call->returned_before != LC_NO)
        return;
    x->field = NULL;
    emit(x, LC_PATH_ROOT);
}

/* That an import is read is a rule of its own. */
static void judge_read_input(lc_judge *j, const lc_call *call)
{
    const lc_call *from = source_of(j, call);
    const lc_value *sent = given(&call->prior_state);
    context x = {j,
                 call,
                 &call->prior_state,
                 LC_RULE_SEQUENCE_READ_INPUT,
                 LC_COLUMN_NONE,
                 "the read is given another object than the upgrade returned"};
    if (from && from->failed != LC_YES &&
        (from->kind == LC_CALL_UPGRADE || from->kind == LC_CALL_MOVE))
        compare_object(&x, given(&from->result), sent);
    x.note = "an object is read that no call of the process returned";
    judge_origin(&x);
}

/* A plan in the apply phase begins with the object that was upgraded again there. */
static void judge_plan_prior(lc_judge *j, const lc_call *call)
{
    const lc_call *from = source_of(j, call);
    bool read = from && from->kind == LC_CALL_READ;
    bool again = call->kind == LC_CALL_FINAL_PLAN;
    context origin = {j,
                      call,
                      NULL,
                      LC_RULE_SEQUENCE_PRIOR_CHAIN,
                      LC_COLUMN_NONE,
                      "an object is planned that no call of the process returned"};
    judge_origin(&origin);
    if (!from || from->failed == LC_YES || from->kind == LC_CALL_IMPORT ||
        (read && call->kind != LC_CALL_DESTROY_PLAN) || (again && !nearest(j, call, PLANS)) ||
        (again && nearest(j, call, PLANS)->index > from->index))
        return;
    context x = {j,
                 call,
                 &call->prior_state,
                 LC_RULE_SEQUENCE_PRIOR_CHAIN,
                 LC_COLUMN_NONE,
                 read ? "the plan is given another prior state than the last read returned"
                      : "the plan is given another prior state than the upgrade returned"};
    compare_object(&x, given(&from->result), given(&call->prior_state));
}

/* ---- sequence/after-error. */

static bool has_failed(const lc_call *call)
{
    return call && call->failed == LC_YES && !call->interrupted;
}

/* The failed call whose answer this call rests on, or NULL. */
static const lc_call *failed_before(const lc_judge *j, const lc_call *call)
{
    unsigned kind = LC_CALL_BIT(call->kind);
    const lc_call *source = source_of(j, call), *plan = NULL, *validate = NULL;
    if (kind == LC_CALL_BIT(LC_CALL_READ))
        return has_failed(source) && source->kind != LC_CALL_READ ? source : NULL;
    if (kind & APPLIES || call->kind == LC_CALL_PLAN_CREATE)
        plan = nearest(j, call, PLANS | APPLIES);
    if (plan && PLANS & LC_CALL_BIT(plan->kind) && has_failed(plan))
        return plan;
    if (kind & PLANS || (kind & APPLIES && source && (!plan || source->index > plan->index)))
        plan = has_failed(source) ? source : NULL;
    if (kind & PLANS && plan)
        return plan;
    if (kind & APPLIES)
        return plan == source && has_failed(source) ? source : NULL;
    validate = call->kind == LC_CALL_PLAN || call->kind == LC_CALL_FINAL_PLAN
                   ? nearest(j, call, LC_CALL_BIT(LC_CALL_VALIDATE))
                   : NULL;
    const lc_value *asked = validate ? given(&validate->config) : NULL;
    const lc_value *config = given(&call->config);
    return has_failed(validate) && asked && config && lc_value_same(asked, config) ? validate
                                                                                   : NULL;
}

static void judge_after_error(lc_judge *j, const lc_call *call)
{
    const lc_call *failed = failed_before(j, call);
    if (!failed)
        return;
    lc_str note =
        lc_str_printf(j->scratch, "called though %s returned an error", lc_call_rpc(failed->kind));
    lc_emit_aside(j, LC_RULE_SEQUENCE_AFTER_ERROR, call, call->loc, note);
}

/* ---- sequence/identity-chain. */

static const lc_value *identity_of(const lc_call *call)
{
    const lc_field *field = &call->identity;
    if (call->kind == LC_CALL_IMPORT)
        field = call->imported.count == 1 ? &call->imported.items[0].identity : NULL;
    const lc_value *v = field && call->failed != LC_YES ? given(field) : NULL;
    return v && !lc_is_null(v) && lc_is_wholly_known(v) ? v : NULL;
}

/* That of the apply of the run before, if its object is the one that was upgraded. */
static const lc_value *stored_identity(const lc_judge *j, const lc_call *upgrade)
{
    const lc_run_view *before = j->before;
    const lc_call *apply = before ? before->call[LC_CALL_APPLY] : NULL;
    const lc_value *now = given(&upgrade->result);
    bool same = apply && before->saved && now && before->schema == j->view->schema &&
                lc_value_same(lc_state_handed_on(j->scratch, j->view->block, before->saved), now);
    return same ? identity_of(apply) : NULL;
}

/* The identity that came back last. A tainted object is planned without one. */
static const lc_value *identity_for(const lc_judge *j, const lc_call *call)
{
    unsigned kinds = STATES | APPLIES | LC_CALL_BIT(LC_CALL_UPGRADE_IDENTITY);
    const lc_call *from = NULL;
    if (call->kind == LC_CALL_APPLY) {
        from = nearest(j, call, PLANS | APPLIES);
        return from && PLANS & LC_CALL_BIT(from->kind) ? identity_of(from) : NULL;
    }
    const lc_value *prior = given(&call->prior_state);
    if (!is_object(prior ? prior : j->view->sent_prior))
        return NULL;
    from = nearest(j, call, kinds);
    if (from && from->kind == LC_CALL_UPGRADE && call->kind == LC_CALL_FINAL_PLAN)
        from = nearest(j, from, kinds); /* the stored one is that of the plan phase */
    if (from && from->kind == LC_CALL_UPGRADE && call->kind == LC_CALL_READ)
        return stored_identity(j, from);
    bool gives = from && (from->kind == LC_CALL_READ || from->kind == LC_CALL_IMPORT ||
                          from->kind == LC_CALL_UPGRADE_IDENTITY);
    return gives ? identity_of(from) : NULL;
}

static void judge_identity_chain(lc_judge *j, const lc_call *call)
{
    bool applying = call->kind == LC_CALL_APPLY;
    const lc_field *field = applying ? &call->planned_identity : &call->prior_identity;
    const lc_value *sent = given(field), *want = sent ? identity_for(j, call) : NULL;
    if (!want || field->untyped || lc_value_same(want, sent))
        return;
    context x = {j,
                 call,
                 field,
                 LC_RULE_SEQUENCE_IDENTITY_CHAIN,
                 LC_COLUMN_NONE,
                 applying ? "another identity than the plan returned"
                          : "another identity than the provider returned last"};
    lc_each_difference(j->scratch, want, sent, each_difference, &x);
}

/* ---- sequence/unconfigured. */

#define CONFIGURED                                                                                 \
    (PLANS | APPLIES | LC_CALL_BIT(LC_CALL_READ) | LC_CALL_BIT(LC_CALL_REREAD) |                   \
     LC_CALL_BIT(LC_CALL_IMPORT) | LC_CALL_BIT(LC_CALL_DATA) | LC_CALL_BIT(LC_CALL_OPEN) |         \
     LC_CALL_BIT(LC_CALL_ACTION))

static void judge_configured(lc_judge *j, const lc_call *call)
{
    if (CONFIGURED & LC_CALL_BIT(call->kind) && call->configured == LC_NO)
        lc_emit_aside(j, LC_RULE_SEQUENCE_UNCONFIGURED, call, call->loc,
                      LC_STR("called before the provider was configured"));
}

void lc_judge_sequence_calls(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        unsigned kind = LC_CALL_BIT(call->kind);
        if (call->kind == LC_CALL_READ)
            judge_read_input(j, call);
        if (call->kind == LC_CALL_PLAN || call->kind == LC_CALL_FINAL_PLAN ||
            call->kind == LC_CALL_DESTROY_PLAN)
            judge_plan_prior(j, call);
        if (kind & (PLANS | APPLIES) || call->kind == LC_CALL_READ)
            judge_after_error(j, call);
        if ((kind & PLANS && call->kind != LC_CALL_PLAN_CREATE) || call->kind == LC_CALL_READ ||
            call->kind == LC_CALL_APPLY)
            judge_identity_chain(j, call);
        judge_configured(j, call);
    }
}
