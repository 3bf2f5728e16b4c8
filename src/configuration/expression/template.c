/* Strings that are put together: templates, and the `%{for}` within them. */
#include "configuration/expression/eval.h"
#include "lifecheck/catalog/core_message.h"

#define MAX_TEXT ((size_t)16 << 20)
/* Bytes of a known beginning that HCL looks at. */
#define MAX_PREFIX 128

/* A string under construction. */
typedef struct writing {
    lc_buf text;
    bool unknown;    /* the rest is unknown */
    lc_marked marks; /* whose marks the text has */
} writing;

/* Adds the text of one part. Nothing is added after what is unknown or has failed: what is there
 * is the text's beginning. */
static void add_part(lc_evaluator *e, writing *w, const lc_expr *part, bool failed)
{
    lc_marked v;
    const lc_value *text;
    lc_str why;
    failed |= !lc_eval(e, part, &v);
    w->marks = lc_eval_mark(e, w->marks, v);
    w->marks = lc_eval_carry(e, w->marks, v);
    if (lc_is_null(v.value))
        lc_eval_fail(e, part->place, LC_SUMMARY_INTERPOLATION_VALUE, "null is not a string");
    else if (lc_is_unknown(v.value))
        w->unknown = true;
    else if (!lc_value_convert(&text, e->arena, v.value, &lc_type_string, &why))
        lc_eval_fail(e, part->place, LC_SUMMARY_INTERPOLATION_VALUE,
                     "a collection is not a string");
    else if (!w->unknown && !failed)
        lc_buf_add_str(&w->text, text->as.string);
}

/* An unknown text that begins with what is known. */
static lc_marked unknown_text(lc_evaluator *e, const writing *w, bool failed)
{
    lc_refinement r = {.not_null = true};
    lc_str known = lc_buf_str(&w->text);
    if (failed)
        return lc_eval_not_null(e, &lc_type_string);
    if (known.len > MAX_PREFIX)
        known = lc_str_sub(known, 0, MAX_PREFIX);
    r.prefix = lc_safe_prefix(lc_nfc(e->arena, lc_str_copy(e->arena, known)));
    r.has_prefix = r.prefix.len > 0;
    return lc_eval_refined(e, &lc_type_string, &r);
}

/* The text, released. */
static lc_marked written(lc_evaluator *e, writing *w, const lc_expr *expr, bool failed)
{
    lc_value v;
    lc_marked out = lc_eval_any();
    if (w->text.overflow) {
        lc_eval_fail(e, expr->place, "", "the string is too long");
    } else if (!lc_eval_spend(e, lc_buf_str(&w->text).len / 16, expr->place)) {
        out = lc_eval_any();
    } else if (w->unknown) {
        out = unknown_text(e, w, failed);
    } else {
        lc_value_set_string(&v, e->arena, lc_buf_copy(e->arena, &w->text));
        out.value = lc_value_new(e->arena, &v);
    }
    lc_buf_release(&w->text);
    return lc_eval_mark(e, out, w->marks);
}

lc_marked lc_eval_template(lc_evaluator *e, const lc_expr *expr)
{
    writing w = {.text = {.limit = MAX_TEXT}, .marks = {NULL, NULL}};
    const lc_eval_error **before = lc_eval_errors_end(e);
    for (size_t i = 0; i < expr->count && !e->stopped; i++)
        add_part(e, &w, expr->items[i], lc_eval_errors_end(e) != before);
    return written(e, &w, expr, lc_eval_errors_end(e) != before);
}

/* ---- %{for}. */

/* Adds one of the strings. False: the whole is unknown. */
static bool add_joined(lc_evaluator *e, writing *w, const lc_expr *expr, lc_marked v)
{
    const lc_value *text;
    lc_str why;
    bool null = lc_is_null(v.value);
    if (!null && v.value->type->kind == LC_TYPE_DYNAMIC)
        return false;
    if (null || !lc_value_convert(&text, e->arena, v.value, &lc_type_string, &why)) {
        lc_eval_fail(e, expr->place, LC_SUMMARY_INTERPOLATION_VALUE,
                     "neither null nor a collection is a string");
        return true;
    }
    if (lc_is_unknown(text))
        return false;
    w->marks = lc_eval_mark(e, w->marks, v);
    lc_buf_add_str(&w->text, text->as.string);
    return true;
}

lc_marked lc_eval_join(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked tuple;
    bool known = true;
    lc_eval(e, expr->items[0], &tuple);
    if (!lc_is_known(tuple.value))
        return lc_eval_carry(e, lc_eval_unknown(e, &lc_type_string), tuple);
    writing w = {.text = {.limit = MAX_TEXT}, .marks = {NULL, NULL}};
    for (uint32_t i = 0; known && i < tuple.value->count; i++)
        known = add_joined(e, &w, expr, lc_eval_part(tuple, &tuple.value->as.many.elems[i]));
    lc_marked out = known ? written(e, &w, expr, false) : lc_eval_unknown(e, &lc_type_string);
    if (!known)
        lc_buf_release(&w.text);
    return lc_eval_carry(e, lc_eval_mark(e, out, tuple), tuple);
}
