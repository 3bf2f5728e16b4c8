/* Where expressions of a configuration are evaluated: module instances with their variables and
 * locals, and the instances of repeated blocks. Module configuration. Source: runs-and-providers 2.4,
 * 4.4, 5.3.
 *
 * Variables and locals are evaluated when first asked for, once for each module instance. Values of
 * resources and of modules are asked of whoever owns them; a scope without such an owner is static,
 * or its answers are in doubt. */
#ifndef LIFECHECK_SCOPE_H
#define LIFECHECK_SCOPE_H

#include "lifecheck/configuration.h"

typedef struct lc_module_scope lc_module_scope;

/* One instance of a repeated block; zero-initialised: a block that is not repeated. */
typedef struct lc_repetition {
    lc_key key;
    bool has_each, has_count;
    lc_marked each_value;
} lc_repetition;

typedef struct lc_troubles {
    lc_arena *arena;
    LC_VEC(lc_eval_error) list;
} lc_troubles;

/* What all modules of one evaluation have in common. Borrowed. */
typedef struct lc_eval_context {
    const lc_configuration *config;
    lc_table variables; /* name -> lc_marked, of the root module: what the user gives */
    lc_str workspace;   /* empty: "default" */
    /* Only what is there before anything is planned: other names are errors. */
    bool is_static;
    /* In a static scope: what was being computed when something failed, innermost first. */
    lc_troubles *passed;
    /* Answers for LC_ROOT_RESOURCE, _DATA, _EPHEMERAL, _MODULE and _SELF; NULL: in doubt. */
    bool (*outer)(void *context, lc_module_scope *scope, const lc_repetition *instance,
                  lc_lookup *ask);
    void *context;
} lc_eval_context;

struct lc_module_scope {
    lc_arena *arena;
    const lc_eval_context *around;
    const lc_module *module;
    lc_module_scope *up;    /* the caller; NULL: the root */
    lc_repetition instance; /* of the call */
    void *owner;            /* for `outer`; NULL at first */
    lc_table known;         /* "local.x", "var.x" -> what came of it */
};

/* Values of the root module's variables from a file of values: the members of an object, as they
 * stand. Later ones replace earlier ones. */
void lc_eval_context_give(lc_eval_context *around, lc_arena *arena, const lc_source *source,
                          const lc_node *values);
/* A single value as the command line has it: a text, or what lc_variable_from_text makes of it for
 * the variable that the root module of `around` declares. */
void lc_eval_context_give_text(lc_eval_context *around, lc_arena *arena, lc_str name, lc_str text);

/* The value of a text that stands for a variable that is neither text, number nor bool: there it is
 * an expression without names. NULL: it is none, or the text is the value. */
const lc_value *lc_variable_from_text(lc_arena *arena, const lc_config_variable *v, lc_str text);

/* The scope of a module: the root (`up` NULL), or what a call in `up` leads to. */
lc_module_scope *lc_module_scope_new(lc_arena *arena, const lc_eval_context *around,
                                     const lc_module *module, lc_module_scope *up,
                                     const lc_repetition *instance);

/* The value of `expr` in a block of the module; `instance` may be NULL. */
bool lc_scope_evaluate(lc_marked *out, lc_module_scope *scope, const lc_expr *expr,
                       const lc_repetition *instance, lc_eval_error *trouble);
/* The same where the value and the texts of `trouble` need not last as long as the scope. */
bool lc_scope_evaluate_in(lc_marked *out, lc_arena *arena, lc_module_scope *scope,
                          const lc_expr *expr, const lc_repetition *instance,
                          lc_eval_error *trouble);

/* ---- Repetition. */

typedef struct lc_repetitions {
    LC_VEC(lc_repetition) list;    /* for_each: in order of the keys */
    bool unknown;                  /* the list is empty because nobody knows yet */
    const lc_undecided *undecided; /* ... because we cannot tell; or NULL */
} lc_repetitions;
/* Of one block, and of all blocks together. */
#define LC_MAX_INSTANCES 200000

/* The instances of a block. False: the core stops with `trouble` (an empty summary: beyond our
 * bounds). */
bool lc_scope_expand(lc_repetitions *out, lc_module_scope *scope,
                     const lc_config_repetition *repetition, lc_eval_error *trouble);
/* Instances by the value of a for_each. */
bool lc_scope_each(lc_repetitions *out, lc_arena *arena, lc_profile profile, lc_marked value,
                   lc_source_pos place, lc_eval_error *trouble);

#endif
