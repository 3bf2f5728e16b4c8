/* For the module cloudformation alone: resource types while Terraform schemas are derived from
 * them.
 *
 * "The provider" is awscc, the Cloud Control provider, with its schema generator. The profile
 * LC_CFN_AWSCC mirrors it; LC_CFN_DOCUMENT follows its documentation. Everything is allocated in
 * the reader's arena and has the life of the resulting type. */
#ifndef LC_CLOUDFORMATION_INTERNAL_H
#define LC_CLOUDFORMATION_INTERNAL_H

#include "lifecheck/base/enum.h"
#include "lifecheck/cloudformation/cloudformation.h"
#include "lifecheck/schema/schema_build.h"
#include "lifecheck/yaml_json/text_places.h"

/* The keywords of JSON Schema that have an effect; all others are ignored. */
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

/* The values of "type". */
#define CFN_TYPES(X)                                                                               \
    X(CFN_NONE, "") /* no type is given */                                                         \
    X(CFN_BOOLEAN, "boolean")                                                                      \
    X(CFN_INTEGER, "integer")                                                                      \
    X(CFN_NUMBER, "number")                                                                        \
    X(CFN_STRING, "string")                                                                        \
    X(CFN_ARRAY, "array")                                                                          \
    X(CFN_OBJECT, "object")                                                                        \
    X(CFN_OTHER, "a type of another kind") /* any other type */
LC_ENUM(lc_cfn_json_type, CFN_TYPES);

/* A member of "properties": the schema's own, or one from a branch of oneOf or allOf. `where` is
 * the position of its name. */
typedef struct lc_cfn_shape_member {
    lc_str name;
    uint64_t where;
    const lc_node *node;
    const lc_cfn_place *place;
} lc_cfn_shape_member;

/* The keywords of one schema object in the file. Each schema gets one view, however many properties
 * refer to it. */
typedef struct lc_cfn_view {
    const lc_node *node;
    const lc_cfn_place *place;
    lc_loc loc;
    const lc_node *keys[CFN_KEYS]; /* NULL: absent or of the wrong type */
    lc_cfn_json_type type;
    lc_str type_text;             /* the type's name, for messages about CFN_OTHER */
    lc_cfn_shape_member *members; /* sorted by name */
    size_t member_count;
    lc_table *required; /* the names in "required", if there are many; else NULL */
    lc_str broken;      /* why the schema cannot be used; "": it can */
    /* The result of merging allOf, computed once: either `whole` or `failure` is set. */
    const struct lc_cfn_view *whole;
    const struct lc_cfn_use *failure; /* why merging failed */
    LC_VEC(lc_str) passed;            /* definitions that the branches refer to */
    const lc_node *whole_default;
    bool busy; /* being merged now: meeting it again is a recursion */
} lc_cfn_view;

/* A definition that is being expanded. The chain of frames detects recursive definitions, which
 * have no Terraform type. */
typedef struct lc_cfn_frame {
    const struct lc_cfn_frame *up;
    lc_str name;
    size_t depth;
} lc_cfn_frame;

/* The schema that a $ref leads to. `description` and `default_node` are the outermost ones on the
 * way. */
typedef struct lc_cfn_use {
    const lc_cfn_view *view;
    const lc_cfn_frame *frame;
    const lc_node *default_node;
    lc_str description;
    lc_str broken;         /* why `view` is NULL */
    lc_cfn_fault fault;    /* the kind of that problem */
    const lc_cfn_view *at; /* the view where it was found */
} lc_cfn_use;

/* The state of reading one type. All tables live in `arena`. */
typedef struct lc_cfn_reader {
    lc_arena *arena;
    lc_source source;
    lc_text_places places; /* of a file */
    const lc_lines *lines; /* for a type inside another document; NULL for a file */
    lc_cfn_type *type;
    lc_diags *diags;
    const lc_node *root;
    lc_table definitions; /* "/definitions/Tag" and "/properties/Arn" to members */
    lc_table used;        /* definitions that some property refers to */
    lc_table views;       /* node to lc_cfn_view */
    lc_table names;       /* attribute name, at any depth, to property name */
    lc_table back;        /* property name to attribute name */
    lc_table folded;      /* cache of lc_cfn_attribute_name, as the same names occur many times */
    lc_table patterns;    /* pattern text to the checks that have compiled it */
    size_t attributes;    /* number of properties so far, for the limit */
    unsigned unions;      /* depth of allOf inside allOf */
    bool too_many;
} lc_cfn_reader;

/* ---- cloudformation/view.c */

/* The place below `up` with this token; `token` is borrowed. */
const lc_cfn_place *lc_cfn_reader_place(lc_cfn_reader *r, const lc_cfn_place *up, lc_str token);
/* Line and column of a node's `where`. */
lc_loc lc_cfn_loc(lc_cfn_reader *r, uint64_t where);
/* Adds a problem to the type; an `error` is also counted. The message is cut off at 1 KiB. */
void lc_cfn_report_problem(lc_cfn_reader *r, lc_cfn_fault fault, bool error, uint64_t where,
                           const lc_cfn_place *place, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Notes in `use` why it has no view; `why` is borrowed. */
void lc_cfn_fail_use(lc_cfn_use *use, const lc_cfn_view *at, lc_cfn_fault fault, lc_str why);
/* The view of a schema, made at the first call. Never NULL: see `broken`. */
lc_cfn_view *lc_cfn_look(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place);
/* Follows $ref from a schema to the one that describes the value, and merges allOf. `frame` has the
 * definitions that are being expanded already, NULL: none. On failure the view of the result is
 * NULL, and the result has the reason. */
lc_cfn_use lc_cfn_resolve(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place,
                          const lc_cfn_frame *frame);
/* Is the name in "required" of this schema? */
bool lc_cfn_requires(const lc_cfn_view *view, lc_str name);
/* Sorts members by name, and equal names by position. */
void lc_cfn_sort(lc_cfn_shape_member *members, size_t count);

/* ---- union.c: oneOf, anyOf, allOf. */

/* Gives the view the members of its oneOf branches if it has none itself, and reports properties
 * that are ignored because they are in other branches. */
void lc_cfn_unite(lc_cfn_reader *r, lc_cfn_view *view);
/* The view of the schema with allOf merged. NULL: `use` has the reason. */
const lc_cfn_view *lc_cfn_all_of(lc_cfn_reader *r, lc_cfn_view *view, lc_cfn_use *use);

/* ---- shape.c */

/* The shape of the whole type: an object with everything below it. Never NULL. */
const lc_cfn_shape *lc_cfn_read_shape(lc_cfn_reader *r, const lc_cfn_view *root);
/* "A/B/C", the names that lead to a property. */
lc_str lc_cfn_property_path(lc_cfn_reader *r, const lc_cfn_property *p);

/* ---- checks.c */

/* Is the node a whole number? `strict`: written as an int64 in decimal digits, as Go unmarshals it.
 */
bool lc_cfn_integer(const lc_node *node, lc_arena *arena, bool strict, lc_num *out);
/* The restrictions that the keywords of a schema put on values of a form. `element`: values are
 * elements of an array or map. NULL: none. */
const lc_cfn_checks *lc_cfn_read_checks(lc_cfn_reader *r, const lc_cfn_view *view, lc_cfn_form form,
                                        const lc_cfn_property *p, bool element);

/* ---- map.c: one name for one property. */

/* Sets the attribute name of a property. False: it cannot have one, and p->why_not has the reason.
 */
bool lc_cfn_give_name(lc_cfn_reader *r, lc_cfn_property *p, const lc_cfn_shape_member *member);

/* ---- name.c */

/* Appends `s` with certain words respelled as the provider's naming function does it; with `back`
 * in the opposite direction. Returns whether a word was found. */
bool lc_cfn_add_words(lc_buf *out, lc_str s, bool back);

/* ---- pointer.c */

/* Removes the next token from the pointer *rest, with ~1 and ~0 decoded; false at its end. The
 * token borrows from the pointer unless something was decoded. */
bool lc_cfn_next_token(lc_cfn_reader *r, lc_str *rest, lc_str *token);

/* Reads the lists of JSON pointers (readOnlyProperties, ..., primaryIdentifier) into the properties
 * and the type. */
void lc_cfn_pointers(lc_cfn_reader *r);

/* ---- flags.c */

/* Sets required, optional and computed of all properties, and their defaults. Call after
 * lc_cfn_pointers. */
void lc_cfn_flags(lc_cfn_reader *r);
/* Makes the Terraform schemas of the type. Call last. */
void lc_cfn_schemas(lc_cfn_reader *r);

#endif
