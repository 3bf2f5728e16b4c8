/* Past a container of JSON without looking at each token: 64 bytes at a time, as sets of bits, one
 * for each byte. The checks are those of lc_json_lex_skip. Whatever may be wrong is left
 * to the tokens, which know where it is and what to call it. */
#include "yaml_json/json_skip.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BLOCK 64

/* Which bytes of a block are what; bit 0 is the first byte. */
typedef struct block {
    uint64_t quote, backslash, open, close;
    uint64_t space;   /* white space, commas and colons */
    uint64_t control; /* below 0x20 */
} block;

#ifdef __SSE2__

static uint64_t equal(const __m128i bytes[4], char c)
{
    const __m128i same = _mm_set1_epi8(c);
    uint64_t bits = 0;
    for (int i = 3; i >= 0; i--)
        bits = bits << 16 | (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes[i], same));
    return bits;
}

static void classify(block *b, const char *from)
{
    __m128i bytes[4], low[4], folded[4];
    const __m128i most = _mm_set1_epi8(0x1f), fold = _mm_set1_epi8(0x20);
    b->control = 0;
    for (int i = 3; i >= 0; i--) {
        bytes[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + 16 * i));
        folded[i] = _mm_or_si128(bytes[i], fold); /* { and [ differ in this bit alone */
        low[i] = _mm_cmpeq_epi8(_mm_min_epu8(bytes[i], most), bytes[i]);
        b->control = b->control << 16 | (uint64_t)_mm_movemask_epi8(low[i]);
    }
    b->quote = equal(bytes, '"');
    b->backslash = equal(bytes, '\\');
    b->open = equal(folded, '{');
    b->close = equal(folded, '}');
    b->space = equal(bytes, ' ') | equal(bytes, ',') | equal(bytes, ':');
    if (b->control)
        b->space |= equal(bytes, '\n') | equal(bytes, '\r') | equal(bytes, '\t');
}

#else

static void classify(block *b, const char *from)
{
    *b = (block){0};
    for (int i = 0; i < BLOCK; i++) {
        uint64_t bit = (uint64_t)1 << i;
        switch (from[i]) {
        case '"':
            b->quote |= bit;
            break;
        case '\\':
            b->backslash |= bit;
            break;
        case '{':
        case '[':
            b->open |= bit;
            break;
        case '}':
        case ']':
            b->close |= bit;
            break;
        case '\n':
        case '\r':
        case '\t':
            b->control |= bit;
            b->space |= bit;
            break;
        case ' ':
        case ',':
        case ':':
            b->space |= bit;
            break;
        default:
            b->control |= (unsigned char)from[i] < 0x20 ? bit : 0;
        }
    }
}

#endif

typedef struct skipping {
    lc_json_lexer *lexer;
    const char *at; /* of the block */
    size_t depth;
    uint64_t in_string; /* all bits: the block begins in a string */
    uint64_t escaped;   /* 1: its first byte is escaped */
    uint64_t in_scalar; /* 1: the byte before it belongs to a number or a word */
} skipping;

/* Without the quotes that a backslash takes away. */
static uint64_t real_quotes(skipping *s, const block *b)
{
    uint64_t quotes = b->quote & ~s->escaped, left = b->backslash & ~s->escaped;
    s->escaped = 0;
    while (left) {
        uint64_t next = (left & -left) << 1;
        s->escaped = next == 0;
        quotes &= ~next;
        left &= left - 1;
        left &= ~next;
    }
    return quotes;
}

/* Each bit is the parity of the bits up to it: set from an opening quote up to its closing one. */
static uint64_t parities(uint64_t bits)
{
    for (int shift = 1; shift < BLOCK; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* Numbers and words that begin in the block. False: one is none. */
static bool check_scalars(skipping *s, uint64_t starts)
{
    lc_json_lexer *l = s->lexer;
    lc_str ignored;
    for (; starts; starts &= starts - 1) {
        l->at = s->at + __builtin_ctzll(starts);
        bool good = *l->at == 't'   ? lc_json_lex_word(l, "true")
                    : *l->at == 'f' ? lc_json_lex_word(l, "false")
                    : *l->at == 'n' ? lc_json_lex_word(l, "null")
                                    : lc_json_lex_number(l, &ignored);
        if (!good || l->at == l->end || !*l->at || !strchr(" ,:\n\r\t{}[]\"", *l->at))
            return false;
    }
    return true;
}

/* The bit of the bracket that closes the container; 0: it goes on behind the block. *deep: it is
 * nested too deeply. */
static uint64_t end_of(skipping *s, uint64_t open, uint64_t close, bool *deep)
{
    size_t most = s->lexer->limits->json_depth;
    size_t opens = (size_t)__builtin_popcountll(open), closes = (size_t)__builtin_popcountll(close);
    if (s->depth > closes && s->depth + opens <= most) {
        s->depth += opens - closes;
        return 0;
    }
    for (uint64_t left = open | close; left; left &= left - 1) {
        uint64_t bit = left & -left;
        s->depth += bit & open ? 1 : (size_t)-1;
        *deep |= s->depth > most;
        if (s->depth == 0)
            return bit;
    }
    return 0;
}

typedef enum step { GO_ON, DONE, IN_DOUBT } step;

static step skip_block(skipping *s, const char *bytes)
{
    block b;
    bool deep = false;
    classify(&b, bytes);
    uint64_t quotes = b.quote || b.backslash ? real_quotes(s, &b) : (s->escaped = 0);
    uint64_t string = parities(quotes) ^ s->in_string, outside = ~(string | quotes);
    uint64_t scalar = outside & ~(b.open | b.close | b.space);
    uint64_t end = end_of(s, b.open & outside, b.close & outside, &deep);
    uint64_t within = end ? end | (end - 1) : ~(uint64_t)0;
    uint64_t starts = scalar & ~(scalar << 1 | s->in_scalar) & within;
    if (deep || (b.control & string & within) || !check_scalars(s, starts))
        return IN_DOUBT;
    s->in_string = (uint64_t)0 - (string >> (BLOCK - 1));
    s->in_scalar = scalar >> (BLOCK - 1);
    if (!end)
        return GO_ON;
    s->lexer->at = s->at + __builtin_ctzll(end) + 1;
    return DONE;
}

bool lc_json_skip_container(lc_json_lexer *l)
{
    skipping s = {.lexer = l, .at = l->at};
    const char *from = l->at;
    step how = GO_ON;
    for (; how == GO_ON && l->end - s.at >= BLOCK; s.at += BLOCK)
        how = skip_block(&s, s.at);
    if (how == GO_ON) {
        char rest[BLOCK];
        size_t left = (size_t)(l->end - s.at);
        memset(rest, ' ', sizeof rest);
        memcpy(rest, s.at, left);
        how = skip_block(&s, rest);
    }
    if (how == DONE)
        return true;
    l->at = from;
    return false;
}
