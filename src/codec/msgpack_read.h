/* What the two halves of the msgpack reader share. Seen inside src/codec only. */
#ifndef LC_CODEC_MSGPACK_READ_H
#define LC_CODEC_MSGPACK_READ_H

#include "codec/internal.h"

typedef struct reader {
    cursor in;
    lc_arena *arena;
    codec_trouble trouble;
    unsigned notes;
    /* Bytes that the containers around still need at least: one for each element, key and value
     * not begun yet. A count is believed only if the input beyond `owed` can hold it, so that all
     * allocations together are bounded by the length of the input. */
    size_t owed;
    size_t units; /* elements, keys and values so far, at most LC_MAX_NODES */
    size_t zeros; /* negative zeros so far */
    codec_type_cache types;
} reader;

bool reader_refuse(reader *r, lc_wire_core core, size_t at, const char *message);
/* "`what` is required, found an integer", or that the input ends. */
bool reader_unexpected(reader *r, const char *what);

static inline bool reader_is_ext(int code)
{
    return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9);
}

/* That many more elements, keys and values; false if they are too many. */
bool reader_count(reader *r, size_t at, size_t units);
/* str or bin of any width. `what` names what is required here. */
bool reader_text(reader *r, const char *what, lc_str *out);
/* Any integer, float, or decimal text. */
bool reader_number(reader *r, lc_num *out);
/* Headers of arrays and maps of any width. */
bool reader_array(reader *r, const char *what, uint64_t *count);
bool reader_map(reader *r, const char *what, uint64_t *count);

/* An extension: an unknown value of the type, with what is promised about it. */
bool reader_unknown(reader *r, lc_value *slot, const lc_type *want);

#endif
