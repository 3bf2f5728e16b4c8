/* Schemas of resources: blocks, attributes, nesting modes. Module schema. Source:
 * values-and-wire 1.4 and 4.1, contract-algorithms 4.1, contract-rules 3.2.
 *
 * A schema is immutable once it is loaded, and lives in the store arena with everything it points
 * to. Attributes and block types are sorted bytewise by name. `slot` is the index of an attribute
 * or block type in the implied object type, hence in every value of that type:
 * value->as.many.elems[slot]. */
#ifndef LIFECHECK_SCHEMA_SCHEMA_H
#define LIFECHECK_SCHEMA_SCHEMA_H

#include "lifecheck/base/diag.h"
#include "lifecheck/base/enum.h"
#include "lifecheck/value/path.h"
#include "lifecheck/value/value.h"
#include "lifecheck/yaml_json/node.h"

/* Nesting modes of block types and nested attributes. "invalid" is what a core prints for an
 * unknown mode. */
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

/* An attribute of a block or nested type. It has a type or a nested type; a faulty schema may have
 * both or neither. */
struct lc_attribute {
    lc_str name;
    lc_loc loc;
    lc_str description;           /* "": none, or not from a schema document */
    const lc_type *type;          /* as declared, optional attributes stripped; NULL if absent */
    const lc_nested_type *nested; /* NULL if absent */
    const lc_type *implied;       /* the type of its values; dynamic if it has neither */
    uint32_t slot;
    bool required, optional, computed, sensitive, write_only, deprecated;
    bool secret; /* a CloudFormation property that reports must not show, although the attribute is
                    not sensitive */
    bool type_invalid; /* its "type" is not a type constraint */
    bool has_deprecation_message;
};

/* The nested type of an attribute ("nested_type"): objects with attributes of their own. */
struct lc_nested_type {
    lc_nesting nesting;
    lc_str nesting_text; /* as written, for messages about an invalid one */
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_type *object;        /* type of one element */
    const lc_type *implied;       /* type of the attribute: `object`, or a collection of it */
    int64_t min_items, max_items; /* deprecated fields of the protocol, 0 if absent */
    bool has_items;
    bool any_sensitive, any_write_only, any_secret; /* some attribute at any depth has the flag */
    bool flat;                                      /* only attributes without a nested type */
};

/* A block type: nested blocks of one name in a block. */
struct lc_block_type {
    lc_str name;
    lc_loc loc;
    lc_nesting nesting;
    lc_str nesting_text;
    const lc_block *block;
    int64_t min_items, max_items; /* max 0: unlimited */
    bool computed;                /* Terraform 1.16 and later */
    bool dynamic_inside;    /* a list or map block with a dynamic attribute: values are tuples or
                               objects, and `implied` is dynamic */
    const lc_type *implied; /* type of the attribute in the parent's object type */
    uint32_t slot;
};

/* The contents of a block: of a whole object, or of a block type. */
struct lc_block {
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_block_type *blocks;
    size_t block_count;
    const lc_type *implied; /* object type of its attributes and block types */
    lc_str description;     /* as of attributes */
    lc_str underived;       /* why it is empty: nothing is derived from the resource type; or "" */
    bool deprecated, has_deprecation_message;
    bool any_sensitive, any_write_only, any_secret, any_computed_block; /* at any depth */
    bool flat; /* no block types, and no attribute has a nested type */
    /* Names that the response or document lists twice, for schema/duplicate-name. */
    const lc_str *duplicates;
    size_t duplicate_count;
    /* Block types that have no attribute in the implied type, as in both cores: because of an
     * invalid nesting mode, or because an attribute has the same name. Only validation and the
     * flags above consider them; their `slot` has no meaning. */
    const lc_block_type *unusable;
    size_t unusable_count;
};

/* What a schema describes. "resource" is a managed resource, "data" a data source. */
#define LC_SCHEMA_KINDS(X)                                                                         \
    X(LC_KIND_RESOURCE, "resource")                                                                \
    X(LC_KIND_DATA, "data")                                                                        \
    X(LC_KIND_EPHEMERAL, "ephemeral")                                                              \
    X(LC_KIND_PROVIDER, "provider")                                                                \
    X(LC_KIND_LIST, "list")                                                                        \
    X(LC_KIND_ACTION, "action")                                                                    \
    X(LC_KIND_STORE, "state_store")
#define LC_LAST_KIND LC_KIND_STORE
LC_ENUM(lc_schema_kind, LC_SCHEMA_KINDS);

/* A parameter of a provider function. */
typedef struct lc_parameter {
    lc_str name;
    lc_loc loc;
    const lc_type *type; /* NULL: invalid */
    bool type_invalid;   /* its type is missing or is not a type constraint */
    bool nullable;       /* null may be passed */
    bool takes_unknown;  /* an unknown value may be passed */
    bool says_unknown;   /* false: the document does not say whether it may, as that of a client */
} lc_parameter;

/* A function of a provider. */
typedef struct lc_function {
    lc_str name;
    lc_loc loc;
    const lc_parameter *parameters; /* a variadic parameter comes last */
    size_t parameter_count;
    bool variadic;              /* the last one may be given any number of times */
    const lc_type *return_type; /* NULL: invalid */
    bool return_invalid;
} lc_function;

/* The schema of one resource type, data source, provider configuration, ... */
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
    bool not_legacy;              /* does not come from SDKv2 (contract-algorithms 4.1 NoLegacy) */
    bool provider_missing;        /* the document has no schema of the provider itself */
    const lc_str *types;          /* the provider's managed resource types; NULL: not known */
    size_t type_count;
    bool managed_without_identity; /* a list's managed type has no identity schema */
    const lc_function *functions;  /* only for LC_KIND_PROVIDER */
    size_t function_count;
    /* The CloudFormation resource type after this schema, or NULL. */
    const struct lc_cfn_type *cloudformation;
    bool captured; /* although it has a CloudFormation type, the schema was read from a provider's
                      document */
};

/* ---- Reading. */

/* A schema document (`providers schema -json`). It is indexed once; a type is decoded when it is
 * asked for the first time, and kept. The document and its schemas live in the arena it was opened
 * in. A string given to lc_schema_doc_from_text is borrowed and must live as long. Unknown members
 * are ignored. */
typedef struct lc_schema_doc lc_schema_doc;

/* Opens a file. "cloudformation:FILE" and "awscc:FILE" name a CloudFormation resource type schema:
 * the document is then derived from it, by the rules of the Cloud Control provider's documentation,
 * or as the awscc provider derives it today. Errors are added to `diags`, and *out is left as it
 * is. */
lc_status lc_schema_doc_open(lc_schema_doc **out, lc_arena *arena, lc_str file,
                             const lc_limits *limits, lc_diags *diags);
/* The same for a string; `file` is its name in messages. */
lc_status lc_schema_doc_from_text(lc_schema_doc **out, lc_arena *arena, lc_str file, lc_str text,
                                  const lc_limits *limits, lc_diags *diags);
/* For a string that was generated from another input: every location in the document becomes `at`.
 */
void lc_schema_doc_stands_at(lc_schema_doc *doc, lc_loc at);
/* For a document that omits identity schemas: a list resource whose managed type has none is then
 * not a fault. */
void lc_schema_doc_lacks_identities(lc_schema_doc *doc);
/* The schema of one type. `provider` may be empty if only one provider has the type, and may be
 * abbreviated from the left ("hashicorp/random"). For LC_KIND_PROVIDER, the schema of a provider's
 * configuration, `type` is empty or names the provider. Errors (unknown type, with similar names;
 * several providers) are reported at `at`. *out belongs to the document. */
lc_status lc_schema_doc_get(const lc_schema **out, lc_schema_doc *doc, lc_schema_kind kind,
                            lc_str provider, lc_str type, lc_loc at, lc_diags *diags);
/* The CloudFormation resource type that the document was derived from; NULL for all other
 * documents. */
const struct lc_cfn_type *lc_schema_doc_cloudformation(const lc_schema_doc *doc);
/* Calls `each` for every type of the document, sorted by provider, kind and name. The configuration
 * of a provider has the type name "". */
void lc_schema_doc_each(lc_schema_doc *doc,
                        void (*each)(void *context, lc_str provider, lc_schema_kind kind,
                                     lc_str type),
                        void *context);

/* Reads an inline schema, {version, block, identity, functions}, in the structure of schema
 * documents; types may also be type expressions. `identity` of a list resource is that of its
 * managed type; `functions` belong to a provider's schema. Unknown keys and nesting modes and
 * invalid types are errors of the author. In documents, and here below `functions`, an invalid type
 * is a fault of the provider instead (type_invalid). The result lives in `arena` and does not refer
 * to the nodes. */
lc_status lc_schema_from_node(const lc_schema **out, lc_arena *arena, const lc_source *source,
                              const lc_node *node, lc_schema_kind kind, lc_str type_name,
                              lc_diags *diags);

/* ---- Asking. */

/* The signature of a function of the provider; NULL: it has none of this name. */
const lc_function *lc_schema_function(const lc_schema *schema, lc_str name);
/* The type of an argument, by position; NULL: there is no such parameter, or its type is
 * invalid. */
const lc_parameter *lc_function_parameter(const lc_function *function, size_t index);

/* Look-ups by name, by binary search. NULL if there is none. */
const lc_attribute *lc_block_attribute(const lc_block *block, lc_str name);
const lc_block_type *lc_block_block(const lc_block *block, lc_str name);
const lc_attribute *lc_nested_attribute(const lc_nested_type *nested, lc_str name);
/* EmptyValue of contract-algorithms 4.1, in `arena`: what a core uses for an absent block. */
const lc_value *lc_block_empty_value(lc_arena *arena, const lc_block *block);
const lc_value *lc_block_type_empty_value(lc_arena *arena, const lc_block_type *type);
/* AttributeByPath of contract-algorithms 4.1; index steps are skipped. NULL if there is no such
 * attribute. */
const lc_attribute *lc_block_attribute_at(const lc_block *block, lc_path path);
/* Can the path exist in a value of this schema: an attribute, block or element, a part of a plain
 * collection or object type, anything below dynamic? Wildcards are allowed. For checking paths in
 * scenarios. */
bool lc_schema_has_path(const lc_schema *schema, lc_path path);
const char *lc_kind_prefix(lc_schema_kind kind); /* prefix of addresses: "data.", ..., "" for
                                                    managed resources; a constant */
/* "data.aws_ami", the beginning of an address; just the type for a managed resource. In `arena`. */
lc_str lc_kind_and_type(lc_arena *arena, lc_schema_kind kind, lc_str type);

/* ---- Validation: InternalValidate of both cores, and faults that only a convention forbids. */

/* The kinds of faults. contract/rules/schema.c has the rule that each of them breaks. */
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

/* One fault at one place, with what each core prints about it. */
typedef struct lc_schema_problem {
    lc_schema_fault fault;
    lc_path path; /* names only: attribute and block steps */
    lc_loc loc;
    lc_str opentofu; /* message of that core, with its prefix; empty: it prints none */
    lc_str terraform;
    lc_str message; /* our own words, one line */
    /* The core panics instead of reporting an error. */
    bool opentofu_crash, terraform_crash;
    bool terraform_error; /* Terraform reports an error, but we do not know its words */
} lc_schema_problem;

/* Empty when zero-initialised. */
typedef struct lc_schema_problems {
    lc_schema_problem *items;
    size_t count;
    size_t capacity;
} lc_schema_problems;

/* Appends all faults of the schema, sorted bytewise by names. The strings of each core are exactly
 * those of InternalValidate. That includes a quirk of Terraform: an attribute with both a type and
 * a nested type replaces the earlier errors of that attribute, so their `terraform` is empty.
 * Beyond about 64 MiB, further problems are dropped. Items live in `arena`. */
void lc_schema_validate(lc_schema_problems *out, lc_arena *arena, const lc_schema *schema);

/* ---- The keys of inline schemas, from which the JSON Schema of scenarios is made. */

/* The mappings of a schema document that have keys of their own. */
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

/* What the value of a key has to be. */
typedef enum lc_schema_takes {
    LC_TAKES_ANYTHING, /* accepted and ignored */
    LC_TAKES_FLAG,
    LC_TAKES_NUMBER,
    LC_TAKES_TEXT,
    LC_TAKES_TYPE,
    LC_TAKES_NESTING, /* required, one of lc_nesting */
    LC_TAKES_PART,
    LC_TAKES_PARTS, /* a mapping of names to parts */
    LC_TAKES_LIST,
} lc_schema_takes;

/* One key of a part. A key with the value null counts as absent. */
typedef struct lc_schema_key {
    const char *name;
    lc_schema_takes takes;
    lc_schema_part part; /* for LC_TAKES_PART, _PARTS and _LIST */
} lc_schema_key;
/* The keys of a part, a constant table of *count entries. */
const lc_schema_key *lc_schema_part_keys(lc_schema_part part, size_t *count);

#endif
