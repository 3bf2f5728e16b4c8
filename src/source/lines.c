/* Lines and columns of many places in one JSON text.
 *
 * JSON nodes have byte offsets only. Counting lines from the start for each of n places would be
 * quadratic, and a text may be a single line. So line and column are computed every STEP bytes,
 * once, and each look-up counts on from there. YAML nodes have their line and column. */
#include "lifecheck/arena.h"
#include "lifecheck/node.h"

#include <string.h>

#define STEP ((size_t)1024)

typedef struct mark {
    uint32_t line, column; /* of an offset that is a multiple of STEP */
} mark;

struct lc_lines {
    const lc_source *source;
    const mark *marks; /* NULL for YAML */
};

/* The number of code points that begin in eight bytes: all bytes but continuation bytes, whose two
 * highest bits are 10. Eight at a time, because long lines are common. */
static uint32_t count_in_eight(const char *bytes)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word = (word & ~(word << 1) & high) >> 7;
    return 8 - (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

static uint32_t count_code_points(const char *at, const char *end)
{
    uint32_t count = 0;
    for (; end - at >= 8; at += 8)
        count += count_in_eight(at);
    for (; at < end; at++)
        count += ((unsigned char)*at & 0xC0) != 0x80;
    return count;
}

/* Moves a mark from one offset to another; columns count code points. */
static void advance(mark *at, lc_str text, size_t from, size_t to)
{
    const char *next = text.ptr + from, *end = text.ptr + to, *newline;
    while (next < end && (newline = memchr(next, '\n', (size_t)(end - next)))) {
        at->line++;
        at->column = 1;
        next = newline + 1;
    }
    at->column += count_code_points(next, end);
}

const lc_lines *lc_lines_new(lc_arena *arena, const lc_source *source)
{
    lc_lines *lines = LC_NEW(arena, lc_lines);
    lines->source = source;
    if (!source->json)
        return lines;
    size_t len = source->text.len, count = len / STEP + 1;
    mark *marks = LC_NEW_ARRAY(arena, mark, count);
    mark at = {1, 1};
    for (size_t i = 0; i < count; i++) {
        marks[i] = at;
        size_t from = i * STEP;
        advance(&at, source->text, from, from + STEP < len ? from + STEP : len);
    }
    lines->marks = marks;
    return lines;
}

lc_loc lc_lines_loc(const lc_lines *lines, uint64_t where)
{
    const lc_source *source = lines->source;
    if (!lines->marks)
        return lc_where_loc(source, where);
    size_t offset = where < source->text.len ? (size_t)where : source->text.len;
    mark at = lines->marks[offset / STEP];
    advance(&at, source->text, offset / STEP * STEP, offset);
    return (lc_loc){source->file, at.line, at.column};
}
