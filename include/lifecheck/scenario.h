/* Scenario files to cases, and back. Module scenario. Source: the scenario format and its details.
 */
#ifndef LIFECHECK_SCENARIO_H
#define LIFECHECK_SCENARIO_H

#include "lifecheck/evidence.h"
#include "lifecheck/json.h"

/* One case of a file: read, or not understood (then `scenario` is NULL and the errors are in the
 * diags given to lc_scenario_file_read). */
typedef struct lc_scenario_file {
    lc_str file;
    LC_VEC(lc_scenario *) scenarios;
    bool is_scenario; /* the file has the key `lifecheck` at its root, or was forced */
} lc_scenario_file;

/* Read a scenario file: YAML or JSON, one document or several, `cases`, `runs`. `only` selects a
 * case by name, or is empty. What cannot be understood is reported with file, line and column; the
 * other documents and cases of the file are still read. Everything lives in `arena`. */
lc_status lc_scenario_file_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str only, lc_diags *diags);
lc_status lc_scenario_text_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str text, lc_str only, lc_diags *diags);

/* Make `scenario`, of which file, name and the like are set, a case of what `planning` holds. */
void lc_scenario_set_planning(lc_scenario *scenario, lc_arena *arena,
                              const struct lc_planning *planning);

/* The format as a JSON Schema (draft 2020-12), as editors take it. */
void lc_scenario_json_schema(lc_buf *out);

/* Mistakes of a scenario that was read by these functions and judged, each place of a file once.
 * Not `all`: traps only. */
void lc_scenario_lint(lc_judged *judged, lc_arena *arena, const lc_policy *policy, bool all);

/* Does this look like a scenario, for walks: a root mapping (or first element of a root array) with
 * the key `lifecheck`? Cheap; reads at most a little of the file. */
bool lc_looks_like_scenario(lc_str text);
/* The same of a text without the key `lifecheck` that has others which only scenarios have. */
bool lc_looks_like_headless_scenario(lc_str text);

/* Keys of a case, in the order in which they are written; NULL after the last one. */
const char *lc_scenario_key(size_t index);
/* The type in a resource address, or "". */
lc_str lc_address_type(lc_str address);

/* ---- Values. */

/* A value node read by a type, with all markers. `config`: conversions as in configurations. */
typedef struct lc_value_reader {
    lc_arena *arena;
    const lc_source *source; /* lives as long as the arena: locators refer to it */
    lc_diags *diags;
    lc_limits limits;
    LC_VEC(lc_path) sensitive; /* places marked !sensitive, relative to the root given */
    bool config;
    size_t built;          /* values built so far, bounded by limits.nodes */
    const lc_lines *lines; /* of the source, made when first needed; NULL for a new one */
    lc_lint_notes *lints;  /* what is said in vain; NULL: nobody wants to know */
} lc_value_reader;
/* Reads the object of a schema's block. LC_OK also for an undecodable one: see field->state. */
lc_status lc_read_object(lc_field *out, lc_value_reader *reader, const lc_node *node,
                         const lc_block *block);
lc_status lc_read_typed(lc_field *out, lc_value_reader *reader, const lc_node *node,
                        const lc_type *type);
/* Raw state: JSON core types only. */
lc_status lc_read_raw(lc_field *out, lc_value_reader *reader, const lc_node *node);

/* ---- Markers: how a value says what plain YAML and JSON cannot. */

#define LC_MARKERS(X)                                                                              \
    X(LC_MARKER_NONE, "")                                                                          \
    X(LC_MARKER_UNKNOWN, "unknown")                                                                \
    X(LC_MARKER_TYPED, "typed")                                                                    \
    X(LC_MARKER_NULL, "null")                                                                      \
    X(LC_MARKER_SENSITIVE, "sensitive")                                                            \
    X(LC_MARKER_MSGPACK, "msgpack")                                                                \
    X(LC_MARKER_JSON, "json")                                                                      \
    X(LC_MARKER_TEXT, "text")                                                                      \
    X(LC_MARKER_LITERAL, "literal")                                                                \
    X(LC_MARKER_FOREIGN, "") /* a tag that the format does not have */
LC_ENUM(lc_marker, LC_MARKERS);

/* What marks `node`, and the marked content: the node without its tag, or the value of the one
 * $-key. */
lc_marker lc_node_marker(lc_node *content, const lc_node *node);

/* ---- A case as a scenario. */

/* The whole case as JSON, with what was given and without what was derived. Facts that are not
 * known are left out, and what came as bytes that are no value stands as other such bytes. */
void lc_write_case(lc_buf *out, const lc_case *subject);

#endif
