/* The bytes of a message as pieces, one for each time that a field is given. */
#ifndef LC_WIRE_PIECES_H
#define LC_WIRE_PIECES_H

#include "wire/tables.h"

/* The types of fields on the wire. */
enum {
    LC_WIRE_VARINT,
    LC_WIRE_FIXED64,
    LC_WIRE_LENGTH,
    LC_WIRE_GROUP_BEGIN,
    LC_WIRE_GROUP_END,
    LC_WIRE_FIXED32,
};

/* A field with its value, as it occurs in the bytes. */
typedef struct lc_wire_piece {
    lc_str raw; /* all of it, with the tag */
    lc_str key; /* of an entry of a map */
    union {
        lc_str bytes; /* LC_WIRE_LENGTH; the value of an entry */
        uint64_t varint;
    } as;
    uint32_t next; /* piece of the same field; 0: none */
} lc_wire_piece;

/* The pieces of one message by field number; [0] has those that are unknown. */
typedef struct lc_wire_pieces {
    uint32_t first[LC_WIRE_NUMBERS], last[LC_WIRE_NUMBERS], count[LC_WIRE_NUMBERS];
    unsigned end;  /* one more than the largest number */
    uint8_t oneof; /* the field of the oneof that is set */
} lc_wire_pieces;

/* The reading of a message and of those inside it. */
typedef struct lc_wire_scan {
    lc_wire_reader *reader;
    lc_str all;
    size_t copied_at;     /* the original position of the bytes, if they are a copy */
    size_t copied;        /* bytes that were copied so far */
    lc_wire_piece *stack; /* of all messages that are being read, on the heap; [0] is unused */
    size_t count, capacity;
    size_t nodes, depth;
    uint64_t unknown;
    lc_buf text; /* scratch */
} lc_wire_scan;

/* What is left of a message or of an entry. */
typedef struct lc_wire_cursor {
    const char *at, *end;
} lc_wire_cursor;

/* The functions that return bool set `why` and `at` of the reader when they fail. */

/* Adds the pieces of a message to `of`, which is zero at the beginning. */
bool lc_wire_split(lc_wire_scan *s, lc_wire_pieces *of, const lc_wire_message *message,
                   lc_str bytes);
/* The next field, of any number. */
bool lc_wire_take_field(lc_wire_scan *s, lc_wire_cursor *c, uint64_t *number, unsigned *type,
                        lc_wire_piece *out);
/* Sets key and value of a piece that is an entry of a map. */
bool lc_wire_split_entry(lc_wire_scan *s, const lc_wire_field *field, lc_wire_piece *entry);
bool lc_wire_add_unknown(lc_wire_scan *s, lc_wire_pieces *of, const lc_wire_piece *piece);
/* The bytes of a piece and of all that follow it, in a row. */
bool lc_wire_join(lc_wire_scan *s, uint32_t first, lc_str *out);
/* Enters one level of nesting; the caller leaves it by decrementing `depth`. */
bool lc_wire_enter(lc_wire_scan *s, const char *at);

/* Does the reader want this entry of a map? */
bool lc_wire_is_wanted(const lc_wire_scan *s, const lc_wire_field *field, lc_str key);
/* Is this a place in bytes that were copied? */
bool lc_wire_is_copy(const lc_wire_scan *s, const char *at);
/* The offset of a place in the bytes that were given. */
size_t lc_wire_offset(const lc_wire_scan *s, const char *at);

static inline bool lc_wire_is_message(const lc_wire_field *field)
{
    return field->kind == LC_WIRE_MESSAGE;
}

/* The type that the values of a field have on the wire. */
unsigned lc_wire_type_of(const lc_wire_field *field);

#endif
