/* Blocks of DEFLATE (RFC 1951), chosen and coded as Go's compress/flate does it. */
#include "configuration/functions/texts/deflate.h"
#include "lifecheck/base/arena.h"

#include <stdlib.h>
#include <string.h>

#define LITERALS   286 /* literals, the end of a block, codes of lengths */
#define DISTANCES  30
#define LENGTHS    19 /* codes that describe lengths of codes */
#define END        256
#define FIRST_COPY 257
#define MAX_STORED 65535
#define MAX_BITS   15

/* A code for each symbol: its bits, reversed, and their number; 0: the symbol does not occur. */
typedef struct code {
    uint16_t bits[LITERALS], lengths[LITERALS];
} code;

/* One level of package-merge: the leaves merged with pairs of the level below. */
typedef struct level {
    uint64_t weights[2 * LITERALS];
    bool is_leaf[2 * LITERALS];
    size_t count;
} level;

typedef struct block {
    uint32_t literals[LITERALS], distances[DISTANCES];
    size_t literal_count, distance_count; /* up to the last one that occurs */
    code literal_code, distance_code;
    /* The lengths of both codes, run-length coded, with the extra bits that follow a symbol. */
    uint8_t runs[2 * (LITERALS + DISTANCES)];
    size_t run_count;
    uint32_t run_counts[LENGTHS];
    code run_code;
    size_t run_codes;           /* how many lengths of run_code are written */
    level levels[MAX_BITS + 1]; /* for making codes */
} block;

/* ---- Bits. */

static void put(lc_flate_bits *w, uint32_t bits, unsigned count)
{
    w->bits |= (uint64_t)bits << w->count;
    w->count += count;
    while (w->count >= 8) {
        lc_buf_add_char(w->out, (char)(w->bits & 0xFF));
        w->bits >>= 8;
        w->count -= 8;
    }
}

static void put_rest(lc_flate_bits *w)
{
    if (w->count > 0)
        put(w, 0, 8 - w->count);
}

void lc_flate_stored(lc_flate_bits *w, size_t length, bool last)
{
    put(w, last, 3);
    put_rest(w);
    put(w, (uint32_t)length, 16);
    put(w, ~(uint32_t)length & 0xFFFF, 16);
}

/* ---- Lengths and distances: the symbol of each, and the extra bits after it. */

typedef struct symbol {
    uint32_t number, base;
    unsigned extra;
} symbol;

/* Symbols come in groups of `group` with the same number of extra bits, each of which covers twice
 * as many values as the one before. */
static symbol symbol_of(uint32_t value, uint32_t group)
{
    symbol s = {value, value, 0};
    if (value < 2 * group)
        return s;
    uint32_t base = 2 * group;
    s.number = 2 * group;
    s.extra = 1;
    while (value >= base + (group << s.extra)) {
        base += group << s.extra;
        s.number += group;
        s.extra++;
    }
    s.number += (value - base) >> s.extra;
    s.base = base + ((value - base) >> s.extra << s.extra);
    return s;
}

/* The longest copy has a symbol of its own. */
static symbol length_symbol(uint32_t length)
{
    symbol s = length == 255 ? (symbol){28, 255, 0} : symbol_of(length, 4);
    s.number += FIRST_COPY;
    return s;
}

static symbol distance_symbol(uint32_t distance)
{
    return symbol_of(distance, 2);
}

/* ---- Codes. */

typedef struct leaf {
    uint32_t count;
    uint16_t symbol;
} leaf;

static int by_count(const void *a, const void *b)
{
    const leaf *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return x->symbol - y->symbol;
}

static int by_symbol(const void *a, const void *b)
{
    return ((const leaf *)a)->symbol - ((const leaf *)b)->symbol;
}

/* A pair comes before a leaf of the same weight. */
static void merge(level *to, const level *below, const leaf *leaves, size_t count)
{
    size_t pairs = below ? below->count / 2 : 0, pair = 0, next = 0;
    to->count = 0;
    while (next < count || pair < pairs) {
        uint64_t sum =
            pair < pairs ? below->weights[2 * pair] + below->weights[2 * pair + 1] : UINT64_MAX;
        bool leaf_first = next < count && leaves[next].count < sum;
        to->is_leaf[to->count] = leaf_first;
        to->weights[to->count++] = leaf_first ? leaves[next].count : sum;
        next += leaf_first;
        pair += !leaf_first;
    }
}

/* How many symbols get a code of each length, by package-merge: `bits` limits the length. */
static void count_lengths(level *levels, uint32_t counts[MAX_BITS + 1], const leaf *leaves,
                          size_t count, unsigned bits)
{
    uint32_t used[MAX_BITS + 1] = {0};
    bits = bits > count - 1 ? (unsigned)count - 1 : bits;
    memset(counts, 0, (MAX_BITS + 1) * sizeof *counts);
    for (unsigned i = 1; i <= bits; i++)
        merge(&levels[i], i > 1 ? &levels[i - 1] : NULL, leaves, count);
    size_t wanted = 2 * count - 2;
    for (unsigned i = bits; i > 0; i--) {
        for (size_t k = 0; k < wanted; k++)
            used[i] += levels[i].is_leaf[k];
        wanted = 2 * (wanted - used[i]);
    }
    for (unsigned i = bits; i > 0; i--)
        counts[bits - i + 1] = used[i] - used[i - 1];
}

static uint16_t reversed(uint32_t bits, unsigned count)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < count; i++)
        out |= (bits >> i & 1) << (count - 1 - i);
    return (uint16_t)out;
}

/* The rarest symbols get the longest codes; among those of a length the order is that of the
 * symbols. */
static void assign(code *to, leaf *leaves, size_t count, const uint32_t counts[MAX_BITS + 1])
{
    uint32_t next = 0;
    for (unsigned bits = 1; bits <= MAX_BITS; bits++) {
        next <<= 1;
        leaf *chunk = leaves + (count - counts[bits]);
        qsort(chunk, counts[bits], sizeof *chunk, by_symbol);
        for (uint32_t i = 0; i < counts[bits]; i++) {
            to->bits[chunk[i].symbol] = reversed(next++, bits);
            to->lengths[chunk[i].symbol] = (uint16_t)bits;
        }
        count -= counts[bits];
    }
}

static void make_code(block *b, code *to, const uint32_t *counts, size_t symbols, unsigned bits)
{
    leaf leaves[LITERALS];
    uint32_t lengths[MAX_BITS + 1];
    size_t count = 0;
    memset(to, 0, sizeof *to);
    for (size_t i = 0; i < symbols; i++)
        if (counts[i] > 0)
            leaves[count++] = (leaf){counts[i], (uint16_t)i};
    for (size_t i = 0; count <= 2 && i < count; i++) {
        to->bits[leaves[i].symbol] = (uint16_t)i;
        to->lengths[leaves[i].symbol] = 1;
    }
    if (count <= 2)
        return;
    qsort(leaves, count, sizeof *leaves, by_count);
    count_lengths(b->levels, lengths, leaves, count, bits);
    assign(to, leaves, count, lengths);
}

/* The codes that every reader knows. */
static void fixed_codes(code *literals, code *distances)
{
    for (uint32_t i = 0; i < LITERALS; i++) {
        unsigned length = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        uint32_t bits = i < 144 ? i + 48 : i < 256 ? i + 256 : i < 280 ? i - 256 : i - 88;
        literals->bits[i] = reversed(bits, length);
        literals->lengths[i] = (uint16_t)length;
    }
    for (uint32_t i = 0; i < DISTANCES; i++) {
        distances->bits[i] = reversed(i, 5);
        distances->lengths[i] = 5;
    }
}

static size_t bits_of(const code *c, const uint32_t *counts, size_t symbols)
{
    size_t total = 0;
    for (size_t i = 0; i < symbols; i++)
        total += (size_t)counts[i] * c->lengths[i];
    return total;
}

/* ---- The description of codes: lengths, runs of which are counted. */

static void add_run(block *b, uint8_t which, uint8_t extra)
{
    b->runs[b->run_count++] = which;
    b->run_counts[which]++;
    if (which >= 16)
        b->runs[b->run_count++] = extra;
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* `times` codes of one length. */
static void add_lengths(block *b, uint8_t length, size_t times)
{
    if (length > 0) {
        add_run(b, length, 0);
        times--;
    }
    while (length > 0 && times >= 3) {
        size_t n = at_most(times, 6);
        add_run(b, 16, (uint8_t)(n - 3));
        times -= n;
    }
    while (length == 0 && times >= 11) {
        size_t n = at_most(times, 138);
        add_run(b, 18, (uint8_t)(n - 11));
        times -= n;
    }
    if (length == 0 && times >= 3) {
        add_run(b, 17, (uint8_t)(times - 3));
        times = 0;
    }
    for (; times > 0; times--)
        add_run(b, length, 0);
}

static uint8_t length_at(const block *b, size_t i)
{
    return (uint8_t)(i < b->literal_count ? b->literal_code.lengths[i]
                                          : b->distance_code.lengths[i - b->literal_count]);
}

static void describe(block *b)
{
    size_t count = b->literal_count + b->distance_count;
    for (size_t i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && length_at(b, end) == length_at(b, i))
            end++;
        add_lengths(b, length_at(b, i), end - i);
    }
    make_code(b, &b->run_code, b->run_counts, LENGTHS, 7);
}

static const uint8_t run_order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                           11, 4,  12, 3, 13, 2, 14, 1, 15};

static size_t described_bits(block *b)
{
    b->run_codes = LENGTHS;
    while (b->run_codes > 4 && b->run_counts[run_order[b->run_codes - 1]] == 0)
        b->run_codes--;
    return 17 + 3 * b->run_codes + bits_of(&b->run_code, b->run_counts, LENGTHS) +
           2 * b->run_counts[16] + 3 * b->run_counts[17] + 7 * b->run_counts[18];
}

static void put_description(lc_flate_bits *w, const block *b)
{
    static const unsigned extra[] = {2, 3, 7};
    put(w, 4, 3);
    put(w, (uint32_t)b->literal_count - 257, 5);
    put(w, (uint32_t)b->distance_count - 1, 5);
    put(w, (uint32_t)b->run_codes - 4, 4);
    for (size_t i = 0; i < b->run_codes; i++)
        put(w, b->run_code.lengths[run_order[i]], 3);
    for (size_t i = 0; i < b->run_count; i++) {
        uint8_t run = b->runs[i];
        put(w, b->run_code.bits[run], b->run_code.lengths[run]);
        if (run >= 16)
            put(w, b->runs[++i], extra[run - 16]);
    }
}

/* ---- Blocks. */

/* Without any copy one distance is described nevertheless. */
static size_t count_symbols(block *b, const lc_flate_token *tokens, size_t count)
{
    size_t extra = 0;
    for (size_t i = 0; i < count; i++) {
        if (tokens[i].literal != LC_FLATE_COPY) {
            b->literals[tokens[i].literal]++;
            continue;
        }
        symbol length = length_symbol(tokens[i].length);
        symbol distance = distance_symbol(tokens[i].distance);
        b->literals[length.number]++;
        b->distances[distance.number]++;
        extra += length.extra + distance.extra;
    }
    b->literals[END]++;
    b->literal_count = LITERALS;
    while (b->literals[b->literal_count - 1] == 0)
        b->literal_count--;
    b->distance_count = DISTANCES;
    while (b->distance_count > 0 && b->distances[b->distance_count - 1] == 0)
        b->distance_count--;
    if (b->distance_count == 0) {
        b->distances[0] = 1;
        b->distance_count = 1;
    }
    return extra;
}

static void put_symbol(lc_flate_bits *w, const code *c, const symbol *s, uint32_t value)
{
    put(w, c->bits[s->number], c->lengths[s->number]);
    put(w, value - s->base, s->extra);
}

static void put_tokens(lc_flate_bits *w, const lc_flate_token *tokens, size_t count,
                       const code *literals, const code *distances)
{
    for (size_t i = 0; i < count; i++) {
        const lc_flate_token *t = &tokens[i];
        if (t->literal != LC_FLATE_COPY) {
            put(w, literals->bits[t->literal], literals->lengths[t->literal]);
            continue;
        }
        symbol length = length_symbol(t->length), distance = distance_symbol(t->distance);
        put_symbol(w, literals, &length, t->length);
        put_symbol(w, distances, &distance, t->distance);
    }
    put(w, literals->bits[END], literals->lengths[END]);
}

static void put_block(lc_flate_bits *w, block *b, const lc_flate_token *tokens, size_t count,
                      lc_str text)
{
    code literals = {{0}, {0}}, distances = {{0}, {0}};
    size_t extra = count_symbols(b, tokens, count);
    bool storable = text.ptr && text.len <= MAX_STORED;
    make_code(b, &b->literal_code, b->literals, LITERALS, MAX_BITS);
    make_code(b, &b->distance_code, b->distances, DISTANCES, MAX_BITS);
    fixed_codes(&literals, &distances);
    describe(b);
    size_t fixed = 3 + bits_of(&literals, b->literals, LITERALS) +
                   bits_of(&distances, b->distances, DISTANCES);
    size_t own = described_bits(b) + bits_of(&b->literal_code, b->literals, LITERALS) +
                 bits_of(&b->distance_code, b->distances, DISTANCES);
    if (storable && (text.len + 5) * 8 < (own < fixed ? own : fixed) + extra) {
        lc_flate_stored(w, text.len, false);
        lc_buf_add_str(w->out, text);
    } else if (own < fixed) {
        put_description(w, b);
        put_tokens(w, tokens, count, &b->literal_code, &b->distance_code);
    } else {
        put(w, 2, 3);
        put_tokens(w, tokens, count, &literals, &distances);
    }
}

void lc_flate_block(lc_flate_bits *w, const lc_flate_token *tokens, size_t count, lc_str text)
{
    block *b = lc_heap_alloc(sizeof *b);
    memset(b, 0, sizeof *b);
    put_block(w, b, tokens, count, text);
    lc_heap_free(b);
}
