/* Testing whole resource types: configurations are generated from schemas, the provider is asked
 * for plans, and its answers are compared with the rules and with laws that relate several
 * answers. Module probe. Pure except for the peers that answer; nothing here can apply, import,
 * open, invoke or read.
 *
 * Everything lives in the arena of the prober unless stated otherwise. */
#ifndef LIFECHECK_PROBE_PROBE_H
#define LIFECHECK_PROBE_PROBE_H

#include "lifecheck/drive/changing.h"
#include "lifecheck/drive/client.h"
#include "lifecheck/predict/learned.h"
#include "lifecheck/verdict/verdict.h"
#include "lifecheck/yaml_json/document.h"

/* ---- The laws. The only list is src/probe/laws.def. */

/* LC_LAW_<number>, in the order of laws.def. Reports store numbers and ids, never these values. */
typedef enum lc_law {
#define LAW(number, id, ...) LC_LAW_##number,
#include "lifecheck/probe/laws.def"
    LC_LAW_COUNT
} lc_law;

/* One row of laws.def. */
typedef struct lc_law_info {
    unsigned number;
    lc_str id; /* "unknown-completes" */
    lc_strength strength;
    bool asked;          /* false: this version cannot try it */
    lc_str title;        /* a sentence without its full stop */
    lc_str precondition; /* without which it is not tried */
    lc_str rules;        /* globs of the rules that judge it, separated by spaces */
    lc_str guard;        /* what keeps it from a false alarm; "": nothing is needed */
} lc_law_info;
/* The row of a law, a constant. */
const lc_law_info *lc_law_get(lc_law law);
/* Marks the laws whose id or number matches one of the globs; without globs those that are asked
 * and are must or core laws, with `all` every one that is asked. False: *bad matches no law. */
bool lc_laws_select(bool out[LC_LAW_COUNT], const lc_str *globs, size_t count, bool all,
                    lc_str *bad);

/* ---- What came out. */

/* A violation, once for each rule, law and place. */
typedef struct lc_probe_finding {
    lc_law law;
    lc_rule rule;
    lc_severity severity;
    lc_call_kind call;
    lc_str place;   /* path without indices and keys */
    lc_str path;    /* as findings show it */
    lc_str message; /* one line, without values */
    lc_str stack;   /* of a provider that exited: some lines of it, or "" */
    bool tolerated; /* clients tolerate it, because the provider uses SDKv2 */
    bool fails;     /* the policy makes it fail */
    bool known;     /* but a baseline lists it; not in reports */
    size_t leaves;  /* set in the configuration after shrinking */
    lc_str file;    /* the scenario that shows it; "": none was written, see `unwritten` */
    lc_str unwritten;
    lc_str terraform;   /* a file with a configuration that shows it with a client; "": none */
    lc_str confirmed;   /* the client that was run with it and reported it, or "" */
    lc_str unconfirmed; /* what it did instead, or why it was not run; "": nothing was tried */
} lc_probe_finding;

/* What a client needs to show a finding, and what it is to report. Borrowed until the hook returns.
 */
typedef struct lc_probe_repro {
    lc_str text;       /* a configuration in native syntax; "": there is none, see `why` */
    lc_str state;      /* the state file (JSON) that it changes; "": it creates an object */
    lc_str summary;    /* of the client's error */
    lc_str detail;     /* a part of its detail; "": not known exactly */
    bool plan;         /* a plan shows it; else an apply */
    lc_str last_words; /* of a provider that ended, with lines of its stack; or "" */
    lc_str why;
} lc_probe_repro;

/* The result of one law for one type. */
typedef struct lc_probe_law {
    uint32_t trials;  /* that were judged */
    uint32_t skipped; /* whose precondition failed */
    lc_str why;       /* without a trial: why there was none; "": the law was not selected */
} lc_probe_law;

/* Why something was not asked, and how often. */
typedef struct lc_probe_gap {
    lc_str why;
    uint32_t count;
} lc_probe_gap;

/* The result for one resource type, data source, ephemeral resource or function. */
typedef struct lc_probe_type {
    lc_schema_kind kind;
    lc_str name;
    bool configured;         /* some configuration was accepted by validate and plan */
    lc_str why_not;          /* the provider's first error with the last configuration, or ours */
    uint32_t configurations; /* that were accepted */
    lc_str from;             /* what the first of them was made of: "schema", a file */
    uint32_t stored;         /* stored objects from a state or recording */
    bool asked_all;          /* neither time nor calls ran out before all laws were tried */
    lc_str shape;            /* equal for types of equal schemas; "": not compared */
    lc_str same_as; /* a type before it, of the same shape and with the same findings, which
                       counts for both; "": none */
    lc_probe_law laws[LC_LAW_COUNT];
    LC_VEC(lc_probe_gap) gaps;           /* of two versions that are compared */
    LC_VEC(lc_probe_finding) findings;   /* in order of laws, rules and places */
    size_t failing, warnings, tolerated; /* findings, by what they count for */
    uint64_t calls, repeated;            /* made; answered from what was asked before */
    int64_t took_ms;                     /* 0: not known */
    uint32_t died, hung;  /* calls in which the provider ended, or gave no answer in time */
    uint32_t undestroyed; /* objects that were created, and could not be destroyed */
} lc_probe_type;

/* The result for a whole provider; the counts are sums over its types. */
typedef struct lc_probe_result {
    lc_str provider, version; /* address or file name; "": not known */
    int protocol;
    uint64_t seed;
    bool laws[LC_LAW_COUNT]; /* selected */
    LC_VEC(lc_probe_type) types;
    size_t left_out;       /* types that were not reached */
    lc_str stopped;        /* why, or "" */
    lc_str not_configured; /* the provider's error, if it could not be configured */
    size_t configured, failing, warnings, tolerated;
    uint64_t calls;
    int64_t took_ms; /* 0: not known, as in reports, which are the same in all runs */
    uint32_t died, hung, undestroyed;
    size_t files; /* scenarios of its findings */
} lc_probe_result;
/* Laws of a type or of all types: was it tried anywhere? */
bool lc_probe_tried(const lc_probe_result *result, lc_law law);

/* The member "probe" of a JSON report, an object on one line; and back. The strings of one that is
 * read live in `arena`. NULL: it is not such an object. */
void lc_probe_add_json(lc_buf *out, const lc_probe_result *result);
/* Reads the member back, with findings in their written order. */
lc_probe_result *lc_probe_from_node(lc_arena *arena, const lc_node *node);
/* What was not asked of a type, with reasons and counts, as items of a list. */
void lc_probe_add_gaps(lc_doc *list, const lc_probe_type *type);
/* A type of it alone. */
void lc_probe_add_type_json(lc_buf *out, const lc_probe_type *type);
/* `node` is a mapping. Strings live in `arena`. */
void lc_probe_type_from_node(lc_probe_type *out, lc_arena *arena, const lc_node *node);
/* Appends a type, whose strings are borrowed, and adds its counts. Of very many scenarios only the
 * first LC_PROBE_FILES stay. */
#define LC_PROBE_FILES 1000
const lc_probe_type *lc_probe_result_take(lc_probe_result *result, lc_arena *arena,
                                          const lc_probe_type *type);
/* The order of types in reports, as strcmp. */
int lc_probe_type_order(const lc_probe_type *a, const lc_probe_type *b);
/* For people: one line for each type with findings or notes, and the totals. */
void lc_probe_add_text(lc_buf *out, const lc_probe_result *result, bool verbose);

/* ---- Probing. */

/* A configuration to begin with, or a stored object. */
typedef struct lc_probe_seed {
    lc_schema_kind kind;
    lc_str type;
    lc_str from;            /* "random.yaml" */
    bool kept;              /* it failed before: it is asked first */
    const lc_value *config; /* of the schema's type; NULL: only the object is known */
    const lc_value *stored; /* NULL: none */
    lc_str private_data;    /* of the stored object */
} lc_probe_seed;

/* Functions of the caller: the clock, the processes, and the receivers of results. Each may be
 * NULL; `context` is their first argument. */
typedef struct lc_probe_hooks {
    void *context;
    /* Milliseconds of a clock that never goes back; NULL: time is not bounded. */
    int64_t (*clock)(void *context);
    /* The provider of a peer (0: options.peer, 1: options.other) does not answer any longer: start
     * a new process. False: this is not possible. */
    bool (*restart)(void *context, int peer);
    /* The line in which the provider of the peer reported why it exited, without secrets, followed
     * by some lines of its stack; "" if it reported nothing. In `arena`. May be NULL. */
    lc_str (*last_words)(void *context, lc_arena *arena, int peer);
    /* Must we stop (a signal came)? */
    bool (*stopped)(void *context);
    /* A case of a type: of a finding, read from `text`, which is the scenario that shows it, to be
     * kept in the file `finding->file`; or, with `finding` NULL, a configuration that conforms. It
     * lives until the hook returns. */
    void (*judged)(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                   lc_scenario *scenario, lc_str text);
    void (*on_event)(void *context, lc_str text);
    /* An object that was created with options->apply exists, or may exist. */
    void (*not_destroyed)(void *context, const lc_undestroyed_object *object);
    /* After `judged`, for a finding with a scenario: the same for a client. */
    void (*repro)(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                  const lc_probe_repro *repro);
} lc_probe_hooks;

/* What is probed, and within which budget. Borrowed while the prober is used. */
typedef struct lc_probe_options {
    lc_peer peer;
    lc_peer other; /* another process of the same provider; `ask` NULL: no second process */
    lc_core as;
    const lc_policy *policy;
    lc_limits limits;
    lc_str provider, version;
    /* For configurations of findings: "aws", "hashicorp/aws", "5.100.0" or "". */
    lc_str name, source, release;
    lc_str command;      /* "lifecheck probe --provider X", to ask again */
    lc_str folder;       /* where scenarios are kept, for their names */
    const lc_str *types; /* globs; none: all */
    size_t type_count;
    uint64_t shard_index, shard_of; /* only types whose names have this hash; 0: all */
    bool laws[LC_LAW_COUNT];
    uint64_t seed;
    int64_t budget_ms;                 /* of a type; 0: not bounded */
    uint64_t most_calls, shrink_calls; /* of a type; 0: what is usual */
    int64_t timeout_ms;                /* of a call; 0: what is usual */
    bool apply;                        /* two versions: create and destroy real objects */
    bool offline;                      /* the provider has no network, so that calls may time out */
    bool generated;                    /* the user gave no value, so that none can be a secret */
    const lc_probe_seed *seeds;
    size_t seed_count;
    const lc_node *provider_config; /* what the user gave for the provider, or NULL */
    const lc_source *provider_config_source;
    /* Tried first if the user gave none; may be set after lc_prober_open. NULL: none. */
    const lc_value *stand_in;
    lc_learned *learned; /* takes what answers show of types, may be set at any time; or NULL */
    lc_probe_hooks hooks;
} lc_probe_options;

/* Of a type. Calls are what usually ends it, since they end it at the same place in every run. A
 * type with more attributes and block types than the usual size gets proportionally fewer calls,
 * but not less than the least number. Hung calls end it once it has waited for them for that long
 * in all. */
#define LC_PROBE_CALLS        2000
#define LC_PROBE_USUAL_SIZE   200
#define LC_PROBE_LEAST_CALLS  60
#define LC_PROBE_WAITED_MS    60000
#define LC_PROBE_SHRINK_CALLS 200

typedef struct lc_prober lc_prober;
/* Asks for schemas. Options are borrowed. NULL: reported. */
lc_prober *lc_prober_open(lc_arena *arena, const lc_probe_options *options, lc_diags *diags);
/* The schema of a type, to read seeds by; NULL: the provider has none. */
const lc_schema *lc_prober_schema(const lc_prober *prober, lc_schema_kind kind, lc_str type);
/* The names of the types of a kind, in order: *out is an array in the arena. */
size_t lc_prober_types(const lc_prober *prober, lc_schema_kind kind, const lc_str **out,
                       lc_arena *arena);

/* Something that is asked about as a whole: a type, a function, the provider itself. */
typedef struct lc_probe_target {
    lc_schema_kind kind;
    lc_str name; /* as --type has it */
    const lc_schema *schema;
    const lc_function *function; /* NULL: a type */
} lc_probe_target;
/* The targets that are selected, in the order of reports: *out is an array in the arena. */
size_t lc_prober_targets(const lc_prober *prober, const lc_probe_target **out, lc_arena *arena);
/* Asks about one of them; seeds may have been set in the options after lc_prober_open. Functions
 * have to come before everything else. Answers do not depend on what was asked before. The provider
 * is configured when it is needed first. NULL: it was not asked, see `stopped` of the result. Valid
 * until the next one. */
const lc_probe_type *lc_prober_ask(lc_prober *prober, const lc_probe_target *target);
/* What has come out until now. */
const lc_probe_result *lc_prober_result(const lc_prober *prober);
/* The processes of the provider are new, and its schemas known from others: begins as a client
 * does.
 */
void lc_prober_begin(lc_prober *prober);
/* Starts processes of the provider anew, as if none had been asked; the schemas are kept. False:
 * that is not possible. */
bool lc_prober_restart(lc_prober *prober);
/* Does a glob of options.types match nothing that the provider has? Then *glob is the first of
 * these, and *near the name that was probably meant, or "". */
bool lc_prober_misses(const lc_prober *prober, lc_arena *arena, lc_str *glob, lc_str *near);

/* Opens a prober of another process of the older version, when it is needed first: what that one
 * answers differently too is not a finding. NULL: it cannot be opened. */
typedef struct lc_probe_control {
    lc_prober *(*open)(void *context);
    void *context;
} lc_probe_control;
/* From now on a newer version of the provider is asked what this older one is asked, with objects
 * and configurations of the older one (law 39); the targets are those of both versions then, with
 * the provider's own configuration, which has to come last. Findings have rules gate/...; seeds,
 * types, budget and hooks are those of the older prober, and of the newer one only the hooks about
 * processes are used. `control` may be NULL, and is borrowed. */
void lc_prober_compare_with(lc_prober *older, lc_prober *newer, const lc_probe_control *control);

#endif
