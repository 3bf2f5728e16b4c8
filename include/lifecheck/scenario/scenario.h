/* Scenario files to cases, and cases to scenarios. Module scenario. */
#ifndef LIFECHECK_SCENARIO_SCENARIO_H
#define LIFECHECK_SCENARIO_SCENARIO_H

#include "lifecheck/base/json.h"
#include "lifecheck/scenario/evidence.h"

/* The cases of one file that could be read; the errors of all others are in the `diags` given to
 * the function that read it. */
typedef struct lc_scenario_file {
    lc_str file;
    LC_VEC(lc_scenario *) scenarios;
    bool is_scenario; /* the root has the key `lifecheck` */
} lc_scenario_file;

/* Reads a scenario file: YAML or JSON, one document or several, with `cases` and `runs`. `only` is
 * the name of the only case to read, or empty for all. Errors are reported with file, line and
 * column; the other documents and cases of the file are still read. LC_OK: there was no error.
 * Everything lives in `arena`. */
lc_status lc_scenario_file_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str only, lc_diags *diags);
lc_status lc_scenario_text_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str text, lc_str only, lc_diags *diags);

/* Makes `scenario`, whose file, name and place are set, a case of a whole plan or configuration.
 * `planning` is borrowed, and NULL if it could not be read. */
void lc_scenario_set_planning(lc_scenario *scenario, lc_arena *arena,
                              const struct lc_planning *planning);

/* Appends the format as a JSON Schema (draft 2020-12), for editors. With the schema of a resource
 * type it also holds the attributes and blocks of that type; NULL: values are free. */
void lc_scenario_json_schema(lc_buf *out, const lc_schema *schema);

/* Adds the mistakes of a scenario to a judged case, each place of a file once. `judged` comes from
 * a scenario that the functions above read. Without `all` only those mistakes that invalidate a
 * verdict. */
void lc_scenario_lint(lc_judged *judged, lc_arena *arena, const lc_policy *policy, bool all);

/* Is this string a scenario: a root mapping (or first item of a root list) with the key
 * `lifecheck`? For walks over folders; reads only the first part of the text. */
bool lc_looks_like_scenario(lc_str text);
/* Does a string without the key `lifecheck` have other keys that only scenarios combine? */
bool lc_looks_like_headless_scenario(lc_str text);

/* The name of a key of a case by index, in the order in which keys are written; NULL after the last
 * one. */
const char *lc_scenario_key(size_t index);
/* The resource type in an address, or "". Points into `address`. */
lc_str lc_address_type(lc_str address);

/* Is this the key of an object of a schema, or of a stored one? */
bool lc_is_object_key(lc_str key);
/* Is it the key of a configuration? */
bool lc_is_config_key(lc_str key);

/* ---- Values. */

/* Reads value nodes by a type, with all markers. One reader serves all values of a file, because
 * the limit and the sensitive paths count for all. */
typedef struct lc_value_reader {
    lc_arena *arena;
    const lc_source *source; /* must live as long as the arena: locators refer to it */
    lc_diags *diags;
    lc_limits limits;
    LC_VEC(lc_path) sensitive; /* places marked !sensitive, relative to the root of each value */
    bool config;               /* scalars are converted as core does it in configurations */
    size_t built;              /* values built so far, bounded by limits.nodes */
    const lc_lines *lines;     /* of the source; NULL at first, made when needed */
    lc_lint_notes *lints;      /* mistakes are noted here; NULL: they are not required */
    lc_str root;               /* the key whose value is read next, for messages; or "" */
    bool doubted;              /* that the schema fits the values was doubted: reported once */
} lc_value_reader;
/* Reads an object by the block of a schema. LC_OK also if the value is undecodable, which is
 * evidence: see out->state. LC_EINPUT: an error in the file, reported. LC_ELIMIT: too many values.
 */
lc_status lc_read_object(lc_field *out, lc_value_reader *reader, const lc_node *node,
                         const lc_block *block);
/* The same for a value of a type. */
lc_status lc_read_typed(lc_field *out, lc_value_reader *reader, const lc_node *node,
                        const lc_type *type);
/* The same for raw state, which has only the types of JSON. */
lc_status lc_read_raw(lc_field *out, lc_value_reader *reader, const lc_node *node);

/* ---- Markers: values that plain YAML and JSON cannot express. */

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

/* How `node` is marked. *content becomes what is marked: the node without its tag, or the value of
 * its only $-key; without a marker the node itself. */
lc_marker lc_node_marker(lc_node *content, const lc_node *node);

/* ---- A case as a scenario. */

/* Appends the whole case as JSON: all that was given, nothing that was derived from it. Facts that
 * are not known are left out. A value that could not be decoded is written as other bytes that
 * cannot be decoded at the same path, because a case does not keep the bytes. */
void lc_write_case(lc_buf *out, const lc_case *subject);

#endif
