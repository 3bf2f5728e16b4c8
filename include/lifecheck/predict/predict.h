/* Prediction: from a configuration, the objects of the previous state, plan options and the answers
 * of providers to the action of every resource instance object, with a reason. Module predict. No
 * I/O. Source: the document about planning behaviours; runs-and-providers section 2 with its
 * findings, which were recorded from both clients.
 *
 * What depends on something that cannot be determined is left open, and nothing else is: a change
 * has its likely action and the set of all possible ones. */
#ifndef LIFECHECK_PREDICT_PREDICT_H
#define LIFECHECK_PREDICT_PREDICT_H

#include "lifecheck/base/enum.h"
#include "lifecheck/configuration/configuration.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/plan/plan.h"
#include "lifecheck/plan/state.h"
#include "lifecheck/predict/learned.h"

/* A set of actions, as bits. */
#define LC_PLAN_BIT(action) (1u << (action))
#define LC_PLAN_REPLACES                                                                           \
    (LC_PLAN_BIT(LC_PLAN_DELETE_CREATE) | LC_PLAN_BIT(LC_PLAN_CREATE_DELETE) |                     \
     LC_PLAN_BIT(LC_PLAN_FORGET_CREATE) | LC_PLAN_BIT(LC_PLAN_CREATE_FORGET))

/* The actions of a set in words, such as `["no-op"] or ["update"]`; in the arena. */
lc_str lc_plan_action_words(lc_arena *arena, unsigned possible);

/* Actions by which policies and expectations name sets, such as `replace` (any of the four) or
 * `destroy` (a delete, alone or in a replace). */
typedef struct lc_plan_action_name {
    const char *name;
    unsigned actions;
} lc_plan_action_name;
extern const lc_plan_action_name lc_plan_action_names[]; /* ends with a NULL name */
/* Reads one name. False: there is none like it. */
bool lc_plan_action_set(unsigned *out, lc_str name);
/* In addition to actions: the configuration sets something otherwise than it is stored, whatever
 * follows from that. Only policies name it: `configured`. */
#define LC_PLAN_CONFIGURED (1u << 31)
/* Reads names separated by commas, `configured` among them. False: *wrong is the first one that is
 * none, perhaps empty. */
bool lc_plan_action_sets(unsigned *out, lc_str names, lc_str *wrong);
/* What happens to an object, as words such as `replaced or deleted`; in the arena. */
lc_str lc_plan_action_fates(lc_arena *arena, unsigned actions);

/* ---- Input. Everything is borrowed, and must outlive the prediction. */

/* The planning mode, and addresses of options. */
typedef enum lc_run_mode { LC_RUN_NORMAL, LC_RUN_DESTROY, LC_RUN_REFRESH_ONLY } lc_run_mode;

/* Addresses in the order in which they are given. */
typedef struct lc_address_list {
    LC_VEC(lc_address) list;
} lc_address_list;

/* The plan options. */
typedef struct lc_run_options {
    lc_run_mode mode;
    bool no_refresh; /* -refresh=false */
    /* -replace, -target, -exclude */
    lc_address_list replace, targets, excludes;
} lc_run_options;

/* An object of the previous state. */
typedef struct lc_run_prior {
    lc_address address; /* of the resource instance */
    lc_str deposed;     /* deposed key; "" for the current object */
    /* As stored; false: not stored. */
    bool tainted, create_before_destroy, skip_destroy;
    lc_address_list dependencies; /* configuration addresses, without keys */
    /* It is shown as plain JSON, where values of dynamic types have lost their types. */
    bool shown;
    int64_t schema_version; /* as stored; 0: not known */
    lc_str provider;        /* provider["registry.x/y/z"].alias as stored, or empty */
    lc_loc loc;             /* position in the state or plan */
    const void *origin;     /* for the callbacks of lc_run_provider */
    /* The state file that it is from, whose lc_state_object `origin` is; NULL: none. */
    const lc_state_file *state;
} lc_run_prior;

/* What a client says when it cannot read a state, so that it makes no plan. */
typedef struct lc_run_refusal {
    lc_str summary;
    lc_loc loc;
} lc_run_refusal;

/* Objects in any order. */
typedef struct lc_run_priors {
    LC_VEC(lc_run_prior) list;
    LC_VEC(lc_run_refusal) refusals;
} lc_run_priors;

/* An output value of the previous state. */
typedef struct lc_run_prior_output {
    lc_str name;
    const lc_value *value; /* NULL: not known */
    bool sensitive;        /* as stored */
} lc_run_prior_output;

/* A provider configuration as the client evaluates it: one process of the provider serves each. */
typedef struct lc_run_settings {
    lc_str key;      /* its address, with the key of the instance */
    lc_str provider; /* source address */
    lc_str name;     /* local name and alias, such as aws.west */
    lc_marked value; /* by the provider's schema; value NULL: it cannot be determined */
    lc_str open_because;
} lc_run_settings;

/* What was asked of one provider configuration. Names of arguments, never values. */
typedef struct lc_run_asked {
    lc_str provider, version, name; /* source address; "" if not known; such as aws.west */
    bool used;                      /* it was configured, and answers */
    bool online;                    /* it may use the network */
    lc_str why;                     /* why it is not used; or empty */
    /* Arguments whose value was replaced by a generated one, and those that were left out. */
    const lc_str *invented, *left_out;
    size_t invented_count, left_out_count;
    uint64_t calls;
    unsigned died; /* processes that did not answer, and were ended */
} lc_run_asked;

/* Summary and detail of an error diagnostic of a provider. The detail may quote values. */
typedef struct lc_run_diagnostic {
    lc_str summary, detail;
} lc_run_diagnostic;

/* The kind of schema that resources of this mode have. */
static inline lc_schema_kind lc_resource_mode_kind(lc_resource_mode mode)
{
    return mode == LC_MODE_DATA        ? LC_KIND_DATA
           : mode == LC_MODE_EPHEMERAL ? LC_KIND_EPHEMERAL
                                       : LC_KIND_RESOURCE;
}

/* A request to a provider, and its response. The first members are set by the caller. */
typedef struct lc_run_question {
    lc_arena *arena;
    lc_address address;
    lc_str text;             /* text of `address` */
    lc_str deposed;          /* for read: the deposed key */
    const lc_schema *schema; /* NULL: not known, for read only */
    /* For plan and read: prior state; null for a create. */
    const lc_value *prior;
    const lc_value *config;   /* for plan and data: the configuration */
    const lc_value *proposed; /* for plan: the proposed new state */
    const lc_value *id;       /* for import: the id, a string */
    /* The provider configuration of the object; NULL: it was not determined. */
    const lc_run_settings *settings;
    /* For plan: the configuration before changes were ignored, which is validated first; value
     * NULL: it was validated before. */
    const lc_value *written;
    /* For plan and data: `config` is validated, and nothing else; `written` is NULL. */
    bool only_validated;
    /* For plan: what `prior` was stored as, with its private data; NULL: that is `private_data`,
     * which in any case is the planned private data afterwards. */
    const lc_run_prior *stored;
    lc_str private_data;
    bool again; /* for plan: the second one of a replace, with a null prior state */
    /* For plan: the ignored paths, as a run has them, or NULL; and sensitive places. */
    const lc_run *ignored;
    const lc_path *sensitive;
    size_t sensitive_count;

    bool known;                    /* false: the response cannot be determined */
    lc_str open_because;           /* why not; or empty */
    bool gone;                     /* for read and import: there is no such object */
    const lc_value *out;           /* the object; for plan: the planned new state */
    const lc_marks *marks;         /* for data: of the parts of `out` that may not be shown */
    lc_path_list requires_replace; /* for plan: paths in the object */
    /* An assumption, no provider was asked. For plan: it may also require a replace; for data: the
     * source is taken to read what the state holds. */
    bool assumed;
    lc_str error;     /* summary of a diagnostic of the provider, or empty */
    lc_str error_too; /* a second one that only OpenTofu prints, or empty */
    /* All error diagnostics of a provider that was asked, `error` among them. */
    LC_VEC(lc_run_diagnostic) errors;
    bool invalid;       /* for plan and data: the errors are those of the validation */
    bool legacy;        /* for plan: the provider has a legacy type system */
    lc_str answered_by; /* the provider that was asked; or empty */
} lc_run_question;

/* The provider's side. Each callback may be NULL: then its response is not known, except that a
 * missing `read` leaves the object as it is. Values returned must live in the given arena or
 * longer. */
typedef struct lc_run_provider {
    void *context;
    /* Are providers asked? Then provider configurations are evaluated for them. */
    bool asks;
    /* The schema of a type, or with LC_KIND_PROVIDER and an empty type that of the provider's
     * configuration; NULL: not known. `provider` is its source address. */
    const lc_schema *(*schema)(void *context, lc_schema_kind kind, lc_str provider, lc_str type);
    /* Decodes a stored object with the schema, and gives its sensitive paths. `settings`: of the
     * provider configuration that it has now; NULL: not determined. False: not possible; then
     * *error is the summary with which the client stops, or empty. */
    bool (*stored)(void *context, lc_arena *arena, const lc_run_prior *prior,
                   const lc_schema *schema, const lc_run_settings *settings, const lc_value **out,
                   lc_path_list *sensitive, lc_str *error);
    /* ReadResource, PlanResourceChange, ImportResourceState and ReadDataSource or, for ephemeral
     * resources, OpenEphemeralResource (data): they read the first members of the question and set
     * the others. */
    void (*read)(void *context, lc_run_question *ask);
    void (*plan)(void *context, lc_run_question *ask);
    void (*import)(void *context, lc_run_question *ask);
    void (*data)(void *context, lc_run_question *ask);
    /* The MoveResourceState RPC: converts an object to another resource type. False: not known, or
     * refused; then *error is the summary with which the client stops, otherwise empty. */
    bool (*move)(void *context, lc_arena *arena, const lc_run_prior *prior, lc_str type,
                 const lc_schema *schema, const lc_value **out, lc_str *error);
    /* Are all types of that provider (its source address) known, and this one is not among them?
     * NULL: never. */
    bool (*lacks)(void *context, lc_resource_mode mode, lc_str provider, lc_str type);
    /* A function of a provider, by its source address. NULL: results are not known. */
    void (*function)(void *context, lc_str provider, lc_provider_call *call);
    /* All is asked about the object that was asked about last, while the arena of its questions
     * still holds the answers. NULL: not needed. */
    void (*ended)(void *context);
    /* What was asked so far, in the order of the first use; in the arena. NULL: nothing is. */
    const lc_run_asked *(*asked)(void *context, lc_arena *arena, size_t *count);
} lc_run_provider;

/* The schema of a declared resource; NULL: not known. */
const lc_schema *lc_run_schema(const lc_run_provider *provider, const lc_configuration *config,
                               const lc_config_resource *resource);

/* ---- Types whose behaviour is known, so that no one has to state it: terraform_data and
 * terraform_remote_state of the provider that is built into both clients, and null_resource of
 * hashicorp/null. Source: these providers. */

typedef struct lc_known_types lc_known_types;
/* The known types in a configuration, without those for which it names another provider. In the
 * arena; borrows the configuration, whose files hold the states that are read. */
lc_known_types *lc_known_types_new(lc_arena *arena, const lc_configuration *config);
/* The schema of a known type; NULL: it is not known. */
const lc_schema *lc_known_schema(lc_known_types *known, lc_resource_mode mode, lc_str type);
/* Is it the provider that is built into both clients, which has no such type? */
bool lc_known_lacks(lc_resource_mode mode, lc_str provider, lc_str type);
/* Answers of a known type. The question's schema is the one above, or that of a schema document.
 * False: not a known type, or described otherwise there; the question is as it was. */
bool lc_known_plan(lc_known_types *known, lc_run_question *ask);
bool lc_known_import(lc_known_types *known, lc_run_question *ask);
bool lc_known_read_data(lc_known_types *known, lc_run_question *ask);

/* The type that an object gets, and how stored objects are decoded. */
typedef struct lc_run_move {
    lc_str type;
    const lc_schema *schema;
    void *context; /* of `stored` */
    bool (*stored)(void *context, lc_arena *arena, const lc_run_prior *prior,
                   const lc_schema *schema, const lc_run_settings *settings, const lc_value **out,
                   lc_path_list *sensitive, lc_str *error);
} lc_run_move;
/* A stored null_resource as terraform_data. False: another move, or refused; then *error is the
 * summary, otherwise empty. */
bool lc_known_move(lc_known_types *known, lc_arena *arena, const lc_run_prior *prior,
                   const lc_run_move *move, const lc_value **out, lc_str *error);

/* An input variable of the root module. */
typedef struct lc_run_variable {
    lc_str name;
    const lc_value *value; /* not yet converted to the declared type */
} lc_run_variable;

/* Everything that a prediction is made from. */
typedef struct lc_run_input {
    /* Its profile decides which client is predicted. */
    const lc_configuration *config;
    const lc_run_priors *priors;        /* NULL: none */
    const lc_state_file *state;         /* that they are from; NULL: none */
    const lc_run_prior_output *outputs; /* of the previous state */
    size_t output_count;
    lc_run_options options;
    /* Given by the user; others have their defaults. */
    const lc_run_variable *variables;
    size_t variable_count;
    lc_run_provider provider;
    const lc_learned *learned; /* what was seen of types; NULL: nothing */
    bool trust_learned;        /* it holds for every object */
    bool fresh_data;           /* what the provider assumes of data sources is not known */
    lc_str workspace;          /* empty: not known */
    /* The plan from which `config` was read, if nothing else is known; or NULL. */
    const lc_plan *plan;
    /* A plan that was made of the configuration, whose instance keys may be shown; or NULL. */
    const lc_plan *made;
} lc_run_input;

/* What a provider of which nothing else is known usually plans: the proposed new state, where the
 * Computed attributes of a new object are unknown, and without write-only values. */
const lc_value *lc_run_as_proposed(const lc_run_question *ask);

/* Appends an object with default attributes. Valid until the next one is appended. */
lc_run_prior *lc_run_add_prior(lc_run_priors *out, lc_arena *arena, const lc_address *address,
                               lc_str deposed, const void *origin);
/* Appends the objects of a state file that the client accepts. Terraform skips a resource whose
 * provider it cannot parse; OpenTofu stops: *refused is its error text then, otherwise empty. */
void lc_run_priors_from_state(lc_run_priors *out, lc_arena *arena, const lc_state_file *state,
                              lc_core core, lc_str *refused);
/* The callback `stored` for objects of a state file; prior->origin is the lc_state_object. */
bool lc_run_stored_in_state(void *context, lc_arena *arena, const lc_run_prior *prior,
                            const lc_schema *schema, const lc_run_settings *settings,
                            const lc_value **out, lc_path_list *sensitive, lc_str *error);
/* Appends the sensitive paths of an object of a state file. */
void lc_run_stored_sensitive(lc_path_list *out, lc_arena *arena, const lc_run_prior *prior,
                             const lc_schema *schema);
/* For a plan alone: appends the managed objects of its prior state as they were before this plan's
 * imports, under their addresses before its moves. The plan does not contain their providers and
 * lifecycle settings. */
void lc_run_priors_from_plan(lc_run_priors *out, lc_arena *arena, lc_plan *plan);
/* The callback `stored` for these; prior->origin is the lc_plan_object. */
bool lc_run_stored_in_plan(void *context, lc_arena *arena, const lc_run_prior *prior,
                           const lc_schema *schema, const lc_run_settings *settings,
                           const lc_value **out, lc_path_list *sensitive, lc_str *error);
/* The outputs of a state file, in the arena. */
const lc_run_prior_output *lc_run_outputs_from_state(size_t *count, lc_arena *arena,
                                                     const lc_state_file *state);

/* ---- Output. Everything is in the arena passed to lc_run_predict, or borrowed from its input. */

/* What kind of setting caused an action: the default behaviour, a setting in the configuration, the
 * provider's answer, or an option of a single run. */
#define LC_BEHAVIORS(X)                                                                            \
    X(LC_BEHAVIOR_DEFAULT, "default")                                                              \
    X(LC_BEHAVIOR_CONFIGURATION, "configuration")                                                  \
    X(LC_BEHAVIOR_PROVIDER, "provider")                                                            \
    X(LC_BEHAVIOR_SINGLE_RUN, "single-run")
LC_ENUM(lc_behavior, LC_BEHAVIORS);

/* Why something is so. */
typedef struct lc_why {
    lc_behavior behavior;
    /* e.g. "lifecycle.create_before_destroy" or "-replace"; or empty */
    lc_str setting;
    lc_loc loc;  /* position of the setting */
    lc_str text; /* one sentence without a period */
} lc_why;

/* Reasons of which other things may say all. */
#define LC_WHY_NEW     "it is declared, and has no object yet"
#define LC_WHY_SAME    "nothing differs"
#define LC_WHY_CHANGED "the object differs from the configuration"
#define LC_WHY_OPEN    "whether it changes, and how, is not known"

/* A copy in the arena; NULL if there is no string. */
const lc_why *lc_why_copy(lc_arena *arena, const lc_why *why);

/* How one attribute contributes to a change. */
#define LC_CAUSES(X)                                                                               \
    X(LC_CAUSE_CHANGED, "changes")                                                                 \
    X(LC_CAUSE_ADDED, "is added")                                                                  \
    X(LC_CAUSE_REMOVED, "is removed")                                                              \
    X(LC_CAUSE_UNKNOWN, "is known after apply")                                                    \
    X(LC_CAUSE_SENSITIVITY, "changes in sensitivity")
LC_ENUM(lc_cause_kind, LC_CAUSES);

#define LC_MAX_REFERS 4

/* An attribute that makes an object change, and where its new value comes from. Strings contain no
 * values, and no keys below sensitive ones. */
typedef struct lc_run_cause {
    lc_cause_kind kind;
    lc_str path;   /* such as `tags.Name`; of steps below */
    lc_path steps; /* attribute and index steps */
    bool forces;   /* it requires the replace */
    bool set;      /* the configuration sets it; otherwise the provider computes it */
    bool drifted;  /* the object was changed elsewhere since the last run */
    lc_loc loc;    /* of the expression that sets it; line 0: not known */
    /* The only thing that the expression refers to and that may have changed it, as written, such
     * as `demo_disk.a.id`; its object as an index into `changes`, or -1. Empty: none is certain. */
    lc_str through;
    long up;
    lc_str input; /* a variable of the root module that the value comes from; empty: none */
    /* If neither is certain: the references of the expression that decides the value, as written,
     * at most LC_MAX_REFERS; and how many more. */
    const lc_str *refers;
    size_t refer_count, refers_left;
} lc_run_cause;

/* Paths of one object, in its arena. */
typedef struct lc_run_paths {
    const lc_path *items;
    size_t count;
} lc_run_paths;

/* The predicted change of one object. */
typedef struct lc_run_change {
    lc_address address;
    lc_str text;     /* text of `address`, with tokens instead of keys that may not be shown */
    lc_str deposed;  /* deposed key; "" for the current object */
    lc_str previous; /* address before moves, or empty */
    lc_loc place;    /* of the block that declares it; line 0: none, or not known */
    lc_plan_action action;
    /* LC_PLAN_BIT of all possible actions, including `action` */
    unsigned possible;
    lc_plan_reason reason;
    /* Bits of the possible reasons, `reason` among them. 0: that one; from a plan alone: any. */
    unsigned reasons;
    /* From a plan alone: the object is declared regardless of what the plan says. */
    bool sure;
    const lc_path *replace_paths;
    /* Strings of replace_paths, with keys below sensitive values redacted. */
    const lc_str *replace_texts;
    size_t replace_path_count;
    bool importing;
    lc_why why;
    const lc_why *order;    /* why a replace has its order; NULL: not a replace */
    const lc_why *moved;    /* what moved the object, or NULL */
    const lc_why *prevents; /* what stops the client at some of the possible actions, or NULL */
    const lc_value *after;  /* NULL: not known, or none */
    const lc_value *before; /* NULL also if no trigger compares it */
    /* Sensitive paths of both, without those by schema; given where a trigger compares them. */
    lc_run_paths sensitive_before, sensitive_after;
    /* Why several actions are possible, or NULL; and where that is. */
    const lc_undecided *undecided;
    lc_loc undecided_at;
    /* The planned state is an assumption: the provider may also require a replace. */
    bool assumed;
    /* The provider that was asked and whose answer decides, with its version; or empty. */
    lc_str answered_by;
    /* What was learned of the type and makes `action` likely, or with trust_learned certain; or
     * NULL. Contested: the opposite was seen as well. */
    const lc_learned_fact *learned;
    bool contested;
    bool create_first; /* effective create_before_destroy */
    /* A data source that it needs, and that is taken to read what the state holds; or empty. */
    lc_str rests_on;
    /* The dependent that would force it if options did not exclude it; or empty. */
    lc_str forced_outside;
    const lc_run_prior *prior;        /* NULL: none */
    const lc_config_resource *config; /* NULL: not declared */
    /* Of an open object: whether the configuration sets something otherwise than it is stored. */
    lc_tri configured;
    /* The attributes that make it change, those that force a replace first, or of an open object
     * those that the configuration sets otherwise; and how many more. */
    const lc_run_cause *causes;
    size_t cause_count, causes_left;
    long trigger; /* the object whose change triggers this replace, as `up` above */
} lc_run_change;

/* The predicted change of a root module output. */
typedef struct lc_run_output {
    lc_str name;
    const lc_value *after; /* NULL: not known, or deleted */
    lc_plan_action action;
    unsigned possible;
    const lc_undecided *undecided; /* why several actions are possible; NULL: not known, or one */
} lc_run_output;

/* A resource or module whose instances cannot be determined. */
typedef struct lc_run_open { /* address within a module instance */
    lc_str address;          /* of the resource in its module instance, or of the module */
    lc_str matched; /* the same for patterns, if keys of `address` are hidden; else empty */
    const lc_undecided *undecided;
    lc_loc loc; /* of what cannot be determined */
} lc_run_open;

/* An error that the client reports. */
typedef struct lc_run_error {
    lc_str summary; /* as the client prints it */
    lc_str address; /* the object concerned, or empty */
    lc_str detail;  /* lifecheck's own words */
    bool invalid;   /* a provider rejects the configuration when it is validated */
    lc_loc loc;
    lc_quoted quote;
} lc_run_error;

/* A move that was not carried out, because its target address is occupied. */
typedef struct lc_run_blocked {
    lc_str from, to;
} lc_run_blocked;

/* A whole prediction. */
typedef struct lc_prediction {
    bool no_plan;             /* errors precluded planning */
    bool taken;               /* the actions are those of a plan */
    bool hides_keys;          /* tokens stand for instance keys that may not be shown */
    lc_profile profile;       /* the client that is predicted */
    lc_client_version client; /* its version; of a plan the one that made it */
    lc_run_mode mode;
    LC_VEC(lc_run_error) errors;
    /* Sorted by address, current objects before deposed ones. */
    LC_VEC(lc_run_change) changes;
    LC_VEC(lc_run_output) outputs;
    LC_VEC(lc_run_open) open;
    LC_VEC(lc_run_blocked) blocked;
    /* Declared instances for which the provider plans null. */
    LC_VEC(lc_str) no_objects;
    /* Objects of the previous state that options leave out. */
    LC_VEC(lc_str) unselected;
    bool complete;                  /* from a plan alone: the whole plan was examined */
    const lc_configuration *config; /* NULL: nothing was predicted */
    bool assumes_data;              /* a data source is taken to read what the state holds */
    /* The provider configurations that were asked. */
    const lc_run_asked *asked;
    size_t asked_count;
    /* The same without that assumption; NULL: it is trusted, or there is none. */
    const struct lc_prediction *cautious;
    lc_table index; /* key of lc_plan_key -> index in `changes` */
} lc_prediction;

/* The possible actions, with those that an assumption leaves possible. */
static inline unsigned lc_run_possible(const lc_run_change *change)
{
    return change->possible | (change->assumed ? LC_PLAN_REPLACES : 0u);
}
/* What happens to the object, as the clients show it: a sign, such as `-/+`, and words, such as
 * `must be replaced`, in the arena. The sign of an open object is `?`. */
const char *lc_run_sign(const lc_run_change *change);
lc_str lc_run_fate(lc_arena *arena, const lc_run_change *change);
/* Does the configuration set something otherwise than it is stored? */
lc_tri lc_run_configured(const lc_run_change *change);
/* Is `why`, which is &change->why or change->order, already said by the action, by the causes or by
 * what leaves the object open? */
bool lc_run_why_is_implied(const lc_run_change *change, const lc_why *why);
/* True if only one action is possible. */
static inline bool lc_run_is_firm(const lc_run_change *change)
{
    return lc_run_possible(change) == LC_PLAN_BIT(change->action);
}

/* What policies and expectations are compared with: nothing in it rests on an assumption about data
 * sources, unless it is trusted or the client fails. */
const lc_prediction *lc_prediction_judged(const lc_prediction *prediction);

/* How much of a prediction is certain. */
typedef struct lc_prediction_counts {
    size_t objects;    /* firm and open ones; current and deposed */
    size_t firm;       /* with one possible action */
    size_t open;       /* with several */
    size_t assumed;    /* of the firm ones: open if data sources read something else */
    size_t unexpanded; /* resources and modules whose instances cannot be determined */
    size_t errors;     /* with which the client stops */
    size_t actions[LC_PLAN_FORGET_CREATE + 1]; /* firm objects by action */
} lc_prediction_counts;
lc_prediction_counts lc_prediction_count(const lc_prediction *prediction);

/* COMPLETE: every object is firm; EMPTY: there is none; FAILED: the client stops. */
#define LC_PREDICTION_STATES(X)                                                                    \
    X(LC_PREDICTION_COMPLETE, "complete")                                                          \
    X(LC_PREDICTION_OPEN, "open")                                                                  \
    X(LC_PREDICTION_EMPTY, "empty")                                                                \
    X(LC_PREDICTION_FAILED, "failed")
LC_ENUM(lc_prediction_state, LC_PREDICTION_STATES);
/* How much of the prediction is certain. */
lc_prediction_state lc_prediction_state_of(const lc_prediction *prediction);

/* Why objects and blocks are open, the most frequent reason first; in the arena. */
typedef struct lc_open_reason {
    lc_str text;
    size_t count;
} lc_open_reason;
const lc_open_reason *lc_prediction_reasons(size_t *count, lc_arena *arena,
                                            const lc_prediction *prediction);
/* "Plan: 1 to add, 2 to change, 0 to destroy." as the clients count, and what else there is. */
lc_str lc_prediction_plan_words(lc_arena *arena, const lc_prediction *prediction);
/* The counts and the reasons in one sentence without a period; in the arena. */
lc_str lc_prediction_words(lc_arena *arena, const lc_prediction *prediction);

/* What a user expects of the objects that a pattern matches. An address without wildcards is that
 * of one object, if there is one; otherwise it stands for all instances of its resource. */
typedef struct lc_run_expected {
    lc_str address, deposed; /* as written, in canonical form if it is an address */
    lc_address_glob objects;
    bool given;       /* false: no change at all */
    unsigned actions; /* LC_PLAN_BIT of all that are allowed */
    bool negated;     /* written with `not` alone */
    bool has_reason, has_previous;
    lc_str reason, previous; /* empty: none */
    lc_str behavior;         /* empty: any */
    lc_loc loc;
} lc_run_expected;

/* Predicts. Never fails: what cannot be determined is open, and what the client rejects is an error
 * in `out`. Everything in `out` is in the arena or borrowed from the input. */
void lc_run_predict(lc_prediction *out, lc_arena *arena, const lc_run_input *input);
/* The same from a plan alone, with the configuration and prior state that it prints; outputs are
 * not predicted. There are no changes for a refresh-only plan, or if the mode is not known. Borrows
 * from the plan. */
void lc_run_predict_from_plan(lc_prediction *out, lc_arena *arena, const lc_plan *plan,
                              const lc_plan_options *options);
/* The changes of a plan as they are, with what causes each: from the plan itself, and from
 * `predicted`, a prediction of the same run (NULL: none). Attributes are traced through `config`,
 * or through the configuration that the plan prints if it is NULL. Borrows from all of them. */
void lc_run_take_plan(lc_prediction *out, lc_arena *arena, lc_plan *plan,
                      const lc_configuration *config, const lc_prediction *predicted);
/* Appends the changes as a JSON array; it contains no values. */
void lc_prediction_add_json(lc_buf *out, const lc_prediction *prediction);
/* Appends outputs, errors and open instances as JSON members; nothing if there are none. */
void lc_prediction_add_notes_json(lc_buf *out, const lc_prediction *prediction);
/* Appends the possible actions of each object and why, without causes, as a JSON array. */
void lc_prediction_add_short_json(lc_buf *out, const lc_prediction *prediction);
/* Appends an object about the prediction as a whole: how much of it is certain, what cannot be
 * determined, errors and outputs. */
void lc_prediction_add_summary_json(lc_buf *out, const lc_prediction *prediction);
/* Learns from the answers of providers that were asked for it. */
void lc_learned_from_prediction(lc_learned *learned, const lc_prediction *prediction);
/* The change of an object; NULL: none. */
const lc_run_change *lc_run_find(const lc_prediction *result, lc_str address, lc_str deposed);
/* Why an object gets its action, as one sentence without a period: what causes it, and what causes
 * that; in the arena. And the line that causes it; line 0: not known. */
lc_str lc_run_because(lc_arena *arena, const lc_prediction *result, const lc_run_change *change);
lc_loc lc_run_cause_loc(const lc_run_change *change);
/* The same of one attribute. */
lc_str lc_run_cause_words(lc_arena *arena, const lc_prediction *result, const lc_run_cause *cause);
/* True if the address lies in a resource or module whose instances cannot be determined. */
bool lc_run_is_open(const lc_prediction *result, lc_str address);

#endif
