/* What the readers of the codec share. Seen inside src/codec only. */
#ifndef LC_CODEC_INTERNAL_H
#define LC_CODEC_INTERNAL_H

#include "codec/cursor.h"
#include "codec/decoder.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/value/path.h"
#include "lifecheck/yaml_json/json_lexer.h"

/* ---- Trouble: why the input is refused. The place is collected on the way out, so that a reader
 * that succeeds pays nothing for it. */

typedef struct lc_codec_step {
    struct lc_codec_step *inner;
    lc_step step;
} lc_codec_step;

typedef struct lc_codec_trouble {
    lc_arena *arena;
    lc_wire_problem *problem;
    lc_codec_step *outermost;
    size_t steps;
} lc_codec_trouble;

void lc_codec_trouble_init(lc_codec_trouble *trouble, lc_arena *arena, lc_wire_problem *problem);
/* State the problem. Always false, for `return lc_codec_refuse(...)`. */
bool lc_codec_refuse(lc_codec_trouble *trouble, lc_wire_core core, size_t offset,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* As lc_codec_refuse, with a name in quotes between two pieces of text. Always false. */
bool lc_codec_refuse_name(lc_codec_trouble *trouble, lc_wire_core core, size_t offset,
                          const char *before, lc_str name, const char *after);
/* Too many elements, called `what`; too many containers in each other. Always false. */
bool lc_codec_refuse_count(lc_codec_trouble *trouble, size_t offset, const char *what);
bool lc_codec_refuse_depth(lc_codec_trouble *trouble, size_t offset);
/* The trouble is within this part. Always false. */
bool lc_codec_within(lc_codec_trouble *trouble, lc_step step);
/* Write the collected place into the problem. Always false. */
bool lc_codec_give_up(lc_codec_trouble *trouble);

#define CODEC_ATTR(attr_name) ((lc_step){.kind = LC_STEP_ATTR, .name = (attr_name)})
#define CODEC_KEY(key_name)   ((lc_step){.kind = LC_STEP_KEY, .name = (key_name)})
#define CODEC_INDEX(position) ((lc_step){.kind = LC_STEP_INDEX, .index = (position)})
#define CODEC_ELEMENT         ((lc_step){.kind = LC_STEP_ELEMENT})

/* The step to element number `index` of a list, set or tuple. */
static inline lc_step codec_element_step(const lc_type *container, uint64_t index)
{
    return container->kind == LC_TYPE_SET ? CODEC_ELEMENT : CODEC_INDEX(index);
}

/* "a list", "an object", ... */
const char *lc_codec_type_word(const lc_type *type);

/* ---- Values: what both readers do alike. */

typedef struct lc_codec_builder {
    lc_arena *arena; /* of the values */
    lc_decoder *decoder;
    lc_codec_trouble trouble;
    unsigned notes;
    size_t count; /* values (of MessagePack: and keys) so far, at most LC_MAX_NODES */
    size_t zeros; /* negative zeros so far */
} lc_codec_builder;

/* A container whose elements are read. Made before them. */
typedef struct lc_codec_container {
    const lc_type *want;
    size_t at;    /* the offset of its first byte */
    size_t zeros; /* negative zeros before it */
} lc_codec_container;

/* Problems go into `result`, whose notes are cleared. */
void lc_codec_builder_init(lc_codec_builder *b, lc_decoder *decoder, lc_wire_result *result);

/* The functions below that return bool state the problem, at the offset `at`, when it is false. */

/* `n` values more; false if they are too many. `what` they are called in the message. */
static inline bool codec_count(lc_codec_builder *b, size_t at, size_t n, const char *what)
{
    b->count += n;
    return b->count <= LC_MAX_NODES || lc_codec_refuse_count(&b->trouble, at, what);
}
/* May a container be read that has `depth` containers around it? */
static inline bool codec_check_depth(lc_codec_trouble *trouble, size_t at, unsigned depth)
{
    return depth < LC_MAX_DEPTH || lc_codec_refuse_depth(trouble, at);
}
bool lc_codec_number_from_text(lc_codec_builder *b, lc_num *out, lc_str text, size_t at);

/* Make the list, set or tuple of elements that are in the arena. False: they are of different
 * types. Repeated elements of a set are noted. */
bool lc_codec_set_sequence(lc_codec_builder *b, lc_value *slot, const lc_codec_container *c,
                           lc_value *elems, size_t count);
/* The same for a map, whose keys are normalised. Of equal keys the last wins, which is noted. */
bool lc_codec_set_map(lc_codec_builder *b, lc_value *slot, const lc_codec_container *c,
                      lc_str *keys, lc_value *elems, size_t count);
/* Room for the attributes of an object. `type` of those that are not read yet is NULL. */
lc_value *lc_codec_new_attrs(lc_codec_builder *b, const lc_type *object);
/* The index of the attribute called `name`, as it is written: go-cty looks names up before it
 * normalises them. False: the object does not have it. */
bool lc_codec_look_up_attr(lc_codec_builder *b, const lc_type *object, uint32_t *index, lc_str name,
                           size_t at);

/* The same; writers sort, so the one that comes next in the type, *index, is tried first. */
static inline bool codec_find_attr(lc_codec_builder *b, const lc_type *object, uint32_t *index,
                                   lc_str name, size_t at)
{
    return (*index < object->count && lc_str_eq(object->as.attrs[*index].name, name)) ||
           lc_codec_look_up_attr(b, object, index, name, at);
}

static inline void codec_set_number(lc_codec_builder *b, lc_value *slot, lc_num n)
{
    b->zeros += lc_num_is_negative_zero(n);
    lc_value_set_number(slot, n);
}

static inline const lc_type *codec_element_type(const lc_type *sequence, uint64_t index)
{
    return sequence->kind == LC_TYPE_TUPLE ? sequence->as.items[index] : sequence->as.elem;
}

/* ---- JSON text, with the liberties of Go's decoder (see the lexer); the text may go on after the
 * value. All functions skip leading white space, and state the problem when they return false. */

typedef struct lc_json_scan {
    lc_json_lexer in;
    lc_codec_trouble *trouble;
} lc_json_scan;

/* Strings that need decoding go into the arena of `trouble`. */
lc_json_scan lc_json_scan_over(lc_str text, lc_codec_trouble *trouble);
/* The offset of the next byte after white space. */
size_t lc_json_scan_here(lc_json_scan *s);
/* The next byte after white space, or -1. */
int lc_json_scan_peek(lc_json_scan *s);
/* "Required `what`, found something else" at the present place, or that the text ends. */
bool lc_json_scan_unexpected(lc_json_scan *s, const char *what);
bool lc_json_scan_char(lc_json_scan *s, char c, const char *what);
/* A string; points into the input if nothing in it needs decoding. `out` NULL: only checked. */
bool lc_json_scan_string(lc_json_scan *s, lc_str *out);
/* A number by the JSON grammar; the literal. */
bool lc_json_scan_number(lc_json_scan *s, lc_str *out);
/* true, false or null; `word` is what is expected. */
bool lc_json_scan_word(lc_json_scan *s, const char *word);
/* Any value: its bytes, checked against the grammar down to LC_MAX_DEPTH levels. */
bool lc_json_scan_skip(lc_json_scan *s, lc_str *out, unsigned depth);
/* See lc_json_lex_more. */
bool lc_json_scan_more(lc_json_scan *s, lc_json_items *items);

/* The type that `text`, a part of what `s` reads, holds, without optional attributes; remembered in
 * `decoder`. */
bool lc_codec_read_wrapper_type(const lc_type **out, lc_decoder *decoder, lc_json_scan *s,
                                lc_str text);

#endif
