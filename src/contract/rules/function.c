/* Family function: calls of provider functions. What is wrong with signatures is in schema.c. No
 * value is shown, because any of them may come from a secret. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "lifecheck/base/table.h"

static lc_finding *emit(lc_judge *j, lc_rule rule, const lc_call *call, lc_loc loc, lc_str note)
{
    return lc_emit_aside(j, rule, call, loc.line ? loc : call->loc, note);
}

static lc_str name_of(const lc_judge *j, const lc_call *call, const char *note)
{
    return lc_str_printf(j->scratch, "%.*s: %s", LC_FMT(call->function->name), note);
}

/* ---- function/argument. */

static bool fits(const lc_field *field, const lc_type *type)
{
    return field->state != LC_FIELD_UNDECODABLE &&
           (!field->value || !type || lc_type_conforms(field->value->type, type));
}

/* What is wrong with an argument, or NULL. A null and an unknown of any type are passed on. */
static const char *wrong_with(const lc_field *field, const lc_parameter *p)
{
    const lc_value *v = field->value;
    if (v && lc_is_null(v))
        return p->nullable ? NULL : "is null, which its parameter does not allow";
    if (v && lc_is_unknown(v))
        return p->takes_unknown || !p->says_unknown
                   ? NULL
                   : "is unknown, which its parameter does not allow";
    return fits(field, p->type) ? NULL : "is not of the type of its parameter";
}

static void judge_arguments(lc_judge *j, const lc_call *call, const lc_function *known)
{
    const lc_function_call *f = call->function;
    size_t least = known->parameter_count - known->variadic, count = f->arguments.count;
    if (count < least || (count > least && !known->variadic))
        emit(j, LC_RULE_FUNCTION_ARGUMENT, call, call->loc,
             lc_str_printf(j->scratch, "%.*s: called with %zu arguments, it takes %s%zu",
                           LC_FMT(f->name), count, known->variadic ? "at least " : "", least));
    for (size_t i = 0; i < count; i++) {
        const lc_field *field = &f->arguments.items[i];
        const lc_parameter *p = lc_function_parameter(known, i);
        const char *wrong = p && field->state != LC_FIELD_ABSENT ? wrong_with(field, p) : NULL;
        if (wrong)
            emit(j, LC_RULE_FUNCTION_ARGUMENT, call, field->loc,
                 lc_str_printf(j->scratch, "%.*s: argument %zu %s", LC_FMT(f->name), i, wrong));
    }
}

/* ---- Results and errors. */

static bool are_known(const lc_function_call *f)
{
    for (size_t i = 0; i < f->arguments.count; i++) {
        const lc_value *v = f->arguments.items[i].value;
        if (!v || !lc_is_wholly_known(v))
            return false;
    }
    return f->has_arguments;
}

static void judge_result(lc_judge *j, const lc_call *call, const lc_function *known)
{
    const lc_function_call *f = call->function;
    const lc_value *result = f->result.value;
    bool null = result && !lc_is_known(result);
    if (known && !null && !fits(&f->result, known->return_type))
        emit(j, LC_RULE_FUNCTION_RESULT_TYPE, call, f->result.loc,
             name_of(j, call, "the result is not of the return type"));
    if (result && !lc_is_wholly_known(result) && are_known(f))
        emit(j, LC_RULE_FUNCTION_RESULT_UNKNOWN, call, f->result.loc,
             name_of(j, call, "the result is unknown, though all arguments are known"));
}

static void judge_error(lc_judge *j, const lc_call *call)
{
    const lc_function_call *f = call->function;
    if (f->has_error_argument && f->has_arguments &&
        (f->error_argument < 0 || (uint64_t)f->error_argument >= f->arguments.count))
        emit(j, LC_RULE_FUNCTION_ERROR_ARGUMENT, call, f->error_loc,
             lc_str_printf(j->scratch, "%.*s: the error is about argument %lld of %zu, from 0",
                           LC_FMT(f->name), (long long)f->error_argument, f->arguments.count));
}

/* ---- function/impure. Calls are found by a hash of name and arguments. */

typedef struct made_call {
    const lc_call *call;
    uint32_t run;
    struct made_call *before; /* another one with the same hash */
} made_call;

static lc_str key_of(lc_arena *arena, const lc_judge *j, const lc_function_call *f)
{
    uint64_t hash = lc_hash_mix(lc_str_hash(f->name), (uint64_t)(uintptr_t)j->view->schema);
    for (size_t i = 0; i < f->arguments.count; i++)
        hash = lc_hash_mix(hash, lc_value_hash(f->arguments.items[i].value));
    return lc_str_copy(arena, LC_BYTES_OF(hash));
}

static bool same_arguments(const lc_function_call *a, const lc_function_call *b)
{
    bool same = lc_str_eq(a->name, b->name) && a->arguments.count == b->arguments.count;
    for (size_t i = 0; same && i < a->arguments.count; i++)
        same = lc_value_raw_equal(a->arguments.items[i].value, b->arguments.items[i].value);
    return same;
}

/* Only results and errors that are stated are compared. */
static bool differ(const lc_function_call *a, const lc_function_call *b)
{
    bool both = a->result.value && b->result.value;
    bool one = (a->result.value && b->has_error) || (a->has_error && b->result.value);
    return one || (both && !lc_value_raw_equal(a->result.value, b->result.value));
}

static void judge_purity(lc_judge *j, const lc_call *call)
{
    const lc_function_call *f = call->function;
    if (!are_known(f))
        return;
    lc_str key = key_of(j->scratch, j, f);
    made_call *first = lc_table_get(j->functions, key), *found = first;
    while (found && !(same_arguments(found->call->function, f) &&
                      lc_same_provider(j, found->call, found->run, call)))
        found = found->before;
    if (!found) {
        made_call *made = LC_NEW(j->scratch, made_call);
        *made = (made_call){call, j->view->number, first};
        lc_table_put(j->functions, key, made);
        return;
    }
    j->function_again = true;
    if (differ(found->call->function, f))
        emit(j, LC_RULE_FUNCTION_IMPURE, call, f->has_error ? f->error_loc : f->result.loc,
             name_of(j, call, "the same arguments gave another result before"));
}

void lc_judge_function(lc_judge *j)
{
    const lc_run *run = j->view->run;
    j->function_again = false;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (!call->function || call->broke == LC_YES)
            continue;
        const lc_function *known = lc_schema_function(j->view->schema, call->function->name);
        if (known && call->function->has_arguments)
            judge_arguments(j, call, known);
        judge_result(j, call, known);
        judge_error(j, call);
        judge_purity(j, call);
    }
}
