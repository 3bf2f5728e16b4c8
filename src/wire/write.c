/* Nodes to bytes of messages, in canonical order. What cannot be part of the message is refused, so
 * that nothing is left out silently. */
#include "wire/pieces.h"
#include "wire/timestamp.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/value/number.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    lc_arena *arena;
    lc_str *why;
    lc_buf out;
    size_t depth;
} writer;

/* The members of a node by field number; NULL: not given. */
typedef struct members {
    const lc_node *of[LC_WIRE_NUMBERS];
    const lc_node *unknown;
} members;

static bool refuse(writer *w, const lc_wire_field *field, const char *what)
{
    *w->why = lc_str_printf(w->arena, "%s: %s", field ? field->name : "the message", what);
    return false;
}

/* ---- Wire format. */

/* The longest that 64 bits can be. */
enum { VARINT_BYTES = 10 };

static size_t put_varint(char out[VARINT_BYTES], uint64_t value)
{
    size_t len = 0;
    for (; value >= 0x80; value >>= 7)
        out[len++] = (char)(value | 0x80);
    out[len++] = (char)value;
    return len;
}

static void add_varint(lc_buf *out, uint64_t value)
{
    char bytes[VARINT_BYTES];
    lc_buf_add(out, bytes, put_varint(bytes, value));
}

static void add_tag(writer *w, unsigned number, unsigned type)
{
    add_varint(&w->out, number << 3 | type);
}

static void add_bytes(writer *w, unsigned number, lc_str bytes)
{
    add_tag(w, number, LC_WIRE_LENGTH);
    add_varint(&w->out, bytes.len);
    lc_buf_add_str(&w->out, bytes);
}

/* Something whose length is known only when it ends: one byte is left for the length, and what was
 * written is moved if that is too small. */
static size_t begin_bytes(writer *w, unsigned number)
{
    add_tag(w, number, LC_WIRE_LENGTH);
    lc_buf_add_char(&w->out, 0);
    return w->out.len;
}

static void end_bytes(writer *w, size_t begin)
{
    char length[VARINT_BYTES];
    size_t len = w->out.len - begin, more = put_varint(length, len) - 1;
    if (more) {
        lc_buf_add(&w->out, length, more);
        memmove(w->out.ptr + begin + more, w->out.ptr + begin, len);
    }
    memcpy(w->out.ptr + begin - 1, length, more + 1);
}

/* ---- Scalars. */

/* A whole number from a string or a number; 1e3 is one too. */
static bool to_integer(writer *w, const lc_node *node, int64_t *out)
{
    lc_num number;
    lc_str text = node->as.text;
    if ((node->kind != LC_NODE_STRING && node->kind != LC_NODE_NUMBER) || text.len > 64)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!strchr("+-.0123456789eE", text.ptr[i]) || text.ptr[i] == '\0')
            return false;
    }
    return lc_num_from_text(&number, w->arena, text, LC_MAX_DIGITS) == LC_NUM_OK &&
           lc_num_to_int64(number, out);
}

static bool to_varint(writer *w, const lc_wire_field *field, const lc_node *node, uint64_t *out)
{
    int64_t number = 0;
    bool ok;
    if (field->kind == LC_WIRE_BOOL) {
        ok = node->kind == LC_NODE_BOOL;
        number = node->boolean;
    } else if (field->kind == LC_WIRE_ENUM && node->kind == LC_NODE_STRING) {
        ok = lc_wire_enum_value(field, node->as.text, &number);
    } else {
        ok = to_integer(w, node, &number);
        if (field->kind == LC_WIRE_ENUM)
            ok = ok && number >= INT32_MIN && number <= INT32_MAX;
    }
    *out = (uint64_t)number;
    return ok || refuse(w, field,
                        field->kind == LC_WIRE_BOOL   ? "true or false is expected"
                        : field->kind == LC_WIRE_ENUM ? "the enum has no such value"
                                                      : "a 64-bit integer is expected");
}

static bool to_bytes(writer *w, const lc_wire_field *field, const lc_node *node, lc_str *out)
{
    size_t at;
    *out = node->as.text;
    if (node->kind != LC_NODE_STRING)
        return refuse(w, field, "a string is expected");
    if (field->kind == LC_WIRE_BYTES)
        return lc_base64_decode_any(out, w->arena, node->as.text, &at) ||
               refuse(w, field, "base64 is expected");
    return lc_utf8_valid(*out) || refuse(w, field, "the string is not UTF-8");
}

static bool write_timestamp(writer *w, const lc_wire_field *field, const lc_node *node)
{
    int64_t seconds;
    int32_t nanos;
    if (node->kind != LC_NODE_STRING || !lc_wire_timestamp_parse(node->as.text, &seconds, &nanos))
        return refuse(w, field, "a time of RFC 3339 is expected");
    size_t begin = begin_bytes(w, field->number);
    if (seconds) {
        add_tag(w, 1, LC_WIRE_VARINT);
        add_varint(&w->out, (uint64_t)seconds);
    }
    if (nanos) {
        add_tag(w, 2, LC_WIRE_VARINT);
        add_varint(&w->out, (uint64_t)nanos);
    }
    end_bytes(w, begin);
    return true;
}

/* ---- Fields. */

static bool write_message(writer *w, const lc_wire_message *message, const lc_node *node);

/* One value under a number, which is that of the field or, in the entry of a map, 2. Without
 * `presence` a default value is not written. */
static bool write_value(writer *w, const lc_wire_message *message, const lc_wire_field *field,
                        unsigned number, const lc_node *node, bool presence)
{
    lc_str bytes;
    uint64_t varint;
    size_t begin;
    switch ((lc_wire_kind)field->kind) {
    case LC_WIRE_STRING:
    case LC_WIRE_BYTES:
        if (!to_bytes(w, field, node, &bytes))
            return false;
        if (bytes.len || presence)
            add_bytes(w, number, bytes);
        return true;
    case LC_WIRE_BOOL:
    case LC_WIRE_INT64:
    case LC_WIRE_ENUM:
        if (!to_varint(w, field, node, &varint))
            return false;
        if (varint || presence) {
            add_tag(w, number, LC_WIRE_VARINT);
            add_varint(&w->out, varint);
        }
        return true;
    case LC_WIRE_TIMESTAMP:
        return write_timestamp(w, field, node);
    case LC_WIRE_MESSAGE:
        begin = begin_bytes(w, number);
        if (!write_message(w, lc_wire_type(message, field), node))
            return false;
        end_bytes(w, begin);
        return true;
    }
    LC_UNREACHABLE();
}

static bool write_list(writer *w, const lc_wire_message *message, const lc_wire_field *field,
                       const lc_node *node)
{
    if (node->kind != LC_NODE_SEQUENCE)
        return refuse(w, field, "a list is expected");
    for (uint32_t i = 0; i < node->count; i++) {
        if (!write_value(w, message, field, field->number, &node->as.items[i], true))
            return false;
    }
    return true;
}

LC_ORDER_POINTERS_BY_STR(by_key, lc_member, key)

static bool write_entry(writer *w, const lc_wire_message *message, const lc_wire_field *field,
                        const lc_member *entry)
{
    if (!lc_utf8_valid(entry->key))
        return refuse(w, field, "a key is not UTF-8");
    size_t begin = begin_bytes(w, field->number);
    add_bytes(w, 1, entry->key);
    if (!write_value(w, message, field, 2, &entry->value, true))
        return false;
    end_bytes(w, begin);
    return true;
}

/* By key: canonical order, so that the same node gives the same bytes. */
static bool write_map(writer *w, const lc_wire_message *message, const lc_wire_field *field,
                      const lc_node *node)
{
    if (node->kind != LC_NODE_MAPPING)
        return refuse(w, field, "a mapping is expected");
    const lc_member **order = LC_NEW_ARRAY(w->arena, const lc_member *, node->count);
    for (uint32_t i = 0; i < node->count; i++)
        order[i] = &node->as.members[i];
    qsort(order, node->count, sizeof *order, by_key);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!write_entry(w, message, field, order[i]))
            return false;
    }
    return true;
}

static bool write_field(writer *w, const lc_wire_message *message, const lc_wire_field *field,
                        const lc_node *node)
{
    if (field->label == LC_WIRE_REPEATED)
        return write_list(w, message, field, node);
    if (field->label == LC_WIRE_MAP)
        return write_map(w, message, field, node);
    return write_value(w, message, field, field->number, node, field->label != LC_WIRE_SINGLE);
}

/* ---- Messages. */

/* Sorts the members of a node to the fields. Members usually come in the order of the fields, so
 * the search goes on after the last one. */
static bool find_members(writer *w, members *out, const lc_wire_message *message,
                         const lc_node *node)
{
    unsigned after = 0;
    bool oneof = false;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        const lc_wire_field *field = lc_wire_field_named(message, m->key, after);
        if (!field && lc_str_is(m->key, LC_WIRE_UNKNOWN_FIELDS)) {
            out->unknown = &m->value;
            continue;
        }
        if (!field) {
            *w->why =
                lc_str_printf(w->arena, "%.*s has no field %.*s",
                              LC_FMT(lc_wire_message_name(w->arena, message)), LC_FMT(m->key));
            return false;
        }
        after = field->number;
        if (m->value.kind == LC_NODE_NULL)
            continue;
        if (out->of[after])
            return refuse(w, field, "it is given twice, in both spellings");
        if (field->label == LC_WIRE_ONEOF && oneof)
            return refuse(w, field, "another field that excludes it is given too");
        oneof = oneof || field->label == LC_WIRE_ONEOF;
        out->of[after] = &m->value;
    }
    return true;
}

/* Unknown fields must at least have valid tags and lengths. */
static bool write_unknown(writer *w, const lc_node *node)
{
    static const lc_wire_message nothing = {.identifier = "unknown", .protocol = 6};
    lc_str bytes = LC_STR_EMPTY;
    size_t at;
    lc_node fields;
    lc_wire_reader reader = {.arena = w->arena, .limits = LC_LIMITS_DEFAULT};
    if (!node || node->kind == LC_NODE_NULL)
        return true;
    if (node->kind != LC_NODE_STRING ||
        !lc_base64_decode_any(&bytes, w->arena, node->as.text, &at) ||
        !lc_wire_read(&fields, &reader, &nothing, bytes)) {
        *w->why = LC_STR(LC_WIRE_UNKNOWN_FIELDS ": base64 of fields is expected");
        return false;
    }
    lc_buf_add_str(&w->out, bytes);
    return true;
}

static bool write_message(writer *w, const lc_wire_message *message, const lc_node *node)
{
    members given = {.unknown = NULL};
    if (node->kind != LC_NODE_MAPPING || ++w->depth > LC_MAX_DEPTH) {
        *w->why = lc_str_printf(
            w->arena, "%.*s: %s", LC_FMT(lc_wire_message_name(w->arena, message)),
            node->kind != LC_NODE_MAPPING ? "a mapping is expected" : "this is nested too deeply");
        return false;
    }
    if (!find_members(w, &given, message, node))
        return false;
    for (unsigned i = 1; i < LC_WIRE_NUMBERS; i++) {
        const lc_wire_field *field = lc_wire_field_of(message, i);
        if (field && given.of[i] && !write_field(w, message, field, given.of[i]))
            return false;
    }
    w->depth--;
    return write_unknown(w, given.unknown);
}

bool lc_wire_write(lc_buf *out, lc_arena *arena, const lc_wire_message *message,
                   const lc_node *node, lc_str *why)
{
    writer w = {.arena = arena, .why = why};
    bool ok = write_message(&w, message, node);
    if (ok)
        lc_buf_add_str(out, lc_buf_str(&w.out));
    lc_buf_release(&w.out);
    return ok;
}
