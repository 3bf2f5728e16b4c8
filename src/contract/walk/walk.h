/* What the walks over values share: issues, and how far each core has come.
 *
 * One walk serves both cores. `reach` says for which cores the point of the walk is reached (live)
 * and which have stopped before it with an error (masked). A core that accepted is in neither. An
 * issue raised where nobody is live is still a broken promise: we report it, marked as masked or as
 * what no core looks at. */
#ifndef LC_CONTRACT_WALK_WALK_H
#define LC_CONTRACT_WALK_WALK_H

#include "contract/sensitivity.h"
#include "lifecheck/case.h"
#include "lifecheck/contract.h"
#include "lifecheck/core_message.h"

/* One broken promise inside values, before it becomes a finding. Lives in the scratch arena. */
typedef struct lc_issue {
    lc_rule rule;
    lc_path path;
    lc_cores cores;     /* report it */
    lc_cores masked;    /* would report it, but have stopped before */
    lc_cores crash;     /* crash on it */
    lc_cores inexact;   /* a secret was replaced in that core's text */
    lc_cores collapsed; /* report an earlier issue of the same sensitive attribute in its place */
    lc_path core_path[LC_CORE_COUNT]; /* where that core says it is */
    lc_str template[LC_CORE_COUNT];
    lc_str text[LC_CORE_COUNT];
    lc_str note;   /* our own words */
    long follows;  /* index of another issue, or -1 */
    bool unproven; /* there may be a reading that keeps the promise */
} lc_issue;

typedef struct lc_core_progress {
    lc_cores live;
    lc_cores masked;
    long follows;
    size_t tf_from; /* Terraform's paths start at this step: it lost the ones before */
} lc_core_progress;

#define LC_PROGRESS_ALL ((lc_core_progress){LC_BOTH_CORES, LC_NO_CORE, -1, 0})

typedef struct lc_walk {
    lc_arena *arena; /* scratch */
    LC_VEC(lc_issue) issues;
    bool quiet;  /* only learn which cores have an error; nothing is recorded */
    bool marked; /* comparisons collapse below sensitive marks, nested flags included */
    const lc_sensitivity *sensitivity; /* explicit marks too, or NULL */
    bool final;                        /* compatibility: rules final/..., else apply/... */
    lc_cores crashed;                  /* cores that crashed somewhere: they say nothing else */
    size_t pairs;                      /* ambiguous set pairs tried, for the limit */
    bool trial;                        /* quiet, but sets that no core looks into count as well */
    bool undecided;                    /* the limit was hit in such a set */
    size_t raised;                     /* in quiet mode: issues that would have been recorded */
    bool gave_up;                      /* the limit was hit: some set was not evaluated */
    lc_buf text;                       /* for messages, reused */
} lc_walk;

/* Free what a walk holds outside its arena. */
void lc_walk_release(lc_walk *walk);

/* A value, word or count that replaces %v, %s, %q or %d in a core's template. */
typedef struct lc_text_arg {
    const lc_value *value;
    const lc_length *length;
    lc_str word;
    uint64_t count;
} lc_text_arg;
#define LC_ARG_VALUE(v)  ((lc_text_arg){.value = (v)})
#define LC_ARG_LENGTH(l) ((lc_text_arg){.length = (l)})
#define LC_ARG_WORD(s)   ((lc_text_arg){.word = (s)})
#define LC_ARG_COUNT(n)  ((lc_text_arg){.count = (n)})

/* Record an issue for the live cores of `reach`; NULL in quiet mode. `note` is ours and constant.
 */
lc_issue *lc_raise(lc_walk *walk, lc_rule rule, const lc_trail *at, lc_core_progress progress,
                   const char *note);
/* What `cores` say, with the arguments put into the places of the text. */
void lc_issue_quote(lc_walk *walk, lc_issue *issue, lc_cores cores, lc_core_text message,
                    const lc_text_arg *args, size_t count);
/* The reach after an error at which every live core stops. */
lc_core_progress lc_core_progress_after(const lc_walk *walk, lc_core_progress progress,
                                        const lc_issue *issue);

/* A part of an object or element for a walk: of a null object a null of `type`, of an unknown one
 * an unknown. */
const lc_value *lc_part(lc_walk *walk, const lc_value *whole, uint32_t slot, const lc_type *type);
/* The element of a known list or tuple, or NULL; of a known map or object by key, or NULL. */
const lc_value *lc_item(const lc_value *collection, size_t index);
const lc_value *lc_entry(const lc_value *map_or_object, lc_str key);
/* Key of the i-th entry of a known map or object. */
lc_str lc_entry_key(const lc_value *map_or_object, size_t index);
/* The i-th element's step in a collection of blocks or nested objects. */
lc_trail lc_element_trail(const lc_trail *up, const lc_value *collection, size_t index,
                          bool nested_map);
/* The path with keys where it goes through maps of blocks, which are objects where a dynamic
 * attribute is inside: as a walk of values has it, it would name no attribute of the schema. */
lc_path lc_path_by_schema(lc_arena *arena, const lc_block *block, lc_path path);
/* May the walk enter this value as an object of the block? False for what a dynamic place holds
 * instead. */
bool lc_fits_block(const lc_value *element, const lc_block *block);
/* lc_as_block and lc_as_nested. NULL: the live cores panic, which is noted in the walk and at the
 * place. */
const lc_value *lc_walk_as_block(lc_walk *walk, const lc_value *v, const lc_block *block,
                                 const lc_trail *at, lc_core_progress progress);
const lc_value *lc_walk_as_nested(lc_walk *walk, const lc_value *v, const lc_nested_type *type,
                                  const lc_trail *at, lc_core_progress progress);
/* What stands where blocks are wanted is nothing of the kind, and the cores panic counting it. */
void lc_walk_panic(lc_walk *walk, const lc_trail *at, lc_core_progress progress);
/* Is a known value of a block type's place a collection of its kind at all? */
bool lc_holds_blocks(const lc_block_type *type, const lc_value *value);

/* AssertPlanValid. `prior` NULL: no prior state. */
void lc_check_plan(lc_walk *walk, const lc_block *block, const lc_value *prior,
                   const lc_value *config, const lc_value *planned, lc_core_progress progress);
/* May a part of an object be planned so, if there was nothing before? In trial mode. */
bool lc_plan_allows_attribute(lc_walk *walk, const lc_attribute *attribute, const lc_value *config,
                              const lc_value *planned);
bool lc_plan_allows_block(lc_walk *walk, const lc_block_type *type, const lc_value *config,
                          const lc_value *planned);
/* The sets that no core looks into: plan/block-set-count, plan/set-element. */
void lc_check_plan_block_set(lc_walk *walk, const lc_block_type *type, const lc_value *prior,
                             const lc_value *config, const lc_value *planned, const lc_trail *at,
                             lc_core_progress progress);
void lc_check_plan_nested_set(lc_walk *walk, const lc_nested_type *type, const lc_value *prior,
                              const lc_value *config, const lc_value *planned, const lc_trail *at,
                              lc_core_progress progress);
/* Can core make an unknown block of the old SDK into one block of unknowns? Not with a nested
 * attribute anywhere within: its unknown would have no type, and core crashes. */
bool lc_block_has_stub(const lc_block *block);
/* How two values differ, as far as that is certain. */
lc_difference_kind lc_compare_form(lc_arena *arena, const lc_value *a, const lc_value *b);
/* Texts that mean the same: any likeness but an empty value or another order. */
bool lc_differs_in_form_only(lc_arena *arena, const lc_value *a, const lc_value *b);

/* AssertObjectCompatible. Returns the cores that found an error. */
lc_cores lc_check_compatible(lc_walk *walk, const lc_block *block, const lc_value *planned,
                             const lc_value *actual, lc_core_progress progress);
lc_cores lc_compat_block(lc_walk *walk, const lc_block *block, const lc_value *planned,
                         const lc_value *actual, const lc_trail *at, lc_core_progress progress);
lc_cores lc_compat_value(lc_walk *walk, const lc_value *planned, const lc_value *actual,
                         const lc_trail *at, lc_core_progress progress);
/* Set values (block NULL) and set blocks: coverage both ways, near-linear. */
lc_cores lc_compat_set(lc_walk *walk, const lc_block *block, const lc_value *planned,
                       const lc_value *actual, const lc_trail *at, lc_core_progress progress);

/* Does a value of this nested type hold a sensitive mark anywhere, by its flags? */
bool lc_nested_has_mark(const lc_nested_type *type, const lc_value *value);
/* Is there an explicit mark at, above or below this place? */
bool lc_sensitivity_touches(const lc_sensitivity *sensitivity, const lc_trail *at);

#endif
