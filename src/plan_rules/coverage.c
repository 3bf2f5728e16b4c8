/* Which rules about a prediction could have found something. For example, a rule about triggers
 * does not apply to a configuration without triggers, so it is not counted as checked there. */
#include "plan_rules/internal.h"

#include "lifecheck/predict/predict.h"

/* What occurs in the evidence. */
typedef struct chances {
    lc_plan_rules *r;
    /* In the configuration (some also in prediction and plan). */
    bool count, for_each, data, ignores, moves, removes, imports, calls, protects;
    /* In the prediction and the plan. */
    bool some, replaces, forgets, triggers, open_triggers, open_data;
} chances;

static void see_repetition(chances *k, const lc_config_repetition *repetition)
{
    k->count |= repetition->count != NULL;
    k->for_each |= repetition->for_each != NULL;
}

static void see_resource(chances *k, const lc_config_resource *config)
{
    const lc_config_lifecycle *l = config->lifecycle;
    see_repetition(k, &config->repetition);
    k->data |= config->mode == LC_MODE_DATA;
    k->ignores |= l->ignore_all || l->ignore_changes.list.count;
    k->protects |= l->prevent_destroy.given;
}

static void see_module(chances *k, const lc_module *m)
{
    for (size_t i = 0; i < m->resources.count; i++)
        see_resource(k, m->resources.items[i]);
    for (size_t i = 0; i < m->calls.count; i++)
        see_repetition(k, &m->calls.items[i]->repetition);
    k->calls |= m->calls.count > 0;
    k->moves |= m->moved.count > 0;
    k->removes |= m->removed.count > 0;
    k->imports |= m->imports.count > 0;
}

/* Open changes may trigger others, or be read now: then the provider's response would decide. */
static void see_prediction(chances *k, const lc_run_change *f)
{
    bool certain = f->possible == LC_PLAN_BIT(f->action);
    k->some = true;
    k->replaces |= lc_plan_action_replaces(f->action);
    k->forgets |= f->action == LC_PLAN_FORGET;
    k->imports |= f->importing;
    k->moves |= f->previous.len > 0;
    k->calls |= f->address.module_count > 0;
    if (f->action == LC_PLAN_READ)
        k->open_data |= !certain;
    if (!f->config || !f->config->lifecycle->replace_triggered_by.list.count)
        return;
    if (certain)
        k->triggers = true;
    else
        k->open_triggers = true;
}

static void see_entry(chances *k, const lc_plan_change *c)
{
    k->some = true;
    k->replaces |= lc_plan_action_replaces(c->action);
    k->forgets |= c->action == LC_PLAN_FORGET;
    k->triggers |= c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS;
    k->moves |= c->previous_address.len > 0;
    k->calls |= c->module_address.len > 0;
    k->data |= c->action == LC_PLAN_READ;
}

/* Records the rule as checked if a violation was possible. */
static void note(chances *k, lc_rule rule, bool could)
{
    if (could)
        lc_planning_checked(k->r->planner, rule);
}

static void note_open(chances *k, lc_rule rule)
{
    lc_planning_lacks(k->r->planner, rule, LC_NEED_PROVIDER_ANSWERS);
}

/* The rules that need a plan. */
static void note_plan(chances *k, const lc_run_options *options, const lc_prediction *prediction)
{
    if (lc_plan_rules_left_out(k->r, prediction)) {
        LC_PLAN_RULES_LACKS(k->r, LC_NEED_OPTIONS, LC_RULE_RUN_EXPECTED_ACTION,
                            LC_RULE_RUN_EXPECTED_REASON, LC_RULE_RUN_TARGET_CLOSURE);
        return;
    }
    note(k, LC_RULE_RUN_EXPECTED_ACTION, k->some);
    note(k, LC_RULE_RUN_EXPECTED_REASON, k->some);
    note(k, LC_RULE_RUN_COUNT_KEYS, k->count);
    note(k, LC_RULE_RUN_EACH_KEYS, k->for_each);
    note(k, LC_RULE_RUN_NO_MODULE, k->calls);
    note(k, LC_RULE_RUN_TARGET_CLOSURE,
         options->targets.list.count || options->excludes.list.count);
    note(k, LC_RULE_BEHAVIOR_CBD_ORDER, k->replaces);
    note(k, LC_RULE_RUN_IGNORE_CHANGES, k->ignores);
    note(k, LC_RULE_RUN_TRIGGER_NOT_REPLACED, k->triggers);
    note(k, LC_RULE_RUN_TRIGGER_UNFIRED, k->triggers);
    note(k, LC_RULE_RUN_MOVED_NOT_APPLIED, k->moves);
    note(k, LC_RULE_RUN_FORGET_UNASKED, k->forgets);
    note(k, LC_RULE_RUN_REMOVED_IGNORED, k->removes);
    note(k, LC_RULE_RUN_IMPORT_PENDING, k->imports);
    note(k, LC_RULE_DATA_READ_EARLY, k->data);
    note(k, LC_RULE_DATA_READ_LATE, k->data);
    if (k->open_triggers) {
        note_open(k, LC_RULE_RUN_TRIGGER_NOT_REPLACED);
        note_open(k, LC_RULE_RUN_TRIGGER_UNFIRED);
    }
    if (k->open_data) {
        note_open(k, LC_RULE_DATA_READ_EARLY);
        note_open(k, LC_RULE_DATA_READ_LATE);
    }
}

/* Without a plan only the prediction itself and the client's errors are judged. */
void lc_plan_rules_chances(lc_plan_rules *r, const lc_run_input *in,
                           const lc_prediction *prediction)
{
    const lc_run_options *options = &in->options;
    chances k = {.r = r};
    for (size_t i = 0; i < in->config->modules.count; i++)
        see_module(&k, in->config->modules.items[i]);
    for (size_t i = 0; i < prediction->changes.count; i++)
        see_prediction(&k, &prediction->changes.items[i]);
    note(&k, LC_RULE_RUN_REMOVED_STATEMENT, k.removes);
    note(&k, LC_RULE_RUN_REMOVED_DEFAULT, k.removes);
    note(&k, LC_RULE_RUN_MOVED_STATEMENT, k.moves);
    note(&k, LC_RULE_RUN_MOVED_BLOCKED, k.moves);
    note(&k, LC_RULE_RUN_MOVED_INTO_REPEATED, k.moves);
    note(&k, LC_RULE_RUN_TARGET_CBD, options->targets.list.count || options->excludes.list.count);
    note(&k, LC_RULE_RUN_PROVIDER_BASE_ACTION, k.some);
    if (!r->plan) {
        lc_planning_checked(r->planner, LC_RULE_RUN_CLIENT_STOPS);
        return;
    }
    for (size_t i = 0; i < r->plan->changes.count; i++)
        see_entry(&k, &r->plan->changes.items[i]);
    note(&k, r->errored ? LC_RULE_RUN_ERRORED_PREVENT_DESTROY : LC_RULE_RUN_PREVENT_DESTROY,
         k.protects);
    if (!r->errored && !prediction->no_plan)
        note_plan(&k, options, prediction);
}
