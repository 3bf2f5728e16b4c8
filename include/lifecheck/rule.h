/* The rule catalogue. Module contract. The one list is src/catalog/rules.def; everything that
 * lists rules (explain, man page, SARIF, completion, "not checked") is derived from it.
 *
 * A slug names one promise and is never renamed or reused; the call says where it broke. */
#ifndef LIFECHECK_RULE_H
#define LIFECHECK_RULE_H

#include "lifecheck/str.h"

/* The two cores whose verdicts we know. */
typedef enum lc_core { LC_OPENTOFU, LC_TERRAFORM } lc_core;
#define LC_CORE_COUNT 2
/* A set of cores, bits 1 << lc_core. */
typedef unsigned lc_cores;
#define LC_NO_CORE    0u
#define LC_OT         1u
#define LC_TF         2u
#define LC_BOTH_CORES 3u
const char *lc_core_name(lc_core core); /* "opentofu", "terraform" */

/* What kind of call this is in the lifecycle of one object; the names are those of scenarios. */
typedef enum lc_call_kind {
    LC_CALL_SCHEMA, /* not an RPC of the object: findings about its schema */
    LC_CALL_UPGRADE,
    LC_CALL_UPGRADE_IDENTITY,
    LC_CALL_IMPORT,
    LC_CALL_MOVE,
    LC_CALL_READ,
    LC_CALL_VALIDATE,
    LC_CALL_PLAN,
    LC_CALL_PLAN_CREATE, /* the second plan call of a replace, prior null */
    LC_CALL_DESTROY_PLAN,
    LC_CALL_FINAL_PLAN, /* the plan call of the apply phase */
    LC_CALL_APPLY,
    LC_CALL_DESTROY, /* apply of a delete or of a replace's delete leg */
    LC_CALL_REREAD,
    LC_CALL_DATA,
    LC_CALL_OPEN,
    LC_CALL_LIST,
    LC_CALL_ACTION,
    /* No RPC: what a client planned for a whole configuration, or kept in its state; and which
     * provider instance is to do it. */
    LC_CALL_RUN,
    LC_CALL_PROVIDERS,
} lc_call_kind;
#define LC_CALL_KIND_COUNT 20
#define LC_RPC_KIND_COUNT  18 /* the kinds before LC_CALL_RUN */
#define LC_CALL_BIT(kind)  (1u << (kind))
const char *lc_call_kind_name(lc_call_kind kind); /* "plan_create" */
bool lc_call_kind_from_name(lc_call_kind *out, lc_str name);
const char *lc_call_rpc(lc_call_kind kind);   /* "PlanResourceChange" */
const char *lc_call_phase(lc_call_kind kind); /* "plan", "apply", "refresh", "import" */
const char *lc_call_leg(lc_call_kind kind);   /* "main", "create", "destroy" */

typedef enum lc_strength {
    LC_MUST,       /* the lifecycle document says must, or as much */
    LC_SHOULD,     /* the lifecycle document says should */
    LC_CORE_RULE,  /* a core enforces it, no document states it */
    LC_CONVENTION, /* protocol comment or SDK check */
    LC_SMELL,      /* heuristic */
} lc_strength;
const char *lc_strength_name(lc_strength strength);

typedef enum lc_blame { LC_PROVIDER, LC_CLIENT, LC_EVIDENCE } lc_blame;
const char *lc_blame_name(lc_blame blame);

/* What a core does with a violation, in one call. ERROR_UNLESS_LEGACY occurs in the catalogue
 * only; a finding has what it comes to in its call. */
typedef enum lc_effect {
    LC_EFFECT_NONE,
    LC_EFFECT_LOGGED,
    LC_EFFECT_TOLERATED,          /* an error that legacy_type_system turns into a log line */
    LC_EFFECT_ERROR_OR_TOLERATED, /* the flag is not known */
    LC_EFFECT_ERROR,
    LC_EFFECT_CRASH,
    LC_EFFECT_ERROR_UNLESS_LEGACY,
} lc_effect;
const char *lc_effect_name(lc_effect effect);
bool lc_effect_from_name(lc_effect *out, lc_str name);

/* Inputs a rule needs, bits. The names are the `needs` of the catalogue. */
#define LC_NEEDS(NEED)                                                                             \
    NEED(ACTION, "action")                                                                         \
    NEED(ACTION_EVENTS, "action.events")                                                           \
    NEED(CALLS, "calls")                                                                           \
    NEED(CAPABILITIES, "capabilities")                                                             \
    NEED(CLOUD_CONTROL_DESIRED_STATE, "cloud_control.desired_state")                               \
    NEED(CLOUD_CONTROL_PATCH, "cloud_control.patch")                                               \
    NEED(CLOUD_CONTROL_CURRENT_STATE, "cloud_control.current_state")                               \
    NEED(CLOUD_CONTROL_IDENTIFIERS, "cloud_control.identifiers")                                   \
    NEED(CONFIG, "config")                                                                         \
    NEED(CONFIGURATION, "configuration")                                                           \
    NEED(DATA_PLANNED, "data.planned")                                                             \
    NEED(DATA_STATE, "data.state")                                                                 \
    NEED(DEFERRED, "deferred")                                                                     \
    NEED(DIAGNOSTICS, "diagnostics")                                                               \
    NEED(FINAL_CONFIG, "final_config")                                                             \
    NEED(FINAL_PLANNED_STATE, "final_planned_state")                                               \
    NEED(IDENTITY, "identity")                                                                     \
    NEED(IMPORT_GENERATED_CONFIG, "import.generated_config")                                       \
    NEED(IMPORT_IMPORTED, "import.imported")                                                       \
    NEED(LEGACY_TYPE_SYSTEM, "legacy_type_system")                                                 \
    NEED(LIMIT, "limit") /* of our own: it was reached */                                          \
    NEED(MOVE_SOURCE_STATE, "move.source_state")                                                   \
    NEED(MOVE_TARGET_STATE, "move.target_state")                                                   \
    NEED(NEW_STATE, "new_state")                                                                   \
    NEED(NEXT_STATE_FILE, "next_state")                                                            \
    NEED(OPEN_RESULT, "open.result")                                                               \
    NEED(OPERATION, "operation")                                                                   \
    NEED(OPTIONS, "options")                                                                       \
    NEED(PLAN_FILE, "plan")                                                                        \
    NEED(PLANNED_STATE, "planned_state")                                                           \
    NEED(PREVIOUS_RUN_STATE, "previous_run_state")                                                 \
    NEED(PRIOR_IDENTITY, "prior_identity")                                                         \
    NEED(PRIOR_STATE, "prior_state")                                                               \
    NEED(PRIVATE, "private")                                                                       \
    NEED(PROPOSED_NEW_STATE, "proposed_new_state")                                                 \
    NEED(PROVIDER_ANSWERS, "provider")                                                             \
    NEED(READ_NEW_STATE, "read.new_state")                                                         \
    NEED(REQUIRES_REPLACE, "requires_replace")                                                     \
    NEED(REREAD_NEW_STATE, "reread.new_state")                                                     \
    NEED(RESPONSE, "response")                                                                     \
    NEED(RPC_STATUS, "rpc_status")                                                                 \
    NEED(SCHEMA, "schema")                                                                         \
    NEED(SCHEMAS, "schemas")                                                                       \
    NEED(SEQUENCE, "sequence")                                                                     \
    NEED(STATE_FILE, "state")                                                                      \
    NEED(UPGRADED_STATE, "upgraded_state")                                                         \
    NEED(VALIDATE_DIAGNOSTICS, "validate.diagnostics")                                             \
    NEED(VALIDATE_PREPARED_CONFIG, "validate.prepared_config")                                     \
    NEED(WIRE_BYTES, "wire_bytes")

typedef enum lc_need {
#define LC_NEED_ENUM(id, name) LC_NEED_##id,
    LC_NEEDS(LC_NEED_ENUM)
#undef LC_NEED_ENUM
        LC_NEED_COUNT
} lc_need;
const char *lc_need_name(lc_need need);

/* Features of a schema or case that a rule needs in order to apply at all, bits. */
enum {
    LC_IF_ATTRIBUTE = 1 << 0, /* schema has an attribute */
    LC_IF_NESTED = 1 << 1,    /* ... a nested attribute */
    LC_IF_NESTED_LIST_MAP = 1 << 2,
    LC_IF_NESTED_MAP = 1 << 3,
    LC_IF_NESTED_SET = 1 << 4,
    LC_IF_BLOCK = 1 << 5,
    LC_IF_SINGLE_BLOCK = 1 << 6,
    LC_IF_GROUP_BLOCK = 1 << 7,
    LC_IF_LIST_BLOCK = 1 << 8,
    LC_IF_SET_BLOCK = 1 << 9,
    LC_IF_MAP_BLOCK = 1 << 10,
    LC_IF_COMPUTED_BLOCK = 1 << 11,
    LC_IF_DYNAMIC = 1 << 12,          /* a dynamic attribute */
    LC_IF_SET_VALUE = 1 << 13,        /* an attribute with a set in its type */
    LC_IF_COLLECTION_VALUE = 1 << 14, /* ... a list, map or tuple, or dynamic */
    LC_IF_WRITE_ONLY = 1 << 15,
    LC_IF_REQUIRED = 1 << 16,
    LC_IF_MIN_ITEMS = 1 << 17,
    LC_IF_MAX_ITEMS = 1 << 18,
    LC_IF_OPTIONAL_COMPUTED = 1 << 19,
    LC_IF_NESTED_DYNAMIC = 1 << 20, /* a nested collection that holds dynamic, or map(dynamic) */
    LC_IF_IDENTITY = 1 << 21,
    LC_IF_DEPRECATION = 1 << 22,
    LC_IF_FUNCTIONS = 1 << 23,
    LC_IF_CLOUDFORMATION = 1 << 24,      /* its CloudFormation resource type is known */
    LC_IF_NESTED_SENSITIVE = 1 << 26,    /* a nested collection with a sensitive attribute inside */
    LC_IF_CLOUDFORMATION_LIST = 1 << 25, /* a data source that lists objects of such a type */
};

typedef enum lc_rule {
#define LC_RULE(id, slug, strength, blame, calls, needs, features, ...) LC_RULE_##id,
#include "catalog/rules.def"
#undef LC_RULE
    LC_RULE_COUNT
} lc_rule;

typedef struct lc_rule_info {
    lc_str slug;
    lc_strength strength;
    lc_blame blame;
    unsigned calls;    /* LC_CALL_BIT; all bits for "any" */
    uint64_t needs;    /* 1 << lc_need */
    unsigned features; /* any of these bits suffices; 0: none needed */
    bool judged;       /* false: read and counted as not checked by this version */
    lc_str applies_when;
    lc_str effects[LC_CORE_COUNT];   /* `EFFECT (condition); ...; EFFECT` as text */
    lc_effect effect[LC_CORE_COUNT]; /* the last, unconditional one */
    lc_str title;
    lc_str promise;       /* one to three sentences */
    lc_str fix_framework; /* what to change with terraform-plugin-framework */
    lc_str fix_sdkv2;
    lc_str quote;         /* at most 12 words of the document, or empty */
    lc_str clause;        /* document and section of the quote */
    lc_str core_function; /* what it mirrors in the cores, or "" */
} lc_rule_info;

const lc_rule_info *lc_rule_get(lc_rule rule);

/* What a rule is about. A case is judged by the rules of one domain. */
typedef enum lc_domain {
    LC_DOMAIN_LIFECYCLE, /* one resource instance object, call by call */
    LC_DOMAIN_RUN,       /* which action every object of a configuration gets */
    LC_DOMAIN_PROVIDERS, /* which provider instance does it */
} lc_domain;
lc_domain lc_rule_domain(lc_rule rule);
unsigned lc_domain_rules(lc_domain domain);   /* how many */
const char *lc_domain_name(lc_domain domain); /* "lifecycle", "run", "providers" */
#define LC_DOMAIN_COUNT 3
bool lc_rule_from_slug(lc_rule *out, lc_str slug);
/* The slug nearest to a mistyped one, or "". */
lc_str lc_rule_nearest(lc_str slug);

#endif
