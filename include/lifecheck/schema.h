/* Schemas of resources: blocks, attributes, nesting modes. Module schema.
 * Source: values-and-wire 1.4 and 4.1, contract-algorithms 4.1, contract-rules 3.2.
 *
 * A schema is immutable once loaded and lives in the store arena. Attributes and block types are
 * sorted by name. `slot` is the place of a name in the implied object type, hence in any value of
 * it: value->as.many.elems[slot]. */
#ifndef LIFECHECK_SCHEMA_H
#define LIFECHECK_SCHEMA_H

#include "lifecheck/diag.h"
#include "lifecheck/enum.h"
#include "lifecheck/node.h"
#include "lifecheck/path.h"
#include "lifecheck/value.h"

#define LC_NESTINGS(X)                                                                             \
    X(LC_NESTING_INVALID, "invalid")                                                               \
    X(LC_NESTING_SINGLE, "single")                                                                 \
    X(LC_NESTING_GROUP, "group")                                                                   \
    X(LC_NESTING_LIST, "list")                                                                     \
    X(LC_NESTING_SET, "set")                                                                       \
    X(LC_NESTING_MAP, "map")
LC_ENUM(lc_nesting, LC_NESTINGS);

typedef struct lc_attribute lc_attribute;
typedef struct lc_nested_type lc_nested_type;
typedef struct lc_block_type lc_block_type;
typedef struct lc_block lc_block;
typedef struct lc_schema lc_schema;

struct lc_attribute {
    lc_str name;
    lc_loc loc;
    const lc_type *type;          /* as declared, optional attributes stripped; NULL if absent */
    const lc_nested_type *nested; /* NULL if absent */
    const lc_type *implied;       /* of either; dynamic when neither is usable */
    uint32_t slot;
    bool required, optional, computed, sensitive, write_only, deprecated;
    bool secret;       /* no flag of a client's schema says so, but nobody is to see it */
    bool type_invalid; /* the type text is no type */
    bool has_deprecation_message;
};

struct lc_nested_type {
    lc_nesting nesting;
    lc_str nesting_text; /* as written, for messages about an invalid one */
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_type *object;        /* of one element */
    const lc_type *implied;       /* wrapped by nesting */
    int64_t min_items, max_items; /* deprecated fields of the wire, 0 if absent */
    bool has_items;
    bool any_sensitive, any_write_only, any_secret; /* a flag at any depth */
    bool flat;                                      /* only attributes without a nested type */
};

struct lc_block_type {
    lc_str name;
    lc_loc loc;
    lc_nesting nesting;
    lc_str nesting_text;
    const lc_block *block;
    int64_t min_items, max_items; /* max 0: unlimited */
    bool computed;                /* Terraform 1.16 and later */
    bool dynamic_inside;          /* list: a tuple, map: an object; the implied type is dynamic */
    const lc_type *implied; /* in the parent object: dynamic when dynamic_inside (list, map) */
    uint32_t slot;
};

struct lc_block {
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_block_type *blocks;
    size_t block_count;
    const lc_type *implied; /* object */
    bool deprecated, has_deprecation_message;
    bool any_sensitive, any_write_only, any_secret, any_computed_block; /* at any depth */
    bool flat; /* no block types, and no attribute has a nested type */
    /* Names that a wire or document lists twice, for schema/duplicate-name. */
    const lc_str *duplicates;
    size_t duplicate_count;
    /* Block types that have no place in the implied type, as in both cores: an invalid nesting
     * mode, or the name of an attribute. Only validation looks at them (and the flags above); their
     * `slot` means nothing. */
    const lc_block_type *unusable;
    size_t unusable_count;
};

#define LC_SCHEMA_KINDS(X)                                                                         \
    X(LC_KIND_RESOURCE, "resource")                                                                \
    X(LC_KIND_DATA, "data")                                                                        \
    X(LC_KIND_EPHEMERAL, "ephemeral")                                                              \
    X(LC_KIND_PROVIDER, "provider")                                                                \
    X(LC_KIND_LIST, "list")                                                                        \
    X(LC_KIND_ACTION, "action")
LC_ENUM(lc_schema_kind, LC_SCHEMA_KINDS);

typedef struct lc_parameter {
    lc_str name;
    lc_loc loc;
    bool type_invalid; /* its type is no type, or missing */
} lc_parameter;

typedef struct lc_function {
    lc_str name;
    lc_loc loc;
    const lc_parameter *parameters; /* the variadic one is the last */
    size_t parameter_count;
    bool return_invalid;
} lc_function;

struct lc_schema {
    lc_schema_kind kind;
    lc_str type_name; /* "" if not known */
    lc_str provider;  /* source address, "" if not known */
    lc_loc loc;
    int64_t version;
    const lc_block *block; /* never NULL; empty if the document has none */
    bool has_block;
    bool has_identity;
    int64_t identity_version;
    const lc_attribute *identity; /* required = required_for_import, optional likewise */
    size_t identity_count;
    const lc_type *identity_type; /* object, or NULL */
    bool not_legacy;       /* cannot come from the old SDK (contract-algorithms 4.1 NoLegacy) */
    bool provider_missing; /* the document has no schema of the provider itself */
    const lc_str *types;   /* names of the provider's managed resources; NULL: not known */
    size_t type_count;
    bool managed_without_identity; /* a list's managed type has no identity schema */
    const lc_function *functions;  /* of a provider */
    size_t function_count;
    /* The CloudFormation resource type that it is of, or NULL. */
    const struct lc_cfn_type *cloudformation;
    bool captured; /* ... and yet it was read from a provider's document, not derived */
};

/* ---- Reading. */

/* A schema document (`providers schema -json`), indexed once; types are decoded when asked for and
 * kept. Owned by the arena it was opened in, which must outlive all schemas from it, as must the
 * text given to lc_schema_doc_from_text. Members that are not known are passed over. */
typedef struct lc_schema_doc lc_schema_doc;

/* "cloudformation:FILE" and "awscc:FILE" are a CloudFormation resource type schema: the document
 * that follows from it, by the Cloud Control provider's document or as that provider does it. */
lc_status lc_schema_doc_open(lc_schema_doc **out, lc_arena *arena, lc_str file,
                             const lc_limits *limits, lc_diags *diags);
lc_status lc_schema_doc_from_text(lc_schema_doc **out, lc_arena *arena, lc_str file, lc_str text,
                                  const lc_limits *limits, lc_diags *diags);
/* The text was made from what stands elsewhere: every place in it is this one. */
void lc_schema_doc_stands_at(lc_schema_doc *doc, lc_loc at);
/* It does not say which types have an identity schema: that one has none is no fault. */
void lc_schema_doc_lacks_identities(lc_schema_doc *doc);
/* The schema of one type. `provider` may be empty if one provider has the type, and may leave out
 * the front of an address ("hashicorp/random"). For LC_KIND_PROVIDER, the schema of a provider's
 * configuration, `type` is empty or names the provider. Errors (no such type, with the nearest
 * names; several providers) are reported at `at`. */
lc_status lc_schema_doc_get(const lc_schema **out, lc_schema_doc *doc, lc_schema_kind kind,
                            lc_str provider, lc_str type, lc_loc at, lc_diags *diags);
/* The CloudFormation resource type that the document was derived from, or NULL. */
const struct lc_cfn_type *lc_schema_doc_cloudformation(const lc_schema_doc *doc);
/* Calls `each` for every type of the document, in order of provider, kind and name; a provider's
 * configuration is a type of the name "". */
void lc_schema_doc_each(lc_schema_doc *doc,
                        void (*each)(void *context, lc_str provider, lc_schema_kind kind,
                                     lc_str type),
                        void *context);

/* An inline schema, {version, block, identity, functions}: the same structure, types also as text.
 * `identity` of a list is that of its managed type; `functions` belong to a provider's schema.
 * Unknown keys, nesting modes and types that are none are errors of the author; in documents such
 * a type is kept as a fault of the provider (type_invalid), and so it is here for `functions`. */
lc_status lc_schema_from_node(const lc_schema **out, lc_arena *arena, const lc_source *source,
                              const lc_node *node, lc_schema_kind kind, lc_str type_name,
                              lc_diags *diags);

/* ---- Asking. */

/* By name; NULL: there is none. */
const lc_attribute *lc_block_attribute(const lc_block *block, lc_str name);
const lc_block_type *lc_block_block(const lc_block *block, lc_str name);
const lc_attribute *lc_nested_attribute(const lc_nested_type *nested, lc_str name);
/* EmptyValue of contract-algorithms 4.1. */
const lc_value *lc_block_empty_value(lc_arena *arena, const lc_block *block);
const lc_value *lc_block_type_empty_value(lc_arena *arena, const lc_block_type *type);
/* AttributeByPath of contract-algorithms 4.1; index steps are ignored. NULL: none. */
const lc_attribute *lc_block_attribute_at(const lc_block *block, lc_path path);
/* Does the path name a place that can exist (attribute, block, element, a place below dynamic or
 * inside a plain collection or object type)? For checking paths in scenarios. */
bool lc_schema_has_path(const lc_schema *schema, lc_path path);
const char *lc_kind_prefix(lc_schema_kind kind); /* of an address: "data.", ... */
/* "data.aws_ami", as an address begins; a resource is its type alone. */
lc_str lc_kind_and_type(lc_arena *arena, lc_schema_kind kind, lc_str type);

/* ---- Validity: both cores' InternalValidate, and what only a convention says. */

typedef enum lc_schema_fault {
    LC_FAULT_PROVIDER_MISSING,
    LC_FAULT_NEGATIVE_VERSION,
    LC_FAULT_ATTR_NO_FLAG,
    LC_FAULT_ATTR_OPTIONAL_REQUIRED,
    LC_FAULT_ATTR_COMPUTED_REQUIRED,
    LC_FAULT_ATTR_NO_TYPE,
    LC_FAULT_ATTR_TWO_TYPES,
    LC_FAULT_ATTR_TYPE_JSON,
    LC_FAULT_NESTING_INVALID,
    LC_FAULT_SET_DYNAMIC,
    LC_FAULT_SET_WRITEONLY,
    LC_FAULT_BLOCK_NAME_COLLISION,
    LC_FAULT_BLOCK_NAME,
    LC_FAULT_ATTR_NAME,
    LC_FAULT_ITEMS_NEGATIVE,
    LC_FAULT_SINGLE_ITEMS,
    LC_FAULT_GROUP_ITEMS,
    LC_FAULT_LIST_SET_ITEMS,
    LC_FAULT_MAP_ITEMS,
    LC_FAULT_COMPUTED_BLOCK_CHILDREN,
    LC_FAULT_COMPUTED_BLOCK_GROUP,
    LC_FAULT_COMPUTED_BLOCK_MIN,
    LC_FAULT_DEPRECATION_MESSAGE,
    LC_FAULT_NESTED_OBJECT_ITEMS,
    LC_FAULT_DUPLICATE_NAME,
    LC_FAULT_RESERVED_ROOT_NAME,
    LC_FAULT_WRITEONLY_COMPUTED,
    LC_FAULT_WRITEONLY_CHILDREN,
    LC_FAULT_WRITEONLY_ELSEWHERE,
    LC_FAULT_IDENTITY_FLAGS,
    LC_FAULT_IDENTITY_TYPE,
    LC_FAULT_LIST_IDENTITY,
    LC_FAULT_FUNCTION_TYPE,
    LC_FAULT_FUNCTION_NAME,
    LC_FAULT_FUNCTION_DUPLICATE,
    LC_FAULT_COUNT,
} lc_schema_fault;

typedef struct lc_schema_problem {
    lc_schema_fault fault;
    lc_path path; /* names only: attribute and block steps */
    lc_loc loc;
    lc_str opentofu; /* that core's text with its prefix; empty: that core says nothing */
    lc_str terraform;
    lc_str message; /* our own line */
    bool opentofu_crash, terraform_crash;
    bool terraform_error; /* an error, whose words are not known */
} lc_schema_problem;

typedef struct lc_schema_problems {
    lc_schema_problem *items;
    size_t count;
    size_t capacity;
} lc_schema_problems;

/* Everything that is wrong, in document order of names (bytewise). Texts per core are exactly those
 * of InternalValidate, including Terraform's that replaces earlier errors of an attribute with both
 * types (those earlier problems then have an empty `terraform`). Stops telling after some 64 MiB
 * of problems. */
void lc_schema_validate(lc_schema_problems *out, lc_arena *arena, const lc_schema *schema);

/* ---- How schemas are written: their keys, for those who describe the format. */

typedef enum lc_schema_part {
    LC_PART_BLOCK,
    LC_PART_ATTRIBUTE,
    LC_PART_NESTED_TYPE,
    LC_PART_BLOCK_TYPE,
    LC_PART_IDENTITY,
    LC_PART_IDENTITY_ATTRIBUTE,
    LC_PART_FUNCTION,
    LC_PART_PARAMETER,
    LC_PART_COUNT
} lc_schema_part;

typedef enum lc_schema_takes {
    LC_TAKES_ANYTHING, /* nobody looks at it */
    LC_TAKES_FLAG,
    LC_TAKES_NUMBER,
    LC_TAKES_TEXT,
    LC_TAKES_TYPE,
    LC_TAKES_NESTING, /* not left out */
    LC_TAKES_PART,
    LC_TAKES_PARTS, /* by their names */
    LC_TAKES_LIST,
} lc_schema_takes;

/* Null is as good as leaving the key out. */
typedef struct lc_schema_key {
    const char *name;
    lc_schema_takes takes;
    lc_schema_part part; /* of PART, PARTS and LIST */
} lc_schema_key;
const lc_schema_key *lc_schema_part_keys(lc_schema_part part, size_t *count);

#endif
