/* Where the types of a schema line begin and end. */
#include "recording/protojson/schema_line.h"
#include "lifecheck/protojson.h"

#include "lifecheck/arena.h"
#include "lifecheck/buf.h"
#include "lifecheck/table.h"

#include <string.h>

/* ---- JSON, only as far as where things end: what is within is parsed piece by piece. */

typedef struct scan {
    lc_str text;
    size_t at;
} scan;

static char peek(scan *s)
{
    while (s->at < s->text.len && strchr(" \t\r\n", s->text.ptr[s->at]) && s->text.ptr[s->at])
        s->at++;
    return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

static bool take(scan *s, char c)
{
    if (peek(s) != c)
        return false;
    s->at++;
    return true;
}

static bool skip_string(scan *s)
{
    if (!take(s, '"'))
        return false;
    while (s->at < s->text.len && s->text.ptr[s->at] != '"')
        s->at += s->text.ptr[s->at] == '\\' ? 2 : 1;
    return s->at < s->text.len && s->text.ptr[s->at++] == '"';
}

static bool skip_value(scan *s)
{
    size_t depth = 0;
    do {
        char c = peek(s);
        if (c == '"') {
            if (!skip_string(s))
                return false;
        } else if (c == '{' || c == '[') {
            depth++;
            s->at++;
        } else if ((c == '}' || c == ']') && depth) {
            depth--;
            s->at++;
        } else if (c == '\0' || c == '}' || c == ']' || (!depth && (c == ',' || c == ':'))) {
            return false;
        } else if (c == ',' || c == ':') {
            s->at++;
        } else {
            while (s->at < s->text.len && !strchr(" \t\r\n,:{}[]\"", s->text.ptr[s->at]))
                s->at++;
        }
    } while (depth);
    return true;
}

/* The members of an object, one after the other; what each does with the value moves behind it. */
typedef bool (*on_member)(void *context, scan *s, lc_str key);

static bool each_member(scan *s, on_member each, void *context)
{
    if (!take(s, '{'))
        return false;
    if (take(s, '}'))
        return true;
    do {
        peek(s);
        size_t from = s->at;
        if (!skip_string(s))
            return false;
        lc_str key = lc_str_sub(s->text, from, s->at);
        if (!take(s, ':') || !each(context, s, key))
            return false;
    } while (take(s, ','));
    return take(s, '}');
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

static bool copy_value(splitter *p, scan *s)
{
    peek(s);
    size_t from = s->at;
    if (!skip_value(s))
        return false;
    lc_json_raw(&p->rest, NULL, lc_str_sub(s->text, from, s->at));
    return true;
}

/* A name that is said twice, or with escapes, is left to whoever knows what that means. */
static bool take_piece(void *context, scan *s, lc_str name)
{
    splitter *p = context;
    peek(s);
    size_t from = s->at;
    if (!skip_value(s) || memchr(name.ptr, '\\', name.len) || lc_table_put(&p->seen, name, p))
        return false;
    *LC_PUSH(p->arena, &p->out->pieces, lc_schema_piece) =
        (lc_schema_piece){p->group, name, lc_str_sub(s->text, from, s->at)};
    return true;
}

static bool take_in_response(void *context, scan *s, lc_str key)
{
    splitter *p = context;
    lc_json_raw_key(&p->rest, key);
    p->group = lc_str_sub(key, 1, key.len - 1);
    if (!lc_pj_is_schema_group(p->group) || peek(s) != '{')
        return copy_value(p, s);
    lc_json_object(&p->rest, NULL);
    lc_json_end_object(&p->rest);
    lc_table_init(&p->seen, p->arena);
    return each_member(s, take_piece, p);
}

static bool take_in_line(void *context, scan *s, lc_str key)
{
    splitter *p = context;
    lc_json_raw_key(&p->rest, key);
    if (lc_str_is(key, "\"response\"") && peek(s) == '{') {
        lc_json_object(&p->rest, NULL);
        bool good = each_member(s, take_in_response, p);
        lc_json_end_object(&p->rest);
        return good;
    }
    peek(s);
    size_t from = s->at;
    if (!copy_value(p, s))
        return false;
    lc_str value = lc_str_sub(s->text, from, s->at);
    if (lc_str_is(key, "\"rpc\"") && value.len > 2)
        p->schemas = lc_pj_rpc_of(lc_str_sub(value, 1, value.len - 1)) == LC_PJ_SCHEMA;
    return true;
}

bool lc_schema_line_split(lc_schema_line *out, lc_arena *arena, lc_str line,
                          const lc_limits *limits)
{
    splitter p = {.out = out, .arena = arena, .rest = {.out = &out->rest}};
    scan s = {line, 0};
    *out = (lc_schema_line){.limits = *limits};
    lc_json_object(&p.rest, NULL);
    bool good = each_member(&s, take_in_line, &p) && peek(&s) == '\0' && p.schemas;
    lc_json_end_object(&p.rest);
    if (!good) {
        lc_buf_release(&out->rest);
        out->rest = (lc_buf){0};
    }
    return good;
}
