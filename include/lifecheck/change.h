/* What a new version of a schema does to objects that are stored already. Module schema.
 *
 * Of each version an outline is kept, copied out of the schema, because the two versions come from
 * inputs that do not live at the same time. */
#ifndef LIFECHECK_CHANGE_H
#define LIFECHECK_CHANGE_H

#include "lifecheck/enum.h"
#include "lifecheck/schema.h"
#include "lifecheck/table.h"

typedef struct lc_schema_path {
    lc_str path; /* ".rule.port", without indices */
    bool block;
    lc_nesting nesting; /* of blocks and nested attributes, else LC_NESTING_INVALID */
    lc_str type;        /* text; empty for blocks and nested attributes */
    lc_str form;        /* the same of all: the type of the whole value */
    bool required, optional, computed;
} lc_schema_path;

typedef struct lc_schema_shape {
    int64_t version;
    LC_VEC(lc_schema_path) places; /* parents before children, names in order */
} lc_schema_shape;

/* The outline of a resource's schema, in `arena`. */
void lc_schema_shape_of(lc_schema_shape *out, lc_arena *arena, const lc_schema *schema);

#define LC_CHANGE_KINDS(X)                                                                         \
    X(LC_CHANGE_REMOVED, "removed")                                                                \
    X(LC_CHANGE_TYPE, "type-changed")                                                              \
    X(LC_CHANGE_NESTING, "nesting-changed")                                                        \
    X(LC_CHANGE_REQUIRED, "required")           /* optional became required */                     \
    X(LC_CHANGE_COMPUTED_LOST, "computed-lost") /* the provider's value has no place any more */   \
    X(LC_CHANGE_VERSION_BACK, "version-went-back") /* states of the old version cannot be read */
LC_ENUM(lc_change_kind, LC_CHANGE_KINDS);

typedef struct lc_change {
    lc_change_kind kind;
    bool stored; /* breaks stored objects while the version is the same; else configurations, or it
                    drops what was stored, as clients do before they send it */
    lc_str path;
    lc_str message; /* one line */
} lc_change;
typedef struct lc_changes {
    lc_change *items;
    size_t count, capacity;
} lc_changes;

/* Everything that breaks stored objects, or configurations that came with them, in order of the old
 * schema; children of what was removed are not told. A higher version number is leave to do so. */
void lc_schema_shape_compare(lc_changes *out, lc_arena *arena, const lc_schema_shape *before,
                             const lc_schema_shape *after);

#endif
