/* Paths: places inside values, like cty.Path. Module value.
 *
 * Text form: '.name', '.list[0]', '.map["k"]', '.set[...].leaf', '.' for the root. Patterns also
 * have '[*]' (any index, key or element) and '.*' (any attribute). Steps and names are borrowed
 * unless the comment of a function states that it copies. */
#ifndef LIFECHECK_VALUE_PATH_H
#define LIFECHECK_VALUE_PATH_H

#include "lifecheck/value/value.h"

/* How a step is written, after the place that it begins at. */
typedef enum lc_step_kind {
    LC_STEP_ATTR,     /* .name */
    LC_STEP_INDEX,    /* [0] */
    LC_STEP_KEY,      /* ["k"] */
    LC_STEP_ELEMENT,  /* [...]: an element of a set; `element` is its value, or NULL for any */
    LC_STEP_ANY_KEY,  /* [*], patterns only */
    LC_STEP_ANY_ATTR, /* .*, patterns only */
} lc_step_kind;

/* One step of a path. Strings and elements are borrowed. */
typedef struct lc_step {
    lc_step_kind kind;
    lc_str name;    /* name of an attribute, or a key */
    uint64_t index; /* index of a list or tuple. For keys: 1 if the cores write this key as an
                       attribute step; neither compared nor shown otherwise */
    const lc_value *element; /* element of a set, or NULL */
} lc_step;

/* The steps from the root; no steps is the root itself. */
typedef struct lc_path {
    const lc_step *steps;
    size_t count;
} lc_path;

#define LC_PATH_ROOT ((lc_path){NULL, 0})

/* A path during a recursive walk: each level is a variable on the stack of the walker that points
 * to the level above. Use lc_path_from_trail to keep it. */
typedef struct lc_trail {
    const struct lc_trail *up; /* NULL above the root's first step */
    lc_step step;
} lc_trail;

/* One level below `up`, for each kind of step. */
static inline lc_trail lc_trail_attr(const lc_trail *up, lc_str name)
{
    return (lc_trail){up, {LC_STEP_ATTR, name, 0, NULL}};
}
static inline lc_trail lc_trail_index(const lc_trail *up, uint64_t index)
{
    return (lc_trail){up, {LC_STEP_INDEX, {"", 0}, index, NULL}};
}
static inline lc_trail lc_trail_key(const lc_trail *up, lc_str key)
{
    return (lc_trail){up, {LC_STEP_KEY, key, 0, NULL}};
}
static inline lc_trail lc_trail_element(const lc_trail *up, const lc_value *element)
{
    return (lc_trail){up, {LC_STEP_ELEMENT, {"", 0}, 0, element}};
}
/* How many steps it has. */
/* The place of part `i` of `v`, a known object, map, set, list or tuple. */
lc_trail lc_trail_part(const lc_trail *up, const lc_value *v, size_t i);
size_t lc_trail_depth(const lc_trail *trail);

/* The path of a trail. Steps are copied into `arena`; names, keys and elements of sets stay
 * borrowed. */
lc_path lc_path_from_trail(lc_arena *arena, const lc_trail *trail);
/* Copies a path with its names and keys; elements of sets stay borrowed. */
lc_path lc_path_copy(lc_arena *arena, lc_path path);
/* The path up to the first set in it, because a set is one place: elements have no names. Borrows
 * the steps of `path`. */
lc_path lc_path_up_to_set(lc_path path);
/* Parses the text form into `arena`. `patterns` allows [*] and .*. On failure *why is a message, a
 * constant, and *at the byte offset of the error. Names are borrowed from `text`. */
bool lc_path_parse(lc_path *out, lc_arena *arena, lc_str text, bool patterns, lc_str *why,
                   size_t *at);
/* Appends the text form; keys are quoted as JSON strings. */
void lc_path_add_text(lc_buf *buf, lc_path path);
/* Appends the path as core appends it to an address: nothing for the root; keys quoted as Go does;
 * indices of a million and more as %g prints them. */
void lc_path_add_core(lc_buf *buf, lc_path path);
/* Appends cty.Path{cty.GetAttrStep{Name:"a"}, ...}, as messages about replacement print paths. */
void lc_path_add_go(lc_buf *buf, lc_path path);
/* Order: names bytewise, indices by number, elements in a fixed order, shorter paths first. */
int lc_path_cmp(lc_path a, lc_path b);
bool lc_path_eq(lc_path a, lc_path b);
/* Is one of the paths above the other, or are they equal? */
bool lc_path_overlaps(lc_path a, lc_path b);
/* Does `path` match `pattern`? An element step matches every element step. */
bool lc_path_matches(lc_path path, lc_path pattern);

/* cty's Path.Apply: attribute steps need objects, keys maps, numbers lists or tuples. NULL if the
 * path does not apply (null parent, missing index or key, a set). A step into an unknown gives an
 * unknown of the part's type. The result is part of `v`, or in `arena`. */
const lc_value *lc_path_apply(lc_arena *arena, const lc_value *v, lc_path path);
/* The same with the rules of the configuration language, contract-algorithms 4.9 (hclApply); NULL
 * where it fails. */
const lc_value *lc_path_apply_hcl(lc_arena *arena, const lc_value *v, lc_path path);

/* Equal paths have equal hashes. */
uint64_t lc_path_hash(lc_path path);

/* A set of paths as a tree of their steps. All steps into elements of sets are one step. */
typedef struct lc_path_node {
    void *item;                /* free for the user of the tree */
    struct lc_table *children; /* NULL: none */
} lc_path_node;

/* The node of a path below `root`; missing nodes are added in `arena`. Names and keys are copied.
 * Initialise `root` with zeros. */
lc_path_node *lc_path_node_at(lc_arena *arena, lc_path_node *root, lc_path path);
/* The node one step below; NULL if it does not exist. */
const lc_path_node *lc_path_node_child(const lc_path_node *node, const lc_step *step);

#endif
