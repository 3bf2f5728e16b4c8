/* What the two halves of the msgpack reader share. Seen inside src/codec only. */
#ifndef LC_CODEC_MSGPACK_READ_H
#define LC_CODEC_MSGPACK_READ_H

#include "codec/internal.h"

typedef struct lc_msgpack_reader {
    lc_byte_cursor in;
    lc_codec_builder b;
    /* Bytes that the containers around still need at least: one for each element, key and value
     * not begun yet. A count is believed only if the input beyond `owed` can hold it, so that all
     * allocations together are bounded by the length of the input. */
    size_t owed;
} lc_msgpack_reader;

/* "`what` is required, found an integer", or that the input ends. */
bool lc_msgpack_read_unexpected(lc_msgpack_reader *r, const char *what);

static inline bool reader_is_ext(int code)
{
    return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9);
}

/* str or bin of any width. `what` names what is required here. */
bool lc_msgpack_read_text(lc_msgpack_reader *r, const char *what, lc_str *out);
/* Any integer, float, or decimal text. */
bool lc_msgpack_read_number(lc_msgpack_reader *r, lc_num *out);
/* Headers of arrays and maps of any width. */
bool lc_msgpack_read_array(lc_msgpack_reader *r, const char *what, uint64_t *count);
bool lc_msgpack_read_map(lc_msgpack_reader *r, const char *what, uint64_t *count);

/* An extension: an unknown value of the type, with what is required about it. */
bool lc_msgpack_read_unknown(lc_msgpack_reader *r, lc_value *slot, const lc_type *want);

#endif
