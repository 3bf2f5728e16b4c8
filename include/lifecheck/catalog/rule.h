/* The rule catalogue. Module catalog. rule_ids.def lists the rules, the files in src/catalog/rules/
 * describe them. Everything that lists rules (explain, man page, SARIF, completion, "not checked")
 * is derived from these rows.
 *
 * A slug names one requirement and is never renamed or reused: policies and reports of users refer
 * to it. The call of a finding shows where the violation occurred. All strings are constants. */
#ifndef LIFECHECK_CATALOG_RULE_H
#define LIFECHECK_CATALOG_RULE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/enum.h"

/* The two cores (clients) whose verdicts we know. */
#define LC_CORES(X)                                                                                \
    X(LC_OPENTOFU, "opentofu")                                                                     \
    X(LC_TERRAFORM, "terraform")
LC_ENUM(lc_core, LC_CORES);
#define LC_CORE_COUNT LC_ENUM_COUNT(LC_CORES)
/* A set of cores, bits 1 << lc_core. */
typedef unsigned lc_cores;
#define LC_NO_CORE    0u
#define LC_OT         1u
#define LC_TF         2u
#define LC_BOTH_CORES 3u

/* Commits of the cores whose verdicts are mirrored, and their versions. */
#define LC_MIRRORED_OPENTOFU          "f831fa1aa4b9"
#define LC_MIRRORED_OPENTOFU_VERSION  "1.13.0-dev"
#define LC_MIRRORED_TERRAFORM         "883c7221ee2e"
#define LC_MIRRORED_TERRAFORM_VERSION "1.17.0-dev"

/* Whose behaviour counts where the cores and the document differ. */
#define LC_PROFILES(X)                                                                             \
    X(LC_PROFILE_DOCUMENT,                                                                         \
      "document") /* the lifecycle document's where it covers the case, else OpenTofu's */         \
    X(LC_PROFILE_OPENTOFU, "opentofu")                                                             \
    X(LC_PROFILE_TERRAFORM, "terraform")
LC_ENUM(lc_profile, LC_PROFILES);

/* What kind of call this is in the lifecycle of one object. The names are the keys of scenarios. */
#define LC_CALL_KINDS(X)                                                                           \
    X(LC_CALL_SCHEMA, "schema") /* not an RPC of the object: findings about its schema */          \
    X(LC_CALL_UPGRADE, "upgrade")                                                                  \
    X(LC_CALL_UPGRADE_IDENTITY, "upgrade_identity")                                                \
    X(LC_CALL_IMPORT, "import")                                                                    \
    X(LC_CALL_MOVE, "move")                                                                        \
    X(LC_CALL_READ, "read")                                                                        \
    X(LC_CALL_VALIDATE, "validate")                                                                \
    X(LC_CALL_PLAN, "plan")                                                                        \
    X(LC_CALL_PLAN_CREATE, "plan_create") /* the second plan call of a replace, prior null */      \
    X(LC_CALL_DESTROY_PLAN, "destroy_plan")                                                        \
    X(LC_CALL_FINAL_PLAN, "final_plan") /* the plan call of the apply phase */                     \
    X(LC_CALL_APPLY, "apply")                                                                      \
    X(LC_CALL_DESTROY, "destroy") /* apply of a delete or of a replace's delete leg */             \
    X(LC_CALL_REREAD, "reread")                                                                    \
    X(LC_CALL_DATA, "data")                                                                        \
    X(LC_CALL_OPEN, "open")                                                                        \
    X(LC_CALL_LIST, "list")                                                                        \
    X(LC_CALL_ACTION, "action")                                                                    \
    X(LC_CALL_FUNCTION, "function")                                                                \
    X(LC_CALL_STORE, "state_store") /* the calls of a state store, each with its own RPC */        \
    X(LC_CALL_RUN,                                                                                 \
      "run") /* no RPC: what a client planned for a whole configuration, or kept in its state */   \
    X(LC_CALL_PROVIDERS, "providers") /* no RPC: which provider instance is to do it */
LC_ENUM(lc_call_kind, LC_CALL_KINDS);
#define LC_CALL_KIND_COUNT LC_ENUM_COUNT(LC_CALL_KINDS)
#define LC_RPC_KIND_COUNT  20 /* the RPCs: the kinds before LC_CALL_RUN */
#define LC_CALL_BIT(kind)  (1u << (kind))
const char *lc_call_rpc(lc_call_kind kind);   /* "PlanResourceChange" */
const char *lc_call_phase(lc_call_kind kind); /* "plan", "apply", "refresh", "import" */
const char *lc_call_leg(lc_call_kind kind);   /* "main", "create", "destroy" */

/* Where a requirement is written down, strongest first. */
#define LC_STRENGTHS(X)                                                                            \
    X(LC_MUST, "must")             /* the lifecycle document has "must", or the equivalent */      \
    X(LC_SHOULD, "should")         /* the lifecycle document has "should" */                       \
    X(LC_CORE_RULE, "core")        /* a core enforces it, no document states it */                 \
    X(LC_CONVENTION, "convention") /* protocol comment or SDK check */                             \
    X(LC_SMELL, "smell")           /* heuristic */
LC_ENUM(lc_strength, LC_STRENGTHS);

/* Who violates the requirement: the provider, the client (core), or the author of the case or
 * recording. */
#define LC_BLAMES(X)                                                                               \
    X(LC_PROVIDER, "provider")                                                                     \
    X(LC_CLIENT, "client")                                                                         \
    X(LC_EVIDENCE, "evidence")
LC_ENUM(lc_blame, LC_BLAMES);

/* What a core does with a violation, in one call, weakest first. ERROR_UNLESS_LEGACY occurs in the
 * catalogue only; a finding has the effect that follows from the flag of its call. */
#define LC_EFFECTS(X)                                                                              \
    X(LC_EFFECT_NONE, "none")                                                                      \
    X(LC_EFFECT_LOGGED, "logged")                                                                  \
    X(LC_EFFECT_TOLERATED,                                                                         \
      "tolerated") /* an error that legacy_type_system turns into a log line */                    \
    X(LC_EFFECT_ERROR_OR_TOLERATED, "error-or-tolerated") /* the flag is not known */              \
    X(LC_EFFECT_ERROR, "error")                                                                    \
    X(LC_EFFECT_CRASH, "crash")                                                                    \
    X(LC_EFFECT_ERROR_UNLESS_LEGACY, "error-unless-legacy")
LC_ENUM(lc_effect, LC_EFFECTS);

/* Inputs that a rule needs, as bits 1 << lc_need. The names are the `needs` of the catalogue. */
#define LC_NEEDS(X)                                                                                \
    X(LC_NEED_ACTION, "action")                                                                    \
    X(LC_NEED_ACTION_EVENTS, "action.events")                                                      \
    X(LC_NEED_CALLS, "calls")                                                                      \
    X(LC_NEED_CAPABILITIES, "capabilities")                                                        \
    X(LC_NEED_CLOUD_CONTROL_DESIRED_STATE, "cloud_control.desired_state")                          \
    X(LC_NEED_CLOUD_CONTROL_PATCH, "cloud_control.patch")                                          \
    X(LC_NEED_CLOUD_CONTROL_CURRENT_STATE, "cloud_control.current_state")                          \
    X(LC_NEED_CLOUD_CONTROL_IDENTIFIERS, "cloud_control.identifiers")                              \
    X(LC_NEED_CONFIG, "config")                                                                    \
    X(LC_NEED_CONFIGURATION, "configuration")                                                      \
    X(LC_NEED_DATA_PLANNED, "data.planned")                                                        \
    X(LC_NEED_DATA_STATE, "data.state")                                                            \
    X(LC_NEED_DEFERRED, "deferred")                                                                \
    X(LC_NEED_DIAGNOSTICS, "diagnostics")                                                          \
    X(LC_NEED_FINAL_CONFIG, "final_config")                                                        \
    X(LC_NEED_FINAL_PLANNED_STATE, "final_planned_state")                                          \
    X(LC_NEED_FUNCTION_ARGUMENTS, "function.arguments")                                            \
    X(LC_NEED_FUNCTION_RESULT, "function.result")                                                  \
    X(LC_NEED_IDENTITY_SCHEMA, "identity_schema")                                                  \
    X(LC_NEED_IDENTITY, "identity")                                                                \
    X(LC_NEED_IMPORT_GENERATED_CONFIG, "import.generated_config")                                  \
    X(LC_NEED_IMPORT_IMPORTED, "import.imported")                                                  \
    X(LC_NEED_LEGACY_TYPE_SYSTEM, "legacy_type_system")                                            \
    X(LC_NEED_LIMIT, "limit") /* one of our own limits was reached */                              \
    X(LC_NEED_LIST_EVENTS, "list.events")                                                          \
    X(LC_NEED_LIST_KNOWN, "list.known")                                                            \
    X(LC_NEED_MOVE_SOURCE_STATE, "move.source_state")                                              \
    X(LC_NEED_MOVE_TARGET_STATE, "move.target_state")                                              \
    X(LC_NEED_NEW_STATE, "new_state")                                                              \
    X(LC_NEED_NEXT_STATE_FILE, "next_state")                                                       \
    X(LC_NEED_OPEN_RESULT, "open.result")                                                          \
    X(LC_NEED_OPERATION, "operation")                                                              \
    X(LC_NEED_OPTIONS, "options")                                                                  \
    X(LC_NEED_PLAN_FILE, "plan")                                                                   \
    X(LC_NEED_PLANNED_STATE, "planned_state")                                                      \
    X(LC_NEED_PREVIOUS_RUN_STATE, "previous_run_state")                                            \
    X(LC_NEED_PRIOR_IDENTITY, "prior_identity")                                                    \
    X(LC_NEED_PRIOR_STATE, "prior_state")                                                          \
    X(LC_NEED_PRIVATE, "private")                                                                  \
    X(LC_NEED_PROPOSED_NEW_STATE, "proposed_new_state")                                            \
    X(LC_NEED_PROVIDER_ANSWERS, "provider")                                                        \
    X(LC_NEED_READ_NEW_STATE, "read.new_state")                                                    \
    X(LC_NEED_REQUIRES_REPLACE, "requires_replace")                                                \
    X(LC_NEED_REREAD_NEW_STATE, "reread.new_state")                                                \
    X(LC_NEED_RESPONSE, "response")                                                                \
    X(LC_NEED_RPC_STATUS, "rpc_status")                                                            \
    X(LC_NEED_SCHEMA, "schema")                                                                    \
    X(LC_NEED_SCHEMAS, "schemas")                                                                  \
    X(LC_NEED_SEQUENCE, "sequence")                                                                \
    X(LC_NEED_STATE_FILE, "state")                                                                 \
    X(LC_NEED_STORE_BYTES, "state_store.bytes")                                                    \
    X(LC_NEED_STORE_CALLS, "state_store")                                                          \
    X(LC_NEED_UPGRADED_STATE, "upgraded_state")                                                    \
    X(LC_NEED_VALIDATE_DIAGNOSTICS, "validate.diagnostics")                                        \
    X(LC_NEED_VALIDATE_PREPARED_CONFIG, "validate.prepared_config")                                \
    X(LC_NEED_WIRE_BYTES, "wire_bytes")

LC_ENUM(lc_need, LC_NEEDS);
#define LC_NEED_COUNT LC_ENUM_COUNT(LC_NEEDS)

/* Features of a schema or case that a rule needs in order to apply at all, as bits. "..." repeats
 * the words of the line above. */
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

/* Rules, in the order of every listing. LC_RULE_COUNT also serves as "no rule". */
typedef enum lc_rule {
#define LC_RULE(id) LC_RULE_##id,
#include "lifecheck/catalog/rule_ids.def"
    LC_RULE_COUNT
} lc_rule;

/* What a core does with a violation of a rule. */
typedef struct lc_rule_effects {
    lc_str text;    /* `EFFECT (condition); ...; EFFECT`: the first condition that holds counts */
    lc_effect last; /* the last, unconditional effect */
} lc_rule_effects;

/* What a provider is built on. */
typedef enum lc_sdk { LC_SDK_FRAMEWORK, LC_SDK_SDKV2, LC_SDK_COUNT } lc_sdk;

/* One row of the catalogue; src/catalog/rules.def explains each member. */
typedef struct lc_rule_info {
    lc_str slug;
    lc_strength strength;
    lc_blame blame;
    /* LC_CALL_BIT bits of the calls in which it can be violated. */
    unsigned calls;
    uint64_t needs; /* 1 << lc_need */
    /* LC_IF_* bits, any of which suffices; 0: none is needed. */
    unsigned features;
    lc_str applies_when;
    lc_rule_effects effects[LC_CORE_COUNT];
    lc_str title;
    lc_str requirement; /* one to three sentences */
    /* What to change. Empty for SDKv2 where it is the same. Read by lc_rule_fix(). */
    lc_str fixes[LC_SDK_COUNT];
    /* At most 12 words of the document, or empty. */
    lc_str quote;
    /* Document and section of the quote. */
    lc_str clause;
    /* The function of the cores that enforces it, or "". */
    lc_str core_function;
    unsigned since; /* the version of the rules that brought it; 0: the first */
} lc_rule_info;

/* The row of a rule, a constant. `rule` must be below LC_RULE_COUNT. Rows are an array in the
 * order of rules. */
const lc_rule_info *lc_rule_get(lc_rule rule);
/* What to change in a provider that is built on `sdk`. */
lc_str lc_rule_fix(const lc_rule_info *rule, lc_sdk sdk);
/* Adds where the requirement comes from: the quoted sentence with its document, or who requires it.
 */
void lc_rule_add_source(lc_buf *out, const lc_rule_info *rule);

/* What a rule is about. A case is judged by the rules of one domain. */
#define LC_DOMAINS(X)                                                                              \
    X(LC_DOMAIN_LIFECYCLE, "lifecycle") /* one resource instance object, call by call */           \
    X(LC_DOMAIN_RUN, "run")             /* which action every object of a configuration gets */    \
    X(LC_DOMAIN_PROVIDERS, "providers") /* which provider instance does it */
LC_ENUM(lc_domain, LC_DOMAINS);
/* Which part of the contract it is about. */
lc_domain lc_rule_domain(lc_rule rule);
lc_str lc_rule_family(lc_rule rule);        /* the part of its slug before the slash */
unsigned lc_domain_rules(lc_domain domain); /* the number of rules of the domain */
#define LC_DOMAIN_COUNT LC_ENUM_COUNT(LC_DOMAINS)
/* False, with *out unchanged: there is no such rule. */
bool lc_rule_from_slug(lc_rule *out, lc_str slug);
/* Does the glob match the slug of any rule? */
bool lc_rule_any_matches(lc_str glob);
/* The slug that is nearest to a mistyped one, for suggestions; "" if none is near. */
lc_str lc_rule_nearest(lc_str slug);
/* Adds the message that no rule matches a glob, with the nearest slug or where all are listed. */
void lc_rule_add_unmatched(lc_buf *out, lc_str glob);

#endif
