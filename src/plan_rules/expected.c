/* What a scenario expects of objects, compared with what is predicted. An expectation holds if
 * every possible action fulfils it, is violated if none does, and is not checked otherwise. */
#include "plan_rules/internal.h"

#include "lifecheck/predict/predict.h"

typedef struct comparing {
    lc_plan_rules *r;
    const lc_prediction *f;
    const lc_run_expected *e;
} comparing;

static void compared(const comparing *cmp)
{
    lc_planning_compared(cmp->r->planner, LC_RULE_RUN_EXPECTED_ACTION);
    lc_planning_compared(cmp->r->planner, LC_RULE_RUN_EXPECTED_REASON);
}

static lc_str expected_words(const comparing *cmp)
{
    const lc_run_expected *e = cmp->e;
    unsigned all = 0;
    if (!e->given)
        return LC_STR("nothing");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++)
        all |= LC_PLAN_BIT(a);
    lc_str words =
        lc_plan_action_words(cmp->r->scratch, e->negated ? all & ~e->actions : e->actions);
    return e->negated ? lc_str_printf(cmp->r->scratch, "anything but %.*s", LC_FMT(words)) : words;
}

static lc_str open_words(const comparing *cmp, const lc_run_change *c)
{
    lc_arena *arena = cmp->r->scratch;
    if (!c)
        return lc_str_printf(arena, "%.*s: not checked, because not all instances are known",
                             LC_FMT(cmp->e->address));
    return lc_str_printf(arena, "%.*s: not checked: %.*s is expected, and it may be %.*s: %.*s",
                         LC_FMT(c->text), LC_FMT(expected_words(cmp)),
                         LC_FMT(lc_plan_action_fates(arena, lc_run_possible(c))),
                         LC_FMT(c->undecided ? c->undecided->reason : c->why.text));
}

/* Recorded with the input that would decide it. */
static void left_open(const comparing *cmp, const lc_run_change *c)
{
    lc_need need =
        c && !c->assumed && !c->undecided ? LC_NEED_CONFIGURATION : LC_NEED_PROVIDER_ANSWERS;
    lc_planning_open(cmp->r->planner, LC_RULE_RUN_EXPECTED_ACTION, need);
    lc_planning_open(cmp->r->planner, LC_RULE_RUN_EXPECTED_REASON, need);
    lc_planning_report_open(cmp->r->planner, cmp->e->loc, open_words(cmp, c));
}

static void report_action(const comparing *cmp, const lc_run_change *c)
{
    lc_str text = cmp->f->changes.count && c ? c->text : cmp->e->address;
    const lc_run_error *error = !c && cmp->f->errors.count ? &cmp->f->errors.items[0] : NULL;
    lc_str found =
        c ? lc_plan_action_words(cmp->r->scratch, lc_run_possible(c)) : LC_STR("nothing is");
    lc_report_at(cmp->r, LC_RULE_RUN_EXPECTED_ACTION, text, cmp->e->loc, "",
                 "%.*s: %.*s is expected, and %.*s predicted%s%.*s", LC_FMT(text),
                 LC_FMT(expected_words(cmp)), LC_FMT(found),
                 c       ? ": "
                 : error ? "; the run fails: "
                         : "",
                 LC_FMT(c       ? lc_run_because(cmp->r->scratch, cmp->f, c)
                        : error ? error->summary
                                : LC_STR_EMPTY));
}

/* The action is as expected. */
static void compare_reason(const comparing *cmp, const lc_run_change *c)
{
    const lc_run_expected *e = cmp->e;
    const char *reason = lc_plan_reason_text(c->reason);
    if (!lc_run_is_firm(c) && (e->has_reason || e->behavior.len)) {
        left_open(cmp, c);
        return;
    }
    if (e->has_reason && !lc_str_is(e->reason, reason))
        lc_report_at(cmp->r, LC_RULE_RUN_EXPECTED_REASON, c->text, e->loc, "",
                     "%.*s: the reason %.*s is expected, and %s predicted", LC_FMT(c->text),
                     LC_FMT(e->reason), *reason ? reason : "none is");
    else if (e->behavior.len && !lc_str_is(e->behavior, lc_behavior_name(c->why.behavior)))
        lc_report_at(cmp->r, LC_RULE_RUN_EXPECTED_REASON, c->text, e->loc, "",
                     "%.*s: %.*s behaviour is expected, and %s predicted: %.*s", LC_FMT(c->text),
                     LC_FMT(e->behavior), lc_behavior_name(c->why.behavior), LC_FMT(c->why.text));
    if (e->has_previous && !lc_str_eq(e->previous, c->previous))
        lc_report_at(cmp->r, LC_RULE_RUN_MOVED_NOT_APPLIED, c->text, e->loc, "",
                     "%.*s: the address before is expected to be %.*s, and is %.*s",
                     LC_FMT(c->text), LC_FMT(e->previous),
                     LC_FMT(c->previous.len ? c->previous : LC_STR("the same")));
}

/* Where no change is expected, one that may be a no-op may turn out to be none. */
static void compare_change(const comparing *cmp, const lc_run_change *c)
{
    unsigned possible = lc_run_possible(c);
    unsigned wanted = cmp->e->given ? cmp->e->actions : LC_PLAN_BIT(LC_PLAN_NOOP);
    bool firm = lc_run_is_firm(c);
    if ((possible & wanted) && (cmp->e->given ? possible & ~wanted : !firm)) {
        left_open(cmp, c);
        return;
    }
    compared(cmp);
    if (!cmp->e->given || !(possible & wanted))
        report_action(cmp, c);
    else
        compare_reason(cmp, c);
}

static bool is_meant(const comparing *cmp, const lc_run_change *c)
{
    return lc_str_eq(cmp->e->deposed, c->deposed) &&
           lc_address_glob_matches(&cmp->e->objects, &c->address, LC_KEYS_KNOWN);
}

/* True if a block whose instances are open could have an object that the expectation is about. */
static bool may_be_more(const comparing *cmp)
{
    for (size_t i = 0; i < cmp->f->open.count; i++) {
        if (lc_open_block_could_match(cmp->r->scratch, cmp->f, &cmp->f->open.items[i],
                                      &cmp->e->objects))
            return true;
    }
    return false;
}

/* An address of one object is that object's alone, even if it could be a whole resource's. */
static const lc_run_change *single(const comparing *cmp)
{
    return lc_address_glob_is_plain(&cmp->e->objects)
               ? lc_run_find(cmp->f, cmp->e->address, cmp->e->deposed)
               : NULL;
}

void lc_plan_rules_expected(lc_plan_rules *r, const lc_prediction *prediction,
                            const lc_run_expected *e)
{
    comparing cmp = {r, prediction, e};
    const lc_run_change *one = single(&cmp);
    size_t count = 0;
    if (one) {
        compare_change(&cmp, one);
        return;
    }
    bool exact = lc_address_glob_is_plain(&e->objects) && !e->given;
    for (size_t i = 0; i < prediction->changes.count && !exact; i++) {
        if (!is_meant(&cmp, &prediction->changes.items[i]))
            continue;
        compare_change(&cmp, &prediction->changes.items[i]);
        count++;
    }
    if (may_be_more(&cmp)) {
        left_open(&cmp, NULL);
        return;
    }
    compared(&cmp);
    if (!count && e->given)
        report_action(&cmp, NULL);
}
