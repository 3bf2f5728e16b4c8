/* What the files of module scenario share. Everything is allocated in the arena of the file. */
#ifndef LC_SCENARIO_INTERNAL_H
#define LC_SCENARIO_INTERNAL_H

#include "lifecheck/base/enum.h"
#include "scenario/format/format.h"

/* ---- Keys. */

/* The members of one mapping by key, so that a lookup is one array access. */
typedef struct lc_layer {
    const lc_node *node;
    const lc_member *member[LC_KEY_COUNT]; /* NULL: not written */
    bool misspells_schema; /* an unknown key, which was reported, resembles `schema` */
} lc_layer;

/* The mappings that a run gets its keys from, nearest first: run, case, document. A key of a nearer
 * layer replaces the same key of the farther ones. */
#define LC_MAX_LAYERS 3
typedef struct lc_layers {
    const lc_layer *layers[LC_MAX_LAYERS];
    size_t count;
} lc_layers;
/* The member or value from the nearest layer that has the key; NULL: none has it. */
const lc_member *lc_layers_get(const lc_layers *scope, lc_case_key key);
const lc_node *lc_layers_value(const lc_layers *scope, lc_case_key key); /* or NULL */

/* ---- Places of nodes. */

/* As lc_node_loc and lc_where_loc, but with the reader's index of lines if there is one. */
lc_loc lc_reader_loc(const lc_value_reader *reader, const lc_node *node);
lc_loc lc_reader_where(const lc_value_reader *reader, uint64_t where);

/* ---- What is not ours. */

/* A string that is certainly no scenario: what it is and what to do with it; else NULL. */
const char *lc_foreign_file(lc_arena *arena, lc_str file, lc_str text);
/* The same for a file that should be a plan or state as JSON. */
const char *lc_foreign_document(lc_arena *arena, lc_str text);
/* The same by the keys of a root without the key `lifecheck`. */
bool lc_foreign_root(lc_str *what, const lc_node *root);
/* The equivalent of a key of another format here, or NULL. */
const char *lc_foreign_key(lc_str key);
/* Is an unknown key really a key and a value, as in HCL or without a space after the colon? Returns
 * how to fix it, without the value; else "". */
lc_str lc_key_mistake(lc_arena *arena, lc_str key);

/* ---- A scenario file that is being read. */

typedef struct lc_in {
    lc_arena *arena;
    lc_schema_store *store;
    const lc_source *source;
    lc_diags *diags; /* of the document or case that is being read */
    lc_value_reader values;
    lc_table schemas; /* by node and type: a schema that is written once is read once */
    lc_str resource;  /* of the case that is being read, or "" */
} lc_in;

/* ---- What lints need of the text of a case. */

typedef struct lc_written_run {
    lc_layer own; /* of an item of `runs` */
    lc_layers scope;
} lc_written_run;

struct lc_written {
    lc_arena *arena; /* of the file */
    const lc_lines *lines;
    lc_table *reported;  /* of the file: mistakes that were reported */
    lc_lint_notes notes; /* made while reading */
    lc_written_run *runs;
    size_t run_count;
};
typedef struct lc_written lc_written;

/* Adds a note to `notes`; the message is copied into `arena`. */
void lc_note(lc_lint_notes *notes, lc_arena *arena, lc_lint lint, lc_loc loc, const char *format,
             ...) __attribute__((format(printf, 5, 6)));
/* Notes the keys of `head` that all of the `count` layers below it replace. */
void lc_note_unused_head(lc_lint_notes *notes, lc_in *in, const lc_layer *head,
                         const lc_layer *const *layers, size_t count);
/* Notes a prior state that is {}, where null is meant. */
void lc_note_empty_prior(lc_in *in, const lc_node *prior, const lc_schema *schema);
/* Notes equal elements of a set. `hashes` are those of its elements, in the order written. */
void lc_note_repeats(lc_value_reader *reader, const lc_node *set, const uint64_t *hashes);

lc_loc lc_in_loc(const lc_in *in, const lc_node *node);
lc_loc lc_in_key_loc(const lc_in *in, const lc_member *member);

/* Sorts the members of `node` into `out`; `place` is LC_AT_DOCUMENT, LC_AT_CASE or LC_AT_RUN.
 * False: an unknown key, or no mapping; reported. */
bool lc_in_layer(lc_in *in, lc_layer *out, const lc_node *node, unsigned place);

/* `found` has room for set->count members; NULL where a key is not written. `what` names the
 * mapping for messages ("schema"). False: not a mapping, or an unknown key; reported. */
bool lc_in_keys(lc_in *in, const lc_member **found, const lc_node *node, const lc_keyset *set,
                const char *what);
/* Reports a key that is not in `names`, and suggests the nearest of them. */
void lc_in_unknown_key(lc_in *in, const lc_member *member, const char *what, const lc_str *names,
                       size_t count);

/* Scalars and lists of the format itself (not values of the schema). `what` names them for
 * messages. False: reported. */
bool lc_in_text(lc_in *in, lc_str *out, const lc_node *node, const char *what);
bool lc_in_bool(lc_in *in, bool *out, const lc_node *node, const char *what);
bool lc_in_fact(lc_in *in, lc_fact *out, const lc_node *node, const char *what);
bool lc_in_count(lc_in *in, int64_t *out, const lc_node *node, const char *what);
bool lc_in_sequence(lc_in *in, const lc_node *node, const char *what);
bool lc_in_mapping(lc_in *in, const lc_node *node, const char *what);
bool lc_in_path(lc_in *in, lc_path *out, const lc_node *node, bool pattern);
bool lc_in_path_list(lc_in *in, lc_path_list *out, const lc_node *node, const char *what);
/* Bytes, written in base64 or as text with the marker for text. */
bool lc_in_bytes(lc_in *in, lc_str *out, const lc_node *node, const char *what);

/* ---- Markers. */

/* "!unknown" or "$unknown", as the node is written. */
lc_str lc_marker_spelling(lc_arena *arena, const lc_node *node);

/* Arguments of markers. False: reported. */
bool lc_marker_type(lc_value_reader *reader, const lc_type **out, const lc_node *node);
bool lc_marker_refinement(lc_value_reader *reader, lc_value *out, const lc_node *node,
                          const lc_type *type);
bool lc_marker_text(lc_value_reader *reader, lc_str *out, const lc_node *node, const char *name);
/* Takes the content of `!typed` apart: {type: T, value: V}. */
bool lc_marker_typed(lc_value_reader *reader, const lc_type **type, const lc_node **value,
                     const lc_node *node);

/* ---- Parts of a case. */

/* The schema that a `schema` node names or holds. NULL: it cannot be read, which is reported at the
 * first call only. */
const lc_schema *lc_in_schema(lc_in *in, const lc_node *node);
/* That of a case without the key: what a running provider has for its resource. NULL: reported. */
const lc_schema *lc_in_provided_schema(lc_in *in, lc_loc at);

/* Reads an object of the schema. Does nothing if `schema` is NULL, which was reported before. */
void lc_in_object(lc_in *in, lc_field *out, const lc_node *node, const lc_schema *schema,
                  bool config);
void lc_in_identity(lc_in *in, lc_field *out, const lc_node *node, const lc_schema *schema);
/* The raw object with the blocks that its author left out, as a state file stores them: empty. */
const lc_value *lc_stored_with_blocks(lc_arena *arena, const lc_block *block, const lc_value *raw);
void lc_in_raw_attributes(lc_in *in, lc_field *out, const lc_node *node, const lc_schema *schema);
void lc_in_previous_run_state(lc_in *in, lc_raw_state *out, const lc_member *member,
                              const lc_schema *schema);
void lc_in_circumstances(lc_in *in, lc_run *run, const lc_layers *scope);
/* Whether the provider was configured before the calls, which are read. */
void lc_in_configured(lc_in *in, lc_run *run, const lc_layers *scope);
/* NULL: reported. */
const lc_cloud_control *lc_in_cloud_control(lc_in *in, const lc_node *node);
void lc_in_capabilities(lc_in *in, lc_capabilities *out, const lc_node *node);

void lc_in_calls(lc_in *in, lc_run *run, const lc_layers *scope);
void lc_in_driving(lc_in *in, lc_driving *out, const lc_member *member);

void lc_in_expect(lc_in *in, lc_expectation *out, const lc_node *node, const lc_schema *schema);
void lc_in_ignores(lc_in *in, lc_scenario *scenario, const lc_node *node);
/* `# lifecheck: ignore RULE -- reason` about the lines of a case, from its first one up to another:
 * findings at the value of that line; at the first line all of the case. */
#define LC_IGNORE_COMMENT "lifecheck: ignore"
void lc_in_comment_ignores(lc_in *in, lc_scenario *scenario, const lc_comments *comments,
                           uint32_t from, uint32_t to);
void lc_in_known_failing(lc_in *in, lc_scenario *scenario, const lc_node *node);

/* ---- Places of parts of values. */

/* Finds where the part of a value is written. As the context of an lc_field's locator. */
typedef struct lc_places lc_places;
lc_places *lc_places_new(lc_arena *arena, const lc_lines *lines, const lc_node *root);
/* Remembers the elements of a set in the order written, because only their values identify them.
 * Returns the hashes of the elements; NULL for fewer than two. */
const uint64_t *lc_places_add_set(lc_places *places, const lc_node *node, const lc_value *elems);
lc_loc lc_places_locate(const void *places, lc_path path);

/* A path that `file` names: relative to the folder of `file`, unless it begins with a slash. */
lc_str lc_beside(lc_arena *arena, lc_str file, lc_str path);

/* ---- Cases of whole plans and configurations: plan_keys.c and providers.c. */

/* Reads the value of `planning` or `providers`. NULL: reported. */
const struct lc_planning *lc_in_planning(lc_in *in, const lc_node *node);
const struct lc_planning *lc_in_providers(lc_in *in, const lc_node *node);

#endif
