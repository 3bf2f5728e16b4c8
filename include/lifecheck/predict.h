/* The run model: from a configuration, the objects of the previous run, plan options and what
 * providers answer, to the action of every resource instance object, and why. Module predict.
 * Pure. Source: the document about planning behaviours; runs-and-providers section 2 with its
 * findings, which were recorded from both clients.
 *
 * What depends on something that is not static is left open, and nothing else is: a change has the
 * likely action and the set of all that are possible. */
#ifndef LIFECHECK_PREDICT_H
#define LIFECHECK_PREDICT_H

#include "lifecheck/configuration.h"
#include "lifecheck/contract.h"
#include "lifecheck/enum.h"
#include "lifecheck/plan.h"
#include "lifecheck/state.h"

/* Sets of actions. */
#define LC_PLAN_BIT(action) (1u << (action))
#define LC_PLAN_REPLACES                                                                           \
    (LC_PLAN_BIT(LC_PLAN_DELETE_CREATE) | LC_PLAN_BIT(LC_PLAN_CREATE_DELETE) |                     \
     LC_PLAN_BIT(LC_PLAN_FORGET_CREATE) | LC_PLAN_BIT(LC_PLAN_CREATE_FORGET))

/* `["no-op"] or ["update"]` */
lc_str lc_plan_action_words(lc_arena *arena, unsigned possible);

/* ---- What goes in. */

typedef enum lc_run_mode { LC_RUN_NORMAL, LC_RUN_DESTROY, LC_RUN_REFRESH_ONLY } lc_run_mode;

typedef struct lc_address_list {
    LC_VEC(lc_address) list;
} lc_address_list;

typedef struct lc_run_options {
    lc_run_mode mode;
    bool no_refresh;
    lc_address_list replace, targets, excludes;
} lc_run_options;

/* An object that the previous run left. */
typedef struct lc_run_prior {
    lc_address address; /* of the instance */
    lc_str deposed;     /* "" for the current one */
    bool tainted, create_before_destroy, skip_destroy;
    lc_address_list dependencies; /* of configurations: no keys */
    int64_t schema_version;
    lc_str provider; /* provider["registry.x/y/z"].alias as stored, or empty */
    lc_loc loc;
    const void *origin; /* for the callbacks */
} lc_run_prior;

typedef struct lc_run_priors {
    LC_VEC(lc_run_prior) list;
} lc_run_priors;

typedef struct lc_run_prior_output {
    lc_str name;
    const lc_value *value; /* NULL: not known */
    bool sensitive;
} lc_run_prior_output;

/* A question to a provider. Members that say what is asked come first, then the answer. */
typedef struct lc_run_question {
    lc_arena *arena;
    lc_address address;
    lc_str text;             /* of the address */
    lc_str deposed;          /* read */
    const lc_schema *schema; /* never NULL */
    const lc_value *prior;   /* plan, read; a null for a create */
    const lc_value *config;  /* plan, data */
    const lc_value *proposed;
    const lc_value *id; /* import: a text */

    bool known;          /* false: the answer cannot be told */
    bool gone;           /* read, import: there is no such object */
    const lc_value *out; /* the object; plan: as planned */
    lc_path_list requires_replace;
    bool assumed;     /* plan: nobody said that the provider answers so; it may also replace */
    lc_str error;     /* a summary of the provider's, or empty */
    lc_str error_too; /* a second one that OpenTofu prints, or empty */
} lc_run_question;

/* What providers answer. Each may be NULL: then it is not known where it matters, except reads,
 * which change nothing. */
typedef struct lc_run_provider {
    void *context;
    /* NULL: not known. */
    const lc_schema *(*schema)(void *context, lc_resource_mode mode, lc_str type);
    /* The stored object by the schema, and its sensitive paths. False: cannot be told; `error` is a
     * summary where the client stops. */
    bool (*stored)(void *context, lc_arena *arena, const lc_run_prior *prior,
                   const lc_schema *schema, const lc_value **out, lc_path_list *sensitive,
                   lc_str *error);
    void (*read)(void *context, lc_run_question *ask);
    void (*plan)(void *context, lc_run_question *ask);
    void (*import)(void *context, lc_run_question *ask);
    void (*data)(void *context, lc_run_question *ask);
    /* May an object of one type become one of another? Its value then. False: refused. */
    bool (*move)(void *context, lc_arena *arena, const lc_run_prior *prior, lc_str type,
                 const lc_schema *schema, const lc_value **out);
} lc_run_provider;

/* ---- The provider that is built in: terraform_data. Source: builtin provider "terraform" of both
 * clients. */
bool lc_is_builtin(lc_resource_mode mode, lc_str type);
const lc_schema *lc_builtin_schema(lc_arena *arena);
/* Answers; the question's schema is the one above, or a document's of the same type. */
void lc_builtin_plan(lc_run_question *ask);
void lc_builtin_import(lc_run_question *ask);

typedef struct lc_run_variable {
    lc_str name;
    const lc_value *value; /* before conversion to the declared type */
} lc_run_variable;

typedef struct lc_run_input {
    const lc_configuration *config; /* its profile is the client's */
    const lc_run_priors *priors;
    const lc_run_prior_output *outputs;
    size_t output_count;
    lc_run_options options;
    const lc_run_variable *variables;
    size_t variable_count;
    lc_run_provider provider;
    lc_str workspace;    /* empty: not known */
    const lc_plan *plan; /* that `config` was read from: nothing else is known; or NULL */
} lc_run_input;

/* Adds an object of which nothing more is known; it stays where it is until the next one comes. */
lc_run_prior *lc_run_add_prior(lc_run_priors *out, lc_arena *arena, const lc_address *address,
                               lc_str deposed, const void *origin);
/* The objects of a state file that the client reads. Terraform passes over a resource whose
 * provider it cannot read; OpenTofu stops, `refused` is its text then. */
void lc_run_priors_from_state(lc_run_priors *out, lc_arena *arena, const lc_state_file *state,
                              lc_core core, lc_str *refused);
/* A `stored` for objects of a state file: `prior->origin` is the lc_state_object. */
bool lc_run_stored_in_state(void *context, lc_arena *arena, const lc_run_prior *prior,
                            const lc_schema *schema, const lc_value **out, lc_path_list *sensitive,
                            lc_str *error);
/* Where there is only a plan: the managed objects of its prior state, as they were before the
 * plan's own imports and under the addresses that they had before its moves. The plan does not say
 * what their providers and lifecycle settings were. */
void lc_run_priors_from_plan(lc_run_priors *out, lc_arena *arena, lc_plan *plan);
/* A `stored` for these: `prior->origin` is the lc_plan_object. */
bool lc_run_stored_in_plan(void *context, lc_arena *arena, const lc_run_prior *prior,
                           const lc_schema *schema, const lc_value **out, lc_path_list *sensitive,
                           lc_str *error);
/* Outputs of a state file. */
const lc_run_prior_output *lc_run_outputs_from_state(size_t *count, lc_arena *arena,
                                                     const lc_state_file *state);

/* ---- What comes out. */

/* The three designs of special behaviours, and that there is none. */
#define LC_BEHAVIORS(X)                                                                            \
    X(LC_BEHAVIOR_DEFAULT, "default")                                                              \
    X(LC_BEHAVIOR_CONFIGURATION, "configuration")                                                  \
    X(LC_BEHAVIOR_PROVIDER, "provider")                                                            \
    X(LC_BEHAVIOR_SINGLE_RUN, "single-run")
LC_ENUM(lc_behavior, LC_BEHAVIORS);

typedef struct lc_why {
    lc_behavior behavior;
    lc_str setting; /* what did it: "lifecycle.create_before_destroy", "-replace", ...; or empty */
    lc_loc loc;     /* of the setting */
    lc_str text;    /* one sentence without a trailing point */
} lc_why;

/* NULL if it says nothing. */
const lc_why *lc_why_copy(lc_arena *arena, const lc_why *why);

typedef struct lc_run_change {
    lc_address address;
    lc_str text;
    lc_str deposed;
    lc_str previous; /* address before moves, or empty */
    lc_plan_action action;
    unsigned possible; /* LC_PLAN_BIT of all actions that it may be, `action` among them */
    lc_plan_reason reason;
    /* From a plan alone: bits of all reasons that it may have, 0: any; and that it is declared
     * whatever the plan says. */
    unsigned reasons;
    bool sure;
    const lc_path *replace_paths;
    const lc_str *replace_texts; /* of them, keys below a secret hidden */
    size_t replace_path_count;
    bool importing;
    lc_why why;
    const lc_why *order;              /* why the replace has its order; NULL: it has none */
    const lc_why *moved;              /* what moved the object, or NULL */
    const lc_value *after;            /* NULL: not known, or none */
    const lc_value *before;           /* likewise, and where no trigger compares it */
    const lc_undecided *undecided;    /* why there are several possibilities, or NULL */
    bool assumed;                     /* nobody said what the provider plans: it may replace */
    bool create_first;                /* effective create_before_destroy */
    lc_str forced_outside;            /* what would force it, were it not for -target; or empty */
    const lc_run_prior *prior;        /* NULL: none */
    const lc_config_resource *config; /* NULL: none */
} lc_run_change;

typedef struct lc_run_output {
    lc_str name;
    const lc_value *after; /* NULL: not known to us, or deleted */
    lc_plan_action action;
    unsigned possible;
} lc_run_output;

/* A resource whose instances cannot be told. */
typedef struct lc_run_open {
    lc_str address; /* of the resource in its module instance, or of the module */
    const lc_undecided *undecided;
} lc_run_open;

typedef struct lc_run_error {
    lc_str summary; /* as the client prints it */
    lc_str address; /* that it is about, or empty */
    lc_str detail;  /* ours */
    lc_loc loc;
} lc_run_error;

/* A statement about moves that did not do what it says. */
typedef struct lc_run_blocked {
    lc_str from, to;
} lc_run_blocked;

typedef struct lc_prediction {
    bool no_plan; /* errors, and nothing was planned */
    LC_VEC(lc_run_error) errors;
    LC_VEC(lc_run_change) changes; /* by address, current before deposed */
    LC_VEC(lc_run_output) outputs;
    LC_VEC(lc_run_open) open;
    LC_VEC(lc_run_blocked) blocked;
    LC_VEC(lc_str) no_objects;      /* declared, and the provider plans none */
    LC_VEC(lc_str) unselected;      /* objects of the previous run that the options leave out */
    bool complete;                  /* of a plan alone: all of it was looked at */
    const lc_configuration *config; /* that it was made from; NULL: nothing was predicted */
    lc_table index;                 /* address, and a space and the deposed key: lc_run_change */
} lc_prediction;

/* What a user expects of one object. */
typedef struct lc_run_expected {
    lc_str address, deposed;
    bool given; /* false: no change at all */
    lc_plan_action action;
    bool has_reason, has_previous;
    lc_str reason, previous; /* empty: none */
    lc_str behavior;         /* empty: any */
    lc_loc loc;
} lc_run_expected;

/* Never fails: what cannot be told is a doubt or a problem in `out`. All lives in `arena`. */
void lc_run_predict(lc_prediction *out, lc_arena *arena, const lc_run_input *input);
/* The same from a plan alone, by the configuration and the prior state that it prints; outputs are
 * not looked at. In a refresh-only plan, and if the mode is not known, there are no changes.
 * Borrows from the plan. */
void lc_run_predict_from_plan(lc_prediction *out, lc_arena *arena, const lc_plan *plan,
                              const lc_plan_options *options);
/* The changes as a JSON array; no values are in it. */
void lc_prediction_add_json(lc_buf *out, const lc_prediction *prediction);
/* Likewise outputs, what the client refuses, and whose instances cannot be told; nothing if there
 * is none of them. */
void lc_prediction_add_notes_json(lc_buf *out, const lc_prediction *prediction);
/* NULL: none. */
const lc_run_change *lc_run_find(const lc_prediction *result, lc_str address, lc_str deposed);
/* Does what stands at the address depend on keys that cannot be told? */
bool lc_run_is_open(const lc_prediction *result, lc_str address);

#endif
