/* Bytes of messages to nodes.
 *
 * A message is read in two steps. First its bytes are split into pieces, one for each time that a
 * field is given; then each field becomes a node from its pieces. So what is given several times
 * costs no more than what is given once: the last scalar counts, and a message that is not repeated
 * is what its pieces are in a row, which is how protobuf defines the merging of messages. */
#include "wire/tables.h"
#include "wire/timestamp.h"

#include "lifecheck/arena.h"
#include "lifecheck/bug.h"
#include "lifecheck/codec.h"
#include "lifecheck/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

/* The types of fields on the wire. */
enum { VARINT, FIXED64, LENGTH, GROUP_BEGIN, GROUP_END, FIXED32 };

/* A field with its value, as it stands in the bytes. */
typedef struct piece {
    lc_str raw; /* all of it, with the tag */
    lc_str key; /* of an entry of a map */
    union {
        lc_str bytes; /* LENGTH; the value of an entry */
        uint64_t varint;
    } as;
    uint32_t next; /* piece of the same field; 0: none */
} piece;

/* The pieces of one message by field number; [0] has those that are unknown. */
typedef struct pieces {
    uint32_t first[LC_WIRE_NUMBERS], last[LC_WIRE_NUMBERS], count[LC_WIRE_NUMBERS];
    unsigned end;  /* behind the largest number */
    uint8_t oneof; /* the field of the oneof that is set */
} pieces;

typedef struct scan {
    lc_wire_reader *reader;
    lc_str all;
    size_t copied_at; /* where the bytes that are read stood, if they are a copy */
    size_t copied;    /* bytes that were copied so far */
    piece *stack;     /* pieces of all messages that are being read, on the heap; [0] is unused */
    size_t count, capacity;
    size_t nodes, depth;
    uint64_t unknown;
    lc_buf text; /* scratch */
} scan;

/* What is left of a message or of an entry. */
typedef struct cursor {
    const char *at, *end;
} cursor;

static bool is_copy(const scan *s, const char *at)
{
    uintptr_t begin = (uintptr_t)s->all.ptr, here = (uintptr_t)at;
    return here < begin || here > begin + s->all.len;
}

static size_t offset_of(const scan *s, const char *at)
{
    return is_copy(s, at) ? s->copied_at : (size_t)(at - s->all.ptr);
}

static bool fail(scan *s, const char *at, const char *why)
{
    s->reader->why = lc_str_from_c(why);
    s->reader->at = offset_of(s, at);
    return false;
}

/* ---- Wire format. */

static bool take_long_varint(scan *s, cursor *c, uint64_t *out)
{
    const char *begin = c->at;
    uint64_t value = 0;
    for (unsigned shift = 0; c->at < c->end; shift += 7) {
        unsigned char byte = (unsigned char)*c->at++;
        if (shift == 63 && byte > 1)
            return fail(s, begin, "a number has more than 64 bits");
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = value;
            return true;
        }
    }
    return fail(s, begin, "the message ends inside a number");
}

/* Nearly all tags, lengths and numbers have one byte. */
static inline bool take_varint(scan *s, cursor *c, uint64_t *out)
{
    if (c->at == c->end || (unsigned char)*c->at >= 0x80)
        return take_long_varint(s, c, out);
    *out = (unsigned char)*c->at++;
    return true;
}

static bool take_bytes(scan *s, cursor *c, uint64_t len, lc_str *out)
{
    if (len > (size_t)(c->end - c->at))
        return fail(s, c->at, "a field is longer than what is left of its message");
    *out = (lc_str){c->at, (size_t)len};
    c->at += len;
    return true;
}

static bool take_tag(scan *s, cursor *c, uint64_t *number, unsigned *type)
{
    const char *begin = c->at;
    uint64_t tag;
    if (!take_varint(s, c, &tag))
        return false;
    *number = tag >> 3;
    *type = tag & 7;
    if (*number < 1 || *number > 0x1FFFFFFF)
        return fail(s, begin, "no field can have this number");
    return true;
}

static bool skip_group(scan *s, cursor *c, uint64_t number);

/* The value behind a tag. */
static bool take_value(scan *s, cursor *c, uint64_t number, unsigned type, piece *out)
{
    uint64_t len;
    lc_str fixed;
    switch (type) {
    case VARINT:
        return take_varint(s, c, &out->as.varint);
    case FIXED64:
        return take_bytes(s, c, 8, &fixed);
    case LENGTH:
        return take_varint(s, c, &len) && take_bytes(s, c, len, &out->as.bytes);
    case GROUP_BEGIN:
        return skip_group(s, c, number);
    case GROUP_END:
        return fail(s, c->at, "a group ends that has not begun");
    case FIXED32:
        return take_bytes(s, c, 4, &fixed);
    default:
        return fail(s, c->at, "fields have no such type on the wire");
    }
}

static bool take_field(scan *s, cursor *c, uint64_t *number, unsigned *type, piece *out)
{
    const char *begin = c->at;
    *out = (piece){.raw = {begin, 0}};
    if (!take_tag(s, c, number, type) || !take_value(s, c, *number, *type, out))
        return false;
    out->raw.len = (size_t)(c->at - begin);
    return true;
}

static bool enter(scan *s, const char *at)
{
    return ++s->depth <= s->reader->limits.depth || fail(s, at, "this is nested too deeply");
}

static bool skip_group(scan *s, cursor *c, uint64_t number)
{
    if (!enter(s, c->at))
        return false;
    while (c->at < c->end) {
        const char *begin = c->at;
        uint64_t inner;
        unsigned type;
        piece value;
        if (!take_tag(s, c, &inner, &type))
            return false;
        if (type == GROUP_END) {
            s->depth--;
            return inner == number || fail(s, begin, "a group ends that has not begun");
        }
        if (!take_value(s, c, inner, type, &value))
            return false;
    }
    return fail(s, c->at, "the message ends inside a group");
}

/* ---- Copies of what stands in several places. */

/* Appends to the scratch text. Copies can contain copies, so their sum has a limit of its own. */
static bool add_copy(scan *s, lc_str bytes)
{
    s->copied += bytes.len;
    if (s->copied > s->reader->limits.input_bytes)
        return fail(s, bytes.ptr, "too much of this has to be merged");
    lc_buf_add_str(&s->text, bytes);
    return true;
}

/* The bytes of the pieces in a row. */
static bool join(scan *s, uint32_t first, lc_str *out)
{
    if (s->stack[first].next == 0) {
        *out = s->stack[first].as.bytes;
        return true;
    }
    lc_buf_clear(&s->text);
    for (uint32_t i = first; i; i = s->stack[i].next) {
        if (!add_copy(s, s->stack[i].as.bytes))
            return false;
    }
    *out = lc_buf_copy(s->reader->arena, &s->text);
    return true;
}

/* ---- Splitting. */

static bool is_message(const lc_wire_field *field)
{
    return field->kind == LC_WIRE_MESSAGE;
}

static unsigned wire_type(const lc_wire_field *field)
{
    bool varint =
        field->kind == LC_WIRE_BOOL || field->kind == LC_WIRE_INT64 || field->kind == LC_WIRE_ENUM;
    return varint && field->label != LC_WIRE_MAP ? VARINT : LENGTH;
}

/* Key and value of an entry, of which the last ones count; values that are messages are merged. An
 * entry has no place for unknown fields: they are dropped, as in every reader of protobuf. */
static bool split_entry(scan *s, const lc_wire_field *field, piece *entry)
{
    cursor c = {entry->as.bytes.ptr, entry->as.bytes.ptr + entry->as.bytes.len};
    lc_str value = LC_STR_EMPTY;
    size_t values = 0;
    entry->key = LC_STR_EMPTY;
    while (c.at < c.end) {
        uint64_t number;
        unsigned type;
        piece p;
        if (!take_field(s, &c, &number, &type, &p))
            return false;
        if (type != LENGTH || number > 2) {
            s->unknown++;
        } else if (number == 1) {
            entry->key = p.as.bytes;
        } else {
            if (values == 1)
                lc_buf_clear(&s->text);
            if (is_message(field) &&
                ((values == 1 && !add_copy(s, value)) || (values >= 1 && !add_copy(s, p.as.bytes))))
                return false;
            value = p.as.bytes;
            values++;
        }
    }
    bool merged = values > 1 && is_message(field);
    entry->as.bytes = merged ? lc_buf_copy(s->reader->arena, &s->text) : value;
    return true;
}

static bool add_piece(scan *s, pieces *of, unsigned number, const piece *new)
{
    if (++s->nodes > s->reader->limits.nodes || s->count >= UINT32_MAX)
        return fail(s, new->raw.ptr, "the message has too many fields");
    if (s->count >= s->capacity) {
        s->capacity = s->capacity ? lc_mul_size(s->capacity, 2) : 256;
        s->stack = lc_heap_resize(s->stack, lc_mul_size(s->capacity, sizeof *s->stack));
    }
    uint32_t at = (uint32_t)s->count++;
    s->stack[at] = *new;
    if (of->count[number]++)
        s->stack[of->last[number]].next = at;
    else
        of->first[number] = at;
    of->last[number] = at;
    of->end = number < of->end ? of->end : number + 1;
    return true;
}

/* Neighbours become one piece. */
static bool add_unknown(scan *s, pieces *of, const piece *new)
{
    s->unknown++;
    if (of->count[0]) {
        lc_str *before = &s->stack[of->last[0]].raw;
        if (before->ptr + before->len == new->raw.ptr) {
            before->len += new->raw.len;
            return true;
        }
    }
    return add_piece(s, of, 0, new);
}

static bool is_wanted(const scan *s, const lc_wire_field *field, lc_str key)
{
    const lc_wire_reader *r = s->reader;
    return !is_message(field) || !r->wanted ||
           r->wanted(r->context, lc_wire_field_name(field), key);
}

/* Go refuses a message with texts that are not UTF-8. Here the field is kept like an unknown one,
 * so that nothing of what was sent is lost. */
static bool add_known(scan *s, pieces *of, const lc_wire_field *field, piece *p)
{
    bool map = field->label == LC_WIRE_MAP;
    if (map && !split_entry(s, field, p))
        return false;
    if ((map && !lc_utf8_valid(p->key)) ||
        (field->kind == LC_WIRE_STRING && !lc_utf8_valid(p->as.bytes)))
        return add_unknown(s, of, p);
    if (map && !is_wanted(s, field, p->key))
        return true;
    if (field->label == LC_WIRE_ONEOF && of->oneof != field->number) {
        if (of->oneof)
            of->count[of->oneof] = 0;
        of->oneof = field->number;
    }
    return add_piece(s, of, field->number, p);
}

static bool split(scan *s, pieces *of, const lc_wire_message *message, lc_str bytes)
{
    cursor c = {bytes.ptr, bytes.ptr + bytes.len};
    while (c.at < c.end) {
        uint64_t number;
        unsigned type;
        piece p;
        if (!take_field(s, &c, &number, &type, &p))
            return false;
        const lc_wire_field *field = lc_wire_field_of(message, number);
        bool known = field && type == wire_type(field);
        if (!(known ? add_known(s, of, field, &p) : add_unknown(s, of, &p)))
            return false;
    }
    return true;
}

/* ---- Values. */

static bool read_message(scan *s, lc_node *out, const lc_wire_message *message, lc_str bytes);

static lc_node new_node(lc_node_kind kind, size_t where)
{
    return (lc_node){.kind = (uint8_t)kind, .style = LC_STYLE_JSON, .where = where};
}

static void set_base64(scan *s, lc_node *out, lc_str bytes)
{
    lc_buf_clear(&s->text);
    lc_base64_encode(&s->text, bytes);
    out->kind = LC_NODE_STRING;
    out->as.text = lc_buf_copy(s->reader->arena, &s->text);
}

static void set_enum(scan *s, lc_node *out, const lc_wire_field *field, int32_t value)
{
    const char *name = lc_wire_enum_name(field, value);
    out->kind = name ? LC_NODE_STRING : LC_NODE_NUMBER;
    out->as.text = name ? lc_str_from_c(name) : lc_str_printf(s->reader->arena, "%" PRId32, value);
    s->unknown += !name;
}

/* A value of a field that is no message. */
static void set_scalar(scan *s, lc_node *out, const lc_wire_field *field, const piece *p)
{
    *out = new_node(LC_NODE_STRING, offset_of(s, p->raw.ptr));
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
    case LC_WIRE_INT64:
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

static bool is_default(const lc_wire_field *field, const piece *p)
{
    if (field->kind == LC_WIRE_ENUM)
        return (uint32_t)p->as.varint == 0;
    return wire_type(field) == VARINT ? p->as.varint == 0 : p->as.bytes.len == 0;
}

/* `bytes` are those of a piece, which stood at `raw`, or a copy of several. */
static bool read_inner(scan *s, lc_node *out, const lc_wire_message *type, lc_str bytes,
                       const char *raw)
{
    size_t where = offset_of(s, raw), outer = s->copied_at;
    if (is_copy(s, bytes.ptr))
        s->copied_at = where;
    bool ok = read_message(s, out, type, bytes);
    out->where = where;
    s->copied_at = outer;
    return ok;
}

/* Times that RFC 3339 cannot write are kept like unknown fields. */
static bool read_timestamp(scan *s, lc_node *out, const lc_wire_field *field, pieces *of, bool *set)
{
    uint32_t first = of->first[field->number];
    int64_t seconds = 0;
    int32_t nanos = 0;
    lc_str bytes;
    if (!join(s, first, &bytes))
        return false;
    cursor c = {bytes.ptr, bytes.ptr + bytes.len};
    while (c.at < c.end) {
        uint64_t number;
        unsigned type;
        piece p;
        if (!take_field(s, &c, &number, &type, &p))
            return false;
        if (type == VARINT && number == 1)
            seconds = (int64_t)p.as.varint;
        else if (type == VARINT && number == 2)
            nanos = (int32_t)(uint32_t)p.as.varint;
        else
            s->unknown++;
    }
    *out = new_node(LC_NODE_STRING, offset_of(s, s->stack[first].raw.ptr));
    *set = lc_wire_timestamp_text(&out->as.text, s->reader->arena, seconds, nanos);
    for (uint32_t i = *set ? 0 : first; i; i = s->stack[i].next) {
        piece p = s->stack[i];
        p.next = 0;
        if (!add_unknown(s, of, &p))
            return false;
    }
    return true;
}

static bool read_single(scan *s, lc_node *out, const lc_wire_message *message,
                        const lc_wire_field *field, pieces *of, bool *set)
{
    uint32_t first = of->first[field->number], last = of->last[field->number];
    lc_str bytes;
    *set = true;
    if (field->kind == LC_WIRE_TIMESTAMP)
        return read_timestamp(s, out, field, of, set);
    if (is_message(field))
        return join(s, first, &bytes) &&
               read_inner(s, out, lc_wire_type(message, field), bytes, s->stack[first].raw.ptr);
    *set = field->label != LC_WIRE_SINGLE || !is_default(field, &s->stack[last]);
    if (*set)
        set_scalar(s, out, field, &s->stack[last]);
    return true;
}

/* The value of a piece in a list or map. */
static bool read_element(scan *s, lc_node *out, const lc_wire_message *message,
                         const lc_wire_field *field, uint32_t at)
{
    if (is_message(field))
        return read_inner(s, out, lc_wire_type(message, field), s->stack[at].as.bytes,
                          s->stack[at].raw.ptr);
    set_scalar(s, out, field, &s->stack[at]);
    return true;
}

static bool read_list(scan *s, lc_node *out, const lc_wire_message *message,
                      const lc_wire_field *field, const pieces *of)
{
    uint32_t count = of->count[field->number], at = of->first[field->number];
    lc_node *items = LC_NEW_ARRAY(s->reader->arena, lc_node, count);
    *out = new_node(LC_NODE_SEQUENCE, offset_of(s, s->stack[at].raw.ptr));
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
static bool read_map(scan *s, lc_node *out, const lc_wire_message *message,
                     const lc_wire_field *field, const pieces *of)
{
    uint32_t count = of->count[field->number], at = of->first[field->number];
    lc_member *members = LC_NEW_ARRAY(s->reader->arena, lc_member, count);
    *out = new_node(LC_NODE_MAPPING, offset_of(s, s->stack[at].raw.ptr));
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

static bool read_field(scan *s, lc_node *out, const lc_wire_message *message,
                       const lc_wire_field *field, pieces *of, bool *set)
{
    *set = true;
    if (field->label == LC_WIRE_REPEATED)
        return read_list(s, out, message, field, of);
    if (field->label == LC_WIRE_MAP)
        return read_map(s, out, message, field, of);
    return read_single(s, out, message, field, of, set);
}

static void set_unknown(scan *s, lc_node *out, const pieces *of)
{
    lc_buf all = {0};
    uint32_t at = of->first[0];
    *out = new_node(LC_NODE_STRING, offset_of(s, s->stack[at].raw.ptr));
    for (uint32_t i = 0; i < of->count[0]; i++, at = s->stack[at].next)
        lc_buf_add_str(&all, s->stack[at].raw);
    set_base64(s, out, lc_buf_str(&all));
    lc_buf_release(&all);
}

static bool read_fields(scan *s, lc_node *out, const lc_wire_message *message, pieces *of)
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

static bool read_message(scan *s, lc_node *out, const lc_wire_message *message, lc_str bytes)
{
    pieces of = {0};
    size_t mark = s->count;
    *out = new_node(LC_NODE_MAPPING, offset_of(s, bytes.ptr));
    if (!enter(s, bytes.ptr) || !split(s, &of, message, bytes) ||
        !read_fields(s, out, message, &of))
        return false;
    s->depth--;
    s->count = mark;
    return true;
}

/* ---- Interface. */

static scan begin(lc_wire_reader *reader, lc_str bytes)
{
    reader->why = LC_STR_EMPTY;
    reader->at = 0;
    reader->unknown = 0;
    return (scan){.reader = reader, .all = bytes.len ? bytes : LC_STR_EMPTY, .count = 1};
}

static bool end(scan *s, bool ok)
{
    s->reader->unknown = s->unknown;
    lc_heap_free(s->stack);
    lc_buf_release(&s->text);
    return ok;
}

bool lc_wire_read(lc_node *out, lc_wire_reader *reader, const lc_wire_message *message,
                  lc_str bytes)
{
    scan s = begin(reader, bytes);
    return end(&s, read_message(&s, out, message, s.all));
}

bool lc_wire_each_entry(lc_wire_reader *reader, const lc_wire_message *message, lc_str bytes,
                        bool (*each)(void *context, lc_str field, lc_str key,
                                     const lc_wire_message *type, lc_str value),
                        void *context)
{
    scan s = begin(reader, bytes);
    cursor c = {s.all.ptr, s.all.ptr + s.all.len};
    bool ok = true, stopped = false;
    while (ok && !stopped && c.at < c.end) {
        uint64_t number;
        unsigned type;
        piece p;
        ok = take_field(&s, &c, &number, &type, &p);
        const lc_wire_field *field = ok ? lc_wire_field_of(message, number) : NULL;
        if (!field || type != LENGTH || field->label != LC_WIRE_MAP || !is_message(field))
            continue;
        ok = split_entry(&s, field, &p);
        if (ok && lc_utf8_valid(p.key) && is_wanted(&s, field, p.key))
            stopped = !each(context, lc_wire_field_name(field), p.key, lc_wire_type(message, field),
                            p.as.bytes);
    }
    return end(&s, ok);
}
