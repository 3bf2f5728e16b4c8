/* Cuts the line of a GetProviderSchema call into pieces, one for each type, without building nodes:
 * the schemas of a large provider have millions, and a recording uses few of its types. */
#include "lifecheck/recording/schema_line.h"
#include "lifecheck/recording/protojson.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"
#include "lifecheck/yaml_json/json_lexer.h"

#include <string.h>

/* ---- JSON, read only as far as needed to find where values end. */

static int peek(lc_json_lexer *s)
{
    lc_json_lex_space(s);
    return lc_json_lex_peek(s);
}

/* Calls `each` for every member of an object; `each` must move the lexer past the value. */
typedef bool (*on_member)(void *context, lc_json_lexer *s, lc_str key);

static bool each_member(lc_json_lexer *s, on_member each, void *context)
{
    lc_json_items members = {.close = '}'};
    lc_str key;
    if (peek(s) != '{')
        return false;
    s->at++;
    while (lc_json_lex_more(s, &members)) {
        if (peek(s) != '"' || !lc_json_lex_skip(s, &key) || peek(s) != ':')
            return false;
        s->at++;
        if (!each(context, s, key))
            return false;
    }
    return !members.failed;
}

/* ---- The line. */

typedef struct splitter {
    lc_schema_line *out;
    lc_arena *arena;
    lc_json rest; /* the line without the pieces */
    lc_str group;
    lc_table seen; /* names of the group */
    bool schemas;  /* it is the line of a schema call */
} splitter;

static bool copy_value(splitter *p, lc_json_lexer *s, lc_str *value)
{
    if (!lc_json_lex_skip(s, value))
        return false;
    lc_json_raw(&p->rest, NULL, *value);
    return true;
}

/* False for a name that occurs twice or has escapes: then the whole line is parsed instead, which
 * reports or understands it. */
static bool take_piece(void *context, lc_json_lexer *s, lc_str name)
{
    splitter *p = context;
    lc_str value;
    if (!lc_json_lex_skip(s, &value) || memchr(name.ptr, '\\', name.len) ||
        lc_table_put(&p->seen, name, p))
        return false;
    *LC_PUSH(p->arena, &p->out->pieces, lc_schema_piece) = (lc_schema_piece){p->group, name, value};
    return true;
}

/* A member of `response`: a group of types, or something else, which is copied. */
static bool take_in_response(void *context, lc_json_lexer *s, lc_str key)
{
    splitter *p = context;
    lc_str ignored;
    lc_json_raw_key(&p->rest, key);
    p->group = lc_str_sub(key, 1, key.len - 1);
    if (!lc_pj_is_schema_group(p->group) || peek(s) != '{')
        return copy_value(p, s, &ignored);
    lc_json_object(&p->rest, NULL);
    lc_json_end_object(&p->rest);
    lc_table_init(&p->seen, p->arena);
    return each_member(s, take_piece, p);
}

/* A member of the line. */
static bool take_in_line(void *context, lc_json_lexer *s, lc_str key)
{
    splitter *p = context;
    lc_json_raw_key(&p->rest, key);
    if (lc_str_is(key, "\"response\"") && peek(s) == '{') {
        lc_json_object(&p->rest, NULL);
        bool good = each_member(s, take_in_response, p);
        lc_json_end_object(&p->rest);
        return good;
    }
    lc_str value;
    if (!copy_value(p, s, &value))
        return false;
    if (lc_str_is(key, "\"rpc\"") && value.len > 2)
        p->schemas = lc_pj_rpc_of(lc_str_sub(value, 1, value.len - 1)) == LC_PJ_SCHEMA;
    return true;
}

bool lc_schema_line_split(lc_schema_line *out, lc_arena *arena, lc_str line,
                          const lc_limits *limits)
{
    splitter p = {.out = out, .arena = arena, .rest = {.out = &out->rest}};
    lc_json_lexer s = lc_json_lexer_over(line, arena);
    s.limits = limits;
    *out = (lc_schema_line){.limits = *limits};
    lc_json_object(&p.rest, NULL);
    bool good = each_member(&s, take_in_line, &p) && peek(&s) < 0 && p.schemas;
    lc_json_end_object(&p.rest);
    if (!good) {
        lc_buf_release(&out->rest);
        out->rest = (lc_buf){0};
    }
    return good;
}
