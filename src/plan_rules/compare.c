/* A plan against a prediction of it, made from configuration files or from the plan itself. A
 * difference is reported once, by the most specific rule.
 *
 * A prediction from the plan alone rests on what the plan prints: no lifecycle settings, no options
 * and no moved, removed or import blocks. Rules about these are not judged then, and an address
 * that already has a finding gets no other. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/predict/predict.h"

/* The state of the comparison. */
typedef struct comparison {
    lc_plan_rules *r;
    /* NULL: the prediction is made from the plan alone */
    const lc_run_input *in;
    const lc_prediction *f;
    lc_table unselected; /* addresses that options exclude */
    lc_table protected;  /* address -> lc_run_error of prevent_destroy */
    lc_table found;      /* only from the plan alone: addresses with findings */
    /* The plan's format has reasons for all actions (since 1.2). */
    bool has_reasons;
} comparison;

/* ---- Which rule is violated. */

static lc_rule rule_of_keys(const comparison *cmp, const lc_address *address)
{
    const lc_config_resource *config = lc_config_resource_at(cmp->f->config, address);
    return config && config->repetition.count      ? LC_RULE_RUN_COUNT_KEYS
           : config && config->repetition.for_each ? LC_RULE_RUN_EACH_KEYS
                                                   : LC_RULE_RUN_EXPECTED_ACTION;
}

/* The rule for a setting, block or option that is not obeyed; LC_RULE_COUNT: none. */
static lc_rule rule_of_setting(const lc_run_change *f, const lc_plan_change *c)
{
    bool stays = c->action == LC_PLAN_NOOP || c->action == LC_PLAN_UPDATE;
    bool replaces = lc_plan_action_replaces(c->action);
    if (replaces && (f->possible & LC_PLAN_REPLACES) && !(f->possible & ~LC_PLAN_REPLACES))
        return LC_RULE_BEHAVIOR_CBD_ORDER;
    if (stays && f->reason == LC_PLAN_REASON_REPLACE_TRIGGERS)
        return LC_RULE_RUN_TRIGGER_NOT_REPLACED;
    if (c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS)
        return LC_RULE_RUN_TRIGGER_UNFIRED;
    if (f->previous.len && !c->previous_address.len)
        return LC_RULE_RUN_MOVED_NOT_APPLIED;
    if (f->action == LC_PLAN_FORGET && c->action == LC_PLAN_DELETE &&
        lc_str_is(f->why.setting, "removed"))
        return LC_RULE_RUN_REMOVED_IGNORED;
    if (c->action == LC_PLAN_FORGET)
        return LC_RULE_RUN_FORGET_UNASKED;
    if (f->importing && !(c->importing && c->importing->kind == LC_NODE_MAPPING))
        return LC_RULE_RUN_IMPORT_PENDING;
    return LC_RULE_COUNT;
}

/* A setting explains most; then the instance keys, then the module, and last the action itself. */
static lc_rule rule_of_action(const comparison *cmp, const lc_run_change *f,
                              const lc_plan_change *c)
{
    lc_rule rule = cmp->in ? rule_of_setting(f, c) : LC_RULE_COUNT;
    if (rule != LC_RULE_COUNT)
        return rule;
    if (lc_plan_reason_is_of_key(f->reason) ||
        (f->action != LC_PLAN_DELETE && lc_plan_reason_is_of_key(c->reason)))
        return rule_of_keys(cmp, &f->address);
    if (c->reason == LC_PLAN_REASON_DELETE_NO_MODULE ||
        (!cmp->in && f->reason == LC_PLAN_REASON_DELETE_NO_MODULE))
        return LC_RULE_RUN_NO_MODULE;
    return LC_RULE_RUN_EXPECTED_ACTION;
}

static lc_rule rule_of_reason(const lc_run_change *f, const lc_plan_change *c)
{
    if (c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS)
        return LC_RULE_RUN_TRIGGER_UNFIRED;
    return c->reason == LC_PLAN_REASON_DELETE_NO_MODULE ||
                   f->reason == LC_PLAN_REASON_DELETE_NO_MODULE
               ? LC_RULE_RUN_NO_MODULE
               : LC_RULE_RUN_EXPECTED_REASON;
}

static bool has_targets(const comparison *cmp)
{
    return cmp->in && (cmp->in->options.targets.list.count || cmp->in->options.excludes.list.count);
}

/* The rule for a predicted change that the plan does not have. */
static lc_rule rule_of_missing(const comparison *cmp, const lc_run_change *f)
{
    if (f->action == LC_PLAN_READ)
        return LC_RULE_DATA_READ_EARLY;
    if (f->importing)
        return LC_RULE_RUN_IMPORT_PENDING;
    if (f->previous.len)
        return LC_RULE_RUN_MOVED_NOT_APPLIED;
    if (has_targets(cmp))
        return LC_RULE_RUN_TARGET_CLOSURE;
    return f->address.key.kind == LC_KEY_NONE ? LC_RULE_RUN_EXPECTED_ACTION
                                              : rule_of_keys(cmp, &f->address);
}

/* ---- Planned, but predicted differently. */

static void report_action(comparison *cmp, const lc_run_change *f, const lc_plan_change *c)
{
    lc_report_change(
        cmp->r, rule_of_action(cmp, f, c), c, c->actions, ".change.actions",
        "%.*s: %s is planned, where %.*s is expected: %.*s", LC_FMT(c->address),
        lc_plan_action_text(c->action), LC_FMT(lc_plan_action_words(cmp->r->scratch, f->possible)),
        LC_FMT(f->order && lc_plan_action_replaces(c->action) ? f->order->text : f->why.text));
}

/* Bits of the reasons that are possible for the entry; 0: any. */
static unsigned expected_reasons(const comparison *cmp, const lc_run_change *f)
{
    if (!cmp->in)
        return cmp->has_reasons ? f->reasons : 0;
    if (f->reasons)
        return f->reasons;
    /* The values alone may decide about the reason, so an open one is not compared. */
    bool open = f->possible != LC_PLAN_BIT(f->action) ||
                (f->undecided &&
                 (f->reason == LC_PLAN_REASON_REPLACE_CANNOT_UPDATE || f->action == LC_PLAN_READ));
    return open ? 0 : 1u << f->reason;
}

static lc_str reason_words(lc_arena *arena, unsigned reasons)
{
    lc_buf text = {0};
    for (int reason = LC_PLAN_REASON_NONE; reason < LC_PLAN_REASON_UNKNOWN; reason++) {
        if (!(reasons >> reason & 1))
            continue;
        lc_buf_add_c(&text, text.len ? " or " : "");
        lc_buf_add_c(&text, reason ? lc_plan_reason_text((lc_plan_reason)reason) : "none");
    }
    return lc_buf_take(arena, &text);
}

static void judge_reason(comparison *cmp, const lc_run_change *f, const lc_plan_change *c)
{
    unsigned reasons = expected_reasons(cmp, f);
    const char *got = lc_plan_reason_text(c->reason);
    if (!reasons || (reasons >> c->reason & 1) || (*lc_wrong(cmp->r, c) & LC_WRONG_REASON))
        return;
    const lc_node *at = cmp->in ? NULL : lc_node_given(c->node, "action_reason");
    lc_report_change(cmp->r, rule_of_reason(f, c), c, at, ".action_reason",
                     "%.*s: the reason is %s, where %.*s is expected: %.*s", LC_FMT(c->address),
                     *got ? got : "none", LC_FMT(reason_words(cmp->r->scratch, reasons)),
                     LC_FMT(f->why.text));
}

/* The provider alone decides about an attribute that cannot be configured: the clients call an
 * ignore_changes of it redundant, and it changes nothing. */
static bool is_decided_by_provider(const comparison *cmp, const lc_config_resource *config,
                                   lc_str name)
{
    const lc_schema *schema = lc_run_schema(&cmp->in->provider, cmp->in->config, config);
    const lc_attribute *a = schema ? lc_block_attribute(schema->block, name) : NULL;
    return a && a->computed && !a->optional;
}

/* Attributes in ignore_changes must not change in an update or no-op. Only whole top-level
 * attributes are compared, because deeper paths need the schema. */
static void judge_ignored(comparison *cmp, const lc_run_change *f, const lc_plan_change *c)
{
    const lc_config_lifecycle *l = f->config ? f->config->lifecycle : NULL;
    bool stays = c->action == LC_PLAN_UPDATE || c->action == LC_PLAN_NOOP;
    if (!l || !stays || f->deposed.len || f->importing ||
        (!l->ignore_all && !l->ignore_changes.list.count) || !c->before || !c->after ||
        c->before->kind != LC_NODE_MAPPING)
        return;
    if (l->ignore_all && c->action == LC_PLAN_UPDATE &&
        !lc_same_or_null(cmp->r->scratch, c->before, c->after)) {
        lc_report_change(cmp->r, LC_RULE_RUN_IGNORE_CHANGES, c, c->after, ".change.after",
                         "%.*s changes, although all changes are ignored", LC_FMT(c->address));
        return;
    }
    for (size_t i = 0; i < l->ignore_changes.list.count; i++) {
        const lc_config_ref *ref = &l->ignore_changes.list.items[i];
        char *name = lc_str_to_c(cmp->r->scratch, ref->text);
        const lc_node *was = lc_node_get(c->before, name), *is = lc_node_get(c->after, name);
        bool whole = lc_node_has_true(lc_node_get(c->after_unknown, name));
        if (is_decided_by_provider(cmp, f->config, ref->text))
            continue;
        if ((was || is || whole) && (whole || !lc_same_or_null(cmp->r->scratch, was, is)))
            lc_report_change(cmp->r, LC_RULE_RUN_IGNORE_CHANGES, c, c->after, ".change.after",
                             "%.*s: `%.*s` changes, although its changes are ignored",
                             LC_FMT(c->address), LC_FMT(ref->text));
    }
}

/* An entry for an address without a prediction. */
static void judge_unpredicted(comparison *cmp, const lc_plan_change *c)
{
    if (lc_table_get(&cmp->unselected, c->address)) {
        lc_report_change(cmp->r, LC_RULE_RUN_TARGET_CLOSURE, c, NULL, "",
                         "%.*s is planned, although the options leave it out", LC_FMT(c->address));
        return;
    }
    lc_address resource = lc_address_resource(&c->parsed);
    if (lc_run_is_open(cmp->f, lc_address_text(cmp->r->scratch, &resource)))
        return;
    const lc_configuration *config = cmp->f->config;
    bool declared =
        lc_config_resource_at(config, &c->parsed) || lc_config_module_at(config, &c->parsed);
    if (c->generated_config || (!declared && config->incomplete))
        return;
    if (c->action == LC_PLAN_READ) {
        lc_report_change(cmp->r, LC_RULE_DATA_READ_LATE, c, NULL, "",
                         "%.*s is read when the plan is applied, although it can be read now",
                         LC_FMT(c->address));
        return;
    }
    lc_rule rule = has_targets(cmp) ? LC_RULE_RUN_TARGET_CLOSURE : rule_of_keys(cmp, &c->parsed);
    lc_report_change(cmp->r, rule, c, NULL, "", "%.*s is planned, and nothing is expected there",
                     LC_FMT(c->address));
}

/* The same in a prediction from the plan alone: the printed configuration does not declare the
 * instance. */
static void judge_undeclared(comparison *cmp, const lc_plan_change *c)
{
    if (!cmp->f->complete || c->deposed.len || !c->block || lc_plan_action_ends(c->action))
        return;
    lc_report_change(cmp->r, rule_of_keys(cmp, &c->parsed), c, NULL, "",
                     "%.*s is planned, and nothing is expected there: the configuration does not "
                     "declare it",
                     LC_FMT(c->address));
}

/* Entries that are wrong in themselves are not compared. */
static bool is_comparable(const comparison *cmp, const lc_plan_change *c)
{
    if (*lc_wrong(cmp->r, c) & (LC_WRONG_IDENTITY | LC_WRONG_ACTION | LC_SECOND))
        return false;
    if (cmp->in)
        return c->parses;
    bool known = lc_str_is(c->mode, "managed") || lc_str_is(c->mode, "data");
    return c->fits && known && !c->generated_config && c->action != LC_PLAN_UNKNOWN &&
           !lc_table_get(&cmp->found, c->address);
}

/* The action first, then the previous address, then the reason: one finding for each difference. */
static void judge_entry(comparison *cmp, const lc_plan_change *c)
{
    if (!is_comparable(cmp, c))
        return;
    const lc_run_change *f = lc_run_find(cmp->f, c->address, c->deposed);
    if (!f) {
        if (cmp->in)
            judge_unpredicted(cmp, c);
        else
            judge_undeclared(cmp, c);
        return;
    }
    if (!(f->possible & LC_PLAN_BIT(c->action))) {
        report_action(cmp, f, c);
        return;
    }
    if (!lc_str_eq(f->previous, c->previous_address))
        lc_report_change(cmp->r, LC_RULE_RUN_MOVED_NOT_APPLIED, c, NULL, ".previous_address",
                         "%.*s: the address before is %.*s, where %.*s is expected",
                         LC_FMT(c->address),
                         LC_FMT(c->previous_address.len ? c->previous_address : LC_STR("none")),
                         LC_FMT(f->previous.len ? f->previous : LC_STR("none")));
    else
        judge_reason(cmp, f, c);
    bool importing = c->importing && c->importing->kind == LC_NODE_MAPPING;
    if (f->importing && !importing)
        lc_report_change(cmp->r, LC_RULE_RUN_IMPORT_PENDING, c, NULL, ".change.importing",
                         "%.*s is to be imported, and the entry does not say so",
                         LC_FMT(c->address));
    judge_ignored(cmp, f, c);
}

/* ---- Predicted, but not planned. */

/* True if the plan must have an entry for the change. */
static bool has_to_be_there(const comparison *cmp, const lc_run_change *f)
{
    const lc_plan *plan = cmp->r->plan;
    if (cmp->in) /* a data source that may be read now has no entry then */
        return f->action != LC_PLAN_READ || !(f->possible & LC_PLAN_BIT(LC_PLAN_NOOP));
    return f->sure && !f->deposed.len && !lc_table_get(&plan->prior_by_address, f->text) &&
           !lc_table_get(&plan->deferred_by_address, f->text) &&
           !lc_table_get(&cmp->found, f->text);
}

static void judge_missing(comparison *cmp, const lc_run_change *f)
{
    lc_str key = lc_plan_key(cmp->r->scratch, f->text, f->deposed);
    if (!has_to_be_there(cmp, f) || lc_table_get(&cmp->r->plan->by_address, key) ||
        lc_table_get(&cmp->r->plan->deferred_by_address, f->text))
        return;
    lc_report_plan(cmp->r, rule_of_missing(cmp, f), f->text, NULL, "",
                   "%.*s: %.*s is expected, and nothing is planned: %.*s", LC_FMT(f->text),
                   LC_FMT(lc_plan_action_words(cmp->r->scratch, f->possible)), LC_FMT(f->why.text));
}

/* ---- prevent_destroy. */

/* Errors of prevent_destroy are part of the prediction. If the plan failed they are its cause, else
 * the plan should not exist. */
static void judge_protection(comparison *cmp)
{
    for (size_t i = 0; i < cmp->r->plan->changes.count; i++) {
        const lc_plan_change *c = &cmp->r->plan->changes.items[i];
        const lc_run_error *e = c->deposed.len ? NULL : lc_table_get(&cmp->protected, c->address);
        bool destroys = c->action == LC_PLAN_DELETE || c->action == LC_PLAN_DELETE_CREATE ||
                        c->action == LC_PLAN_CREATE_DELETE;
        if (!e || !destroys)
            continue;
        if (cmp->r->errored)
            lc_report_change(
                cmp->r, LC_RULE_RUN_ERRORED_PREVENT_DESTROY, c, NULL, ".change.actions",
                "%.*s is why the plan has failed: prevent_destroy is set, and it would "
                "be destroyed",
                LC_FMT(c->address));
        else
            lc_report_change(cmp->r, LC_RULE_RUN_PREVENT_DESTROY, c, c->actions, ".change.actions",
                             "%.*s is destroyed, although prevent_destroy is set",
                             LC_FMT(c->address));
    }
}

/* ---- Contradictions within the plan. */

/* All instances of one block have the same kind of key. Checked only where the plan does not print
 * the repetition. */
static void judge_kinds(comparison *cmp)
{
    const lc_plan *plan = cmp->r->plan;
    lc_table firsts;
    lc_table_init(&firsts, cmp->r->scratch);
    for (size_t i = 0; i < plan->changes.count; i++) {
        lc_plan_change *c = &plan->changes.items[i];
        if (!c->fits || c->deposed.len || lc_plan_action_ends(c->action) ||
            c->action == LC_PLAN_UNKNOWN || lc_table_get(&cmp->found, c->address))
            continue;
        if (!c->block || c->block->count || c->block->for_each)
            continue; /* the printed repetition shows which kind */
        lc_address resource = lc_address_resource(&c->parsed);
        lc_str text = lc_address_text(cmp->r->scratch, &resource);
        const lc_plan_change *first = lc_table_get(&firsts, text);
        if (!first) {
            lc_table_put(&firsts, text, c);
        } else if (first->parsed.key.kind != c->parsed.key.kind) {
            lc_report_change(
                cmp->r, LC_RULE_RUN_EXPECTED_ACTION, c, NULL, "",
                "%.*s is planned together with %.*s, but the instances of one block have keys "
                "of one kind",
                LC_FMT(c->address), LC_FMT(first->address));
            lc_table_put(&cmp->found, c->address, c);
        }
    }
}

/* True if no change in the whole plan could postpone a read. */
static bool nothing_changes(const lc_plan *plan)
{
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        if (c->action != LC_PLAN_NOOP && c->action != LC_PLAN_READ)
            return false;
    }
    return !plan->deferred.count;
}

static void judge_waiting(comparison *cmp)
{
    const lc_plan *plan = cmp->r->plan;
    LC_PLAN_RULES_CHECKS(cmp->r, LC_RULE_DATA_READ_LATE);
    if (!nothing_changes(plan))
        return;
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        if (c->action == LC_PLAN_READ && c->reason == LC_PLAN_REASON_READ_DEPENDENCY_PENDING &&
            !(*lc_wrong(cmp->r, c) & (LC_WRONG_IDENTITY | LC_WRONG_ACTION)) &&
            !lc_table_get(&cmp->found, c->address))
            lc_report_change(cmp->r, LC_RULE_DATA_READ_LATE, c, NULL, "",
                             "%.*s is read when the plan is applied, because something that it "
                             "depends on changes; but nothing in the plan does",
                             LC_FMT(c->address));
    }
}

/* ---- The whole comparison. */

static void judge_entries(comparison *cmp)
{
    for (size_t i = 0; i < cmp->r->plan->changes.count; i++)
        judge_entry(cmp, &cmp->r->plan->changes.items[i]);
}

static void judge_all_missing(comparison *cmp)
{
    for (size_t i = 0; i < cmp->f->changes.count; i++)
        judge_missing(cmp, &cmp->f->changes.items[i]);
}

/* Findings that exist before this comparison are those of the other families. */
static void index_prediction(comparison *cmp)
{
    lc_table_init(&cmp->unselected, cmp->r->scratch);
    lc_table_init(&cmp->protected, cmp->r->scratch);
    lc_table_init(&cmp->found, cmp->r->scratch);
    for (size_t i = 0; i < cmp->f->unselected.count; i++)
        lc_table_put(&cmp->unselected, cmp->f->unselected.items[i], cmp);
    for (size_t i = 0; i < cmp->f->errors.count; i++) {
        lc_run_error *e = &cmp->f->errors.items[i];
        if (lc_core_message_is(LC_RULE_RUN_ERRORED_PREVENT_DESTROY, e->summary))
            lc_table_put(&cmp->protected, e->address, e);
    }
}

/* The comparison with a prediction from the plan alone. Missing entries can only be judged if the
 * plan lists everything. */
static void compare_with_itself(comparison *cmp)
{
    lc_plan_rules *r = cmp->r;
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_EXPECTED_ACTION, LC_RULE_RUN_EXPECTED_REASON,
                         LC_RULE_RUN_COUNT_KEYS, LC_RULE_RUN_EACH_KEYS, LC_RULE_RUN_NO_MODULE);
    for (size_t i = 0; i < r->planner->out->findings.count; i++) {
        lc_str address = r->planner->out->findings.items[i].address;
        if (address.len)
            lc_table_put(&cmp->found, lc_str_copy(r->scratch, address), r);
    }
    judge_kinds(cmp);
    judge_entries(cmp);
    if (r->options.mode == LC_PLAN_NORMAL)
        judge_waiting(cmp);
    if (lc_plan_rules_whole(r) != LC_YES)
        return;
    LC_PLAN_RULES_CHECKS(r, LC_RULE_DATA_READ_EARLY);
    judge_all_missing(cmp);
}

/* An object that a whole plan lists, even if it stays as it is. */
static bool lacks_object(const lc_plan_rules *r, const lc_prediction *prediction)
{
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        if (c->action != LC_PLAN_READ && !c->deposed.len &&
            !lc_table_get(&r->plan->by_address, c->text))
            return true;
    }
    return false;
}

/* OpenTofu does not report whether options excluded something, but they may be the reason why
 * something is missing. */
bool lc_plan_rules_left_out(const lc_plan_rules *r, const lc_prediction *prediction)
{
    if (r->errored || r->options.target_count || r->options.exclude_count)
        return false;
    if (r->plan->by_opentofu && lc_plan_rules_whole(r) == LC_NOT_KNOWN)
        return lacks_object(r, prediction);
    return r->plan->complete == LC_NO;
}

/* If planning failed, the plan is incomplete and only prevent_destroy is judged. The same applies
 * to a plan that reports excluded parts, while no option names them. */
void lc_plan_rules_compare(lc_plan_rules *r, const lc_run_input *in,
                           const lc_prediction *prediction)
{
    comparison cmp = {.r = r, .in = in, .f = prediction};
    lc_str format = r->plan->format_version;
    cmp.has_reasons = !lc_str_is(format, "1.0") && !lc_str_is(format, "1.1");
    index_prediction(&cmp);
    if (in)
        judge_protection(&cmp);
    if (r->errored || prediction->no_plan)
        return;
    if (!in) {
        compare_with_itself(&cmp);
        return;
    }
    if (lc_plan_rules_left_out(r, prediction))
        return;
    judge_entries(&cmp);
    judge_all_missing(&cmp);
}
