/* A plan and the state after it was applied. */
#include "recorded_rules.h"

#include "lifecheck/arena.h"

/* ---- What an apply that failed on its way leaves behind: no violation. */

static bool was_there(const lc_recorded_rules *r, const lc_state_object *o)
{
    return lc_table_get(&r->plan->prior_by_address,
                        lc_plan_key(r->scratch, o->address, o->deposed)) != NULL;
}

static bool check_leftover(lc_recorded_rules *r)
{
    const lc_state_file *after = r->facts->next_state;
    bool found = false;
    lc_planning_checked(r->planner, LC_RULE_RUN_APPLY_LEFTOVER);
    for (size_t i = 0; i < after->objects.count; i++) {
        const lc_state_object *o = &after->objects.items[i];
        const lc_plan_change *c = lc_table_get(&r->plan->by_address, o->address);
        bool tainted = o->tainted && c && c->action != LC_PLAN_NOOP;
        bool deposed = o->deposed.len && !was_there(r, o);
        if (o->refused || (!tainted && !deposed))
            continue;
        found = true;
        lc_tell_at(r, LC_RULE_RUN_APPLY_LEFTOVER, o->address, o->loc, "",
                   deposed
                       ? "%.*s: the object that was to be replaced is still there, deposed: the "
                         "apply was not finished"
                       : "%.*s is tainted after the apply: it was not finished",
                   LC_FMT(o->address));
    }
    return found;
}

/* ---- What an apply that succeeded must have done. */

static const char *wrong_end(const lc_plan_change *c, const lc_state_object *o)
{
    if (o && c->action == LC_PLAN_DELETE)
        return "was to be deleted, but the state has it";
    if (o && c->action == LC_PLAN_FORGET)
        return "was to be forgotten, but the state has it";
    return NULL;
}

static const char *wrong_object(lc_recorded_rules *r, const lc_plan_change *c,
                                const lc_state_object *o)
{
    bool known = c->after && o && o->attributes;
    if (!o)
        return c->action == LC_PLAN_NOOP ? "was to stay, but the state does not have it"
                                         : "was to be there, but the state does not have it";
    if (known && c->action == LC_PLAN_NOOP &&
        !lc_same_as_stored(r->scratch, c->after, NULL, o->attributes))
        return "was not to be changed, but the state has other values";
    if (known && c->action != LC_PLAN_NOOP &&
        !lc_same_as_stored(r->scratch, c->after, c->after_unknown, o->attributes))
        return "was planned with other values than the state has";
    return NULL;
}

static void check_change(lc_recorded_rules *r, const lc_plan_change *c)
{
    const lc_state_object *o =
        lc_state_get(r->facts->next_state, r->scratch, c->address, c->deposed);
    bool ends = lc_plan_action_ends(c->action);
    bool managed = lc_str_is(c->mode, "managed");
    unsigned wrong = LC_WRONG_ACTION | LC_WRONG_AFTER | LC_WRONG_IDENTITY | LC_SECOND;
    if (!managed || c->action == LC_PLAN_UNKNOWN || (*lc_wrong(r, c) & wrong) ||
        (c->deposed.len && !ends))
        return;
    const char *why = ends ? wrong_end(c, o) : wrong_object(r, c, o);
    if (why)
        lc_tell_at(r, LC_RULE_RUN_APPLY_RESULT, c->address, o ? o->loc : r->facts->next_state->loc,
                   "", "%.*s%s%.*s %s", LC_FMT(c->address), c->deposed.len ? " deposed " : "",
                   LC_FMT(c->deposed), why);
}

void lc_recorded_applied(lc_recorded_rules *r)
{
    if (!r->facts->next_state) {
        LC_RECORDED_LACKS(r, LC_NEED_NEXT_STATE_FILE, LC_RULE_RUN_APPLY_RESULT,
                          LC_RULE_RUN_APPLY_LEFTOVER);
        return;
    }
    if (check_leftover(r) || r->errored) {
        LC_RECORDED_LACKS(r, LC_NEED_NEXT_STATE_FILE, LC_RULE_RUN_APPLY_RESULT);
        return;
    }
    lc_planning_checked(r->planner, LC_RULE_RUN_APPLY_RESULT);
    for (size_t i = 0; i < r->plan->changes.count; i++)
        check_change(r, &r->plan->changes.items[i]);
}
