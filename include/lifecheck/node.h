/* One kind of node for JSON and YAML text. Module source.
 *
 * A document owns its text and nodes in the arena it was read into. */
#ifndef LIFECHECK_NODE_H
#define LIFECHECK_NODE_H

#include "lifecheck/diag.h"
#include "lifecheck/json.h"
#include "lifecheck/limits.h"

typedef enum lc_node_kind {
    LC_NODE_NULL,
    LC_NODE_BOOL,
    LC_NODE_NUMBER,
    LC_NODE_STRING,
    LC_NODE_SEQUENCE,
    LC_NODE_MAPPING,
} lc_node_kind;

typedef enum lc_node_style {
    LC_STYLE_JSON,   /* from JSON text */
    LC_STYLE_PLAIN,  /* YAML plain scalar, or a YAML collection */
    LC_STYLE_QUOTED, /* YAML quoted or block scalar: always a string */
} lc_node_style;

typedef struct lc_node lc_node;
typedef struct lc_member lc_member;

struct lc_node {
    uint8_t kind;  /* lc_node_kind, by YAML 1.2 core resolution or JSON; tags are not looked at
                      except the standard ones (!!str ...) which are applied */
    uint8_t style; /* lc_node_style */
    bool boolean;
    uint32_t count;  /* items or members */
    uint64_t where;  /* see lc_node_loc */
    const char *tag; /* local tag with its `!`, NUL-terminated, e.g. "!unknown"; else NULL */
    union {
        lc_str text; /* scalars: the decoded text of strings, the literal of everything else
                        (plain YAML: as written) */
        const lc_node *items;
        const lc_member *members; /* in order of the text; keys are distinct */
    } as;
};

struct lc_member {
    lc_str key;
    uint64_t where; /* of the key */
    lc_node value;
};

/* An anchor of a YAML document that no alias refers to. */
typedef struct lc_unused_anchor {
    lc_str name;
    uint64_t where; /* of the node */
} lc_unused_anchor;

typedef struct lc_source {
    lc_str file; /* as named by the user */
    lc_str text;
    bool json;
    lc_node
        *documents; /* roots: one for JSON (a root array stays a sequence), any number in YAML */
    size_t count;
    const lc_unused_anchor *unused_anchors;
    size_t unused_anchor_count;
} lc_source;

/* To read it; a pipe that nobody has open for writing is given up after some seconds, with
 * ETIMEDOUT. -1: errno says why. */
int lc_file_open(const char *path);
/* Read all of a file, bounded. "-" is standard input. Pipes and /dev/stdin work; folders do not. */
lc_status lc_file_read(lc_str *out, lc_arena *arena, lc_str path, size_t max_bytes,
                       lc_diags *diags);

/* Without the mark that some programs write before UTF-8. */
lc_str lc_without_bom(lc_str text);

/* The first bytes of a regular file, at most `most`. False: there is none that can be read. */
bool lc_file_head(lc_str *out, lc_arena *arena, lc_str path, size_t most);
/* The same of what is open, into `bytes`, which has room for `most`; `line`: no more than comes
 * with the first line. *all: nothing follows. False: it could not be read to there. */
bool lc_fd_head(lc_str *out, char *bytes, size_t most, int fd, bool line, bool *all);
/* The names in a folder, sorted, those with a dot in front too. False, and none: errno says why. */
bool lc_folder_list(lc_str **out, size_t *count, lc_arena *arena, lc_str path);

/* All of what is open already; `name` is for messages. */
lc_status lc_fd_read(lc_str *out, lc_arena *arena, int fd, lc_str name, size_t max_bytes,
                     lc_diags *diags);

/* Parse `text`. JSON if its first character that is not white space is { or [ and it is JSON by
 * the strict scanner up to the first structural doubt; `json` forces it (file name .json). Errors
 * go to `diags` with line and column; documents read before the error are kept. */
lc_status lc_source_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits, lc_diags *diags);
lc_status lc_json_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags);
/* The same for documents whose readers take the last of equal keys; each is a warning. */
lc_status lc_json_parse_last(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                             const lc_limits *limits, lc_diags *diags);
lc_status lc_yaml_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags);

lc_loc lc_node_loc(const lc_source *source, const lc_node *node);
lc_loc lc_where_loc(const lc_source *source, uint64_t where);
/* The same for many places of one source: see lines.c. */
typedef struct lc_lines lc_lines;
const lc_lines *lc_lines_new(lc_arena *arena, const lc_source *source);
lc_loc lc_lines_loc(const lc_lines *lines, uint64_t where);

/* ---- Reading nodes.
 *
 * A node may be NULL or of any kind: what is asked for is then not there, which is NULL, 0, false
 * or "". Look-ups are linear; mappings that are looked up often are indexed by the caller. */

bool lc_node_is(const lc_node *node, lc_node_kind kind);
/* Null, or NULL. */
bool lc_node_is_null(const lc_node *node);
bool lc_node_is_true(const lc_node *node);
lc_str lc_node_as_text(const lc_node *node); /* of a string only */
uint32_t lc_node_item_count(const lc_node *sequence);
uint32_t lc_node_member_count(const lc_node *mapping);
const lc_node *lc_node_item(const lc_node *sequence, uint32_t index);
const lc_member *lc_node_member(const lc_node *mapping, lc_str key);
/* The value of a member: whatever it is, unless it is null, if it is of one kind, the text of a
 * string. */
const lc_node *lc_node_value(const lc_node *mapping, lc_str key);
const lc_node *lc_node_get(const lc_node *mapping, const char *key);
const lc_node *lc_node_given(const lc_node *mapping, const char *key);
const lc_node *lc_node_get_kind(const lc_node *mapping, const char *key, lc_node_kind kind);
lc_str lc_node_text(const lc_node *mapping, const char *key);

/* Members of one mapping, asked for one after the other: quick where they are asked for in order,
 * and never slow. `node` NULL or no mapping: it has none. */
typedef struct lc_finder {
    lc_arena *arena;
    const lc_node *node;
    uint32_t next;
    void *table; /* made when it is needed */
} lc_finder;
const lc_node *lc_finder_get(lc_finder *members, lc_str key);
/* The same JSON value, with the same tags? Numbers by value, members in any order. `arena` is for
 * scratch. */
bool lc_node_same(lc_arena *arena, const lc_node *a, const lc_node *b);
/* The node as JSON on one line, numbers as they are written: what YAML has and JSON has not becomes
 * text, and a local tag the only member of an object. Stops early when `out` has a limit and
 * overflows. */
void lc_node_add_json(lc_buf *out, const lc_node *node);
lc_str lc_node_json(lc_arena *arena, const lc_node *node);
/* The same of a scalar, without its tag. False, and nothing is written: it is a collection. */
bool lc_node_write_scalar(lc_json *w, const lc_node *node);
/* "a string", "a mapping", ... for messages. */
const char *lc_node_kind_name(const lc_node *node);

/* ---- Index mode over JSON text: skip values, learn byte ranges, build nothing. */

typedef struct lc_json_range {
    size_t from, to; /* byte range of the value in the text */
} lc_json_range;
/* Calls `member` for each member of the object at `at` (after white space); `member` returns false
 * to stop. Checks the JSON grammar of what it skips. */
lc_status lc_json_each_member(lc_str file, lc_str text, lc_json_range object,
                              bool (*member)(void *context, lc_str key, size_t key_at,
                                             lc_json_range value),
                              void *context, lc_arena *arena, lc_diags *diags);
/* Parse the value of a range into nodes; locations are those of the whole text. */
lc_status lc_json_parse_range(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                              lc_json_range range, const lc_limits *limits, lc_diags *diags);

#endif
