/* Secrets in a scenario that is a tree: marked, or replaced by tokens. */
#ifndef LC_INPUT_MASK_H
#define LC_INPUT_MASK_H

#include "input/tokens.h"
#include "input/tree.h"

/* Mark the places that the case calls sensitive, in every object of the tree. */
void lc_mask_mark(lc_arena *arena, lc_mutable *root, const lc_case *subject);
/* What is sensitive, write-only, marked, private data or an import ID becomes a token; so does a
 * text elsewhere that holds such a one, and what a stored object has beside the schema. */
void lc_mask_secrets(lc_tokens *tokens, lc_mutable *root);

/* ---- Between mask.c and mask_documents.c. */

void lc_mask_all(lc_tokens *tokens, lc_mutable *value);
/* What a CloudFormation resource type calls write-only, and what is secret in objects where the
 * documents of the exchange with the service have it. */
void lc_mask_documents(lc_tokens *tokens, lc_mutable *root);

#endif
