/* CloudFormation resource type schemas, and the Terraform schemas that follow from them. Module
 * schema. Source: the Cloud Control provider's document "Resource Behavior" and cloudformation.md.
 *
 * A type is read once and immutable; it lives in the arena it was read into, as do its text and
 * nodes. What a Terraform schema cannot hold (write-only, create-only, unordered lists, limits,
 * patterns, defaults) is kept beside it, in properties and shapes that mirror the nested types. */
#ifndef LIFECHECK_CLOUDFORMATION_H
#define LIFECHECK_CLOUDFORMATION_H

#include "lifecheck/enum.h"
#include "lifecheck/pattern.h"
#include "lifecheck/schema.h"
#include "lifecheck/table.h"

/* Whose rules: the document's text, or what the provider does today. */
typedef enum lc_cfn_profile { LC_CFN_DOCUMENT, LC_CFN_AWSCC } lc_cfn_profile;

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
    X(LC_CFN_MULTISET, "unordered list") /* a list whose order means nothing */                    \
    X(LC_CFN_ORDERED_SET, "ordered set") /* a list without repeated elements */                    \
    X(LC_CFN_SET, "set")
LC_ENUM(lc_cfn_form, LC_CFN_FORMS);

typedef struct lc_cfn_property lc_cfn_property;
typedef struct lc_cfn_shape lc_cfn_shape;
typedef struct lc_cfn_place lc_cfn_place;

/* A JSON pointer into the file, from the last token upwards; NULL is the whole document. */
struct lc_cfn_place {
    const lc_cfn_place *up;
    lc_str token;
};

typedef struct lc_cfn_bound {
    bool is; /* else there is none */
    lc_num number;
} lc_cfn_bound;

/* What a property's keywords demand of a value. */
typedef struct lc_cfn_checks {
    lc_cfn_bound minimum, maximum;       /* numbers, both inclusive */
    lc_cfn_bound min_length, max_length; /* strings, bytes of UTF-8 */
    lc_cfn_bound min_items, max_items;   /* arrays */
    const lc_value *one_of;              /* strings or numbers; NULL: any */
    size_t one_of_count;
    lc_str pattern;             /* "": none */
    const lc_pattern *compiled; /* NULL: none, or every text passes, or it cannot be used */
    lc_pattern_use pattern_use;
    lc_str pattern_why; /* if it is not used */
} lc_cfn_checks;

struct lc_cfn_shape {
    lc_cfn_form form;
    const lc_type *type;             /* Terraform's */
    const lc_cfn_shape *element;     /* of maps and arrays */
    const lc_cfn_checks *checks;     /* NULL: none */
    lc_cfn_property *members;        /* of objects, sorted by name; those without a shape too */
    const lc_cfn_property **by_slot; /* those with an attribute, by its slot; NULL for `id` */
    size_t member_count, slot_count;
    lc_str key_pattern; /* of maps */
    bool flattened;     /* the provider derives a list where the schema says a set */
};

struct lc_cfn_property {
    lc_str name;      /* CloudFormation's */
    lc_str attribute; /* Terraform's; "" if it has none */
    lc_str description;
    const lc_cfn_place *place; /* of its schema: below `definitions` where a $ref led there */
    uint64_t where;            /* of its name */
    const lc_cfn_property *parent;
    const lc_cfn_shape *shape; /* NULL: not derived */
    lc_str why_not;            /* then the reason */
    const lc_node *default_node;
    const lc_value *default_value; /* of the attribute's type; NULL: none */
    uint32_t slot;
    /* As the type's schema says. */
    bool listed_required, read_only, create_only, conditional_create_only, write_only, deprecated;
    bool secret; /* write-only, also where the provider does not see that */
    /* Of the attribute. */
    bool required, optional, computed;
    bool within_computed; /* an object that holds it is read-only */
    bool not_null;        /* the provider demands a value by a validator */
};

typedef enum lc_cfn_fault {
    LC_CFN_FAULT_INPUT,       /* not a usable type schema */
    LC_CFN_FAULT_RECURSIVE,   /* a definition that holds itself */
    LC_CFN_FAULT_UNSUPPORTED, /* no Terraform type */
    LC_CFN_FAULT_RESERVED,    /* the name of a meta-argument */
    LC_CFN_FAULT_POINTER,     /* a pointer of a list names nothing */
    LC_CFN_FAULT_CONFLICT,    /* required and read-only */
    LC_CFN_FAULT_FLAT_MAP,    /* names that one map for all depths cannot keep apart */
    LC_CFN_FAULT_DEFAULT,     /* a default that is no value of the type */
    LC_CFN_FAULT_LEFT_OUT,    /* a property that stands where derivation does not look */
    LC_CFN_FAULT_NOTE,        /* what is passed over and is no property */
} lc_cfn_fault;

typedef struct lc_cfn_problem {
    lc_cfn_fault fault;
    bool error; /* else a warning, or a note */
    lc_loc loc;
    lc_str pointer; /* JSON pointer of the place */
    lc_str message; /* one line, without the place */
} lc_cfn_problem;

/* One component of the primary identifier. */
typedef struct lc_cfn_component {
    lc_str pointer;
    lc_str name;                     /* the last token: the property */
    lc_str identity;                 /* as an identity attribute is named */
    const lc_cfn_property *property; /* NULL: the pointer names nothing */
} lc_cfn_component;

typedef struct lc_cfn_type {
    lc_cfn_profile profile;
    lc_str file;
    const lc_node *node; /* as it was read */
    lc_str name;         /* AWS::EC2::Instance */
    lc_str description;
    lc_str terraform_name; /* awscc_ec2_instance */
    lc_str plural_name;    /* "": no plural data source, see no_plural */
    lc_str no_plural;
    lc_str suppressed; /* why nothing is derived; "": something is */
    const lc_cfn_shape *root;
    /* NULL where nothing is derived. */
    const lc_schema *resource, *data, *plural;
    size_t attribute_count; /* at all depths, with `id` */
    size_t name_count;      /* different names among them: the provider's one map has so many */
    bool updatable;         /* some property is neither read-only nor create-only */
    LC_VEC(lc_cfn_component) identifier;
    LC_VEC(lc_cfn_problem) problems; /* in order of discovery */
    size_t untold;                   /* more of them, beyond what anybody reads */
    size_t errors;
} lc_cfn_type;

/* Read a type schema, JSON. `type_name`, if not empty, takes the place of the type's name: with
 * "::" of CloudFormation's, else of Terraform's. Errors are only what keeps it from being read at
 * all (no JSON, no object, too large); what is wrong in it is in problems. Bounds: LC_MAX_DEPTH
 * levels, LC_MAX_CFN_ATTRIBUTES attributes. */
#define LC_MAX_CFN_ATTRIBUTES 500000
lc_status lc_cfn_read(const lc_cfn_type **out, lc_arena *arena, lc_str file, lc_str text,
                      lc_str type_name, lc_cfn_profile profile, const lc_limits *limits,
                      lc_diags *diags);

/* The same of a node of `source`, which lives as long as the type. False: it is no object. */
bool lc_cfn_read_node(const lc_cfn_type **out, lc_arena *arena, const lc_source *source,
                      const lc_node *node, lc_cfn_profile profile, lc_diags *diags);

/* ---- Names. Source: the naming functions of the provider, cloudformation.md 2. */

/* GlobalReplicationGroupDescription to global_replication_group_description. */
lc_str lc_cfn_attribute_name(lc_arena *arena, lc_str property);
/* As identity attributes are named, which is not the same for digits and some words. */
lc_str lc_cfn_identity_name(lc_arena *arena, lc_str property);
/* AWS::EC2::Instance to awscc_ec2_instance. False: not three parts of 2 to 64 letters and digits.
 */
bool lc_cfn_type_name(lc_str *out, lc_arena *arena, lc_str name);
/* The name of the plural data source; the same name where there is no other. */
lc_str lc_cfn_plural_name(lc_arena *arena, lc_str terraform_name);

/* Names of properties that become this attribute's, the likeliest first: *count 0 means that none
 * does. False: there are more than those. Only names of ASCII letters and digits are thought of,
 * and with underscores where they must have some. */
#define LC_MAX_CFN_CANDIDATES 2000
bool lc_cfn_candidates(const lc_str **out, size_t *count, lc_arena *arena, lc_str attribute);
/* The properties of the type that became this attribute, at all depths, sorted by name. */
typedef LC_VEC(const lc_cfn_property *) lc_cfn_properties;
void lc_cfn_properties_of(lc_cfn_properties *out, lc_arena *arena, const lc_cfn_type *type,
                          lc_str attribute);

/* ---- Asking. */

bool lc_cfn_is_array(lc_cfn_form form);
/* Member of an object by CloudFormation's name or by the attribute's, or NULL. */
const lc_cfn_property *lc_cfn_member(const lc_cfn_shape *object, lc_str name);
const lc_cfn_property *lc_cfn_member_of(const lc_cfn_shape *object, lc_str attribute);
void lc_cfn_add_place(lc_buf *out, const lc_cfn_place *place);
/* "A/B/C", the names that lead to a property. */
void lc_cfn_add_path(lc_buf *out, const lc_cfn_property *p);

/* A document's value as the provider stores it: members by CloudFormation's names, absent ones
 * null; those without an attribute are passed over. `slot` gets a value of the shape's type.
 * False: `why` says what does not fit, without scalars. */
bool lc_cfn_value(lc_value *slot, lc_arena *arena, const lc_cfn_shape *shape, const lc_node *node,
                  lc_str *why);

/* One spelling for all texts of a JSON document: no white space, keys in order. False: it is none.
 */
bool lc_cfn_json(lc_str *canonical, lc_arena *arena, lc_str text);
void lc_cfn_add_json(lc_buf *out, lc_arena *arena, const lc_node *node);
/* One spelling for a time to whole seconds, with its offset. False: it is no time by RFC 3339. */
#define LC_CFN_TIME 26
bool lc_cfn_date_time(lc_str text, char canonical[LC_CFN_TIME]);
/* Do they mean the same to the provider? JSON documents, times, lists without an order. */
bool lc_cfn_same(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *a, const lc_value *b);
/* The same elements as often, all of them known. */
bool lc_cfn_is_permutation(lc_arena *arena, const lc_value *a, const lc_value *b);

/* A schema with nothing in it, for a type that nothing is derived of: what is wrong with the type
 * can be told of it. */
const lc_schema *lc_cfn_empty_schema(lc_arena *arena, const lc_cfn_type *type);

/* ---- Writing. */

/* The structure of `providers schema -json` with the resource and its data sources; types without a
 * schema are left out. */
void lc_cfn_add_document(lc_buf *out, const lc_cfn_type *const *types, size_t count);
/* Every property beside its attribute, with the reason for every flag. */
void lc_cfn_add_text(lc_buf *out, const lc_cfn_type *type);

#endif
