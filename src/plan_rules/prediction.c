/* Findings of a prediction on its own, and compared with the next state and the user's
 * expectations. compare.c compares it with a plan. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/predict/predict.h"

/* The state of judging a prediction. */
typedef struct judging {
    lc_plan_rules *r;
    const lc_run_input *in;
    const lc_prediction *f;
    const lc_source *source; /* of `lines` */
    const lc_lines *lines;
} judging;

/* ---- Errors with which the client stops. */

static lc_finding *report_statement(judging *j, lc_rule rule, const lc_run_error *e)
{
    return lc_report_at(j->r, rule, e->address, e->loc, "",
                        "%.*s: no client accepts this block: %.*s%s%.*s",
                        LC_FMT(e->address.len ? e->address : LC_STR("moved")), LC_FMT(e->summary),
                        e->detail.len ? ": " : "", LC_FMT(e->detail));
}

/* If there is a plan, the client did not stop, or the plan itself reports that it failed. */
static lc_finding *report_stop(judging *j, const lc_run_error *e)
{
    return j->r->plan
               ? NULL
               : lc_report_at(j->r, LC_RULE_RUN_CLIENT_STOPS, e->address, e->loc, "",
                              "%.*s%sthe client stops: %.*s%s%.*s", LC_FMT(e->address),
                              e->address.len ? ": " : "", LC_FMT(e->summary),
                              e->summary.len && e->detail.len ? ": " : "", LC_FMT(e->detail));
}

/* Each error belongs to the rule whose core message it is; all others are the client's stop. */
static void judge_stops(judging *j)
{
    lc_core core = j->in->config->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    for (size_t i = 0; i < j->f->errors.count; i++) {
        const lc_run_error *e = &j->f->errors.items[i];
        lc_finding *found = lc_core_message_is(LC_RULE_RUN_MOVED_STATEMENT, e->summary)
                                ? report_statement(j, LC_RULE_RUN_MOVED_STATEMENT, e)
                            : lc_core_message_is(LC_RULE_RUN_REMOVED_STATEMENT, e->summary)
                                ? report_statement(j, LC_RULE_RUN_REMOVED_STATEMENT, e)
                                : report_stop(j, e);
        if (found)
            found->quote = e->quote;
        if (found)
            lc_planning_quote(found, core, LC_EFFECT_ERROR, e->summary);
    }
}

/* Line indices are built once per source; consecutive positions usually have the same one. */
static lc_loc loc_of(judging *j, lc_source_pos place)
{
    if (place.source != j->source)
        j->lines = lc_lines_new(j->r->scratch, place.source);
    j->source = place.source;
    return lc_source_pos_loc_in(j->lines, place);
}

/* A `removed` block without `destroy` means the opposite in the other client. */
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
                         terraform ? "its objects are deleted" : "its objects are forgotten");
        }
    }
}

/* Moves that were not carried out, and moves to a block whose repetition does not fit the object's
 * key. */
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

/* With create_before_destroy of an excluded dependent, a targeted replace has the other order. */
static void judge_targets(judging *j)
{
    for (size_t i = 0; i < j->f->changes.count; i++) {
        const lc_run_change *c = &j->f->changes.items[i];
        if (c->action != LC_PLAN_DELETE_CREATE || !c->forced_outside.len)
            continue;
        lc_report_at(j->r, LC_RULE_RUN_TARGET_CBD, c->text, j->r->options.loc, "",
                     "%.*s is destroyed before it is created, because the options leave out %.*s, "
                     "which would reverse that",
                     LC_FMT(c->text), LC_FMT(c->forced_outside));
    }
}

/* A provider must not plan null for a declared instance. */
static void judge_answers(judging *j)
{
    for (size_t i = 0; i < j->f->no_objects.count; i++) {
        lc_str address = j->f->no_objects.items[i];
        lc_report_at(j->r, LC_RULE_RUN_PROVIDER_BASE_ACTION, address, j->r->options.loc, "",
                     "%.*s is configured, but the provider plans no object; a provider cannot "
                     "plan a delete",
                     LC_FMT(address));
    }
}

/* ---- create_before_destroy in the state after apply. */

static void judge_next_state(judging *j)
{
    const lc_state_file *next = j->r->facts->next_state;
    if (next->shown) { /* a printed state does not contain it */
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
                         "%.*s is stored %s create_before_destroy, but the configuration %s it",
                         LC_FMT(o->address), stored ? "with" : "without",
                         f->create_first ? "requires" : "does not require");
    }
}

/* ---- Judging. */

/* If the user does not state which objects -replace named, the plan shows them. */
static void infer_replace(lc_run_input *in, lc_arena *arena, const lc_plan *plan)
{
    lc_address_list asked = {0};
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        if (c->parses && c->reason == LC_PLAN_REASON_REPLACE_REQUEST)
            *LC_PUSH(arena, &asked.list, lc_address) = c->parsed;
    }
    in->options.replace = asked;
}

/* The mode of the plan is used if the user does not state it. */
static lc_run_input input_of(const lc_plan_evidence *facts, lc_arena *arena)
{
    lc_run_input in = *facts->run;
    lc_plan_options options = facts->options;
    if (!facts->plan)
        return in;
    lc_plan_infer(&options, facts->plan);
    if (!options.has_replace)
        infer_replace(&in, arena, facts->plan);
    if (options.mode != LC_PLAN_MODE_NOT_KNOWN)
        in.options.mode = options.mode == LC_PLAN_DESTROY        ? LC_RUN_DESTROY
                          : options.mode == LC_PLAN_REFRESH_ONLY ? LC_RUN_REFRESH_ONLY
                                                                 : LC_RUN_NORMAL;
    return in;
}

/* Data sources may read something else than what the state holds. */
static const lc_prediction *without_assumption(lc_arena *arena, const lc_run_input *input)
{
    lc_prediction *prediction = LC_NEW(arena, lc_prediction);
    lc_run_input in = *input;
    in.fresh_data = true;
    lc_run_predict(prediction, arena, &in);
    return prediction;
}

const lc_prediction *lc_plan_evidence_predict(lc_arena *arena, const lc_plan_evidence *facts)
{
    lc_prediction *prediction = LC_NEW(arena, lc_prediction);
    lc_plan_options options = facts->options;
    if (facts->run) {
        lc_run_input in = input_of(facts, arena);
        lc_run_predict(prediction, arena, &in);
        if (prediction->assumes_data && !facts->trust_state)
            prediction->cautious = without_assumption(arena, &in);
        return prediction;
    }
    if (!facts->plan)
        return NULL;
    lc_plan_infer(&options, facts->plan);
    lc_run_predict_from_plan(prediction, arena, facts->plan, &options);
    return prediction;
}

const lc_prediction *lc_plan_evidence_show(lc_arena *arena, const lc_plan_evidence *facts,
                                           const lc_prediction *prediction)
{
    if (!facts->plan)
        return prediction;
    lc_prediction *shown = LC_NEW(arena, lc_prediction);
    lc_run_take_plan(shown, arena, facts->plan, facts->run ? facts->run->config : NULL, prediction);
    return shown;
}

static void judge_expected(lc_plan_rules *r, const lc_prediction *prediction)
{
    for (size_t i = 0; i < r->facts->expected_count; i++)
        lc_plan_rules_expected(r, lc_prediction_judged(prediction), &r->facts->expected[i]);
}

/* The order determines the order of findings in reports. */
static void judge_run(judging *j)
{
    const lc_plan_evidence *facts = j->r->facts;
    lc_plan_rules_chances(j->r, j->in, j->f);
    judge_stops(j);
    judge_removed_defaults(j);
    judge_moves(j);
    judge_targets(j);
    judge_answers(j);
    if (j->r->plan)
        lc_plan_rules_compare(j->r, j->in, j->f);
    if (facts->next_state && !j->f->no_plan)
        judge_next_state(j);
    judge_expected(j->r, j->f);
}

/* For reports. With many objects it is long, so it is made only if needed. */
static void write_prediction(lc_plan_rules *r, const lc_prediction *prediction,
                             const lc_prediction *shown)
{
    lc_judgement *out = r->planner->out;
    lc_arena *report = r->planner->report;
    lc_buf json = {0}, summary = {0}, foreseen = {0};
    if (r->facts->unwritten)
        return;
    lc_prediction_add_json(&json, shown);
    out->predictions = lc_buf_take(report, &json);
    lc_prediction_add_summary_json(&summary, shown);
    out->prediction = lc_buf_take(report, &summary);
    if (shown == prediction)
        return;
    lc_prediction_add_short_json(&foreseen, prediction);
    out->foreseen = lc_buf_take(report, &foreseen);
}

/* Nothing conforms merely because it was not checked: where the prediction was requested, a note
 * names what it leaves open. */
static void tell_partial(lc_plan_rules *r, const lc_prediction *shown)
{
    lc_prediction_state state = lc_prediction_state_of(shown);
    r->planner->out->partial = state == LC_PREDICTION_OPEN || state == LC_PREDICTION_EMPTY;
    if (r->facts->shown && r->planner->out->partial)
        lc_planning_report_open(r->planner, r->planner->subject->loc,
                                lc_prediction_words(r->scratch, shown));
}

void lc_plan_rules_prediction(lc_plan_rules *r)
{
    const lc_prediction *prediction = r->facts->prediction
                                          ? r->facts->prediction
                                          : lc_plan_evidence_predict(r->scratch, r->facts);
    const lc_prediction *shown =
        r->facts->shown ? r->facts->shown : lc_plan_evidence_show(r->scratch, r->facts, prediction);
    write_prediction(r, prediction, shown);
    tell_partial(r, shown);
    lc_plan_rules_policy(r, lc_prediction_judged(shown));
    if (!r->facts->run) {
        lc_plan_rules_compare(r, NULL, prediction);
        judge_expected(r, shown);
        return;
    }
    lc_run_input in = input_of(r->facts, r->scratch);
    judging j = {.r = r, .in = &in, .f = prediction};
    judge_run(&j);
    lc_buf notes = {0};
    lc_prediction_add_notes_json(&notes, shown);
    r->planner->out->prediction_notes = lc_buf_take(r->planner->report, &notes);
}
