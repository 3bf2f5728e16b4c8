/* Inside of the run model. One prediction is one `run`; files look at it in the order of the
 * pipeline: graph, moves, targets, expand, scope, body, object, data, outputs. */
#ifndef LC_PREDICT_INTERNAL_H
#define LC_PREDICT_INTERNAL_H

#include "lifecheck/predict.h"
#include "lifecheck/scope.h"

#include "lifecheck/arena.h"
#include "lifecheck/bug.h"

#include <stdlib.h>
#include <string.h>

/* ---- The graph of what is evaluated after what, by configuration. */

typedef enum lc_graph_node_kind {
    NODE_VARIABLE,
    NODE_LOCAL,
    NODE_OUTPUT,
    NODE_CALL,  /* a module call: its instances */
    NODE_CLOSE, /* ... and all that is in them */
    NODE_RESOURCE,
    NODE_PROVIDER,
} lc_graph_node_kind;

typedef struct lc_id_list {
    uint32_t *items;
    size_t count, capacity;
} lc_id_list;

typedef struct lc_graph_node {
    lc_graph_node_kind kind;
    uint32_t module; /* index; of a call and its close: of the caller */
    const void *block;
    lc_str text; /* as a cycle prints it */
    lc_id_list needs;
    bool selected, named;
    bool left_out;       /* by -exclude, itself or with what it needs */
    bool failed;         /* an error was told, here or in what it needs */
    bool create_first;   /* effective */
    bool forced_outside; /* ... by what the options leave out */
    uint32_t forced_by;  /* the dependent that forces it, or its own id */
    bool constant;       /* a local without references but to such */
} lc_graph_node;

typedef struct lc_module_nodes {
    lc_table by_name; /* "var.x", "local.x", "output.x", "module.x", "close.x", resource address */
} lc_module_nodes;

typedef struct lc_graph {
    LC_VEC(lc_graph_node) nodes;
    lc_module_nodes *modules; /* by index */
    uint32_t *order;          /* needs before those who need them; cycles left out */
    size_t order_count;
} lc_graph;

/* ---- Objects of the previous run, as moves leave them. */

typedef struct lc_state_instance { /* an instance that has objects */
    lc_address address;
    lc_str text;
    lc_str previous;              /* the first address, or empty */
    const lc_config_moved *moved; /* the statement that moved it last */
    bool implied;
    const lc_run_prior *current;    /* or NULL */
    const lc_address_list *depends; /* of the current object, when it is destroyed; or NULL */
    LC_VEC(const lc_run_prior *) deposed;
    bool planned; /* its objects have been dealt with */
    bool selected, reached;
} lc_state_instance;

/* ---- Instances. */

typedef enum lc_repeat_kind {
    REPEAT_NONE,
    REPEAT_COUNT,
    REPEAT_EACH,
    REPEAT_ENABLED,
    REPEAT_HIDDEN, /* of a plan's own configuration: none is shown, and there may be one */
} lc_repeat_kind;

typedef struct lc_expansion {
    lc_repeat_kind kind;
    bool failed;                   /* an error was told */
    const lc_undecided *undecided; /* not NULL: the keys cannot be told */
    const lc_repetition *list;
    size_t count;
    lc_table by_text; /* key text -> index */
    /* From a plan alone. */
    const char *guessed; /* the keys are those that the plan has, and why; or NULL */
    int64_t gap;         /* a key of count that has to be there, and that the plan lacks; or -1 */
} lc_expansion;

typedef struct lc_module_instance {
    const lc_module *config;
    uint32_t module; /* index */
    lc_address address;
    lc_str text;
    struct lc_module_instance *parent;
    lc_module_scope *scope;
    lc_table outputs;   /* name -> lc_marked */
    lc_table calls;     /* name -> call_instance */
    lc_table resources; /* address within the module -> resource_instance */
} lc_module_instance;

typedef struct lc_call_instance {
    lc_expansion keys;
    lc_module_instance **children; /* by key; NULL: its configuration is not known */
} lc_call_instance;

/* A resource block in a module instance. */
typedef struct lc_resource_instance {
    const lc_config_resource *config;
    lc_module_instance *module;
    lc_str text;
    lc_expansion keys;
    struct lc_planned_instance *items; /* by key */
    bool failed;
    struct lc_partial_instances
        *present; /* for references, where not all of it is planned; or NULL */
} lc_resource_instance;

typedef struct lc_partial_instances lc_partial_instances;

typedef struct lc_planned_instance {
    lc_resource_instance *resource;
    const lc_repetition *instance;
    lc_address address;
    lc_str text;
    lc_marked value; /* what references to it give */
    bool failed;
    bool absent; /* there is no object, and this plan makes none */
} lc_planned_instance;

typedef struct lc_import_target {
    lc_address address;
    lc_str text;
    const lc_value *id; /* NULL: not known */
    const lc_config_import *block;
    bool failed, ignored;
    const lc_undecided *undecided;
    lc_str error;
} lc_import_target;

typedef struct lc_import_list {
    LC_VEC(const lc_config_import *) list;
} lc_import_list;

/* `removed` blocks of one address. */
typedef struct lc_removed_entry {
    const lc_config_removed *first, *last;
    size_t order; /* of the last */
} lc_removed_entry;

typedef struct lc_predictor {
    /* What it works for. */
    lc_arena *arena;
    lc_arena *scratch; /* of one object while it is planned */
    const lc_run_input *in;
    const lc_configuration *config;
    lc_profile profile;
    lc_core core;
    bool before_destroy; /* the plan that only refreshes, before all is destroyed */
    lc_prediction *out;
    bool stop;           /* an error of before the plan */
    struct notes *notes; /* notes.c */

    /* The configuration. */
    lc_graph graph;
    uint32_t *seen; /* by node: the walk that saw it */
    uint32_t walks;
    lc_table module_index;  /* path -> index + 1 */
    lc_table import_blocks; /* configuration address -> import_list */
    lc_table removed_at;    /* configuration address -> removed_entry; orphan.c */
    size_t removed_count;
    bool watched; /* triggers may compare values before and after a change */

    /* Objects of the previous run. */
    LC_VEC(lc_state_instance *) state_instances; /* in order of the previous run, then as moved */
    lc_table holder_at;                          /* instance address -> holder */
    lc_table by_config;                          /* configuration address -> holder_list */
    struct lc_moves *moves;
    lc_table stored_outputs; /* name -> lc_run_prior_output */

    /* What the options and import blocks ask for. */
    const struct selection *selection; /* NULL: all */
    lc_table replace_at;               /* addresses of -replace */
    lc_table imports;                  /* address -> import_target */

    /* Instances, and what is evaluated in them. */
    lc_module_instance *root;
    LC_VEC(lc_module_instance *) * instances; /* by module index */
    size_t expanded;                          /* instances of all blocks */
    lc_eval_context around;
    const lc_marked *self;    /* of what is evaluated, or NULL */
    const lc_type *kept_type; /* of the last value that was kept: many objects have one; or NULL */
    bool failed_elsewhere;    /* it needs something that failed: no error of its own */

    /* Before all is destroyed. */
    const lc_prediction *refreshed;       /* the plan that refreshes, or NULL */
    lc_table known_outputs, gone_outputs; /* what it found of outputs */

    /* From a plan alone: what it says of itself, or NULL. */
    struct evidence *evidence;
} lc_predictor;

typedef struct lc_state_instance_list {
    LC_VEC(lc_state_instance *) list;
} lc_state_instance_list;

static inline bool is_opentofu(const lc_predictor *r)
{
    return r->core == LC_OPENTOFU;
}

/* notes.c */
void lc_predict_notes_start(lc_predictor *r);
/* The summary is copied. */
lc_run_error *lc_predict_error(lc_predictor *r, lc_str summary, lc_str address,
                               lc_source_pos place);
/* Line and column, for as many places as there are. */
lc_loc lc_predict_loc(lc_predictor *r, lc_source_pos place);
/* `text` is that of the address. */
lc_run_change *lc_predict_change(lc_predictor *r, const lc_address *address, lc_str text,
                                 lc_str deposed);
/* The changes so far of a resource in its module instance, or after "@" of a configuration address;
 * NULL: none. */
const lc_id_list *lc_predict_changes_of(lc_predictor *r, lc_str key);
/* A resource has a change that is not a no-op, or may have one. */
typedef enum lc_pending { NOT_PENDING, MAYBE_PENDING, PENDING } lc_pending;
lc_pending lc_predict_is_pending(lc_predictor *r, const lc_config_resource *resource,
                                 const lc_module_instance *seen_from);
/* module.m.type.name */
lc_str lc_predict_config_text(const lc_predictor *r, const lc_config_resource *resource);
/* The holder of an instance, or NULL. */
lc_state_instance *lc_predict_state_instance(const lc_predictor *r, lc_str address);

/* graph.c */
void lc_predict_graph_build(lc_predictor *r);
const lc_graph_node *lc_predict_graph_resource(const lc_predictor *r,
                                               const lc_config_resource *resource);
/* The call that leads to a module. */
const lc_graph_node *lc_predict_graph_call(const lc_predictor *r, const lc_module *module);
/* False: there are cycles; told. */
bool lc_predict_graph_order(lc_predictor *r);
/* The node that a reference in the module leads to first. */
bool lc_predict_graph_find(uint32_t *out, lc_predictor *r, uint32_t module,
                           const lc_reference *ref);
uint32_t lc_predict_module_index(const lc_predictor *r, const lc_module *module);

void lc_predict_report_cycle(lc_predictor *r, lc_str *names, size_t count);

/* components.c: each component after those that it needs. */
void lc_predict_components(lc_arena *arena, size_t count,
                           const lc_id_list *(*needs)(const void *context, uint32_t id),
                           void (*take)(void *context, const uint32_t *ids, size_t count),
                           void *context);

/* moves.c */
void lc_predict_moves_apply(lc_predictor *r);
void lc_predict_moves_check_selection(lc_predictor *r);
/* After planning, when all instances are known. False: errors, and there is no plan. */
bool lc_predict_moves_validate(lc_predictor *r);

/* target.c */
void lc_predict_targets_select(lc_predictor *r);
/* Do the addresses of -target or -exclude cover it? */
bool lc_predict_covered(const lc_predictor *r, const lc_address *address);
bool lc_predict_selected(const lc_predictor *r, const lc_graph_node *node,
                         const lc_address *instance);

/* predict/expand.c */
void lc_predict_expand(lc_expansion *out, lc_predictor *r, const lc_config_repetition *repetition,
                       lc_module_instance *module, lc_str address);
void lc_predict_expand_call(lc_predictor *r, const lc_graph_node *node);
lc_module_instance *lc_predict_module_instance(lc_predictor *r, const lc_module *config,
                                               lc_module_instance *parent,
                                               const lc_repetition *instance);
/* One more of `list` is found by its text from now on. */
void lc_predict_index_key(lc_predictor *r, lc_expansion *keys, size_t index);
/* The instance that a step leads to, or NULL. */
lc_module_instance *lc_predict_module_child(const lc_module_instance *m,
                                            const lc_module_step *step);
/* The instance of a module, or NULL. */
lc_module_instance *lc_predict_module_find(lc_predictor *r, const lc_address *module);

/* predict/scope.c */

/* Where something is evaluated. */
typedef struct lc_eval_scope {
    lc_predictor *run;
    lc_module_instance *module;
    const lc_repetition *instance; /* or NULL */
    const lc_marked *self;         /* or NULL */
    lc_arena *arena;               /* of values that are needed for a while only; NULL: the run's */
} lc_eval_scope;

static inline lc_arena *arena_of(const lc_eval_scope *w)
{
    return w->arena ? w->arena : w->run->arena;
}

bool lc_predict_outer_scope(void *context, lc_module_scope *scope, const lc_repetition *instance,
                            lc_lookup *ask);
bool lc_predict_evaluate(lc_marked *out, const lc_eval_scope *w, const lc_expr *expr,
                         lc_eval_error *trouble);
void lc_predict_eval_error(lc_predictor *r, const lc_eval_error *trouble, lc_str address);
lc_marked lc_predict_tuple(lc_arena *arena, const lc_marked *parts, size_t count);
typedef struct lc_named_value {
    lc_str name;
    lc_marked value;
} lc_named_value;
/* Sorts the parts. */
lc_marked lc_predict_object_value(lc_arena *arena, lc_named_value *parts, size_t count);
void lc_predict_value_node(lc_predictor *r, const lc_graph_node *node);

/* partial_instances.c */

/* Do references go by what is stored, and not by the block's keys? Their answer then. */
bool lc_predict_is_partial(const lc_predictor *r, const lc_resource_instance *resource);
bool lc_predict_partial_value(lc_predictor *r, lc_resource_instance *resource, lc_lookup *ask);
/* What an instance is to itself there. False: it has no place. */
bool lc_predict_partial_self(lc_marked *out, lc_predictor *r, lc_resource_instance *resource,
                             const lc_planned_instance *item);

/* body.c */
/* The arguments as an object of the schema. False: it fails; see `trouble`. */
bool lc_predict_body(lc_marked *out, const lc_eval_scope *w, const lc_expr *body,
                     const lc_block *block, lc_eval_error *trouble);
/* Places that bear the mark, as texts in order, without those that the schema marks anyway. */
void lc_predict_marked_paths(lc_path_list *out, lc_arena *arena, lc_marked v, unsigned mark,
                             const lc_block *block);
lc_marked lc_predict_marks_carried(lc_arena *arena, const lc_value *v, lc_marked from,
                                   const lc_block *block);

/* object.c */
void lc_predict_plan_resource(lc_predictor *r, const lc_graph_node *node);
void lc_predict_plan_deposed(lc_predictor *r);
void lc_predict_plan_orphans(lc_predictor *r);
void lc_predict_index_removed(lc_predictor *r);
void lc_predict_plan_destroy(lc_predictor *r);

/* triggers.c */
typedef enum lc_trigger_result { NOT_FIRED, FIRED, FIRED_MAYBE, FIRED_ERROR } lc_trigger_result;
lc_trigger_result lc_predict_triggers(const lc_config_ref **by, const lc_eval_scope *w,
                                      const lc_config_resource *config,
                                      const lc_undecided **undecided);

/* self_reference.c */

/* References of a block to itself. False: nothing of the resource is planned; told. Instances that
 * fail by them are marked. */
bool lc_predict_self_reference(lc_predictor *r, lc_resource_instance *resource);

/* predict/data.c */
void lc_predict_plan_data(lc_predictor *r, const lc_graph_node *node,
                          lc_resource_instance *resource, lc_planned_instance *item);

/* predict/import.c */
void lc_predict_imports_find(lc_predictor *r);
/* Of a resource whose instances are known. False: some block does not fit it; told. */
bool lc_predict_imports_of(lc_predictor *r, const lc_config_resource *config);

/* why.c */
/* Nothing special did it. The text is a constant. */
lc_why lc_predict_why_plain(const char *text);
/* A format without arguments has no `%`, and must be a constant. */
lc_why lc_predict_why(lc_predictor *r, lc_behavior behavior, const char *setting,
                      lc_source_pos place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* predict/outputs.c */
void lc_predict_output(lc_predictor *r, const lc_graph_node *node);
void lc_predict_outputs_removed(lc_predictor *r);
void lc_predict_outputs_refreshed(lc_predictor *r, const lc_prediction *before);

/* provider.c */
void lc_predict_check_providers(lc_predictor *r);

/* predict/check.c */
void lc_predict_check_options(lc_predictor *r);
void lc_predict_check_files(lc_predictor *r);
/* Each block by itself, then what they say of each other. */
void lc_predict_check_blocks(lc_predictor *r);
void lc_predict_validate(lc_predictor *r);
/* Of both clients: what they find when the plan is complete. */
void lc_predict_cycles(lc_predictor *r);

/* conditions.c */

/* What does not hold is an error with the summary. */
bool lc_predict_conditions(const lc_eval_scope *w, const lc_config_conditions *conditions,
                           const char *summary, lc_str address);
/* Of check blocks, when all is planned. */
void lc_predict_asserts(lc_predictor *r);
/* Of a variable's validation blocks. */
void lc_predict_validations(const lc_eval_scope *w, const lc_config_conditions *conditions,
                            lc_str name);

#endif
