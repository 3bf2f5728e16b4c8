/* State files, version 4: which object is stored where, and everything unusual in the file. Module
 * plan. Source: values-and-wire 5.4, runs-and-providers 1.6 and 4.7.
 *
 * A document that is not a state of version 4 is an error of reading. Anything else that is wrong
 * is kept as an oddity with its position, for the rules to judge; the error text of a core is
 * quoted with it. Provider addresses are kept as text; module provider_config interprets them.
 *
 * Strings are borrowed from the nodes, which must live as long as the state. */
#ifndef LIFECHECK_PLAN_STATE_H
#define LIFECHECK_PLAN_STATE_H

#include "lifecheck/configuration/address.h"
#include "lifecheck/contract/case.h"
#include "lifecheck/yaml_json/node.h"

/* An entry of `resources`. */
typedef struct lc_state_resource {
    lc_str address; /* in canonical form, without an instance key */
    lc_str module;  /* as written; "" is the root */
    /* `address` and `module`, parsed; without the module if that does not parse */
    lc_address parsed;
    /* As written; empty: absent. */
    lc_str mode, type, name;
    lc_schema_kind kind; /* LC_KIND_RESOURCE or LC_KIND_DATA */
    /* Has the member `each`, which current clients do not write. */
    bool has_each;
    bool has_provider;   /* has the member `provider`, not empty */
    lc_str provider;     /* as written */
    lc_loc provider_loc; /* where `provider` is, else the resource */
    size_t first, count; /* its range in lc_state_file.objects */
    lc_loc loc;          /* of the resource */
    bool refused;        /* a core rejects the resource, and so all its objects */
} lc_state_resource;

/* An entry of an object's `dependencies`. */
typedef struct lc_state_dependency {
    lc_str address; /* as written */
    bool parses;    /* `parsed` is a resource address without instance keys */
    lc_address parsed;
    lc_loc loc;
} lc_state_dependency;

/* The current object of an instance, or a deposed object. */
typedef struct lc_state_object {
    size_t resource; /* index in lc_state_file.resources */
    /* Address of the instance; begins with the module as written if that does not parse. */
    lc_str address;
    lc_address parsed; /* `address`, parsed; may have no module, see above */
    /* index_key is a bool, an array, ...; the cores reject it, and `parsed` has no key */
    bool key_invalid;
    lc_str deposed;            /* deposed key; "" for the current object */
    lc_str status;             /* as written */
    bool tainted;              /* `status` is "tainted" */
    bool refused;              /* the cores reject it, see the oddities; it is in no table */
    const lc_node *node;       /* the object in `instances` */
    const lc_node *attributes; /* NULL: absent */
    /* From `show -json`: values without the types of dynamic attributes. */
    bool shown;
    /* Has attributes_flat, the format of Terraform before 0.12. */
    bool has_flat;
    const lc_node *sensitive; /* sensitive_attributes; NULL: absent */
    /* sensitive_values of a printed state; NULL: absent */
    const lc_node *marks;
    const lc_node *identity;     /* NULL: absent */
    const lc_node *private_data; /* `private`; NULL: absent */
    /* 0: absent or no whole number. */
    int64_t schema_version, identity_schema_version;
    bool has_provider; /* has the member `provider`, not empty */
    /* Provider of the object itself; OpenTofu writes it for provider for_each. */
    lc_str provider;
    lc_loc provider_loc; /* where `provider` is, else the object */
    const lc_state_dependency *dependencies;
    size_t dependency_count;
    lc_fact create_before_destroy, skip_destroy; /* LC_NOT_KNOWN: not written */
    lc_loc loc;                                  /* of the object */
} lc_state_object;

/* An entry of `outputs`. */
typedef struct lc_state_output {
    lc_str name;
    const lc_node *value; /* NULL: absent */
    const lc_node *type;  /* the type as JSON; NULL: absent */
    bool sensitive;
    lc_loc loc;
} lc_state_output;

/* What can be wrong with a part of a state file. */
typedef enum lc_state_fault {
    LC_FAULTY_MEMBER, /* a member of the wrong kind; it counts as absent */
    LC_FAULTY_MODULE, /* `module` is not a module instance address */
    LC_FAULTY_MODE,   /* `mode` is neither managed nor data */
    LC_FAULTY_KEY,    /* index_key is neither a string nor a number */
    /* index_key is not a whole number; all readers truncate it. */
    LC_FAULTY_KEY_FRACTION,
    LC_FAULTY_STATUS,        /* `status` is neither absent nor "tainted" */
    LC_FAULTY_DEPOSED,       /* the deposed key does not have eight characters */
    LC_FAULTY_DEPOSED_TWICE, /* a second object with the same deposed key */
    LC_FAULTY_TWICE,         /* a second current object of one instance */
    /* An entry of dependencies is not a resource address, or has instance keys. */
    LC_FAULTY_DEPENDENCY,
} lc_state_fault;

/* Something wrong, with its position. */
typedef struct lc_state_oddity {
    lc_state_fault fault;
    lc_str address; /* address of the resource or instance */
    /* What is written: a name or a key, never an attribute's value. */
    lc_str text;
    lc_loc loc;
    /* Error of the cores that reject it; "" if none does. */
    lc_str summary, detail;
} lc_state_oddity;

/* A state file, or a state as `show -json` prints it. */
typedef struct lc_state_file {
    const lc_source *source;
    const lc_lines *lines; /* of the source */
    const lc_node *root;
    lc_loc loc;
    bool shown; /* from `show -json` */
    lc_str terraform_version, lineage;
    bool has_serial;
    int64_t serial;
    bool has_resources;                  /* `resources` is there and is a list */
    LC_VEC(lc_state_resource) resources; /* in the order of the file */
    /* In the order of the file; those of one resource are consecutive. */
    LC_VEC(lc_state_object) objects;
    LC_VEC(lc_state_output) outputs;
    const lc_node *check_results; /* NULL: absent */
    LC_VEC(lc_state_oddity) oddities;
    lc_table current; /* address -> lc_state_object *, without rejected ones */
    /* address, space, deposed key -> lc_state_object *, without rejected ones */
    lc_table deposed;
    lc_table by_resource; /* resource address -> first lc_state_resource * */
} lc_state_file;

/* True if the document looks like a state: of any version, encrypted, or printed. */
bool lc_state_is(const lc_node *root);
/* True if it is a state as `show -json` prints it. */
bool lc_state_is_shown(const lc_node *root);
/* A printed state in the form of the state file, as far as the output contains it; any other root
 * is returned as it is. Value nodes are shared, other nodes are in the arena. */
const lc_node *lc_state_stored(lc_arena *arena, const lc_node *root);

/* Reads a state file or a printed state. LC_EINPUT: it is encrypted or not of version 4; reported
 * at its position. Everything else is in `out`, whose lists are in the arena. */
lc_status lc_state_from_node(lc_state_file *out, lc_arena *arena, const lc_source *source,
                             const lc_node *root, lc_diags *diags);

/* The object at an instance address; `deposed` "": the current one. NULL: there is no such object
 * that the cores accept. The arena is used for the search key. */
const lc_state_object *lc_state_get(const lc_state_file *state, lc_arena *arena, lc_str address,
                                    lc_str deposed);
/* The provider text of the object, or else of its resource; "" if neither has one. Borrowed. */
lc_str lc_state_provider(const lc_state_file *state, const lc_state_object *object);
/* Its source address HOST/NAMESPACE/TYPE, as schema documents name providers; "" if the text
 * contains nothing in quotes. Borrowed. */
lc_str lc_state_provider_source(const lc_state_file *state, const lc_state_object *object);
/* Decodes the attributes with the schema. The field stays absent if there are no attributes, or if
 * the object has another schema version; it is undecodable if they do not fit the schema. */
void lc_state_object_value(lc_field *out, lc_arena *arena, const lc_state_object *object,
                           const lc_schema *schema);
/* Decodes plain JSON, as plans contain it, with the schema. `unknown` (after_unknown) may be NULL.
 * out->loc must be set already. */
void lc_field_from_plain_json(lc_field *out, lc_arena *arena, const lc_schema *schema,
                              const lc_node *known, const lc_node *unknown);
/* Calls `each` with the path of every sensitive attribute, from sensitive_attributes or
 * sensitive_values. The paths are in the arena. */
void lc_state_sensitive(lc_arena *arena, const lc_state_object *object, const lc_schema *schema,
                        void (*each)(void *context, lc_path path), void *context);

#endif
