/* Values: cty's, with the same semantics of null, unknown, refinements, numbers and sets.
 * Module value. Source of the rules: values-and-wire section 2.
 *
 * A value is immutable once built and lives in an arena. Elements are stored inline, one array a
 * container: `v->as.many.elems[i]`. Objects keep their attributes in the order of their type
 * (bytewise by name), maps are sorted bytewise by key, sets are coalesced and in cty's order.
 * Nobody outside src/value looks at as.refinement; everything else may be read directly. */
#ifndef LIFECHECK_VALUE_H
#define LIFECHECK_VALUE_H

#include "lifecheck/number.h"
#include "lifecheck/type.h"

typedef enum lc_state { LC_NULL, LC_UNKNOWN, LC_KNOWN } lc_state;

/* Flags of a value, each about itself and everything within. */
enum {
    LC_HAS_UNKNOWN = 1, /* some unknown */
    LC_HAS_REFINED = 2, /* an unknown with a refinement */
    LC_HAS_UNTYPED = 4, /* an unknown of type dynamic, or of one that holds dynamic */
};

typedef struct lc_value lc_value;
typedef struct lc_refinement lc_refinement;

struct lc_value {
    const lc_type *type;
    uint8_t state; /* lc_state */
    uint8_t flags;
    uint32_t count; /* elements, when known and not primitive */
    union {
        bool boolean;
        lc_num number;
        lc_str string;                   /* NFC; may hold invalid UTF-8 from the wire */
        const lc_refinement *refinement; /* unknown: NULL or what is promised */
        struct {
            const lc_value *elems;
            const lc_str *keys; /* maps only */
        } many;
    } as;
};

/* What is known about an unknown. Zero-initialised it says nothing. */
struct lc_refinement {
    bool not_null;
    bool has_prefix, has_min, has_max, has_min_len, has_max_len;
    bool min_inclusive, max_inclusive;
    lc_str prefix;    /* strings; NFC, used in full */
    lc_num min, max;  /* numbers */
    uint64_t min_len; /* collections; both inclusive */
    uint64_t max_len;
};

/* ---- Building. A slot is a caller's lc_value that is filled in, often one of an array in an
 * arena. Elements given to a builder are taken over and must stay. */

const lc_value *lc_value_new(lc_arena *arena, const lc_value *slot); /* a copy in the arena */
void lc_value_set_null(lc_value *slot, const lc_type *type);
void lc_value_set_unknown(lc_value *slot, const lc_type *type);
void lc_value_set_bool(lc_value *slot, bool b);
void lc_value_set_number(lc_value *slot, lc_num n);
/* `s` is normalised to NFC; copied into the arena only if that changes it. */
void lc_value_set_string(lc_value *slot, lc_arena *arena, lc_str s);
/* An unknown with a refinement; collapses to a known value where that is certain (values-and-wire
 * 2.8). False: the refinement contradicts itself or does not fit the type. */
bool lc_value_set_refined(lc_value *slot, lc_arena *arena, const lc_type *type,
                          const lc_refinement *refinement);
/* List, set and map of the wanted collection type `want`. The value's own type follows from the
 * elements where `want` holds dynamic. False: elements of different types (go-cty panics).
 * Sets are coalesced and put into cty's order, in place. Maps: keys are NFC, sorted in place, the
 * last of equal keys wins. */
bool lc_value_set_list(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                       size_t count);
bool lc_value_set_set(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                      size_t count);
bool lc_value_set_map(lc_value *slot, lc_arena *arena, const lc_type *want, lc_str *keys,
                      lc_value *elems, size_t count);
void lc_value_set_tuple(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                        size_t count);
/* `elems` by the attribute order of the object type `shape`; the value's type follows the
 * elements below dynamic. */
void lc_value_set_object(lc_value *slot, lc_arena *arena, const lc_type *shape, lc_value *elems);

/* NFC of `s`, in `arena` if it differs; invalid UTF-8 is returned as it is. */
lc_str lc_nfc(lc_arena *arena, lc_str s);
/* The same characters but for compatibility forms (a ligature and its letters), and with `fold` but
 * for letter case, in all scripts. Both are NFC. */
bool lc_same_characters(lc_str a, lc_str b, bool fold);
/* Does the configuration language take it for a name? */
bool lc_is_identifier(lc_str text);

/* ---- Looking. */

static inline bool lc_is_null(const lc_value *v)
{
    return v->state == LC_NULL;
}
static inline bool lc_is_unknown(const lc_value *v)
{
    return v->state == LC_UNKNOWN;
}
static inline bool lc_is_known(const lc_value *v) /* neither null nor unknown */
{
    return v->state == LC_KNOWN;
}
static inline bool lc_is_wholly_known(const lc_value *v)
{
    return (v->flags & LC_HAS_UNKNOWN) == 0;
}
/* The refinement of an unknown, or NULL. */
const lc_refinement *lc_value_refinement(const lc_value *v);
/* Attribute of a known object, or NULL. */
const lc_value *lc_value_attr(const lc_value *object, lc_str name);
/* Element of a known map, or NULL. Binary search. */
const lc_value *lc_value_key(const lc_value *map, lc_str key);

/* ---- Comparing. */

typedef enum lc_tri { LC_FALSE, LC_TRUE, LC_MAYBE } lc_tri;

/* RawEquals: types, states, refinements, values. An empty refinement is none. */
bool lc_value_raw_equal(const lc_value *a, const lc_value *b);
/* The catalogue's "same": RawEquals with refinements ignored (contract-rules 1.2). */
bool lc_value_same(const lc_value *a, const lc_value *b);
/* Equals, three-valued. Objects and maps: False if anything is definitely False, else unknown if
 * anything is, else True. A set with a nested unknown answers unknown. */
lc_tri lc_value_equals(const lc_value *a, const lc_value *b);
/* Hash of a value such that `same` values and values that Equals finds True have equal hashes. */
uint64_t lc_value_hash(const lc_value *v);
/* A value beside its hash. Sorted by hash, equal values stand together, among others that merely
 * have the same hash. */
typedef struct lc_hashed_value {
    uint64_t hash;
    const lc_value *value;
} lc_hashed_value;
lc_hashed_value lc_hashed(const lc_value *value);
void lc_sort_by_hash(lc_hashed_value *items, size_t count);
/* Those of the elements of a known collection, sorted; and whether one is among such. */
uint64_t *lc_value_element_hashes(lc_arena *arena, const lc_value *v);
bool lc_hash_is_among(uint64_t hash, const uint64_t *sorted, size_t count);
/* Does the range of `range` include `v`? True for null only; callers test for False. */
lc_tri lc_value_includes(const lc_value *range, const lc_value *v);

/* Length of a list, set, map or tuple (values-and-wire 2.9): exact, or an unknown number with
 * bounds. */
typedef struct lc_length {
    bool known;
    uint64_t min; /* equals max when known */
    uint64_t max; /* INT64_MAX: none */
} lc_length;
lc_length lc_value_length(const lc_value *v);
/* The length as core prints it in count messages: cty.NumberIntVal(2), or the refined unknown. */
void lc_length_add_go(lc_buf *buf, lc_length length);

/* ---- Changing: results are new values. */

/* The same value without anything from another arena but `shared`, which lives as long as `arena`:
 * what its type has of it is not copied (NULL: nothing). NULL gives NULL. */
const lc_value *lc_value_copy(lc_arena *arena, const lc_value *v, const lc_type *shared);

/* Every unknown replaced by a null of its type; sets are rebuilt. */
const lc_value *lc_value_unknown_as_null(lc_arena *arena, const lc_value *v);
/* convert.Convert (values-and-wire 1.5, 1.6). False: `why` says what does not fit, without scalars,
 * prefixed by the place inside the value (`.a[0]: a number is required`). */
bool lc_value_convert(const lc_value **out, lc_arena *arena, const lc_value *v, const lc_type *want,
                      lc_str *why);

/* ---- Printing. */

/* Go syntax as core messages print it, contract-algorithms 4.0. */
void lc_value_add_go(lc_buf *buf, const lc_value *v);
/* Go's %q of a string. */
void lc_buf_add_go_quoted(lc_buf *buf, lc_str s);
/* A quoted text of the configuration language, as addresses quote their keys. */
void lc_buf_add_hcl_quoted(lc_buf *buf, lc_str s);

#endif
