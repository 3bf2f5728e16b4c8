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
static uint16_t *place_of(const lc_decoder *decoder, const char *bytes, const lc_type *want)
{
    uint64_t words[2], hash = (uint64_t)(uintptr_t)want;
    memcpy(words, bytes, sizeof words);
    hash = (hash ^ words[0]) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32 ^ words[1]) * 0xD6E8FEB86659FD93u;
    return &decoder->places[hash >> 32 & (decoder->place_count - 1)];
}

/* place_of reads 16 bytes: what is remembered or looked up has at least CODEC_SEEN_LEAST. */
const lc_codec_seen *lc_decoder_find(const lc_decoder *decoder, lc_str rest, const lc_type *want)
{
    uint16_t place = decoder->place_count ? *place_of(decoder, rest.ptr, want) : 0;
    if (!place)
        return NULL;
    const lc_codec_seen *seen = &decoder->seen[place - 1];
    bool same = seen->want == want && seen->bytes.len <= rest.len &&
                memcmp(seen->bytes.ptr, rest.ptr, seen->bytes.len) == 0;
    return same ? seen : NULL;
}

/* Of two with one place the newer stays: equal containers often follow each other. */
static void put(lc_decoder *decoder, const lc_codec_seen *seen)
{
    uint16_t *place = place_of(decoder, seen->bytes.ptr, seen->want);
    if (!*place)
        *place = (uint16_t)++decoder->seen_count;
    decoder->seen[*place - 1] = *seen;
}

/* One block holds the containers and behind them the places, by index from 1. */
static void grow(lc_decoder *decoder)
{
    lc_codec_seen *before = decoder->seen;
    size_t count = decoder->seen_count, places = decoder->place_count;
    decoder->place_count = places = places ? places * 4 : FIRST_PLACES;
    decoder->seen = lc_heap_alloc(places * (sizeof *before + sizeof *decoder->places));
    decoder->places = (uint16_t *)(decoder->seen + places);
    decoder->seen_count = decoder->remembered = 0;
    memset(decoder->places, 0, places * sizeof *decoder->places);
    for (size_t i = 0; i < count; i++)
        put(decoder, &before[i]);
    lc_heap_free(before);
}

void lc_decoder_remember(lc_decoder *decoder, const lc_codec_seen *seen)
{
    if (decoder->remembered == decoder->place_count && decoder->place_count < MOST_PLACES)
        grow(decoder);
    decoder->remembered++;
    put(decoder, seen);
}
