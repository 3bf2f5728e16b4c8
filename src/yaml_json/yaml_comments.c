/* Comments of YAML, which the parser drops. A # begins a comment where it is neither within a
 * scalar nor directly after other characters; libyaml's scanner determines where scalars are. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"
#include "lifecheck/yaml_json/node.h"

#include <string.h>
#include <yaml.h>

typedef struct span {
    yaml_mark_t from, to;
} span;
typedef LC_VEC(span) spans;

static bool is_before(size_t line, size_t column, yaml_mark_t mark)
{
    return line < mark.line || (line == mark.line && column < mark.column);
}

/* False: the text is not YAML, which its parser has reported. */
static bool find_scalars(spans *out, lc_arena *arena, lc_str text)
{
    yaml_parser_t parser;
    yaml_token_t token;
    bool more = true, ok = yaml_parser_initialize(&parser) != 0;
    if (!ok)
        return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.len);
    while (more) {
        ok = yaml_parser_scan(&parser, &token) != 0;
        if (!ok)
            break;
        more = token.type != YAML_STREAM_END_TOKEN && token.type != YAML_NO_TOKEN;
        if (token.type == YAML_SCALAR_TOKEN)
            *LC_PUSH(arena, out, span) = (span){token.start_mark, token.end_mark};
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return ok;
}

/* Is there nothing but spaces and comments in the line that begins at `at`? */
static bool is_blank(lc_str text, size_t at)
{
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t' || text.ptr[at] == '\r'))
        at++;
    return at < text.len && (text.ptr[at] == '\n' || text.ptr[at] == '#');
}

static uint32_t next_line(lc_str text, size_t at, uint32_t line)
{
    for (;;) {
        at = lc_str_find(text, at, '\n') + 1;
        line++;
        if (at >= text.len || !is_blank(text, at))
            return line;
    }
}

void lc_yaml_comments(lc_comments *out, lc_arena *arena, lc_str text, lc_str beginning)
{
    spans scalars = {0};
    size_t column = 0, start = 0, next = 0;
    uint32_t line = 0;
    if (!find_scalars(&scalars, arena, text))
        return;
    for (size_t at = 0; at < text.len; at++) {
        unsigned char c = (unsigned char)text.ptr[at];
        while (next < scalars.count && !is_before(line, column, scalars.items[next].to))
            next++;
        bool inside = next < scalars.count && !is_before(line, column, scalars.items[next].from);
        bool apart = at == start || text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\t';
        if (c == '#' && apart && !inside) {
            size_t end = lc_str_find(text, at, '\n'), from = at + 1;
            while (from < end && text.ptr[from] == ' ')
                from++;
            lc_str comment = lc_str_sub(text, from, end);
            if (lc_str_starts_with(comment, beginning))
                *LC_PUSH(arena, out, lc_comment) = (lc_comment){
                    line + 1, (uint32_t)column + 1,
                    is_blank(text, start) ? next_line(text, at, line + 1) : line + 1, comment};
            at = end - 1;
            continue;
        }
        column += (c & 0xC0) != 0x80;
        if (c == '\n') {
            line++;
            column = 0;
            start = at + 1;
        }
    }
}
