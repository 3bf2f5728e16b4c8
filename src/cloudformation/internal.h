/* Inside the module schema: CloudFormation types while they are derived. */
#ifndef LC_CLOUDFORMATION_INTERNAL_H
#define LC_CLOUDFORMATION_INTERNAL_H

#include "lifecheck/cloudformation.h"
#include "lifecheck/enum.h"
#include "lifecheck/schema_build.h"
#include "lifecheck/text_places.h"

/* Keywords that are looked at; what else stands in a schema has no effect. */
typedef enum lc_cfn_key {
    CFN_REF,
    CFN_TYPE,
    CFN_PROPERTIES,
    CFN_PATTERN_PROPERTIES,
    CFN_ADDITIONAL,
    CFN_ITEMS,
    CFN_REQUIRED,
    CFN_DEFAULT,
    CFN_DESCRIPTION,
    CFN_ENUM,
    CFN_FORMAT,
    CFN_PATTERN,
    CFN_MIN_LENGTH,
    CFN_MAX_LENGTH,
    CFN_MINIMUM,
    CFN_MAXIMUM,
    CFN_MIN_ITEMS,
    CFN_MAX_ITEMS,
    CFN_UNIQUE_ITEMS,
    CFN_INSERTION_ORDER,
    CFN_ONE_OF,
    CFN_ANY_OF,
    CFN_ALL_OF,
    CFN_IF,
    CFN_THEN,
    CFN_ELSE,
    CFN_NOT,
    CFN_DEPENDENCIES,
    CFN_KEYS
} lc_cfn_key;

#define CFN_TYPES(X)                                                                               \
    X(CFN_NONE, "") /* no type is given */                                                         \
    X(CFN_BOOLEAN, "boolean")                                                                      \
    X(CFN_INTEGER, "integer")                                                                      \
    X(CFN_NUMBER, "number")                                                                        \
    X(CFN_STRING, "string")                                                                        \
    X(CFN_ARRAY, "array")                                                                          \
    X(CFN_OBJECT, "object")                                                                        \
    X(CFN_OTHER, "a type of another kind") /* a type that is none of these */
LC_ENUM(lc_cfn_json_type, CFN_TYPES);

/* A property's schema of its own, or one that a union gave it. */
typedef struct lc_cfn_shape_member {
    lc_str name;
    uint64_t where;
    const lc_node *node;
    const lc_cfn_place *place;
} lc_cfn_shape_member;

/* What one schema of the file says, looked at once. */
typedef struct lc_cfn_view {
    const lc_node *node;
    const lc_cfn_place *place;
    lc_loc loc;
    const lc_node *keys[CFN_KEYS]; /* NULL: absent, or not usable */
    lc_cfn_json_type type;
    lc_str type_text;             /* of CFN_OTHER */
    lc_cfn_shape_member *members; /* sorted by name */
    size_t member_count;
    lc_table *required; /* names, where they are many */
    lc_str broken;      /* why it cannot be used; "": it can */
    /* After allOf. */
    const struct lc_cfn_view *whole;
    const struct lc_cfn_use *failure; /* or why there is none */
    LC_VEC(lc_str) passed;            /* definitions that it led through */
    const lc_node *whole_default;
    bool busy; /* it is being put together */
} lc_cfn_view;

/* A definition that derivation is inside of. */
typedef struct lc_cfn_frame {
    const struct lc_cfn_frame *up;
    lc_str name;
    size_t depth;
} lc_cfn_frame;

/* A schema after its $ref. */
typedef struct lc_cfn_use {
    const lc_cfn_view *view;
    const lc_cfn_frame *frame;
    const lc_node *default_node;
    lc_str description;
    lc_str broken;         /* why there is none */
    lc_cfn_fault fault;    /* of that */
    const lc_cfn_view *at; /* and where */
} lc_cfn_use;

typedef struct lc_cfn_reader {
    lc_arena *arena;
    lc_source source;
    lc_text_places places; /* of a file */
    const lc_lines *lines; /* of a type that stands in another document, or NULL */
    lc_cfn_type *type;
    lc_diags *diags;
    const lc_node *root;
    lc_table definitions; /* "/definitions/Tag" and "/properties/Arn" to members */
    lc_table used;        /* the definitions that a property needs */
    lc_table views;       /* by node */
    lc_table names;       /* attribute names at all depths to CloudFormation's */
    lc_table back;        /* and the other way */
    lc_table folded;      /* CloudFormation's names to attribute names, which are many times the
                             same */
    lc_table patterns;    /* by their text: checks that have them */
    size_t attributes;    /* so far */
    unsigned unions;      /* allOf within allOf */
    bool too_many;
} lc_cfn_reader;

/* ---- cloudformation/view.c */

const lc_cfn_place *lc_cfn_reader_place(lc_cfn_reader *r, const lc_cfn_place *up, lc_str token);
lc_loc lc_cfn_loc(lc_cfn_reader *r, uint64_t where);
void lc_cfn_report_problem(lc_cfn_reader *r, lc_cfn_fault fault, bool error, uint64_t where,
                           const lc_cfn_place *place, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void lc_cfn_fail_use(lc_cfn_use *use, const lc_cfn_view *at, lc_cfn_fault fault, lc_str why);
lc_cfn_view *lc_cfn_look(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place);
lc_cfn_use lc_cfn_resolve(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place,
                          const lc_cfn_frame *frame);
bool lc_cfn_requires(const lc_cfn_view *view, lc_str name);
/* Members sorted by name. */
void lc_cfn_sort(lc_cfn_shape_member *members, size_t count);

/* ---- union.c: oneOf, anyOf, allOf. */

/* Members of the branches where the schema has none of its own; those that are passed over are
 * told. */
void lc_cfn_unite(lc_cfn_reader *r, lc_cfn_view *view);
/* The same schema after allOf, once resolved is `view`. NULL: `use` says what is wrong. */
const lc_cfn_view *lc_cfn_all_of(lc_cfn_reader *r, lc_cfn_view *view, lc_cfn_use *use);

/* ---- shape.c */

/* The shape of the root's properties and everything below. */
const lc_cfn_shape *lc_cfn_read_shape(lc_cfn_reader *r, const lc_cfn_view *root);
/* "A/B/C", the names that lead to a property. */
lc_str lc_cfn_property_path(lc_cfn_reader *r, const lc_cfn_property *p);

/* ---- checks.c */

/* A whole number; `strict`: written as one. */
bool lc_cfn_integer(const lc_node *node, lc_arena *arena, bool strict, lc_num *out);
/* What the keywords of a schema demand of a value of the form. NULL: nothing. */
const lc_cfn_checks *lc_cfn_read_checks(lc_cfn_reader *r, const lc_cfn_view *view, lc_cfn_form form,
                                        const lc_cfn_property *p, bool element);

/* ---- map.c: one name for one property. */

/* Give a property its attribute's name. False: it can have none, and why_not says why. */
bool lc_cfn_give_name(lc_cfn_reader *r, lc_cfn_property *p, const lc_cfn_shape_member *member);

/* ---- name.c */

/* Adds a property's name with the words that the provider spells in its own way respelled, or
 * (back) a name made of such words as properties spell them. Was there one? */
bool lc_cfn_add_words(lc_buf *out, lc_str s, bool back);

/* ---- pointer.c */

/* The next token of a pointer, with ~1 and ~0 taken back; false at its end. */
bool lc_cfn_next_token(lc_cfn_reader *r, lc_str *rest, lc_str *token);

void lc_cfn_pointers(lc_cfn_reader *r);

/* ---- flags.c */

void lc_cfn_flags(lc_cfn_reader *r);
void lc_cfn_schemas(lc_cfn_reader *r);

#endif
