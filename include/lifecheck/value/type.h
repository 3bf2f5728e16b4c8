/* Types of values: cty's. Module value. Source of the rules: values-and-wire section 1.
 *
 * A type is immutable and lives in an arena, or is one of the constants below. Types are compared
 * with lc_type_equal; equal pointers are only a shortcut. */
#ifndef LIFECHECK_VALUE_TYPE_H
#define LIFECHECK_VALUE_TYPE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/str.h"

/* Types without parts come first: comparisons with LC_TYPE_LIST rely on that. */
typedef enum lc_type_kind {
    LC_TYPE_BOOL,
    LC_TYPE_NUMBER,
    LC_TYPE_STRING,
    LC_TYPE_DYNAMIC,
    LC_TYPE_LIST,
    LC_TYPE_SET,
    LC_TYPE_MAP,
    LC_TYPE_TUPLE,
    LC_TYPE_OBJECT,
} lc_type_kind;

typedef struct lc_type lc_type;

/* An attribute of an object type. */
typedef struct lc_type_attr {
    lc_str name; /* in NFC */
    const lc_type *type;
    bool optional; /* only in types that values are converted to */
} lc_type_attr;

/* Immutable; made by the functions below. Types that are equal need not be one object. */
struct lc_type {
    lc_type_kind kind;
    bool has_dynamic;     /* dynamic here or at any depth */
    uint16_t depth;       /* levels of types within it; UINT16_MAX: that many or more */
    uint32_t count;       /* object: attributes; tuple: items */
    uint64_t hash;        /* equal types have equal hashes */
    const lc_type *plain; /* without optional attributes at any depth; NULL: it has none */
    union {
        const lc_type *elem;         /* list, set, map */
        const lc_type *const *items; /* tuple */
        const lc_type_attr *attrs;   /* object, sorted bytewise by name */
    } as;
};

/* The primitive types and empty structures are constants. */
extern const lc_type lc_type_bool, lc_type_number, lc_type_string, lc_type_dynamic;
extern const lc_type lc_type_empty_object, lc_type_empty_tuple;

/* A list, set or map type, as `kind` specifies. All types made here live in `arena`. */
const lc_type *lc_type_collection(lc_arena *arena, lc_type_kind kind, const lc_type *elem);
/* A tuple type. `items` is borrowed as long as the type lives. */
const lc_type *lc_type_tuple(lc_arena *arena, const lc_type *const *items, size_t count);
/* An object type. `attrs` becomes part of the type: it is sorted in place and must live as long.
 * Names are distinct and in NFC. */
const lc_type *lc_type_object(lc_arena *arena, lc_type_attr *attrs, size_t count);
/* The same type with no attribute optional, at any depth; `type` itself if none is. */
const lc_type *lc_type_without_optional(const lc_type *type);

/* Primitive: bool, number, string. Collection: list, set, map. */
bool lc_type_is_primitive(const lc_type *type);
bool lc_type_is_collection(const lc_type *type);
bool lc_type_equal_structure(const lc_type *a, const lc_type *b);
static inline bool lc_type_equal(const lc_type *a, const lc_type *b)
{
    return a == b || lc_type_equal_structure(a, b);
}
/* TestConformance, values-and-wire 1.3: does type `given` conform to `want`, where dynamic conforms
 * to everything given? */
bool lc_type_conforms(const lc_type *given, const lc_type *want);
/* The common type that all types convert to; NULL if no such type exists. `unsafe`: also by
 * conversions that fail for some values. With dynamic among them, the result may be dynamic. */
const lc_type *lc_type_unify(lc_arena *arena, const lc_type *const *types, size_t count,
                             bool unsafe);
/* The index of an attribute, or -1; also if the type is not an object type. */
long lc_type_attr_index(const lc_type *object, lc_str name);

/* Go syntax, as core messages print it: cty.List(cty.String). */
void lc_type_add_go(lc_buf *buf, const lc_type *type);
/* For people: `list of string`, `object`, `dynamic`. */
void lc_type_add_friendly(lc_buf *buf, const lc_type *type);
/* The language's type expression: `list(string)`, `object({a=string,b=optional(number)})`. */
void lc_type_add_text(lc_buf *buf, const lc_type *type);
/* The last two as strings in `arena`. */
lc_str lc_type_text(lc_arena *arena, const lc_type *type);
lc_str lc_type_friendly(lc_arena *arena, const lc_type *type);
/* Convert's MismatchMessage(got, want), the tail of `wrong final value type: ...`
 * (contract-algorithms 4.0). */
void lc_type_add_mismatch(lc_buf *buf, const lc_type *got, const lc_type *want);

#endif
