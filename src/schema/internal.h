/* Inside the module schema: reading nodes into schemas, and what is computed from them. */
#ifndef LC_SCHEMA_INTERNAL_H
#define LC_SCHEMA_INTERNAL_H

#include "lifecheck/schema_build.h"
#include "lifecheck/text_places.h"

/* One reading of one schema. Everything kept is copied to `arena`; the nodes may go. */
typedef struct lc_schema_reader {
    lc_arena *arena;
    const lc_source *source;
    lc_text_places *places; /* of the text, where it is JSON and may be large; else NULL */
    lc_diags *diags;
    bool strict; /* written by a person: what is not understood is an error */
    lc_status status;
} lc_schema_reader;

/* ---- read_keys.c: members and scalars. */

#define SCHEMA_MAX_KEYS 12

typedef struct lc_schema_keyset {
    const char *what; /* "an attribute", for messages */
    const lc_schema_key *keys;
    size_t count;
} lc_schema_keyset;
#define SCHEMA_KEYS(what, keys)                                                                    \
    {                                                                                              \
        what, keys, sizeof(keys) / sizeof *(keys)                                                  \
    }
extern const lc_schema_keyset lc_schema_function_keys, lc_schema_parameter_keys;

lc_loc lc_schema_loc(const lc_schema_reader *r, uint64_t where);
#define schema_error(r, where, ...)                                                                \
    do {                                                                                           \
        lc_diag_error((r)->diags, lc_schema_loc((r), (where)), __VA_ARGS__);                       \
        if ((r)->status == LC_OK)                                                                  \
            (r)->status = LC_EINPUT;                                                               \
    } while (0)
void lc_schema_too_deep(lc_schema_reader *r, uint64_t where, const char *what);
/* The members of `node` by the order of keys.keys; those that are null count as absent. */
bool lc_schema_members(lc_schema_reader *r, const lc_member **found, const lc_node *node,
                       const lc_schema_keyset *keys);
bool lc_schema_read_mapping(lc_schema_reader *r, const lc_node *node, const char *what);
/* `member` may be NULL: then the result keeps its value. */
void lc_schema_read_flag(lc_schema_reader *r, bool *out, const lc_member *member);
void lc_schema_read_integer(lc_schema_reader *r, int64_t *out, const lc_member *member);
/* In normal form, for names that become attribute names of types. */
lc_str lc_schema_name(const lc_schema_reader *r, lc_str name);

/* ---- read_type.c */

/* A type as type JSON or, read strictly, as a type expression; optional attributes are stripped.
 * NULL: not a type; *invalid is set where that is a fault of the schema, else it was reported. */
const lc_type *lc_schema_read_type(lc_schema_reader *r, const lc_node *node, bool *invalid);

/* ---- read.c */

/* A schema out of {version, block}; if read strictly, {identity, identity_version} as well. */
lc_status lc_schema_read(lc_schema *out, lc_schema_reader *r, const lc_node *node);
lc_status lc_schema_read_identity(lc_schema *out, lc_schema_reader *r, const lc_node *node);

/* ---- functions.c */

void lc_schema_read_function(lc_schema_reader *r, lc_function *out, lc_str name, lc_loc loc,
                             const lc_node *node);
void lc_schema_read_functions(lc_schema *out, lc_schema_reader *r, const lc_node *node);

/* ---- implied.c */

bool lc_schema_nesting_is_many(lc_nesting nesting); /* list, set or map */
/* The object type of attributes, whose slots are set. */
const lc_type *lc_schema_attributes_type(lc_arena *arena, lc_attribute *attributes, size_t count);
bool lc_schema_is_not_legacy(const lc_block *block);

/* ---- validate.c, validate_convention.c */

/* One walk over a schema. */
typedef struct lc_schema_checker {
    lc_arena *arena;
    lc_schema_problems *out;
    const lc_schema *schema;
    size_t bytes;            /* of problems so far */
    lc_schema_problem spare; /* takes what is too much */
} lc_schema_checker;

lc_schema_problem *lc_schema_report_problem(lc_schema_checker *c, lc_schema_fault fault,
                                            const lc_trail *at, lc_loc loc, const char *message);
/* What only a convention says about an attribute, a block or the root. */
void lc_schema_check_attribute(lc_schema_checker *c, const lc_attribute *a, const lc_trail *at,
                               const lc_attribute *parent, bool within_computed);
void lc_schema_check_duplicates(lc_schema_checker *c, const lc_block *block, const lc_trail *at,
                                lc_loc loc);
void lc_schema_check_root_names(lc_schema_checker *c);
bool lc_schema_is_plain_name(lc_str name);
void lc_schema_check_functions(lc_schema_checker *c);

#endif
