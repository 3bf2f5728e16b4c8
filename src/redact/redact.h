/* Rewriting an input node by node. A table holds the replacements of nodes and of member keys; all
 * else is written as it was read. Everything lives in the two arenas of the redactor. */
#ifndef LC_REDACT_REDACT_H
#define LC_REDACT_REDACT_H

#include "lifecheck/redact/redact.h"
#include "lifecheck/scenario/evidence.h"
#include "redact/secrets.h"
#include "redact/tokens.h"

/* A value of a call. It is written when the secrets of the whole call are known. */
typedef struct lc_redact_later {
    const lc_node *node; /* its text, in base64 */
    lc_encoded in;
    const lc_value *value; /* NULL: it is the JSON below */
    const lc_node *json;
} lc_redact_later;

/* The state of one redacted copy. */
typedef struct lc_redactor {
    lc_arena *arena;   /* of the whole copy */
    lc_arena *scratch; /* of a line, reset after it */
    lc_tokens tokens;
    lc_limits limits;
    lc_str file;
    lc_diags *diags;
    lc_table subs; /* of the line or document: address of node or member -> JSON text */
    LC_VEC(lc_redact_later) later; /* of the call */
    bool bare;                     /* dynamic values have no type next to them, as in plans */
    bool markers; /* values may have the markers of scenarios, in their JSON form */
} lc_redactor;

/* Replaces a string node by a token, or a node or member by any text or JSON. */
void lc_redact_text(lc_redactor *r, const lc_node *text);
void lc_redact_put_text(lc_redactor *r, const void *place, lc_str text);
void lc_redact_put(lc_redactor *r, const void *place, lc_str json);
/* The replacement of a node or member; NULL: it has none. */
const lc_str *lc_redact_sub(const lc_redactor *r, const void *place);
void lc_redact_write(const lc_redactor *r, lc_buf *out, const lc_node *node);

/* Redacts every string and number of a value of this type. Map keys, and names below dynamic, are
 * data and are redacted too; with `type` NULL names stay. */
void lc_redact_value(lc_redactor *r, const lc_node *node, const lc_type *type);
/* The same for a secret: without a type its names are data too. */
void lc_redact_secret(lc_redactor *r, const lc_node *node, const lc_type *type);
/* Redacts the attribute names in a type as JSON, of a value whose names were redacted. */
void lc_redact_names(lc_redactor *r, const lc_node *type);
/* Redacts what is sensitive or write-only in an object of a block; with `tokens.all`, or without a
 * block, everything. Works also for nodes that only have the shape of the object (after_unknown,
 * after_sensitive), which get the same names. */
void lc_redact_by_block(lc_redactor *r, const lc_node *node, const lc_block *block);
/* A secret walk over nodes, which puts tokens instead of secrets. Borrows the redactor. */
lc_secret_walk lc_redact_walk(lc_redactor *r);
/* The marker of a node, if the input has markers; else LC_MARKER_NONE. */
lc_marker lc_redact_marker(const lc_redactor *r, const lc_node *node);
/* Is this an RPC with a provider's configuration, all of which counts as secret? */
bool lc_redact_is_provider_call(lc_str rpc);
/* The type of a part; NULL: not known. */
const lc_type *lc_type_of_item(const lc_type *type, uint32_t i);
const lc_type *lc_type_of_member(const lc_type *type, lc_str key);

/* Appends the redacted copy of a plan or state. All secrets are found first, and then looked for in
 * every other text. */
void lc_redact_document(lc_redactor *r, lc_json_kind kind, lc_buf *out, lc_str text,
                        lc_schemas *schemas);

#endif
