/* What the run model predicts, beside what a plan says and what a user expects. One disagreement is
 * told once, by the rule that knows most of it. */
#include "plan_rules/internal.h"

#include "lifecheck/arena.h"
#include "lifecheck/core_message.h"
#include "lifecheck/plan_only.h"
#include "lifecheck/predict.h"

typedef struct judging {
    lc_plan_rules *r;
    const lc_run_input *in;
    const lc_prediction *f;
    const lc_source *source; /* of `lines` */
    const lc_lines *lines;
    lc_table unselected; /* address */
    lc_table protected;  /* address -> lc_run_error of prevent_destroy */
} judging;

/* ---- What the client stops at. */

static lc_finding *tell_statement(judging *j, lc_rule rule, const lc_run_error *e)
{
    return lc_report_at(j->r, rule, e->address, e->loc, "",
                        "%.*s: a statement that no client accepts",
                        LC_FMT(e->address.len ? e->address : LC_STR("moved")));
}

/* Beside a plan that was made the client did not stop, and one that failed says so itself. */
static lc_finding *tell_stop(judging *j, const lc_run_error *e)
{
    return j->r->plan ? NULL
                      : lc_report_at(j->r, LC_RULE_RUN_CLIENT_STOPS, e->address, e->loc, "",
                                     "%.*s%sthe client stops: %.*s", LC_FMT(e->address),
                                     e->address.len ? ": " : "", LC_FMT(e->summary));
}

static void judge_stops(judging *j)
{
    lc_core core = j->in->config->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    for (size_t i = 0; i < j->f->errors.count; i++) {
        const lc_run_error *e = &j->f->errors.items[i];
        lc_finding *found = lc_core_message_is(LC_RULE_RUN_MOVED_STATEMENT, e->summary)
                                ? tell_statement(j, LC_RULE_RUN_MOVED_STATEMENT, e)
                            : lc_core_message_is(LC_RULE_RUN_REMOVED_STATEMENT, e->summary)
                                ? tell_statement(j, LC_RULE_RUN_REMOVED_STATEMENT, e)
                                : tell_stop(j, e);
        if (found)
            lc_planning_quote(found, core, LC_EFFECT_ERROR, e->summary);
    }
}

static lc_loc loc_of(judging *j, lc_source_pos place)
{
    if (place.source != j->source)
        j->lines = lc_lines_new(j->r->scratch, place.source);
    j->source = place.source;
    return lc_source_pos_loc_in(j->lines, place);
}

static void judge_removed_defaults(judging *j)
{
    bool terraform = j->in->config->profile == LC_PROFILE_TERRAFORM;
    for (size_t i = 0; i < j->in->config->modules.count; i++) {
        const lc_module *m = j->in->config->modules.items[i];
        for (size_t k = 0; k < m->removed.count; k++) {
            const lc_config_removed *removed = &m->removed.items[k];
            if (removed->destroy.given)
                continue;
            lc_report_at(j->r, LC_RULE_RUN_REMOVED_DEFAULT, removed->from.text,
                         loc_of(j, removed->place), "",
                         "the removed block of %.*s does not say `destroy`: %s here, and the other "
                         "client does the opposite",
                         LC_FMT(removed->from.text),
                         terraform ? "its objects are deleted" : "its objects are let go");
        }
    }
}

static void judge_moves(judging *j)
{
    for (size_t i = 0; i < j->f->blocked.count; i++) {
        const lc_run_blocked *b = &j->f->blocked.items[i];
        lc_report_at(j->r, LC_RULE_RUN_MOVED_BLOCKED, b->from, j->r->options.loc, "",
                     "%.*s stays where it is: there is an object at %.*s already", LC_FMT(b->from),
                     LC_FMT(b->to));
    }
    for (size_t i = 0; i < j->f->changes.count; i++) {
        const lc_run_change *c = &j->f->changes.items[i];
        if (!c->previous.len || c->deposed.len || !c->moved || !c->moved->setting.len ||
            c->reason != LC_PLAN_REASON_DELETE_WRONG_REPETITION)
            continue;
        lc_report_at(j->r, LC_RULE_RUN_MOVED_INTO_REPEATED, c->text, c->moved->loc, "",
                     "%.*s is moved to %.*s, but the block there is repeated in another way: the "
                     "object is deleted",
                     LC_FMT(c->previous), LC_FMT(c->text));
    }
}

static void judge_targets(judging *j)
{
    for (size_t i = 0; i < j->f->changes.count; i++) {
        const lc_run_change *c = &j->f->changes.items[i];
        if (c->action != LC_PLAN_DELETE_CREATE || !c->forced_outside.len)
            continue;
        lc_report_at(j->r, LC_RULE_RUN_TARGET_CBD, c->text, j->r->options.loc, "",
                     "%.*s is destroyed before it is created, because the options leave out %.*s, "
                     "which would turn that round",
                     LC_FMT(c->text), LC_FMT(c->forced_outside));
    }
}

static void judge_answers(judging *j)
{
    for (size_t i = 0; i < j->f->no_objects.count; i++) {
        lc_str address = j->f->no_objects.items[i];
        lc_report_at(
            j->r, LC_RULE_RUN_PROVIDER_BASE_ACTION, address, j->r->options.loc, "",
            "%.*s is declared, and the provider plans that there is nothing: it may change "
            "how an object is made, not whether",
            LC_FMT(address));
    }
}

/* ---- Entry by entry. */

static lc_rule rule_of_keys(const lc_config_resource *config)
{
    return config && config->repetition.count      ? LC_RULE_RUN_COUNT_KEYS
           : config && config->repetition.for_each ? LC_RULE_RUN_EACH_KEYS
                                                   : LC_RULE_RUN_EXPECTED_ACTION;
}

/* Which promise a wrong action breaks. */
static lc_rule rule_of_action(const lc_run_change *f, const lc_plan_change *c)
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
    if (f->config && lc_plan_reason_is_of_key(f->reason))
        return rule_of_keys(f->config);
    if (f->action != LC_PLAN_DELETE && lc_plan_reason_is_of_key(c->reason))
        return rule_of_keys(f->config);
    if (c->reason == LC_PLAN_REASON_DELETE_NO_MODULE)
        return LC_RULE_RUN_NO_MODULE;
    return LC_RULE_RUN_EXPECTED_ACTION;
}

static void tell_action(judging *j, const lc_run_change *f, const lc_plan_change *c)
{
    lc_report_change(
        j->r, rule_of_action(f, c), c, c->actions, ".change.actions",
        "%.*s: %s is planned, where %.*s is expected: %.*s", LC_FMT(c->address),
        lc_plan_action_text(c->action), LC_FMT(lc_plan_action_words(j->r->scratch, f->possible)),
        LC_FMT(f->order && lc_plan_action_replaces(c->action) ? f->order->text : f->why.text));
}

static void tell_reason(judging *j, const lc_run_change *f, const lc_plan_change *c)
{
    lc_rule rule = c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS ? LC_RULE_RUN_TRIGGER_UNFIRED
                   : c->reason == LC_PLAN_REASON_DELETE_NO_MODULE ||
                           f->reason == LC_PLAN_REASON_DELETE_NO_MODULE
                       ? LC_RULE_RUN_NO_MODULE
                       : LC_RULE_RUN_EXPECTED_REASON;
    const char *want = lc_plan_reason_text(f->reason), *got = lc_plan_reason_text(c->reason);
    lc_report_change(j->r, rule, c, NULL, ".action_reason",
                     "%.*s: the reason is %s, where %s is expected: %.*s", LC_FMT(c->address),
                     *got ? got : "none", *want ? want : "none", LC_FMT(f->why.text));
}

/* Is a difference of the reason one that only the values decide? */
static bool reason_is_open(const lc_run_change *f)
{
    return f->possible != LC_PLAN_BIT(f->action) ||
           (f->undecided &&
            (f->reason == LC_PLAN_REASON_REPLACE_CANNOT_UPDATE || f->action == LC_PLAN_READ));
}

static void judge_ignored(judging *j, const lc_run_change *f, const lc_plan_change *c)
{
    const lc_config_lifecycle *l = f->config ? &f->config->lifecycle : NULL;
    bool stays = c->action == LC_PLAN_UPDATE || c->action == LC_PLAN_NOOP;
    if (!l || !stays || f->deposed.len || f->importing ||
        (!l->ignore_all && !l->ignore_changes.list.count) || !c->before || !c->after ||
        c->before->kind != LC_NODE_MAPPING)
        return;
    if (l->ignore_all && c->action == LC_PLAN_UPDATE &&
        !lc_same_or_null(j->r->scratch, c->before, c->after)) {
        lc_report_change(j->r, LC_RULE_RUN_IGNORE_CHANGES, c, c->after, ".change.after",
                         "%.*s changes, although all changes are ignored", LC_FMT(c->address));
        return;
    }
    for (size_t i = 0; i < l->ignore_changes.list.count; i++) {
        const lc_config_ref *ref = &l->ignore_changes.list.items[i];
        char *name = lc_str_to_c(j->r->scratch, ref->text);
        const lc_node *was = lc_node_get(c->before, name), *is = lc_node_get(c->after, name);
        bool whole =
            lc_node_has_true(c->after_unknown ? lc_node_get(c->after_unknown, name) : NULL);
        if ((was || is || whole) && (whole || !lc_same_or_null(j->r->scratch, was, is)))
            lc_report_change(j->r, LC_RULE_RUN_IGNORE_CHANGES, c, c->after, ".change.after",
                             "%.*s: `%.*s` changes, although its changes are ignored",
                             LC_FMT(c->address), LC_FMT(ref->text));
    }
}

/* What stands at the address depends on keys that cannot be told. */
static bool is_open(const judging *j, lc_str address)
{
    for (size_t i = 0; i < j->f->open.count; i++) {
        lc_str open = j->f->open.items[i].address;
        char next = address.len > open.len ? address.ptr[open.len] : '.';
        if (lc_str_starts_with(address, open) && (next == '.' || next == '['))
            return true;
    }
    return false;
}

/* An entry of something that is not predicted. */
static void judge_unpredicted(judging *j, const lc_plan_change *c)
{
    if (lc_table_get(&j->unselected, c->address)) {
        lc_report_change(j->r, LC_RULE_RUN_TARGET_CLOSURE, c, NULL, "",
                         "%.*s is planned, although the options leave it out", LC_FMT(c->address));
        return;
    }
    lc_address resource = lc_address_resource(&c->parsed);
    lc_str text = lc_address_text(j->r->scratch, &resource);
    if (is_open(j, text))
        return;
    const lc_config_resource *config = lc_config_resource_at(j->in->config, &c->parsed);
    bool declared = lc_config_module_at(j->in->config, &c->parsed) != NULL;
    if (c->generated_config || (!config && !declared && j->in->config->native))
        return;
    if (c->action == LC_PLAN_READ) {
        lc_report_change(
            j->r, LC_RULE_DATA_READ_LATE, c, NULL, "",
            "%.*s is read when the plan is applied, although nothing keeps it from being "
            "read now",
            LC_FMT(c->address));
        return;
    }
    bool targeted = j->in->options.targets.list.count || j->in->options.excludes.list.count;
    lc_rule rule = targeted ? LC_RULE_RUN_TARGET_CLOSURE : rule_of_keys(config);
    lc_report_change(j->r, rule, c, NULL, "", "%.*s is planned, and nothing is expected there",
                     LC_FMT(c->address));
}

static void judge_entry(judging *j, const lc_plan_change *c)
{
    unsigned wrong = *lc_wrong(j->r, c);
    if ((wrong & (LC_WRONG_IDENTITY | LC_WRONG_ACTION | LC_SECOND)) || !c->parses)
        return;
    const lc_run_change *f = lc_run_find(j->f, c->address, c->deposed);
    if (!f) {
        judge_unpredicted(j, c);
        return;
    }
    if (!(f->possible & LC_PLAN_BIT(c->action))) {
        tell_action(j, f, c);
        return;
    }
    if (!lc_str_eq(f->previous, c->previous_address))
        lc_report_change(j->r, LC_RULE_RUN_MOVED_NOT_APPLIED, c, NULL, ".previous_address",
                         "%.*s: the address before is %.*s, where %.*s is expected",
                         LC_FMT(c->address),
                         LC_FMT(c->previous_address.len ? c->previous_address : LC_STR("none")),
                         LC_FMT(f->previous.len ? f->previous : LC_STR("none")));
    else if (c->reason != f->reason && !reason_is_open(f) && !(wrong & LC_WRONG_REASON))
        tell_reason(j, f, c);
    bool importing = c->importing && c->importing->kind == LC_NODE_MAPPING;
    if (f->importing && !importing)
        lc_report_change(j->r, LC_RULE_RUN_IMPORT_PENDING, c, NULL, ".change.importing",
                         "%.*s is to be imported, and the entry does not say so",
                         LC_FMT(c->address));
    judge_ignored(j, f, c);
}

/* ---- What is predicted, and not planned. */

static lc_rule rule_of_missing(judging *j, const lc_run_change *f)
{
    if (f->action == LC_PLAN_READ)
        return LC_RULE_DATA_READ_EARLY;
    if (f->importing)
        return LC_RULE_RUN_IMPORT_PENDING;
    if (f->previous.len)
        return LC_RULE_RUN_MOVED_NOT_APPLIED;
    if (j->in->options.targets.list.count || j->in->options.excludes.list.count)
        return LC_RULE_RUN_TARGET_CLOSURE;
    return f->address.key.kind == LC_KEY_NONE ? LC_RULE_RUN_EXPECTED_ACTION
                                              : rule_of_keys(f->config);
}

static void judge_missing(judging *j, const lc_run_change *f)
{
    bool maybe_nothing = f->action == LC_PLAN_READ && (f->possible & LC_PLAN_BIT(LC_PLAN_NOOP));
    lc_str key = f->deposed.len ? lc_plan_key(j->r->scratch, f->text, f->deposed) : f->text;
    if (maybe_nothing || lc_table_get(&j->r->plan->by_address, key))
        return;
    lc_report_plan(j->r, rule_of_missing(j, f), f->text, NULL, "",
                   "%.*s: %.*s is expected, and nothing is planned: %.*s", LC_FMT(f->text),
                   LC_FMT(lc_plan_action_words(j->r->scratch, f->possible)), LC_FMT(f->why.text));
}

/* ---- prevent_destroy. */

static void judge_protection(judging *j)
{
    for (size_t i = 0; i < j->r->plan->changes.count; i++) {
        const lc_plan_change *c = &j->r->plan->changes.items[i];
        const lc_run_error *e = c->deposed.len ? NULL : lc_table_get(&j->protected, c->address);
        bool destroys = c->action == LC_PLAN_DELETE || c->action == LC_PLAN_DELETE_CREATE ||
                        c->action == LC_PLAN_CREATE_DELETE;
        if (!e || !destroys)
            continue;
        if (j->r->errored)
            lc_report_change(
                j->r, LC_RULE_RUN_ERRORED_PREVENT_DESTROY, c, NULL, ".change.actions",
                "%.*s is why the plan has failed: prevent_destroy is set, and it would "
                "be destroyed",
                LC_FMT(c->address));
        else
            lc_report_change(j->r, LC_RULE_RUN_PREVENT_DESTROY, c, c->actions, ".change.actions",
                             "%.*s is destroyed, although prevent_destroy is set",
                             LC_FMT(c->address));
    }
}

static void judge_plan(judging *j)
{
    lc_plan_rules *r = j->r;
    judge_protection(j);
    if (r->errored || j->f->no_plan)
        return;
    for (size_t i = 0; i < r->plan->changes.count; i++)
        judge_entry(j, &r->plan->changes.items[i]);
    for (size_t i = 0; i < j->f->changes.count; i++)
        judge_missing(j, &j->f->changes.items[i]);
}

/* ---- The flag that is stored after an apply. */

static void judge_next_state(judging *j)
{
    const lc_state_file *next = j->r->facts->next_state;
    if (next->shown) { /* which does not print the flag */
        LC_PLAN_RULES_LACKS(j->r, LC_NEED_STATE_FILE, LC_RULE_RUN_CBD_STATE);
        return;
    }
    LC_PLAN_RULES_CHECKS(j->r, LC_RULE_RUN_CBD_STATE);
    for (size_t i = 0; i < next->objects.count; i++) {
        const lc_state_object *o = &next->objects.items[i];
        const lc_run_change *f =
            o->refused || o->deposed.len ? NULL : lc_run_find(j->f, o->address, LC_STR_EMPTY);
        if (!f || !f->config ||
            f->possible & (LC_PLAN_BIT(LC_PLAN_DELETE) | LC_PLAN_BIT(LC_PLAN_FORGET) |
                           LC_PLAN_BIT(LC_PLAN_READ)))
            continue;
        bool stored = o->create_before_destroy == LC_YES;
        if (stored != f->create_first)
            lc_report_at(j->r, LC_RULE_RUN_CBD_STATE, o->address, o->loc, "",
                         "%.*s is stored %s create_before_destroy, which %s for it",
                         LC_FMT(o->address), stored ? "with" : "without",
                         f->create_first ? "holds" : "does not hold");
    }
}

/* ---- What the user expects. */

/* Is what is expected one of several answers? A provider that nobody has asked may replace what it
 * could update. */
static bool may_be_otherwise(const judging *j, const lc_run_expected *e, const lc_run_change *f)
{
    if (!f)
        return is_open(j, e->address);
    if (f->assumed && e->given && (e->action == f->action || lc_plan_action_replaces(e->action)))
        return true;
    lc_plan_action wanted = e->given ? e->action : LC_PLAN_NOOP;
    return f->possible != LC_PLAN_BIT(f->action) && (f->possible & LC_PLAN_BIT(wanted));
}

static void judge_expected(judging *j, const lc_run_expected *e)
{
    const lc_run_change *f = lc_run_find(j->f, e->address, e->deposed);
    const char *reason = f ? lc_plan_reason_text(f->reason) : "";
    lc_planner *planner = j->r->planner;
    if (may_be_otherwise(j, e, f)) {
        lc_need need =
            f && !f->assumed && !f->undecided ? LC_NEED_CONFIGURATION : LC_NEED_PROVIDER_ANSWERS;
        lc_planning_open(planner, LC_RULE_RUN_EXPECTED_ACTION, need);
        lc_planning_open(planner, LC_RULE_RUN_EXPECTED_REASON, need);
        return;
    }
    lc_planning_compared(planner, LC_RULE_RUN_EXPECTED_ACTION);
    lc_planning_compared(planner, LC_RULE_RUN_EXPECTED_REASON);
    if (!f && !e->given)
        return;
    const lc_run_error *error = !f && j->f->errors.count ? &j->f->errors.items[0] : NULL;
    if (!f || !e->given || !(f->possible & LC_PLAN_BIT(e->action))) {
        lc_report_at(
            j->r, LC_RULE_RUN_EXPECTED_ACTION, e->address, e->loc, "",
            "%.*s: %s is expected, and %.*s predicted%s%.*s", LC_FMT(e->address),
            e->given ? lc_plan_action_text(e->action) : "nothing",
            LC_FMT(f ? lc_plan_action_words(j->r->scratch, f->possible) : LC_STR("nothing is")),
            f       ? ": "
            : error ? "; the run fails: "
                    : "",
            LC_FMT(f       ? f->why.text
                   : error ? error->summary
                           : LC_STR_EMPTY));
        return;
    }
    if (e->has_reason && !lc_str_is(e->reason, reason))
        lc_report_at(j->r, LC_RULE_RUN_EXPECTED_REASON, e->address, e->loc, "",
                     "%.*s: the reason %.*s is expected, and %s predicted", LC_FMT(e->address),
                     LC_FMT(e->reason), *reason ? reason : "none is");
    else if (e->behavior.len && !lc_str_is(e->behavior, lc_behavior_name(f->why.behavior)))
        lc_report_at(j->r, LC_RULE_RUN_EXPECTED_REASON, e->address, e->loc, "",
                     "%.*s: %.*s behaviour is expected, and %s predicted: %.*s", LC_FMT(e->address),
                     LC_FMT(e->behavior), lc_behavior_name(f->why.behavior), LC_FMT(f->why.text));
    if (e->has_previous && !lc_str_eq(e->previous, f->previous))
        lc_report_at(j->r, LC_RULE_RUN_MOVED_NOT_APPLIED, e->address, e->loc, "",
                     "%.*s: the address before is expected to be %.*s, and is %.*s",
                     LC_FMT(e->address), LC_FMT(e->previous),
                     LC_FMT(f->previous.len ? f->previous : LC_STR("the same")));
}

/* ---- */

static void prepare(judging *j)
{
    lc_table_init(&j->unselected, j->r->scratch);
    lc_table_init(&j->protected, j->r->scratch);
    for (size_t i = 0; i < j->f->unselected.count; i++)
        lc_table_put(&j->unselected, j->f->unselected.items[i], j);
    for (size_t i = 0; i < j->f->errors.count; i++) {
        lc_run_error *e = &j->f->errors.items[i];
        if (lc_core_message_is(LC_RULE_RUN_ERRORED_PREVENT_DESTROY, e->summary))
            lc_table_put(&j->protected, e->address, e);
    }
}

/* A plan tells its mode where nobody else does. */
static lc_run_input input_of(const lc_plan_evidence *facts)
{
    lc_run_input in = *facts->run;
    lc_plan_options options = facts->options;
    if (!facts->plan)
        return in;
    lc_plan_infer(&options, facts->plan);
    if (options.mode != LC_PLAN_MODE_NOT_KNOWN)
        in.options.mode = options.mode == LC_PLAN_DESTROY        ? LC_RUN_DESTROY
                          : options.mode == LC_PLAN_REFRESH_ONLY ? LC_RUN_REFRESH_ONLY
                                                                 : LC_RUN_NORMAL;
    return in;
}

const lc_prediction *lc_plan_evidence_predict(lc_arena *arena, const lc_plan_evidence *facts)
{
    lc_prediction *prediction = LC_NEW(arena, lc_prediction);
    lc_plan_options options = facts->options;
    if (facts->run) {
        lc_run_input in = input_of(facts);
        lc_run_predict(prediction, arena, &in);
        return prediction;
    }
    if (!facts->plan)
        return NULL;
    lc_plan_infer(&options, facts->plan);
    lc_predict_from_plan(prediction, arena, facts->plan, &options);
    return prediction;
}

void lc_plan_rules_prediction(lc_plan_rules *r)
{
    lc_run_input in = input_of(r->facts);
    const lc_prediction *prediction = r->facts->prediction
                                          ? r->facts->prediction
                                          : lc_plan_evidence_predict(r->scratch, r->facts);
    judging j = {.r = r, .in = &in, .f = prediction};
    prepare(&j);
    lc_plan_rules_chances(r, &in, prediction);
    judge_stops(&j);
    judge_removed_defaults(&j);
    judge_moves(&j);
    judge_targets(&j);
    judge_answers(&j);
    if (r->plan)
        judge_plan(&j);
    if (r->facts->next_state && !prediction->no_plan)
        judge_next_state(&j);
    for (size_t i = 0; i < r->facts->expected_count; i++)
        judge_expected(&j, &r->facts->expected[i]);
    lc_buf json = {0};
    lc_prediction_add_json(&json, prediction);
    r->planner->out->predictions = lc_buf_copy(r->planner->report, &json);
    json.len = 0;
    lc_prediction_add_notes_json(&json, prediction);
    r->planner->out->prediction_notes = lc_buf_take(r->planner->report, &json);
}
