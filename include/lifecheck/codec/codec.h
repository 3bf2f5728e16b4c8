/* Values and types to and from bytes: MessagePack, cty JSON, type JSON. Module codec.
 * Source: values-and-wire sections 1.2 and 3; strictness row by row from 3.2, 3.3, 3.6, 10. */
#ifndef LIFECHECK_CODEC_CODEC_H
#define LIFECHECK_CODEC_CODEC_H

#include "lifecheck/base/limits.h"
#include "lifecheck/value/value.h"

/* What go-cty does with input that we refuse. */
typedef enum lc_wire_core {
    LC_WIRE_REFUSED, /* an error there too */
    LC_WIRE_CRASHES, /* go-cty panics */
    LC_WIRE_ACCEPTS, /* go-cty accepts or misreads; we are stricter on purpose */
} lc_wire_core;

/* Why bytes are not a value of the type. Quotes names and types, never scalars. */
typedef struct lc_wire_problem {
    lc_wire_core core;
    size_t offset; /* of the byte at which the error was found */
    lc_str path;   /* place inside the value in text form, "." for the root */
    lc_str message;
} lc_wire_problem;

/* Things that were accepted but deserve to be known. Bits. */
enum {
    LC_WIRE_NOTE_TRAILING = 1,   /* bytes after the value (go-cty ignores them; we note them) */
    LC_WIRE_NOTE_DUPLICATES = 2, /* repeated set elements were coalesced, or the last of repeated
                                    map keys (JSON: also attributes) was taken, as go-cty does */
    LC_WIRE_NOTE_BAD_UTF8 = 4,
    LC_WIRE_NOTE_EXT = 8, /* an extension code other than 12 with a payload, read as unknown, or a
                             refinement of unknown kind, skipped; go-cty refuses there */
    LC_WIRE_NOTE_ZEROS = 16, /* repeated set elements that hold a negative zero were coalesced;
                                go-cty keeps 0 and -0 apart in a set */
};

/* What became of a decoding. `notes`: LC_WIRE_NOTE bits, also of a value that was decoded. */
typedef struct lc_wire_result {
    lc_wire_problem problem; /* set when decoding failed */
    unsigned notes;
    size_t used; /* bytes that the value takes, if it was decoded */
} lc_wire_result;

/* Decode one msgpack value of type `want` from `in`. The value's strings may point into `in`,
 * which must live as long as the arena. False: see result->problem. */
bool lc_msgpack_decode(const lc_value **out, lc_arena *arena, lc_str in, const lc_type *want,
                       lc_wire_result *result);
/* Decodes values that belong together, as those of one call, and knows what it has seen: containers
 * whose bytes and type are those of an earlier one share its parts. Values live in `arena`, and the
 * input lives as long as the decoder. Results are those of lc_msgpack_decode. */
typedef struct lc_decoder lc_decoder;
lc_decoder *lc_decoder_new(lc_arena *arena);
void lc_decoder_free(lc_decoder *decoder); /* the values stay; NULL is allowed */
bool lc_decode_msgpack(const lc_value **out, lc_decoder *decoder, lc_str in, const lc_type *want,
                       lc_wire_result *result);
/* The type that the bytes show without a schema: maps are objects, arrays are tuples, what is null
 * or unknown is dynamic. False: they are no such value, or nested too deeply. */
bool lc_msgpack_type(const lc_type **out, lc_arena *arena, lc_str in);
/* As go-cty writes `v` where the type `want` is expected (dynamic positions are wrapped). The type
 * of `v` conforms to `want` (lc_type_conforms), else it is a bug. */
void lc_msgpack_encode(lc_buf *buf, const lc_value *v, const lc_type *want);

/* cty JSON by type, dynamic positions as {"value":...,"type":...}. */
bool lc_ctyjson_decode(const lc_value **out, lc_arena *arena, lc_str in, const lc_type *want,
                       lc_wire_result *result);
/* False: the value has no JSON form (unknown, infinity); `why` has the reason, `buf` is as before.
 */
bool lc_ctyjson_encode(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why);

/* Type JSON. */
bool lc_typejson_decode(const lc_type **out, lc_arena *arena, lc_str in, lc_wire_problem *problem);
void lc_typejson_encode(lc_buf *buf, const lc_type *type);
/* The language's type expression, `object({a=string,b=optional(number)})`. */
bool lc_typetext_parse(const lc_type **out, lc_arena *arena, lc_str in, lc_str *why, size_t *at);

/* Standard base64 with padding. False: not base64; *at is the offset of the first bad character. */
bool lc_base64_decode(lc_str *out, lc_arena *arena, lc_str text, size_t *at);
/* The same for either alphabet, with or without padding. */
bool lc_base64_decode_any(lc_str *out, lc_arena *arena, lc_str text, size_t *at);
void lc_base64_encode(lc_buf *buf, lc_str bytes);

#endif
