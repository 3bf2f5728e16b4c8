/* Evaluation of expressions. Source: HCL's evaluation rules; error summaries are those of the
 * cores. */
#include "configuration/expression/eval.h"

/* Limits. A step is one node of a tree. Depth counts nodes from the root through all nested
 * lookups: some levels take several C frames, so 2000 levels fit into the usual stack of 8 MB. */
#define MAX_DEPTH 2000
#define MAX_STEPS 10000000
/* The steps of all expressions of a configuration: one line can be evaluated for any number of
 * instances. */
#define MAX_ALL_STEPS 100000000
/* Steps between two looks at the memory. */
#define LOOK_EVERY 4096
/* Values within one result. */
#define MAX_VALUES 2000000

/* ---- Errors. */

/* Links a copy of the one error. */
static void add_error(lc_evaluator *e, const lc_eval_error *error)
{
    lc_eval_error *copy = LC_NEW(e->arena, lc_eval_error);
    *copy = *error;
    copy->next = NULL;
    if (e->end)
        *e->end = copy;
    else
        e->first = copy;
    e->end = &copy->next;
}

void lc_eval_stop(lc_evaluator *e, const lc_eval_error *errors)
{
    if (e->stopped)
        return;
    e->end = NULL;
    for (; errors; errors = errors->next)
        add_error(e, errors);
    e->stopped = true;
}

bool lc_eval_fail_with(lc_evaluator *e, const lc_eval_error *errors)
{
    for (; errors && !e->stopped; errors = errors->next) {
        if (errors->summary.len > 0)
            add_error(e, errors);
        else
            lc_eval_stop(e, errors);
    }
    return false;
}

bool lc_eval_fail(lc_evaluator *e, lc_source_pos place, const char *summary, const char *detail)
{
    lc_eval_error error = {lc_str_from_c(summary), lc_str_from_c(detail), place, NULL};
    return lc_eval_fail_with(e, &error);
}

const lc_eval_error **lc_eval_errors_end(const lc_evaluator *e)
{
    return e->end;
}

void lc_eval_drop_errors(lc_evaluator *e, const lc_eval_error **end)
{
    if (e->stopped)
        return;
    e->end = end;
    if (end)
        *end = NULL;
    else
        e->first = NULL;
}

lc_eval_errors lc_eval_take_errors(lc_evaluator *e, const lc_eval_error **end)
{
    if (e->stopped || e->end == end)
        return (lc_eval_errors){NULL, NULL};
    /* The nodes are this file's own, see add_error. */
    lc_eval_error *first = end ? (lc_eval_error *)(uintptr_t)*end : e->first;
    lc_eval_errors taken = {first, e->end};
    lc_eval_drop_errors(e, end);
    return taken;
}

void lc_eval_put_errors(lc_evaluator *e, lc_eval_errors errors)
{
    if (e->stopped || !errors.first)
        return;
    if (e->end)
        *e->end = errors.first;
    else
        e->first = errors.first;
    e->end = errors.end;
}

/* ---- Values and marks. */

lc_marked lc_eval_any(void)
{
    static const lc_value any = {
        .type = &lc_type_dynamic, .state = LC_UNKNOWN, .flags = LC_HAS_UNKNOWN | LC_HAS_UNTYPED};
    return (lc_marked){&any, NULL};
}

lc_marked lc_eval_bool(bool is)
{
    static const lc_value truths[2] = {
        {.type = &lc_type_bool, .state = LC_KNOWN, .as.boolean = false},
        {.type = &lc_type_bool, .state = LC_KNOWN, .as.boolean = true}};
    return (lc_marked){&truths[is], NULL};
}

lc_marked lc_eval_unknown(lc_evaluator *e, const lc_type *type)
{
    return type->kind == LC_TYPE_DYNAMIC ? lc_eval_any() : lc_marked_unknown(e->arena, type);
}

lc_marked lc_eval_refined(lc_evaluator *e, const lc_type *type, const lc_refinement *refinement)
{
    lc_value v;
    if (type->kind == LC_TYPE_DYNAMIC || !lc_value_set_refined(&v, e->arena, type, refinement))
        return lc_eval_unknown(e, type);
    return (lc_marked){lc_value_new(e->arena, &v), NULL};
}

lc_marked lc_eval_not_null(lc_evaluator *e, const lc_type *type)
{
    static const lc_refinement not_null = {.not_null = true};
    return lc_eval_refined(e, type, &not_null);
}

lc_marked lc_eval_null(lc_evaluator *e, const lc_type *type)
{
    lc_value v;
    lc_value_set_null(&v, type);
    return (lc_marked){lc_value_new(e->arena, &v), NULL};
}

static lc_marked add_marks(lc_evaluator *e, lc_marked v, unsigned marks, lc_marked from)
{
    return marks ? lc_marked_with(e->arena, v, marks, from.marks->undecided) : v;
}

lc_marked lc_eval_mark(lc_evaluator *e, lc_marked v, lc_marked from)
{
    return add_marks(e, v, lc_marks_self(from), from);
}

lc_marked lc_eval_mark_all(lc_evaluator *e, lc_marked v, lc_marked from)
{
    return add_marks(e, v, lc_marks_all(from), from);
}

lc_marked lc_eval_carry(lc_evaluator *e, lc_marked v, lc_marked from)
{
    return add_marks(e, v, lc_marks_all(from) & LC_MARK_UNDECIDED, from);
}

lc_marked lc_eval_part(lc_marked whole, const lc_value *elem)
{
    size_t at = (size_t)(elem - whole.value->as.many.elems);
    return (lc_marked){elem,
                       whole.marks && at < whole.marks->count ? whole.marks->children[at] : NULL};
}

/* ---- All kinds of nodes. */

static lc_marked eval_call(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked v = lc_eval_any();
    return lc_function_call(e, expr, &v) ? v : lc_eval_any();
}

static lc_marked eval_within(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked v;
    lc_eval(e, expr->items[0], &v);
    return v;
}

static lc_marked eval_node(lc_evaluator *e, const lc_expr *expr)
{
    switch ((lc_expr_kind)expr->kind) {
    case LC_EXPR_LITERAL:
        return (lc_marked){expr->as.value, NULL};
    case LC_EXPR_TEMPLATE:
        return lc_eval_template(e, expr);
    case LC_EXPR_WRAP:
    case LC_EXPR_PARENS:
        return eval_within(e, expr);
    case LC_EXPR_JOIN:
        return lc_eval_join(e, expr);
    case LC_EXPR_REFERENCE:
        return lc_eval_reference(e, expr->as.reference);
    case LC_EXPR_ELEMENT:
        return e->element;
    case LC_EXPR_ATTR:
    case LC_EXPR_INDEX:
        return lc_eval_step(e, expr);
    case LC_EXPR_SPLAT:
        return lc_eval_splat(e, expr);
    case LC_EXPR_TUPLE:
        return lc_eval_tuple_node(e, expr);
    case LC_EXPR_OBJECT:
        return lc_eval_object_node(e, expr);
    case LC_EXPR_CALL:
        return eval_call(e, expr);
    case LC_EXPR_UNARY:
        return lc_eval_unary(e, expr);
    case LC_EXPR_BINARY:
        return lc_eval_binary(e, expr);
    case LC_EXPR_CONDITION:
        return lc_eval_condition(e, expr);
    case LC_EXPR_FOR:
        return lc_eval_for(e, expr);
    case LC_EXPR_UNDECIDED:
        return lc_undecided_value(e->arena, expr->as.name, expr->place);
    case LC_EXPR_BLOCK:
        return lc_undecided_value(e->arena, LC_STR("a block is not a value"), expr->place);
    case LC_EXPR_BAD: /* else reported by the parser */
        if (expr->as.errors)
            lc_eval_fail_with(e, expr->as.errors);
        break;
    case LC_EXPR_DOTTED: /* reported by the object around */
        break;
    }
    return lc_eval_any();
}

bool lc_eval_spend(lc_evaluator *e, size_t steps, lc_source_pos place)
{
    size_t before = e->steps;
    lc_eval_budget *budget = e->scope->budget;
    size_t most = budget ? budget->memory : LC_MAX_MEMORY;
    e->steps = steps < MAX_STEPS ? before + steps : MAX_STEPS + 1;
    if (e->steps > MAX_STEPS)
        return lc_eval_fail(e, place, "", "evaluating this takes too many steps");
    if (budget)
        budget->steps += steps;
    if (budget && budget->steps > MAX_ALL_STEPS)
        return lc_eval_fail(e, place, "",
                            "the expressions of the configuration take too many steps together");
    if (before / LOOK_EVERY != e->steps / LOOK_EVERY && lc_arena_used(e->arena) > most)
        return lc_eval_fail(e, place, "",
                            "evaluating this takes too much memory; --max-memory permits more");
    return true;
}

/* Values become deep without deep expressions: each object of a chain contains the one before it.
 * What copies and compares them recurses, and needs memory for each level of each of them. */
static void keep_flat(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    _Static_assert(LC_MAX_DEPTH == 200, "the reason has this number");
    if (out->value && out->value->type->depth > LC_MAX_DEPTH)
        *out = lc_undecided_value(
            e->arena, LC_STR("it is nested too deeply: at most 200 levels are evaluated"),
            expr->place);
}

/* Every recursion goes through this function, which enforces the limits. */
bool lc_eval(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    const lc_eval_error **before = e->end;
    *out = lc_eval_any();
    if (e->stopped)
        return false;
    if (e->depth >= MAX_DEPTH)
        return lc_eval_fail(e, expr->place, "", "the expression refers to others too deeply");
    if (!lc_eval_spend(e, 1, expr->place))
        return false;
    e->depth++;
    *out = eval_node(e, expr);
    e->depth--;
    keep_flat(e, expr, out);
    return e->end == before && !e->stopped;
}

/* The number of values within `v`, counted up to `most`; what is nested deeper than `depth` is
 * never counted, and taken for `most`. */
static size_t weight(const lc_value *v, size_t most, unsigned depth)
{
    if (!lc_is_known(v) || lc_type_is_primitive(v->type))
        return 1;
    if (depth == 0)
        return most;
    size_t sum = 1;
    for (uint32_t i = 0; i < v->count && sum < most; i++)
        sum += weight(&v->as.many.elems[i], most - sum, depth - 1);
    return sum;
}

size_t lc_eval_weight(const lc_value *v)
{
    return v ? weight(v, MAX_VALUES, MAX_DEPTH) : 0;
}

bool lc_eval_convert(lc_evaluator *e, lc_marked *v, const lc_type *want, lc_source_pos place,
                     lc_str *why)
{
    lc_marked to;
    if (!lc_marked_convert(&to, e->arena, *v, want, why))
        return false;
    bool made = to.value != v->value && !lc_type_is_primitive(to.value->type);
    *v = to;
    if (made)
        lc_eval_spend(e, lc_eval_weight(to.value), place);
    return true;
}

bool lc_evaluate(lc_marked *out, lc_arena *arena, const lc_expr *expr, const lc_scope *scope,
                 unsigned depth, lc_eval_error *trouble)
{
    lc_evaluator e = {.arena = arena, .scope = scope, .depth = depth, .element = lc_eval_any()};
    *trouble = (lc_eval_error){0};
    if (!lc_eval(&e, expr, out)) {
        *trouble = *e.first;
        return false;
    }
    /* A local that contains another one twice, and so on, doubles its size with each step although
     * the steps of evaluation are few. This bounds the value. */
    size_t values = lc_eval_weight(out->value);
    if (values < MAX_VALUES) {
        if (lc_eval_spend(&e, values, expr->place))
            return true;
        *trouble = *e.first;
        return false;
    }
    *trouble = (lc_eval_error){LC_STR_EMPTY, LC_STR("the value is too large"), expr->place, NULL};
    return false;
}
