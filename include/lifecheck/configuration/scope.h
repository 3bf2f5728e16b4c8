/* Scopes in which expressions of a configuration are evaluated: module instances with their
 * variables and locals, and the instances of repeated blocks. Module configuration. Source:
 * runs-and-providers 2.4, 4.4, 5.3.
 *
 * Variables and locals are evaluated when they are first needed, once per module instance. Values
 * of resources and modules come from a callback (`outer`). A scope without it is either static,
 * where such references are errors, or answers that they are undecided. */
#ifndef LIFECHECK_CONFIGURATION_SCOPE_H
#define LIFECHECK_CONFIGURATION_SCOPE_H

#include "lifecheck/configuration/configuration.h"
#include "lifecheck/configuration/variable.h"

typedef struct lc_module_scope lc_module_scope;

/* The iterator of a dynamic block around an expression, with its current element. */
typedef struct lc_iterator {
    const struct lc_iterator *up; /* of the dynamic block around, or NULL */
    lc_str name;
    lc_marked key, value;
} lc_iterator;

/* One instance of a repeated block. Zero-initialised: the only instance of a block that is not
 * repeated. */
typedef struct lc_repetition {
    lc_key key;
    bool has_each, has_count;
    lc_marked each_value; /* each.value; valid if `has_each` */
    /* In the content of dynamic blocks: the innermost one's; else NULL. */
    const lc_iterator *iterators;
    bool hidden; /* the key may not be shown (LC_MARK_HIDDEN) */
    /* It stands for any instance: each.key, each.value and count.index are unknown. */
    bool any;
} lc_repetition;

/* Errors in the order in which they occurred. */
typedef struct lc_troubles {
    lc_arena *arena;
    LC_VEC(lc_eval_error) list;
} lc_troubles;

/* What all module instances of one evaluation share. Owned by the caller; must outlive the
 * scopes. */
typedef struct lc_eval_context {
    const lc_configuration *config;
    /* Name -> lc_marked *: values that the user gives for variables of the root module. */
    lc_table variables;
    lc_str workspace; /* empty: "default" */
    lc_str cwd;       /* path.cwd; empty: not known */
    /* Evaluate before any planning, as OpenTofu does for module sources and provider for_each: only
     * variables and locals are available, other references are errors. */
    bool is_static;
    /* In a static scope: the values being computed when an evaluation failed, innermost first.
     * NULL: not recorded. */
    lc_troubles *passed;
    /* Answers LC_ROOT_RESOURCE, _DATA, _EPHEMERAL, _MODULE and _SELF, as lc_scope.lookup does.
     * `instance` is that of the block that contains the reference, or NULL. If the callback is
     * NULL, such values are undecided. */
    bool (*outer)(void *context, lc_module_scope *scope, const lc_repetition *instance,
                  lc_lookup *ask);
    /* Calls a function of a provider from the module, as lc_scope.call does. NULL: results are
     * undecided. */
    void (*call)(void *context, const lc_module *module, lc_provider_call *call);
    void *context;
} lc_eval_context;

/* One module instance. Everything evaluated in it lives in its arena. */
struct lc_module_scope {
    lc_arena *arena;
    const lc_eval_context *around;
    const lc_module *module;
    lc_module_scope *up;    /* scope of the caller; NULL: the root */
    lc_repetition instance; /* of the call */
    void *owner;            /* for use by `outer`; NULL at first */
    lc_table known;         /* "local.x", "var.x" -> evaluated value or error */
    bool lookup_failed;     /* a name had no value; set by evaluations, never reset by them */
};

/* ---- Values of the root module's variables. A later value replaces an earlier one. What the core
 * of the profile reports about them becomes a problem of `config`, which around->config points to.
 */

/* Takes the values from a parsed file: each member of the mapping is a literal value. A name that
 * is not declared is a warning. */
void lc_variables_give(lc_configuration *config, lc_eval_context *around, const lc_source *source,
                       const lc_node *values);
/* The same from a file of values in either syntax; its syntax errors are left to the caller. */
void lc_variables_give_file(lc_configuration *config, lc_eval_context *around,
                            const lc_config_file *file);
/* The first without problems, for values that a core has written itself. */
void lc_variables_give_written(lc_eval_context *around, lc_arena *arena, const lc_source *source,
                               const lc_node *values);
/* Takes one value as the command line gives it (-var NAME=TEXT): text, or an expression for a
 * variable whose type is not string, number or bool. `declared`: a name that is not declared is an
 * error, else it is passed over as the cores do with their environment. */
void lc_variables_give_text(lc_configuration *config, lc_eval_context *around, lc_str name,
                            lc_str text, bool declared);
/* The option NAME=TEXT as it is written. */
void lc_variables_give_option(lc_configuration *config, lc_eval_context *around, lc_str option);
/* Adds a problem for every variable that has neither a value nor a default. */
void lc_variables_require(lc_configuration *config, const lc_eval_context *around);

/* A new module instance: the root (`up` NULL), or an instance of the call from `up` to `module`.
 * `instance` is copied; NULL: the call is not repeated. */
lc_module_scope *lc_module_scope_new(lc_arena *arena, const lc_eval_context *around,
                                     const lc_module *module, lc_module_scope *up,
                                     const lc_repetition *instance);

/* Evaluates `expr` of a block in the module. `instance`: the block's instance for each.* and
 * count.*, or NULL. False: see lc_evaluate. */
bool lc_scope_evaluate(lc_marked *out, lc_module_scope *scope, const lc_expr *expr,
                       const lc_repetition *instance, lc_eval_error *trouble);
/* The value of a variable or local that the module declares: LC_ROOT_VARIABLE or LC_ROOT_LOCAL. It
 * is evaluated once for the scope, as if something referred to it. False: see lc_evaluate. */
bool lc_scope_named(lc_marked *out, lc_module_scope *scope, lc_root root, lc_str name,
                    lc_eval_error *trouble);
/* lc_scope_evaluate with the value and the strings of `trouble` in a shorter-lived arena. */
bool lc_scope_evaluate_in(lc_marked *out, lc_arena *arena, lc_module_scope *scope,
                          const lc_expr *expr, const lc_repetition *instance,
                          lc_eval_error *trouble);

/* OpenTofu evaluates sources of modules from variables and locals: evaluates those that are not
 * literal, and opens these modules with all that they call. `around` has the values of variables.
 * A source that is not known stays empty. LC_EINPUT as for lc_configuration_read. */
lc_status lc_configuration_open_computed(lc_configuration *config, const lc_config_loader *loader,
                                         const lc_eval_context *around, lc_diags *diags);

/* ---- Repetition. */

/* The instances of a block. */
typedef struct lc_repetitions {
    LC_VEC(lc_repetition) list; /* for_each: sorted by key */
    bool unknown;               /* the list is empty because count or for_each is unknown */
    /* ... or because it is undecided; else NULL */
    const lc_undecided *undecided;
    /* for_each cannot be evaluated, and OpenTofu continues with an unknown value: where it needs
     * the keys, it reports this, too; where it does not, a block of a resource has no error. */
    const lc_eval_error *also;
} lc_repetitions;
/* Limit for one block, and for all blocks together. */
#define LC_MAX_INSTANCES 200000

/* Computes the instances of a block; the list is in the scope's arena. False: the core stops with
 * `trouble` (empty summary: LC_MAX_INSTANCES is exceeded). If count or for_each is unknown, the
 * result is false and out->unknown is set. */
bool lc_scope_expand(lc_repetitions *out, lc_module_scope *scope,
                     const lc_config_repetition *repetition, lc_eval_error *trouble);
/* The instances for a given for_each value; otherwise as lc_scope_expand. */
bool lc_scope_each(lc_repetitions *out, lc_arena *arena, lc_profile profile, lc_marked value,
                   lc_source_pos place, lc_eval_error *trouble);

#endif
