/* Compression that gives the same bytes as Go's compress/flate at its default level, because the
 * result of base64gzip is compared with what a client computed. */
#ifndef LC_CONFIGURATION_FUNCTIONS_TEXTS_DEFLATE_H
#define LC_CONFIGURATION_FUNCTIONS_TEXTS_DEFLATE_H

#include "lifecheck/base/buf.h"

/* Appends the text as blocks, then what a flush and closing add. */
void lc_deflate(lc_buf *out, lc_str text);

/* ---- Blocks: huffman.c. */

/* A literal byte, or a copy: its length less 3 and its distance less 1. */
typedef struct lc_flate_token {
    uint16_t literal; /* LC_FLATE_COPY: it is a copy */
    uint16_t length, distance;
} lc_flate_token;
#define LC_FLATE_COPY 0xFFFF

/* Bits that are not yet a whole byte, least significant first. */
typedef struct lc_flate_bits {
    lc_buf *out;
    uint64_t bits;
    unsigned count;
} lc_flate_bits;

/* Writes the tokens as the shortest kind of block. `text` is what they represent; NULL pointer: not
 * available, so the block cannot be a stored one. */
void lc_flate_block(lc_flate_bits *w, const lc_flate_token *tokens, size_t count, lc_str text);
/* The head of a stored block, which begins at a whole byte. */
void lc_flate_stored(lc_flate_bits *w, size_t length, bool last);

#endif
