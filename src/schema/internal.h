/* Inside the module schema: reading nodes into schemas, and what is computed from them. */
#ifndef LC_SCHEMA_INTERNAL_H
#define LC_SCHEMA_INTERNAL_H

#include "lifecheck/schema.h"

/* ---- places.c: lines and columns in a large text. */

typedef struct schema_mark {
    size_t offset;
    uint32_t line, column;
} schema_mark;

typedef struct schema_places {
    lc_arena *arena;
    lc_str file, text;
    schema_mark *marks; /* NULL until the first question */
    schema_mark last;
    lc_loc all_at; /* with a line: every place is this one */
} schema_places;

void schema_places_init(schema_places *places, lc_arena *arena, lc_str file, lc_str text);
/* As lc_loc_at; cheap for questions in order of the text. */
lc_loc schema_place(schema_places *places, size_t offset);

/* One reading of one schema. Everything kept is copied to `arena`; the nodes may go. */
typedef struct schema_reader {
    lc_arena *arena;
    const lc_source *source;
    schema_places *places; /* of the text, where it is JSON and may be large; else NULL */
    lc_diags *diags;
    bool strict; /* written by a person: what is not understood is an error */
    lc_status status;
} schema_reader;

/* ---- read_keys.c: members and scalars. */

#define SCHEMA_MAX_KEYS 12

typedef struct schema_keys {
    const char *what; /* "an attribute", for messages */
    const lc_schema_key *keys;
    size_t count;
} schema_keys;
#define SCHEMA_KEYS(what, keys)                                                                    \
    {                                                                                              \
        what, keys, sizeof(keys) / sizeof *(keys)                                                  \
    }
extern const schema_keys schema_function_keys, schema_parameter_keys;

lc_loc schema_loc(const schema_reader *r, uint64_t where);
#define schema_error(r, where, ...)                                                                \
    do {                                                                                           \
        lc_diag_error((r)->diags, schema_loc((r), (where)), __VA_ARGS__);                          \
        if ((r)->status == LC_OK)                                                                  \
            (r)->status = LC_EINPUT;                                                               \
    } while (0)
void schema_too_deep(schema_reader *r, uint64_t where, const char *what);
/* The members of `node` by the order of keys.keys; those that are null count as absent. */
bool schema_members(schema_reader *r, const lc_member **found, const lc_node *node,
                    const schema_keys *keys);
bool schema_read_mapping(schema_reader *r, const lc_node *node, const char *what);
/* `member` may be NULL: then the result keeps its value. */
void schema_read_flag(schema_reader *r, bool *out, const lc_member *member);
void schema_read_integer(schema_reader *r, int64_t *out, const lc_member *member);
/* In normal form, for names that become attribute names of types. */
lc_str schema_name(const schema_reader *r, lc_str name);

/* ---- read_type.c */

/* A type as type JSON or, read strictly, as a type expression; optional attributes are stripped.
 * NULL: not a type; *invalid is set where that is a fault of the schema, else it was reported. */
const lc_type *schema_read_type(schema_reader *r, const lc_node *node, bool *invalid);

/* ---- read.c */

/* A schema out of {version, block}; if read strictly, {identity, identity_version} as well. */
lc_status schema_read(lc_schema *out, schema_reader *r, const lc_node *node);
lc_status schema_read_identity(lc_schema *out, schema_reader *r, const lc_node *node);
const lc_block *schema_empty_block(lc_arena *arena);

/* ---- functions.c */

void schema_read_function(schema_reader *r, lc_function *out, lc_str name, lc_loc loc,
                          const lc_node *node);
void schema_read_functions(lc_schema *out, schema_reader *r, const lc_node *node);

/* ---- implied.c */

lc_nesting schema_nesting_from_text(lc_str text); /* LC_NESTING_INVALID if it is none */
bool schema_nesting_is_many(lc_nesting nesting);  /* list, set or map */
/* Fill in everything that follows from the declared members. */
void schema_finish_attribute(lc_attribute *a);
void schema_finish_nested(lc_arena *arena, lc_nested_type *nested, lc_attribute *attributes);
void schema_finish_block_type(lc_arena *arena, lc_block_type *type);
void schema_finish_block(lc_arena *arena, lc_block *block, lc_attribute *attributes,
                         lc_block_type *blocks);
/* The object type of attributes, whose slots are set. */
const lc_type *schema_attributes_type(lc_arena *arena, lc_attribute *attributes, size_t count);
bool schema_is_not_legacy(const lc_block *block);

/* ---- validate.c, validate_convention.c */

/* One walk over a schema. */
typedef struct schema_checker {
    lc_arena *arena;
    lc_schema_problems *out;
    const lc_schema *schema;
    size_t bytes;            /* of problems so far */
    lc_schema_problem spare; /* takes what is too much */
} schema_checker;

lc_schema_problem *schema_problem(schema_checker *c, lc_schema_fault fault, const lc_trail *at,
                                  lc_loc loc, const char *message);
/* What only a convention says about an attribute, a block or the root. */
void schema_check_attribute(schema_checker *c, const lc_attribute *a, const lc_trail *at,
                            const lc_attribute *parent, bool within_computed);
void schema_check_duplicates(schema_checker *c, const lc_block *block, const lc_trail *at,
                             lc_loc loc);
void schema_check_root_names(schema_checker *c);
bool schema_is_plain_name(lc_str name);
void schema_check_functions(schema_checker *c);

#endif
