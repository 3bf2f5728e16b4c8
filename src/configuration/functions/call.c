/* A call as HCL evaluates it: which function, how many arguments, their values. */
#include "configuration/functions/functions.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

/* ---- Arguments. */

lc_source_pos lc_fn_place_of(const lc_fn_call *c, size_t at)
{
    size_t written = c->expr->count;
    if (written > 0 && c->expr->expand && at + 1 >= written)
        return c->expr->items[written - 1]->place;
    if (at >= written)
        return c->expr->place;
    return lc_expr_start(c->expr->items[at]);
}

static bool may_expand(const lc_type *type)
{
    return type->kind == LC_TYPE_TUPLE || type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET;
}

/* The arguments that are written, before any is evaluated. */
static void take_arguments(lc_fn_call *c)
{
    c->count = c->expr->count;
    c->args = LC_NEW_ARRAY(c->e->arena, lc_marked, c->count);
    c->exprs = LC_NEW_ARRAY(c->e->arena, const lc_expr *, c->count);
    for (size_t i = 0; i < c->count; i++) {
        c->args[i] = (lc_marked){NULL, NULL};
        c->exprs[i] = c->expr->items[i];
    }
}

/* Replaces the last argument by the elements of its value. They get its marks. */
static void spread(lc_fn_call *c, lc_marked last)
{
    size_t before = c->count - 1;
    c->count = before + last.value->count;
    lc_marked *args = LC_NEW_ARRAY(c->e->arena, lc_marked, c->count);
    const lc_expr **exprs = LC_NEW_ARRAY(c->e->arena, const lc_expr *, c->count);
    for (size_t i = 0; i < c->count; i++) {
        args[i] = (lc_marked){NULL, NULL};
        exprs[i] = i < before ? c->exprs[i] : NULL;
        if (i < before)
            continue;
        args[i].value = &last.value->as.many.elems[i - before];
        if (last.marks && i - before < last.marks->count)
            args[i].marks = last.marks->children[i - before];
        if (lc_marks_self(last))
            args[i] = lc_marked_with(c->e->arena, args[i], last.marks->self, last.marks->undecided);
    }
    c->args = args;
    c->exprs = exprs;
}

/* `f(list...)`. *open: the number of arguments is unknown, and so is the result, which is set. */
static bool expand_last(lc_fn_call *c, bool *open)
{
    lc_marked last;
    const lc_expr *expr = c->exprs[c->count - 1];
    if (!lc_eval(c->e, expr, &last))
        return false;
    const lc_type *type = last.value->type;
    if (lc_is_null(last.value) || (type->kind != LC_TYPE_DYNAMIC && !may_expand(type)))
        return lc_eval_fail(c->e, expr->place, LC_SUMMARY_EXPANDING_ARGUMENT,
                            "the argument before `...` must be a list, set or tuple, and not null");
    *open = lc_is_unknown(last.value);
    if (!*open) {
        spread(c, last);
        return true;
    }
    /* The cores drop the marks here, but the mark of a value that lifecheck cannot determine must
     * stay. */
    c->result = lc_eval_unknown(c->e, &lc_type_dynamic);
    if (lc_marks_all(last) & LC_MARK_UNDECIDED)
        c->result =
            lc_marked_with(c->e->arena, c->result, LC_MARK_UNDECIDED, last.marks->undecided);
    return true;
}

/* The closing parenthesis. */
static lc_source_pos end_of(const lc_expr *call)
{
    lc_source_pos at = call->place;
    at.offset = call->mark;
    return at;
}

/* A missing argument is reported where the call ends, a surplus one at its own place. */
static bool check_count(const lc_fn_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (!lc_function_param(c->function, i))
            return lc_eval_fail(c->e, lc_fn_place_of(c, i), LC_SUMMARY_TOO_MANY_ARGUMENTS,
                                "the function takes fewer arguments");
    const lc_fn_param *missing = lc_function_param(c->function, c->count);
    if (missing && !missing->rest)
        return lc_eval_fail(c->e, end_of(c->expr), LC_SUMMARY_TOO_FEW_ARGUMENTS,
                            "the function takes more arguments");
    return true;
}

/* An argument that is a type. */
static bool read_constraint(lc_fn_call *c, size_t at)
{
    lc_eval_error trouble;
    if (!c->exprs[at])
        return lc_eval_fail(c->e, lc_fn_place_of(c, at), LC_SUMMARY_TYPE, "a value is not a type");
    return lc_constraint_read_type(&c->constraint, c->e->arena, c->exprs[at], &trouble) ||
           lc_eval_fail_with(c->e, &trouble);
}

/* The value of one argument, converted to the type of its parameter. */
static bool evaluate_argument(lc_fn_call *c, size_t at)
{
    lc_str why;
    const lc_fn_param *p = lc_function_param(c->function, at);
    if (p->type == LC_FN_EXPRESSION)
        return true;
    if (p->type == LC_FN_CONSTRAINT)
        return read_constraint(c, at);
    bool ok = !c->exprs[at] || lc_eval(c->e, c->exprs[at], &c->args[at]);
    if (c->e->stopped || p->type == LC_FN_ANY)
        return ok;
    const lc_type *want = lc_function_type(c->e->arena, p->type);
    if (lc_eval_convert(c->e, &c->args[at], want, lc_fn_place_of(c, at), &why))
        return ok && !c->e->stopped;
    bool unsure = !lc_marked_type_is_sure(c->args[at]);
    c->unsure |= unsure;
    return unsure ? ok : lc_fn_bad_argument(c, at, "the argument has the wrong type");
}

/* All arguments are evaluated, so that all their errors are reported. */
static bool evaluate_arguments(lc_fn_call *c)
{
    bool ok = true;
    for (size_t i = 0; i < c->count && !c->e->stopped; i++)
        ok = evaluate_argument(c, i) && ok;
    return ok && !c->e->stopped;
}

/* ---- Names that the table does not have. */

static bool unknown_name(lc_evaluator *e, const lc_expr *expr, const char *summary)
{
    return lc_eval_fail(e, expr->place, summary, "there is no function of this name");
}

/* The local name in provider::NAME::FUNCTION; in OpenTofu an alias may follow. False: the
 * function's name has another shape. */
static bool split_name(lc_str name, bool aliases, lc_str *provider)
{
    size_t parts = 1, from = 0;
    lc_str separator = LC_STR("::");
    for (size_t i = 0; i + 2 <= name.len; i++) {
        if (!lc_str_eq(lc_str_sub(name, i, i + 2), separator))
            continue;
        if (parts == 2)
            *provider = lc_str_sub(name, from, i);
        parts++;
        from = i + 2;
    }
    return parts == 3 || (parts == 4 && aliases);
}

/* The result if the provider was asked. False: an error, reported; *out.value NULL: not known. */
static bool ask_provider(lc_fn_call *c, lc_provider_call *call, lc_marked *out)
{
    lc_evaluator *e = c->e;
    lc_marked marks = {NULL, NULL};
    call->arguments = LC_NEW_ARRAY(e->arena, const lc_value *, c->count + 1);
    call->count = c->count;
    for (size_t i = 0; i < c->count; i++) {
        if (!lc_eval(e, c->exprs[i], &c->args[i]))
            return false;
        call->arguments[i] = c->args[i].value;
        marks = lc_eval_mark_all(e, marks, c->args[i]);
    }
    if (lc_marks_all(marks) & LC_MARK_UNDECIDED)
        return true;
    e->scope->call(e->scope->context, call);
    if (call->failed)
        return lc_eval_fail(e, c->expr->place, LC_SUMMARY_FUNCTION_ERROR,
                            "the provider reports an error for these arguments");
    if (call->result)
        *out = lc_eval_mark(e, (lc_marked){call->result, NULL}, marks);
    return true;
}

/* Whether the provider has the function, and what it returns, is known only if it is asked. */
static bool call_provider(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_provider_call call = {.arena = e->arena, .open_because = LC_STR_EMPTY};
    lc_fn_call c = {.e = e, .expr = expr};
    lc_str name = expr->as.name;
    bool terraform = e->scope->profile == LC_PROFILE_TERRAFORM;
    if (!split_name(name, !terraform, &call.provider))
        return unknown_name(e, expr,
                            terraform ? LC_SUMMARY_PROVIDER_FUNCTION : LC_SUMMARY_FUNCTION_NAME);
    if (!e->scope->has_provider || !e->scope->has_provider(e->scope->context, call.provider))
        return unknown_name(
            e, expr, terraform ? LC_SUMMARY_PROVIDER_FUNCTION : LC_SUMMARY_FUNCTION_PROVIDER);
    call.function = name;
    for (size_t i = name.len; i > 0 && call.function.len == name.len; i--) {
        if (name.ptr[i - 1] == ':')
            call.function = lc_str_sub(name, i, name.len);
    }
    *out = (lc_marked){NULL, NULL};
    take_arguments(&c);
    if (e->scope->call && !expr->expand && !ask_provider(&c, &call, out))
        return false;
    if (out->value)
        return true;
    lc_str reason = call.open_because.len
                        ? call.open_because
                        : lc_str_printf(e->arena, "%.*s is a function of a provider", LC_FMT(name));
    *out = lc_undecided_value(e->arena, reason, expr->place);
    return true;
}

static bool call_unknown(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_str name = expr->as.name;
    if (!lc_str_contains(name, LC_STR("::")))
        return unknown_name(e, expr, LC_SUMMARY_UNKNOWN_FUNCTION);
    if (lc_str_starts_with(name, LC_STR("provider::")))
        return call_provider(e, expr, out);
    if (e->scope->profile == LC_PROFILE_TERRAFORM)
        return unknown_name(e, expr, LC_SUMMARY_PROVIDER_FUNCTION);
    return unknown_name(e, expr,
                        lc_str_starts_with(name, LC_STR("core::")) ? LC_SUMMARY_UNKNOWN_FUNCTION
                                                                   : LC_SUMMARY_FUNCTION_NAMESPACE);
}

/* All marks of the arguments, if lifecheck cannot determine a part of one or its type; else none.
 */
static lc_marked unsure_marks(const lc_fn_call *c)
{
    lc_marked sum = {NULL, NULL};
    bool sure = true;
    for (size_t i = 0; i < c->count; i++) {
        sum = lc_eval_mark_all(c->e, sum, c->args[i]);
        sure = sure && (!c->args[i].value || lc_marked_type_is_sure(c->args[i]));
    }
    return sure ? (lc_marked){NULL, NULL} : sum;
}

/* Calls the function. An error about a value that lifecheck cannot determine may not occur in the
 * cores, which know it: the result is undecided, not an error. An unknown value of a known type
 * fails as it does when the cores validate. */
static bool apply(lc_fn_call *c)
{
    const lc_eval_error **before = lc_eval_errors_end(c->e);
    lc_marked unsure = unsure_marks(c);
    if (!c->unsure && lc_function_apply(c))
        return true;
    if (!unsure.marks || c->e->stopped)
        return false;
    lc_eval_drop_errors(c->e, before);
    c->result = lc_eval_mark(c->e, lc_eval_any(), unsure);
    return true;
}

/* 0: no known text; also an argument that the function evaluates itself, or a type. */
static size_t text_size(lc_marked v)
{
    bool text = v.value && lc_is_known(v.value) && v.value->type->kind == LC_TYPE_STRING;
    return text ? v.value->as.string.len : 0;
}

/* Functions that examine no more of a value than a step of the language does. */
static bool is_quick(const lc_fn_call *c)
{
    static const char *const names[] = {"can",         "coalesce", "element", "ephemeralasnull",
                                        "issensitive", "length",   "lookup",  "nonsensitive",
                                        "sensitive",   "try",      "one",     "coalescelist"};
    bool quick = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !quick; i++)
        quick = strcmp(c->function->name, names[i]) == 0;
    return quick;
}

/* Some work takes longer than looking at the values, or at the bytes. */
static size_t factor(const lc_fn_call *c)
{
    return strcmp(c->function->name, "base64gzip") == 0 ? 64
           : strcmp(c->function->name, "sort") == 0     ? 16
                                                        : 1;
}

/* Long strings, and values with many parts, are work that is not in nodes; what is only read is
 * done with sooner. */
static bool spend(const lc_fn_call *c)
{
    size_t steps = 0, parts = 0;
    const lc_value *made = c->result.value;
    for (size_t i = 0; i < c->count; i++) {
        steps += text_size(c->args[i]) / 64;
        parts += is_quick(c) ? 0 : lc_eval_weight(c->args[i].value);
        made = made == c->args[i].value ? NULL : made;
    }
    steps = (steps + parts / 8) * factor(c) + text_size(c->result) / 16;
    if (made && lc_is_known(made) && !lc_type_is_primitive(made->type) && !is_quick(c))
        steps += made->count;
    return lc_eval_spend(c->e, steps, c->expr->place);
}

bool lc_function_call(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    bool open = false;
    if (!e->scope->lookup && !e->scope->empty)
        return lc_eval_fail(e, expr->place, LC_SUMMARY_FUNCTION_CALLS,
                            "only constant values are allowed here");
    lc_fn_call c = {.e = e, .expr = expr, .function = lc_function_find(e, expr->as.name)};
    if (!c.function)
        return call_unknown(e, expr, out);
    take_arguments(&c);
    bool ok = !expr->expand || expand_last(&c, &open);
    if (ok && !open)
        ok = check_count(&c) && evaluate_arguments(&c) && apply(&c) && spend(&c);
    if (ok)
        *out = c.result;
    return ok;
}
