/* The writer of JSON text. Its whole state is in lc_json, so callers can save and restore it. */
#include "lifecheck/base/json.h"

#include <inttypes.h>
#include <string.h>

static void new_line(lc_json *w, size_t column)
{
    lc_buf_add_char(w->out, '\n');
    for (size_t i = 0; i < column; i++)
        lc_buf_add_char(w->out, ' ');
    w->breaks = false;
}

/* Writes what separates a key, or a value without a key, from what is before it: a comma, and a
 * line break or a space. */
static void separate(lc_json *w)
{
    if (w->more)
        lc_buf_add_char(w->out, ',');
    if (w->breaks)
        new_line(w, w->column);
    else if (w->indent && w->depth)
        new_line(w, w->depth * w->indent);
    else if (w->more && w->spaced)
        lc_buf_add_char(w->out, ' ');
    w->more = true;
}

static void end_key(lc_json *w)
{
    lc_buf_add_char(w->out, ':');
    if (w->spaced)
        lc_buf_add_char(w->out, ' ');
    w->keyed = true;
}

void lc_json_key(lc_json *w, lc_str key)
{
    separate(w);
    lc_buf_add_json(w->out, key, w->html);
    end_key(w);
}

void lc_json_raw_key(lc_json *w, lc_str json)
{
    separate(w);
    lc_buf_add_str(w->out, json);
    end_key(w);
}

/* After lc_json_key the separator is written already. */
lc_buf *lc_json_value(lc_json *w, const char *key)
{
    if (key)
        lc_json_key(w, lc_str_from_c(key));
    else if (!w->keyed)
        separate(w);
    w->keyed = false;
    return w->out;
}

/* ---- Containers. */

static void begin(lc_json *w, const char *key, char bracket)
{
    lc_buf_add_char(lc_json_value(w, key), bracket);
    w->depth++;
    w->more = false;
}

/* An empty container stays on one line, "{}". */
static void end(lc_json *w, char bracket)
{
    w->depth--;
    if (w->breaks)
        new_line(w, w->column);
    else if (w->indent && w->more)
        new_line(w, w->depth * w->indent);
    lc_buf_add_char(w->out, bracket);
    w->more = true;
}

void lc_json_object(lc_json *w, const char *key)
{
    begin(w, key, '{');
}

void lc_json_end_object(lc_json *w)
{
    end(w, '}');
}

void lc_json_array(lc_json *w, const char *key)
{
    begin(w, key, '[');
}

void lc_json_end_array(lc_json *w)
{
    end(w, ']');
}

/* ---- Values. */

void lc_json_str(lc_json *w, const char *key, lc_str text)
{
    lc_buf_add_json(lc_json_value(w, key), text, w->html);
}

void lc_json_c(lc_json *w, const char *key, const char *text)
{
    lc_json_str(w, key, lc_str_from_c(text));
}

void lc_json_uint(lc_json *w, const char *key, uint64_t n)
{
    lc_buf_add_uint(lc_json_value(w, key), n);
}

void lc_json_int(lc_json *w, const char *key, int64_t n)
{
    lc_buf_printf(lc_json_value(w, key), "%" PRId64, n);
}

void lc_json_bool(lc_json *w, const char *key, bool b)
{
    lc_buf_add_c(lc_json_value(w, key), b ? "true" : "false");
}

void lc_json_null(lc_json *w, const char *key)
{
    lc_buf_add_c(lc_json_value(w, key), "null");
}

void lc_json_raw(lc_json *w, const char *key, lc_str json)
{
    lc_buf_add_str(lc_json_value(w, key), json);
}

void lc_json_break(lc_json *w, size_t column)
{
    w->breaks = true;
    w->column = column;
}

/* ---- Existing JSON text in another layout. The text is known to be valid, so it is only scanned
 * for strings and brackets. */

/* The number of bytes since the last line break. */
static size_t column_of(const lc_json *w)
{
    size_t column = 0;
    while (column < w->out->len && w->out->ptr[w->out->len - column - 1] != '\n')
        column++;
    return column;
}

/* The offset after a string that begins at `at`; a backslash skips one character. */
static size_t string_end(lc_str json, size_t at)
{
    for (at++; at < json.len && json.ptr[at] != '"'; at++)
        at += json.ptr[at] == '\\';
    return at + 1 < json.len ? at + 1 : json.len;
}

static size_t scalar_end(lc_str json, size_t at)
{
    if (json.ptr[at] == '"')
        return string_end(json, at);
    while (at < json.len && !memchr(",]}", json.ptr[at], 3))
        at++;
    return at;
}

/* Is the container at `at` free of other containers, and does it fit into the rest of the line? */
static bool is_flat(const lc_json *w, lc_str json, size_t at, size_t columns)
{
    size_t used = column_of(w), end = at + 1;
    while (end < json.len && !memchr("{}[]", json.ptr[end], 4))
        end = json.ptr[end] == '"' ? string_end(json, end) : end + 1;
    bool closed = end < json.len && (json.ptr[end] == '}' || json.ptr[end] == ']');
    return closed && used < columns && end - at < columns - used;
}

/* The state of rewriting a string. */
typedef struct layout {
    size_t columns;
    unsigned indent; /* indentation outside of containers on one line */
    bool words;      /* inside an array of strings that is wrapped like words */
} layout;

static void lay_out_begin(lc_json *w, layout *l, lc_str json, size_t at)
{
    bool array = json.ptr[at] == '[';
    lc_json_value(w, NULL);
    w->keyed = true; /* the separator is written already */
    bool flat = l->columns && is_flat(w, json, at, l->columns);
    begin(w, NULL, json.ptr[at]);
    l->words = l->columns && array && !flat && json.ptr[at + 1] == '"';
    if (l->words)
        lc_json_break(w, w->depth * l->indent);
    if (flat || l->words)
        w->indent = 0;
}

/* Copies a key or a scalar; a wrapped array breaks the line before a string that does not fit. */
static size_t lay_out_scalar(lc_json *w, const layout *l, lc_str json, size_t at)
{
    size_t end = scalar_end(json, at);
    lc_str text = lc_str_sub(json, at, end);
    if (l->words && w->more && column_of(w) + strlen(", ") + text.len > l->columns)
        lc_json_break(w, w->depth * l->indent);
    if (end < json.len && json.ptr[end] == ':')
        lc_json_raw_key(w, text);
    else
        lc_json_raw(w, NULL, text);
    return end;
}

void lc_json_lay_out(lc_json *w, lc_str json, size_t columns)
{
    layout l = {.columns = columns, .indent = w->indent};
    for (size_t at = 0; at < json.len;) {
        char c = json.ptr[at];
        if (c == '{' || c == '[') {
            lay_out_begin(w, &l, json, at++);
        } else if (c == '}' || c == ']') {
            end(w, json.ptr[at++]);
            w->indent = l.indent;
            l.words = false;
        } else if (c == ',' || c == ':') {
            at++;
        } else {
            at = lay_out_scalar(w, &l, json, at);
        }
    }
}
