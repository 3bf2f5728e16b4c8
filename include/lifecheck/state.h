/* State files, version 4: which object is stored where, and everything odd about it.
 * Module plan. Source: values-and-wire 5.4, runs-and-providers 1.6 and 4.7.
 *
 * What is no state of version 4 at all is an error of reading. Whatever else is odd is kept, with
 * its place, for the rules; what a core says to it is its own text. Provider addresses are texts
 * here: what they mean is the provider-instances model's affair.
 *
 * Texts are borrowed from the nodes, which must live as long as the state. */
#ifndef LIFECHECK_STATE_H
#define LIFECHECK_STATE_H

#include "lifecheck/address.h"
#include "lifecheck/case.h"
#include "lifecheck/node.h"

typedef struct lc_state_resource {
    lc_str address; /* module.m["k"].aws_x.y, without the key of an instance */
    lc_str module;  /* as written; "" in the root */
    lc_address parsed;
    lc_str mode, type, name;
    lc_schema_kind kind; /* LC_KIND_RESOURCE, LC_KIND_DATA */
    bool has_each;       /* `each`, which nothing writes now */
    bool has_provider;
    lc_str provider; /* as written */
    lc_loc provider_loc;
    size_t first, count; /* its objects */
    lc_loc loc;
    bool refused; /* with all its objects */
} lc_state_resource;

typedef struct lc_state_dependency {
    lc_str address; /* as written */
    bool parses;    /* to a resource, without keys, in `parsed` */
    lc_address parsed;
    lc_loc loc;
} lc_state_dependency;

/* The current object of an instance, or one that is deposed. */
typedef struct lc_state_object {
    size_t resource; /* index */
    lc_str address;  /* of the instance; begins with the module as written if that does not parse */
    lc_address parsed;
    bool key_invalid; /* a bool, an array, ...: no core takes it; `parsed` has no key then */
    lc_str deposed;   /* "" for the current one */
    lc_str status;    /* as written */
    bool tainted;
    bool refused; /* no core takes it; see the oddities. It is not in the tables. */
    const lc_node *node;
    const lc_node *attributes; /* or NULL */
    bool shown;                /* as plans have them: without the types that a schema leaves open */
    bool has_flat;             /* attributes_flat, of an old version */
    const lc_node *sensitive;  /* sensitive_attributes, or NULL */
    const lc_node *marks;      /* sensitive_values of what is printed, or NULL */
    const lc_node *identity;   /* or NULL */
    const lc_node *private_data;
    int64_t schema_version, identity_schema_version;
    bool has_provider;
    lc_str provider; /* of the object itself, as OpenTofu writes it with instance keys */
    lc_loc provider_loc;
    const lc_state_dependency *dependencies;
    size_t dependency_count;
    lc_fact create_before_destroy, skip_destroy; /* not known: not written */
    lc_loc loc;
} lc_state_object;

typedef struct lc_state_output {
    lc_str name;
    const lc_node *value; /* or NULL */
    const lc_node *type;
    bool sensitive;
    lc_loc loc;
} lc_state_output;

typedef enum lc_state_fault {
    LC_FAULTY_MEMBER,        /* a member of another kind than it must have; it is taken as absent */
    LC_FAULTY_MODULE,        /* the module is no module instance address */
    LC_FAULTY_MODE,          /* neither managed nor data */
    LC_FAULTY_KEY,           /* index_key is no text and no number */
    LC_FAULTY_KEY_FRACTION,  /* index_key is cut to a whole number by every reader */
    LC_FAULTY_STATUS,        /* neither absent nor "tainted" */
    LC_FAULTY_DEPOSED,       /* the deposed key has not eight characters */
    LC_FAULTY_DEPOSED_TWICE, /* the same deposed key again */
    LC_FAULTY_TWICE,         /* a second current object of one instance */
    LC_FAULTY_DEPENDENCY,    /* no resource address, or one with instance keys */
} lc_state_fault;

typedef struct lc_state_oddity {
    lc_state_fault fault;
    lc_str address; /* of the resource or the instance */
    lc_str text;    /* what is written there: a name or a key, never an attribute's value */
    lc_loc loc;
    lc_str summary, detail; /* the words of the cores that refuse it; "" where none does */
} lc_state_oddity;

typedef struct lc_state_file {
    const lc_source *source;
    const lc_lines *lines; /* of the source */
    const lc_node *root;
    lc_loc loc;
    bool shown; /* printed, not the file */
    lc_str terraform_version, lineage;
    bool has_serial;
    int64_t serial;
    bool has_resources;                  /* a list of them is there */
    LC_VEC(lc_state_resource) resources; /* in order of the file */
    LC_VEC(lc_state_object) objects;     /* likewise, those of one resource together */
    LC_VEC(lc_state_output) outputs;
    const lc_node *check_results; /* or NULL */
    LC_VEC(lc_state_oddity) oddities;
    lc_table current;     /* address -> lc_state_object, not refused */
    lc_table deposed;     /* address, a space, deposed key -> lc_state_object, not refused */
    lc_table by_resource; /* resource address -> lc_state_resource, the first */
} lc_state_file;

/* Does a document look like a state, of any version, encrypted or as it is printed? */
bool lc_state_is(const lc_node *root);
/* Is it a state as `show -json` prints it? */
bool lc_state_is_shown(const lc_node *root);
/* A printed state as the state file that it was made from, as far as it tells; any other root as it
 * is. Values keep their nodes. */
const lc_node *lc_state_stored(lc_arena *arena, const lc_node *root);

/* Read a state, a file or as it is printed. LC_EINPUT: it is encrypted, or not of version 4;
 * reported at its place. */
lc_status lc_state_from_node(lc_state_file *out, lc_arena *arena, const lc_source *source,
                             const lc_node *root, lc_diags *diags);

/* NULL: there is none (or no core takes it). `deposed` "": the current one. */
const lc_state_object *lc_state_get(const lc_state_file *state, lc_arena *arena, lc_str address,
                                    lc_str deposed);
/* The provider that an object is stored with, its own or its resource's; "" if there is neither. */
lc_str lc_state_provider(const lc_state_file *state, const lc_state_object *object);
/* Its source address alone, HOST/NAMESPACE/TYPE, as schema documents name providers; "" where the
 * text has none in quotes. Borrowed from the node. */
lc_str lc_state_provider_source(const lc_state_file *state, const lc_state_object *object);
/* The attributes by a schema, into a field: absent without attributes, or where the object is of
 * another schema version; undecodable where it does not fit. */
void lc_state_object_value(lc_field *out, lc_arena *arena, const lc_state_object *object,
                           const lc_schema *schema);
/* Bare JSON, as plans have it, by a schema: `unknown` may be NULL. `out` has its place already. */
void lc_field_from_plain_json(lc_field *out, lc_arena *arena, const lc_schema *schema,
                              const lc_node *known, const lc_node *unknown);
/* Each of the sensitive attributes, as a path. */
void lc_state_sensitive(lc_arena *arena, const lc_state_object *object, const lc_schema *schema,
                        void (*each)(void *context, lc_path path), void *context);

#endif
