/* Tokens in place of values: equal values get equal tokens and different ones different tokens,
 * which are numbered in order of first appearance and say nothing else. What is empty stays empty;
 * a JSON text keeps its structure and spelling; texts that differ only in letter case, white space
 * or a character at the end get tokens that differ in the same way. */
#ifndef LC_SHARE_TOKENS_H
#define LC_SHARE_TOKENS_H

#include "lifecheck/share.h"

typedef struct lc_tokens {
    lc_arena *arena;
    lc_limits limits;
    lc_table texts;   /* secrets that were seen, to their tokens */
    lc_table bases;   /* what they fold to, which is what is counted */
    lc_table numbers; /* secret numbers, to their tokens */
    lc_table needles; /* what is looked for in texts of others, to its token */
    lc_table lengths; /* of those, by their first bytes */
    size_t count, number_count;
    bool all; /* everything is a secret */
} lc_tokens;

void lc_tokens_init(lc_tokens *out, lc_arena *arena, bool all, lc_limits limits);
lc_str lc_token_text(lc_tokens *tokens, lc_str text);
/* The literal of a number; zero stays. */
lc_str lc_token_number(lc_tokens *tokens, lc_str literal);
/* A text of others (a diagnostic), with every secret in it that was seen replaced, also where it
 * stands as a JSON string or in base64. */
lc_str lc_tokens_redact(lc_tokens *tokens, lc_arena *arena, lc_str text);
/* The same for the bytes of a value on the wire. `block` NULL: all or nothing. `type` NULL: nobody
 * can read them, and null takes their place. Bytes that do not decode are replaced by others that
 * do not either. */
lc_str lc_tokens_redact_bytes(lc_tokens *tokens, lc_arena *arena, const lc_block *block,
                              const lc_type *type, lc_str bytes, bool json);
/* The type of a value whose names are data, too: with tokens for them. */
const lc_type *lc_tokens_redact_type(lc_tokens *tokens, lc_arena *arena, const lc_type *type);

#endif
