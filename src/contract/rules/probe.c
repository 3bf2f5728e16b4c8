/* Family probe: how several answers about one type relate. A prober requests them in runs of one
 * case; a client's requests, in recordings, are compared as well where they allow it. The earlier
 * answer sets the requirement, and findings are about the later one. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"

#include <string.h>

/* Of all plans with the same prior state so many are compared with a new one. */
#define MAX_PAIRS 100

#define FIRST_RULE LC_RULE_PROBE_PLAN_REJECTS_UNKNOWN

/* A plan that was requested. Values are borrowed. */
typedef struct question {
    const lc_call *call;
    const lc_run_view *view;
    const lc_value *prior, *config;
    /* Earlier ones with the same key in one of the two tables. */
    struct question *same_prior, *same_result;
} question;

/* All of them by prior state, and those that were answered by what they planned. */
struct lc_questions {
    lc_table by_prior, by_result;
};

typedef struct context {
    lc_judge *j;
    const question *earlier, *later;
    lc_rule rule;
    lc_column promised_by;
    lc_str note;
} context;

/* ---- Findings. */

void lc_probe_judged(lc_judge *j, lc_rule rule)
{
    j->probed_rules |= 1u << (rule - FIRST_RULE);
}

bool lc_probe_was_judged(const lc_judge *j, lc_rule rule)
{
    return j->probed_rules & 1u << (rule - FIRST_RULE);
}

/* Between two requests of a client the remote system may have changed, or an error was about
 * something else: only a prober, which sends nothing else in between, proves it. */
static bool is_proven(const context *x)
{
    const lc_run *run = x->j->view->run;
    return run->probed && (!x->earlier || x->earlier->view->run->probed);
}

static lc_finding *emit(context *x, lc_path path, lc_loc loc)
{
    const lc_call *call = x->later->call;
    bool answer = loc.line == 0;
    lc_finding *f = lc_emit(
        x->j, &(lc_breach){.rule = x->rule,
                           .call = call,
                           .path = path,
                           .field = answer ? &call->result : NULL,
                           .loc = loc,
                           .promised_by = x->promised_by,
                           .broken_by = answer ? lc_call_column(call->kind) : LC_COLUMN_NONE,
                           .note = x->note});
    f->unproven = !is_proven(x);
    return f;
}

static void each_difference(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    bool empty = lc_is_null(a) || lc_is_null(b) || a->count == 0 || b->count == 0;
    bool old_sdk = x->later->call->legacy == LC_YES && x->promised_by == LC_COLUMN_PRIOR && empty;
    emit(x, path, (lc_loc){0})->of_old_sdk = old_sdk;
}

/* Only what the earlier answer has decided. A set with an unknown inside is left to the rules of
 * plans. */
static void each_decided(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    bool set = lc_is_known(a) && a->type->kind == LC_TYPE_SET && !lc_is_wholly_known(a);
    if (!lc_is_unknown(a) && !set)
        each_difference(opaque, path, a, b);
}

/* SDKv2's way to write blocks is the same in both. */
static const lc_value *normal(const context *x, const lc_value *v)
{
    if (x->later->call->legacy != LC_YES || !lc_is_wholly_known(v))
        return v;
    const lc_value *out = lc_normalize_legacy(x->j->scratch, x->later->view->block, v);
    return out ? out : v;
}

/* ---- Pairs of plans with the same prior state. */

static const lc_value *answer(const question *q)
{
    const lc_call *call = q->call;
    bool usable = call->failed != LC_YES && call->deferred != LC_YES && call->broke != LC_YES;
    return usable ? lc_call_object(call) : NULL;
}

static bool same_private(const lc_call *a, const lc_call *b)
{
    return lc_str_eq(a->request_private, b->request_private);
}

/* The place that an error names, if the object has it. */
static lc_path place_of(const context *x, const lc_provider_diag *d)
{
    bool there = d->has_path && lc_path_apply(x->j->scratch, x->later->config, d->path);
    return there ? d->path : LC_PATH_ROOT;
}

/* probe/plan-rejects-unknown. False: the rule does not apply to the two. */
static bool judge_rejection(context *x)
{
    const lc_call *call = x->later->call;
    if (!answer(x->earlier) || !lc_is_wholly_known(x->earlier->config) ||
        lc_is_wholly_known(x->later->config) || call->broke == LC_YES ||
        !same_private(x->earlier->call, call) ||
        !lc_completes(x->earlier->config, x->later->config))
        return false;
    const lc_provider_diag *d = lc_call_first_error(call);
    lc_probe_judged(x->j, LC_RULE_PROBE_PLAN_REJECTS_UNKNOWN);
    if (call->failed != LC_YES || !d)
        return false;
    x->rule = LC_RULE_PROBE_PLAN_REJECTS_UNKNOWN;
    x->promised_by = LC_COLUMN_NONE;
    x->note = lc_str_printf(x->j->scratch,
                            "the plan with an unknown value has an error; with known values run "
                            "%u had none",
                            (unsigned)x->earlier->view->number);
    emit(x, place_of(x, d), d->loc.line ? d->loc : call->loc);
    return true;
}

/* Is the first of two `same` configurations free of refinements where the second has some? */
static bool is_refined_of(const lc_value *bare, const lc_value *refined)
{
    return !(bare->flags & LC_HAS_REFINED) && refined->flags & LC_HAS_REFINED &&
           lc_value_same(bare, refined);
}

static void judge_refinement(context *x, const lc_value *before, const lc_value *now)
{
    lc_probe_judged(x->j, LC_RULE_PROBE_REFINEMENT_WIDENED);
    x->rule = LC_RULE_PROBE_REFINEMENT_WIDENED;
    x->promised_by = LC_COLUMN_NONE;
    x->note = lc_str_printf(x->j->scratch,
                            "planned differently from run %u, whose unknown value has fewer "
                            "refinements",
                            (unsigned)x->earlier->view->number);
    lc_each_difference(x->j->scratch, before, now, each_decided, x);
}

static void judge_fresh_create(context *x, const lc_value *before, const lc_value *now)
{
    lc_probe_judged(x->j, LC_RULE_PROBE_REPLACE_DIFFERS);
    x->rule = LC_RULE_PROBE_REPLACE_DIFFERS;
    x->promised_by = LC_COLUMN_NONE;
    x->note = lc_str_printf(x->j->scratch,
                            "the create of run %u, with the same configuration, has another plan",
                            (unsigned)x->earlier->view->number);
    lc_each_difference(x->j->scratch, before, now, each_difference, x);
}

static bool differ_in_write_only(const context *x)
{
    const lc_block *block = x->later->view->block;
    lc_arena *scratch = x->j->scratch;
    return block->any_write_only && !lc_value_same(x->earlier->config, x->later->config) &&
           lc_value_same(lc_without_write_only(scratch, block, x->earlier->config),
                         lc_without_write_only(scratch, block, x->later->config));
}

static void judge_write_only(context *x, const lc_value *before, const lc_value *now)
{
    lc_probe_judged(x->j, LC_RULE_PROBE_WRITE_ONLY_CHANGES);
    x->rule = LC_RULE_PROBE_WRITE_ONLY_CHANGES;
    x->promised_by = LC_COLUMN_NONE;
    x->note = lc_str_printf(x->j->scratch,
                            "planned differently from run %u, though only write-only values differ",
                            (unsigned)x->earlier->view->number);
    lc_each_difference(x->j->scratch, before, now, each_difference, x);
}

static bool is_fresh_create(const question *q)
{
    return q->call->kind == LC_CALL_PLAN && lc_is_null(q->prior) && q->view->run->tainted != LC_YES;
}

/* The rules that a pair is about; `rejected`: the later one has its finding already. */
static void judge_pair(context *x, bool *rejected)
{
    if (!*rejected)
        *rejected = judge_rejection(x);
    const lc_value *before = answer(x->earlier), *now = answer(x->later);
    if (!before || !now)
        return;
    if (is_refined_of(x->earlier->config, x->later->config) &&
        same_private(x->earlier->call, x->later->call))
        judge_refinement(x, before, now);
    if (x->later->call->kind == LC_CALL_PLAN_CREATE && is_fresh_create(x->earlier) &&
        lc_value_raw_equal(x->earlier->config, x->later->config))
        judge_fresh_create(x, before, now);
    if (same_private(x->earlier->call, x->later->call) && differ_in_write_only(x))
        judge_write_only(x, before, now);
}

/* ---- probe/not-settled, probe/not-fixpoint: the prior state is what an earlier plan required. */

/* A plan that changed nothing is the same request again. */
static bool is_settled_pair(const context *x)
{
    const lc_value *before = answer(x->earlier);
    return before && !x->later->view->after_apply && x->later->call->kind == LC_CALL_PLAN &&
           lc_is_wholly_known(before) && lc_is_wholly_known(x->earlier->config) &&
           x->later->view->run->tainted != LC_YES &&
           lc_value_same(x->earlier->config, x->later->config) &&
           lc_value_same(before, x->later->prior) &&
           !lc_value_same(x->earlier->prior, x->later->prior) && answer(x->later);
}

static void judge_settled(context *x)
{
    bool created = lc_is_null(x->earlier->prior);
    x->rule = created ? LC_RULE_PROBE_NOT_SETTLED : LC_RULE_PROBE_NOT_FIXPOINT;
    x->promised_by = LC_COLUMN_PRIOR;
    x->note = lc_str_printf(x->j->scratch,
                            "run %u planned exactly this object for the same configuration, but "
                            "a change is planned",
                            (unsigned)x->earlier->view->number);
    lc_probe_judged(x->j, x->rule);
    lc_each_difference(x->j->scratch, normal(x, x->later->prior), normal(x, answer(x->later)),
                       each_difference, x);
}

/* ---- All plans of a run. */

static lc_str key_of(lc_arena *arena, const lc_run_view *v, const lc_value *value)
{
    uint64_t hash = lc_hash_mix(lc_value_hash(value), (uint64_t)(uintptr_t)v->schema);
    return lc_str_copy(arena, LC_BYTES_OF(hash));
}

/* What was sent: the recorded request, or for the call that the view is about what it computes. */
static bool read_question(const lc_judge *j, question *q, const lc_call *call)
{
    const lc_run_view *v = j->view;
    *q = (question){.call = call, .view = v};
    bool main = v->call[call->kind] == call, create = call->kind == LC_CALL_PLAN_CREATE;
    if (lc_field_has_value(&call->config))
        q->config = call->config.value;
    else if (main)
        q->config = create ? v->core[LC_OPENTOFU].create_config : v->core[LC_OPENTOFU].config;
    if (lc_field_has_value(&call->prior_state)) {
        q->prior = call->prior_state.value;
    } else if (main && !create) {
        q->prior = v->sent_prior;
    } else if (main) {
        lc_value *null = LC_NEW(j->scratch, lc_value);
        lc_value_set_null(null, v->block->implied);
        q->prior = null;
    }
    return q->config && lc_is_known(q->config) && q->prior && !lc_is_unknown(q->prior);
}

static bool is_comparable(lc_judge *j, const question *earlier, const question *later)
{
    return earlier->view->schema == later->view->schema &&
           lc_same_provider(j, earlier->call, earlier->view->number, later->call);
}

static void compare_with_earlier(lc_judge *j, const question *q, const question *same_prior,
                                 const question *same_result)
{
    size_t pairs = 0;
    bool rejected = false;
    for (const question *e = same_prior; e && pairs < MAX_PAIRS; e = e->same_prior, pairs++) {
        context x = {.j = j, .earlier = e, .later = q};
        if (is_comparable(j, e, q) && lc_value_same(e->prior, q->prior))
            judge_pair(&x, &rejected);
    }
    for (const question *e = same_result; e && pairs < MAX_PAIRS; e = e->same_result, pairs++) {
        context x = {.j = j, .earlier = e, .later = q};
        if (!is_comparable(j, e, q) || !is_settled_pair(&x))
            continue;
        judge_settled(&x);
        break;
    }
    j->probing_gave_up = j->probing_gave_up || pairs == MAX_PAIRS;
}

static void judge_question(lc_judge *j, const lc_call *call)
{
    question *q = LC_NEW(j->scratch, question);
    if (!read_question(j, q, call))
        return;
    lc_str key = key_of(j->scratch, j->view, q->prior);
    q->same_prior = lc_table_get(&j->questions->by_prior, key);
    compare_with_earlier(j, q, q->same_prior, lc_table_get(&j->questions->by_result, key));
    lc_table_put(&j->questions->by_prior, key, q);
    if (!answer(q))
        return;
    lc_str result = key_of(j->scratch, j->view, answer(q));
    q->same_result = lc_table_get(&j->questions->by_result, result);
    lc_table_put(&j->questions->by_result, result, q);
}

static void judge_questions(lc_judge *j)
{
    const lc_run *run = j->view->run;
    if (!j->questions) {
        j->questions = LC_NEW(j->scratch, struct lc_questions);
        lc_table_init(&j->questions->by_prior, j->scratch);
        lc_table_init(&j->questions->by_result, j->scratch);
    }
    for (size_t i = 0; i < run->calls.count; i++) {
        lc_call_kind kind = run->calls.items[i].kind;
        if (kind == LC_CALL_PLAN || kind == LC_CALL_PLAN_CREATE)
            judge_question(j, &run->calls.items[i]);
    }
}

/* ---- probe/stored-changes. */

/* Does the configuration ask for nothing, so that the client proposes the object as it is? */
static bool is_as_configured(const lc_run_view *v)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!v->core[core].proposed || !lc_value_same(v->core[core].proposed, v->sent_prior) ||
            v->core[core].action == LC_ACTION_NONE)
            return false;
    }
    return true;
}

static void judge_stored(lc_judge *j)
{
    const lc_run_view *v = j->view;
    question q = {.call = v->call[LC_CALL_PLAN], .view = v};
    if (!v->run->probed || !v->run->previous_run_state.given || !q.call || !answer(&q) ||
        !v->sent_prior || !lc_is_known(v->sent_prior) || v->run->force_replace == LC_YES ||
        !is_as_configured(v))
        return;
    lc_probe_judged(j, LC_RULE_PROBE_STORED_CHANGES);
    if (v->core[LC_OPENTOFU].action == LC_ACTION_NOOP &&
        v->core[LC_TERRAFORM].action == LC_ACTION_NOOP)
        return;
    context x = {.j = j,
                 .later = &q,
                 .rule = LC_RULE_PROBE_STORED_CHANGES,
                 .promised_by = LC_COLUMN_PRIOR,
                 .note = LC_STR("a change is planned for a stored object that agrees with its "
                                "configuration")};
    lc_each_difference(j->scratch, normal(&x, v->sent_prior), normal(&x, answer(&q)),
                       each_difference, &x);
}

/* ---- probe/replace-fails. */

static void judge_replace(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *create = v->call[LC_CALL_PLAN_CREATE], *plan = v->call[LC_CALL_PLAN];
    const lc_value *config = v->core[LC_OPENTOFU].create_config;
    if (!create || !plan || !v->replacing || plan->requires_replace.count == 0 || !config ||
        !lc_is_wholly_known(config) || create->broke == LC_YES)
        return;
    lc_probe_judged(j, LC_RULE_PROBE_REPLACE_FAILS);
    const lc_provider_diag *d = lc_call_first_error(create);
    if (create->failed != LC_YES || !d)
        return;
    question q = {.call = create, .view = v, .config = config};
    context x = {.j = j,
                 .later = &q,
                 .rule = LC_RULE_PROBE_REPLACE_FAILS,
                 .promised_by = LC_COLUMN_NONE,
                 .note = LC_STR("a replacement is required, but its create cannot be planned")};
    emit(&x, place_of(&x, d), d->loc.line ? d->loc : create->loc);
}

/* ---- probe/completion-accepted. */

static bool has_finding(const lc_judge *j, lc_rule rule, const lc_call *call)
{
    for (size_t i = 0; i < j->out->findings.count; i++) {
        const lc_finding *f = &j->out->findings.items[i];
        if (f->rule == rule && f->run == j->view->number && f->call.kind == call->kind &&
            f->call.index == call->index)
            return true;
    }
    return false;
}

static const lc_value *validated(const lc_run *run, const lc_call *call)
{
    if (call->kind != LC_CALL_VALIDATE)
        return NULL;
    const lc_field *field = lc_field_has_value(&call->config) ? &call->config : &run->config;
    return lc_field_has_value(field) ? field->value : NULL;
}

/* The number of a run up to this one in which a completion was accepted; 0: none. */
static uint32_t accepted_in(lc_judge *j, const lc_call *call, const lc_value *open, bool *any)
{
    size_t pairs = 0;
    for (uint32_t number = j->view->number; number > 0; number--) {
        const lc_run *run = &j->subject->runs.items[number - 1];
        for (size_t i = 0; i < run->calls.count; i++) {
            const lc_call *other = &run->calls.items[i];
            const lc_value *known = validated(run, other);
            if (!known || run->schema != j->view->schema || !lc_is_wholly_known(known) ||
                !lc_same_provider(j, other, number, call))
                continue;
            if (++pairs > MAX_PAIRS) {
                j->probing_gave_up = true;
                return 0;
            }
            if (!lc_completes(known, open))
                continue;
            *any = true;
            if (other->failed == LC_NO)
                return number;
        }
    }
    return 0;
}

/* Such an error is what validate/rejects-unknown is about. */
static bool is_about_unknown(const lc_judge *j, const lc_provider_diag *d, const lc_value *open)
{
    const lc_value *part = d->has_path ? lc_path_apply(j->scratch, open, d->path) : NULL;
    return part && d->path.count && !lc_is_wholly_known(part);
}

static void judge_validation(lc_judge *j, const lc_call *call)
{
    const lc_value *open = validated(j->view->run, call);
    const lc_provider_diag *d = lc_call_first_error(call);
    bool any = false;
    if (!open || lc_is_wholly_known(open) || call->failed != LC_YES || !d)
        return;
    uint32_t number = accepted_in(j, call, open, &any);
    if (any)
        lc_probe_judged(j, LC_RULE_PROBE_COMPLETION_ACCEPTED);
    if (!number || is_about_unknown(j, d, open) ||
        has_finding(j, LC_RULE_VALIDATE_REJECTS_UNKNOWN, call))
        return;
    question q = {.call = call, .view = j->view, .config = open};
    context x = {.j = j,
                 .later = &q,
                 .rule = LC_RULE_PROBE_COMPLETION_ACCEPTED,
                 .promised_by = LC_COLUMN_CONFIG,
                 .note = LC_STR("an error that is gone when the unknown value is known")};
    emit(&x, place_of(&x, d), d->loc.line ? d->loc : call->loc);
}

/* ---- probe/newer-accepted. */

static void judge_upgrade(lc_judge *j, const lc_call *call)
{
    const lc_raw_state *raw = &call->raw;
    const lc_value *upgraded = lc_call_object(call);
    if (!j->view->run->probed || !raw->given || !lc_field_has_value(&raw->attributes) ||
        lc_is_null(raw->attributes.value) || raw->schema_version <= j->view->schema->version)
        return;
    lc_probe_judged(j, LC_RULE_PROBE_NEWER_ACCEPTED);
    if (!upgraded || lc_is_null(upgraded) || call->failed == LC_YES)
        return;
    lc_emit_aside(j, LC_RULE_PROBE_NEWER_ACCEPTED, call, call->loc,
                  lc_str_printf(j->scratch,
                                "stored with schema version %lld, upgraded without an error; the "
                                "schema has %lld",
                                (long long)raw->schema_version,
                                (long long)j->view->schema->version));
}

/* ---- All. */

static void judge_metadata(lc_judge *j)
{
    lc_fact listed = j->view->run->in_metadata;
    if (listed != LC_NOT_KNOWN)
        lc_probe_judged(j, LC_RULE_PROBE_METADATA);
    if (listed == LC_NO)
        lc_emit_in_schema(j, LC_RULE_PROBE_METADATA, LC_PATH_ROOT, (lc_loc){0},
                          LC_STR("the schema has the type, GetMetadata does not list it"));
}

void lc_judge_probe(lc_judge *j)
{
    const lc_run *run = j->view->run;
    j->probed_rules = 0;
    j->probing_gave_up = false;
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == LC_CALL_VALIDATE)
            judge_validation(j, &run->calls.items[i]);
        if (run->calls.items[i].kind == LC_CALL_UPGRADE)
            judge_upgrade(j, &run->calls.items[i]);
    }
    judge_questions(j);
    judge_stored(j);
    judge_replace(j);
    judge_metadata(j);
    lc_judge_asked_schema(j);
}
