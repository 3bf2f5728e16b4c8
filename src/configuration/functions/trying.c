/* `try` and `can`, which evaluate their own arguments. */
#include "configuration/functions/functions.h"

/* The value of argument `at`, whose errors are dropped. Limits of lifecheck are not errors of the
 * core: *stopped. */
static bool attempt(lc_fn_call *c, size_t at, bool *stopped)
{
    c->result = c->args[at]; /* a value already if `...` made it */
    if (!c->exprs[at])
        return true;
    const lc_eval_error **before = lc_eval_errors_end(c->e);
    bool ok = lc_eval(c->e, c->exprs[at], &c->result);
    *stopped = c->e->stopped;
    lc_eval_drop_errors(c->e, before);
    return ok;
}

/* An unknown result, with the reason if lifecheck cannot determine the value: another value might
 * make the expression fail. Other marks are dropped, as in HCL. */
static void give_open(lc_fn_call *c, const lc_type *type)
{
    lc_marked v = c->result;
    c->result = lc_eval_unknown(c->e, type);
    if (lc_marks_all(v) & LC_MARK_UNDECIDED)
        c->result = lc_marked_with(c->e->arena, c->result, LC_MARK_UNDECIDED, v.marks->undecided);
}

/* A value that is not wholly known may still fail during apply, so the result is unknown. */
bool lc_fn_try_type(lc_fn_call *c)
{
    bool stopped = false;
    if (c->count == 0)
        return lc_fn_fail(c, "at least one argument is required");
    for (size_t i = 0; i < c->count && !stopped; i++) {
        if (!attempt(c, i, &stopped))
            continue;
        if (!lc_is_wholly_known(c->result.value))
            give_open(c, &lc_type_dynamic);
        return lc_fn_set_type(c, c->result.value->type);
    }
    return !stopped && lc_fn_fail(c, "no argument can be evaluated");
}

/* The function that determined the type has also set the value. */
bool lc_fn_try(lc_fn_call *c)
{
    (void)c;
    return true;
}

bool lc_fn_can(lc_fn_call *c)
{
    bool stopped = false;
    bool ok = attempt(c, 0, &stopped);
    if (stopped)
        return false;
    if (!ok)
        return lc_fn_give_bool(c, false);
    if (lc_is_wholly_known(c->result.value))
        return lc_fn_give_bool(c, true);
    give_open(c, &lc_type_bool);
    return true;
}
