/* csvdecode: comma-separated values as Go's encoding/csv reads them. */
#include "configuration/functions/texts/texts.h"

#include <string.h>

typedef struct reader {
    lc_fn_call *c;
    lc_str text;
    size_t at;
    lc_str line;  /* what is left of the line, with its end */
    lc_buf field; /* of a quoted field */
    const char *why;
} reader;

static bool fail(reader *r, const char *why)
{
    r->why = why;
    return false;
}

/* The next line, with its line feed but without the carriage return before it. Empty: the end. */
static void read_line(reader *r)
{
    size_t end = lc_str_find(r->text, r->at, '\n');
    bool feed = end < r->text.len;
    r->line = lc_str_sub(r->text, r->at, end);
    r->at = feed ? end + 1 : end;
    if (r->line.len > 0 && r->line.ptr[r->line.len - 1] == '\r')
        r->line.len--;
    if (feed) {
        char *copy = lc_arena_alloc(r->c->e->arena, r->line.len + 1);
        memcpy(copy, r->line.ptr, r->line.len);
        copy[r->line.len] = '\n';
        r->line = (lc_str){copy, r->line.len + 1};
    }
}

static bool is_end_of_line(lc_str rest)
{
    return rest.len == 0 || lc_str_is(rest, "\n");
}

static void skip(reader *r, size_t count)
{
    r->line = lc_str_sub(r->line, count, r->line.len);
}

/* A field without quotes, up to the comma or the end. *more: a comma follows. */
static bool read_plain(reader *r, lc_str *out, bool *more)
{
    size_t comma = lc_str_find(r->line, 0, ',');
    *more = comma < r->line.len;
    *out = lc_str_sub(r->line, 0, comma);
    if (!*more && lc_str_ends_with(*out, LC_STR("\n")))
        out->len--;
    skip(r, *more ? comma + 1 : comma);
    return lc_str_find(*out, 0, '"') == out->len || fail(r, "a quotation mark is in a field");
}

/* After a quotation mark in a quoted field: another one belongs to the field. *done: the field
 * ends. */
static bool end_quoted(reader *r, bool *done, bool *more)
{
    char next = r->line.len > 0 ? r->line.ptr[0] : '\n';
    *more = next == ',';
    *done = *more || is_end_of_line(r->line);
    if (next == '"') {
        lc_buf_add_char(&r->field, '"');
        skip(r, 1);
        return true;
    }
    if (*more)
        skip(r, 1);
    return *done || fail(r, "there is more after a quoted field");
}

/* A quoted field may go on over several lines. */
static bool read_quoted(reader *r, lc_str *out, bool *more)
{
    bool done = false;
    lc_buf_clear(&r->field);
    skip(r, 1);
    while (!done) {
        size_t quote = lc_str_find(r->line, 0, '"');
        bool found = quote < r->line.len;
        lc_buf_add_str(&r->field, lc_str_sub(r->line, 0, quote));
        skip(r, found ? quote + 1 : quote);
        if (found && !end_quoted(r, &done, more))
            return false;
        if (found)
            continue;
        read_line(r);
        if (r->line.len == 0)
            return fail(r, "a quoted field does not end");
    }
    *out = lc_buf_copy(r->c->e->arena, &r->field);
    return true;
}

typedef struct record {
    LC_VEC(lc_str) fields;
} record;

/* The next line that is not empty. False: there is no other line, or (r->why) an error. */
static bool read_record(reader *r, record *out)
{
    bool more = true;
    out->fields.count = 0;
    do {
        if (r->at >= r->text.len)
            return false;
        read_line(r);
    } while (is_end_of_line(r->line));
    while (more) {
        lc_str field;
        bool quoted = r->line.len > 0 && r->line.ptr[0] == '"';
        if (!(quoted ? read_quoted(r, &field, &more) : read_plain(r, &field, &more)))
            return false;
        *LC_PUSH(r->c->e->arena, &out->fields, lc_str) = field;
    }
    return true;
}

/* The type of a row, from the names in the header. NULL: an error. */
static const lc_type *read_header(reader *r, record *header)
{
    lc_arena *arena = r->c->e->arena;
    lc_table seen;
    if (!read_record(r, header)) {
        r->why = r->why ? r->why : "the header is missing";
        return NULL;
    }
    lc_table_init(&seen, arena);
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, header->fields.count);
    for (size_t i = 0; i < header->fields.count; i++) {
        lc_str name = lc_nfc(arena, header->fields.items[i]);
        header->fields.items[i] = name;
        attrs[i] = (lc_type_attr){name, &lc_type_string, false};
        if (lc_table_put(&seen, name, r)) {
            r->why = "two columns have the same name";
            return NULL;
        }
    }
    return lc_type_object(arena, attrs, header->fields.count);
}

static reader reader_of(lc_fn_call *c)
{
    return (reader){.c = c, .text = lc_fn_text(c, 0)};
}

static bool end(reader *r, bool ok)
{
    lc_buf_release(&r->field);
    return ok || lc_fn_fail(r->c, r->why);
}

bool lc_fn_csvdecode_type(lc_fn_call *c)
{
    record header = {{0}};
    if (!lc_is_known(lc_fn_arg(c, 0)))
        return lc_fn_set_type(c, &lc_type_dynamic);
    reader r = reader_of(c);
    const lc_type *row = read_header(&r, &header);
    if (row)
        lc_fn_set_type(c, lc_type_collection(c->e->arena, LC_TYPE_LIST, row));
    return end(&r, row != NULL);
}

/* A row as an object, whose attributes are in another order than the columns. */
static void set_row(reader *r, lc_value *to, const lc_type *type, const size_t *places,
                    const record *row)
{
    lc_arena *arena = r->c->e->arena;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, row->fields.count);
    for (size_t i = 0; i < row->fields.count; i++)
        lc_value_set_string(&elems[places[i]], arena, row->fields.items[i]);
    lc_value_set_object(to, arena, type, elems);
}

typedef struct rows {
    LC_VEC(lc_value) list;
} rows;

static bool read_rows(reader *r, rows *out)
{
    lc_arena *arena = r->c->e->arena;
    record header = {{0}}, row = {{0}};
    const lc_type *type = read_header(r, &header);
    size_t count = header.fields.count, *places = LC_NEW_ARRAY(arena, size_t, count);
    for (size_t i = 0; type && i < count; i++)
        places[i] = (size_t)lc_type_attr_index(type, header.fields.items[i]);
    while (type && read_record(r, &row)) {
        if (row.fields.count != count)
            return fail(r, "a line has another number of fields than the header");
        set_row(r, LC_PUSH(arena, &out->list, lc_value), type, places, &row);
    }
    return !r->why;
}

bool lc_fn_csvdecode(lc_fn_call *c)
{
    reader r = reader_of(c);
    rows found = {{0}};
    lc_value v;
    bool ok = read_rows(&r, &found);
    if (ok)
        ok = lc_value_set_list(&v, c->e->arena, c->type, found.list.items, found.list.count) &&
             lc_fn_give(c, &v);
    return end(&r, ok);
}
