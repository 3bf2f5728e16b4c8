/* The schemas that a stream of calls contains. */
#ifndef LIFECHECK_RECORDING_RPC_SCHEMAS_H
#define LIFECHECK_RECORDING_RPC_SCHEMAS_H

#include "lifecheck/recording/protojson.h"
#include "lifecheck/recording/schema_line.h"

#define LC_MAX_SCHEMAS       64   /* different provider schemas in one stream; more are an error */
#define LC_MAX_RPC_PROVIDERS 1000 /* addresses of providers; the same */

/* One type of a provider. A recording uses few of the thousands of types that a provider has, so a
 * schema is read when it is first requested. */
typedef struct lc_rpc_type {
    lc_str key, name, provider;
    lc_schema_kind kind;
    lc_schema_doc *doc;
    lc_loc at;                       /* of the call that declared it */
    const struct lc_rpc_schema *one; /* the response that declared it; NULL: a named document */
    bool asked;                      /* whether `schema` is set */
    const lc_schema *schema;         /* NULL: it is not a valid schema */
} lc_rpc_type;

/* One different GetProviderSchema response. Every process repeats the response of its provider. */
typedef struct lc_rpc_schema {
    lc_str plain;         /* the document without identities, by which it is recognised */
    lc_loc at;            /* of the first call with this response */
    lc_str identity_line; /* the GetResourceIdentitySchemas line that belongs to it, or "" */
    lc_str document;      /* `plain` with identities */
    LC_VEC(lc_rpc_type) types;
    lc_table by_key;         /* lc_rpc_type, by kind and type */
    const lc_schema *config; /* of the provider itself, or NULL */
    bool provider_missing;   /* the response has no such schema, and no error instead of it */
} lc_rpc_schema;

/* The last answers of one provider to schema calls. */
typedef struct lc_rpc_provider {
    uint64_t number;     /* from 1; 0: it represents all lines */
    lc_rpc_schema *last; /* NULL: there was no such call yet */
    lc_str early;        /* an identity line that came before any schema */
    lc_capabilities capabilities;
    int protocol;         /* 5 or 6; 0: not known */
    bool schema_optional; /* not every process need ask for the schemas */
    bool has_meta;        /* it has a block provider_meta */
} lc_rpc_provider;

/* All strings and documents live in the arena. */
typedef struct lc_rpc_schemas {
    lc_arena *arena;
    lc_str file;
    lc_limits limits;
    lc_table types; /* lc_rpc_type, by kind and type */
    bool changed;   /* two responses differ in one type: a provider's version changed */
    lc_rpc_schema all[LC_MAX_SCHEMAS];
    size_t count;
    lc_rpc_provider any;               /* the last calls, of any provider */
    lc_table providers;                /* lc_rpc_provider, by address */
    bool identities;                   /* there were identity schemas */
    bool too_many, too_many_providers; /* reported once */
} lc_rpc_schemas;

/* `file` names the recording in messages. Everything that is added lives in `arena`. */
void lc_rpc_schemas_init(lc_rpc_schemas *out, lc_arena *arena, lc_str file, lc_limits limits);
/* Adds the types of a document that was named. Types of the stream replace them. */
void lc_rpc_schemas_add(lc_rpc_schemas *schemas, lc_schema_doc *doc, lc_loc at);
/* The provider with this address, as lines of a recording name it; lines without one have that of
 * all lines. Lives in the arena. */
lc_rpc_provider *lc_rpc_schemas_provider(lc_rpc_schemas *schemas, lc_str address, lc_loc at,
                                         lc_diags *diags);
/* The provider of a line. */
lc_rpc_provider *lc_rpc_schemas_provider_of(lc_rpc_schemas *schemas, const lc_node *root, lc_loc at,
                                            lc_diags *diags);
/* Takes the line of a GetProviderSchema or GetResourceIdentitySchemas call. They come in any order
 * and many times, of one provider or of several in turn. A response that was seen before keeps its
 * schemas, so that calls before and after it have equal schema pointers. */
void lc_rpc_schemas_take(lc_rpc_schemas *schemas, lc_pj_rpc rpc, const lc_node *root, lc_str line,
                         lc_loc at, lc_diags *diags);
/* The same for a long schema line that was split; `root` is the rest of the line. False: a piece is
 * not valid, and nothing was taken. */
bool lc_rpc_schemas_take_split(lc_rpc_schemas *schemas, const lc_schema_line *split,
                               const lc_node *root, lc_loc at, lc_diags *diags);
/* Reads the schema of the type if necessary. NULL: it is not valid; a rule about schemas reports
 * it. */
const lc_schema *lc_rpc_type_schema(lc_rpc_type *type);
/* Has the stream any identity schemas? */
bool lc_rpc_schemas_know_identities(const lc_rpc_schemas *schemas);
/* NULL: no schema has the type. For a provider whose schema the stream has, only that schema and
 * named documents are searched, so that providers with equal names of types do not mix. The
 * configuration of the provider has the kind LC_KIND_PROVIDER and the type "". */
const lc_schema *lc_rpc_schemas_get(const lc_rpc_schemas *schemas, lc_arena *scratch,
                                    const lc_rpc_provider *provider, lc_schema_kind kind,
                                    lc_str type);

#endif
