/* A state file on its own: what the cores reject, or interpret differently than it is written. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* The rule that a fault breaks; LC_RULE_COUNT: none. */
static lc_rule rule_of(const lc_state_oddity *o)
{
    switch (o->fault) {
    case LC_FAULTY_MEMBER:
        if (lc_str_is(o->text, "status"))
            return LC_RULE_RUN_STATE_STATUS;
        if (lc_str_is(o->text, "mode"))
            return LC_RULE_RUN_STATE_MODE;
        if (lc_str_is(o->text, "deposed"))
            return LC_RULE_RUN_STATE_DEPOSED;
        if (lc_str_is(o->text, "dependencies"))
            return LC_RULE_RUN_STATE_DEPS;
        return LC_RULE_COUNT;
    case LC_FAULTY_MODULE:
        return LC_RULE_RUN_ADDRESS_PARSE;
    case LC_FAULTY_MODE:
        return LC_RULE_RUN_STATE_MODE;
    case LC_FAULTY_KEY:
    case LC_FAULTY_KEY_FRACTION:
        return LC_RULE_RUN_STATE_KEY;
    case LC_FAULTY_STATUS:
        return LC_RULE_RUN_STATE_STATUS;
    case LC_FAULTY_DEPOSED:
        return LC_RULE_RUN_STATE_DEPOSED;
    case LC_FAULTY_DEPOSED_TWICE:
    case LC_FAULTY_TWICE:
        return LC_RULE_RUN_STATE_DUPLICATE;
    case LC_FAULTY_DEPENDENCY:
        return LC_RULE_RUN_STATE_DEPS;
    }
    return LC_RULE_COUNT;
}

static lc_str describe(lc_arena *arena, const lc_state_oddity *o)
{
    switch (o->fault) {
    case LC_FAULTY_MEMBER:
        return lc_str_printf(arena, "the member \"%.*s\" is of the wrong kind", LC_FMT(o->text));
    case LC_FAULTY_MODULE:
        return lc_str_printf(arena, "\"%.*s\" is not a module instance address", LC_FMT(o->text));
    case LC_FAULTY_MODE:
        return lc_str_printf(arena, "the mode \"%.*s\" is neither managed nor data",
                             LC_FMT(o->text));
    case LC_FAULTY_KEY:
        return lc_str_printf(arena, "an instance key is %.*s, neither a number nor a string",
                             LC_FMT(o->text));
    case LC_FAULTY_KEY_FRACTION:
        return lc_str_printf(arena,
                             "the instance key %.*s is not a whole number, and is silently cut",
                             LC_FMT(o->text));
    case LC_FAULTY_STATUS:
        return lc_str_printf(arena, "the status \"%.*s\" is neither absent nor \"tainted\"",
                             LC_FMT(o->text));
    case LC_FAULTY_DEPOSED:
        return lc_str_printf(arena, "the deposed key \"%.*s\" does not have eight characters",
                             LC_FMT(o->text));
    case LC_FAULTY_DEPOSED_TWICE:
        return lc_str_printf(arena, "the deposed object %.*s is there twice", LC_FMT(o->text));
    case LC_FAULTY_TWICE:
        return LC_STR("a second current object");
    case LC_FAULTY_DEPENDENCY:
        return lc_str_printf(arena, "\"%.*s\" is not a resource without instance keys to depend on",
                             LC_FMT(o->text));
    }
    return LC_STR_EMPTY;
}

/* The cores' own error is quoted; a member of the wrong kind is a decoding error without a fixed
 * text. */
static void emit(lc_plan_rules *r, const lc_state_oddity *o)
{
    lc_rule rule = rule_of(o);
    if (rule == LC_RULE_COUNT)
        return;
    lc_str what = describe(r->scratch, o);
    lc_finding *f = lc_report_at(r, rule, o->address, o->loc, "", "%.*s%s%.*s", LC_FMT(o->address),
                                 o->address.len ? ": " : "", LC_FMT(what));
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!o->summary.len)
            f->core[core].effect = o->fault == LC_FAULTY_MEMBER ? LC_EFFECT_ERROR : LC_EFFECT_NONE;
        else
            lc_planning_quote(f, (lc_core)core, LC_EFFECT_ERROR, o->summary);
        f->core[core].message = lc_str_copy(r->planner->report, o->detail);
    }
}

static void check(lc_plan_rules *r, const lc_state_file *state)
{
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_STATE_KEY, LC_RULE_RUN_STATE_STATUS, LC_RULE_RUN_STATE_MODE,
                         LC_RULE_RUN_STATE_DEPOSED, LC_RULE_RUN_STATE_DUPLICATE,
                         LC_RULE_RUN_STATE_DEPS);
    for (size_t i = 0; i < state->oddities.count; i++)
        emit(r, &state->oddities.items[i]);
}

void lc_plan_rules_states(lc_plan_rules *r)
{
    if (r->facts->state)
        check(r, r->facts->state);
    if (r->facts->next_state)
        check(r, r->facts->next_state);
}
