/* Configurations in JSON syntax: the tree of modules with what the two planning models need of
 * every block. Module configuration. Source: runs-and-providers 5.3.
 *
 * Strings of a configuration are of three kinds, and the position decides which: literal text
 * (alias, source, a variable's default), a bare reference (`provider`, depends_on, moved.from) or a
 * template. The reader looks at a configuration as one core does; what that core refuses is a
 * problem with its summary, and reading goes on as far as it makes sense.
 *
 * Files are given by a loader, so that they may lie in a folder or within another document.
 * Everything borrows from their nodes. */
#ifndef LIFECHECK_CONFIGURATION_H
#define LIFECHECK_CONFIGURATION_H

#include "lifecheck/address.h"
#include "lifecheck/expression.h"
#include "lifecheck/rule.h"

/* ---- Where files come from. */

typedef struct lc_config_file {
    lc_str name; /* within its folder */
    const lc_source *source;
    const lc_node *root;
    bool converted; /* no file of JSON syntax: `${...}` is an expression wherever it stands */
} lc_config_file;

typedef struct lc_config_folder {
    LC_VEC(lc_config_file) files; /* any names, any order */
    bool native;                  /* there are files in native syntax, which are not read */
} lc_config_folder;

typedef struct lc_config_loader {
    void *context;
    /* The folder at `path`, relative to the root module's ("" is that one, without `.` steps).
     * False: there is none. What is wrong with its files is the loader's to report. */
    bool (*open)(void *context, lc_arena *arena, lc_str path, lc_config_folder *out);
} lc_config_loader;

/* ---- Blocks. `place` is of the block's key or body. */

typedef struct lc_module lc_module;

/* A bare reference. */
typedef struct lc_config_ref {
    lc_str text;
    lc_source_pos place;
    bool is_text;        /* false: something else than a text stands there */
    bool quoted;         /* of a provider configuration: it stood in quotes within the text */
    const lc_expr *expr; /* NULL: no expression; `trouble` says why */
    lc_eval_error trouble;
    const lc_reference *reference; /* NULL: it is something else */
} lc_config_ref;

typedef struct lc_config_refs {
    LC_VEC(lc_config_ref) list;
} lc_config_refs;

/* A literal bool, or what else is written there. */
typedef struct lc_config_flag {
    bool given;
    bool value;          /* where `expr` is a literal bool, or text that converts to one */
    bool literal;        /* `value` counts */
    bool unfit;          /* of prevent_destroy: nothing that has to be evaluated, and no bool */
    const lc_expr *expr; /* as a template */
    lc_source_pos place;
} lc_config_flag;

typedef struct lc_config_repetition {
    const lc_expr *count, *for_each, *enabled;                /* NULL: not given */
    lc_source_pos count_place, for_each_place, enabled_place; /* of the keys */
    bool may_be_hidden; /* of a plan's own configuration: none is shown, and there may be one */
} lc_config_repetition;

typedef struct lc_config_required {
    lc_str local_name;
    lc_str source;          /* as written, or empty */
    lc_config_refs aliases; /* configuration_aliases */
    lc_source_pos place;
} lc_config_required;

typedef struct lc_config_provider {
    lc_module *module;
    lc_str name; /* local */
    bool has_alias, alias_valid, alias_null;
    bool has_version; /* an old version constraint of the block's own */
    lc_str alias;
    lc_config_repetition repetition;
    const lc_expr *body;   /* object of the arguments that are the provider's own */
    size_t argument_count; /* ... how many */
    lc_source_pos place, alias_place;
} lc_config_provider;

typedef struct lc_config_condition {
    const lc_expr *condition, *message; /* either may be NULL */
    lc_source_pos place;
} lc_config_condition;
typedef struct lc_config_conditions {
    LC_VEC(lc_config_condition) list;
} lc_config_conditions;

typedef struct lc_config_variable {
    lc_str name;
    const lc_expr *initial; /* the default, literal; or NULL */
    const lc_type *type;    /* NULL: none given, or one that is not simple */
    bool type_undecided;    /* given, but not understood */
    bool sensitive, ephemeral, not_nullable, constant_false;
    lc_config_conditions validations;
    lc_source_pos place;
} lc_config_variable;

typedef struct lc_config_local {
    lc_str name;
    const lc_expr *value;
    lc_source_pos place;
} lc_config_local;

typedef struct lc_config_lifecycle {
    lc_config_flag create_before_destroy, prevent_destroy, destroy;
    bool ignore_all;
    lc_config_refs ignore_changes, replace_triggered_by;
    lc_config_conditions preconditions, postconditions;
} lc_config_lifecycle;

typedef struct lc_config_resource {
    lc_module *module;
    lc_resource_mode mode;
    lc_str type, name;
    lc_str address; /* within its module, canonical */
    lc_config_repetition repetition;
    const lc_config_ref *provider; /* or NULL */
    lc_config_refs depends_on;
    lc_config_lifecycle lifecycle;
    const lc_expr *body; /* object of its other members; blocks look like arguments */
    bool has_provisioners, has_connection;
    lc_str check; /* the check block that it is nested in, or empty */
    lc_source_pos place;
} lc_config_resource;

/* One entry of a module call's `providers`. */
typedef struct lc_config_passed {
    lc_config_ref child, parent;
} lc_config_passed;

typedef struct lc_config_call {
    lc_module *module; /* that calls */
    lc_str name;
    lc_str source;
    lc_module *child; /* NULL: not a local folder, or not found */
    lc_config_repetition repetition;
    const lc_expr *arguments; /* object */
    lc_config_refs depends_on;
    bool has_providers;
    LC_VEC(lc_config_passed) providers;
    lc_source_pos place;
} lc_config_call;

typedef struct lc_config_output {
    lc_str name;
    const lc_expr *value; /* NULL: not given */
    bool sensitive, ephemeral;
    lc_config_refs depends_on;
    lc_config_conditions preconditions;
    lc_source_pos place;
} lc_config_output;

typedef struct lc_config_moved {
    lc_module *module;
    lc_config_ref from, to; /* addresses: lc_config_address */
    lc_source_pos place;
} lc_config_moved;

typedef struct lc_config_removed {
    lc_module *module;
    lc_config_ref from;
    lc_config_flag destroy;
    lc_source_pos place;
} lc_config_removed;

typedef struct lc_config_import {
    lc_module *module;
    lc_config_ref to;
    const lc_expr *id, *identity, *for_each; /* or NULL */
    const lc_config_ref *provider;           /* or NULL */
    lc_source_pos place;
} lc_config_import;

typedef struct lc_config_check {
    lc_str name;
    lc_config_conditions asserts;
    lc_source_pos place;
} lc_config_check;

struct lc_module {
    lc_module *parent;          /* NULL: the root */
    const lc_config_call *call; /* that leads here, or NULL */
    lc_str path;                /* module.a.module.b, without keys; "" is the root */
    size_t depth;
    lc_str folder;       /* as given to the loader */
    lc_source_pos place; /* of the first file */
    bool native;         /* also has files that are not read: what it declares is not known */
    /* Blocks in order of the files and within them. The calls and resources do not move. */
    LC_VEC(lc_config_required) required;
    bool requires_providers; /* there is a block required_providers */
    LC_VEC(lc_config_provider *) providers;
    LC_VEC(lc_config_variable *) variables;
    LC_VEC(lc_config_local *) locals;
    LC_VEC(lc_config_resource *) resources;
    LC_VEC(lc_config_call *) calls;
    LC_VEC(lc_config_output *) outputs;
    LC_VEC(lc_config_moved) moved;
    LC_VEC(lc_config_removed) removed;
    LC_VEC(lc_config_import) imports;
    LC_VEC(lc_config_check) checks;
    /* By name: lc_config_variable, _local, _call, _output; resources by their address. */
    lc_table variable, local, call_by_name, output, resource;
    lc_table required_by_name; /* the index of the first of each */
};

/* When a core looks for a problem. It stops after a stage that found some, but looks at what
 * modules pass to each other in any case. */
typedef enum lc_config_stage {
    LC_STAGE_PARSE,   /* each block by itself */
    LC_STAGE_LOAD,    /* modules: what is static */
    LC_STAGE_MODULES, /* what modules pass to each other */
    LC_STAGE_GRAPH,   /* names that nobody defines */
    LC_STAGE_PLAN,    /* instance by instance: others go on */
} lc_config_stage;

/* What a core (or only we) has against a configuration. */
typedef struct lc_config_problem {
    bool warning;
    bool alone;     /* the other core says nothing of it */
    lc_str summary; /* as the core of the profile prints it */
    lc_str other;   /* as the other core does, where that is not the rule's usual one; else empty */
    lc_str detail;  /* ours */
    lc_str said;    /* the core's own detail, where it counts; else empty */
    lc_str address; /* of the block that it is about, or empty */
    lc_source_pos place;
    lc_loc loc;              /* where there is no place */
    const lc_module *module; /* of it; NULL: of all, or of none */
    lc_config_stage stage;
    lc_rule rule; /* LC_RULE_COUNT: of no rule */
    bool echo;    /* said by the core besides; another problem is the reason */
} lc_config_problem;

typedef struct lc_configuration {
    lc_arena *arena;
    lc_profile profile;
    lc_module *root;
    LC_VEC(lc_module *) modules; /* callers before the called */
    LC_VEC(lc_config_problem) problems;
    bool native;         /* some module has files in native syntax */
    const lc_module *at; /* that is being looked at: problems are of it */
} lc_configuration;

/* An empty module that the call leads to; the root has neither parent nor call. */
lc_module *lc_config_module_new(lc_arena *arena, lc_module *parent, const lc_config_call *call);

/* Read the root module and what it calls in local folders. LC_EINPUT: there is no root folder, or
 * nothing readable in it; reported. */
lc_status lc_configuration_read(lc_configuration *out, lc_arena *arena, lc_profile profile,
                                const lc_config_loader *loader, lc_diags *diags);
/* One more problem; valid until the next one. */
lc_config_problem *lc_config_problem_add(lc_configuration *config, lc_source_pos place,
                                         const char *summary);

/* The module at a path of names, or NULL. */
lc_module *lc_config_module_at(const lc_configuration *config, const lc_address *address);
/* The block of a resource or resource instance, or NULL. */
lc_config_resource *lc_config_resource_at(const lc_configuration *config,
                                          const lc_address *address);
/* What the module requires by a local name, or NULL. */
const lc_config_required *lc_config_required_at(const lc_module *module, lc_str local_name);
/* A bare reference as an address within its module. False: it is none. */
bool lc_config_address(lc_address *out, lc_arena *arena, const lc_config_ref *ref);
bool lc_config_repeats(const lc_config_repetition *repetition);

#endif
