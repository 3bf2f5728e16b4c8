/* Inside module serve: a call, its response, and what makes responses. */
#ifndef LC_SERVE_INTERNAL_H
#define LC_SERVE_INTERNAL_H

#include "lifecheck/recording/protojson.h"
#include "lifecheck/serve/serve.h"
#include "lifecheck/wire/wire.h"

struct lc_served {
    lc_arena *arena;
    lc_serve_options options;
    lc_buf schemas; /* the response to GetProviderSchema, after the first such call */
    LC_VEC(const lc_schema *) types;
    /* Calls that configured the provider. A client does it once to plan and once more to apply, so
     * the number is odd during a plan and even during an apply. */
    uint64_t configured;
    LC_VEC(lc_str) meta;                /* attributes of provider_meta */
    lc_table settings;                  /* configurations of the provider, by connection */
    int64_t chunk;                      /* bytes, of state stores; 0: none was configured */
    lc_table by_name[LC_LAST_KIND + 1]; /* of each kind: schemas */
};

typedef struct lc_serve_diag {
    const char *severity; /* NULL: an error */
    lc_str summary, detail;
    lc_path path; /* without steps: none */
} lc_serve_diag;

/* The response until it is written. */
typedef struct lc_serve_reply {
    const lc_value *value; /* the state or result; NULL: none */
    const lc_type *type;   /* by which it is written */
    const lc_value *identity;
    lc_str private_data;
    bool has_private;
    LC_VEC(lc_path) replace;
    LC_VEC(lc_serve_diag) diags;
    /* Only --break sets what follows. */
    int status;           /* of gRPC; 0: success */
    const char *deferred; /* the reason of a deferral; NULL: none */
    bool json;            /* the value is written as JSON, not as MessagePack */
    bool legacy;          /* the flag of SDKv2 is set */
    bool nothing;         /* an import returns no object, a stream no event */
    bool twice;           /* an import returns two objects, a list each object twice */
    bool renamed;         /* an import returns an object of the type `name` */
    lc_str name;
    bool again;        /* the response is written twice */
    bool empty_before; /* an empty event comes first */
    bool error_before; /* an event with an error comes first */
} lc_serve_reply;

/* Everything is in the arena of the call. */
typedef struct lc_serve_call {
    lc_served *served;
    lc_arena *arena;
    uint64_t connection;
    const lc_node *request; /* the first of several */
    size_t request_count;
    const lc_wire_method *method;
    const lc_schema *schema;        /* of the type that the request names, or NULL */
    const lc_value *prior, *config; /* of the request; NULL: it has none */
    lc_serve_reply reply;
    lc_json *w;    /* the response, an object that is open */
    bool streamed; /* all messages of the response were sent */
    void (*send)(void *context, lc_str message);
    void *context;
} lc_serve_call;

/* ---- Messages (message.c). */

void lc_serve_error(lc_serve_call *call, const char *summary, lc_str detail);
/* A DynamicValue of the request; what is missing is null. NULL: it cannot be read, and the response
 * has an error. */
const lc_value *lc_serve_value(lc_serve_call *call, const lc_node *message, const char *field,
                               const lc_type *type);
/* An identity of the request, null if it has none. NULL: as above. */
const lc_value *lc_serve_identity(lc_serve_call *call, const char *field);
void lc_serve_add_value(lc_json *w, const char *key, const lc_value *value, const lc_type *type);
void lc_serve_add_bytes(lc_json *w, const char *key, lc_str bytes);
/* Writes the reply; a name is NULL if the message has no such field. */
typedef struct lc_serve_fields {
    const char *value, *identity, *private_data;
} lc_serve_fields;
void lc_serve_add_reply(lc_serve_call *call, const lc_serve_fields *fields);

/* ---- Schemas (schemas.c). */

void lc_serve_add_schemas(lc_json *w, const lc_served *served);
void lc_serve_add_published_meta(lc_served *served);
void lc_serve_add_functions(lc_json *w, const lc_served *served);
void lc_serve_add_identities(lc_json *w, const lc_served *served);
void lc_serve_add_metadata(lc_json *w, const lc_served *served);
const lc_schema *lc_serve_schema(const lc_served *served, lc_schema_kind kind, lc_str name);

/* ---- Configurations (conform.c). */

/* Does the schema accept it? False: errors of the response say why not. Unknown values are
 * accepted. */
bool lc_serve_conforms(lc_serve_call *call, const lc_value *config);

/* ---- Values (walk.c, fill.c). */

/* The value of an attribute; NULL: unchanged, but what is inside it may be. */
typedef const lc_value *(*lc_serve_change)(void *context, const lc_value *object,
                                           const lc_attribute *a, const lc_value *v);
/* The object after `change` was called for each attribute, outer ones first. */
const lc_value *lc_serve_changed(lc_arena *arena, const lc_block *block, const lc_value *object,
                                 lc_serve_change change, void *context);

/* ---- The provider's own configuration (settings.c). */

/* The configuration in the request, read by the schema of the provider, which becomes call->schema.
 * Without such a schema anything is accepted, and *out is NULL. False: it cannot be read, and the
 * response has an error. */
bool lc_serve_read_settings(lc_serve_call *call, const lc_value **out);
/* The same, and keeps it for later calls of the connection. */
bool lc_serve_configure(lc_serve_call *call);
/* The configuration that the connection of the call has; NULL: none, which the next functions
 * accept. */
const lc_value *lc_serve_settings(const lc_serve_call *call);
/* The setting that becomes the value of a Computed attribute of this name, such as region; "":
 * there is none. */
lc_str lc_serve_setting(const lc_value *settings, lc_str name);
/* A string of the tables of module probe in the configured region instead of the tables' one. */
lc_str lc_serve_in_region(lc_arena *arena, const lc_value *settings, lc_str text);
/* The tags of an object, which may be null, with the default tags. */
const lc_value *lc_serve_all_tags(lc_arena *arena, const lc_value *settings, const lc_value *tags);

/* What values are made for. */
typedef struct lc_serve_maker {
    lc_arena *arena;
    const lc_value *settings; /* of the provider, or NULL */
    lc_str type;              /* resource type */
    lc_str key;               /* of the object: values that name it contain it */
    bool data;                /* of a data source, whose lists are longer */
} lc_serve_maker;
/* The object with a value for each unknown one. */
const lc_value *lc_serve_fill(lc_serve_maker *maker, const lc_block *block, const lc_value *object);
/* A value for an attribute that a provider computes, or that a configuration requires. */
const lc_value *lc_serve_make(const lc_serve_maker *maker, const lc_attribute *attribute);
const lc_value *lc_serve_make_identity(const lc_serve_maker *maker, const lc_schema *schema,
                                       const lc_value *state);
/* The object with an unknown value for each Computed attribute that is null, and null for each
 * write-only one. */
const lc_value *lc_serve_with_unknowns(lc_arena *arena, const lc_block *block,
                                       const lc_value *object);
const lc_value *lc_serve_null(lc_arena *arena, const lc_type *type);

/* ---- Objects (objects.c). */

/* A new key, for private data. */
lc_str lc_serve_new_key(lc_serve_objects *objects, lc_arena *arena);
lc_str lc_serve_private(lc_serve_objects *objects, lc_arena *arena, lc_str key);
/* The key in private data; "": they are not ours. *foreign: of an object that was kept elsewhere.
 */
lc_str lc_serve_key_of(const lc_serve_objects *objects, lc_arena *arena, lc_str private_data,
                       bool *foreign);
/* False: it could not be written, *why. */
bool lc_serve_keep(lc_serve_objects *objects, lc_arena *arena, lc_str type, lc_str key, lc_str json,
                   lc_str *why);
/* The object is gone. */
void lc_serve_forget(lc_serve_objects *objects, lc_arena *arena, lc_str type, lc_str key);
typedef enum lc_serve_found {
    LC_SERVE_HERE,
    LC_SERVE_GONE,    /* it was kept, and is not any more */
    LC_SERVE_UNKNOWN, /* it was never kept here */
} lc_serve_found;
lc_serve_found lc_serve_find(lc_serve_objects *objects, lc_arena *arena, lc_str type, lc_str key,
                             lc_str *json);
/* The key of the object whose attribute `id` is this; "": there is none. */
lc_str lc_serve_key_by_id(lc_serve_objects *objects, lc_arena *arena, lc_str type, lc_str id);

/* Calls `each` for the objects of a type, until it returns false. */
void lc_serve_each(lc_serve_objects *objects, lc_arena *arena, lc_str type,
                   bool (*each)(void *context, lc_str key, lc_str json), void *context);

/* Waits until no other process has locked the folder of objects, and locks it. The lock ends when
 * the returned descriptor is closed; -1: there is no folder. */
int lc_serve_lock_folder(const lc_serve_objects *objects);

/* ---- Responses that inputs state (stated.c). */

/* The kind of a request, and the values by which its response is found. */
typedef enum lc_serve_question {
    LC_SERVE_PLAN = 'P',     /* prior state, configuration */
    LC_SERVE_APPLY = 'A',    /* prior state, planned state */
    LC_SERVE_READ = 'R',     /* current state */
    LC_SERVE_DATA = 'D',     /* configuration */
    LC_SERVE_OPEN = 'O',     /* configuration */
    LC_SERVE_FUNCTION = 'F', /* arguments */
} lc_serve_question;
typedef struct lc_serve_answer {
    const lc_value *value, *identity; /* identity NULL: not stated */
    LC_VEC(lc_path) replace;
} lc_serve_answer;
/* NULL: the inputs do not state it. */
const lc_serve_answer *lc_serve_stated_find(lc_serve_call *call, lc_serve_question what,
                                            lc_str type, const lc_value *const *values,
                                            size_t count);

/* ---- Violations on purpose (break.c). */

/* Changes the response as --break says. */
void lc_serve_bend(lc_serve_call *call);

/* Where a schema gets what violates a requirement (breaks.def). */
typedef enum lc_serve_part {
    LC_SERVE_PART_ATTRIBUTES,
    LC_SERVE_PART_BLOCKS,
    LC_SERVE_PART_VERSION,
    LC_SERVE_PART_FUNCTION,
    LC_SERVE_PART_NO_PROVIDER
} lc_serve_part;
/* Writes what --break adds to this part of the schema of a type, with `key` in an object. False:
 * nothing is added; NO_PROVIDER writes nothing. `schema`: NULL for parts of the provider. */
bool lc_serve_add_broken(lc_json *w, const char *key, const lc_served *served,
                         const lc_schema *schema, lc_serve_part part);

/* ---- Streams and configurations (provider.c, lists.c). */

/* Sends one message of several. */
void lc_serve_send(lc_serve_call *call, const lc_buf *json);
void lc_serve_send_text(lc_serve_call *call, lc_str json);
void lc_serve_list(lc_serve_call *call);
/* Refuses a configuration that the schema does not accept. */
void lc_serve_validate(lc_serve_call *call);

/* ---- State stores (stores.c). */

void lc_serve_store_configure(lc_serve_call *call);
void lc_serve_store_read(lc_serve_call *call);
void lc_serve_store_write(lc_serve_call *call);
void lc_serve_store_lock(lc_serve_call *call);
void lc_serve_store_unlock(lc_serve_call *call);
void lc_serve_store_states(lc_serve_call *call);
void lc_serve_store_delete(lc_serve_call *call);

/* ---- Calls about objects (calls.c). */

void lc_serve_upgrade(lc_serve_call *call);
void lc_serve_upgrade_identity(lc_serve_call *call);
void lc_serve_move(lc_serve_call *call);
void lc_serve_plan(lc_serve_call *call);
void lc_serve_apply(lc_serve_call *call);
void lc_serve_read(lc_serve_call *call);
void lc_serve_import(lc_serve_call *call);
void lc_serve_data(lc_serve_call *call);
void lc_serve_open(lc_serve_call *call);
void lc_serve_renew(lc_serve_call *call);

#endif
