/* A plan as JSON (`show -json PLANFILE`): entries, trees, configuration and flags, with places.
 * Module plan. Source: values-and-wire 5.1 to 5.3, runs-and-providers 1.2 to 1.5 and 1.8.
 *
 * Nothing is decoded and no rule is judged here: members of the wrong kind are as good as absent,
 * and what that breaks is for rules to say. Nodes and texts are borrowed from the source. One look
 * at every entry, every object of the trees and every block of the configuration; all else is
 * looked up by address. */
#ifndef LIFECHECK_PLAN_H
#define LIFECHECK_PLAN_H

#include "lifecheck/address.h"
#include "lifecheck/case.h"
#include "lifecheck/node.h"
#include "lifecheck/table.h"

typedef enum lc_plan_action {
    LC_PLAN_UNKNOWN, /* no list of actions that a core writes */
    LC_PLAN_NOOP,
    LC_PLAN_CREATE,
    LC_PLAN_READ,
    LC_PLAN_UPDATE,
    LC_PLAN_DELETE,
    LC_PLAN_DELETE_CREATE,
    LC_PLAN_CREATE_DELETE,
    LC_PLAN_FORGET,
    LC_PLAN_CREATE_FORGET, /* Terraform */
    LC_PLAN_FORGET_CREATE, /* OpenTofu */
} lc_plan_action;
const char *lc_plan_action_text(lc_plan_action action); /* `["delete","create"]` */
/* Of such a list; LC_PLAN_UNKNOWN for any other node, and for NULL. */
lc_plan_action lc_plan_action_of(const lc_node *actions);
static inline bool lc_plan_action_replaces(lc_plan_action action)
{
    return action == LC_PLAN_DELETE_CREATE || action == LC_PLAN_CREATE_DELETE ||
           action == LC_PLAN_CREATE_FORGET || action == LC_PLAN_FORGET_CREATE;
}
static inline bool lc_plan_action_ends(lc_plan_action action) /* of the object, for good */
{
    return action == LC_PLAN_DELETE || action == LC_PLAN_FORGET;
}

/* Why an action was chosen, as both cores write it. */
#define LC_PLAN_REASONS(REASON)                                                                    \
    REASON(REPLACE_CANNOT_UPDATE, "replace_because_cannot_update")                                 \
    REASON(REPLACE_TAINTED, "replace_because_tainted")                                             \
    REASON(REPLACE_REQUEST, "replace_by_request")                                                  \
    REASON(REPLACE_TRIGGERS, "replace_by_triggers")                                                \
    REASON(DELETE_NO_RESOURCE_CONFIG, "delete_because_no_resource_config")                         \
    REASON(DELETE_WRONG_REPETITION, "delete_because_wrong_repetition")                             \
    REASON(DELETE_COUNT_INDEX, "delete_because_count_index")                                       \
    REASON(DELETE_EACH_KEY, "delete_because_each_key")                                             \
    REASON(DELETE_NO_MODULE, "delete_because_no_module")                                           \
    REASON(DELETE_NO_MOVE_TARGET, "delete_because_no_move_target")                                 \
    REASON(DELETE_ENABLED_FALSE, "delete_because_enabled_false")                                   \
    REASON(FORGOT_IN_CONFIG, "forgot_because_lifecycle_destroy_in_config")                         \
    REASON(FORGOT_IN_STATE, "forgot_because_lifecycle_destroy_in_state")                           \
    REASON(READ_CONFIG_UNKNOWN, "read_because_config_unknown")                                     \
    REASON(READ_DEPENDENCY_PENDING, "read_because_dependency_pending")                             \
    REASON(READ_CHECK_NESTED, "read_because_check_nested")

typedef enum lc_plan_reason {
    LC_PLAN_REASON_NONE,
#define LC_PLAN_REASON_ENUM(id, text) LC_PLAN_REASON_##id,
    LC_PLAN_REASONS(LC_PLAN_REASON_ENUM)
#undef LC_PLAN_REASON_ENUM
        LC_PLAN_REASON_UNKNOWN, /* another text */
} lc_plan_reason;
/* Is it about an instance key that its block does not, or no longer, have? */
static inline bool lc_plan_reason_is_of_key(lc_plan_reason reason)
{
    return reason == LC_PLAN_REASON_DELETE_COUNT_INDEX ||
           reason == LC_PLAN_REASON_DELETE_EACH_KEY ||
           reason == LC_PLAN_REASON_DELETE_WRONG_REPETITION;
}
/* ... or that `enabled` takes away: the block's own arguments make no such instance. */
static inline bool lc_plan_reason_is_of_repetition(lc_plan_reason reason)
{
    return lc_plan_reason_is_of_key(reason) || reason == LC_PLAN_REASON_DELETE_ENABLED_FALSE;
}
const char *lc_plan_reason_text(lc_plan_reason reason); /* "" for none and unknown */

/* An entry of resource_changes, resource_drift or deferred_changes. */
typedef struct lc_plan_change {
    const lc_node *node;
    const lc_node *change; /* its member `change`, or NULL */
    lc_str address;        /* as written */
    bool parses;           /* as a resource instance, in canonical text */
    lc_address parsed;
    const char *differs; /* the member that says something else than the address, or NULL */
    bool fits;           /* it parses, and no member differs */
    lc_str deposed;      /* "" for the current object */
    lc_str previous_address, module_address, mode, type, name, provider_name;
    const lc_node *index; /* or NULL */
    lc_plan_action action;
    lc_plan_reason reason;
    lc_str reason_text;
    lc_str deferred; /* reason of a deferral, of deferred_changes */
    /* Members of the change; NULL: absent. */
    const lc_node *actions, *before, *after, *after_unknown, *before_sensitive, *after_sensitive;
    const lc_node *replace_paths, *importing, *generated_config, *before_identity, *after_identity;
    uint64_t before_where, after_where; /* places of both, null or not; absent: of the change */
    /* What stands for the object elsewhere; NULL: nothing. */
    const struct lc_plan_object *planned, *prior;
    const struct lc_plan_block *block;
} lc_plan_change;
typedef LC_VEC(lc_plan_change) lc_plan_changes;

/* An object of planned_values or prior_state. */
typedef struct lc_plan_object {
    const lc_node *node;
    lc_str address, deposed;
    lc_str module; /* of the module that it stands in */
    const lc_node *values, *sensitive_values;
    bool managed, tainted;
    const lc_plan_change *change; /* its entry, or NULL */
} lc_plan_object;

/* A resource block of the configuration. */
typedef struct lc_plan_block {
    const lc_node *node;
    lc_str address; /* without keys, from the root: module.m.data.a.b */
    lc_str provider_key;
    const lc_node *count, *for_each; /* expressions, or NULL */
} lc_plan_block;

/* An entry of output_changes. */
typedef struct lc_plan_output {
    lc_str name;
    uint64_t where;
    const lc_node *change;
    lc_plan_action action;
    const lc_node *before, *after, *after_unknown, *before_sensitive, *after_sensitive;
} lc_plan_output;

#define LC_PLAN_MODES(X)                                                                           \
    X(LC_PLAN_MODE_NOT_KNOWN, "")                                                                  \
    X(LC_PLAN_NORMAL, "normal")                                                                    \
    X(LC_PLAN_DESTROY, "destroy")                                                                  \
    X(LC_PLAN_REFRESH_ONLY, "refresh-only")
LC_ENUM(lc_plan_mode, LC_PLAN_MODES);

/* What the client was asked for. */
typedef struct lc_plan_options {
    lc_plan_mode mode;
    bool has_mode;    /* said, not inferred */
    bool has_replace; /* all that was asked for is in `replace` */
    const lc_str *replace;
    size_t replace_count;
    bool has_target; /* likewise of `target` and `exclude` */
    const lc_str *target;
    size_t target_count;
    const lc_str *exclude;
    size_t exclude_count;
    lc_fact refresh; /* NO: -refresh=false */
    lc_loc loc;
} lc_plan_options;

typedef struct lc_plan {
    const lc_source *source;
    const lc_lines *lines; /* made when first asked for */
    lc_arena *arena;
    const lc_node *root;
    lc_str format_version, version; /* of the client */
    bool by_terraform, by_opentofu; /* neither: cannot be told */
    lc_fact applyable, complete, errored;
    lc_plan_changes changes, drift, deferred; /* in order of the text */
    LC_VEC(lc_plan_output) outputs;
    LC_VEC(lc_plan_object) planned, prior;
    LC_VEC(lc_plan_block) blocks;
    bool has_planned, has_prior, has_configuration;
    const lc_node *planned_root, *planned_outputs, *prior_outputs; /* or NULL */
    const lc_node *provider_config, *root_module; /* of the configuration, or NULL */
    const lc_node *checks;
    /* address, or address, a space and the deposed key -> the first of its kind */
    lc_table by_address, deferred_by_address, planned_by_address, prior_by_address;
    lc_table drift_by_address;  /* likewise, but the last */
    lc_table blocks_by_address; /* configuration address -> lc_plan_block */
    lc_table calls; /* configuration address of a module -> the node of its module call */
} lc_plan;

/* Does a document look like a plan as JSON? */
bool lc_plan_is(const lc_node *root);
/* Read a plan. LC_EINPUT: it is no plan as JSON, reported. */
lc_status lc_plan_from_node(lc_plan *out, lc_arena *arena, const lc_source *source,
                            const lc_node *root, lc_diags *diags);
lc_loc lc_plan_loc(lc_plan *plan, const lc_node *node);
/* Is an object imported? NULL, no entry: no. */
static inline bool lc_plan_imports(const lc_plan_change *change)
{
    return change && change->importing && change->importing->kind == LC_NODE_MAPPING;
}
/* The key that the tables of a plan have for an object. */
lc_str lc_plan_key(lc_arena *arena, lc_str address, lc_str deposed);

/* What the plan itself tells of the options it was made with, where `options` does not say it. */
void lc_plan_infer(lc_plan_options *options, const lc_plan *plan);

#endif
