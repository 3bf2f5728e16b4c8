/* Places inside values. Module value.
 *
 * Text form: '.name', '.list[0]', '.map["k"]', '.set[...].leaf', '.' for the root; in patterns also
 * '[*]' (any one index, key or element) and '.*' (any attribute). */
#ifndef LIFECHECK_PATH_H
#define LIFECHECK_PATH_H

#include "lifecheck/value.h"

typedef enum lc_step_kind {
    LC_STEP_ATTR,     /* .name */
    LC_STEP_INDEX,    /* [0] */
    LC_STEP_KEY,      /* ["k"] */
    LC_STEP_ELEMENT,  /* [...]: an element of a set; `element` is its value, or NULL for any */
    LC_STEP_ANY_KEY,  /* [*], patterns only */
    LC_STEP_ANY_ATTR, /* .*, patterns only */
} lc_step_kind;

typedef struct lc_step {
    lc_step_kind kind;
    lc_str name;             /* attribute or key */
    uint64_t index;          /* list and tuple; a key with 1 is one that the cores write as an
                                attribute step (never compared, never shown) */
    const lc_value *element; /* set */
} lc_step;

typedef struct lc_path {
    const lc_step *steps;
    size_t count;
} lc_path;

#define LC_PATH_ROOT ((lc_path){NULL, 0})

/* A path that grows and shrinks during a walk: each level lives on the walker's stack. */
typedef struct lc_trail {
    const struct lc_trail *up; /* NULL above the root's first step */
    lc_step step;
} lc_trail;

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
size_t lc_trail_depth(const lc_trail *trail);

/* The steps are copied into `arena`; names, keys and elements of sets stay borrowed. */
lc_path lc_path_from_trail(lc_arena *arena, const lc_trail *trail);
/* Names and keys are copied as well; elements of sets stay borrowed. */
lc_path lc_path_copy(lc_arena *arena, lc_path path);
/* The path up to the first set in it, which is one place; a part of `path`. */
lc_path lc_path_up_to_set(lc_path path);
/* Parse the text form. `patterns` allows [*] and .*. On failure *why is a message and *at the byte
 * offset of the trouble. */
bool lc_path_parse(lc_path *out, lc_arena *arena, lc_str text, bool patterns, lc_str *why,
                   size_t *at);
/* The text form, '.' for the root; keys are quoted as JSON strings. */
void lc_path_add_text(lc_buf *buf, lc_path path);
/* As core glues it to an address: no '.' for the root; keys quoted as Go does; an index of a
 * million and more as %g prints it. */
void lc_path_add_core(lc_buf *buf, lc_path path);
/* cty.Path{cty.GetAttrStep{Name:"a"}, ...}, as replace messages print it. */
void lc_path_add_go(lc_buf *buf, lc_path path);
/* Names bytewise, indices by number, elements canonically, shorter first. */
int lc_path_cmp(lc_path a, lc_path b);
bool lc_path_eq(lc_path a, lc_path b);
/* Does `path` match `pattern`? An element step matches any element step. */
bool lc_path_matches(lc_path path, lc_path pattern);

/* cty's Path.Apply: attribute steps need objects, keys maps, numbers lists and tuples; NULL when
 * it does not apply (null parent, missing index or key, a set). A step into an unknown gives an
 * unknown of the type that is there. */
const lc_value *lc_path_apply(lc_arena *arena, const lc_value *v, lc_path path);
/* Application with the language's rules, contract-algorithms 4.9 (hclApply); NULL where it fails.
 */
const lc_value *lc_path_apply_hcl(lc_arena *arena, const lc_value *v, lc_path path);

/* Equal paths have equal hashes. */
uint64_t lc_path_hash(lc_path path);

/* Paths as a tree of their steps. Steps into elements of a set are one step. */
typedef struct lc_path_node {
    void *item;                /* of who fills the tree */
    struct lc_table *children; /* NULL: none */
} lc_path_node;

/* The node of a path below `root`, added with what leads to it if it is not there. Names and keys
 * are copied. */
lc_path_node *lc_path_node_at(lc_arena *arena, lc_path_node *root, lc_path path);
/* NULL: none. */
const lc_path_node *lc_path_node_child(const lc_path_node *node, const lc_step *step);

#endif
