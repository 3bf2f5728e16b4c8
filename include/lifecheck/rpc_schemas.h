/* The schemas that a stream of calls brings along. */
#ifndef LIFECHECK_RPC_SCHEMAS_H
#define LIFECHECK_RPC_SCHEMAS_H

#include "lifecheck/protojson.h"
#include "recording/protojson/schema_line.h"

#define LC_MAX_SCHEMAS 64 /* different ones of one stream */

/* Of thousands of types a recording is about a few: a schema is read when it is asked for. */
typedef struct lc_rpc_type {
    lc_str key, name, provider;
    lc_schema_kind kind;
    lc_schema_doc *doc;
    lc_loc at;
    const struct lc_rpc_schema *one; /* that said so, or NULL */
    bool asked;
    const lc_schema *schema; /* when it was asked for; NULL: it is none */
} lc_rpc_type;

/* What one provider says of itself, in every process anew. */
typedef struct lc_rpc_schema {
    lc_str plain;         /* the document without identities, by which it is known again */
    lc_loc at;            /* of the first call that said so */
    lc_str identity_line; /* the last one, or "" */
    lc_str document;
    LC_VEC(lc_rpc_type) types;
    const lc_schema *config; /* of the provider itself, or NULL */
} lc_rpc_schema;

typedef struct lc_rpc_schemas {
    lc_arena *arena;
    lc_str file;
    lc_limits limits;
    lc_table types; /* lc_rpc_type, by kind and type */
    bool changed;   /* two documents say different things of one type */
    lc_rpc_schema all[LC_MAX_SCHEMAS];
    size_t count;
    lc_rpc_schema *last;      /* of the last such call; NULL: there was none */
    lc_str early;             /* an identity line that came before any schema */
    bool too_many;            /* and it was told */
    lc_capabilities provider; /* of the last one */
} lc_rpc_schemas;

void lc_rpc_schemas_init(lc_rpc_schemas *out, lc_arena *arena, lc_str file, lc_limits limits);
/* Types of a document that was named; those of the stream win. */
void lc_rpc_schemas_add(lc_rpc_schemas *schemas, lc_schema_doc *doc, lc_loc at);
/* The line of a GetProviderSchema or GetResourceIdentitySchemas call. They come in any order, and
 * often again and again, of one provider or of several in turns: what was said before keeps its
 * schemas, so that its calls stay together. */
void lc_rpc_schemas_take(lc_rpc_schemas *schemas, lc_pj_rpc rpc, const lc_node *root, lc_str line,
                         lc_loc at, lc_diags *diags);
/* The same of a schema line that was taken apart; `root` is what is left of it. False: something is
 * odd within, and nothing is taken. */
bool lc_rpc_schemas_take_split(lc_rpc_schemas *schemas, const lc_schema_line *split,
                               const lc_node *root, lc_loc at, lc_diags *diags);
/* NULL: it is none; whoever validates schemas says so. */
const lc_schema *lc_rpc_type_schema(lc_rpc_type *type);
/* Did any of them say what identities there are? */
bool lc_rpc_schemas_know_identities(const lc_rpc_schemas *schemas);
/* NULL: no schema has the type. The provider's own configuration has the kind LC_KIND_PROVIDER and
 * the type ""; it is that of the last schema call. */
const lc_schema *lc_rpc_schemas_get(const lc_rpc_schemas *schemas, lc_arena *scratch,
                                    lc_schema_kind kind, lc_str type);

#endif
