/* Values: cty's, with the same semantics of null, unknown, refinements, numbers and sets. Module
 * value. Source of the rules: values-and-wire section 2.
 *
 * A value is immutable once it is built, and lives in an arena. Elements are stored inline, in one
 * array for each container: `v->as.many.elems[i]`. Objects have their attributes in the order of
 * their type (bytewise by name), maps are sorted bytewise by key, sets are coalesced and in cty's
 * order. Only src/value reads as.refinement; everything else may be read directly. */
#ifndef LIFECHECK_VALUE_VALUE_H
#define LIFECHECK_VALUE_VALUE_H

#include "lifecheck/value/number.h"
#include "lifecheck/value/type.h"

/* Every value has a type in each of the three states. */
typedef enum lc_state { LC_NULL, LC_UNKNOWN, LC_KNOWN } lc_state;

/* Flags of a value; each covers the value itself and everything inside it. */
enum {
    LC_HAS_UNKNOWN = 1, /* some unknown */
    LC_HAS_REFINED = 2, /* an unknown with a refinement */
    LC_HAS_UNTYPED = 4, /* an unknown whose type is or contains dynamic */
};

typedef struct lc_value lc_value;
typedef struct lc_refinement lc_refinement;

/* Immutable once it is set; parts are shared between values. */
struct lc_value {
    const lc_type *type;
    uint8_t state; /* lc_state */
    uint8_t flags;
    uint32_t count; /* elements, when known and not primitive */
    union {
        bool boolean;
        lc_num number;
        lc_str string;                   /* NFC; may hold invalid UTF-8 from the wire */
        const lc_refinement *refinement; /* unknown: NULL, or what is known about it */
        struct {
            const lc_value *elems;
            const lc_str *keys; /* maps only */
        } many;
    } as;
};

/* What is known about an unknown value (cty's refinements). Zero-initialised, it restricts nothing.
 */
struct lc_refinement {
    bool not_null;
    bool has_prefix, has_min, has_max, has_min_len, has_max_len;
    bool min_inclusive, max_inclusive;
    lc_str prefix;    /* strings; NFC, used in full */
    lc_num min, max;  /* numbers */
    uint64_t min_len; /* collections; both bounds inclusive */
    uint64_t max_len;
};

/* ---- Building. A slot is an lc_value of the caller, which is filled in; often an element of an
 * array in an arena. Elements given to a builder become part of the value and must live as long. */

const lc_value *lc_value_new(lc_arena *arena, const lc_value *slot); /* a copy in the arena */
void lc_value_set_null(lc_value *slot, const lc_type *type);
void lc_value_set_unknown(lc_value *slot, const lc_type *type);
void lc_value_set_bool(lc_value *slot, bool b);
void lc_value_set_number(lc_value *slot, lc_num n);
/* A known string in NFC. `s` is borrowed, unless normalisation changes it: then the copy is in
 * `arena`. */
void lc_value_set_string(lc_value *slot, lc_arena *arena, lc_str s);
/* The same of a string that is in NFC already; borrowed. */
void lc_value_set_normal(lc_value *slot, lc_str s);
/* An unknown with a refinement, or the known value that the refinement determines
 * (values-and-wire 2.8). False: the refinement contradicts itself or does not fit the type. */
bool lc_value_set_refined(lc_value *slot, lc_arena *arena, const lc_type *type,
                          const lc_refinement *refinement);
/* A list, set or map of the collection type `want`. Where `want` has dynamic, the value's own type
 * follows from its elements. False: the elements have different types (go-cty panics). Sets are
 * coalesced and sorted in place. Maps: keys are in NFC and sorted in place; of equal keys the last
 * wins. */
bool lc_value_set_list(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                       size_t count);
bool lc_value_set_set(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                      size_t count);
bool lc_value_set_map(lc_value *slot, lc_arena *arena, const lc_type *want, lc_str *keys,
                      lc_value *elems, size_t count);
void lc_value_set_tuple(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                        size_t count);
/* A known object; `elems` in the order of the attributes of `shape`. Below dynamic, the type
 * follows from the elements. */
void lc_value_set_object(lc_value *slot, lc_arena *arena, const lc_type *shape, lc_value *elems);

/* NFC of `s`: `s` itself if it is normal already, else a copy in `arena`. Invalid bytes are kept.
 */
lc_str lc_nfc(lc_arena *arena, lc_str s);
/* The offset after the grapheme cluster that begins at `at`, which is below text.len; and how many
 * clusters there are. The clients count characters and columns in them. */
size_t lc_grapheme_end(lc_str text, size_t at);
size_t lc_grapheme_count(lc_str text);

/* How many columns of a terminal the text takes: wide characters two, combining marks none. */
size_t lc_text_columns(lc_str text);
/* The text in another letter case, character by character as Go's strings package changes it;
 * LC_TITLE: the first letter of each word. Invalid bytes become U+FFFD. In `arena`. */
typedef enum lc_letter_case { LC_LOWER, LC_UPPER, LC_TITLE } lc_letter_case;
lc_str lc_to_case(lc_arena *arena, lc_str text, lc_letter_case to);
/* White space of Unicode; and the text without it at both ends, borrowed. */
bool lc_rune_is_space(uint32_t rune);
/* Letters and decimal digits of all scripts. */
bool lc_rune_is_letter(uint32_t rune);
bool lc_rune_is_digit(uint32_t rune);
lc_str lc_trim_space(lc_str text);
/* What stays of a known beginning (in NFC) regardless of what follows it: all but the last cluster,
 * unless that is a common delimiter. Borrowed. Source: cty's SafeKnownPrefix. */
lc_str lc_safe_prefix(lc_str prefix);
/* Are the strings equal if compatibility forms are ignored (a ligature and its letters), and with
 * `fold` letter case too? Both are in NFC. */
bool lc_same_characters(lc_str a, lc_str b, bool fold);
/* The string without compatibility forms, letter case and surrounding white space: strings that
 * differ in these alone fold to one. In `arena`; invalid UTF-8 is returned as it is. */
lc_str lc_fold_key(lc_arena *arena, lc_str key);
/* Is it an identifier of the configuration language? */
bool lc_is_identifier(lc_str text);
/* May the code point begin an identifier, or be part of one? */
bool lc_rune_starts_identifier(uint32_t rune);
bool lc_rune_is_in_identifier(uint32_t rune);

/* ---- Reading. */

/* Of the value itself; what is inside it may be in another state. */
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
/* The refinement of an unknown value; NULL for all other values and without one. */
const lc_refinement *lc_value_refinement(const lc_value *v);
/* The attribute of a known object; NULL if the object does not have it, or `object` is not a known
 * object. */
const lc_value *lc_value_attr(const lc_value *object, lc_str name);
/* The element of a known map, by binary search; NULL if the map does not have it. */
const lc_value *lc_value_key(const lc_value *map, lc_str key);

/* ---- Comparing. */

/* Three-valued results: LC_MAYBE is cty's unknown bool. */
typedef enum lc_tri { LC_FALSE, LC_TRUE, LC_MAYBE } lc_tri;

/* RawEquals: types, states, refinements and values are equal. A refinement that restricts nothing
 * counts as no refinement. */
bool lc_value_raw_equal(const lc_value *a, const lc_value *b);
/* The rule catalogue's "same": RawEquals without refinements (contract-rules 1.2). */
bool lc_value_same(const lc_value *a, const lc_value *b);
/* Equals, three-valued. Objects and maps: False if anything is definitely False, else unknown if
 * anything is, else True. A set with a nested unknown answers unknown. */
lc_tri lc_value_equals(const lc_value *a, const lc_value *b);
/* A hash that is equal for values that are `same`, and for those that Equals finds True. */
uint64_t lc_value_hash(const lc_value *v);
/* A value with its hash; the value is borrowed. Sorted by hash, equal values are neighbours, among
 * others that merely have the same hash. */
typedef struct lc_hashed_value {
    uint64_t hash;
    const lc_value *value;
} lc_hashed_value;
lc_hashed_value lc_hashed(const lc_value *value);
void lc_sort_by_hash(lc_hashed_value *items, size_t count);
/* The sorted hashes of the elements of a known collection, in `arena`; and a look-up in them. */
uint64_t *lc_value_element_hashes(lc_arena *arena, const lc_value *v);
bool lc_hash_is_among(uint64_t hash, const uint64_t *sorted, size_t count);
/* Value.Range: the refinement of an unknown value, or the narrowest one that a known value has. It
 * restricts nothing for null. */
lc_refinement lc_value_range(const lc_value *v);
/* ValueRange.Includes: does the range of `range` include `v`? LC_TRUE is returned for null only;
 * callers test for LC_FALSE. */
lc_tri lc_value_includes(const lc_value *range, const lc_value *v);

/* Length of a list, set, map or tuple (values-and-wire 2.9): exact, or an unknown number with
 * bounds. */
typedef struct lc_length {
    bool known;
    uint64_t min; /* equal to max if known */
    uint64_t max; /* INT64_MAX: unlimited */
} lc_length;
lc_length lc_value_length(const lc_value *v);
/* The length as core prints it in count messages: cty.NumberIntVal(2), or the refined unknown. */
void lc_length_add_go(lc_buf *buf, lc_length length);

/* ---- Changing. Results are new values in `arena`. */

/* A deep copy in `arena`. `shared` is a type that lives at least as long: parts of the value's type
 * that are equal to it are not copied. NULL: everything is copied. NULL gives NULL. */
const lc_value *lc_value_copy(lc_arena *arena, const lc_value *v, const lc_type *shared);

/* cty.UnknownAsNull: every unknown value becomes a null of its type; sets are built anew. */
const lc_value *lc_value_unknown_as_null(lc_arena *arena, const lc_value *v);
/* convert.Convert (values-and-wire 1.5, 1.6). False: *why describes what does not fit, without
 * scalars, after the place inside the value (`.a[0]: a number is required`). Result and text live
 * in `arena`. */
bool lc_value_convert(const lc_value **out, lc_arena *arena, const lc_value *v, const lc_type *want,
                      lc_str *why);

/* ---- Printing. */

/* Appends Go syntax as core messages print it (GoString), contract-algorithms 4.0. */
void lc_value_add_go(lc_buf *buf, const lc_value *v);
/* Reads what lc_value_add_go writes, without refinements; something else may follow. A line break
 * in a string is a space, as terminals break lines; then *broken is set. NULL: the text begins with
 * no such value. */
const lc_value *lc_value_read_go(lc_arena *arena, lc_str text, bool *broken);
/* Appends a string as Go's %q prints it. */
void lc_buf_add_go_quoted(lc_buf *buf, lc_str s);
/* Appends a quoted string of the configuration language, as addresses quote their keys. */
void lc_buf_add_hcl_quoted(lc_buf *buf, lc_str s);

#endif
