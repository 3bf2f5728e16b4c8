/* What the walks over values share: issues, and how far each core has come.
 *
 * One walk serves both cores. An lc_core_progress holds, for the point that the walk has reached,
 * the cores that get there (`live`) and those that have returned before it with an error
 * (`masked`). A core that has returned without an error, because it accepts the value, is in
 * neither set. An issue that is raised while no core is live is still a violation. It is recorded
 * nevertheless: as masked if a core stopped before it, or else as something that no core checks.
 *
 * Parameters have the same names everywhere: `at` is the trail of the value, NULL for the root; `n`
 * is the planned value, `c` the configuration, `p` the prior state, `a` the actual (new) value.
 * Values and schemas are borrowed; what the walk makes is in `walk->arena`. */
#ifndef LC_CONTRACT_WALK_WALK_H
#define LC_CONTRACT_WALK_WALK_H

#include "contract/diff/key_forms.h"
#include "contract/sensitivity.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/contract/case.h"
#include "lifecheck/contract/contract.h"

/* One violation inside values, before it becomes a finding. It lives in the walk's arena.
 * `text[core]` is what the core prints after the path, `template[core]` the same before the values
 * were put in; both are empty for a core that prints nothing. */
typedef struct lc_issue {
    lc_rule rule;
    lc_path path;
    lc_cores cores;   /* the cores that report it */
    lc_cores masked;  /* cores that would report it, but have stopped before */
    lc_cores crash;   /* cores that crash on it */
    lc_cores inexact; /* a secret was replaced in that core's text */
    lc_cores
        collapsed; /* cores that report an earlier issue of the same sensitive attribute instead */
    lc_path core_path[LC_CORE_COUNT]; /* the path that the core prints */
    lc_str template[LC_CORE_COUNT];
    lc_str text[LC_CORE_COUNT];
    lc_str note;       /* our own words, for the finding's message */
    long follows;      /* index of the issue without which this one would not exist, or -1 */
    unsigned tf_since; /* the first version 1.x of Terraform that reports it; 0: as the rule */
    bool unproven;     /* by another reading there may be no violation */
    bool of_key;       /* about one key of a map; if another key is the same one in another form: */
    lc_str key_form;   /* both, for a reader; else empty */
} lc_issue;

typedef struct lc_core_progress {
    lc_cores live;
    lc_cores masked;
    long follows;
    size_t tf_from; /* Terraform's paths begin at this step, without the steps before */
} lc_core_progress;

#define LC_PROGRESS_ALL ((lc_core_progress){LC_BOTH_CORES, LC_NO_CORE, -1, 0})

typedef struct lc_walk {
    lc_arena *arena; /* for issues and intermediate values */
    LC_VEC(lc_issue) issues;
    bool quiet;  /* only find out which cores have an error; nothing is recorded */
    bool marked; /* compatibility: both values carry the marks of sensitive attributes, also of
                    nested ones, so that errors below a mark collapse into one */
    const lc_sensitivity *sensitivity; /* for strings and collapsing, or NULL: nothing is secret */
    bool final;       /* compatibility: raise rules of the family final/, else apply/ */
    lc_cores crashed; /* cores that crashed somewhere: they report nothing else */
    size_t pairs;     /* pairs of set elements that were compared, for the limits */
    bool trial;       /* quiet, but rules that no core checks (about sets) count as well */
    bool undecided;   /* the limit was reached in such a set */
    size_t raised;    /* quiet mode: how many issues would have been recorded */
    bool gave_up;     /* the limit was reached: some set was not compared to the end */
    lc_buf text;      /* for messages; reused, outside the arena */
} lc_walk;

/* Free the text buffer, the only thing that a walk holds outside its arena. */
void lc_walk_release(lc_walk *walk);

/* A value, length, word or count that replaces %v, %s, %q or %d in a core's template. One member is
 * set; pointers are borrowed for the call. */
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

/* Record an issue with the live and masked cores of `progress`. `note` is its message in our words,
 * a constant. The issue belongs to the walk and is valid until the next one is raised; NULL in
 * quiet mode. */
lc_issue *lc_raise(lc_walk *walk, lc_rule rule, const lc_trail *at, lc_core_progress progress,
                   const char *note);
/* Set what `cores` print for an issue: the template with `args` put into its places, secrets
 * replaced. `issue` may be NULL (quiet mode): nothing happens. */
void lc_issue_quote(lc_walk *walk, lc_issue *issue, lc_cores cores, lc_core_text message,
                    const lc_text_arg *args, size_t count);
/* The progress after an error at which every live core stops: they become masked, and what is found
 * later follows from `issue` (NULL in quiet mode). */
lc_core_progress lc_core_progress_after(const lc_walk *walk, lc_core_progress progress,
                                        const lc_issue *issue);

/* The attribute or block at `slot` of an object: of a null object a null of `type`, of an unknown
 * object an unknown. Borrowed from `whole`, or new in the walk's arena; never NULL. */
const lc_value *lc_part(lc_walk *walk, const lc_value *whole, uint32_t slot, const lc_type *type);
/* Issues about keys of two maps that differ. Zero-initialise it for each pair of maps. */
typedef struct lc_key_issues {
    bool asked, any; /* are some of the keys the same in another form? */
    lc_key_forms forms;
    long *issue; /* by index in `promised`: the first issue about it, or -1 */
} lc_key_issues;
/* The last issue that was raised is about the key `index`: of `promised`, which the other map has
 * `lost`, or else of `broken`. If both are one key in another form, the issue about the new form
 * follows from that about the lost one. */
void lc_issue_of_key(lc_walk *walk, lc_key_issues *keys, const lc_value *promised,
                     const lc_value *broken, bool lost, size_t index);

/* The element of a list or tuple, borrowed; NULL if the value is NULL or not known, is something
 * else, or has no such index. */
const lc_value *lc_item(const lc_value *collection, size_t index);
/* The same of a map or object by key; NULL if it has none. */
const lc_value *lc_entry(const lc_value *map_or_object, lc_str key);
/* Key of the i-th entry of a known map or object, borrowed. `index` must be in range. */
lc_str lc_entry_key(const lc_value *map_or_object, size_t index);
/* The step to the i-th element of a known collection. `nested_map`: the cores write the key of a
 * map as an attribute step, as they do for maps of nested attributes. */
lc_trail lc_element_trail(const lc_trail *up, const lc_value *collection, size_t index,
                          bool nested_map);
/* The path with key steps for the keys of map blocks. Where a dynamic attribute is inside, the map
 * is an object and the walk has attribute steps for its keys, which would name no attribute of the
 * schema. The steps are borrowed from `path` or copied into `arena`. */
lc_path lc_path_by_schema(lc_arena *arena, const lc_block *block, lc_path path);
/* May the walk enter this value as an object of the block? True for null and unknown; false where a
 * block with a dynamic attribute inside holds a value of another shape. */
bool lc_fits_block(const lc_value *element, const lc_block *block);
/* lc_as_block and lc_as_nested (rebuild.h) for a walk. NULL: the live cores panic on the shape;
 * this has been noted in the walk, and as an issue unless the walk is quiet. */
const lc_value *lc_walk_as_block(lc_walk *walk, const lc_value *v, const lc_block *block,
                                 const lc_trail *at, lc_core_progress progress);
const lc_value *lc_walk_as_nested(lc_walk *walk, const lc_value *v, const lc_nested_type *type,
                                  const lc_trail *at, lc_core_progress progress);
/* Note that the live cores panic because a value is not a collection of blocks or nested objects.
 */
void lc_walk_panic(lc_walk *walk, const lc_trail *at, lc_core_progress progress);
/* Can the value be entered as a collection (or object) of this block type? True unless it is known
 * and of another kind. */
bool lc_holds_blocks(const lc_block_type *type, const lc_value *value);

/* AssertPlanValid of both cores (plan_check.c). `prior` NULL: no prior state. */
void lc_check_plan(lc_walk *walk, const lc_block *block, const lc_value *prior,
                   const lc_value *config, const lc_value *planned, lc_core_progress progress);
/* Would the plan of one attribute or block type be valid if there was no prior state? For set
 * elements, whose prior element is not known. `walk` has to be fresh and in trial mode. */
bool lc_plan_allows_attribute(lc_walk *walk, const lc_attribute *attribute, const lc_value *config,
                              const lc_value *planned);
bool lc_plan_allows_block(lc_walk *walk, const lc_block_type *type, const lc_value *config,
                          const lc_value *planned);
/* The sets that no core checks (plan_set.c). They raise plan/block-set-count and plan/set-element.
 * `prior` may be NULL; the planned set is known. */
void lc_check_plan_block_set(lc_walk *walk, const lc_block_type *type, const lc_value *prior,
                             const lc_value *config, const lc_value *planned, const lc_trail *at,
                             lc_core_progress progress);
void lc_check_plan_nested_set(lc_walk *walk, const lc_nested_type *type, const lc_value *prior,
                              const lc_value *config, const lc_value *planned, const lc_trail *at,
                              lc_core_progress progress);
/* Can the cores replace an unknown block by a block of unknowns when they normalize a result of the
 * old SDK? Not if there is a nested attribute anywhere inside: the unknown would have no type, and
 * they crash. */
bool lc_block_has_stub(const lc_block *block);
/* How two values differ, where a detector is certain; LC_UNLIKE otherwise (diff/value_diff.c). */
lc_difference_kind lc_compare_form(lc_arena *arena, const lc_value *a, const lc_value *b);
/* Do the two values differ in form only? True for what lc_compare_form distinguishes, except for an
 * empty value and for another order. */
bool lc_differs_in_form_only(lc_arena *arena, const lc_value *a, const lc_value *b);

/* AssertObjectCompatible of both cores (compat.c), for an object, and for parts of one. All three
 * return the live cores that found an error. */
lc_cores lc_check_compatible(lc_walk *walk, const lc_block *block, const lc_value *planned,
                             const lc_value *actual, lc_core_progress progress);
lc_cores lc_compat_block(lc_walk *walk, const lc_block *block, const lc_value *planned,
                         const lc_value *actual, const lc_trail *at, lc_core_progress progress);
lc_cores lc_compat_value(lc_walk *walk, const lc_value *planned, const lc_value *actual,
                         const lc_trail *at, lc_core_progress progress);
/* Set values (`block` NULL) and set blocks (compat_set.c): each element must have a compatible one
 * on the other side. Near-linear. Both sets are known. */
lc_cores lc_compat_set(lc_walk *walk, const lc_block *block, const lc_value *planned,
                       const lc_value *actual, const lc_trail *at, lc_core_progress progress);

/* Does a known value of this nested type hold an attribute with the sensitive flag? Null and
 * unknown collections carry no marks. */
bool lc_nested_has_mark(const lc_nested_type *type, const lc_value *value);
/* Is there an explicit mark (not a schema flag) at, above or below this place? */
bool lc_sensitivity_touches(const lc_sensitivity *sensitivity, const lc_trail *at);

#endif
