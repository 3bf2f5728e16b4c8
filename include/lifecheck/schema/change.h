/* What a new version of a schema does to objects in existing state files. Module schema.
 *
 * Each version is reduced to an outline that holds copies of all it needs, because the two schemas
 * come from inputs that do not exist at the same time. */
#ifndef LIFECHECK_SCHEMA_CHANGE_H
#define LIFECHECK_SCHEMA_CHANGE_H

#include "lifecheck/base/enum.h"
#include "lifecheck/base/table.h"
#include "lifecheck/schema/schema.h"

/* One attribute or block type at any depth. All strings live in the arena of the outline. */
typedef struct lc_schema_path {
    lc_str path; /* ".rule.port", without indices */
    bool block;
    lc_nesting nesting; /* of blocks and nested attributes, else LC_NESTING_INVALID */
    lc_str type;        /* text; empty for blocks and nested attributes */
    lc_str form;        /* type expression of the whole value, for all places */
    bool identity;      /* of the identity schema, whose paths begin with "identity." */
    bool required, optional, computed, sensitive, write_only, deprecated;
    int64_t min_items, max_items; /* of blocks; max 0: unlimited */
} lc_schema_path;

/* The outline of one version of a schema; lives in the arena that it was made in. */
typedef struct lc_schema_shape {
    int64_t version, identity_version;
    bool has_identity;
    bool identity_known; /* else the evidence may leave identity schemas out; a caller that knows
                            better sets it */
    LC_VEC(lc_schema_path) places; /* parents before children, names in order */
} lc_schema_shape;

/* Makes the outline of a resource's schema. Everything is copied into `arena`, so the schema may be
 * freed afterwards. */
void lc_schema_shape_of(lc_schema_shape *out, lc_arena *arena, const lc_schema *schema);

/* The outline of a function's signature: a place for each parameter and one for the result. */
void lc_schema_shape_of_function(lc_schema_shape *out, lc_arena *arena,
                                 const lc_function *function);

/* Do both say the same of every place, in the same order? */
bool lc_schema_shape_equal(const lc_schema_shape *a, const lc_schema_shape *b);

/* The kinds of changes that can break something. The words are those of reports. */
#define LC_CHANGE_KINDS(X)                                                                         \
    X(LC_CHANGE_REMOVED, "removed")                                                                \
    X(LC_CHANGE_TYPE, "type-changed")                                                              \
    X(LC_CHANGE_NESTING, "nesting-changed")                                                        \
    X(LC_CHANGE_REQUIRED, "required") /* optional became required */                               \
    X(LC_CHANGE_COMPUTED_LOST,                                                                     \
      "computed-lost") /* the provider may not choose the value any more */                        \
    X(LC_CHANGE_VERSION_BACK, "version-went-back") /* states of the old version cannot be read */  \
    X(LC_CHANGE_REQUIRED_ADDED, "required-added")  /* new, and required */                         \
    X(LC_CHANGE_READ_ONLY, "read-only")            /* cannot be configured any more */             \
    X(LC_CHANGE_ITEMS, "items")                    /* fewer blocks are allowed, or more needed */  \
    X(LC_CHANGE_WRITE_ONLY, "write-only-changed")                                                  \
    X(LC_CHANGE_SENSITIVE_LOST, "sensitive-lost") /* shown from now on */                          \
    X(LC_CHANGE_DEPRECATED, "deprecated")
LC_ENUM(lc_change_kind, LC_CHANGE_KINDS);

/* What those meet who upgrade, worst first. */
#define LC_UPGRADE_CLASSES(X)                                                                      \
    X(LC_CLASS_BREAKS, "breaks")       /* an error, a refusal, a value that is lost, a replace */  \
    X(LC_CLASS_SURPRISES, "surprises") /* an update, another default */                            \
    X(LC_CLASS_MENTION, "mention")     /* a warning */                                             \
    X(LC_CLASS_HARMLESS, "harmless")
LC_ENUM(lc_upgrade_class, LC_UPGRADE_CLASSES);

/* One change. `path` and `message` live in the arena of the comparison or of the old outline. */
typedef struct lc_change {
    lc_change_kind kind;
    bool stored; /* true: stored objects cannot be read any more, unless the schema version is
                    raised, too. False: configurations break, or a stored value is dropped */
    lc_upgrade_class of;
    lc_str path;
    lc_str message; /* one line */
} lc_change;
typedef struct lc_changes {
    lc_change *items;
    size_t count, capacity;
} lc_changes;

/* Appends to `out` everything in `after` that breaks stored objects or configurations of `before`,
 * in the order of the old schema. Children of a removed place are not listed. A higher version
 * number does not suppress changes of stored objects: the provider then has an upgrader, and the
 * caller decides. Items live in `arena`; both outlines must outlive it. */
void lc_schema_shape_compare(lc_changes *out, lc_arena *arena, const lc_schema_shape *before,
                             const lc_schema_shape *after);

#endif
