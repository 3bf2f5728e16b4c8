/* Containers that a decoder has seen. The table has one place for each hash and grows with what is
 * remembered, up to a limit: what it forgets is decoded again. */
#include "codec/decoder.h"

#include "lifecheck/base/arena.h"

#include <string.h>

#define FIRST_PLACES 16
#define MOST_PLACES  4096

lc_decoder *lc_decoder_new(lc_arena *arena)
{
    lc_decoder *decoder = lc_heap_alloc(sizeof *decoder);
    *decoder = (lc_decoder){.arena = arena, .remembers = true};
    return decoder;
}

void lc_decoder_free(lc_decoder *decoder)
{
    if (decoder)
        lc_heap_free(decoder->seen);
    lc_heap_free(decoder);
}

/* Of the type and the first bytes; values of other types and attributes rarely share them. */
static lc_codec_seen *place_of(const lc_decoder *decoder, const char *bytes, const lc_type *want)
{
    uint64_t words[2], hash = (uint64_t)(uintptr_t)want;
    memcpy(words, bytes, sizeof words);
    hash = (hash ^ words[0]) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32 ^ words[1]) * 0xD6E8FEB86659FD93u;
    return &decoder->seen[hash >> 32 & (decoder->seen_places - 1)];
}

const lc_codec_seen *lc_decoder_find(const lc_decoder *decoder, lc_str rest, const lc_type *want)
{
    if (!decoder->seen_places)
        return NULL;
    const lc_codec_seen *seen = place_of(decoder, rest.ptr, want);
    bool same = seen->want == want && seen->bytes.len <= rest.len &&
                memcmp(seen->bytes.ptr, rest.ptr, seen->bytes.len) == 0;
    return same ? seen : NULL;
}

static void grow(lc_decoder *decoder)
{
    lc_codec_seen *before = decoder->seen;
    size_t places = decoder->seen_places;
    decoder->seen_places = places ? places * 4 : FIRST_PLACES;
    decoder->seen_count = 0;
    decoder->seen = lc_heap_alloc(decoder->seen_places * sizeof *before);
    memset(decoder->seen, 0, decoder->seen_places * sizeof *before);
    for (size_t i = 0; i < places; i++) {
        if (before[i].want)
            *place_of(decoder, before[i].bytes.ptr, before[i].want) = before[i];
    }
    lc_heap_free(before);
}

void lc_decoder_remember(lc_decoder *decoder, const lc_codec_seen *seen)
{
    if (decoder->seen_count == decoder->seen_places && decoder->seen_places < MOST_PLACES)
        grow(decoder);
    decoder->seen_count++;
    *place_of(decoder, seen->bytes.ptr, seen->want) = *seen;
}
