/* Functions on strings, numbers, and lists and sets of strings. */
#include "configuration/functions/functions.h"

#include "lifecheck/ascii.h"
#include "lifecheck/utf8.h"

#include <string.h>

/* ---- Texts. */

/* ---- Numbers. */

/* `max` (sign 1) and `min` (sign -1). */
static bool extreme(lc_fn_call *c, int sign)
{
    const lc_value *best = NULL;
    if (c->count == 0)
        return lc_fn_fail(c, "a number is required");
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v;
        if (!lc_fn_argument(c, i, &lc_type_number, &v))
            return false;
        if (!best || sign * lc_num_cmp(v->as.number, best->as.number) > 0)
            best = v;
    }
    return lc_fn_give(c, best);
}

bool lc_fn_max(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    return extreme(c, 1);
}

bool lc_fn_min(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    return extreme(c, -1);
}

/* ---- Lists of texts. */

/* The elements of a list argument as strings. Null elements are kept. */
static bool text_list(lc_fn_call *c, size_t at, lc_value **out, uint32_t *count)
{
    if (!lc_fn_is_list(lc_fn_arg(c, at)))
        return lc_fn_bad_argument(c, 0, "a list is required");
    *count = lc_fn_arg(c, at)->count;
    *out = LC_NEW_ARRAY(c->e->arena, lc_value, *count);
    for (uint32_t i = 0; i < *count; i++) {
        const lc_value *text;
        lc_str why;
        if (!lc_value_convert(&text, c->e->arena, &lc_fn_arg(c, at)->as.many.elems[i],
                              &lc_type_string, &why))
            return lc_fn_bad_argument(c, 0, "texts are required");
        (*out)[i] = *text;
    }
    return true;
}

static bool give_texts(lc_fn_call *c, const lc_value *texts, uint32_t count)
{
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (lc_marked){&texts[i], NULL};
    return lc_fn_give_list(c, items, count);
}

/* Strings are sorted by their bytes, as in Go. */
static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_value *)a)->as.string, ((const lc_value *)b)->as.string);
}

bool lc_fn_sort(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_value *texts;
    uint32_t count;
    if (!text_list(c, 0, &texts, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (lc_is_null(&texts[i]))
            return lc_fn_fail(c, "texts are required");
    qsort(texts, count, sizeof(*texts), by_text);
    return give_texts(c, texts, count);
}

bool lc_fn_compact(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_value *texts;
    uint32_t count, kept = 0;
    if (!text_list(c, 0, &texts, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!lc_is_null(&texts[i]) && texts[i].as.string.len > 0)
            texts[kept++] = texts[i];
    return give_texts(c, texts, kept);
}

/* Checks that all arguments are lists or sets of strings. *undecided: some element is none, and the
 * result is set. */
static bool texts_alone(lc_fn_call *c, bool *undecided)
{
    *undecided = false;
    for (size_t i = 0; i < c->count; i++) {
        if (!lc_fn_is_list(lc_fn_arg(c, i)))
            return lc_fn_bad_argument(c, 0, "a list is required");
    }
    for (size_t i = 0; i < c->count; i++) {
        for (uint32_t k = 0; k < lc_fn_arg(c, i)->count; k++) {
            const lc_value *v = &lc_fn_arg(c, i)->as.many.elems[k];
            *undecided |= lc_is_null(v) || v->type->kind != LC_TYPE_STRING;
        }
    }
    if (*undecided)
        c->result = lc_undecided_value(
            c->e->arena, LC_STR("only lists and sets of texts are compared"), c->expr->place);
    return true;
}

/* The first occurrence of each string is kept. */
bool lc_fn_distinct(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    bool undecided;
    uint32_t kept = 0;
    lc_table seen;
    if (!texts_alone(c, &undecided) || undecided)
        return undecided;
    const lc_value *list = lc_fn_arg(c, 0);
    if (list->type->kind == LC_TYPE_TUPLE && list->count == 0)
        return lc_fn_give_like(c, NULL, 0,
                               lc_type_collection(c->e->arena, LC_TYPE_LIST, &lc_type_dynamic));
    lc_value *texts = LC_NEW_ARRAY(c->e->arena, lc_value, list->count);
    lc_table_init(&seen, c->e->arena);
    for (uint32_t i = 0; i < list->count; i++)
        if (!lc_table_put(&seen, list->as.many.elems[i].as.string, c))
            texts[kept++] = list->as.many.elems[i];
    return give_texts(c, texts, kept);
}

/* The set functions on strings: elements that are in at least `least` arguments, or (subtract) in
 * the first argument only. */
static bool of_sets(lc_fn_call *c, size_t least, bool subtract)
{
    bool undecided;
    lc_table counts;
    LC_VEC(lc_marked) list = {0};
    if (!texts_alone(c, &undecided) || undecided)
        return undecided;
    lc_table_init(&counts, c->e->arena);
    for (size_t i = c->count; i-- > 0;)
        for (uint32_t k = 0; k < lc_fn_arg(c, i)->count; k++) {
            const lc_value *text = &lc_fn_arg(c, i)->as.many.elems[k];
            /* One bit per argument, so that repetitions within one argument count once. Above 64
             * arguments bits are shared; only union gets that many, for which one bit suffices. */
            size_t *in = lc_table_get(&counts, text->as.string);
            if (!in) {
                in = LC_NEW(c->e->arena, size_t);
                lc_table_put(&counts, text->as.string, in);
            }
            *in |= (size_t)1 << (i & 63);
            bool all = (size_t)__builtin_popcountll(*in) >= least;
            if (subtract ? i == 0 && *in == 1 : all)
                *LC_PUSH(c->e->arena, &list, lc_marked) = (lc_marked){text, NULL};
        }
    lc_str why;
    /* Without any typed element the element type stays open. */
    bool typed = false;
    for (size_t i = 0; i < c->count; i++)
        typed |= lc_fn_arg(c, i)->type->kind != LC_TYPE_TUPLE || lc_fn_arg(c, i)->count > 0;
    const lc_type *elem = typed ? &lc_type_string : &lc_type_dynamic;
    return lc_marked_convert(&c->result, c->e->arena, lc_eval_tuple(c->e, list.items, list.count),
                             lc_type_collection(c->e->arena, LC_TYPE_SET, elem), &why);
}

bool lc_fn_setunion(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    return of_sets(c, 1, false);
}

bool lc_fn_setintersection(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    if (c->count <= 64)
        return of_sets(c, c->count, false);
    c->result = lc_undecided_value(c->e->arena, LC_STR("there are too many sets"), c->expr->place);
    return true;
}

bool lc_fn_setsubtract(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    return of_sets(c, 0, true);
}
