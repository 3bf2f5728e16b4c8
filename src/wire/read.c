/* Bytes of messages to nodes.
 *
 * A message is read in two steps. First its bytes are split into pieces, one for each occurrence
 * of a field; then each field becomes a node from its pieces. So a field with several occurrences
 * costs no more than one with a single occurrence: the last scalar counts, and a message that is
 * not repeated consists of its pieces in a row, which is how protobuf defines the merging of
 * messages. */
#include "wire/pieces.h"
#include "wire/timestamp.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/codec/codec.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Values. */

static bool read_message(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                         lc_str bytes);

static lc_node new_node(lc_node_kind kind, size_t where)
{
    return (lc_node){.kind = (uint8_t)kind, .style = LC_STYLE_JSON, .where = where};
}

static void set_base64(lc_wire_scan *s, lc_node *out, lc_str bytes)
{
    lc_buf_clear(&s->text);
    lc_base64_encode(&s->text, bytes);
    out->kind = LC_NODE_STRING;
    out->as.text = lc_buf_copy(s->reader->arena, &s->text);
}

static void set_enum(lc_wire_scan *s, lc_node *out, const lc_wire_field *field, int32_t value)
{
    const char *name = lc_wire_enum_name(field, value);
    out->kind = name ? LC_NODE_STRING : LC_NODE_NUMBER;
    out->as.text = name ? lc_str_from_c(name) : lc_str_printf(s->reader->arena, "%" PRId32, value);
    s->unknown += !name;
}

/* A value of a field that is not a message. */
static void set_scalar(lc_wire_scan *s, lc_node *out, const lc_wire_field *field,
                       const lc_wire_piece *p)
{
    *out = new_node(LC_NODE_STRING, lc_wire_offset(s, p->raw.ptr));
    switch ((lc_wire_kind)field->kind) {
    case LC_WIRE_STRING:
        out->as.text = p->as.bytes;
        return;
    case LC_WIRE_BYTES:
        set_base64(s, out, p->as.bytes);
        return;
    case LC_WIRE_BOOL:
        out->kind = LC_NODE_BOOL;
        out->boolean = p->as.varint != 0;
        out->as.text = out->boolean ? LC_STR("true") : LC_STR("false");
        return;
    case LC_WIRE_INT64: /* a string in protojson: JavaScript has 53 bits */
        out->as.text = lc_str_printf(s->reader->arena, "%" PRId64, (int64_t)p->as.varint);
        return;
    case LC_WIRE_ENUM:
        set_enum(s, out, field, (int32_t)(uint32_t)p->as.varint);
        return;
    case LC_WIRE_TIMESTAMP:
    case LC_WIRE_MESSAGE:
        break;
    }
    LC_UNREACHABLE();
}

/* A field without presence and with its default value is left out, as protojson does. */
static bool is_default(const lc_wire_field *field, const lc_wire_piece *p)
{
    if (field->kind == LC_WIRE_ENUM)
        return (uint32_t)p->as.varint == 0;
    return lc_wire_type_of(field) == LC_WIRE_VARINT ? p->as.varint == 0 : p->as.bytes.len == 0;
}

/* `bytes` are those of a piece, which began at `raw`, or a copy of several. */
static bool read_inner(lc_wire_scan *s, lc_node *out, const lc_wire_message *type, lc_str bytes,
                       const char *raw)
{
    size_t where = lc_wire_offset(s, raw), outer = s->copied_at;
    if (lc_wire_is_copy(s, bytes.ptr))
        s->copied_at = where;
    bool ok = read_message(s, out, type, bytes);
    out->where = where;
    s->copied_at = outer;
    return ok;
}

/* Times that RFC 3339 cannot write are kept like unknown fields. */
static bool read_timestamp(lc_wire_scan *s, lc_node *out, const lc_wire_field *field,
                           lc_wire_pieces *of, bool *set)
{
    uint32_t first = of->first[field->number];
    int64_t seconds = 0;
    int32_t nanos = 0;
    lc_str bytes;
    if (!lc_wire_join(s, first, &bytes))
        return false;
    lc_wire_cursor c = {bytes.ptr, bytes.ptr + bytes.len};
    while (c.at < c.end) {
        uint64_t number;
        unsigned type;
        lc_wire_piece p;
        if (!lc_wire_take_field(s, &c, &number, &type, &p))
            return false;
        if (type == LC_WIRE_VARINT && number == 1)
            seconds = (int64_t)p.as.varint;
        else if (type == LC_WIRE_VARINT && number == 2)
            nanos = (int32_t)(uint32_t)p.as.varint;
        else
            s->unknown++;
    }
    *out = new_node(LC_NODE_STRING, lc_wire_offset(s, s->stack[first].raw.ptr));
    *set = lc_wire_timestamp_text(&out->as.text, s->reader->arena, seconds, nanos);
    for (uint32_t i = *set ? 0 : first; i; i = s->stack[i].next) {
        lc_wire_piece p = s->stack[i];
        p.next = 0;
        if (!lc_wire_add_unknown(s, of, &p))
            return false;
    }
    return true;
}

static bool read_single(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                        const lc_wire_field *field, lc_wire_pieces *of, bool *set)
{
    uint32_t first = of->first[field->number], last = of->last[field->number];
    lc_str bytes;
    *set = true;
    if (field->kind == LC_WIRE_TIMESTAMP)
        return read_timestamp(s, out, field, of, set);
    if (lc_wire_is_message(field))
        return lc_wire_join(s, first, &bytes) &&
               read_inner(s, out, lc_wire_type(message, field), bytes, s->stack[first].raw.ptr);
    *set = field->label != LC_WIRE_SINGLE || !is_default(field, &s->stack[last]);
    if (*set)
        set_scalar(s, out, field, &s->stack[last]);
    return true;
}

/* The value of a piece in a list or map. */
static bool read_element(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                         const lc_wire_field *field, uint32_t at)
{
    if (lc_wire_is_message(field))
        return read_inner(s, out, lc_wire_type(message, field), s->stack[at].as.bytes,
                          s->stack[at].raw.ptr);
    set_scalar(s, out, field, &s->stack[at]);
    return true;
}

static bool read_list(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                      const lc_wire_field *field, const lc_wire_pieces *of)
{
    uint32_t count = of->count[field->number], at = of->first[field->number];
    lc_node *items = LC_NEW_ARRAY(s->reader->arena, lc_node, count);
    *out = new_node(LC_NODE_SEQUENCE, lc_wire_offset(s, s->stack[at].raw.ptr));
    out->as.items = items;
    for (out->count = 0; out->count < count; at = s->stack[at].next) {
        if (!read_element(s, &items[out->count++], message, field, at))
            return false;
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    const lc_member *x = a, *y = b;
    int order = lc_str_cmp(x->key, y->key);
    return order ? order : (x->where > y->where) - (x->where < y->where);
}

/* The entries by key, as protojson has them; of equal keys the last one counts. `where` is a piece
 * until the value has been read. */
static bool read_map(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                     const lc_wire_field *field, const lc_wire_pieces *of)
{
    uint32_t count = of->count[field->number], at = of->first[field->number];
    lc_member *members = LC_NEW_ARRAY(s->reader->arena, lc_member, count);
    *out = new_node(LC_NODE_MAPPING, lc_wire_offset(s, s->stack[at].raw.ptr));
    for (uint32_t i = 0; i < count; i++, at = s->stack[at].next)
        members[i] = (lc_member){.key = s->stack[at].key, .where = at};
    qsort(members, count, sizeof *members, by_key);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && lc_str_eq(members[i].key, members[i + 1].key))
            continue;
        lc_member *m = &members[out->count++];
        *m = members[i];
        if (!read_element(s, &m->value, message, field, (uint32_t)m->where))
            return false;
        m->where = m->value.where;
    }
    out->as.members = members;
    return true;
}

static bool read_field(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                       const lc_wire_field *field, lc_wire_pieces *of, bool *set)
{
    *set = true;
    if (field->label == LC_WIRE_REPEATED)
        return read_list(s, out, message, field, of);
    if (field->label == LC_WIRE_MAP)
        return read_map(s, out, message, field, of);
    return read_single(s, out, message, field, of, set);
}

static void set_unknown(lc_wire_scan *s, lc_node *out, const lc_wire_pieces *of)
{
    lc_buf all = {0};
    uint32_t at = of->first[0];
    *out = new_node(LC_NODE_STRING, lc_wire_offset(s, s->stack[at].raw.ptr));
    for (uint32_t i = 0; i < of->count[0]; i++, at = s->stack[at].next)
        lc_buf_add_str(&all, s->stack[at].raw);
    set_base64(s, out, lc_buf_str(&all));
    lc_buf_release(&all);
}

/* Fields in the order of their numbers, then what is unknown as one member, so that bytes can be
 * written again without loss. */
static bool read_fields(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                        lc_wire_pieces *of)
{
    size_t room = 0;
    for (unsigned i = 0; i < of->end; i++)
        room += of->count[i] > 0;
    lc_member *members = LC_NEW_ARRAY(s->reader->arena, lc_member, room);
    for (unsigned i = 1; i < of->end; i++) {
        bool set;
        const lc_wire_field *field = lc_wire_field_of(message, i);
        if (!field || of->count[i] == 0)
            continue;
        lc_member *m = &members[out->count];
        if (!read_field(s, &m->value, message, field, of, &set))
            return false;
        m->key = lc_wire_field_name(field);
        m->where = m->value.where;
        out->count += set;
    }
    if (of->count[0]) {
        lc_member *m = &members[out->count++];
        set_unknown(s, &m->value, of);
        m->key = LC_STR(LC_WIRE_UNKNOWN_FIELDS);
        m->where = m->value.where;
    }
    out->as.members = members;
    return true;
}

/* The pieces of this message are above `mark`, and are given back when it has become a node. */
static bool read_message(lc_wire_scan *s, lc_node *out, const lc_wire_message *message,
                         lc_str bytes)
{
    lc_wire_pieces of = {0};
    size_t mark = s->count;
    *out = new_node(LC_NODE_MAPPING, lc_wire_offset(s, bytes.ptr));
    if (!lc_wire_enter(s, bytes.ptr) || !lc_wire_split(s, &of, message, bytes) ||
        !read_fields(s, out, message, &of))
        return false;
    s->depth--;
    s->count = mark;
    return true;
}

/* ---- Interface. */

static lc_wire_scan begin(lc_wire_reader *reader, lc_str bytes)
{
    reader->why = LC_STR_EMPTY;
    reader->at = 0;
    reader->unknown = 0;
    return (lc_wire_scan){.reader = reader, .all = bytes.len ? bytes : LC_STR_EMPTY, .count = 1};
}

static bool end(lc_wire_scan *s, bool ok)
{
    s->reader->unknown = s->unknown;
    lc_heap_free(s->stack);
    lc_buf_release(&s->text);
    return ok;
}

bool lc_wire_read(lc_node *out, lc_wire_reader *reader, const lc_wire_message *message,
                  lc_str bytes)
{
    lc_wire_scan s = begin(reader, bytes);
    return end(&s, read_message(&s, out, message, s.all));
}

bool lc_wire_each_entry(lc_wire_reader *reader, const lc_wire_message *message, lc_str bytes,
                        bool (*each)(void *context, lc_str field, lc_str key,
                                     const lc_wire_message *type, lc_str value),
                        void *context)
{
    lc_wire_scan s = begin(reader, bytes);
    lc_wire_cursor c = {s.all.ptr, s.all.ptr + s.all.len};
    bool ok = true, stopped = false;
    while (ok && !stopped && c.at < c.end) {
        uint64_t number;
        unsigned type;
        lc_wire_piece p;
        ok = lc_wire_take_field(&s, &c, &number, &type, &p);
        const lc_wire_field *field = ok ? lc_wire_field_of(message, number) : NULL;
        if (!field || type != LC_WIRE_LENGTH || field->label != LC_WIRE_MAP ||
            !lc_wire_is_message(field))
            continue;
        ok = lc_wire_split_entry(&s, field, &p);
        if (ok && lc_utf8_valid(p.key) && lc_wire_is_wanted(&s, field, p.key))
            stopped = !each(context, lc_wire_field_name(field), p.key, lc_wire_type(message, field),
                            p.as.bytes);
    }
    return end(&s, ok);
}
