/* What is secret: a property of places in a case, from schema flags and from explicit marks. And
 * the only way from a value to a string that may be shown. Private to the module contract. */
#ifndef LC_CONTRACT_SENSITIVITY_H
#define LC_CONTRACT_SENSITIVITY_H

#include "lifecheck/contract/contract.h"

/* Opaque; in the arena of lc_sensitivity_new, and borrows schema and paths. */
typedef struct lc_sensitivity lc_sensitivity;

/* The position of a walk through an object, as far as secrets are concerned. Passed by value. */
typedef struct lc_sensitivity_mark {
    const lc_block *block;                /* the next attribute is one of these, */
    const lc_nested_type *nested;         /* or of these; both NULL: without a schema */
    const lc_path_node *marks;            /* tree of the explicit marks at or below; NULL: none */
    const struct lc_known_secrets *known; /* strings that are secret anywhere; NULL: none */
    bool secret;                          /* this place is a secret or inside one */
    bool keyed; /* a map of blocks: the next step is a key, also if the map is an object (dynamic
                   attribute inside) */
    bool loose; /* inside a dynamic value, which carries its own type: names of attributes are data
                   there */
} lc_sensitivity_mark;

/* Write-only values count as secret, as sensitive ones do. `paths` are explicit marks. `schema` may
 * be NULL. */
const lc_sensitivity *lc_sensitivity_new(lc_arena *arena, const lc_schema *schema,
                                         const lc_path *paths, size_t count);
/* The same for the case, whose secrets are masked at other places too. */
const lc_sensitivity *lc_sensitivity_of_case(lc_arena *arena, const lc_case *subject,
                                             const lc_schema *schema);
/* Find the strings of all sensitive values in the input: `secrets` of the case, in `report`. */
void lc_case_find_secrets(lc_case *subject, lc_arena *report, lc_arena *scratch);
/* Is the string, a string in the value, or a key in the path the same as a sensitive value, or does
 * it contain one (known_secrets.h)? */
bool lc_mark_knows(lc_sensitivity_mark place, lc_str text);
/* Is there one in what an unknown value begins with? */
bool lc_mark_knows_prefix(lc_sensitivity_mark place, const lc_value *value);
bool lc_mark_knows_any(lc_sensitivity_mark place, const lc_value *value);
bool lc_mark_knows_key(lc_sensitivity_mark place, lc_path path);
/* The mark of the root (`sensitivity` may be NULL: nothing is secret), of a step below, of a whole
 * path. */
lc_sensitivity_mark lc_sensitivity_root(const lc_sensitivity *sensitivity);
lc_sensitivity_mark lc_sensitivity_step(lc_sensitivity_mark place, const lc_step *step);
lc_sensitivity_mark lc_sensitivity_at(const lc_sensitivity *sensitivity, lc_path path);
/* Is there a secret at this place, above it or anywhere below it? */
bool lc_sensitivity_touched(lc_sensitivity_mark place);

/* The one way from a value to a string that may be shown, in `arena`. `place` is the mark of the
 * value; `want` the schema's type, which decides where the text must state types. */
lc_redacted_text lc_show(lc_arena *arena, lc_sensitivity_mark place, const lc_value *value,
                         const lc_type *want);
/* Append the replacement of a known value that is secret. */
void lc_show_secret(lc_buf *out);
/* Append the replacement of a value that is too big to be shown: {"$elided": what}. */
void lc_show_elided(lc_buf *out, lc_str what);
/* Append a path with the keys below a secret hidden, as text and as JSON steps. Returns the number
 * of steps from the first hidden attribute name to the end, 0 if no such name is hidden. */
size_t lc_show_path(lc_buf *text, lc_buf *steps, const lc_sensitivity *sensitivity, lc_path path);

#endif
