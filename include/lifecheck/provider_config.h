/* The provider-instances model: which provider configurations and instances there are, and which
 * one each resource instance uses. Module provider_config. Source: runs-and-providers section 4
 * with its findings; the document is the proposal of provider iteration.
 *
 * What is wrong with a configuration is added to its problems, each with its rule. What cannot be
 * told is no problem: the use says so and why. */
#ifndef LIFECHECK_PROVIDER_CONFIG_H
#define LIFECHECK_PROVIDER_CONFIG_H

#include "lifecheck/planning.h"
#include "lifecheck/scope.h"
#include "lifecheck/state.h"

/* ---- Names and references. */

/* The provider that a local name stands for in a module: "host/namespace/type". */
lc_str lc_provider_of(lc_arena *arena, lc_profile profile, const lc_module *module,
                      lc_str local_name);
/* The local name that a resource type has without `provider`. */
lc_str lc_provider_name_of_type(lc_str type);

/* NAME[.ALIAS][[KEY]] */
typedef struct lc_provider_ref {
    bool ok;
    lc_str name, alias;
    const lc_expr *key;  /* or NULL */
    bool key_is_dynamic; /* something after the key, or a computed name */
} lc_provider_ref;
lc_provider_ref lc_provider_ref_parse(const lc_config_ref *written, lc_profile profile);

/* ---- Addresses, as states have them: [module.M.]provider["FQN"][.ALIAS][["KEY"]] */

typedef struct lc_provider_address {
    lc_str module; /* module.a.module.b, or empty */
    lc_str fqn;
    lc_str alias;
    bool keyed;
    lc_str key;
    bool legacy; /* provider.NAME[.ALIAS], of old versions */
} lc_provider_address;
/* Sources in short are those of the profile's registry, and only the document has keys without an
 * alias. False: `why` says what is wrong, in OpenTofu's words. */
bool lc_provider_address_parse(lc_provider_address *out, lc_arena *arena, lc_profile profile,
                               lc_str text, const char **why);
lc_str lc_provider_address_text(lc_arena *arena, const lc_provider_address *address);
/* The same configuration, whatever the key. */
bool lc_provider_address_same_config(const lc_provider_address *a, const lc_provider_address *b);

/* ---- The model. */

typedef struct lc_provider_config {
    const lc_module *module;
    const lc_config_provider *block; /* NULL: the default one that nobody wrote */
    lc_str fqn;
    lc_str alias;
    bool repeats;        /* its instances have keys */
    lc_repetitions keys; /* ... these, as far as known */
    bool unusable;       /* its for_each is wrong: nothing is said of its keys */
    bool alias_is_key;   /* the document: one instance of a repeated block */
    lc_table by_key;     /* key -> lc_repetition */
} lc_provider_config;

typedef enum lc_use_state {
    LC_USE_RESOLVED,
    LC_USE_FAILED,    /* the core refuses it; the problem says so */
    LC_USE_UNDECIDED, /* cannot be told */
} lc_use_state;

typedef enum lc_use_way {
    LC_USE_NAMED,     /* by the block's `provider` */
    LC_USE_DEFAULT,   /* the module's default configuration of the type's name */
    LC_USE_INHERITED, /* the default configuration of a module around */
    LC_USE_PASSED,    /* through `providers` of a module call */
    LC_USE_IMPLIED,   /* the empty default configuration that nobody wrote */
} lc_use_way;

/* One resource instance, or (in doubt) a resource whose instances are not known. */
typedef struct lc_provider_use {
    lc_address address;
    lc_str text;
    const lc_config_resource *resource;
    lc_use_state state;
    lc_use_way way;
    const lc_provider_config *config; /* NULL: none was found */
    bool keyed;
    lc_str key;
    lc_str reference;    /* as written where the way says; empty for LC_USE_DEFAULT */
    lc_source_pos place; /* of the reference, or of the block */
    lc_str summary;      /* LC_USE_FAILED: the core's */
    lc_str undecided;    /* LC_USE_UNDECIDED */
    lc_source_pos undecided_place;
    bool instances_unknown;
} lc_provider_use;

typedef struct lc_provider_model {
    lc_arena *arena;
    lc_configuration *config;
    const lc_eval_context *around;
    LC_VEC(lc_provider_config *) configs;
    LC_VEC(lc_provider_use) uses; /* in order of the configuration */
    LC_VEC(size_t) refused;       /* problems of a state that OpenTofu tells, by index */
    bool state_refused;
    LC_VEC(lc_str) missing; /* configurations and instances that objects of a state lack */
    lc_table use;           /* address text -> index of uses */
    lc_table sibling;       /* resource -> the index of its first instance */
    lc_table module;        /* addresses of module instances that are declared */
    lc_table slots;         /* what a module knows a configuration as */
    lc_table reported;      /* problems that need no repetition */
} lc_provider_model;

/* Resolve everything. `around` gives variables and values; its config is `config`. */
void lc_provider_model_make(lc_provider_model *out, lc_arena *arena, lc_configuration *config,
                            const lc_eval_context *around);
/* The use at an instance's address, or NULL. */
const lc_provider_use *lc_provider_use_at(const lc_provider_model *model, lc_str address);
/* Whether a configuration that a state names is there, and its key. */
const lc_provider_config *lc_provider_config_at(const lc_provider_model *model,
                                                const lc_provider_address *address);
void lc_provider_use_address(lc_provider_address *out, const lc_provider_use *use);

/* ---- States. */

typedef struct lc_provider_object {
    lc_str address; /* of the instance */
    lc_str own;     /* empty: none */
} lc_provider_object;

/* What a state is to say of the providers of one resource. */
typedef struct lc_provider_record {
    lc_str resource; /* address without the instance's key */
    bool has_own;
    lc_str own; /* of the resource */
    lc_provider_object *objects;
    size_t count;
    size_t first; /* the use that objects[0] is of; the others follow it */
} lc_provider_record;

typedef struct lc_provider_records {
    LC_VEC(lc_provider_record) list;
    LC_VEC(lc_str) doubts; /* resources of which some instance is in doubt or refused */
    lc_table at;           /* resource -> index */
} lc_provider_records;
/* What the profile's client writes after everything is applied. */
void lc_provider_records_make(lc_provider_records *out, const lc_provider_model *model);

/* What is wrong in a state by itself. The problems are added to the configuration's, with what
 * OpenTofu says of them. */
void lc_provider_check_state(lc_provider_model *model, const lc_state_file *state);
/* What a state needs of the configuration. */
void lc_provider_check_objects(lc_provider_model *model, const lc_state_file *state);
/* The text with which OpenTofu refuses the state, or an empty one. */
lc_str lc_provider_state_error(const lc_provider_model *model);
/* `next` was written after the configuration had been applied. */
void lc_provider_check_next(lc_provider_model *model, const lc_state_file *next);
/* The client that is to read the state. */
typedef struct lc_provider_reader {
    bool given;
    bool terraform;
    unsigned major, minor;
} lc_provider_reader;
/* A client that is not given knows them. */
bool lc_provider_reader_knows_instances(const lc_provider_reader *reader);
bool lc_provider_reader_parse(lc_provider_reader *out, lc_str text); /* "terraform@1.11" */
void lc_provider_check_reader(lc_provider_model *model, const lc_state_file *state,
                              const lc_provider_reader *reader);
/* `before` was applied, `after` comes next: nothing that is to be destroyed may lose its instance.
 * Problems are added to those of `after`. */
void lc_provider_check_step(const lc_provider_model *before, lc_provider_model *after);

/* A plan as JSON: which of the repeated blocks it names without their keys. */
void lc_provider_check_plan(lc_provider_model *model, const lc_source *source, const lc_node *plan);

/* In which order to get from a state to a configuration, and to an older client that is to read the
 * state, one line each; nothing to say: none. */
typedef LC_VEC(lc_str) lc_provider_lines;
typedef struct lc_provider_advice {
    lc_provider_lines next;      /* objects lack their instances */
    lc_provider_lines downgrade; /* `reader` does not read what objects have */
} lc_provider_advice;
void lc_provider_advise(lc_provider_advice *out, const lc_provider_model *model,
                        const lc_state_file *state, const lc_provider_reader *reader);

/* ---- For reports. */

/* How an instance came by its provider instance: a few words. */
lc_str lc_provider_use_way(lc_arena *arena, const lc_provider_use *use);

typedef struct lc_provider_idle {
    lc_str address;
    lc_loc loc; /* of its block */
} lc_provider_idle;
typedef struct lc_provider_unused {
    LC_VEC(lc_provider_idle) list;
} lc_provider_unused;
/* Provider instances that no resource uses; none where some use is in doubt. */
void lc_provider_find_unused(lc_provider_unused *out, lc_arena *arena,
                             const lc_provider_model *model);
/* Uses and unused instances as a JSON array; nothing if there are none. */
void lc_provider_model_add_json(lc_buf *out, lc_arena *arena, const lc_provider_model *model);

/* ---- As a case. */

/* What a user expects of one resource instance. */
typedef struct lc_provider_expected {
    lc_str address;
    lc_str instance; /* as states name it; empty: none */
    lc_loc loc;
} lc_provider_expected;

typedef struct lc_provider_facts {
    lc_provider_model *model;
    LC_VEC(lc_provider_expected) expected;
    bool has_state, has_next, has_reader, has_sequence, has_plan;
} lc_provider_facts;
/* What judges it; `facts` lives as long as the case. */
const lc_planning *lc_provider_planning(lc_arena *arena, const lc_provider_facts *facts);

#endif
