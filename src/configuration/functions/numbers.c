/* Functions on numbers. */
#include "configuration/functions/floats.h"
#include "configuration/functions/functions.h"

static bool give_num(lc_fn_call *c, lc_num n)
{
    lc_value v;
    lc_value_set_number(&v, n);
    return lc_fn_give(c, &v);
}

static lc_num num(const lc_fn_call *c, size_t at)
{
    return lc_fn_arg(c, at)->as.number;
}

/* *out = a + b. False: the result is set, or an error. */
static bool add(lc_fn_call *c, lc_num *out, lc_num a, lc_num b, bool *ok)
{
    switch (lc_num_add(out, c->e->arena, a, b)) {
    case LC_NUM_GOOD:
        return true;
    case LC_NUM_NAN:
        *ok = lc_fn_fail(c, "infinities of opposite signs have no sum");
        return false;
    case LC_NUM_HUGE:
        break;
    }
    *ok = lc_fn_give_undecided(c, "the number has too many digits");
    return false;
}

/* ---- abs, ceil, floor, signum. */

bool lc_fn_abs(lc_fn_call *c)
{
    lc_num n = num(c, 0);
    bool negative = lc_num_sign(n) < 0 || lc_num_is_negative_zero(n);
    give_num(c, negative ? lc_num_negate(c->e->arena, n) : n);
    lc_fn_add_marks(c, 0);
    return true;
}

/* The whole number next to a fraction, in the direction of `sign`. */
static bool round_to(lc_fn_call *c, int sign)
{
    bool ok = true;
    lc_num n = num(c, 0);
    if (lc_num_is_inf(n) || lc_num_is_whole(n))
        return give_num(c, lc_num_sign(n) ? n : LC_NUM(0));
    lc_num whole = lc_num_truncate(c->e->arena, n, n);
    if (lc_num_sign(n) == sign && !add(c, &whole, whole, LC_NUM(sign), &ok))
        return ok;
    return give_num(c, lc_num_sign(whole) ? whole : LC_NUM(0));
}

bool lc_fn_ceil(lc_fn_call *c)
{
    return round_to(c, 1);
}

bool lc_fn_floor(lc_fn_call *c)
{
    return round_to(c, -1);
}

bool lc_fn_signum(lc_fn_call *c)
{
    int64_t n;
    if (!lc_fn_int(c, 0, &n))
        return lc_fn_fail(c, "the number must be a whole number of 64 bits");
    return lc_fn_give_number(c, (n > 0) - (n < 0));
}

/* ---- max, min, sum, range. */

/* The extreme one; without an argument that is larger than -Inf (smaller than +Inf), that. */
static bool extreme(lc_fn_call *c, int sign)
{
    if (c->count == 0)
        return lc_fn_fail(c, "at least one number is required");
    lc_num best = num(c, 0);
    for (size_t i = 1; i < c->count; i++)
        if (sign * lc_num_cmp(num(c, i), best) > 0)
            best = num(c, i);
    return give_num(c, best);
}

bool lc_fn_max(lc_fn_call *c)
{
    return extreme(c, 1);
}

bool lc_fn_min(lc_fn_call *c)
{
    return extreme(c, -1);
}

/* Element `at` of the list as a number. */
static bool addend(lc_fn_call *c, uint32_t at, lc_num *out)
{
    const lc_value *v = &lc_fn_arg(c, 0)->as.many.elems[at], *to;
    lc_str why;
    if (lc_is_null(v) || !lc_value_convert(&to, c->e->arena, v, &lc_type_number, &why) ||
        lc_is_null(to))
        return lc_fn_bad_argument(c, 0, "all elements must be numbers");
    *out = to->as.number;
    return true;
}

bool lc_fn_sum(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    bool ok = true;
    lc_num total = LC_NUM(0), n;
    if (lc_type_is_primitive(list->type) || list->count == 0 || !lc_fn_is_list(list))
        return lc_fn_bad_argument(c, 0, "a list, set or tuple that is not empty is required");
    if (!lc_is_wholly_known(list))
        return lc_fn_give_unknown(c);
    for (uint32_t i = 0; i < list->count; i++) {
        if (!addend(c, i, &n))
            return false;
        if (i == 0)
            total = n;
        else if (!add(c, &total, total, n, &ok))
            return ok;
    }
    return give_num(c, total);
}

#define MAX_RANGE 1024 /* the limit of the cores' range function */

/* n = {start, end, step}. */
static void range_of(const lc_fn_call *c, lc_num n[3])
{
    n[0] = c->count > 1 ? num(c, 0) : LC_NUM(0);
    n[1] = c->count > 1 ? num(c, 1) : num(c, 0);
    n[2] = c->count > 2 ? num(c, 2) : LC_NUM(lc_num_cmp(n[1], n[0]) < 0 ? -1 : 1);
}

/* A step of zero counts as one upwards, and exceeds the limit unless start and end are equal. */
bool lc_fn_range(lc_fn_call *c)
{
    lc_num n[3];
    lc_value v;
    bool ok = true;
    LC_VEC(lc_value) list = {0};
    if (c->count < 1 || c->count > 3)
        return lc_fn_fail(c, "one, two or three arguments are required");
    range_of(c, n);
    int step = lc_num_sign(n[2]) < 0 ? -1 : 1;
    if (step * lc_num_cmp(n[1], n[0]) < 0)
        return lc_fn_bad_argument(c, 1, "the step leads away from the end");
    while (step * lc_num_cmp(n[0], n[1]) < 0) {
        if (list.count >= MAX_RANGE)
            return lc_fn_fail(c, "there are more than 1024 numbers in the range");
        lc_value_set_number(LC_PUSH(c->e->arena, &list, lc_value), n[0]);
        if (!add(c, &n[0], n[0], n[2], &ok))
            return ok;
    }
    lc_value_set_list(&v, c->e->arena, c->type, list.items, list.count);
    return lc_fn_give(c, &v);
}

/* ---- log, pow. */

/* The argument as a float64, with less precision if need be. */
static bool to_double(lc_fn_call *c, size_t at, double *out)
{
    *out = lc_num_nearest_double(num(c, at));
    if (isinf(*out) && !lc_num_is_inf(num(c, at)))
        return lc_fn_fail(c, "the number is out of the range of a float64");
    return true;
}

static bool give_double(lc_fn_call *c, double d)
{
    lc_num n;
    if (!lc_num_from_double(&n, c->e->arena, d))
        return lc_fn_fail(c, "the result is not a number");
    return give_num(c, n);
}

bool lc_fn_log(lc_fn_call *c)
{
    double n, base;
    return to_double(c, 0, &n) && to_double(c, 1, &base) &&
           give_double(c, lc_go_log(n) / lc_go_log(base));
}

bool lc_fn_pow(lc_fn_call *c)
{
    double n, power;
    return to_double(c, 0, &n) && to_double(c, 1, &power) && give_double(c, lc_go_pow(n, power));
}

/* ---- parseint. */

bool lc_fn_parseint_type(lc_fn_call *c)
{
    if (lc_fn_arg(c, 0)->type->kind != LC_TYPE_STRING)
        return lc_fn_bad_argument(c, 0, "a string is required");
    return lc_fn_set_type(c, &lc_type_number);
}

bool lc_fn_parseint(lc_fn_call *c)
{
    int64_t base;
    lc_num n;
    if (!lc_fn_int(c, 1, &base) || base < 2 || base > 62)
        return lc_fn_bad_argument(c, 1, "the base must be a whole number from 2 to 62");
    switch (lc_num_from_digits(&n, c->e->arena, lc_fn_text(c, 0), (unsigned)base)) {
    case LC_NUM_OK:
        return give_num(c, n);
    case LC_NUM_BAD:
    case LC_NUM_OVERFLOW:
        return lc_fn_bad_argument(c, 0, "the string has no number of this base");
    case LC_NUM_TOO_LONG:
        break;
    }
    return lc_fn_give_undecided(c, "the number has too many digits");
}
