/* Rewriting an input node by node: a table says what stands in place of a node or of the key of a
 * member, everything else is written as it was read. */
#ifndef LC_SHARE_REDACT_H
#define LC_SHARE_REDACT_H

#include "lifecheck/evidence.h"
#include "share/secrets.h"
#include "share/tokens.h"

typedef struct lc_redactor {
    lc_arena *arena;   /* of the whole copy */
    lc_arena *scratch; /* of a line */
    lc_tokens tokens;
    lc_limits limits;
    lc_str file;
    lc_diags *diags;
    lc_table subs; /* of the line or document: node or member to JSON text */
    bool bare;     /* values of dynamic attributes stand without their type, as in plans */
    bool markers;  /* values may have the markers of scenarios, as JSON has them */
} lc_redactor;

/* A member; NULL: there is none, or it is no mapping. */
const lc_node *lc_redact_get(const lc_node *node, const char *key);

/* A token in place of a text or of a key. */
void lc_redact_text(lc_redactor *r, const lc_node *text);
void lc_redact_put_text(lc_redactor *r, const void *place, lc_str text);
void lc_redact_put(lc_redactor *r, const void *place, lc_str json);
/* What was put in place of a node or member, or NULL. */
const lc_str *lc_redact_sub(const lc_redactor *r, const void *place);
void lc_redact_write(const lc_redactor *r, lc_buf *out, const lc_node *node);

/* Every text and number of a value of this type. Names are data in maps and below dynamic; with
 * `type` NULL they stay. */
void lc_redact_value(lc_redactor *r, const lc_node *node, const lc_type *type);
/* The same of a secret: where nothing tells the type, names are data too. */
void lc_redact_secret(lc_redactor *r, const lc_node *node, const lc_type *type);
/* Names of attributes in a type as JSON, of a value whose names are data. */
void lc_redact_names(lc_redactor *r, const lc_node *type);
/* An object of a block: what is sensitive or write-only there, or with --all-values everything.
 * What has the shape of the object without being one (which places are unknown, which are marked)
 * gets the same names. */
void lc_redact_by_block(lc_redactor *r, const lc_node *node, const lc_block *block);
/* A walk over nodes, which puts tokens where a schema has secrets. */
lc_secret_walk lc_redact_walk(lc_redactor *r);
/* What marks a value of a scenario; elsewhere nothing does. */
lc_marker lc_redact_marker(const lc_redactor *r, const lc_node *node);
/* Calls with a provider's configuration, all of which is secret. */
bool lc_redact_is_provider_call(lc_str rpc);
/* Types below; NULL: not known. */
const lc_type *lc_type_of_item(const lc_type *type, uint32_t i);
const lc_type *lc_type_of_member(const lc_type *type, lc_str key);

/* A plan or state: every secret is found first, then they are looked for in every other text. */
void lc_redact_document(lc_redactor *r, lc_json_kind kind, lc_buf *out, lc_str text,
                        lc_schemas *schemas);
/* A case that was written as a scenario, as JSON: what is sensitive, write-only, marked, private
 * data or an import ID becomes a token; so does a text elsewhere that holds such a one, and what a
 * stored object has beside the schema. False, and nothing is written: it cannot be read. */
bool lc_redact_scenario(lc_buf *out, lc_str json, const lc_limits *limits);

#endif
