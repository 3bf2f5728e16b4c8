/* The schemas that a stream of calls brings along. */
#ifndef LC_INPUT_RPC_SCHEMAS_H
#define LC_INPUT_RPC_SCHEMAS_H

#include "protojson.h"

typedef struct lc_rpc_schemas {
    lc_arena *arena;
    lc_str file;
    lc_limits limits;
    lc_schema_doc *doc; /* the last one */
    lc_table types;     /* by kind and type */
    lc_str schema_line, identity_line, document;
    lc_capabilities provider;
} lc_rpc_schemas;

void lc_rpc_schemas_init(lc_rpc_schemas *out, lc_arena *arena, lc_str file, lc_limits limits);
/* Types of a document that was named; those of the stream win. */
void lc_rpc_schemas_add(lc_rpc_schemas *schemas, lc_schema_doc *doc, lc_loc at);
/* The line of a GetProviderSchema or GetResourceIdentitySchemas call. They come in any order, and
 * often again and again. */
void lc_rpc_schemas_take(lc_rpc_schemas *schemas, lc_pj_rpc rpc, lc_str line, lc_loc at,
                         lc_diags *diags);
/* NULL: no schema has the type. The provider's own configuration has the kind LC_KIND_PROVIDER and
 * the type "". */
const lc_schema *lc_rpc_schemas_get(const lc_rpc_schemas *schemas, lc_arena *scratch,
                                    lc_schema_kind kind, lc_str type);

#endif
