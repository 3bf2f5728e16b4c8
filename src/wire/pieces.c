/* Bytes of messages to pieces: the wire format. */
#include "wire/pieces.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"

bool lc_wire_is_copy(const lc_wire_scan *s, const char *at)
{
    uintptr_t begin = (uintptr_t)s->all.ptr, here = (uintptr_t)at;
    return here < begin || here > begin + s->all.len;
}

size_t lc_wire_offset(const lc_wire_scan *s, const char *at)
{
    return lc_wire_is_copy(s, at) ? s->copied_at : (size_t)(at - s->all.ptr);
}

static bool fail(lc_wire_scan *s, const char *at, const char *why)
{
    s->reader->why = lc_str_from_c(why);
    s->reader->at = lc_wire_offset(s, at);
    return false;
}

/* ---- Wire format. */

/* Base 128, the lowest digit first; the tenth byte holds the last of 64 bits. */
static bool take_long_varint(lc_wire_scan *s, lc_wire_cursor *c, uint64_t *out)
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
static inline bool take_varint(lc_wire_scan *s, lc_wire_cursor *c, uint64_t *out)
{
    if (c->at == c->end || (unsigned char)*c->at >= 0x80)
        return take_long_varint(s, c, out);
    *out = (unsigned char)*c->at++;
    return true;
}

static bool take_bytes(lc_wire_scan *s, lc_wire_cursor *c, uint64_t len, lc_str *out)
{
    if (len > (size_t)(c->end - c->at))
        return fail(s, c->at, "a field is longer than what is left of its message");
    *out = (lc_str){c->at, (size_t)len};
    c->at += len;
    return true;
}

static bool take_tag(lc_wire_scan *s, lc_wire_cursor *c, uint64_t *number, unsigned *type)
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

static bool skip_group(lc_wire_scan *s, lc_wire_cursor *c, uint64_t number);

/* The value after a tag. */
static bool take_value(lc_wire_scan *s, lc_wire_cursor *c, uint64_t number, unsigned type,
                       lc_wire_piece *out)
{
    uint64_t len;
    lc_str fixed;
    switch (type) {
    case LC_WIRE_VARINT:
        return take_varint(s, c, &out->as.varint);
    case LC_WIRE_FIXED64:
        return take_bytes(s, c, 8, &fixed);
    case LC_WIRE_LENGTH:
        return take_varint(s, c, &len) && take_bytes(s, c, len, &out->as.bytes);
    case LC_WIRE_GROUP_BEGIN:
        return skip_group(s, c, number);
    case LC_WIRE_GROUP_END:
        return fail(s, c->at, "a group ends that has not begun");
    case LC_WIRE_FIXED32:
        return take_bytes(s, c, 4, &fixed);
    default:
        return fail(s, c->at, "fields have no such type on the wire");
    }
}

bool lc_wire_take_field(lc_wire_scan *s, lc_wire_cursor *c, uint64_t *number, unsigned *type,
                        lc_wire_piece *out)
{
    const char *begin = c->at;
    *out = (lc_wire_piece){.raw = {begin, 0}};
    if (!take_tag(s, c, number, type) || !take_value(s, c, *number, *type, out))
        return false;
    out->raw.len = (size_t)(c->at - begin);
    return true;
}

bool lc_wire_enter(lc_wire_scan *s, const char *at)
{
    return ++s->depth <= s->reader->limits.depth || fail(s, at, "this is nested too deeply");
}

/* Groups are deprecated, and in no message of the protocol. A newer peer may send one all the same,
 * which has to be skipped as a whole. */
static bool skip_group(lc_wire_scan *s, lc_wire_cursor *c, uint64_t number)
{
    if (!lc_wire_enter(s, c->at))
        return false;
    while (c->at < c->end) {
        const char *begin = c->at;
        uint64_t inner;
        unsigned type;
        lc_wire_piece value;
        if (!take_tag(s, c, &inner, &type))
            return false;
        if (type == LC_WIRE_GROUP_END) {
            s->depth--;
            return inner == number || fail(s, begin, "a group ends that has not begun");
        }
        if (!take_value(s, c, inner, type, &value))
            return false;
    }
    return fail(s, c->at, "the message ends inside a group");
}

/* ---- Copies of fields that occur in several places. */

/* Appends to the scratch text. Copies can contain copies, so their sum has a limit of its own. */
static bool add_copy(lc_wire_scan *s, lc_str bytes)
{
    s->copied += bytes.len;
    if (s->copied > s->reader->limits.input_bytes)
        return fail(s, bytes.ptr, "too much of this has to be merged");
    lc_buf_add_str(&s->text, bytes);
    return true;
}

bool lc_wire_join(lc_wire_scan *s, uint32_t first, lc_str *out)
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

/* A field with another type on the wire is unknown, as in every reader of protobuf. */
unsigned lc_wire_type_of(const lc_wire_field *field)
{
    bool varint =
        field->kind == LC_WIRE_BOOL || field->kind == LC_WIRE_INT64 || field->kind == LC_WIRE_ENUM;
    return varint && field->label != LC_WIRE_MAP ? LC_WIRE_VARINT : LC_WIRE_LENGTH;
}

/* Key and value of an entry, of which the last ones count; values that are messages are merged. An
 * entry has no place for unknown fields: they are dropped, as in every reader of protobuf. */
bool lc_wire_split_entry(lc_wire_scan *s, const lc_wire_field *field, lc_wire_piece *entry)
{
    lc_wire_cursor c = {entry->as.bytes.ptr, entry->as.bytes.ptr + entry->as.bytes.len};
    lc_str value = LC_STR_EMPTY;
    size_t values = 0;
    entry->key = LC_STR_EMPTY;
    while (c.at < c.end) {
        uint64_t number;
        unsigned type;
        lc_wire_piece p;
        if (!lc_wire_take_field(s, &c, &number, &type, &p))
            return false;
        if (type != LC_WIRE_LENGTH || number > 2) {
            s->unknown++;
        } else if (number == 1) {
            entry->key = p.as.bytes;
        } else {
            if (values == 1)
                lc_buf_clear(&s->text); /* the second: from now on the scratch holds the sum */
            if (lc_wire_is_message(field) &&
                ((values == 1 && !add_copy(s, value)) || (values >= 1 && !add_copy(s, p.as.bytes))))
                return false;
            value = p.as.bytes;
            values++;
        }
    }
    bool merged = values > 1 && lc_wire_is_message(field);
    entry->as.bytes = merged ? lc_buf_copy(s->reader->arena, &s->text) : value;
    return true;
}

/* The pieces of all open messages lie on one stack; those of one field are a chain by index,
 * because the stack may move. Number 0 is the chain of unknown fields. */
static bool add_piece(lc_wire_scan *s, lc_wire_pieces *of, unsigned number,
                      const lc_wire_piece *new)
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
bool lc_wire_add_unknown(lc_wire_scan *s, lc_wire_pieces *of, const lc_wire_piece *new)
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

bool lc_wire_is_wanted(const lc_wire_scan *s, const lc_wire_field *field, lc_str key)
{
    const lc_wire_reader *r = s->reader;
    return !lc_wire_is_message(field) || !r->wanted ||
           r->wanted(r->context, lc_wire_field_name(field), key);
}

/* Go refuses a message with strings that are not UTF-8. Here the field is kept like an unknown one,
 * so that nothing of what was sent is lost. */
static bool add_known(lc_wire_scan *s, lc_wire_pieces *of, const lc_wire_field *field,
                      lc_wire_piece *p)
{
    bool map = field->label == LC_WIRE_MAP;
    if (map && !lc_wire_split_entry(s, field, p))
        return false;
    if ((map && !lc_utf8_valid(p->key)) ||
        (field->kind == LC_WIRE_STRING && !lc_utf8_valid(p->as.bytes)))
        return lc_wire_add_unknown(s, of, p);
    if (map && !lc_wire_is_wanted(s, field, p->key))
        return true;
    /* The last one of a oneof counts: the chain of the other is dropped. */
    if (field->label == LC_WIRE_ONEOF && of->oneof != field->number) {
        if (of->oneof)
            of->count[of->oneof] = 0;
        of->oneof = field->number;
    }
    return add_piece(s, of, field->number, p);
}

bool lc_wire_split(lc_wire_scan *s, lc_wire_pieces *of, const lc_wire_message *message,
                   lc_str bytes)
{
    lc_wire_cursor c = {bytes.ptr, bytes.ptr + bytes.len};
    while (c.at < c.end) {
        uint64_t number;
        unsigned type;
        lc_wire_piece p;
        if (!lc_wire_take_field(s, &c, &number, &type, &p))
            return false;
        const lc_wire_field *field = lc_wire_field_of(message, number);
        bool known = field && type == lc_wire_type_of(field);
        if (!(known ? add_known(s, of, field, &p) : lc_wire_add_unknown(s, of, &p)))
            return false;
    }
    return true;
}
