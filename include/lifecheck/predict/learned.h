/* What was seen of resource types: which attributes force a replacement, which change in place. It
 * comes from answers of providers in recordings and scenarios, and from plans. Module predict. No
 * I/O; it holds names of types and attributes and places in files, no values.
 *
 * What was seen is evidence: a provider may decide by more than one attribute. So it makes an
 * action likely, and certain only if the user says so. */
#ifndef LIFECHECK_PREDICT_LEARNED_H
#define LIFECHECK_PREDICT_LEARNED_H

#include "lifecheck/contract/case.h"
#include "lifecheck/plan/plan.h"

/* What happens to an object whose attribute changes. */
typedef enum lc_learned_effect {
    LC_LEARNED_REPLACED,
    LC_LEARNED_IN_PLACE,
    LC_LEARNED_UNCHANGED,
    LC_LEARNED_KEPT /* it is not configured, and stays at a value: a default of the type */
} lc_learned_effect;

/* One fact about a type. */
typedef struct lc_learned_fact {
    lc_str provider; /* source address; empty: not known */
    lc_str type;
    /* Names of attributes and blocks with dots, without indices and keys. Empty: of
     * LC_LEARNED_UNCHANGED, which is about objects whose configuration did not differ. */
    lc_str path;
    lc_learned_effect effect;
    /* Schema version of the objects; -1: not known. */
    int64_t version;
    uint64_t count;
    lc_loc loc; /* where it was seen first; line 0: in the file as a whole */
    /* A statement about the type, not an answer that was seen. */
    bool stated;
} lc_learned_fact;

/* Facts in the order in which they were seen first. */
typedef struct lc_learned lc_learned;
lc_learned *lc_learned_new(lc_arena *arena);
size_t lc_learned_count(const lc_learned *learned);
const lc_learned_fact *lc_learned_get(const lc_learned *learned, size_t index);
/* False: the limit LC_MAX_LEARNED is reached, and something was left out. */
bool lc_learned_is_whole(const lc_learned *learned);

/* Counts a fact `seen->count` times, or once if that is 0. Strings are copied. */
void lc_learned_see(lc_learned *learned, const lc_learned_fact *seen);
/* The version of a provider whose answers were seen; empty: not known, or several. */
void lc_learned_version_set(lc_learned *learned, lc_str provider, lc_str version);
lc_str lc_learned_version(const lc_learned *learned, lc_str provider);

/* Appends everything as a JSON document of one line for each type, sorted. */
void lc_learned_add_json(lc_buf *out, const lc_learned *learned);
/* Is the text such a document? And learns from it. False: it has another form; *why says how. */
bool lc_learned_is_document(lc_str text);
bool lc_learned_from_document(lc_learned *learned, const lc_node *document, lc_str file,
                              lc_str *why);

/* Learns from the managed objects of a plan, from the plans of a case, and from what a
 * CloudFormation type says about create-only properties. `provider` is the source address, or
 * empty; NULL: schemas have it. Strings are copied. */
void lc_learned_from_plan(lc_learned *learned, lc_plan *plan);
void lc_learned_from_case(lc_learned *learned, const lc_case *subject, const lc_str *provider);

/* What the facts say about one change. */
typedef struct lc_learned_answer {
    lc_plan_action action;     /* no-op, update, delete and create for any replace; or unknown */
    const lc_learned_fact *by; /* the fact that decides; never NULL with an action */
    bool contested;            /* the opposite was seen as well */
} lc_learned_answer;
/* Both values are objects of the schema. `learned` may be NULL. */
lc_learned_answer lc_learned_ask(const lc_learned *learned, lc_arena *arena,
                                 const lc_schema *schema, lc_str type, const lc_value *prior,
                                 const lc_value *planned);
/* Was the attribute or block seen to keep its value where it is not configured? */
bool lc_learned_keeps(const lc_learned *learned, const lc_schema *schema, lc_str type, lc_str name);
/* "TYPE.PATH forces a replacement" and the like, in the arena. */
lc_str lc_learned_words(lc_arena *arena, const lc_learned_fact *seen);

#endif
