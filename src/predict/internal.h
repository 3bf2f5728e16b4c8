/* Internals of the prediction. One prediction is one lc_predictor, passed as `r`; the files work on
 * it in the order of predict.c: graph, moves, targets, expand, scope, body, object, data, outputs.
 * Unless stated otherwise, everything lives in r->arena.
 *
 * The evaluator is a circle, because the language is one. scope.c evaluates an expression. A
 * reference in it needs the instances of a resource (instances/), whose count or for_each is an
 * expression again. body/ evaluates the arguments of a block through scope.c, and object.c and
 * data.c make of them the value that the next reference reads. graph/ orders the blocks so that
 * the circle ends. */
#ifndef LC_PREDICT_INTERNAL_H
#define LC_PREDICT_INTERNAL_H

#include "lifecheck/configuration/hidden_keys.h"
#include "lifecheck/configuration/scope.h"
#include "lifecheck/predict/predict.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <stdlib.h>
#include <string.h>

typedef struct lc_predictor lc_predictor;

/* ---- The graph of the configuration: which block is evaluated after which others. */

typedef enum lc_graph_node_kind {
    NODE_VARIABLE,
    NODE_LOCAL,
    NODE_OUTPUT,
    NODE_CALL,  /* a module call: its instances */
    NODE_CLOSE, /* ... everything inside these instances */
    NODE_RESOURCE,
    NODE_PROVIDER,
} lc_graph_node_kind;

/* A list of node numbers or other indices. */
typedef struct lc_id_list {
    uint32_t *items;
    size_t count, capacity;
} lc_id_list;

/* A block of the configuration, or one of two nodes of a module call. */
typedef struct lc_graph_node {
    lc_graph_node_kind kind;
    uint32_t module;   /* index of the module; for a call, of the caller */
    const void *block; /* the lc_config_... of the block */
    lc_str text;       /* its name in error messages about cycles */
    lc_id_list needs;  /* nodes that must come before */
    /* selected: in the plan; named: addressed by an option itself */
    bool selected, named;
    /* Excluded by -exclude: the block itself or something it needs. */
    bool left_out;
    bool failed;       /* an error was reported, here or in something it needs */
    bool create_first; /* effective create_before_destroy */
    /* It would be forced, if options did not exclude the dependent. */
    bool forced_outside;
    /* The node whose create_before_destroy forces it, or its own number. */
    uint32_t forced_by;
    /* A data source instance, here or in something it needs, that is taken to read what the state
     * holds; or empty. */
    lc_str rests_on;
} lc_graph_node;

/* The nodes of one module. */
typedef struct lc_module_nodes {
    lc_table by_name; /* "var.x", "local.x", "output.x", "module.x", "close.x", resource address */
} lc_module_nodes;

typedef struct lc_graph {
    /* All nodes, and the order in which to evaluate them. */
    LC_VEC(lc_graph_node) nodes;
    lc_module_nodes *modules; /* by module index */
    uint32_t *order;          /* needed nodes first; nodes in cycles are missing */
    size_t order_count;
} lc_graph;

/* ---- Objects of the previous run, after moves. */

/* An instance that has objects in the previous state. */
typedef struct lc_state_instance { /* an instance that has objects */
    lc_address address;
    lc_str text;                  /* its canonical text */
    lc_str previous;              /* address before all moves, or empty */
    const lc_config_moved *moved; /* the block that moved it last, or NULL */
    bool implied;                 /* moved implicitly, because its block gained or lost count */
    const lc_run_prior *current;  /* NULL: none */
    /* Dependencies of the current object if it is destroyed; else NULL. */
    const lc_address_list *depends;
    LC_VEC(const lc_run_prior *) deposed;
    /* Its objects are in the plan, or were rejected with an error. */
    bool planned;
    bool selected, reached;
} lc_state_instance;

/* ---- Instances. */

/* The repetition of a block. */
typedef enum lc_repeat_kind {
    REPEAT_NONE,
    REPEAT_COUNT,
    REPEAT_EACH,
    REPEAT_ENABLED,
    REPEAT_HIDDEN, /* configuration printed in a plan shows none, but there may be one */
} lc_repeat_kind;

/* The instance keys of a block in one module instance. */
typedef struct lc_expansion {
    lc_repeat_kind kind;
    bool failed; /* an error was reported */
    /* The keys cannot be determined, and why; else NULL. */
    const lc_undecided *undecided;
    const lc_repetition *list;
    size_t count;
    lc_table by_text; /* key text -> index */
    /* Only in a prediction from a plan alone. */
    const char *guessed; /* the keys were taken from the plan; why. Else NULL */
    /* An index of count that must exist and is missing in the plan; else -1. */
    int64_t gap;
} lc_expansion;

/* One instance of a module. */
typedef struct lc_module_instance {
    const lc_module *config;
    uint32_t module; /* module index */
    lc_address address;
    lc_str text;
    struct lc_module_instance *parent;
    lc_module_scope *scope;
    lc_table outputs; /* name -> lc_marked */
    lc_table calls;   /* name -> lc_call_instance * */
    /* Address within the module -> lc_resource_instance *. */
    lc_table resources;
} lc_module_instance;

/* A module call in one instance of the calling module. */
typedef struct lc_call_instance {
    lc_expansion keys;
    /* In the order of the keys; NULL: the module is not readable. */
    lc_module_instance **children;
} lc_call_instance;

/* A resource block in a module instance. */
typedef struct lc_resource_instance {
    const lc_config_resource *config; /* in the order of the keys */
    lc_module_instance *module;
    lc_str text;
    lc_expansion keys;
    struct lc_planned_instance *items; /* by key */
    bool failed;
    /* The value of references to the resource if only a part of it is planned; else NULL. */
    struct lc_partial_instances *present;
} lc_resource_instance;

typedef struct lc_partial_instances lc_partial_instances;

/* One declared instance of a resource. */
typedef struct lc_planned_instance {
    lc_resource_instance *resource;
    const lc_repetition *instance;
    lc_address address;
    lc_str text;
    lc_marked value; /* the value of references to it */
    bool failed;
    bool absent; /* it has no object, and this plan creates none */
} lc_planned_instance;

/* The import of one instance. */
typedef struct lc_import_target {
    lc_address address;
    lc_str text;
    const lc_value *id; /* NULL: not known */
    const lc_config_import *block;
    /* failed: `error` is reported if the instance is planned; ignored: an empty id (OpenTofu) */
    bool failed, ignored;
    /* Why the id cannot be determined, or NULL. */
    const lc_undecided *undecided;
    lc_str error;
    lc_source_pos place; /* of the error; without a source it is the block's */
} lc_import_target;

/* The import blocks of one configuration address. */
typedef struct lc_import_list {
    LC_VEC(const lc_config_import *) list;
} lc_import_list;

/* The `removed` blocks of one address. */
typedef struct lc_removed_entry {
    const lc_config_removed *first, *last;
    size_t order; /* position of the last one among all removed blocks */
} lc_removed_entry;

/* What replaces files in a prediction from a plan alone (from_plan/from_plan.c). */
typedef struct lc_plan_source {
    /* Plans everything, after the predictor is prepared. */
    void (*predict)(lc_predictor *r);
    /* The keys that the plan has for a block whose own keys cannot be determined. `limited`: there
     * are too many to examine. */
    lc_repetitions (*keys)(lc_expansion *out, lc_predictor *r, lc_str address, bool limited);
    /* True if the block may have more instances than `found`, the result of its expressions. */
    bool (*is_hidden)(const lc_predictor *r, const lc_config_repetition *repetition,
                      const lc_repetitions *found);
    /* Adds an index of count that must exist although the plan does not have it. */
    void (*fill_gap)(lc_predictor *r, lc_expansion *keys);
    /* Why an object may be declared although no block and key was found for it; NULL: it is not. */
    const lc_undecided *(*open_around)(lc_predictor *r, const lc_address *address, lc_str text);
    /* Plans an instance of a data source. */
    void (*data)(lc_predictor *r, const lc_resource_instance *resource, lc_planned_instance *item);
} lc_plan_source;

/* Errors that static checks found in one block: a range of the list of errors. */
typedef struct lc_failing_block {
    const void *block;
    size_t from, to;
} lc_failing_block;

/* The state of one prediction. Its members are grouped by who writes them; all files read them. */
struct lc_predictor {
    /* predict.c, before anything else: what the prediction works for. */
    struct {
        lc_arena *arena;
        lc_arena *scratch; /* reset for each object that is planned */
        const lc_run_input *in;
        const lc_configuration *config;
        lc_profile profile;
        lc_core core;
        bool before_destroy;             /* this is the refresh before a destroy plan */
        const lc_plan_source *from_plan; /* in a prediction from a plan alone; else NULL */
    };

    /* All files: the result, and errors on the way to it. */
    struct {
        lc_prediction *out;
        bool stop;             /* an error that precludes planning was reported */
        bool invalid;          /* a provider rejected a configuration when it was validated */
        struct notes *notes;   /* notes.c */
        lc_hidden_keys hidden; /* instance keys that are not shown */
    };

    /* graph/graph.c, check.c and predict.c: the configuration. */
    struct {
        lc_graph graph;
        uint32_t *seen;        /* node number -> number of the last walk that visited it */
        uint32_t walks;        /* number of walks so far; saves clearing `seen` */
        lc_table module_index; /* module path -> index */
        LC_VEC(lc_failing_block) failing;
        lc_table unknown_scopes; /* address of a module -> lc_module_scope *, see check.c */
        bool watched; /* some replace_triggered_by compares values before and after a change */
    };

    /* predict.c, then moves/apply.c: objects of the previous run, in the order of that run, then of
     * moves. */
    struct {
        LC_VEC(lc_state_instance *) state_instances;
        lc_table state_instance_at; /* instance address -> lc_state_instance * */
        lc_table by_config;         /* configuration address -> lc_state_instance_list * */
        struct lc_moves *moves;
        lc_table stored_outputs; /* name -> lc_run_prior_output * */
    };

    /* orphan.c: `removed` blocks. */
    struct {
        lc_table removed_at; /* configuration address -> lc_removed_entry * */
        size_t removed_count;
    };

    /* provider.c: which provider instance each object uses; NULL: only default configurations. */
    struct {
        struct lc_provider_model *providers;
        lc_table settings; /* key -> lc_run_settings *, of those that were evaluated */
        lc_table uses;     /* configuration address -> index of its first use; if has_uses */
        bool has_uses;
        size_t provider_problems; /* those of the configuration, which come first */
    };

    /* target.c, predict.c and import.c: what options and import blocks ask for. */
    struct {
        const struct selection *selection; /* NULL: everything is selected */
        lc_table replace_at;               /* addresses of -replace */
        lc_table import_blocks;            /* configuration address -> lc_import_list * */
        lc_table imports;                  /* address -> lc_import_target * */
    };

    /* instances/expand.c and scope.c: instances, and what is evaluated in them. */
    struct {
        lc_module_instance *root;
        LC_VEC(lc_module_instance *) * instances; /* by module index */
        size_t expanded; /* number of instances so far, see LC_MAX_INSTANCES */
        lc_eval_context around;
        const lc_marked *self; /* the value of `self` in the current evaluation, or NULL */
        /* Type of the value kept last: sharing it saves memory, as many objects have one type. */
        const lc_type *kept_type;
        /* The last evaluation failed because something it needs had failed: no new error is
         * reported. */
        bool failed_elsewhere;
    };

    /* outputs.c, in a destroy plan: what the refresh before it found. */
    struct {
        const lc_prediction *refreshed; /* the prediction of that refresh, or NULL */
        lc_table known_outputs;         /* outputs with a value */
        lc_table gone_outputs;
    };

    /* from_plan/from_plan.c: what the plan contains; NULL without `from_plan`. */
    struct evidence *evidence;
};

typedef struct lc_state_instance_list {
    LC_VEC(lc_state_instance *) list;
} lc_state_instance_list;

static inline bool is_opentofu(const lc_predictor *pred)
{
    return pred->core == LC_OPENTOFU;
}

/* ---- notes.c: errors and changes as they are collected. */
void lc_predict_notes_start(lc_predictor *pred);
/* Appends an error. The summary is copied; `address` is not. Valid until the next error. */
lc_run_error *lc_predict_error(lc_predictor *pred, lc_str summary, lc_str address,
                               lc_source_pos place);
/* Line and column of a position; the line index of each source is built once. */
lc_loc lc_predict_loc(lc_predictor *pred, lc_source_pos place);
/* Appends a change. `text` is the text of `address`. Valid until the next change. */
lc_run_change *lc_predict_change(lc_predictor *pred, const lc_address *address, lc_str text,
                                 lc_str deposed);
/* Indices of the changes so far of a resource. `key`: its address in a module instance, or "@" and
 * its configuration address (all module instances). NULL: none. */
const lc_id_list *lc_predict_changes_of(lc_predictor *pred, lc_str key);
/* Whether a resource has a change other than no-op. Data sources that depend on it wait for
 * apply. */
typedef enum lc_pending { NOT_PENDING, MAYBE_PENDING, PENDING } lc_pending;
lc_pending lc_predict_is_pending(lc_predictor *pred, const lc_config_resource *resource,
                                 const lc_module_instance *seen_from);
/* The configuration address module.m.type.name of a block. */
lc_str lc_predict_config_text(const lc_predictor *pred, const lc_config_resource *resource);

/* answer/hidden.c: replaces pred->hidden in the strings of the result, whose changes must be in
 * their final order. */
void lc_predict_hide(lc_predictor *pred);

/* outputs.c: may the value be given out, or is it ephemeral and the output not? False: reported. */
bool lc_predict_may_leave(lc_predictor *pred, const lc_config_output *output, lc_marked v);

/* ---- validated.c */
/* The arguments of a block as clients validate them before they plan: variables, resources, modules
 * and instance keys are unknown. False: the client would report `trouble`. */
bool lc_predict_unresolved(lc_marked *out, lc_predictor *pred, lc_arena *arena,
                           const lc_module *module, const lc_config_repetition *repetition,
                           const lc_expr *body, const lc_block *block, lc_eval_error *trouble);
/* Evaluates the value of an output, or of a local, so. An error is reported, unless a local that it
 * refers to fails itself. False: there is one. */
bool lc_predict_validate_output(lc_marked *out, lc_predictor *pred, const lc_module *m,
                                const lc_config_output *output);
void lc_predict_validate_local(lc_predictor *pred, const lc_module *m,
                               const lc_config_local *local);
/* The same for an argument of a module call, as the variable of the module has it. The scope, one
 * for all arguments of a call, lives until pred->scratch is reset; NULL: the module is missing. */
lc_module_scope *lc_predict_argument_scope(lc_predictor *pred, const lc_config_call *call,
                                           const lc_module *caller);
void lc_predict_validate_argument(lc_predictor *pred, lc_module_scope *scope, lc_str name,
                                  const lc_expr *given);
/* The same for count or for_each, whose keys need not be known yet. `call`: of a module call, not
 * of a resource. */
void lc_predict_validate_repetition(lc_predictor *pred, const lc_module *m,
                                    const lc_config_repetition *repetition, bool call, lc_str name);
/* Does a local fail that the expression refers to? */
bool lc_predict_has_failing_local(lc_predictor *pred, const lc_module *m, const lc_expr *expr);
/* Appends the errors that a provider reports about an object. False: there are none. */
bool lc_predict_provider_errors(lc_predictor *pred, const lc_run_question *q, lc_str address,
                                const lc_config_resource *config);
/* The same of a block of which nothing is planned, which clients validate all the same. */
void lc_predict_validate_block(lc_predictor *pred, const lc_config_resource *config);

/* ---- references.c: references to what is not there. */

/* The block whose expressions are looked at. */
typedef struct lc_reference_user {
    const lc_module *module;
    lc_str address;                         /* for messages */
    lc_str check;                           /* name of the check block, or empty */
    const lc_config_repetition *repetition; /* decides over each and count; NULL: neither */
    const lc_config_resource *itself;       /* it must not refer to this one; NULL: it may */
    bool self_allowed;
} lc_reference_user;
/* Reports every wrong reference of the expression (which may be NULL) as an error that precludes
 * planning. False: one is incomplete or names no object (a resource, a module, self); a variable or
 * local value that does not exist is an error too, but makes no difference here. */
bool lc_predict_references(lc_predictor *pred, const lc_expr *expr, const lc_reference_user *user);
/* The same for depends_on. */
void lc_predict_depends(lc_predictor *pred, const lc_config_refs *depends,
                        const lc_reference_user *user);
/* Is the first attribute after the resource in its schema, as far as that is known? If not, *place
 * is where the attribute stands. */
bool lc_predict_knows_attribute(lc_predictor *pred, const lc_config_resource *to,
                                const lc_reference *ref, lc_source_pos *place);

/* ---- graph/graph.c */
void lc_predict_graph_build(lc_predictor *pred);
lc_graph_node *lc_predict_graph_resource(const lc_predictor *pred,
                                         const lc_config_resource *resource);
/* The node of the call that leads to a module, or NULL. */
const lc_graph_node *lc_predict_graph_call(const lc_predictor *pred, const lc_module *module);
/* Computes the order. False: there are cycles, which are reported. */
bool lc_predict_graph_order(lc_predictor *pred);
/* The first node that a reference leads to. False: it leads to no node (each, count, ...). */
bool lc_predict_graph_find(uint32_t *out, lc_predictor *pred, uint32_t module,
                           const lc_reference *ref);
uint32_t lc_predict_module_index(const lc_predictor *pred, const lc_module *module);

/* Reports a cycle as the cores do; sorts the names. */
void lc_predict_report_cycle(lc_predictor *pred, lc_str *names, size_t count, lc_source_pos place);

/* graph/components.c: strongly connected components of a graph of `count` nodes. `take` gets each
 * component after the components that it needs. */
void lc_predict_components(lc_arena *arena, size_t count,
                           const lc_id_list *(*needs)(const void *context, uint32_t id),
                           void (*take)(void *context, const uint32_t *ids, size_t count),
                           void *context);

/* ---- moves.c */
void lc_predict_moves_apply(lc_predictor *pred);
void lc_predict_moves_check_selection(lc_predictor *pred);
/* Validation after planning, when all instances are known. False: errors, so there is no plan. */
bool lc_predict_moves_validate(lc_predictor *pred);

/* ---- target.c */
void lc_predict_targets_select(lc_predictor *pred);
/* True if an address of -target or -exclude covers it. */
bool lc_predict_covered(const lc_predictor *pred, const lc_address *address);
bool lc_predict_selected(const lc_predictor *pred, const lc_graph_node *node,
                         const lc_address *instance);

/* ---- instances/expand.c */
void lc_predict_expand(lc_expansion *out, lc_predictor *pred,
                       const lc_config_repetition *repetition, lc_module_instance *module,
                       lc_str address);
void lc_predict_expand_call(lc_predictor *pred, const lc_graph_node *node);
lc_module_instance *lc_predict_module_instance(lc_predictor *pred, const lc_module *config,
                                               lc_module_instance *parent,
                                               const lc_repetition *instance);

/* ---- instances/find.c */

/* Makes key number `index` of keys->list findable by its text. */
void lc_predict_index_key(lc_predictor *pred, lc_expansion *keys, size_t index);
/* The child instance of one module step, or NULL. */
lc_module_instance *lc_predict_module_child(const lc_module_instance *m,
                                            const lc_module_step *step);
/* The instance of a module address, or NULL. */
lc_module_instance *lc_predict_module_find(lc_predictor *pred, const lc_address *module);
/* The objects of an instance in the previous state, or NULL. */
lc_state_instance *lc_predict_state_instance(const lc_predictor *pred, lc_str address);

/* ---- scope.c */

/* Where an expression is evaluated. */
typedef struct lc_eval_scope {
    lc_predictor *run;
    lc_module_instance *module;
    const lc_repetition *instance; /* each.*, count.*; NULL: none */
    const lc_marked *self;         /* or NULL */
    /* Arena for values that are needed for a short time only; NULL: r->arena. */
    lc_arena *arena;
} lc_eval_scope;

static inline lc_arena *arena_of(const lc_eval_scope *scope)
{
    return scope->arena ? scope->arena : scope->run->arena;
}

/* lc_eval_context.outer: values of resources, modules and self. The others evaluate, and report the
 * error of a failed evaluation unless something else failed before. */
bool lc_predict_outer_scope(void *context, lc_module_scope *scope, const lc_repetition *instance,
                            lc_lookup *ask);
bool lc_predict_evaluate(lc_marked *out, const lc_eval_scope *scope, const lc_expr *expr,
                         lc_eval_error *trouble);
/* The value of an output that has one, converted to its type. Errors as lc_predict_evaluate. */
bool lc_predict_output_value(lc_marked *out, const lc_eval_scope *scope,
                             const lc_config_output *output, lc_eval_error *trouble);
void lc_predict_eval_error(lc_predictor *pred, const lc_eval_error *trouble, lc_str address);
lc_marked lc_predict_tuple(lc_arena *arena, const lc_marked *parts, size_t count);
typedef struct lc_named_value {
    lc_str name;
    lc_marked value;
} lc_named_value;
/* An object value; sorts the parts. */
lc_marked lc_predict_object_value(lc_arena *arena, lc_named_value *parts, size_t count);
void lc_predict_value_node(lc_predictor *pred, const lc_graph_node *node);

/* ---- instances/partial.c */

/* True if references to the resource are answered from stored objects instead of the block's keys;
 * the second function answers them. */
bool lc_predict_is_partial(const lc_predictor *pred, const lc_resource_instance *resource);
bool lc_predict_partial_value(lc_predictor *pred, lc_resource_instance *resource, lc_lookup *ask);
/* The value of `self` for an instance in that case. False: it has no element there. */
bool lc_predict_partial_self(lc_marked *out, lc_predictor *pred, lc_resource_instance *resource,
                             const lc_planned_instance *item);

/* ---- body/body.c */
/* The arguments of a block as an object of its schema. `block` NULL: the schema is not known, and
 * the result is a tuple of all values in the body. False: the core would report `trouble`. */
bool lc_predict_body(lc_marked *out, const lc_eval_scope *scope, const lc_expr *body,
                     const lc_block *block, lc_eval_error *trouble);
/* Only what is wrong whatever the values are: names, labels, what is missing. */
bool lc_predict_body_form(const lc_eval_scope *scope, const lc_expr *body, const lc_block *block,
                          lc_eval_error *trouble);
/* The client's summary for a member of a body that it does not know. */
const char *lc_predict_strange_name(const lc_expr *body, const lc_expr *value);

/* ---- marks.c */

/* Part number `i` of a collection or object with its marks; and the part `name` of an object or
 * map. False: there is none. */
lc_marked lc_predict_child(lc_marked v, size_t i);
bool lc_predict_part(lc_marked *out, lc_marked v, lc_str name);
void lc_predict_sort_paths(lc_path_list *paths);
bool lc_predict_has_path(const lc_path_list *sorted, lc_path path);
/* Paths with the mark, sorted, without attributes that are sensitive by schema. */
void lc_predict_marked_paths(lc_path_list *out, lc_arena *arena, lc_marked v, unsigned mark,
                             const lc_block *block);
lc_marked lc_predict_marks_carried(lc_arena *arena, const lc_value *v, lc_marked from,
                                   const lc_block *block);
/* The value with sensitive marks at these paths, as far as they apply. */
lc_marked lc_predict_marked_at(lc_arena *arena, const lc_value *v, const lc_path_list *sensitive);
/* The configuration of an object with ignored changes undone, in values and in marks, as the
 * clients do it: what is ignored is as it was before, its marks included. */
lc_marked lc_predict_ignored(lc_arena *arena, const lc_run *ignore, const lc_block *block,
                             lc_marked given, lc_marked before);

/* ---- object.c, orphan.c: planning managed resources. */
void lc_predict_plan_resource(lc_predictor *pred, const lc_graph_node *node);
void lc_predict_plan_deposed(lc_predictor *pred);
void lc_predict_plan_orphans(lc_predictor *pred);
void lc_predict_index_removed(lc_predictor *pred);
void lc_predict_plan_destroy(lc_predictor *pred);

/* ---- triggers.c */
typedef enum lc_trigger_result { NOT_FIRED, FIRED, FIRED_MAYBE, FIRED_ERROR } lc_trigger_result;
lc_trigger_result lc_predict_triggers(const lc_config_ref **by, const lc_eval_scope *scope,
                                      const lc_config_resource *config,
                                      const lc_undecided **undecided);

/* ---- self_reference.c */

/* Checks references of a block to itself. False: nothing of the resource is planned; reported.
 * Single instances that fail because of them are marked as failed. */
bool lc_predict_self_reference(lc_predictor *pred, lc_resource_instance *resource);

/* ---- data.c */
void lc_predict_plan_data(lc_predictor *pred, const lc_graph_node *node,
                          lc_resource_instance *resource, lc_planned_instance *item);
void lc_predict_plan_ephemeral(lc_predictor *pred, const lc_graph_node *node,
                               lc_resource_instance *resource, lc_planned_instance *item);

/* ---- import.c */
void lc_predict_imports_find(lc_predictor *pred);
/* Evaluates the import blocks of a resource whose instances are known. False: one of them is
 * invalid, and the resource is not planned; reported. */
bool lc_predict_imports_of(lc_predictor *pred, const lc_config_resource *config);

/* ---- why.c */
/* A reason of the default behaviour. `text` is a string constant and is not copied. */
lc_why lc_predict_why_plain(const char *text);
/* A reason with a setting. A format without `%` must be a string constant, because it is not
 * copied. */
lc_why lc_predict_why(lc_predictor *pred, lc_behavior behavior, const char *setting,
                      lc_source_pos place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- outputs.c */
void lc_predict_output(lc_predictor *pred, const lc_graph_node *node);
void lc_predict_outputs_removed(lc_predictor *pred);
void lc_predict_outputs_refreshed(lc_predictor *pred, const lc_prediction *before);

/* ---- settings.c */
struct lc_provider_config;
/* "aws", or "aws.west" with an alias. */
lc_str lc_predict_provider_name(lc_predictor *pred, const struct lc_provider_config *config);
/* lc_eval_context.call, with the predictor as its context. */
void lc_predict_call_function(void *context, const lc_module *module, lc_provider_call *call);

/* ---- provider.c */
/* The schema of an object that no block declares; `prior` says its provider. NULL: not known. */
const lc_schema *lc_predict_schema_at(lc_predictor *pred, const lc_address *address,
                                      const lc_run_prior *prior);
/* The provider configuration of a declared instance, or with `config` NULL of a stored object, with
 * its values. NULL: providers are not asked, or it cannot be determined which one it is. */
const lc_run_settings *lc_predict_settings(lc_predictor *pred, const lc_address *address,
                                           const lc_config_resource *config,
                                           const lc_run_prior *prior);
/* The provider configuration of a block that has no instance. NULL: as above, or it depends on the
 * instance. */
const lc_run_settings *lc_predict_settings_of_block(lc_predictor *pred,
                                                    const lc_config_resource *config);
/* Finds the provider configuration of each block, if there is anything to find: pred->providers.
 * Then reports what is wrong, by stages. */
void lc_predict_resolve_providers(lc_predictor *pred);
void lc_predict_report_providers(lc_predictor *pred, lc_config_stage first, lc_config_stage last);
/* Aliases that no one gives to the root module: the client looks for them last. */
void lc_predict_report_root_aliases(lc_predictor *pred);
/* True if the client cannot read provider addresses of the state; reported. */
bool lc_predict_providers_refuse_state(lc_predictor *pred);
/* Reports stored objects whose provider configuration is gone. */
void lc_predict_check_providers(lc_predictor *pred);
/* Has the declared instance a provider instance? False: reported. And a stored object that is
 * destroyed? */
bool lc_predict_provider_of(lc_predictor *pred, lc_str instance);
bool lc_predict_provider_of_orphan(lc_predictor *pred, const lc_state_instance *instance,
                                   const lc_run_prior *prior);

/* ---- check.c */
void lc_predict_check_options(lc_predictor *pred);
void lc_predict_check_files(lc_predictor *pred);
/* Checks each block on its own, then references and arguments between blocks. */
void lc_predict_check_blocks(lc_predictor *pred);
/* Addresses in moved, removed and import blocks of a module. `seen`: those that are imported. */
void lc_predict_check_addresses(lc_predictor *pred, const lc_module *m, lc_table *seen);
/* A removed block whose resource or module is still there. Both clients check it when they plan
 * normally, or in the refresh before a destroy plan. */
void lc_predict_check_gone(lc_predictor *pred, const lc_config_removed *removed);
void lc_predict_validate(lc_predictor *pred);
/* graph/cycle.c: the cycles that the clients find when the plan is complete. */
void lc_predict_cycles(lc_predictor *pred);

/* ---- conditions.c */

/* Evaluates preconditions or postconditions. False: an error was reported; `summary` is that of a
 * false condition. */
bool lc_predict_conditions(const lc_eval_scope *scope, const lc_config_conditions *conditions,
                           const char *summary, lc_str address);
/* Evaluates the assertions of all check blocks, when everything is planned. */
void lc_predict_asserts(lc_predictor *pred);
/* Evaluates the validations of a variable, whose value is given at `value`. */
void lc_predict_validations(const lc_eval_scope *scope, const lc_config_conditions *conditions,
                            lc_str name, lc_source_pos value);

#endif
