/* What a scenario expects of objects, held against what is predicted. An expectation holds if every
 * possible action fulfils it, is violated if none does, and is not checked otherwise. */
#include "plan_rules/internal.h"

#include "lifecheck/predict/predict.h"

typedef struct comparing {
    lc_plan_rules *r;
    const lc_prediction *f;
    const lc_run_expected *e;
} comparing;

static void compared(const comparing *k)
{
    lc_planning_compared(k->r->planner, LC_RULE_RUN_EXPECTED_ACTION);
    lc_planning_compared(k->r->planner, LC_RULE_RUN_EXPECTED_REASON);
}

static lc_str expected_words(const comparing *k)
{
    const lc_run_expected *e = k->e;
    unsigned all = 0;
    if (!e->given)
        return LC_STR("nothing");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++)
        all |= LC_PLAN_BIT(a);
    lc_str words = lc_plan_action_words(k->r->scratch, e->negated ? all & ~e->actions : e->actions);
    return e->negated ? lc_str_printf(k->r->scratch, "anything but %.*s", LC_FMT(words)) : words;
}

static lc_str open_words(const comparing *k, const lc_run_change *c)
{
    lc_arena *arena = k->r->scratch;
    if (!c)
        return lc_str_printf(arena, "%.*s: not checked, because not all instances are known",
                             LC_FMT(k->e->address));
    return lc_str_printf(arena, "%.*s: not checked: %.*s is expected, and it may be %.*s: %.*s",
                         LC_FMT(c->text), LC_FMT(expected_words(k)),
                         LC_FMT(lc_plan_action_fates(arena, lc_run_possible(c))),
                         LC_FMT(c->undecided ? c->undecided->reason : c->why.text));
}

/* Recorded with the input that would decide it. */
static void left_open(const comparing *k, const lc_run_change *c)
{
    lc_need need =
        c && !c->assumed && !c->undecided ? LC_NEED_CONFIGURATION : LC_NEED_PROVIDER_ANSWERS;
    lc_planning_open(k->r->planner, LC_RULE_RUN_EXPECTED_ACTION, need);
    lc_planning_open(k->r->planner, LC_RULE_RUN_EXPECTED_REASON, need);
    lc_planning_tell_open(k->r->planner, k->e->loc, open_words(k, c));
}

static void report_action(const comparing *k, const lc_run_change *c)
{
    lc_str text = k->f->changes.count && c ? c->text : k->e->address;
    const lc_run_error *error = !c && k->f->errors.count ? &k->f->errors.items[0] : NULL;
    lc_str found =
        c ? lc_plan_action_words(k->r->scratch, lc_run_possible(c)) : LC_STR("nothing is");
    lc_report_at(k->r, LC_RULE_RUN_EXPECTED_ACTION, text, k->e->loc, "",
                 "%.*s: %.*s is expected, and %.*s predicted%s%.*s", LC_FMT(text),
                 LC_FMT(expected_words(k)), LC_FMT(found),
                 c       ? ": "
                 : error ? "; the run fails: "
                         : "",
                 LC_FMT(c       ? lc_run_because(k->r->scratch, k->f, c)
                        : error ? error->summary
                                : LC_STR_EMPTY));
}

/* The action is as expected. */
static void compare_reason(const comparing *k, const lc_run_change *c)
{
    const lc_run_expected *e = k->e;
    const char *reason = lc_plan_reason_text(c->reason);
    if (!lc_run_is_firm(c) && (e->has_reason || e->behavior.len)) {
        left_open(k, c);
        return;
    }
    if (e->has_reason && !lc_str_is(e->reason, reason))
        lc_report_at(k->r, LC_RULE_RUN_EXPECTED_REASON, c->text, e->loc, "",
                     "%.*s: the reason %.*s is expected, and %s predicted", LC_FMT(c->text),
                     LC_FMT(e->reason), *reason ? reason : "none is");
    else if (e->behavior.len && !lc_str_is(e->behavior, lc_behavior_name(c->why.behavior)))
        lc_report_at(k->r, LC_RULE_RUN_EXPECTED_REASON, c->text, e->loc, "",
                     "%.*s: %.*s behaviour is expected, and %s predicted: %.*s", LC_FMT(c->text),
                     LC_FMT(e->behavior), lc_behavior_name(c->why.behavior), LC_FMT(c->why.text));
    if (e->has_previous && !lc_str_eq(e->previous, c->previous))
        lc_report_at(k->r, LC_RULE_RUN_MOVED_NOT_APPLIED, c->text, e->loc, "",
                     "%.*s: the address before is expected to be %.*s, and is %.*s",
                     LC_FMT(c->text), LC_FMT(e->previous),
                     LC_FMT(c->previous.len ? c->previous : LC_STR("the same")));
}

/* Where no change is expected, one that may be a no-op may turn out to be none. */
static void compare_change(const comparing *k, const lc_run_change *c)
{
    unsigned possible = lc_run_possible(c);
    unsigned wanted = k->e->given ? k->e->actions : LC_PLAN_BIT(LC_PLAN_NOOP);
    bool firm = lc_run_is_firm(c);
    if ((possible & wanted) && (k->e->given ? possible & ~wanted : !firm)) {
        left_open(k, c);
        return;
    }
    compared(k);
    if (!k->e->given || !(possible & wanted))
        report_action(k, c);
    else
        compare_reason(k, c);
}

static bool is_meant(const comparing *k, const lc_run_change *c)
{
    return lc_str_eq(k->e->deposed, c->deposed) &&
           lc_address_glob_matches(&k->e->objects, &c->address, LC_KEYS_KNOWN);
}

/* True if a block whose instances are open could have an object that is meant. */
static bool may_be_more(const comparing *k)
{
    for (size_t i = 0; i < k->f->open.count; i++) {
        if (lc_open_block_could_match(k->r->scratch, k->f, &k->f->open.items[i], &k->e->objects))
            return true;
    }
    return false;
}

/* An address of one object is that object's alone, even if it could be a whole resource's. */
static const lc_run_change *single(const comparing *k)
{
    return lc_address_glob_is_plain(&k->e->objects)
               ? lc_run_find(k->f, k->e->address, k->e->deposed)
               : NULL;
}

void lc_plan_rules_expected(lc_plan_rules *r, const lc_prediction *f, const lc_run_expected *e)
{
    comparing k = {r, f, e};
    const lc_run_change *one = single(&k);
    size_t count = 0;
    if (one) {
        compare_change(&k, one);
        return;
    }
    bool exact = lc_address_glob_is_plain(&e->objects) && !e->given;
    for (size_t i = 0; i < f->changes.count && !exact; i++) {
        if (!is_meant(&k, &f->changes.items[i]))
            continue;
        compare_change(&k, &f->changes.items[i]);
        count++;
    }
    if (may_be_more(&k)) {
        left_open(&k, NULL);
        return;
    }
    compared(&k);
    if (!count && e->given)
        report_action(&k, NULL);
}
