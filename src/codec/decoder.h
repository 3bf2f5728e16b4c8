/* What a decoder has seen: types of dynamic wrappers by their text, and containers by their bytes.
 * Seen inside src/codec only. */
#ifndef LC_CODEC_DECODER_H
#define LC_CODEC_DECODER_H

#include "lifecheck/codec/codec.h"

/* Types that were met in dynamic wrappers: the same few occur again and again. */
#define CODEC_TYPE_SLOTS 16

/* Shorter containers are decoded as quickly as they are found. */
#define CODEC_SEEN_LEAST 16

/* A container that was decoded without a note. */
typedef struct lc_codec_seen {
    lc_str bytes;
    const lc_type *want;
    lc_value value;
    uint32_t nodes; /* how many elements and keys it counted for */
    unsigned depth; /* how many containers were around it */
} lc_codec_seen;

struct lc_decoder {
    lc_arena *arena; /* of the values */
    struct {
        lc_str text;
        const lc_type *type;
    } types[CODEC_TYPE_SLOTS];
    bool remembers;      /* containers too */
    lc_codec_seen *seen; /* on the heap, with room for one in each place */
    size_t seen_count;
    uint16_t *places; /* on the heap behind `seen`: for each hash, 1 + index of the newest, or 0 */
    size_t place_count; /* a power of two, or 0 */
    size_t remembered;  /* since the table has this size */
};

/* The container that was seen with the type `want` and begins with the same bytes as `rest`, which
 * has CODEC_SEEN_LEAST bytes at least; NULL if there is none. */
const lc_codec_seen *lc_decoder_find(const lc_decoder *decoder, lc_str rest, const lc_type *want);
void lc_decoder_remember(lc_decoder *decoder, const lc_codec_seen *seen);

#endif
