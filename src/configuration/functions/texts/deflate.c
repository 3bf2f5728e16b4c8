/* The search for repetitions of Go's compress/flate at its default level. Go works in a window of
 * 64 KiB that slides by half; its position determines which places may still be copied from, and
 * whether a block may be stored. */
#include "configuration/functions/texts/deflate.h"
#include "lifecheck/base/arena.h"

#include <string.h>

#define WINDOW    32768
#define SHORTEST  4
#define LONGEST   258
#define LOOKAHEAD (SHORTEST + LONGEST)
#define HASH_BITS 17
#define BLOCK     16384 /* tokens */
#define LAZY      16    /* a copy of this length is not searched a better one for */
#define NICE      128   /* a copy of this length ends a search */
#define CHAIN     128   /* places that are tried */
#define FAR       4096  /* copies of the shortest length are not taken from further away */

typedef struct deflater {
    lc_flate_bits bits;
    const uint8_t *text;
    size_t size;
    size_t at;
    size_t window, window_end; /* where Go's window begins and ends */
    size_t block_start;        /* in the text */
    bool block_lost;           /* the window has left its beginning */
    uint32_t *heads, *chain;   /* places plus one by hash, and the one before it; 0: none */
    uint32_t head;
    size_t length, distance; /* of the copy found at the last place; length 3: none */
    bool waiting;            /* the byte before is not yet a token */
    lc_flate_token *tokens;
    size_t count;
} deflater;

static uint32_t hash_at(const deflater *d, size_t at)
{
    const uint8_t *t = d->text + at;
    uint32_t word =
        (uint32_t)t[3] | (uint32_t)t[2] << 8 | (uint32_t)t[1] << 16 | (uint32_t)t[0] << 24;
    return word * 0x1e35a7bdu >> (32 - HASH_BITS);
}

/* Four bytes are needed for a hash. Returns the place before with the same hash. */
static uint32_t insert(deflater *d, size_t at)
{
    uint32_t *head = &d->heads[hash_at(d, at)];
    uint32_t before = *head;
    d->chain[at % WINDOW] = before;
    *head = (uint32_t)at + 1;
    return before;
}

static bool can_insert(const deflater *d, size_t at)
{
    return at + SHORTEST - 1 < d->size;
}

/* ---- Searching. */

static size_t same_bytes(const deflater *d, size_t a, size_t b, size_t most)
{
    size_t n = 0;
    while (n < most && d->text[a + n] == d->text[b + n])
        n++;
    return n;
}

/* The first place that a copy may come from. */
static size_t first_place(const deflater *d)
{
    size_t first = d->at > WINDOW ? d->at - WINDOW : 0;
    return first > d->window ? first : d->window;
}

/* The best copy from the places of the chain; a longer one wins, the nearer one of two equals. */
static void find_copy(deflater *d)
{
    size_t ahead = d->size - d->at, most = ahead < LONGEST ? ahead : LONGEST;
    size_t nice = most < NICE ? most : NICE, best = SHORTEST - 1, first = first_place(d);
    size_t place = d->head - 1;
    for (int tries = CHAIN; tries > 0; tries--) {
        if (d->text[place + best] == d->text[d->at + best]) {
            size_t n = same_bytes(d, place, d->at, most);
            if (n > best && (n > SHORTEST || d->at - place <= FAR)) {
                best = d->length = n;
                d->distance = d->at - place;
                if (n >= nice)
                    return;
            }
        }
        uint32_t before = d->chain[place % WINDOW];
        if (place + WINDOW == d->at || before == 0 || before - 1 < first)
            return;
        place = before - 1;
    }
}

/* ---- Tokens and blocks. */

static void end_block(deflater *d, size_t at)
{
    lc_str text = {(const char *)d->text + d->block_start, at - d->block_start};
    if (d->block_lost)
        text = (lc_str){NULL, 0};
    lc_flate_block(&d->bits, d->tokens, d->count, text);
    d->block_start = at;
    d->block_lost = false;
    d->count = 0;
}

static void add_literal(deflater *d)
{
    d->tokens[d->count++] = (lc_flate_token){.literal = d->text[d->at - 1]};
}

/* Takes the copy that was found at the place before. */
static void take_copy(deflater *d, size_t length, size_t distance)
{
    size_t end = d->at + length - 1;
    d->tokens[d->count++] =
        (lc_flate_token){LC_FLATE_COPY, (uint16_t)(length - 3), (uint16_t)(distance - 1)};
    for (d->at++; d->at < end; d->at++)
        if (can_insert(d, d->at))
            insert(d, d->at);
    d->waiting = false;
    d->length = SHORTEST - 1;
    if (d->count == BLOCK)
        end_block(d, d->at);
}

static void step(deflater *d)
{
    size_t length = d->length, distance = d->distance;
    if (can_insert(d, d->at))
        d->head = insert(d, d->at);
    d->length = SHORTEST - 1;
    d->distance = 0;
    if (d->head > 0 && d->head - 1 >= first_place(d) && d->size - d->at > length && length < LAZY)
        find_copy(d);
    if (length >= SHORTEST && d->length <= length) {
        take_copy(d, length, distance);
        return;
    }
    if (d->waiting) {
        add_literal(d);
        if (d->count == BLOCK)
            end_block(d, d->at);
    }
    d->at++;
    d->waiting = true;
}

/* Go fills the second half of its window when too little is ahead, and drops the first one. */
static void slide(deflater *d)
{
    while (d->window_end < d->size && d->window_end - d->at < LOOKAHEAD) {
        d->window += WINDOW;
        d->window_end = d->size - d->window_end < WINDOW ? d->size : d->window_end + WINDOW;
        d->block_lost |= d->block_start < d->window;
    }
}

void lc_deflate(lc_buf *out, lc_str text)
{
    deflater d = {.bits = {out, 0, 0}, .text = (const uint8_t *)text.ptr, .size = text.len};
    d.window_end = text.len < 2 * WINDOW ? text.len : 2 * WINDOW;
    d.length = SHORTEST - 1;
    d.heads = lc_heap_alloc(sizeof *d.heads << HASH_BITS);
    d.chain = lc_heap_alloc(WINDOW * sizeof *d.chain);
    d.tokens = lc_heap_alloc((BLOCK + 1) * sizeof *d.tokens);
    memset(d.heads, 0, sizeof *d.heads << HASH_BITS);
    memset(d.chain, 0, WINDOW * sizeof *d.chain);
    while (d.at < d.size) {
        slide(&d);
        step(&d);
    }
    if (d.waiting)
        add_literal(&d);
    if (d.count > 0)
        end_block(&d, d.at);
    lc_flate_stored(&d.bits, 0, false);
    lc_flate_stored(&d.bits, 0, true);
    lc_heap_free(d.heads);
    lc_heap_free(d.chain);
    lc_heap_free(d.tokens);
}
