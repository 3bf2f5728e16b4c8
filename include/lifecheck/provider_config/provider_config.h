/* Provider instances: which provider configurations and instances a configuration has, and which
 * one each resource instance uses. Module provider_config. Source: runs-and-providers section 4
 * with its findings. Three profiles: Terraform, OpenTofu, and the document, which is the proposal
 * of provider iteration.
 *
 * What is wrong with a configuration is added to its problems, each with its rule. What cannot be
 * determined is not a problem: the use says that it is undecided, and why. Everything lives in the
 * model's arena or is borrowed from configuration and state. */
#ifndef LIFECHECK_PROVIDER_CONFIG_PROVIDER_CONFIG_H
#define LIFECHECK_PROVIDER_CONFIG_PROVIDER_CONFIG_H

#include "lifecheck/configuration/expression.h"
#include "lifecheck/configuration/hidden_keys.h"
#include "lifecheck/configuration/scope.h"
#include "lifecheck/contract/planning.h"
#include "lifecheck/plan/state.h"

/* ---- Names and references. */

/* The source address "host/namespace/type" of a local name in a module. */
lc_str lc_provider_of(lc_arena *arena, lc_profile profile, const lc_module *module,
                      lc_str local_name);
/* The local name that a resource type implies without `provider`: its text up to the first `_`.
 * Borrowed. */
lc_str lc_provider_name_of_type(lc_str type);

/* A reference NAME[.ALIAS][[KEY]]. */
typedef struct lc_provider_ref {
    bool ok; /* false: not a reference in this profile */
    lc_str name, alias;
    const lc_expr *key;  /* NULL: no key */
    bool key_is_dynamic; /* something follows the key */
} lc_provider_ref;
lc_provider_ref lc_provider_ref_parse(const lc_config_ref *written, lc_profile profile);

/* ---- Addresses in states: [module.M.]provider["FQN"][.ALIAS][["KEY"]] */

/* Such an address, taken apart. */
typedef struct lc_provider_address {
    lc_str module; /* module.a.module.b without keys; "" is the root */
    lc_str fqn;    /* source address host/namespace/type */
    lc_str alias;  /* "" for the default configuration */
    bool keyed;    /* has a key */
    lc_str key;
    bool legacy; /* provider.NAME[.ALIAS], the form before Terraform 0.13 */
} lc_provider_address;
/* Parses an address. A short source gets the registry of the profile; only the document allows a
 * key without an alias. False: *why is OpenTofu's error, without a position. */
bool lc_provider_address_parse(lc_provider_address *out, lc_arena *arena, lc_profile profile,
                               lc_str text, lc_eval_error *why);
/* The canonical text, in the arena. */
lc_str lc_provider_address_text(lc_arena *arena, const lc_provider_address *address);
/* True if both name the same configuration, regardless of the key. */
bool lc_provider_address_same_config(const lc_provider_address *a, const lc_provider_address *b);

/* ---- The model. */

/* A provider configuration: a block, or in the document one instance of a repeated block. */
typedef struct lc_provider_config {
    const lc_module *module;
    /* NULL: the implied empty default configuration */
    const lc_config_provider *block;
    lc_str fqn; /* source address */
    lc_str alias;
    bool repeats;        /* a repeated block: its instances have keys */
    lc_repetitions keys; /* the keys, as far as known */
    /* Its for_each is invalid, so its keys are not known; reported. */
    bool unusable;
    /* The document: one instance of a repeated block, with its key as alias. */
    bool alias_is_key;
    lc_table by_key; /* key -> lc_repetition * */
} lc_provider_config;

/* Whether the provider instance of a resource instance is known. */
typedef enum lc_use_state {
    LC_USE_RESOLVED,
    LC_USE_FAILED,    /* the core rejects it; a problem was added */
    LC_USE_UNDECIDED, /* cannot be determined */
} lc_use_state;

/* How a resource came by its configuration. */
typedef enum lc_use_way {
    LC_USE_NAMED,     /* by its `provider` argument */
    LC_USE_DEFAULT,   /* default configuration of the type's provider in its own module */
    LC_USE_INHERITED, /* default configuration of a module around */
    LC_USE_PASSED,    /* through `providers` of a module call */
    LC_USE_IMPLIED,   /* the empty default configuration that no block defines */
} lc_use_way;

/* The provider use of one resource instance, or of a whole resource if its instances are not
 * known. */
typedef struct lc_provider_use {
    lc_address address;
    lc_str text; /* text of `address` */
    const lc_config_resource *resource;
    lc_use_state state;
    lc_use_way way;
    const lc_provider_config *config; /* NULL: not found */
    bool keyed;                       /* uses the instance `key` of the configuration */
    lc_str key;
    /* As written, for LC_USE_NAMED and LC_USE_PASSED; else empty. */
    lc_str reference;
    lc_source_pos place; /* of the reference, or of the resource block */
    lc_str summary;      /* LC_USE_FAILED: the core's error; empty: only `detail` is known */
    lc_str detail;       /* of the same; both empty: the error is reported at the configuration */
    lc_str undecided;    /* LC_USE_UNDECIDED: the reason */
    lc_source_pos undecided_place;
    bool instances_unknown;
} lc_provider_use;

/* The whole model. Made by lc_provider_model_make. */
typedef struct lc_provider_model {
    lc_arena *arena;
    lc_configuration *config;
    const lc_eval_context *around;
    LC_VEC(lc_provider_config *) configs;
    LC_VEC(lc_provider_use) uses; /* in the order of the configuration */
    /* Indices of problems that OpenTofu reports when it reads the state. */
    LC_VEC(size_t) refused;
    bool state_refused; /* one of them is an error */
    /* Configurations and instances that objects of a state need and the configuration does not
     * have. */
    LC_VEC(lc_str) missing;
    lc_table use; /* address text -> index in `uses` */
    /* Resource address -> index of its first instance in `uses`. */
    lc_table sibling;
    lc_table module; /* addresses of declared module instances (a set) */
    lc_table slots;  /* module, source and alias -> lc_provider_entry * */
    /* Keys of problems that are reported only once (a set). */
    lc_table reported;
    lc_hidden_keys hidden; /* keys that no text shows */
} lc_provider_model;

/* Resolves everything. `around` gives variables and values; its config is `config`. Problems are
 * added to `config`. */
void lc_provider_model_make(lc_provider_model *out, lc_arena *arena, lc_configuration *config,
                            const lc_eval_context *around);
/* The use of a resource instance; NULL: none is declared at the address. */
const lc_provider_use *lc_provider_use_at(const lc_provider_model *model, lc_str address);
/* The configuration that all instances of a resource use, of which there may be none; NULL: it does
 * not exist, or depends on the instance. */
const lc_provider_config *lc_provider_config_of(lc_provider_model *model,
                                                const lc_config_resource *resource);
/* The configuration that a stored address names, regardless of its key; NULL: it does not exist. */
const lc_provider_config *lc_provider_config_at(const lc_provider_model *model,
                                                const lc_provider_address *address);
/* The address that a state has for a resolved use. Borrows. */
void lc_provider_use_address(lc_provider_address *out, const lc_provider_use *use);

/* ---- States. */

/* What a state stores of the provider of one object. */
typedef struct lc_provider_object {
    lc_str address; /* of the instance */
    lc_str own;     /* the object's own provider address; empty: it has none */
} lc_provider_object;

/* What a state stores of the providers of one resource. */
typedef struct lc_provider_record { /* address without an instance key */
    lc_str resource;                /* address without the instance's key */
    bool has_own;                   /* the resource has a provider address */
    lc_str own;                     /* of the resource */
    lc_provider_object *objects;    /* its instances, in the order of the uses */
    size_t count;
    size_t first; /* index of the use of objects[0]; the others follow */
} lc_provider_record;

/* The same for all resources. */
typedef struct lc_provider_records {
    LC_VEC(lc_provider_record) list;
    /* Addresses of resources with an instance that is undecided or failed. */
    LC_VEC(lc_str) doubts;
    lc_table at; /* resource address -> index in `list` */
} lc_provider_records;
/* Computes what the profile's client writes after everything is applied. */
void lc_provider_records_make(lc_provider_records *out, const lc_provider_model *model);

/* Checks the provider addresses of a state by themselves. Problems have the text that OpenTofu
 * prints. */
void lc_provider_check_state(lc_provider_model *model, const lc_state_file *state);
/* Checks that the configuration has the provider instances that stored objects need. */
void lc_provider_check_objects(lc_provider_model *model, const lc_state_file *state);
/* A stored object that is to be destroyed, or forgotten. */
typedef struct lc_provider_orphan {
    const lc_address *address; /* of its instance, after moves */
    lc_str text;               /* text of `address` */
    lc_str deposed;            /* deposed key, or empty */
    lc_str provider;           /* as stored */
    lc_loc loc;
    bool expanded; /* the client has expanded modules and resources of the configuration before */
} lc_provider_orphan;
/* The problem if the configuration does not have the provider instance that its destruction needs;
 * NULL: none, or it cannot be determined. Valid until the next problem is added. */
const lc_config_problem *lc_provider_check_orphan(lc_provider_model *model,
                                                  const lc_provider_orphan *orphan);
/* The text with which OpenTofu rejects the state; empty: it does not. */
lc_str lc_provider_state_error(const lc_provider_model *model);
/* Checks that `next`, written after the configuration was applied, has the expected addresses. */
void lc_provider_check_next(lc_provider_model *model, const lc_state_file *next);
/* The client that will read the state, for checks before a downgrade. */
typedef struct lc_provider_reader {
    bool given;
    bool terraform;
    unsigned major, minor;
} lc_provider_reader;
/* True if the client knows provider instances in states (OpenTofu 1.9), or is not given. */
bool lc_provider_reader_knows_instances(const lc_provider_reader *reader);
/* Parses a client, e.g. "terraform@1.11". False: malformed. */
bool lc_provider_reader_parse(lc_provider_reader *out, lc_str text);
void lc_provider_check_reader(lc_provider_model *model, const lc_state_file *state,
                              const lc_provider_reader *reader);
/* `before` was applied, `after` is next: objects that will be destroyed must not lose their
 * provider instance in the same step. Problems are added to those of `after`. */
void lc_provider_check_step(const lc_provider_model *before, lc_provider_model *after);

/* Warns where a plan as JSON names a repeated block without the key of the instance. */
void lc_provider_check_plan(lc_provider_model *model, const lc_source *source, const lc_node *plan);

/* Advice in steps, one line each: how to get from a state to the configuration, and to an older
 * client. Empty lists: no advice is needed. */
typedef LC_VEC(lc_str) lc_provider_lines;
typedef struct lc_provider_advice {
    lc_provider_lines next; /* objects lack their provider instances */
    /* `reader` does not know the addresses that objects have */
    lc_provider_lines downgrade;
} lc_provider_advice;
void lc_provider_advise(lc_provider_advice *out, const lc_provider_model *model,
                        const lc_state_file *state, const lc_provider_reader *reader);

/* ---- For reports. */

/* In a few words how an instance came by its provider instance. */
lc_str lc_provider_use_way(lc_arena *arena, const lc_provider_use *use);

/* A provider instance that no resource uses. */
typedef struct lc_provider_idle {
    lc_str address; /* address as in states */
    lc_loc loc;     /* of its block */
} lc_provider_idle;
typedef struct lc_provider_unused {
    LC_VEC(lc_provider_idle) list;
} lc_provider_unused;
/* Finds unused provider instances; none if some use is undecided, because it may be the missing
 * one. */
void lc_provider_find_unused(lc_provider_unused *out, lc_arena *arena,
                             const lc_provider_model *model);
/* Appends uses and unused instances as a JSON array; nothing if there are none. */
void lc_provider_model_add_json(lc_buf *out, lc_arena *arena, const lc_provider_model *model);

/* ---- As a case. */

/* What a user expects of one resource instance. */
typedef struct lc_provider_expected {
    lc_str address;
    lc_str instance; /* provider instance as states name it; empty: none */
    lc_loc loc;
} lc_provider_expected;

/* Everything that the rules of the domain are judged by. */
typedef struct lc_provider_facts {
    lc_provider_model *model;
    LC_VEC(lc_provider_expected) expected;
    /* Which inputs are given; rules that need others are reported as not checked. */
    bool has_state, has_next, has_reader, has_sequence, has_plan;
} lc_provider_facts;
/* The judge of a case about providers. `facts` must live as long as the case. */
const lc_planning *lc_provider_planning(lc_arena *arena, const lc_provider_facts *facts);

#endif
