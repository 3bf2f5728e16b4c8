/* The types of the provider that computes (types.def), as schemas and as messages. */
#ifndef LC_S_PROBE_TYPES_H
#define LC_S_PROBE_TYPES_H

#include "lifecheck/base/arena.h"
#include "lifecheck/schema/schema.h"

enum { REQ = 1, OPT = 2, COMP = 4, SENS = 8, WO = 16, REPL = 32 };

typedef enum peer_how {
    NONE,
    DEFAULT,
    ONCE,
    REVISED,
    PREFIXED, /* "of-" and the text */
    GIVEN,    /* is it not null? */
    JOINED,   /* the strings, with a slash between */
    COUNT,    /* of elements */
    DIGEST,   /* of the configuration */
} peer_how;

typedef struct peer_attribute {
    const char *in, *name, *type;
    unsigned flags;
    peer_how how;
    const char *more;
} peer_attribute;

/* A nested block, or a nested attribute if it has flags. */
typedef struct peer_inside {
    int protocol;
    const char *in, *name;
    lc_nesting nesting;
    int64_t min, max;
    unsigned flags;
} peer_inside;

typedef enum peer_check_kind {
    ONE_OF,
    ONE_OF_SDK,
    BETWEEN,
    BETWEEN_SDK,
    RFC3339,
    PATTERN,
    JSON,
    CONFLICTS,
    EXACTLY_ONE,
} peer_check_kind;

typedef struct peer_check {
    const char *in;
    peer_check_kind kind;
    const char *of, *more;
} peer_check;

/* How the next version differs (upgrades.def). */
typedef enum peer_change {
    DROP_TYPE,
    DROP,
    ADD,
    TYPE_OF,
    FLAGS,
    PLANS,
    VERSION,
    DROP_BLOCK,
    ADD_BLOCK,
    MODE,
    ITEMS,
    DROP_FUNCTION,
    UPGRADES,
    REFUSES,
    WARNS,
    PLANNED,
    CREATED,
    DESTROYED,
    FUNCTION,
    LOWER, /* upgrades of lower schema versions */
    READS,
    IMPORTS,
    MOVES,
    IDENTITY_UPGRADES,
    APPLIES,
    DESTROYS,
} peer_change;

typedef struct peer_edit {
    const char *word, *found;
    peer_change what;
    const char *in, *name, *more;
} peer_edit;
/* Of schemas; before peer_types_make. */
void peer_types_edit(lc_arena *arena, const peer_edit *edit);

extern const peer_check peer_checks[];
extern const size_t peer_check_count;

typedef struct peer_types {
    lc_arena *arena;
    int protocol;
    const char *extra; /* a further attribute of peer_thing, or NULL */
    LC_VEC(const lc_schema *) schemas;
} peer_types;

/* Fills in the schemas; the other members are set. */
void peer_types_make(peer_types *out);
/* A type of any name with so many attributes. */
void peer_types_add(peer_types *out, lc_str name, unsigned count);
const lc_schema *peer_type(const peer_types *types, lc_schema_kind kind, lc_str name);
/* Rows by the path of what they stand in. NULL: there is none. */
const peer_attribute *peer_attribute_of(lc_str in, lc_str name);
const peer_inside *peer_inside_of(lc_str in, lc_str name);
/* The message Schema of a type as a member of an object. */
void peer_type_write(lc_json *w, const char *key, const lc_schema *schema);

#endif
