/* The table of functions, and the lookup of a function by its name. */
#include "configuration/functions/functions.h"
#include "lifecheck/configuration/configuration.h"

#define N                                LC_FN_NULLS
#define U                                LC_FN_UNKNOWNS
#define M                                LC_FN_MARKS
#define D                                LC_FN_UNTYPED
#define P(name, type, flags)             {#name, LC_FN_##type, flags, 0, false},
#define P_TF(name, type, flags, more)    {#name, LC_FN_##type, flags, more, false},
#define REST(name, type, flags)          {#name, LC_FN_##type, flags, 0, true},
#define REST_TF(name, type, flags, more) {#name, LC_FN_##type, flags, more, true},
#define NONE

#define BOTH      LC_BOTH_CORES
#define OPENTOFU  LC_OT
#define TERRAFORM LC_TF
#define SINCE     LC_SINCE
#define NOT_NULL  true
#define OPEN      false

/* Only a type that DEPENDS on the arguments has a function, which determines it. */
#define TYPE_ANY(name)          NULL
#define TYPE_STRING(name)       NULL
#define TYPE_NUMBER(name)       NULL
#define TYPE_BOOL(name)         NULL
#define TYPE_STRINGS(name)      NULL
#define TYPE_NUMBERS(name)      NULL
#define TYPE_STRING_SET(name)   NULL
#define TYPE_LISTS_BY_KEY(name) NULL
#define TYPE_DEPENDS(name)      lc_fn_##name##_type

#define FN(name, cores, result, refined, params)                                                   \
    {#name,                                                                                        \
     cores,                                                                                        \
     LC_FN_##result,                                                                               \
     refined,                                                                                      \
     TYPE_##result(name),                                                                          \
     lc_fn_##name,                                                                                 \
     (const lc_fn_param[]){params{0}}},
#define FN_MORE FN
#define FN_OPEN(name, cores, result, refined, params)                                              \
    {#name, cores, LC_FN_##result, refined, NULL, NULL, (const lc_fn_param[]){params{0}}},

static const lc_fn_row functions[] = {
#include "configuration/functions/functions.def"
};

#define COUNT (sizeof(functions) / sizeof(functions[0]))

/* Is every client that may run too old for the function? */
static bool is_too_new(const lc_scope *scope, const lc_fn_row *f)
{
    return scope->client && !scope->client->foreign &&
           lc_client_has(scope->client, scope->profile, lc_terraform_since(f->known),
                         lc_opentofu_since(f->known)) == LC_FALSE;
}

/* `core::` is the explicit namespace of built-in functions. The rows are sorted by name. */
const lc_fn_row *lc_function_find(const lc_evaluator *e, lc_str name)
{
    lc_str prefix = LC_STR("core::");
    lc_cores core = e->scope->profile == LC_PROFILE_TERRAFORM ? LC_TF : LC_OT;
    if (lc_str_starts_with(name, prefix))
        name = lc_str_sub(name, prefix.len, name.len);
    size_t from = 0, to = COUNT;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (lc_str_cmp(lc_str_from_c(functions[mid].name), name) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    for (; from < COUNT && lc_str_is(name, functions[from].name); from++)
        if (lc_cores_in(functions[from].known) & core)
            return is_too_new(e->scope, &functions[from]) ? NULL : &functions[from];
    return NULL;
}

const lc_fn_param *lc_function_param(const lc_fn_row *f, size_t at)
{
    const lc_fn_param *p = f->params;
    while (p->name && !p->rest && at > 0) {
        p++;
        at--;
    }
    return p->name ? p : NULL;
}

const lc_type *lc_function_type(lc_arena *arena, lc_fn_kind type)
{
    switch (type) {
    case LC_FN_STRING:
        return &lc_type_string;
    case LC_FN_NUMBER:
        return &lc_type_number;
    case LC_FN_BOOL:
        return &lc_type_bool;
    case LC_FN_STRINGS:
        return lc_type_collection(arena, LC_TYPE_LIST, &lc_type_string);
    case LC_FN_NUMBERS:
        return lc_type_collection(arena, LC_TYPE_LIST, &lc_type_number);
    case LC_FN_BOOLS:
        return lc_type_collection(arena, LC_TYPE_LIST, &lc_type_bool);
    case LC_FN_LIST:
        return lc_type_collection(arena, LC_TYPE_LIST, &lc_type_dynamic);
    case LC_FN_SET:
        return lc_type_collection(arena, LC_TYPE_SET, &lc_type_dynamic);
    case LC_FN_STRING_SET:
        return lc_type_collection(arena, LC_TYPE_SET, &lc_type_string);
    case LC_FN_LISTS_BY_KEY:
        return lc_type_collection(arena, LC_TYPE_MAP, lc_function_type(arena, LC_FN_STRINGS));
    case LC_FN_ANY:
    case LC_FN_EXPRESSION:
    case LC_FN_CONSTRAINT:
    case LC_FN_DEPENDS:
        break;
    }
    return &lc_type_dynamic;
}
