/* Functions of a provider: reading their signatures, and validating them. Terraform refuses every
 * fault checked here when it loads the provider's schema. OpenTofu panics on an invalid type and
 * accepts the others. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"
#include "schema/internal.h"

#include <string.h>

enum { FUNCTION_PARAMETERS, FUNCTION_VARIADIC, FUNCTION_RETURN };
static const lc_schema_key function_names[] = {
    {"parameters", LC_TAKES_LIST, LC_PART_PARAMETER},
    {"variadic_parameter", LC_TAKES_PART, LC_PART_PARAMETER},
    {"return_type", LC_TAKES_TYPE, 0},
    {"summary", LC_TAKES_ANYTHING, 0},
    {"description", LC_TAKES_ANYTHING, 0},
    {"deprecation_message", LC_TAKES_ANYTHING, 0},
};
const lc_schema_keyset lc_schema_function_keys = SCHEMA_KEYS("a function", function_names);

enum {
    PARAMETER_NAME,
    PARAMETER_TYPE,
    PARAMETER_NULLABLE,
    PARAMETER_DESCRIPTION,
    PARAMETER_UNKNOWN
};
static const lc_schema_key parameter_names[] = {
    {"name", LC_TAKES_ANYTHING, 0},
    {"type", LC_TAKES_TYPE, 0},
    {"is_nullable", LC_TAKES_ANYTHING, 0},
    {"description", LC_TAKES_ANYTHING, 0},
    {"allow_unknown_values", LC_TAKES_ANYTHING, 0},
};
const lc_schema_keyset lc_schema_parameter_keys = SCHEMA_KEYS("a parameter", parameter_names);

/* ---- Reading. */

/* A missing type and an invalid one have the same effect on the cores, so one flag covers both. */
static const lc_type *read_function_type(lc_schema_reader *r, bool *invalid,
                                         const lc_member *member)
{
    bool bad = false;
    const lc_type *type = member ? lc_schema_read_type(r, &member->value, &bad) : NULL;
    *invalid = !type;
    return type;
}

static bool is_true(const lc_member *member)
{
    return member && lc_node_is_true(&member->value);
}

static void read_parameter(lc_schema_reader *r, lc_parameter *out, const lc_node *node)
{
    const lc_member *found[SCHEMA_MAX_KEYS];
    out->loc = lc_schema_loc(r, node->where);
    out->name = LC_STR_EMPTY;
    if (!lc_schema_members(r, found, node, &lc_schema_parameter_keys))
        return;
    if (found[PARAMETER_NAME] && found[PARAMETER_NAME]->value.kind == LC_NODE_STRING)
        out->name = lc_str_copy(r->arena, found[PARAMETER_NAME]->value.as.text);
    out->type = read_function_type(r, &out->type_invalid, found[PARAMETER_TYPE]);
    out->nullable = is_true(found[PARAMETER_NULLABLE]);
    out->says_unknown = found[PARAMETER_UNKNOWN];
    out->takes_unknown = is_true(found[PARAMETER_UNKNOWN]);
}

/* The variadic parameter is put after the positional ones: for validation they are alike. */
void lc_schema_read_function(lc_schema_reader *r, lc_function *out, lc_str name, lc_loc loc,
                             const lc_node *node)
{
    const lc_member *found[SCHEMA_MAX_KEYS];
    memset(out, 0, sizeof *out);
    out->name = lc_str_copy(r->arena, name);
    out->loc = loc;
    if (!lc_schema_members(r, found, node, &lc_schema_function_keys))
        return;
    const lc_node *list = found[FUNCTION_PARAMETERS] ? &found[FUNCTION_PARAMETERS]->value : NULL;
    if (list && (list->kind != LC_NODE_SEQUENCE || list->tag)) {
        schema_error(r, list->where, "\"parameters\" takes a list, not %s",
                     lc_node_kind_name(list));
        list = NULL;
    }
    size_t count = list ? list->count : 0;
    lc_parameter *all = LC_NEW_ARRAY(r->arena, lc_parameter, count + 1);
    for (size_t i = 0; i < count; i++)
        read_parameter(r, &all[i], &list->as.items[i]);
    out->variadic = found[FUNCTION_VARIADIC];
    if (found[FUNCTION_VARIADIC])
        read_parameter(r, &all[count++], &found[FUNCTION_VARIADIC]->value);
    out->parameters = all;
    out->parameter_count = count;
    out->return_type = read_function_type(r, &out->return_invalid, found[FUNCTION_RETURN]);
}

void lc_schema_read_functions(lc_schema *out, lc_schema_reader *r, const lc_node *node)
{
    if (!lc_schema_read_mapping(r, node, "\"functions\""))
        return;
    lc_function *all = LC_NEW_ARRAY(r->arena, lc_function, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        lc_schema_read_function(r, &all[i], member->key, lc_schema_loc(r, member->where),
                                &member->value);
    }
    out->functions = all;
    out->function_count = node->count;
}

/* ---- Looking up. */

const lc_function *lc_schema_function(const lc_schema *schema, lc_str name)
{
    for (size_t i = 0; i < schema->function_count; i++) {
        if (lc_str_eq(schema->functions[i].name, name))
            return &schema->functions[i];
    }
    return NULL;
}

const lc_parameter *lc_function_parameter(const lc_function *function, size_t index)
{
    if (function && index < function->parameter_count)
        return &function->parameters[index];
    return function && function->variadic ? &function->parameters[function->parameter_count - 1]
                                          : NULL;
}

/* ---- Checking. */

/* Terraform reports an error here, but its words are not part of our catalogue. */
static lc_schema_problem *report_refused(lc_schema_checker *c, lc_schema_fault fault,
                                         const lc_trail *at, lc_loc loc, const char *message)
{
    lc_schema_problem *problem = lc_schema_report_problem(c, fault, at, loc, message);
    problem->terraform_error = true;
    return problem;
}

static void report_bad_type(lc_schema_checker *c, const lc_trail *at, lc_loc loc,
                            const char *message)
{
    lc_schema_problem *problem = report_refused(c, LC_FAULT_FUNCTION_TYPE, at, loc, message);
    problem->opentofu_crash = true;
}

/* A parameter without a name cannot be part of a path, so its problem is reported at the function.
 */
static void check_parameter(lc_schema_checker *c, const lc_function *f, const lc_parameter *p,
                            lc_table *names, const lc_trail *function)
{
    lc_trail trail = lc_trail_attr(function, p->name);
    const lc_trail *at = p->name.len ? &trail : function;
    if (!lc_is_identifier(p->name))
        report_refused(c, LC_FAULT_FUNCTION_NAME, at, p->loc,
                       p->name.len ? "the name of a parameter that is not an identifier"
                                   : "a parameter without a name");
    else if (lc_table_put(names, p->name, (void *)(uintptr_t)f))
        report_refused(c, LC_FAULT_FUNCTION_DUPLICATE, at, p->loc,
                       "a parameter of the same name again");
    if (p->type_invalid)
        report_bad_type(c, at, p->loc, "a parameter whose type is not a valid type");
}

void lc_schema_check_functions(lc_schema_checker *c)
{
    for (size_t i = 0; i < c->schema->function_count; i++) {
        const lc_function *f = &c->schema->functions[i];
        lc_trail trail = lc_trail_attr(NULL, f->name);
        lc_table names;
        lc_table_init(&names, c->arena);
        if (!lc_is_identifier(f->name))
            report_refused(c, LC_FAULT_FUNCTION_NAME, &trail, f->loc,
                           "the name of a function that is not an identifier");
        if (f->return_invalid)
            report_bad_type(c, &trail, f->loc, "a function whose return type is not a valid type");
        for (size_t k = 0; k < f->parameter_count; k++)
            check_parameter(c, f, &f->parameters[k], &names, &trail);
    }
}
