/* A plan as JSON (`show -json PLANFILE`): entries, value trees, configuration and flags, with
 * positions. Module plan. Source: values-and-wire 5.1 to 5.3, runs-and-providers 1.2 to 1.5 and
 * 1.8.
 *
 * Reading decodes no values and judges no rules: a member of the wrong kind counts as absent; what
 * that violates is up to the rules. Nodes and strings are borrowed from the source; everything else
 * is in the plan's arena. Reading visits every entry, every object of the trees and every block of
 * the configuration once; all other access is by address. */
#ifndef LIFECHECK_PLAN_PLAN_H
#define LIFECHECK_PLAN_PLAN_H

#include "lifecheck/base/table.h"
#include "lifecheck/configuration/address.h"
#include "lifecheck/contract/case.h"
#include "lifecheck/yaml_json/node.h"

/* The `actions` of an entry. UNKNOWN: not a list that one of the cores writes. */
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
const char *lc_plan_action_text(lc_plan_action action); /* e.g. `["delete","create"]` */
/* The action of such a list; LC_PLAN_UNKNOWN for any other node, and for NULL. */
lc_plan_action lc_plan_action_of(const lc_node *actions);
/* True for the four actions that end one object and create another. */
static inline bool lc_plan_action_replaces(lc_plan_action action)
{
    return action == LC_PLAN_DELETE_CREATE || action == LC_PLAN_CREATE_DELETE ||
           action == LC_PLAN_CREATE_FORGET || action == LC_PLAN_FORGET_CREATE;
}
/* True if the instance has no current object afterwards. */
static inline bool lc_plan_action_ends(lc_plan_action action) /* of the object, for good */
{
    return action == LC_PLAN_DELETE || action == LC_PLAN_FORGET;
}

/* Values of `action_reason`: why the core chose the action. Both cores use the same strings. */
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

/* NONE: no action_reason. UNKNOWN: a string that is not in the list. */
typedef enum lc_plan_reason {
    LC_PLAN_REASON_NONE,
#define LC_PLAN_REASON_ENUM(id, text) LC_PLAN_REASON_##id,
    LC_PLAN_REASONS(LC_PLAN_REASON_ENUM)
#undef LC_PLAN_REASON_ENUM
        LC_PLAN_REASON_UNKNOWN, /* another text */
} lc_plan_reason;
/* True if the reason is an instance key that the block does not have (any more). */
static inline bool lc_plan_reason_is_of_key(lc_plan_reason reason)
{
    return reason == LC_PLAN_REASON_DELETE_COUNT_INDEX ||
           reason == LC_PLAN_REASON_DELETE_EACH_KEY ||
           reason == LC_PLAN_REASON_DELETE_WRONG_REPETITION;
}
/* The same, or that `enabled` is false: the block's repetition does not produce the instance. */
static inline bool lc_plan_reason_is_of_repetition(lc_plan_reason reason)
{
    return lc_plan_reason_is_of_key(reason) || reason == LC_PLAN_REASON_DELETE_ENABLED_FALSE;
}
const char *lc_plan_reason_text(lc_plan_reason reason); /* "" for NONE and UNKNOWN */

/* An entry of resource_changes, resource_drift or deferred_changes. */
typedef struct lc_plan_change {
    const lc_node *node;
    const lc_node *change; /* its member `change`; NULL: absent */
    lc_str address;        /* as written in the entry */
    bool parses;           /* the address is a resource instance in canonical form */
    lc_address parsed;     /* `address`, if it parses */
    /* Name of a member that contradicts the address; NULL: none. */
    const char *differs;
    bool fits;      /* parses, and no member contradicts it */
    lc_str deposed; /* deposed key; "" for the current object */
    /* As in the entry; empty: absent. */
    lc_str previous_address, module_address, mode, type, name, provider_name;
    const lc_node *index; /* instance key as written; NULL: absent */
    lc_plan_action action;
    lc_plan_reason reason;
    lc_str reason_text; /* action_reason as written */
    lc_str deferred;    /* in deferred_changes: why it is deferred */
    /* Members of `change`; NULL: absent or null. */
    const lc_node *actions, *before, *after, *after_unknown, *before_sensitive, *after_sensitive;
    const lc_node *replace_paths, *importing, *generated_config, *before_identity, *after_identity;
    /* Positions of before and after, even if null; if absent: of the change. */
    uint64_t before_where, after_where;
    /* What the other parts of the plan have at the same address; NULL: nothing. */
    const struct lc_plan_object *planned, *prior;
    const struct lc_plan_block *block;
} lc_plan_change;
typedef LC_VEC(lc_plan_change) lc_plan_changes;

/* An object in planned_values or prior_state. */
typedef struct lc_plan_object {
    const lc_node *node;
    /* deposed: the deposed key, or "". */
    lc_str address, deposed;
    lc_str module; /* address of the module that contains it; "" is the root */
    /* NULL: absent. */
    const lc_node *values, *sensitive_values;
    bool managed, tainted;
    /* The object's entry in resource_changes; NULL: none. */
    const lc_plan_change *change;
} lc_plan_object;

/* A resource block in the printed configuration. */
typedef struct lc_plan_block {
    const lc_node *node;
    lc_str address; /* configuration address from the root: module.m.data.a.b */
    /* Key of an entry in `provider_config`; may be empty. */
    lc_str provider_key;
    /* `count_expression` and `for_each_expression`; NULL: none */
    const lc_node *count, *for_each;
} lc_plan_block;

/* An entry of output_changes. Members that are absent are NULL. */
typedef struct lc_plan_output {
    lc_str name;
    uint64_t where;        /* of the member in output_changes */
    const lc_node *change; /* the entry itself */
    lc_plan_action action;
    const lc_node *before, *after, *after_unknown, *before_sensitive, *after_sensitive;
} lc_plan_output;

/* The planning mode; NOT_KNOWN if neither the user nor the plan gives it. */
#define LC_PLAN_MODES(X)                                                                           \
    X(LC_PLAN_MODE_NOT_KNOWN, "")                                                                  \
    X(LC_PLAN_NORMAL, "normal")                                                                    \
    X(LC_PLAN_DESTROY, "destroy")                                                                  \
    X(LC_PLAN_REFRESH_ONLY, "refresh-only")
LC_ENUM(lc_plan_mode, LC_PLAN_MODES);

/* The options with which the plan was made, as far as they are known. */
typedef struct lc_plan_options {
    lc_plan_mode mode;
    bool has_mode;    /* the user gives the mode; else it is inferred */
    bool has_replace; /* `replace` is the complete list; else it is not known */
    /* -replace, as the user gives it. */
    const lc_str *replace;
    size_t replace_count;
    bool has_target; /* the same for `target` and `exclude` */
    /* -target and -exclude. */
    const lc_str *target;
    size_t target_count;
    const lc_str *exclude;
    size_t exclude_count;
    lc_fact refresh; /* LC_NO: -refresh=false */
    lc_loc loc;      /* where the options are given */
} lc_plan_options;

/* A whole plan. */
typedef struct lc_plan {
    const lc_source *source;
    const lc_lines *lines; /* line index; built on first use, see lc_plan_loc */
    lc_arena *arena;
    const lc_node *root;
    /* version: of the client (terraform_version) */
    lc_str format_version, version;
    /* Which client wrote it; neither: not known. */
    bool by_terraform, by_opentofu;
    /* LC_NOT_KNOWN: the flag is absent. */
    lc_fact applyable, complete, errored;
    lc_plan_changes changes, drift, deferred; /* in the order of the text */
    LC_VEC(lc_plan_output) outputs;
    /* The objects of planned_values and prior_state, in the order of the text. */
    LC_VEC(lc_plan_object) planned, prior;
    /* In the order of the text, callers before called modules. */
    LC_VEC(lc_plan_block) blocks;
    /* Whether planned_values, prior_state and configuration are there. */
    bool has_planned, has_prior, has_configuration;
    /* NULL: absent */
    const lc_node *planned_root, *planned_outputs, *prior_outputs;
    /* Parts of the configuration; NULL: absent. */
    const lc_node *provider_config, *root_module;
    const lc_node *checks; /* NULL: absent */
    /* Keys are those of lc_plan_key. If several objects have one key, the first one is found. */
    lc_table by_address, deferred_by_address, planned_by_address, prior_by_address;
    lc_table drift_by_address;  /* the same, but the last one is found */
    lc_table blocks_by_address; /* configuration address -> lc_plan_block * */
    /* Configuration address of a module -> lc_node * of its module call. */
    lc_table calls;
} lc_plan;

/* True if the document looks like a plan as JSON. */
bool lc_plan_is(const lc_node *root);
/* Reads a plan. LC_EINPUT: the document is not a plan as JSON; reported in `diags`. `source` and
 * `root` must live as long as the plan. */
lc_status lc_plan_from_node(lc_plan *out, lc_arena *arena, const lc_source *source,
                            const lc_node *root, lc_diags *diags);
/* The position of a node as file, line and column. */
lc_loc lc_plan_loc(lc_plan *plan, const lc_node *node);
/* True if the entry imports its object. NULL is allowed. */
static inline bool lc_plan_imports(const lc_plan_change *change)
{
    return change && change->importing && change->importing->kind == LC_NODE_MAPPING;
}
/* The key of an object in the plan's tables: its address, or address, space and deposed key. In the
 * arena only if there is a deposed key. */
lc_str lc_plan_key(lc_arena *arena, lc_str address, lc_str deposed);

/* Sets the mode that the plan itself implies, unless the user gives one (has_mode). */
void lc_plan_infer(lc_plan_options *options, const lc_plan *plan);

#endif
