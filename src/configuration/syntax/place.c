/* Lines and columns of positions within strings. */
#include "configuration/syntax/scan.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/configuration/expression.h"
#include "lifecheck/value/value.h"
#include "lifecheck/yaml_json/json_lexer.h"
#include "lifecheck/yaml_json/node.h"

/* Moves over a token, whose clusters do not go on in the next one. */
static void advance(lc_loc *loc, lc_str token)
{
    for (size_t at = 0; at < token.len;) {
        size_t end = lc_grapheme_end(token, at);
        loc->column++;
        if (token.ptr[end - 1] == '\n') {
            loc->line++;
            loc->column = 1;
        }
        at = end;
    }
}

/* Moves over the first `len` bytes of a template, as HCL counts them: each space between tokens is
 * a column, and a byte order mark is not. */
static void advance_template(lc_loc *loc, lc_arena *arena, lc_str text, size_t len)
{
    lc_scanner s;
    lc_scan_begin(&s, arena, text, LC_SCAN_BARE);
    for (size_t at = text.len - lc_without_bom(text).len; at < len;) {
        lc_token t = lc_scan(&s, at);
        size_t from = t.from < len ? t.from : len, to = t.to < len ? t.to : len;
        loc->column += (uint32_t)(from - at);
        advance(loc, lc_str_sub(text, from, to));
        if (t.type == LC_TOKEN_EOF || !lc_scan_accept(&s, t))
            return;
        at = t.to;
    }
}

/* A position within the JSON string that begins at `loc`. HCL counts in the decoded string, as if
 * it were on one line after the quote. */
static lc_loc within_json(lc_loc loc, lc_source_pos place)
{
    lc_arena *arena = lc_arena_new_small();
    lc_str text = place.source->text, decoded;
    size_t from = place.where < text.len ? (size_t)place.where : text.len;
    lc_json_lexer lexer = lc_json_lexer_over(lc_str_sub(text, from, text.len), arena);
    loc.column++;
    if (lc_json_lex_peek(&lexer) == '"' && lc_json_lex_string(&lexer, &decoded))
        advance_template(&loc, arena, decoded, place.offset - 1);
    lc_arena_free(arena);
    return loc;
}

/* In YAML the offset is simply added to the column, which is exact for plain one-line text. */
static lc_loc within(lc_loc loc, lc_source_pos place)
{
    if (place.source->json)
        return within_json(loc, place);
    loc.column += place.offset;
    return loc;
}

lc_loc lc_source_pos_loc_in(const lc_lines *lines, lc_source_pos place)
{
    if (place.source->native)
        return lc_lines_loc(lines, place.where + place.offset);
    lc_loc loc = lc_lines_loc(lines, place.where);
    return place.offset ? within(loc, place) : loc;
}

lc_loc lc_source_pos_loc(lc_source_pos place)
{
    if (!place.source)
        return (lc_loc){LC_STR_EMPTY, 0, 0};
    if (place.source->native)
        return lc_where_loc(place.source, place.where + place.offset);
    lc_loc loc = lc_where_loc(place.source, place.where);
    return place.offset ? within(loc, place) : loc;
}
