/* Inside module probe. */
#ifndef LC_PROBE_INTERNAL_H
#define LC_PROBE_INTERNAL_H

#include "lifecheck/probe/probe.h"
#include "probe/configurations/edit.h"
#include "probe/configurations/form.h"

/* ---- Asking: a peer before the real one, which counts, remembers and keeps to the budget. */

typedef struct lc_peer_cache {
    lc_prober *prober;
    lc_peer real;
    int which; /* 0: options.peer, 1: options.other */
    lc_client *client;
    lc_arena *arena; /* of what is remembered: the type's */
    lc_table answers;
    size_t remembered;       /* bytes */
    bool bypass;             /* what was asked before is asked again */
    bool unavailable;        /* exited or hung: to be started anew before anything is asked */
    bool dead;               /* it cannot be started any more */
    bool restarts_exhausted; /* it was started too often for this type */
    bool unconfigured;       /* it is not configured when it is started */
    bool unbounded;          /* it is being configured, whatever is left of the budget */
    bool destroys;           /* what was created, which no budget and no signal prevents */
    bool retired;            /* nothing else is to be asked of this process */
    lc_str last_words;       /* what it wrote when it exited last; "" */
    uint64_t calls, repeated, max_calls; /* of the type; max_calls 0: no bound */
    int64_t deadline;                    /* of the clock; 0: not bounded */
    lc_str reached;                      /* a host that the provider tried to reach; "": none */
    bool exhausted;                      /* a call was not made, because the budget was used up */
    uint32_t died, hung, starts;
} lc_peer_cache;

/* For lc_peer, with the asker as its context. */
void lc_peer_cache_ask(void *context, lc_live_call *out, lc_arena *arena,
                       const lc_question *questions, size_t count);
/* Forgets what the type before it left. */
void lc_peer_cache_begin(lc_peer_cache *cache, lc_arena *arena);
/* Restarts the provider if it is unavailable. False: it does not run any longer. */
bool lc_peer_cache_restart(lc_peer_cache *cache);
/* Neither time, calls nor the user's patience has run out. */
bool lc_peer_cache_has_budget(lc_peer_cache *cache);

/* ---- A type under examination. */

/* A configuration that validation and plan accept. */
typedef struct lc_subject {
    const lc_value *config;
    lc_str from;
    const lc_value *real; /* a stored object made from it; NULL: none is known */
    lc_str private_data;
    bool created; /* the object was created for the trials, and has to be destroyed */
} lc_subject;

/* The arguments of one call of a function. */
typedef struct lc_arguments {
    const lc_value **values;
    size_t count;
} lc_arguments;

/* Of a type, or of a function: it has no configurations, and `schema` is that of the provider. */
typedef struct lc_examination {
    lc_prober *prober;
    lc_arena *arena; /* of the type */
    const lc_schema *schema;
    const lc_function *function;   /* NULL: a type */
    lc_str file_word;              /* for its name in names of files */
    lc_peer_cache *cache, *other;  /* `other` NULL: no second process */
    lc_prober *newer;              /* of a newer version, which is asked the same; NULL: none */
    const lc_schema *newer_schema; /* of the type; NULL: it has none */
    lc_probe_type *result;
    lc_slot *form; /* with the constraints learned from errors; NULL before it is made */
    LC_VEC(lc_subject) subjects;
    LC_VEC(lc_arguments) arguments; /* that the function answers without an error */
    lc_table seen;                  /* findings by rule, law and place */
    uint64_t random;
    size_t files;    /* scenarios that were written */
    bool plans;      /* else only validation is asked */
    bool stop;       /* make no further trials */
    unsigned unread; /* objects that were read and are not found */
    bool unreadable; /* reading an object of the type reaches the provider's service */
} lc_examination;

/* Makes configurations until some are accepted: fills in `subjects` and `configured`. */
void lc_find_subjects(lc_examination *exam);
/* The same of a function: `arguments`. */
void lc_find_arguments(lc_examination *exam);
/* A number below `count`, the same for the same seed and type. */
size_t lc_draw(lc_examination *exam, size_t count);

/* ---- Trials. */

/* Of law 32: the answer of an upgrade, which every client asks for before anything else. */
enum { LC_VARIANT_UPGRADE = 1 };

/* The specification of one trial; its use depends on the law. */
typedef struct lc_trial_spec {
    lc_law law;
    unsigned variant;              /* of the law */
    const lc_arguments *arguments; /* of the function, of which all that follows is NULL */
    const lc_value *config;        /* c, which validation accepts */
    const lc_value *edited;        /* c with something changed; NULL: nothing */
    const lc_value *other;         /* c with something else in its place; NULL: nothing */
    const lc_value *real;          /* S; NULL: one is generated where one is needed */
    lc_str private_data;
    lc_str target; /* of a move: the type that the object becomes one of */
} lc_trial_spec;

/* What a generated object has where the plan that it is made of has unknowns. */
typedef enum lc_invention {
    LC_INVENT_NULL, /* null */
    LC_INVENT_ID,   /* null, but a value for the id */
    LC_INVENT_ALL,  /* values by type and name; in blocks what SDKv2 stores for null */
} lc_invention;
/* `legacy`: the provider uses SDKv2. NULL: it cannot be made so. */
const lc_value *lc_invent(lc_arena *arena, const lc_block *block, const lc_value *planned,
                          lc_invention how, bool legacy);

/* A trial in progress: its questions become a case. */
typedef struct lc_trial {
    lc_examination *exam;
    const lc_trial_spec *spec;
    lc_arena *arena;
    lc_scenario scenario;
    const lc_value
        *invented_from; /* the plan of which a stored object was generated; NULL: none was */
    const lc_value *older_plan; /* the same of the older version, for law 39 */
    const lc_value *identity;   /* of the generated object; NULL: none, or not known yet */
    bool newer;                 /* the newer version is asked */
    bool moves;                 /* the object becomes one of the type spec->target */
    bool filled;     /* nothing is to be null in a generated object; else as little as can be */
    bool legacy;     /* the plan came from SDKv2 */
    bool refused;    /* the provider does not take the stored object */
    const char *why; /* not tried; NULL: it was */
    bool broke;      /* a call that only prepares the trial got no answer: it is the case */
} lc_trial;

/* False: not tried; trial->why is the reason. */
typedef bool (*lc_query)(lc_trial *trial);
/* How each law asks, and how its trials are found. */
typedef struct lc_method {
    void (*each)(lc_examination *exam, lc_law law, const lc_subject *subject);
    lc_query query;
} lc_method;
const lc_method *lc_method_of(lc_law law);
/* The laws that can be tried, in the order in which they are; LC_LAW_COUNT after the last. */
lc_law lc_law_in_order(size_t at);

/* For who makes calls: the place of findings, and the schema and the process of the version that is
 * asked. A new call of the last run, and what it gets after it was made. */
lc_loc lc_trial_place(const lc_trial *trial);
const lc_schema *lc_trial_schema(const lc_trial *trial);
lc_peer_cache *lc_trial_cache(const lc_trial *trial);
lc_call *lc_trial_next_call(lc_trial *trial);
void lc_trial_finish_call(lc_call *call, uint32_t index);

/* Begins a run, whose calls follow. `prior` NULL: null. */
lc_run *lc_trial_begin_run(lc_trial *trial, const lc_value *prior, const lc_value *config);
/* Make a call and add it to the last run. The result is valid until the next one. */
const lc_call *lc_trial_query_validation(lc_trial *trial, const lc_value *config);
typedef struct lc_trial_plan {
    lc_call_kind kind;
    const lc_value *prior; /* NULL: null */
    const lc_value *config;
    lc_str private_data;
    bool elsewhere;          /* by the other process */
    bool again;              /* although it was asked before */
    bool plain;              /* by a client without capabilities */
    const lc_value *respelt; /* the proposed new state, which is sent with the configuration in
                                another spelling; NULL: as clients do */
} lc_trial_plan;
const lc_call *lc_trial_query_plan(lc_trial *trial, const lc_trial_plan *plan);
const lc_call *lc_trial_query_upgrade(lc_trial *trial, const lc_raw_state *raw);
/* Configures the provider; the call is kept as a validation, because a case has no other. */
const lc_call *lc_trial_query_configure(lc_trial *trial, const lc_value *config);
/* The same, kept only if there was no answer. */
void lc_trial_configure(lc_trial *trial, const lc_value *config);
/* Calls the function. */
const lc_call *lc_trial_call_function(lc_trial *trial, const lc_arguments *arguments,
                                      bool elsewhere, bool again);
/* Was it answered without an error, and not deferred? */
bool lc_answered(const lc_call *call);
/* The same without adding it to the case. */
bool lc_trial_accepts(lc_trial *trial, const lc_value *config);
/* The stored object of the trial: the real one, or what a plan of `config` would become, with null
 * for what is not known. NULL: the provider does not take it; trial->why is set. */
const lc_value *lc_trial_stored_object(lc_trial *trial);
/* Does a client replace the object after this plan? It leaves out what does not change of
 * requires_replace. `prior` NULL: there is no object. */
bool lc_trial_replaces(const lc_trial *trial, const lc_value *prior, const lc_call *plan);
/* The stored object in its raw form. False: it has none. */
bool lc_raw_of(lc_raw_state *out, lc_trial *trial, const lc_value *stored);

/* The prober of another process of the older version; NULL: none. */
lc_prober *lc_prober_controller(lc_prober *older);
/* Does a case have the finding, so that it fails? */
bool lc_has_finding(const lc_examination *exam, const lc_trial *trial, const lc_judged *judged,
                    lc_rule rule, lc_str place);
/* Is a finding of a trial there with another stored object too, if one was generated? */
bool lc_is_confirmed(const lc_trial *trial, lc_rule rule, lc_str place);
/* Makes the trial, judges it, and adds the findings that are new. Does nothing once the budget is
 * used up. */
void lc_run_trial(lc_examination *exam, const lc_trial_spec *spec);
/* The same, without taking anything: judges into `out`, in trial->arena. False: it was not tried.
 */
bool lc_trial_judge(lc_trial *trial, lc_judged *out);
/* Asks only: trial->scenario is the case, not judged yet. */
bool lc_trial_build_case(lc_trial *trial);
/* Counts what is not asked of the type, and why; `why` is a constant. */
void lc_add_gap(lc_examination *exam, const char *why, uint32_t count);
/* No trial could be made. */
void lc_not_tried(lc_examination *exam, lc_law law, const char *why);
/* The place of a finding without indices; in `arena`. */
lc_str lc_place_of(lc_arena *arena, const lc_finding *finding);

/* Makes the trial of a finding as small as it gets. What is returned lives in exam->arena. */
lc_trial_spec lc_shrink(lc_examination *exam, const lc_trial_spec *spec, lc_rule rule,
                        lc_str place);
/* Shrinks the trial, writes its scenario, and hands both over. */
void lc_show_finding(lc_trial *first, const lc_judged *judged, lc_probe_finding *finding);

/* ---- Laws, by what they are about. Each function finds the trials of one law for a subject. */
void lc_find_unknown(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_completion(lc_trial *trial);
void lc_find_validation(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_validation(lc_trial *trial);
void lc_find_again(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_again(lc_trial *trial);
void lc_find_stored(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_stored(lc_trial *trial);
void lc_find_value(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_value(lc_trial *trial);
void lc_find_upgrade(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_upgrade(lc_trial *trial);
void lc_find_spelling(lc_examination *exam, lc_law law, const lc_subject *subject);
void lc_find_settings(lc_examination *exam, lc_law law, const lc_subject *subject);
bool lc_query_settings(lc_trial *trial);
/* All trials of law 39, the only one with which two versions are compared. */
void lc_find_newer(lc_examination *exam);
bool lc_query_newer(lc_trial *trial);
/* Finds the trials of a law for a function. */
void lc_find_function(lc_examination *exam, lc_law law);
bool lc_query_function(lc_trial *trial);
/* Arguments with a simpler value at a position; false: no value is simpler. */
bool lc_simpler_argument(lc_arguments *out, lc_arena *arena, const lc_function *function,
                         const lc_arguments *from, size_t at);

/* ---- The prober. */

struct lc_prober {
    lc_arena *arena;
    const lc_probe_options *options;
    lc_peer_cache main, second;
    lc_client *plain; /* asks the same provider, without capabilities */
    lc_rpc_schemas *schemas, *second_schemas;
    const lc_value *config;      /* of the provider */
    size_t readable, unreadable; /* answers without the service; types that reach it */
    lc_prober *newer;            /* of a newer version; NULL: none */
    const lc_probe_control *control;
    lc_prober *controller; /* that was opened by it; NULL: not yet */
    bool uncontrolled;     /* it cannot be opened */
    bool unconfigured;     /* functions are called, which clients do before they configure */
    bool configured;       /* types are asked about: its configuration was looked for */
    lc_probe_result result;
};
int64_t lc_prober_now(const lc_prober *prober);
/* hashicorp/aws is short for the provider of a client's own registry. */
lc_str lc_address_in(lc_arena *arena, lc_str provider, const char *registry);
/* As clients send it: "registry.terraform.io/hashicorp/aws". */
lc_str lc_prober_address(const lc_prober *prober, lc_arena *arena);
/* Asks a new process for its schemas, which are known. */
void lc_prober_greet(lc_prober *prober, lc_peer_cache *cache);
/* Configures the provider of a peer cache, with the configuration that was found first. A process
 * that does not take it is not asked: it counts as one that has ended. */
void lc_prober_configure(lc_prober *prober, lc_peer_cache *cache);
/* A type, or with the provider's schema a function. */
void lc_examine(lc_prober *prober, const lc_schema *schema, const lc_function *function);

#endif
