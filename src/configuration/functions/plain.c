/* Functions that are evaluated for simple input only: whole numbers, ASCII text, lists. For
 * anything else the result is undecided instead of perhaps wrong. */
#include "configuration/functions/functions.h"

#include "lifecheck/codec.h"

#include <string.h>

static bool undecided(lc_fn_call *c, const char *reason)
{
    c->result = lc_undecided_value(c->e->arena, lc_str_from_c(reason), c->expr->place);
    return true;
}

/* ---- Numbers. */

/* An argument as a whole number. *whole is false if it is a fraction or exceeds 64 bits. */
static bool number(lc_fn_call *c, size_t at, int64_t *out, bool *whole)
{
    const lc_value *v;
    if (!lc_fn_argument(c, at, &lc_type_number, &v))
        return false;
    *whole = lc_num_to_int64(v->as.number, out);
    return true;
}

bool lc_fn_abs(lc_fn_call *c)
{
    int64_t n;
    bool whole;
    if (!number(c, 0, &n, &whole))
        return false;
    if (!whole || n == INT64_MIN)
        return undecided(c, "only whole numbers are evaluated here");
    return lc_fn_give_number(c, n < 0 ? -n : n);
}

bool lc_fn_signum(lc_fn_call *c)
{
    const lc_value *v;
    return lc_fn_argument(c, 0, &lc_type_number, &v) &&
           lc_fn_give_number(c, lc_num_sign(v->as.number));
}

bool lc_fn_sum(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    const lc_value *list = lc_fn_arg(c, 0);
    int64_t total = 0;
    if (!lc_fn_is_list(list) || list->count == 0)
        return lc_fn_bad_argument(c, 0, "a list of numbers is required");
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v;
        lc_str why;
        int64_t n;
        if (lc_is_null(&list->as.many.elems[i]) ||
            !lc_value_convert(&v, c->e->arena, &list->as.many.elems[i], &lc_type_number, &why))
            return lc_fn_bad_argument(c, 0, "numbers are required");
        if (!lc_num_to_int64(v->as.number, &n) || __builtin_add_overflow(total, n, &total))
            return undecided(c, "only whole numbers are evaluated here");
    }
    return lc_fn_give_number(c, total);
}

/* ---- Lists. */

/* `alltrue` (`all`) and `anytrue`. Elements are examined in order, as in the cores: one before an
 * unknown element may decide. */
static bool truths(lc_fn_call *c, bool all)
{
    const lc_value *list = lc_fn_arg(c, 0);
    bool open = false;
    if (!lc_fn_is_list(list))
        return lc_fn_bad_argument(c, 0, "a list of bools is required");
    for (uint32_t i = 0; i < list->count && !(all && open); i++) {
        const lc_value *v;
        lc_str why;
        if (!lc_value_convert(&v, c->e->arena, &list->as.many.elems[i], &lc_type_bool, &why))
            return lc_fn_bad_argument(c, 0, "truths are required");
        if (lc_is_unknown(v))
            open = true;
        else if ((lc_is_null(v) ? false : v->as.boolean) != all)
            return lc_fn_give_bool(c, !all);
    }
    if (open)
        c->result = lc_eval_unknown(c->e, &lc_type_bool);
    return open || lc_fn_give_bool(c, all);
}

bool lc_fn_alltrue(lc_fn_call *c)
{
    return truths(c, true);
}

bool lc_fn_anytrue(lc_fn_call *c)
{
    return truths(c, false);
}

/* The first element that is certainly equal. */
bool lc_fn_index(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    const lc_value *list = lc_fn_arg(c, 0);
    if (!lc_fn_is_sequence(list))
        return lc_fn_fail(c, "a list is required");
    for (uint32_t i = 0; i < list->count; i++) {
        if (lc_value_equals(&list->as.many.elems[i], lc_fn_arg(c, 1)) == LC_TRUE)
            return lc_fn_give_number(c, i);
    }
    return lc_fn_fail(c, "the list has no such element");
}

/* ---- JSON. */

bool lc_fn_jsonencode(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_buf buf = {0};
    const lc_value *v = lc_fn_arg(c, 0);
    lc_str why;
    bool ok = lc_ctyjson_encode(&buf, v, v->type, &why)
                  ? lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf))
                  : undecided(c, "this value is not written as JSON");
    lc_buf_release(&buf);
    return ok;
}
