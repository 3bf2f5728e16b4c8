/* Why an object gets its action, in one sentence: what causes it, and what causes that. */
#include "predict/internal.h"

#define MAX_LINKS 6 /* objects of a chain */

LC_ENUM_NAMES(lc_cause_kind, LC_CAUSES);

lc_loc lc_run_cause_loc(const lc_run_change *change)
{
    if (change->why.loc.line)
        return change->why.loc;
    for (size_t i = 0; i < change->cause_count; i++) {
        if (change->causes[i].loc.line)
            return change->causes[i].loc;
    }
    return change->place;
}

static void add_place(lc_buf *out, lc_loc loc)
{
    if (loc.line)
        lc_buf_printf(out, " (%.*s:%u:%u)", LC_FMT(loc.file), (unsigned)loc.line,
                      (unsigned)loc.column);
}

static void add_because(lc_buf *out, const lc_prediction *result, const lc_run_change *c,
                        unsigned links);

static const char *fate_of(lc_plan_action action)
{
    if (lc_plan_action_replaces(action))
        return "is replaced";
    if (action == LC_PLAN_CREATE)
        return "is created";
    if (action == LC_PLAN_READ)
        return "is read when the plan is applied";
    if (action == LC_PLAN_DELETE)
        return "is deleted";
    if (action == LC_PLAN_FORGET)
        return "is forgotten";
    return "is updated";
}

/* In a list of all objects, each of which says its own reason. */
#define ALONE (MAX_LINKS + 1)

/* The object that a value comes from. A creation needs no further reason. */
static void add_link(lc_buf *out, const lc_prediction *result, long up, unsigned links)
{
    const lc_run_change *c = &result->changes.items[up];
    lc_buf_printf(out, "%.*s %s", LC_FMT(c->text), fate_of(c->action));
    if (c->action == LC_PLAN_CREATE || links == ALONE)
        return;
    if (links >= MAX_LINKS) {
        lc_buf_add_c(out, ", and so on");
        return;
    }
    lc_buf_add_c(out, ", because ");
    add_because(out, result, c, links + 1);
}

static void add_refers(lc_buf *out, const lc_run_cause *cause)
{
    for (size_t i = 0; i < cause->refer_count; i++)
        lc_buf_printf(out, "%s%.*s", i ? ", " : ": it refers to ", LC_FMT(cause->refers[i]));
    if (cause->refers_left)
        lc_buf_printf(out, " and %zu more", cause->refers_left);
}

static void add_cause(lc_buf *out, const lc_prediction *result, const lc_run_cause *cause,
                      unsigned links)
{
    bool unknown = cause->kind == LC_CAUSE_UNKNOWN;
    lc_buf_printf(out, "`%.*s` %s", LC_FMT(cause->path), lc_cause_kind_name(cause->kind));
    if (cause->forces)
        lc_buf_add_c(out, " # forces replacement");
    add_place(out, cause->loc);
    if (cause->drifted)
        lc_buf_add_c(out, ": it was changed elsewhere since the last run");
    if (cause->up >= 0) {
        lc_buf_printf(out, ": %.*s %s, because ", LC_FMT(cause->through),
                      unknown ? "is known after apply" : "changes");
        add_link(out, result, cause->up, links);
    } else if (cause->input.len) {
        lc_buf_printf(out, ": its value comes from %.*s", LC_FMT(cause->input));
    } else if (cause->refer_count) {
        add_refers(out, cause);
    } else if (!cause->set) {
        lc_buf_add_c(out, ", which the provider computes");
    }
}

/* What a plan or a configuration says in general is left out where an attribute says more. */
static bool says_enough(const lc_run_change *c)
{
    return !c->cause_count ||
           (c->reason != LC_PLAN_REASON_NONE && c->reason != LC_PLAN_REASON_REPLACE_CANNOT_UPDATE &&
            c->reason != LC_PLAN_REASON_READ_CONFIG_UNKNOWN &&
            c->reason != LC_PLAN_REASON_READ_DEPENDENCY_PENDING);
}

static void add_because(lc_buf *out, const lc_prediction *result, const lc_run_change *c,
                        unsigned links)
{
    if (says_enough(c)) {
        lc_buf_add_str(out, c->why.text);
        add_place(out, c->why.loc);
        if (c->trigger >= 0) {
            lc_buf_add_c(out, ": ");
            add_link(out, result, c->trigger, links);
        }
        return;
    }
    add_cause(out, result, &c->causes[0], links);
    if (c->cause_count > 1 && links == 0)
        lc_buf_printf(out, "; %zu more attribute%s", c->cause_count - 1 + c->causes_left,
                      c->cause_count - 1 + c->causes_left == 1 ? "" : "s");
}

lc_str lc_run_cause_words(lc_arena *arena, const lc_prediction *result, const lc_run_cause *cause)
{
    lc_buf text = {0};
    add_cause(&text, result, cause, ALONE);
    return lc_buf_take(arena, &text);
}

lc_str lc_run_because(lc_arena *arena, const lc_prediction *result, const lc_run_change *change)
{
    lc_buf text = {0};
    add_because(&text, result, change, 0);
    return lc_buf_take(arena, &text);
}
