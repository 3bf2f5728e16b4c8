/* A plan, and the state after it was applied. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* An apply may fail halfway, and neither file shows whether it did. What was not done is therefore
 * only a violation if the user states that the plan was applied (operation `apply`); otherwise it
 * is reported as an unfinished apply. */

/* True if the object was in the prior state of the plan. */
static bool was_there(const lc_plan_rules *r, const lc_state_object *o)
{
    return lc_table_get(&r->plan->prior_by_address,
                        lc_plan_key(r->scratch, o->address, o->deposed)) != NULL;
}

static void report_leftover(lc_plan_rules *r, lc_str address, lc_loc loc, const char *what)
{
    lc_report_at(r, LC_RULE_RUN_APPLY_LEFTOVER, address, loc, "",
                 "%.*s %s: the apply was not finished", LC_FMT(address), what);
}

/* ---- Objects that are marked as unfinished. */

/* A new deposed object, or a tainted one that the plan was to change, is the trace of a failed
 * apply. */
static bool is_unfinished(const lc_plan_rules *r, const lc_state_object *o)
{
    const lc_plan_change *c = lc_table_get(&r->plan->by_address, o->address);
    return o->deposed.len ? !was_there(r, o) : o->tainted && c && c->action != LC_PLAN_NOOP;
}

static void check_leftovers(lc_plan_rules *r)
{
    const lc_state_file *after = r->facts->next_state;
    for (size_t i = 0; i < after->objects.count; i++) {
        const lc_state_object *o = &after->objects.items[i];
        if (!o->refused && is_unfinished(r, o))
            report_leftover(r, o->address, o->loc,
                            o->deposed.len ? "was to be replaced, but is still in the state, "
                                             "deposed"
                                           : "is tainted");
    }
}

/* ---- What was done, or not done. */

/* How the state differs from the plan; `what` NULL: it does not. */
typedef struct outcome {
    const char *what;
    bool undone; /* the object is as it was before */
    bool unsure; /* a failed apply may have caused it */
} outcome;

/* The result of a deletion or of forgetting an object; `o` NULL: it no longer exists. */
static outcome outcome_of_end(const lc_plan_change *c, const lc_state_object *o)
{
    bool delete = c->action == LC_PLAN_DELETE;
    return (outcome){!o       ? NULL
                     : delete ? "was to be deleted, but the state has it"
                              : "was to be forgotten, but the state has it",
                     true, true};
}

/* The result of any other action. After a failed update the provider may return any values, so
 * other values are unsure. */
static outcome outcome_of(lc_plan_rules *r, const lc_plan_change *c, const lc_state_object *o)
{
    lc_arena *arena = r->scratch;
    bool noop = c->action == LC_PLAN_NOOP, update = c->action == LC_PLAN_UPDATE;
    if (!o)
        return (outcome){noop ? "is kept by the plan, but the state does not have it"
                              : "is planned, but the state does not have it",
                         !noop, !noop};
    if (!c->after || !o->attributes ||
        lc_same_as_stored(arena, c->after, noop ? NULL : c->after_unknown, o->attributes))
        return (outcome){NULL, false, false};
    bool undone = !noop && c->before && lc_same_as_stored(arena, c->before, NULL, o->attributes);
    return (outcome){noop ? "has no planned change, but the state has other values"
                          : "was planned with other values than the state has",
                     undone, undone || update};
}

/* Entries that are wrong in themselves, and unfinished objects reported above, are skipped. */
static void check_change(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_state_object *o =
        lc_state_get(r->facts->next_state, r->scratch, c->address, c->deposed);
    lc_loc loc = o ? o->loc : r->facts->next_state->loc;
    bool ends = lc_plan_action_ends(c->action);
    unsigned wrong = LC_WRONG_ACTION | LC_WRONG_AFTER | LC_WRONG_IDENTITY | LC_SECOND;
    if (!lc_str_is(c->mode, "managed") || c->action == LC_PLAN_UNKNOWN ||
        (*lc_wrong(r, c) & wrong) || (c->deposed.len && !ends) || (o && is_unfinished(r, o)))
        return;
    outcome found = ends ? outcome_of_end(c, o) : outcome_of(r, c, o);
    bool finished = r->facts->operation.kind == LC_OPERATION_APPLY;
    if (!found.what)
        return;
    if (finished || !found.unsure)
        lc_report_at(r, LC_RULE_RUN_APPLY_RESULT, c->address, loc, "", "%.*s%s%.*s %s",
                     LC_FMT(c->address), c->deposed.len ? " deposed " : "", LC_FMT(c->deposed),
                     found.what);
    else if (found.undone)
        report_leftover(r, c->address, loc, found.what);
}

void lc_plan_rules_applied(lc_plan_rules *r)
{
    if (!r->facts->next_state || r->errored) {
        LC_PLAN_RULES_LACKS(r, LC_NEED_NEXT_STATE_FILE, LC_RULE_RUN_APPLY_RESULT,
                            LC_RULE_RUN_APPLY_LEFTOVER);
        return;
    }
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_APPLY_RESULT, LC_RULE_RUN_APPLY_LEFTOVER);
    check_leftovers(r);
    for (size_t i = 0; i < r->plan->changes.count; i++)
        check_change(r, &r->plan->changes.items[i]);
}
