/* Lines and columns of many places in one JSON text.
 *
 * JSON nodes have byte offsets only. Counting lines from the start for each of n places would be
 * quadratic, and a string may be a single line. So line and column are computed every STEP bytes,
 * once, and each look-up counts on from there. YAML nodes have their line and column.
 *
 * Native files have byte offsets too. Their columns count grapheme clusters within tokens, as HCL
 * does it, so each look-up counts from the beginning of its line. */
#include "lifecheck/base/arena.h"
#include "lifecheck/value/value.h"
#include "lifecheck/yaml_json/node.h"

#include <string.h>

#define STEP ((size_t)1024)

typedef struct mark {
    uint32_t line, column; /* of an offset that is a multiple of STEP */
} mark;

struct lc_lines {
    const lc_source *source;
    const mark *marks; /* of JSON */
    /* Of native files: where lines begin. */
    const uint32_t *starts;
    size_t start_count;
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

/* ---- Native files. */

/* The first of the breaks after `offset`. */
static size_t first_break(const lc_source *source, size_t offset)
{
    size_t from = 0, to = source->break_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (source->breaks[middle] <= offset)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The column of `offset` in the line that begins at `start`. A byte order mark is not a character.
 */
static uint32_t native_column(const lc_source *source, size_t start, size_t offset)
{
    uint32_t column = 1;
    size_t at = start ? start : source->text.len - lc_without_bom(source->text).len;
    size_t next = first_break(source, at);
    for (; at < offset; column++) {
        while (next < source->break_count && source->breaks[next] <= at)
            next++;
        size_t end = next < source->break_count ? source->breaks[next] : source->text.len;
        at = lc_grapheme_end(lc_str_sub(source->text, 0, end), at);
    }
    return column;
}

static lc_loc native_loc(const lc_source *source, uint64_t where)
{
    size_t offset = where < source->text.len ? (size_t)where : source->text.len, start = 0;
    uint32_t line = 1;
    const char *text = source->text.ptr, *newline;
    while (start < offset && (newline = memchr(text + start, '\n', offset - start))) {
        line++;
        start = (size_t)(newline - text) + 1;
    }
    return (lc_loc){source->file, line, native_column(source, start, offset)};
}

static void find_lines(lc_arena *arena, lc_lines *lines, lc_str text)
{
    size_t count = 1, at;
    for (at = lc_str_find(text, 0, '\n'); at < text.len; at = lc_str_find(text, at + 1, '\n'))
        count++;
    uint32_t *starts = LC_NEW_ARRAY(arena, uint32_t, count);
    starts[0] = 0;
    for (size_t i = 1; i < count; i++)
        starts[i] = (uint32_t)lc_str_find(text, starts[i - 1], '\n') + 1;
    lines->starts = starts;
    lines->start_count = count;
}

static lc_loc native_line_loc(const lc_lines *lines, size_t offset)
{
    size_t from = 0, to = lines->start_count;
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        if (lines->starts[middle] <= offset)
            from = middle;
        else
            to = middle;
    }
    return (lc_loc){lines->source->file, (uint32_t)from + 1,
                    native_column(lines->source, lines->starts[from], offset)};
}

/* ---- Any file. */

lc_loc lc_where_loc(const lc_source *source, uint64_t where)
{
    if (source->json)
        return lc_loc_at(source->file, source->text, (size_t)where);
    if (source->native)
        return native_loc(source, where);
    return (lc_loc){source->file, (uint32_t)(where >> 32), (uint32_t)where};
}

const lc_lines *lc_lines_new(lc_arena *arena, const lc_source *source)
{
    lc_lines *lines = LC_NEW(arena, lc_lines);
    lines->source = source;
    if (source->native)
        find_lines(arena, lines, source->text);
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
    size_t offset = where < source->text.len ? (size_t)where : source->text.len;
    if (lines->starts)
        return native_line_loc(lines, offset);
    if (!lines->marks)
        return lc_where_loc(source, where);
    mark at = lines->marks[offset / STEP];
    advance(&at, source->text, offset / STEP * STEP, offset);
    return (lc_loc){source->file, at.line, at.column};
}
