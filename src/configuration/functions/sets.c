/* Set operations. */
#include "configuration/functions/functions.h"

/* ---- setunion, setintersection, setsubtract. */

/* The common type of the elements; that of an empty set without a type does not count. */
static bool set_type(lc_fn_call *c)
{
    const lc_type **types = LC_NEW_ARRAY(c->e->arena, const lc_type *, c->count);
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *set = lc_fn_arg(c, i);
        const lc_type *elem = set->type->as.elem;
        if (elem->kind != LC_TYPE_DYNAMIC || !lc_is_known(set) || set->count > 0)
            types[count++] = elem;
    }
    const lc_type *common =
        count ? lc_type_unify(c->e->arena, types, count, true) : &lc_type_dynamic;
    if (!common)
        return lc_fn_fail(c, "the sets must have elements of compatible types");
    return lc_fn_set_type(c, lc_type_collection(c->e->arena, LC_TYPE_SET, common));
}

bool lc_fn_setunion_type(lc_fn_call *c)
{
    return set_type(c);
}

bool lc_fn_setintersection_type(lc_fn_call *c)
{
    return set_type(c);
}

bool lc_fn_setsubtract_type(lc_fn_call *c)
{
    return set_type(c);
}

/* Argument `at` as a set of the result's type. If that is of any type, nothing is converted, and
 * go-cty fails for sets of different types. */
static bool convert_set(lc_fn_call *c, size_t at, bool may_be_open)
{
    const lc_value *set;
    lc_str why;
    if (!lc_value_convert(&set, c->e->arena, lc_fn_arg(c, at), c->type, &why))
        return lc_fn_bad_argument(c, at, "the elements have another type");
    if (at > 0 && !lc_type_equal(set->type, lc_fn_arg(c, 0)->type) &&
        (may_be_open || lc_is_wholly_known(set)))
        return lc_fn_fail(c, "the sets have different types");
    c->args[at].value = set;
    return true;
}

bool lc_fn_setunion(lc_fn_call *c)
{
    lc_fn_elems items = {0};
    for (size_t i = 0; i < c->count; i++) {
        if (!convert_set(c, i, true))
            return false;
        lc_fn_add_parts(c, &items, i);
    }
    return lc_fn_give_elems(c, &items);
}

/* Keeps the elements that are (`in`) or are not elements of argument `at`. */
static void keep_elements(lc_fn_call *c, lc_fn_elems *items, size_t at, bool in)
{
    lc_table elements;
    size_t kept = 0;
    lc_table_init(&elements, c->e->arena);
    for (uint32_t i = 0; i < lc_fn_arg(c, at)->count; i++)
        lc_fn_remember(c, &elements, &lc_fn_arg(c, at)->as.many.elems[i]);
    for (size_t i = 0; i < items->count; i++)
        if (lc_fn_remembers(&elements, items->items[i].value) == in)
            items->items[kept++] = items->items[i];
    items->count = kept;
}

/* What is left of the first set after all others. An argument that is not wholly known makes the
 * result unknown, before later ones are looked at. */
static bool reduce(lc_fn_call *c, bool in)
{
    lc_fn_elems items = {0};
    for (size_t i = 0; i < c->count; i++) {
        if (!convert_set(c, i, false))
            return false;
        if (!lc_is_wholly_known(lc_fn_arg(c, i)))
            return lc_fn_give_unknown(c);
        if (i == 0)
            lc_fn_add_parts(c, &items, 0);
        else
            keep_elements(c, &items, i, in);
    }
    return lc_fn_give_elems(c, &items);
}

bool lc_fn_setintersection(lc_fn_call *c)
{
    return reduce(c, true);
}

bool lc_fn_setsubtract(lc_fn_call *c)
{
    return reduce(c, false);
}

/* ---- setproduct. */

/* The type of the elements of argument `at`; NULL: an error is set. */
static const lc_type *factor_type(lc_fn_call *c, size_t at)
{
    const lc_type *type = lc_fn_arg(c, at)->type;
    if (type->kind == LC_TYPE_SET || type->kind == LC_TYPE_LIST)
        return type->as.elem;
    if (type->kind == LC_TYPE_TUPLE && type->count == 0)
        return &lc_type_dynamic;
    const lc_type *common = type->kind == LC_TYPE_TUPLE
                                ? lc_type_unify(c->e->arena, type->as.items, type->count, true)
                                : NULL;
    if (!common)
        lc_fn_bad_argument(c, at, "a set, or a list of elements of one type is required");
    return common;
}

bool lc_fn_setproduct_type(lc_fn_call *c)
{
    if (c->count < 2)
        return lc_fn_fail(c, "at least two arguments are required");
    const lc_type **items = LC_NEW_ARRAY(c->e->arena, const lc_type *, c->count);
    lc_type_kind kind = LC_TYPE_LIST;
    for (size_t i = 0; i < c->count; i++) {
        items[i] = factor_type(c, i);
        if (!items[i])
            return false;
        if (lc_fn_arg(c, i)->type->kind == LC_TYPE_SET)
            kind = LC_TYPE_SET;
    }
    const lc_type *tuple = lc_type_tuple(c->e->arena, items, c->count);
    return lc_fn_set_type(c, lc_type_collection(c->e->arena, kind, tuple));
}

/* Limits of the bounds that cty gives an unknown product, and of the product that lifecheck
 * computes. */
#define MAX_FACTOR  1024
#define MAX_BOUND   2048
#define MAX_PRODUCT 1000000

/* The greatest length that a product with an unknown factor can have; false: there is no bound. */
static bool product_bound(lc_fn_call *c, uint64_t *bound)
{
    *bound = 1;
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        uint64_t max = v->type->kind == LC_TYPE_TUPLE ? v->type->count : lc_value_length(v).max;
        *bound *= max > MAX_FACTOR ? 0 : max;
        if (max > MAX_FACTOR || *bound > MAX_BOUND)
            return false;
    }
    return true;
}

static bool give_open_product(lc_fn_call *c)
{
    lc_value v;
    lc_refinement r = {.not_null = true, .has_min_len = true, .has_max_len = true};
    if (!product_bound(c, &r.max_len))
        return lc_fn_give_unknown(c);
    r.min_len = r.max_len > 0 ? 1 : 0;
    return lc_value_set_refined(&v, c->e->arena, c->type, &r) && lc_fn_give(c, &v);
}

/* Tuple number `n` of the product; the last factor varies fastest. */
static bool product_at(lc_fn_call *c, size_t n, lc_marked *out)
{
    const lc_type *tuple = c->type->as.elem;
    lc_marked *parts = LC_NEW_ARRAY(c->e->arena, lc_marked, c->count);
    lc_str why;
    for (size_t i = c->count; i-- > 0;) {
        uint32_t count = lc_fn_arg(c, i)->count;
        parts[i] = lc_fn_part(c, i, (uint32_t)(n % count));
        n /= count;
        if (!lc_marked_convert(&parts[i], c->e->arena, parts[i], tuple->as.items[i], &why))
            return lc_fn_fail(c, "an element has another type");
    }
    *out = lc_eval_tuple(c->e, parts, c->count);
    return true;
}

static bool give_product(lc_fn_call *c, size_t total)
{
    lc_fn_elems items = {0};
    lc_marked item;
    for (size_t i = 0; i < total; i++) {
        if (!product_at(c, i, &item))
            return false;
        lc_fn_add_elem(c, &items, item);
    }
    return lc_fn_give_elems(c, &items);
}

/* The number of tuples; MAX_PRODUCT + 1: too many. *open: the length of a factor is unknown. */
static size_t product_size(lc_fn_call *c, bool *open)
{
    size_t total = 1;
    bool empty = false;
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        *open |= lc_is_unknown(v) || !lc_value_length(v).known;
        empty |= lc_is_known(v) && v->count == 0;
        if (total <= MAX_PRODUCT)
            total *= v->count;
    }
    return empty ? 0 : total;
}

bool lc_fn_setproduct(lc_fn_call *c)
{
    bool open = false;
    size_t total = product_size(c, &open);
    if (!open && total > MAX_PRODUCT)
        return lc_fn_give_undecided(c, "the product is too large");
    if (open ? !give_open_product(c) : !give_product(c, total))
        return false;
    for (size_t i = 0; i < c->count; i++)
        lc_fn_add_marks(c, i);
    return true;
}
