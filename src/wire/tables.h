/* The rows of messages.def as tables. */
#ifndef LC_WIRE_TABLES_H
#define LC_WIRE_TABLES_H

#include "lifecheck/wire/wire.h"

/* What the values of a field are. TIMESTAMP is a message too, but protojson writes it as a string.
 */
typedef enum lc_wire_kind {
    LC_WIRE_STRING,
    LC_WIRE_BYTES,
    LC_WIRE_BOOL,
    LC_WIRE_INT64,
    LC_WIRE_TIMESTAMP,
    LC_WIRE_ENUM,
    LC_WIRE_MESSAGE,
} lc_wire_kind;

typedef enum lc_wire_label {
    LC_WIRE_SINGLE,
    LC_WIRE_OPTIONAL,
    LC_WIRE_ONEOF,
    LC_WIRE_REPEATED,
    LC_WIRE_MAP,
} lc_wire_label;

typedef struct lc_wire_field {
    const char *name;
    uint8_t name_len;
    uint8_t number;
    uint8_t label; /* lc_wire_label */
    uint8_t kind;  /* lc_wire_kind */
    uint16_t type; /* of enums and messages: which one */
} lc_wire_field;

/* Exclusive upper bound of field numbers. It is small, so that a message finds its fields by
 * index. */
#define LC_WIRE_NUMBERS 16

struct lc_wire_message {
    const char *identifier; /* as in messages.def; NULL: the protocol has no such message */
    int protocol;
    uint16_t rows[LC_WIRE_NUMBERS]; /* of lc_wire_fields, by field number; 0: no such field */
};

extern const lc_wire_field lc_wire_fields[];

/* The field of a number. NULL: the message has none. */
static inline const lc_wire_field *lc_wire_field_of(const lc_wire_message *message, uint64_t number)
{
    uint16_t row = number < LC_WIRE_NUMBERS ? message->rows[number] : 0;
    return row ? &lc_wire_fields[row] : NULL;
}

/* The field of a name, in snake_case or lowerCamelCase. `after`: the number of the field that was
 * looked up before, since members mostly come in order. NULL: the message has none. */
const lc_wire_field *lc_wire_field_named(const lc_wire_message *message, lc_str name,
                                         unsigned after);
static inline lc_str lc_wire_field_name(const lc_wire_field *field)
{
    return (lc_str){field->name, field->name_len};
}

/* The type of the values of a field that are messages. */
const lc_wire_message *lc_wire_type(const lc_wire_message *message, const lc_wire_field *field);
/* The name of a message in the protocol, in `arena`. */
lc_str lc_wire_message_name(lc_arena *arena, const lc_wire_message *message);

/* The name of an enum's value; NULL: the table has no such value. */
const char *lc_wire_enum_name(const lc_wire_field *field, int64_t value);
/* The value of a name. False: the enum has none of this name. */
bool lc_wire_enum_value(const lc_wire_field *field, lc_str name, int64_t *out);

#endif
