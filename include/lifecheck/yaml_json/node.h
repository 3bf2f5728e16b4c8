/* One kind of node for JSON and YAML text. Module yaml_json.
 *
 * Nodes live in the arena that the text was read into. Their strings may point into the text, which
 * must live as long. */
#ifndef LIFECHECK_YAML_JSON_NODE_H
#define LIFECHECK_YAML_JSON_NODE_H

#include "lifecheck/base/diag.h"
#include "lifecheck/base/json.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/table.h"
#include "lifecheck/files/input_file.h"

/* The kinds of JSON; YAML has no others here. */
typedef enum lc_node_kind {
    LC_NODE_NULL,
    LC_NODE_BOOL,
    LC_NODE_NUMBER,
    LC_NODE_STRING,
    LC_NODE_SEQUENCE,
    LC_NODE_MAPPING,
} lc_node_kind;

/* How a scalar was written, which decides whether YAML's `true` or `1` is a string. */
typedef enum lc_node_style {
    LC_STYLE_JSON,   /* from JSON text */
    LC_STYLE_PLAIN,  /* YAML plain scalar, or a YAML collection */
    LC_STYLE_QUOTED, /* YAML quoted or block scalar: always a string */
} lc_node_style;

typedef struct lc_node lc_node;
typedef struct lc_member lc_member;

/* A value of a document. `kind` determines which member of `as` is valid. */
struct lc_node {
    uint8_t kind;  /* lc_node_kind, by YAML 1.2 core resolution or JSON; tags are not looked at
                      except the standard ones (!!str ...) which are applied */
    uint8_t style; /* lc_node_style */
    bool boolean;
    uint32_t count; /* number of items or members */
    uint64_t
        where; /* position: a byte offset (JSON), or line and column (YAML); for lc_where_loc */
    const char *tag; /* local tag of YAML with its `!` */
    union {
        lc_str text; /* scalars: the decoded text of strings, the literal of everything else
                        (plain YAML: as written) */
        const lc_node *items;
        const lc_member *members; /* in order of the text; keys are distinct */
    } as;
};

/* A member of a mapping. */
struct lc_member {
    lc_str key;
    uint64_t where; /* position of the key */
    lc_node value;
};

/* An anchor of a YAML document to which no alias refers. */
typedef struct lc_unused_anchor {
    lc_str name;
    uint64_t where; /* of the node */
} lc_unused_anchor;

/* A string and the nodes read from it; filled in by the parse functions. */
typedef struct lc_source {
    lc_str file; /* name as the user gave it */
    lc_str text;
    bool json, native;
    /* Of a native file: where a column begins although a grapheme cluster goes on there, in order
     */
    const uint32_t *breaks;
    size_t break_count;
    lc_node *documents; /* the roots: one for JSON (also if it is an array), any number for YAML */
    size_t count;
    const lc_unused_anchor *unused_anchors;
    size_t unused_anchor_count;
} lc_source;

/* The text without the byte order mark that some programs write before UTF-8. */
lc_str lc_without_bom(lc_str text);
/* Is the first character, after white space and such a mark, one of { and [? */
bool lc_begins_like_json(lc_str text);

/* Parse a string into nodes in `arena`. lc_source_parse takes it for JSON if its file name ends in
 * .json, or if it begins with { or [ and is valid JSON; otherwise for YAML. Errors are added to
 * `diags` with line and column. Documents that were read before an error are kept. `file` and
 * `text` are borrowed. */
lc_status lc_source_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits, lc_diags *diags);
lc_status lc_json_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags);
/* The same for documents of other programs, whose readers take the last of equal keys; each
 * duplicate is a warning. */
lc_status lc_json_parse_last(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                             const lc_limits *limits, lc_diags *diags);
lc_status lc_yaml_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags);

/* A comment of YAML, from its first word to the end of the line. */
typedef struct lc_comment {
    uint32_t line, column;
    uint32_t about; /* the line that it is about: its own, or the next one with content */
    lc_str text;    /* points into the source */
} lc_comment;
typedef LC_VEC(lc_comment) lc_comments;
/* Adds the comments of a YAML text that begin so, in their order; none of a string that is not a
 * YAML.
 */
void lc_yaml_comments(lc_comments *out, lc_arena *arena, lc_str text, lc_str beginning);

/* Line and column of a node, or of a `where`. For JSON this scans the text from its start. */
lc_loc lc_node_loc(const lc_source *source, const lc_node *node);
lc_loc lc_where_loc(const lc_source *source, uint64_t where);
/* The same for many places of one source, with marks in `arena`; see lines.c. */
typedef struct lc_lines lc_lines;
const lc_lines *lc_lines_new(lc_arena *arena, const lc_source *source);
lc_loc lc_lines_loc(const lc_lines *lines, uint64_t where);

/* ---- Reading nodes.
 *
 * Nodes may be NULL or of any kind: what does not exist in them is NULL, 0, false or "". Look-ups
 * are linear; callers index mappings that are searched often, or use lc_finder. */

/* False for NULL. */
bool lc_node_is(const lc_node *node, lc_node_kind kind);
/* True for the value null and for NULL. */
bool lc_node_is_null(const lc_node *node);
bool lc_node_is_true(const lc_node *node);
lc_str lc_node_as_text(const lc_node *node); /* "" unless it is a string */
uint32_t lc_node_item_count(const lc_node *sequence);
uint32_t lc_node_member_count(const lc_node *mapping);
const lc_node *lc_node_item(const lc_node *sequence, uint32_t index);
const lc_member *lc_node_member(const lc_node *mapping, lc_str key);
/* The value of a member, by key: lc_node_value and _get of any kind, _given only if it is not null,
 * _get_kind only if it has the kind, _text only the text of a string. */
const lc_node *lc_node_value(const lc_node *mapping, lc_str key);
const lc_node *lc_node_get(const lc_node *mapping, const char *key);
const lc_node *lc_node_given(const lc_node *mapping, const char *key);
const lc_node *lc_node_get_kind(const lc_node *mapping, const char *key, lc_node_kind kind);
lc_str lc_node_text(const lc_node *mapping, const char *key);

/* Look-ups of members in one mapping: fast in the order of the mapping, and never linear for large
 * ones. A `node` that is NULL or not a mapping has no members. Initialise with arena and node. */
typedef struct lc_finder {
    lc_arena *arena;
    const lc_node *node;
    uint32_t next;
    void *table; /* made at the first look-up out of order */
} lc_finder;
const lc_node *lc_finder_get(lc_finder *members, lc_str key);
/* Are two nodes the same JSON value with the same tags? Numbers are compared by value, members in
 * any order. `arena` is for scratch memory. */
bool lc_node_same(lc_arena *arena, const lc_node *a, const lc_node *b);
/* Appends the node as JSON on one line, with numbers as they are written. A value that JSON does
 * not have becomes a string; a local tag becomes an object with the tag as its key. Stops early if
 * `out` has a limit and overflows. */
void lc_node_add_json(lc_buf *out, const lc_node *node);
lc_str lc_node_json(lc_arena *arena, const lc_node *node);
/* Writes a scalar without its tag. False: it is a collection, and nothing was written. */
bool lc_node_write_scalar(lc_json *w, const lc_node *node);
/* "a string", "a mapping", ... for messages. */
const char *lc_node_kind_name(const lc_node *node);

/* ---- Indexing JSON text: finding byte ranges of values without building nodes, for very large
 * documents. */

/* A value that is found without parsing all of the text. */
typedef struct lc_json_range {
    size_t from, to; /* byte range of a value in the text */
} lc_json_range;
/* Calls `member` for each member of the object that begins at object.from (after white space);
 * `member` returns false to stop. Checks the JSON grammar of everything that it skips. `arena` is
 * for decoded keys. */
lc_status lc_json_each_member(lc_str file, lc_str text, lc_json_range object,
                              bool (*member)(void *context, lc_str key, size_t key_at,
                                             lc_json_range value),
                              void *context, lc_arena *arena, lc_diags *diags);
/* Parses the value of a range into nodes; positions are those in the whole text. */
lc_status lc_json_parse_range(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                              lc_json_range range, const lc_limits *limits, lc_diags *diags);

#endif
