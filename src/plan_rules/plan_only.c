/* A plan beside what its own configuration and prior state come to. What is told already of an
 * object, from the members of its entry, is not told again. */
#include "plan_rules/internal.h"

#include "lifecheck/arena.h"
#include "lifecheck/plan_only.h"

typedef struct judging {
    lc_plan_rules *r;
    const lc_prediction *f;
    lc_table reported; /* addresses with findings */
    bool whole;
    bool reasons; /* the format has them all: since 1.2 */
} judging;

static lc_rule rule_of_block(const lc_plan_block *block)
{
    return block && block->count      ? LC_RULE_RUN_COUNT_KEYS
           : block && block->for_each ? LC_RULE_RUN_EACH_KEYS
                                      : LC_RULE_RUN_EXPECTED_ACTION;
}

static lc_rule rule_of_action(const lc_run_change *f, const lc_plan_change *c)
{
    if (f->reason == LC_PLAN_REASON_DELETE_NO_MODULE ||
        c->reason == LC_PLAN_REASON_DELETE_NO_MODULE)
        return LC_RULE_RUN_NO_MODULE;
    return lc_plan_reason_is_of_key(f->reason) || lc_plan_reason_is_of_key(c->reason)
               ? rule_of_block(c->block)
               : LC_RULE_RUN_EXPECTED_ACTION;
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

static void tell_reason(judging *j, const lc_run_change *f, const lc_plan_change *c)
{
    const char *got = lc_plan_reason_text(c->reason);
    bool module = f->reason == LC_PLAN_REASON_DELETE_NO_MODULE ||
                  c->reason == LC_PLAN_REASON_DELETE_NO_MODULE;
    lc_report_change(j->r, module ? LC_RULE_RUN_NO_MODULE : LC_RULE_RUN_EXPECTED_REASON, c,
                     lc_node_given(c->node, "action_reason"), ".action_reason",
                     "%.*s: the reason is %s, where %.*s is expected: %.*s", LC_FMT(c->address),
                     *got ? got : "none", LC_FMT(reason_words(j->r->scratch, f->reasons)),
                     LC_FMT(f->why.text));
}

/* Declared by a key that its block does not have, or in a module instance that nothing declares. */
static void judge_unpredicted(judging *j, const lc_plan_change *c)
{
    if (!j->f->complete || c->deposed.len || !c->block || lc_plan_action_ends(c->action))
        return;
    lc_report_change(j->r, rule_of_block(c->block), c, NULL, "",
                     "%.*s is planned, and nothing is expected there: the configuration does not "
                     "declare it",
                     LC_FMT(c->address));
}

/* All instances of one block have keys of one kind. */
static void judge_kinds(judging *j)
{
    const lc_plan *plan = j->r->plan;
    lc_table firsts;
    lc_table_init(&firsts, j->r->scratch);
    for (size_t i = 0; i < plan->changes.count; i++) {
        lc_plan_change *c = &plan->changes.items[i];
        if (!c->fits || c->deposed.len || lc_plan_action_ends(c->action) ||
            c->action == LC_PLAN_UNKNOWN || lc_table_get(&j->reported, c->address))
            continue;
        if (!c->block || c->block->count || c->block->for_each)
            continue; /* what it has to be is shown */
        lc_address resource = lc_address_resource(&c->parsed);
        lc_str text = lc_address_text(j->r->scratch, &resource);
        const lc_plan_change *first = lc_table_get(&firsts, text);
        if (!first) {
            lc_table_put(&firsts, text, c);
        } else if (first->parsed.key.kind != c->parsed.key.kind) {
            lc_report_change(
                j->r, LC_RULE_RUN_EXPECTED_ACTION, c, NULL, "",
                "%.*s is planned beside %.*s, but the instances of one block have keys "
                "of one kind",
                LC_FMT(c->address), LC_FMT(first->address));
            lc_table_put(&j->reported, c->address, c);
        }
    }
}

/* Nothing in the whole plan has a change that the read could wait for. */
static bool nothing_changes(const lc_plan *plan)
{
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        if (c->action != LC_PLAN_NOOP && c->action != LC_PLAN_READ)
            return false;
    }
    return !plan->deferred.count;
}

static void judge_entry(judging *j, const lc_plan_change *c)
{
    unsigned wrong = *lc_wrong(j->r, c);
    bool known = lc_str_is(c->mode, "managed") || lc_str_is(c->mode, "data");
    if ((wrong & (LC_WRONG_IDENTITY | LC_WRONG_ACTION | LC_SECOND)) || !c->fits || !known ||
        c->generated_config || c->action == LC_PLAN_UNKNOWN ||
        lc_table_get(&j->reported, c->address))
        return;
    const lc_run_change *f = lc_run_find(j->f, c->address, c->deposed);
    if (!f)
        judge_unpredicted(j, c);
    else if (!(f->possible & LC_PLAN_BIT(c->action)))
        lc_report_change(j->r, rule_of_action(f, c), c, c->actions, ".change.actions",
                         "%.*s: %s is planned, where %.*s is expected: %.*s", LC_FMT(c->address),
                         lc_plan_action_text(c->action),
                         LC_FMT(lc_plan_action_words(j->r->scratch, f->possible)),
                         LC_FMT(f->why.text));
    else if (j->reasons && f->reasons && c->reason != LC_PLAN_REASON_UNKNOWN &&
             !(wrong & LC_WRONG_REASON) && !(f->reasons >> c->reason & 1))
        tell_reason(j, f, c);
}

static void judge_waiting(judging *j)
{
    const lc_plan *plan = j->r->plan;
    LC_PLAN_RULES_CHECKS(j->r, LC_RULE_DATA_READ_LATE);
    if (!nothing_changes(plan))
        return;
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        if (c->action == LC_PLAN_READ && c->reason == LC_PLAN_REASON_READ_DEPENDENCY_PENDING &&
            !(*lc_wrong(j->r, c) & (LC_WRONG_IDENTITY | LC_WRONG_ACTION)) &&
            !lc_table_get(&j->reported, c->address))
            lc_report_change(j->r, LC_RULE_DATA_READ_LATE, c, NULL, "",
                             "%.*s is read when the plan is applied, because something that it "
                             "depends on changes; but nothing in the plan does",
                             LC_FMT(c->address));
    }
}

static void judge_missing(judging *j, const lc_run_change *f)
{
    const lc_plan *plan = j->r->plan;
    lc_address config = lc_address_config(j->r->scratch, &f->address);
    const lc_plan_block *block =
        lc_table_get(&plan->blocks_by_address, lc_address_text(j->r->scratch, &config));
    if (!f->sure || f->deposed.len || lc_table_get(&plan->by_address, f->text) ||
        lc_table_get(&plan->prior_by_address, f->text) ||
        lc_table_get(&plan->deferred_by_address, f->text) || lc_table_get(&j->reported, f->text))
        return;
    lc_report_plan(j->r, f->action == LC_PLAN_READ ? LC_RULE_DATA_READ_EARLY : rule_of_block(block),
                   f->text, NULL, "", "%.*s: %.*s is expected, and nothing is planned: %.*s",
                   LC_FMT(f->text), LC_FMT(lc_plan_action_words(j->r->scratch, f->possible)),
                   LC_FMT(f->why.text));
}

static void judge(judging *j)
{
    lc_plan_rules *r = j->r;
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_EXPECTED_ACTION, LC_RULE_RUN_EXPECTED_REASON,
                         LC_RULE_RUN_COUNT_KEYS, LC_RULE_RUN_EACH_KEYS, LC_RULE_RUN_NO_MODULE);
    judge_kinds(j);
    for (size_t i = 0; i < r->plan->changes.count; i++)
        judge_entry(j, &r->plan->changes.items[i]);
    if (r->options.mode == LC_PLAN_NORMAL)
        judge_waiting(j);
    if (!j->whole)
        return;
    LC_PLAN_RULES_CHECKS(r, LC_RULE_DATA_READ_EARLY);
    for (size_t i = 0; i < j->f->changes.count; i++)
        judge_missing(j, &j->f->changes.items[i]);
}

void lc_plan_rules_plan_only(lc_plan_rules *r)
{
    const lc_prediction *outlook = r->facts->prediction
                                       ? r->facts->prediction
                                       : lc_plan_evidence_predict(r->scratch, r->facts);
    lc_buf json = {0};
    judging j = {.r = r, .f = outlook, .whole = lc_plan_rules_whole(r) == LC_YES};
    lc_str format = r->plan->format_version;
    j.reasons = !lc_str_is(format, "1.0") && !lc_str_is(format, "1.1");
    lc_table_init(&j.reported, r->scratch);
    for (size_t i = 0; i < r->planner->out->findings.count; i++) {
        lc_str address = r->planner->out->findings.items[i].address;
        if (address.len)
            lc_table_put(&j.reported, lc_str_copy(r->scratch, address), r);
    }
    if (!outlook->no_plan && !r->errored)
        judge(&j);
    lc_prediction_add_json(&json, outlook);
    r->planner->out->predictions = lc_buf_take(r->planner->report, &json);
}
