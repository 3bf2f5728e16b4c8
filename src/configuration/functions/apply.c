/* The common steps of all functions: cty's function.Call. Their order decides which error or which
 * unknown is the result. */
#include "configuration/functions/functions.h"
#include "lifecheck/catalog/core_message.h"

/* The values that the parameter of argument `at` accepts. */
static unsigned takes(const lc_fn_call *c, size_t at)
{
    const lc_fn_param *p = lc_function_param(c->function, at);
    if (p->type == LC_FN_EXPRESSION || p->type == LC_FN_CONSTRAINT)
        return ~0u;
    return p->takes | (lc_fn_is_opentofu(c) ? 0 : p->takes_tf);
}

/* Marks that the function does not see. */
typedef struct taken {
    unsigned marks;
    const lc_undecided *undecided;
} taken;

static taken take_marks(lc_fn_call *c)
{
    taken t = {0, NULL};
    for (size_t i = 0; i < c->count; i++) {
        if (takes(c, i) & LC_FN_MARKS || !c->args[i].marks)
            continue;
        t.marks |= c->args[i].marks->all;
        if (!t.undecided)
            t.undecided = c->args[i].marks->undecided;
        c->args[i].marks = NULL;
    }
    return t;
}

/* In Terraform templates must not render others, and those of templatestring not read files. */
static bool is_forbidden(const lc_fn_call *c)
{
    lc_str name = lc_str_from_c(c->function->name);
    if (lc_fn_is_opentofu(c) || c->e->templates == 0)
        return false;
    return lc_str_starts_with(name, LC_STR("template")) ||
           (c->e->no_files && lc_str_starts_with(name, LC_STR("file")));
}

/* The type of the result. *untyped: an argument has no type yet, so that neither has the result.
 * Later arguments are not even looked at then. */
static bool find_type(lc_fn_call *c, bool *untyped)
{
    c->type = &lc_type_dynamic;
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v = c->args[i].value;
        if (!v)
            continue; /* an expression that is not evaluated */
        if (lc_is_null(v) && !(takes(c, i) & LC_FN_NULLS))
            return lc_fn_bad_argument(c, i, "the argument must not be null");
        *untyped = v->type->kind == LC_TYPE_DYNAMIC && !(takes(c, i) & LC_FN_UNTYPED);
        if (*untyped)
            return true;
    }
    if (is_forbidden(c))
        return lc_fn_fail(c, "a template must not call this function");
    if (c->function->result != LC_FN_DEPENDS)
        c->type = lc_function_type(c->e->arena, c->function->result);
    return c->function->result != LC_FN_DEPENDS || !c->function->type || c->function->type(c);
}

static bool has_unknown(const lc_fn_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].value && lc_is_unknown(c->args[i].value) && !(takes(c, i) & LC_FN_UNKNOWNS))
            return true;
    return false;
}

/* An unknown result is not null, if the function guarantees that. */
static void refine(lc_fn_call *c)
{
    const lc_value *v = c->result.value;
    lc_value to;
    if (!c->function->not_null || !lc_is_unknown(v) || v->type->kind == LC_TYPE_DYNAMIC)
        return;
    const lc_refinement *has = lc_value_refinement(v);
    lc_refinement r = has ? *has : (lc_refinement){0};
    r.not_null = true;
    if (lc_value_set_refined(&to, c->e->arena, v->type, &r))
        c->result.value = lc_value_new(c->e->arena, &to);
}

/* cty drops some marks of unknown results. The mark of an argument that lifecheck cannot determine
 * must stay. */
static void keep_undecided(lc_fn_call *c)
{
    if (lc_is_wholly_known(c->result.value))
        return;
    for (size_t i = 0; i < c->count; i++)
        if (lc_marks_all(c->args[i]) & ~lc_marks_all(c->result) & LC_MARK_UNDECIDED)
            c->result = lc_marked_with(c->e->arena, c->result, LC_MARK_UNDECIDED,
                                       c->args[i].marks->undecided);
}

static bool work(lc_fn_call *c, bool unknown)
{
    if (unknown)
        return lc_fn_give_unknown(c);
    if (c->function->call)
        return c->function->call(c);
    return lc_fn_give_undecided(c, "the function is not evaluated");
}

bool lc_function_apply(lc_fn_call *c)
{
    bool untyped = false;
    taken t = take_marks(c);
    if (!find_type(c, &untyped) || !work(c, untyped || has_unknown(c)))
        return false;
    if (!untyped)
        refine(c);
    keep_undecided(c);
    if (t.marks)
        c->result = lc_marked_with(c->e->arena, c->result, t.marks, t.undecided);
    return true;
}
