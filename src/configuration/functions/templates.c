/* templatefile and templatestring: templates from elsewhere, whose only variables are those of the
 * second argument. */
#include "configuration/functions/texts/texts.h"
#include "lifecheck/base/utf8.h"

/* The cores render a template once to see its type and again for its value, also within another
 * one. So a template within another one, this deep, is either endless, which is an error in
 * OpenTofu (at 1,024) and elsewhere, or would never be ready. */
#define MAX_TEMPLATES 32

/* ---- The template. */

/* Its positions are of no use to the user: they are those of another text. */
static const lc_expr *parse(lc_fn_call *c, lc_str text)
{
    const lc_expr *expr;
    lc_eval_error trouble;
    bool ok = lc_template_parse(&expr, c->e->arena, text, (lc_source_pos){0}, &trouble);
    return ok ? expr : NULL;
}

/* ---- Variables. */

/* The variables as names around the template. False: an error is set. */
static bool declare(lc_fn_call *c, const lc_loop_names **names)
{
    const lc_value *vars = lc_fn_arg(c, 1);
    *names = NULL;
    for (uint32_t i = 0; i < vars->count; i++) {
        lc_loop_names *n = LC_NEW(c->e->arena, lc_loop_names);
        *n = (lc_loop_names){*names, lc_fn_key_at(vars, i), lc_fn_part(c, 1, i)};
        *names = n;
        if (!lc_is_identifier(n->name))
            return lc_fn_bad_argument(c, 1, "the name of a variable is not an identifier");
    }
    return true;
}

static bool is_declared(const lc_loop_names *names, lc_str name)
{
    while (names && !lc_str_eq(names->name, name))
        names = names->up;
    return names != NULL;
}

static bool check_references(lc_fn_call *c, const lc_expr *template, const lc_loop_names *names)
{
    lc_references references = {.arena = c->e->arena};
    lc_expr_references(&references, template);
    for (size_t i = 0; i < references.list.count; i++)
        if (!is_declared(names, references.list.items[i]->head))
            return lc_fn_bad_argument(c, 1, "a variable of the template is missing");
    return true;
}

/* ---- Rendering. */

/* Evaluates with only these names. Errors within are errors of the call. */
static bool evaluate(lc_fn_call *c, const lc_expr *template, const lc_loop_names *names)
{
    lc_evaluator *e = c->e;
    const lc_loop_names *outer_names = e->names;
    lc_marked outer_element = e->element;
    const lc_eval_error **before = lc_eval_errors_end(e);
    if (e->templates >= MAX_TEMPLATES)
        return lc_fn_fail(c, "templates call one another without end");
    bool no_files = e->no_files;
    e->names = names;
    e->templates++;
    e->no_files = no_files || lc_str_is(lc_str_from_c(c->function->name), "templatestring");
    bool ok = lc_eval(e, template, &c->result);
    e->no_files = no_files;
    e->templates--;
    e->names = outer_names;
    e->element = outer_element;
    if (ok || e->stopped)
        return ok;
    lc_eval_drop_errors(e, before);
    return lc_fn_fail(c, "the template cannot be rendered");
}

/* What is undecided within the template is shown at the call. */
static void place_undecided(lc_fn_call *c)
{
    const lc_marks *marks = c->result.marks;
    if (!marks || !marks->undecided || marks->undecided->place.source)
        return;
    lc_marks *placed = LC_NEW(c->e->arena, lc_marks);
    *placed = *marks;
    placed->undecided = lc_undecided_new(c->e->arena, marks->undecided->reason, c->expr->place);
    c->result.marks = placed;
}

static bool render(lc_fn_call *c, const lc_expr *template)
{
    const lc_loop_names *names;
    if (!lc_fn_is_map(lc_fn_arg(c, 1)))
        return lc_fn_bad_argument(c, 1, "the variables must be a map or an object");
    if (!declare(c, &names) || !check_references(c, template, names) ||
        !evaluate(c, template, names))
        return false;
    place_undecided(c);
    if (!lc_fn_is_opentofu(c) && lc_is_null(c->result.value))
        return lc_fn_fail(c, "the result of the template is null");
    return true;
}

static bool render_text(lc_fn_call *c, lc_str text)
{
    const lc_expr *template = parse(c, text);
    return template ? render(c, template) : lc_fn_fail(c, "the template does not parse");
}

/* ---- templatefile. */

static bool render_file(lc_fn_call *c)
{
    lc_file_answer file = lc_fn_open(c, lc_fn_text(c, 0), LC_FILE_READ);
    if (file.kind == LC_FILE_REFUSED || file.kind == LC_FILE_SPECIAL)
        return lc_fn_give_unread(c, &file);
    if (file.kind != LC_FILE_REGULAR)
        return lc_fn_bad_argument(c, 0, "there is no file at the path");
    if (!lc_utf8_valid(file.bytes))
        return lc_fn_fail(c, "the file is not UTF-8");
    return render_text(c, file.bytes);
}

/* Marks of variables are put on the whole, not passed through the template. */
bool lc_fn_templatefile_type(lc_fn_call *c)
{
    lc_marked vars = c->args[1];
    if (lc_is_unknown(lc_fn_arg(c, 0)) || lc_is_unknown(vars.value))
        return lc_fn_set_type(c, &lc_type_dynamic);
    c->args[1].marks = NULL;
    bool ok = render_file(c);
    c->args[1] = vars;
    return ok && lc_fn_set_type(c, c->result.value->type);
}

/* What the type is of was rendered. */
bool lc_fn_templatefile(lc_fn_call *c)
{
    if (lc_is_unknown(lc_fn_arg(c, 0)) || lc_is_unknown(lc_fn_arg(c, 1)))
        lc_fn_give_unknown(c);
    lc_fn_hide(c);
    lc_fn_add_marks(c, 0);
    lc_fn_add_all_marks(c, 1);
    return true;
}

/* ---- templatestring. OpenTofu's takes any string, Terraform's only a reference to one. */

/* go-cty cannot take variables from an object that has marks as a whole. */
static bool is_readable(const lc_fn_call *c)
{
    return !(lc_marks_self(c->args[1]) & ~(unsigned)(LC_MARK_UNDECIDED | LC_MARK_HIDDEN));
}

bool lc_fn_templatestring_type(lc_fn_call *c)
{
    if (lc_is_unknown(lc_fn_arg(c, 0)) || lc_is_unknown(lc_fn_arg(c, 1)))
        return lc_fn_set_type(c, &lc_type_dynamic);
    if (lc_fn_is_map(lc_fn_arg(c, 1)) && !is_readable(c))
        return lc_fn_fail(c, "the variables have marks as a whole");
    return render_text(c, lc_fn_text(c, 0)) && lc_fn_set_type(c, c->result.value->type);
}

static bool is_reference(const lc_expr *expr)
{
    while (expr && (expr->kind == LC_EXPR_ATTR || expr->kind == LC_EXPR_INDEX ||
                    expr->kind == LC_EXPR_SPLAT))
        expr = expr->items[0];
    return expr && expr->kind == LC_EXPR_REFERENCE;
}

/* The string that the first argument refers to. */
static bool referred(lc_fn_call *c, lc_marked *text)
{
    if (!is_reference(c->exprs[0]))
        return lc_fn_bad_argument(c, 0, "a reference to a string is required");
    const lc_eval_error **before = lc_eval_errors_end(c->e);
    if (lc_eval(c->e, c->exprs[0], text))
        return true;
    if (c->e->stopped)
        return false;
    lc_eval_drop_errors(c->e, before);
    return lc_fn_bad_argument(c, 0, "the reference has no value");
}

/* The result is a string; what does not parse is an error of the argument. */
static bool render_referred(lc_fn_call *c, lc_marked text)
{
    lc_str why;
    if (text.value->type->kind != LC_TYPE_STRING || lc_is_null(text.value))
        return lc_fn_bad_argument(c, 0, "a string is required");
    const lc_expr *template = parse(c, text.value->as.string);
    if (!template)
        return lc_fn_bad_argument(c, 0, "the template does not parse");
    if (!render(c, template))
        return false;
    return lc_marked_convert(&c->result, c->e->arena, c->result, &lc_type_string, &why) ||
           lc_fn_fail(c, "the result of the template is not a string");
}

static bool terraform_templatestring(lc_fn_call *c)
{
    lc_marked text;
    if (!referred(c, &text))
        return false;
    if (lc_is_unknown(text.value)) {
        lc_fn_give_unknown(c);
        c->result = lc_eval_carry(c->e, c->result, text);
        return true;
    }
    if (!render_referred(c, text))
        return false;
    c->result = lc_eval_mark(c->e, c->result, text);
    return true;
}

bool lc_fn_templatestring(lc_fn_call *c)
{
    if (!lc_fn_is_opentofu(c))
        return terraform_templatestring(c);
    lc_fn_add_marks(c, 0);
    return true;
}
