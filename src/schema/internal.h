/* For the module schema alone: how nodes become schemas, what is derived from a schema, and how a
 * schema is validated.
 *
 * Functions that allocate take the arena of their reader or checker; what they return lives as long
 * as it. */
#ifndef LC_SCHEMA_INTERNAL_H
#define LC_SCHEMA_INTERNAL_H

#include "lifecheck/schema/schema_build.h"
#include "lifecheck/yaml_json/text_places.h"

/* The state of reading one schema. Everything that is kept is copied to `arena`, so the nodes may
 * be freed afterwards. `status` is the first failure; reading goes on after it, so that one run
 * reports all errors. */
typedef struct lc_schema_reader {
    lc_arena *arena;
    const lc_source *source;
    lc_text_places *places; /* positions in a JSON text, which may be large; NULL for YAML */
    lc_diags *diags;
    bool strict; /* an inline schema of a scenario: unknown keys are errors */
    lc_status status;
} lc_schema_reader;

/* ---- read_keys.c: members and scalars. */

/* Upper bound of the keys of one keyset; lc_schema_members asserts it. */
#define SCHEMA_MAX_KEYS 12

/* The keys that one kind of mapping takes. Constant tables. */
typedef struct lc_schema_keyset {
    const char *what; /* "an attribute", for messages */
    const lc_schema_key *keys;
    size_t count;
} lc_schema_keyset;
/* clang-format off */
#define SCHEMA_KEYS(what, keys) {what, keys, sizeof(keys) / sizeof *(keys)}
/* clang-format on */
extern const lc_schema_keyset lc_schema_function_keys, lc_schema_parameter_keys;

/* Line and column of a node; `where` is lc_node.where, or lc_member.where. */
lc_loc lc_schema_loc(const lc_schema_reader *r, uint64_t where);
/* Adds a diagnostic at `where` and makes the reading fail, without ending it. */
#define schema_error(r, where, ...)                                                                \
    do {                                                                                           \
        lc_diag_error((r)->diags, lc_schema_loc((r), (where)), __VA_ARGS__);                       \
        if ((r)->status == LC_OK)                                                                  \
            (r)->status = LC_EINPUT;                                                               \
    } while (0)
/* Reports that `what` exceeds LC_MAX_DEPTH and sets the status to LC_ELIMIT. */
void lc_schema_too_deep(lc_schema_reader *r, uint64_t where, const char *what);
/* Sorts the members of `node` into `found`, one entry for each key, in the order of keys->keys;
 * NULL where the key is absent or null. `found` has room for SCHEMA_MAX_KEYS. False: `node` is not
 * a mapping, which was reported. */
bool lc_schema_members(lc_schema_reader *r, const lc_member **found, const lc_node *node,
                       const lc_schema_keyset *keys);
/* False: `node` is not a mapping, or carries a local tag such as !unknown; that was reported. */
bool lc_schema_read_mapping(lc_schema_reader *r, const lc_node *node, const char *what);
/* Read a boolean or an integer. `member` may be NULL: `*out` then keeps its value. A wrong kind of
 * value is reported, and `*out` keeps its value too. */
void lc_schema_read_flag(lc_schema_reader *r, bool *out, const lc_member *member);
void lc_schema_read_integer(lc_schema_reader *r, int64_t *out, const lc_member *member);
/* The name in NFC, as cty normalises attribute names; a copy in the reader's arena. */
lc_str lc_schema_name(const lc_schema_reader *r, lc_str name);

/* ---- read_type.c */

/* A type constraint: type JSON or, in an inline schema, also a type expression. Optional attributes
 * are stripped, because values never have them. NULL: not a type. Then *invalid is set if this is a
 * fault of the provider's schema; otherwise it was reported as an error. */
const lc_type *lc_schema_read_type(lc_schema_reader *r, const lc_node *node, bool *invalid);
/* Reports an inline type that is none, with what its author may have meant. */
void lc_schema_report_type(lc_schema_reader *r, const lc_node *node);

/* ---- read.c */

/* Reads {version, block} into `*out`, and from an inline schema also {identity, identity_version,
 * functions}. Returns the status of `r`; all of `*out` lives in its arena. */
lc_status lc_schema_read(lc_schema *out, lc_schema_reader *r, const lc_node *node);
/* Adds an identity schema, {version, attributes}, to a schema that was read. */
lc_status lc_schema_read_identity(lc_schema *out, lc_schema_reader *r, const lc_node *node);

/* ---- functions.c */

/* One provider function: `name` and `loc` come from the member that holds `node`. */
void lc_schema_read_function(lc_schema_reader *r, lc_function *out, lc_str name, lc_loc loc,
                             const lc_node *node);
/* All functions of an inline schema: a mapping of names to functions. */
void lc_schema_read_functions(lc_schema *out, lc_schema_reader *r, const lc_node *node);

/* ---- implied.c */

bool lc_schema_nesting_is_many(lc_nesting nesting); /* list, set or map */
/* The object type of the attributes, in `arena`; sets the slot of each of them. */
const lc_type *lc_schema_attributes_type(lc_arena *arena, lc_attribute *attributes, size_t count);
/* NoLegacy of contract-algorithms 4.1: does the block use what no provider of SDKv2
 * declares? */
bool lc_schema_is_not_legacy(const lc_block *block);

/* ---- validate.c, validate_convention.c */

/* The state of validating one schema. Problems go to `out` and live in `arena`. */
typedef struct lc_schema_checker {
    lc_arena *arena;
    lc_schema_problems *out;
    const lc_schema *schema;
    size_t bytes;            /* memory of the problems so far */
    lc_schema_problem spare; /* overwritten by each problem above the memory limit */
} lc_schema_checker;

/* Adds a problem without any core's text and returns it, so that the caller can fill in these
 * strings. Never NULL: above the memory limit it is c->spare. `message` is a constant, `at` is
 * copied. */
lc_schema_problem *lc_schema_report_problem(lc_schema_checker *c, lc_schema_fault fault,
                                            const lc_trail *at, lc_loc loc, const char *message);
/* Problems that no core reports, of one attribute, one block, or the names at the root. `parent` is
 * the attribute whose nested type holds `a`, or NULL. */
void lc_schema_check_attribute(lc_schema_checker *c, const lc_attribute *a, const lc_trail *at,
                               const lc_attribute *parent, bool within_computed);
void lc_schema_check_duplicates(lc_schema_checker *c, const lc_block *block, const lc_trail *at,
                                lc_loc loc);
void lc_schema_check_root_names(lc_schema_checker *c);
/* Lowercase letters, digits and underscores, at least one. */
bool lc_schema_is_plain_name(lc_str name);
/* Problems of the functions of a provider's schema. */
void lc_schema_check_functions(lc_schema_checker *c);

#endif
