/* Tables from messages.def, and look-ups in them. */
#include "wire/tables.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <string.h>

/* What of a row is about one protocol. */
#define IN5_BOTH(...)  __VA_ARGS__
#define IN5_ONLY5(...) __VA_ARGS__
#define IN5_ONLY6(...)
#define IN6_BOTH(...) __VA_ARGS__
#define IN6_ONLY5(...)
#define IN6_ONLY6(...) __VA_ARGS__

enum {
#define ENUM(protocols, id) ENUM_##id,
#include "wire/messages.def"
    ENUMS
};

enum {
#define MESSAGE(protocols, id) MESSAGE_##id,
#include "wire/messages.def"
    MESSAGES
};

/* Row 0 means "no such field". The number is part of the identifier, because a field may have
 * another number in each protocol. */
enum {
    ROW_NONE,
#define FIELD(protocols, id, number, name, type, label) ROW_##id##_##name##_##number,
#include "wire/messages.def"
    ROWS
};
_Static_assert(ROWS <= UINT16_MAX, "rows are counted in 16 bits");

/* ---- The tables. */

#define TYPE_STRING      LC_WIRE_STRING, 0
#define TYPE_BYTES       LC_WIRE_BYTES, 0
#define TYPE_BOOL        LC_WIRE_BOOL, 0
#define TYPE_INT64       LC_WIRE_INT64, 0
#define TYPE_TIMESTAMP   LC_WIRE_TIMESTAMP, 0
#define TYPE_ENUM(id)    LC_WIRE_ENUM, ENUM_##id
#define TYPE_MESSAGE(id) LC_WIRE_MESSAGE, MESSAGE_##id

const lc_wire_field lc_wire_fields[ROWS] = {
    {"", 0, 0, LC_WIRE_SINGLE, LC_WIRE_BYTES, 0},
#define FIELD(protocols, id, number, name, type, label)                                            \
    {#name, sizeof #name - 1, number, LC_WIRE_##label, TYPE_##type},
#include "wire/messages.def"
};

/* One table for each protocol; the fields of a message are found by their number. What a protocol
 * does not have stays zero, without an identifier. */
static const lc_wire_message messages[2][MESSAGES] = {
    {
#define MESSAGE(protocols, id)                                                                     \
    IN5_##protocols([MESSAGE_##id].identifier = #id, [MESSAGE_##id].protocol = 5, )
#define FIELD(protocols, id, number, name, type, label)                                            \
    IN5_##protocols([MESSAGE_##id].rows[number] = ROW_##id##_##name##_##number, )
#include "wire/messages.def"
    },
    {
#define MESSAGE(protocols, id)                                                                     \
    IN6_##protocols([MESSAGE_##id].identifier = #id, [MESSAGE_##id].protocol = 6, )
#define FIELD(protocols, id, number, name, type, label)                                            \
    IN6_##protocols([MESSAGE_##id].rows[number] = ROW_##id##_##name##_##number, )
#include "wire/messages.def"
    },
};

#define REQUESTS_OF_NONE       false
#define REQUESTS_OF_REQUESTS   true
#define REQUESTS_OF_RESPONSES  false
#define RESPONSES_OF_NONE      false
#define RESPONSES_OF_REQUESTS  false
#define RESPONSES_OF_RESPONSES true

static const lc_wire_method methods[] = {
#define CALL(protocols, service, name, request, response, streams)                                 \
    IN5_##protocols({#name, #service, 5, &messages[0][MESSAGE_##request],                          \
                     &messages[0][MESSAGE_##response], REQUESTS_OF_##streams,                      \
                     RESPONSES_OF_##streams}, )
#include "wire/messages.def"
#define CALL(protocols, service, name, request, response, streams)                                 \
    IN6_##protocols({#name, #service, 6, &messages[1][MESSAGE_##request],                          \
                     &messages[1][MESSAGE_##response], REQUESTS_OF_##streams,                      \
                     RESPONSES_OF_##streams}, )
#include "wire/messages.def"
};

/* Values are counted from 0 without a gap, so the first NULL ends an enum. */
enum { VALUES = 8 };
static const char *const enums[ENUMS][VALUES] = {
#define ENUM_VALUE(protocols, id, number, name) [ENUM_##id][number] = #name,
#include "wire/messages.def"
};

/* ---- Look-ups. */

/* "_" of identifiers is "." in names. */
static bool is_name(const char *identifier, lc_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (identifier[i] == '\0' || name.ptr[i] != (identifier[i] == '_' ? '.' : identifier[i]))
            return false;
    }
    return identifier[name.len] == '\0';
}

const lc_wire_message *lc_wire_message_named(int protocol, lc_str name)
{
    if (protocol != 5 && protocol != 6)
        return NULL;
    for (size_t i = 0; i < MESSAGES; i++) {
        const lc_wire_message *message = &messages[protocol - 5][i];
        if (message->identifier && is_name(message->identifier, name))
            return message;
    }
    return NULL;
}

lc_str lc_wire_message_name(lc_arena *arena, const lc_wire_message *message)
{
    char *name = lc_str_to_c(arena, lc_str_from_c(message->identifier));
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '.' : *c;
    return lc_str_from_c(name);
}

static const lc_wire_method *method_of(int protocol, lc_str service, lc_str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const lc_wire_method *m = &methods[i];
        if (m->protocol == protocol && lc_str_is(name, m->name) && lc_str_is(service, m->service))
            return m;
    }
    return NULL;
}

const lc_wire_method *lc_wire_method_named(int protocol, lc_str name)
{
    return method_of(protocol, LC_STR("Provider"), name);
}

/* /tfplugin6.Provider/ReadResource */
const lc_wire_method *lc_wire_method_of(lc_str path)
{
    static const lc_str package = {"/tfplugin", 9};
    size_t digit = package.len, service = digit + 2;
    size_t slash = lc_str_find(path, service, '/');
    if (!lc_str_starts_with(path, package) || slash >= path.len || path.ptr[digit + 1] != '.')
        return NULL;
    return method_of(path.ptr[digit] - '0', lc_str_sub(path, service, slash),
                     lc_str_sub(path, slash + 1, path.len));
}

/* protojson writes deferralAllowed and reads deferral_allowed as well. */
static bool is_field(const lc_wire_field *field, lc_str name)
{
    return lc_str_eq(name, lc_wire_field_name(field)) || lc_str_is_camel(name, field->name);
}

const lc_wire_field *lc_wire_field_named(const lc_wire_message *message, lc_str name,
                                         unsigned after)
{
    for (unsigned i = 1; i <= LC_WIRE_NUMBERS; i++) {
        const lc_wire_field *field = lc_wire_field_of(message, (after + i) % LC_WIRE_NUMBERS);
        if (field && is_field(field, name))
            return field;
    }
    return NULL;
}

const lc_wire_message *lc_wire_type(const lc_wire_message *message, const lc_wire_field *field)
{
    LC_ASSERT(field->kind == LC_WIRE_MESSAGE);
    return &messages[message->protocol - 5][field->type];
}

const char *lc_wire_enum_name(const lc_wire_field *field, int64_t value)
{
    return value >= 0 && value < VALUES ? enums[field->type][value] : NULL;
}

bool lc_wire_enum_value(const lc_wire_field *field, lc_str name, int64_t *out)
{
    for (int64_t i = 0; i < VALUES && enums[field->type][i]; i++) {
        if (lc_str_is(name, enums[field->type][i])) {
            *out = i;
            return true;
        }
    }
    return false;
}
