/* Functions of the language, shared by their files. A call passes three steps:
 *
 *   call.c    the call as HCL does it: number of arguments, `...`, evaluation of the arguments and
 *             their conversion to the types of the parameters
 *   apply.c   what cty does for every function: nulls, unknown values, marks, the type of the
 *             result and its refinement
 *   the rest  the work of each function, named in functions.def
 *
 * How to add one: write a row in functions.def and `bool lc_fn_NAME(lc_fn_call *c)`. */
#ifndef LC_CONFIGURATION_FUNCTIONS_FUNCTIONS_H
#define LC_CONFIGURATION_FUNCTIONS_FUNCTIONS_H

#include "configuration/expression/eval.h"
#include "configuration/since.h"
#include "lifecheck/configuration/constraint.h"

/* Types of parameters and of results. */
typedef enum lc_fn_kind {
    LC_FN_ANY, /* as parameter: any value; as result: cty's dynamic type */
    LC_FN_STRING,
    LC_FN_NUMBER,
    LC_FN_BOOL,
    LC_FN_STRINGS,      /* list(string) */
    LC_FN_NUMBERS,      /* list(number) */
    LC_FN_BOOLS,        /* list(bool) */
    LC_FN_LIST,         /* list(any) */
    LC_FN_SET,          /* set(any) */
    LC_FN_STRING_SET,   /* set(string) */
    LC_FN_LISTS_BY_KEY, /* map(list(string)) */
    /* Parameter only: the function gets the expression in c->exprs, unless `...` made the argument;
     * then it is a value. */
    LC_FN_EXPRESSION,
    LC_FN_CONSTRAINT, /* parameter only: a type constraint, which is in c->constraint */
    LC_FN_DEPENDS,    /* result only: the function's `type` determines it */
} lc_fn_kind;

/* What a function itself handles, for each parameter. */
enum {
    LC_FN_NULLS = 1,    /* null; else it is an error */
    LC_FN_UNKNOWNS = 2, /* an unknown argument; else the result is unknown */
    LC_FN_MARKS = 4,    /* marks; else they are removed and put on the result as a whole */
    LC_FN_UNTYPED = 8,  /* unknown type; else the result is unknown and of unknown type */
};

typedef struct lc_fn_param {
    const char *name; /* NULL: the end of the parameters */
    lc_fn_kind type;
    unsigned takes, takes_tf; /* the second: in Terraform, too */
    bool rest;                /* the last one: any number of arguments */
} lc_fn_param;

typedef struct lc_fn_call lc_fn_call;
typedef bool lc_fn_work(lc_fn_call *c);

typedef struct lc_fn_row {
    const char *name;
    uint32_t known; /* which clients have it, see configuration/since.h */
    lc_fn_kind result;
    bool not_null;    /* an unknown result is refined as not null */
    lc_fn_work *type; /* sets c->type, if `result` is LC_FN_DEPENDS; arguments may be unknown */
    lc_fn_work *call; /* sets c->result; NULL: not evaluated, the result is undecided */
    const lc_fn_param *params;
} lc_fn_row;

/* The work of each function. */
#define FN(name, cores, result, refined, params) lc_fn_work lc_fn_##name, lc_fn_##name##_type;
#define FN_MORE(name, cores, result, refined, params)
#define FN_OPEN(name, cores, result, refined, params)
#include "configuration/functions/functions.def"
#undef FN
#undef FN_MORE
#undef FN_OPEN

/* One call. Arguments have the types of their parameters. `type` and `call` set errors with
 * lc_fn_fail or lc_fn_bad_argument and return false then. */
struct lc_fn_call {
    lc_evaluator *e;
    const lc_expr *expr;
    const lc_fn_row *function;
    lc_marked *args;
    const lc_expr **exprs; /* of the arguments; NULL where `...` made one */
    lc_constraint constraint;
    size_t count;
    const lc_type *type; /* of the result */
    bool unsure;         /* an argument does not fit because lifecheck cannot determine all of it */
    lc_marked result;
};

/* The function `name`, perhaps with `core::` before it, as the client of the evaluation knows it;
 * NULL: it has none. */
const lc_fn_row *lc_function_find(const lc_evaluator *e, lc_str name);
/* The parameter of argument number `at`; NULL if the function does not have as many. */
const lc_fn_param *lc_function_param(const lc_fn_row *f, size_t at);
/* A type of a parameter or result as the language has it. */
const lc_type *lc_function_type(lc_arena *arena, lc_fn_kind type);
/* Applies c->function to converted arguments. False: errors were added. */
bool lc_function_apply(lc_fn_call *c);
/* The position that an error about argument `at` has. */
lc_source_pos lc_fn_place_of(const lc_fn_call *c, size_t at);

/* ---- Results. Each returns true. */

bool lc_fn_give(lc_fn_call *c, const lc_value *slot);
bool lc_fn_give_text(lc_fn_call *c, lc_str text); /* not necessarily in NFC */
bool lc_fn_give_number(lc_fn_call *c, int64_t n);
bool lc_fn_give_bool(lc_fn_call *c, bool is);
/* An unknown of the type c->type. */
bool lc_fn_give_unknown(lc_fn_call *c);
/* lifecheck cannot determine the result: `reason` explains why, on one line. */
bool lc_fn_give_undecided(lc_fn_call *c, const char *reason);
/* Elements of a result under construction, each with its marks. */
typedef LC_VEC(lc_marked) lc_fn_elems;
void lc_fn_add_elem(lc_fn_call *c, lc_fn_elems *items, lc_marked item);
/* All elements of argument `at`, which is known. */
void lc_fn_add_parts(lc_fn_call *c, lc_fn_elems *items, size_t at);
/* A list or set if c->type is one, else a tuple. */
bool lc_fn_give_elems(lc_fn_call *c, const lc_fn_elems *items);
/* Members of a result under construction; the last of equal names counts. */
typedef struct lc_fn_members {
    LC_VEC(lc_eval_member) list;
    lc_table at; /* name -> index */
} lc_fn_members;
void lc_fn_members_init(lc_fn_call *c, lc_fn_members *members);
void lc_fn_add_member(lc_fn_call *c, lc_fn_members *members, lc_str name, lc_marked value);
/* A map if c->type is one, else an object. */
bool lc_fn_give_members(lc_fn_call *c, lc_fn_members *members);
/* A list of strings from strings. */
bool lc_fn_give_list(lc_fn_call *c, const lc_marked *items, size_t count);
/* The result gets the marks of argument `at` as a whole, not those of its elements; and: all. */
void lc_fn_add_marks(lc_fn_call *c, size_t at);
void lc_fn_add_all_marks(lc_fn_call *c, size_t at);
/* Sets c->type, for functions that determine the type of their result. */
bool lc_fn_set_type(lc_fn_call *c, const lc_type *type);

/* ---- Errors; each returns false. The first is about the call ("Error in function call"), the
 * second about argument `at` ("Invalid function argument"). Details are our own words, without
 * values that might be secret. */

bool lc_fn_fail(lc_fn_call *c, const char *detail);
bool lc_fn_bad_argument(lc_fn_call *c, size_t at, const char *detail);

/* ---- Arguments. */

/* The argument's value. */
const lc_value *lc_fn_arg(const lc_fn_call *c, size_t at);
/* A known argument whose parameter is a string. */
lc_str lc_fn_text(const lc_fn_call *c, size_t at);
/* A known argument whose parameter is a number, as a whole number in the range of int64. False: it
 * is no such number; no error is set. */
bool lc_fn_int(const lc_fn_call *c, size_t at, int64_t *out);
/* No argument is or contains an unknown. */
bool lc_fn_all_known(const lc_fn_call *c);
/* The call is evaluated as OpenTofu does. */
bool lc_fn_is_opentofu(const lc_fn_call *c);
bool lc_fn_is_list(const lc_value *v);     /* a list, set or tuple */
bool lc_fn_is_sequence(const lc_value *v); /* a list or tuple */
/* A set of two or more elements that is not wholly known: unknown elements may turn out to be equal
 * to others, so its size and members are not known. */
bool lc_fn_is_open_set(const lc_value *v);
bool lc_fn_is_map(const lc_value *v); /* a map or object */
/* The key of a map, or the attribute name of an object, at the given position. */
lc_str lc_fn_key_at(const lc_value *map, uint32_t at);
/* Element `at` of argument `which`, with the marks of that element. */
lc_marked lc_fn_part(const lc_fn_call *c, size_t which, uint32_t at);

/* A table of values that finds equal ones. The first adds a value, and returns false if an equal
 * one is there already. Both are for values that are wholly known. */
bool lc_fn_remember(lc_fn_call *c, lc_table *table, const lc_value *v);
bool lc_fn_remembers(const lc_table *table, const lc_value *v);

#endif
