/* CloudFormation resource type schemas, and the Terraform schemas that follow from them. Module
 * cloudformation. Source: the Cloud Control provider's document "Resource Behavior" and
 * cloudformation.md.
 *
 * A type is read once and is immutable. It lives in the arena it was read into, together with its
 * text and nodes. What a Terraform schema cannot express (write-only, create-only, unordered lists,
 * limits, patterns, defaults) is in separate properties and shapes that mirror the nested types. */
#ifndef LIFECHECK_CLOUDFORMATION_CLOUDFORMATION_H
#define LIFECHECK_CLOUDFORMATION_CLOUDFORMATION_H

#include "lifecheck/base/enum.h"
#include "lifecheck/base/table.h"
#include "lifecheck/regexp/pattern.h"
#include "lifecheck/schema/schema.h"

/* Whose rules are followed: those of the document's text, or what the awscc provider does today. */
typedef enum lc_cfn_profile { LC_CFN_DOCUMENT, LC_CFN_AWSCC } lc_cfn_profile;

/* The kinds of values that a property can have. Arrays have four of them, by order and uniqueness.
 */
#define LC_CFN_FORMS(X)                                                                            \
    X(LC_CFN_BOOLEAN, "boolean")                                                                   \
    X(LC_CFN_INTEGER, "integer")                                                                   \
    X(LC_CFN_NUMBER, "number")                                                                     \
    X(LC_CFN_STRING, "string")                                                                     \
    X(LC_CFN_DATE_TIME, "date-time") /* a string */                                                \
    X(LC_CFN_JSON, "JSON") /* an object without a schema: a string that holds a JSON document */   \
    X(LC_CFN_OBJECT, "object")                                                                     \
    X(LC_CFN_MAP, "map")                                                                           \
    X(LC_CFN_LIST, "list")                                                                         \
    X(LC_CFN_MULTISET, "unordered list") /* a list whose order has no meaning */                   \
    X(LC_CFN_ORDERED_SET, "ordered set") /* a list without repeated elements */                    \
    X(LC_CFN_SET, "set")
LC_ENUM(lc_cfn_form, LC_CFN_FORMS);

typedef struct lc_cfn_property lc_cfn_property;
typedef struct lc_cfn_shape lc_cfn_shape;
typedef struct lc_cfn_place lc_cfn_place;

/* A JSON pointer into the file, linked from its last token upwards; NULL is the whole document. */
struct lc_cfn_place {
    const lc_cfn_place *up;
    lc_str token;
};

/* A limit that a schema may leave out. */
typedef struct lc_cfn_bound {
    bool is; /* false: there is no such bound */
    lc_num number;
} lc_cfn_bound;

/* The restrictions that the keywords of a property put on its values. */
typedef struct lc_cfn_checks {
    lc_cfn_bound minimum, maximum;       /* numbers, both inclusive */
    lc_cfn_bound min_length, max_length; /* strings, bytes of UTF-8 */
    lc_cfn_bound min_items, max_items;   /* arrays */
    const lc_value *one_of;              /* strings or numbers; NULL: any */
    size_t one_of_count;
    lc_str pattern;             /* the pattern as written; "": none */
    const lc_pattern *compiled; /* NULL: no pattern, or one that is not matched (see pattern_use) */
    lc_pattern_use pattern_use;
    lc_str pattern_why; /* the reason, if it is not matched */
} lc_cfn_checks;

/* The shape of a value: its form, its Terraform type, and what it consists of. */
struct lc_cfn_shape {
    lc_cfn_form form;
    const lc_type *type;         /* Terraform's */
    const lc_cfn_shape *element; /* of maps and arrays */
    const lc_cfn_checks *checks; /* NULL: none */
    lc_cfn_property *members;    /* of objects, sorted by name, including those without a shape */
    const lc_cfn_property *
        *by_slot; /* of objects: properties by the slot of their attribute; NULL for `id` */
    size_t member_count, slot_count;
    bool flattened; /* the schema has a set, and the provider derives a list */
};

/* A property of an object, and the attribute it becomes. */
struct lc_cfn_property {
    lc_str name;      /* CloudFormation's */
    lc_str attribute; /* Terraform's; "" if it has none */
    lc_str description;
    const lc_cfn_place *place; /* where its schema is */
    uint64_t where;            /* position of its name */
    const lc_cfn_property *parent;
    const lc_cfn_shape *shape; /* NULL: it does not become an attribute */
    lc_str why_not;            /* the reason for that */
    const lc_node *default_node;
    const lc_value *default_value; /* the default as a value of the attribute's type; NULL: none */
    uint32_t slot;
    /* Membership in the lists of the resource type: required, readOnlyProperties, and so on. */
    bool listed_required, read_only, create_only, conditional_create_only, write_only, deprecated;
    bool secret; /* write-only, even where the provider overlooks it */
    /* The flags of the attribute. */
    bool required, optional, computed;
    bool within_computed; /* inside a read-only object */
    bool not_null;        /* a validator of the provider refuses null */
};

/* What can be wrong with a resource type. */
typedef enum lc_cfn_fault {
    LC_CFN_FAULT_INPUT,       /* it cannot be used as a type schema */
    LC_CFN_FAULT_RECURSIVE,   /* a definition that holds itself */
    LC_CFN_FAULT_UNSUPPORTED, /* a property without a Terraform type */
    LC_CFN_FAULT_RESERVED,    /* the name of a meta-argument */
    LC_CFN_FAULT_POINTER,     /* a JSON pointer of a list names no property */
    LC_CFN_FAULT_CONFLICT,    /* required and read-only */
    LC_CFN_FAULT_FLAT_MAP,    /* names that conflict in the provider's one map of names */
    LC_CFN_FAULT_DEFAULT,     /* a default that is not a value of the type */
    LC_CFN_FAULT_LEFT_OUT,    /* a property in a part of the schema that is ignored */
    LC_CFN_FAULT_NOTE,        /* something ignored that is not a property */
} lc_cfn_fault;

/* One problem of a type. Strings live in the arena of the type. */
typedef struct lc_cfn_problem {
    lc_cfn_fault fault;
    bool error; /* otherwise a warning or a note */
    lc_loc loc;
    lc_str pointer; /* JSON pointer of the place */
    lc_str message; /* one line, without the place */
} lc_cfn_problem;

/* One component of the primary identifier, in the order of the list. */
typedef struct lc_cfn_component {
    lc_str pointer;
    lc_str name;                     /* the last token: the property */
    lc_str identity;                 /* its identity attribute */
    const lc_cfn_property *property; /* NULL: the pointer names nothing */
} lc_cfn_component;

/* A resource type and everything derived from it. */
typedef struct lc_cfn_type {
    lc_cfn_profile profile;
    lc_str file;
    const lc_node *node; /* the root of the file */
    lc_str name;         /* AWS::EC2::Instance */
    lc_str description;
    lc_str terraform_name; /* awscc_ec2_instance */
    lc_str plural_name;    /* "": no plural data source, for the reason no_plural */
    lc_str no_plural;
    lc_str suppressed; /* why no schemas are derived; "": they are */
    const lc_cfn_shape *root;
    /* The derived schemas; NULL: not derived. `plural` alone may be NULL too. */
    const lc_schema *resource, *data, *plural;
    size_t attribute_count; /* at all depths, with `id` */
    size_t name_count;      /* number of different names among these */
    bool updatable;         /* some property is neither read-only nor create-only */
    LC_VEC(lc_cfn_component) identifier;
    LC_VEC(lc_cfn_problem) problems; /* in order of discovery */
    size_t unreported;               /* number of problems that were counted only */
    size_t errors;
} lc_cfn_type;

/* Reads a type schema from JSON. `type_name`, if it is not empty, replaces the name of the type: a
 * CloudFormation name if it has "::", else a Terraform name. The status is an error only if the
 * type cannot be read at all (not JSON, not an object, too large); everything else that is wrong is
 * in its problems. Limits: LC_MAX_DEPTH levels of properties, LC_MAX_CFN_ATTRIBUTES attributes.
 * `text` is borrowed and must live as long as the type. */
#define LC_MAX_CFN_ATTRIBUTES 500000
lc_status lc_cfn_read(const lc_cfn_type **out, lc_arena *arena, lc_str file, lc_str text,
                      lc_str type_name, lc_cfn_profile profile, const lc_limits *limits,
                      lc_diags *diags);

/* The same for a node of `source`, which must live as long as the type. False: it cannot be read; a
 * diagnostic has the reason. */
bool lc_cfn_read_node(const lc_cfn_type **out, lc_arena *arena, const lc_source *source,
                      const lc_node *node, lc_cfn_profile profile, lc_diags *diags);

/* ---- Names. Source: the naming functions of the provider, cloudformation.md 2. Results live in
 * `arena`. */

/* The attribute name of a property: GlobalReplicationGroupDescription becomes
 * global_replication_group_description. */
lc_str lc_cfn_attribute_name(lc_arena *arena, lc_str property);
/* The name of an attribute at the top of a type, where `id` and `provider` are reserved: `id` gets
 * the name of the type, whose Terraform name is given. */
lc_str lc_cfn_root_name(lc_arena *arena, lc_str attribute, lc_str terraform_name);
/* The name of its identity attribute, which differs for digits and some words. */
lc_str lc_cfn_identity_name(lc_arena *arena, lc_str property);
/* The Terraform name of a type: AWS::EC2::Instance becomes awscc_ec2_instance. False: the name is
 * not three parts of 2 to 64 letters and digits. */
bool lc_cfn_type_name(lc_str *out, lc_arena *arena, lc_str name);
/* The name of the plural data source; the same name if it has no plural. */
lc_str lc_cfn_plural_name(lc_arena *arena, lc_str terraform_name);

/* All property names that lc_cfn_attribute_name maps to `attribute`, likeliest first; none: *count
 * is 0. False: there are more than LC_MAX_CFN_CANDIDATES. Only names of ASCII letters and digits
 * are considered, with underscores only where there is no other way. */
#define LC_MAX_CFN_CANDIDATES 2000
bool lc_cfn_candidates(const lc_str **out, size_t *count, lc_arena *arena, lc_str attribute);
/* The properties of a type that became attributes of this name, at all depths, sorted by name. They
 * belong to the type. */
typedef LC_VEC(const lc_cfn_property *) lc_cfn_properties;
void lc_cfn_properties_of(lc_cfn_properties *out, lc_arena *arena, const lc_cfn_type *type,
                          lc_str attribute);

/* ---- Asking. */

/* Lists, sets and the forms between them. */
bool lc_cfn_is_array(lc_cfn_form form);
/* A member of an object, by CloudFormation's name or by the attribute's name; NULL if there is
 * none. */
const lc_cfn_property *lc_cfn_member(const lc_cfn_shape *object, lc_str name);
const lc_cfn_property *lc_cfn_member_of(const lc_cfn_shape *object, lc_str attribute);
/* Appends the place as a JSON pointer. */
void lc_cfn_add_place(lc_buf *out, const lc_cfn_place *place);
/* "A/B/C", the names that lead to a property. */
void lc_cfn_add_path(lc_buf *out, const lc_cfn_property *p);

/* The value that the provider stores for a JSON document. Members have CloudFormation's names;
 * absent ones are null, and those without an attribute are ignored. *slot gets a value of the
 * shape's type, in `arena`. False: *why describes what does not fit, without quoting scalars. */
bool lc_cfn_value(lc_value *slot, lc_arena *arena, const lc_cfn_shape *shape, const lc_node *node,
                  lc_str *why);

/* The canonical text of a JSON document: no white space, keys sorted. False: `text` is not JSON. */
bool lc_cfn_json(lc_str *canonical, lc_arena *arena, lc_str text);
/* Appends a node in that form; `arena` is for scratch memory. */
void lc_cfn_add_json(lc_buf *out, lc_arena *arena, const lc_node *node);
/* The canonical text of a time, to whole seconds, with its offset; NUL-terminated. False: it is not
 * an RFC 3339 time. */
#define LC_CFN_TIME 26
bool lc_cfn_date_time(lc_str text, char canonical[LC_CFN_TIME]);
/* Are two values of a shape equal for the provider? JSON documents, times and lists without an
 * order can be equal although they differ. */
bool lc_cfn_same(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *a, const lc_value *b);
/* Have both lists the same elements, equally often, in any order? False if one is unknown. */
bool lc_cfn_is_permutation(lc_arena *arena, const lc_value *a, const lc_value *b);

/* An empty schema for a type that none could be derived for, so that its problems can be reported.
 */
const lc_schema *lc_cfn_empty_schema(lc_arena *arena, const lc_cfn_type *type);

/* ---- Writing. */

/* Appends a schema document (`providers schema -json`) with the resources and data sources of the
 * types. Types without a derived schema are left out. */
void lc_cfn_add_document(lc_buf *out, const lc_cfn_type *const *types, size_t count);
/* Appends a listing for people: every property with its attribute, and why the attribute has its
 * flags. */
void lc_cfn_add_text(lc_buf *out, const lc_cfn_type *type);

#endif
