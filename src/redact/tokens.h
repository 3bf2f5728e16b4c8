/* Tokens instead of secret values. Equal values get equal tokens, different values different ones.
 * They are numbered in order of first appearance and reveal nothing else. Empty text stays empty; a
 * JSON text keeps its structure; strings that differ only in letter case, white space or a slash or
 * dot at the end get tokens that differ in the same way, because rules look at that. */
#ifndef LC_REDACT_TOKENS_H
#define LC_REDACT_TOKENS_H

#include "lifecheck/redact/redact.h"
#include "redact/seen.h"

typedef struct lc_tokens {
    lc_arena *arena;
    lc_limits limits;
    lc_table texts;   /* secret -> token */
    lc_table bases;   /* folded text -> its number and variants */
    lc_table numbers; /* secret number -> token */
    lc_table needles; /* what is looked for inside other strings -> token */
    lc_table lengths; /* beginnings of needles -> lengths */
    lc_table forms;   /* of secrets -> how many needles were known before */
    lc_seen seen;     /* strings that are not secret, by how many needles were known */
    uint8_t *heads;   /* a bit for each hash of first bytes; NULL: no needles */
    size_t count, number_count;
    bool all;        /* everything counts as secret */
    bool words_stay; /* short words that get a token now are not replaced elsewhere by it */
} lc_tokens;

/* Tokens live in `arena`, which must outlive all strings that contain them. */
void lc_tokens_init(lc_tokens *out, lc_arena *arena, bool all, lc_limits limits);
lc_str lc_token_text(lc_tokens *tokens, lc_str text);
/* The token of a number, for its literal; zero stays. */
lc_str lc_token_number(lc_tokens *tokens, lc_str literal);
/* A copy of a string such as a diagnostic in which every secret that has a token is replaced, also
 * as part of a JSON string or in base64. In `arena`. */
lc_str lc_tokens_redact(lc_tokens *tokens, lc_arena *arena, lc_str text);
/* For strings in places that are not secret: the token if the text is a known secret, or a copy
 * with tokens instead of the secrets in it, unless they are short, or the text itself. Equal
 * strings are written alike in the whole stream: a secret that became known after the first such
 * string stays. */
lc_str lc_tokens_mask(lc_tokens *tokens, lc_arena *arena, lc_str text);
/* The same for encoded values. `block` NULL: redact everything or nothing (`all`). `type` NULL: it
 * cannot be decoded, and null takes its place. Bytes that cannot be decoded are replaced by others
 * that cannot be decoded either. */
lc_str lc_tokens_redact_bytes(lc_tokens *tokens, lc_arena *arena, const lc_block *block,
                              const lc_type *type, lc_str bytes, bool json);
/* The same in two steps, between which the secrets of other values are collected too. The second
 * also looks for known secrets in all other parts of the value. */
typedef struct lc_encoded {
    const lc_block *block; /* NULL: nothing is secret */
    const lc_type *type;
    lc_str bytes;
    bool json;
} lc_encoded;

/* Makes the tokens; returns the decoded value, or NULL if it cannot be decoded. */
const lc_value *lc_tokens_learn(lc_tokens *tokens, lc_arena *arena, const lc_encoded *in);
lc_str lc_tokens_write(lc_tokens *tokens, lc_arena *arena, const lc_encoded *in,
                       const lc_value *decoded);
/* The type of a value whose attribute names are data, with tokens for the names. */
const lc_type *lc_tokens_redact_type(lc_tokens *tokens, lc_arena *arena, const lc_type *type);

#endif
