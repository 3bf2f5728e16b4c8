/* The walk down value nodes and schema together: what values.c, marked.c and walk.c share. */
#ifndef LC_SCENARIO_WALK_H
#define LC_SCENARIO_WALK_H

#include "scenario/internal.h"

/* What is expected at a place: a value of a type, the object of a block, or all nested blocks of
 * one type. `type` is always set. */
typedef struct lc_value_shape {
    const lc_type *type;
    const lc_block *block;     /* an object of this block, or NULL */
    const lc_block_type *many; /* all nested blocks of one type, or NULL */
} lc_value_shape;

/* One field that is being read. */
typedef struct lc_value_walk {
    lc_value_reader *reader;
    const lc_block *block; /* of the root, for its sensitive attributes; may be NULL */
    lc_field *field;
    lc_places *places;
    const lc_trail *secret; /* outermost enclosing place marked sensitive, while in_secret */
    bool in_secret;
    bool undecodable; /* the field is evidence of a value that does not fit the type */
    bool raw;         /* raw state, where few markers are allowed */
    size_t depth;     /* of nodes, bounded by limits.depth */
} lc_value_walk;

static inline lc_value_shape shape_of(const lc_type *type)
{
    return (lc_value_shape){type, NULL, NULL};
}

/* Reads `node` into `slot` with its markers. lc_walk_plain does not look for a marker on the node
 * itself. Errors are reported, and the slot becomes null. */
void lc_walk_node(lc_value_walk *w, lc_value *slot, const lc_node *node, lc_value_shape want,
                  const lc_trail *trail);
void lc_walk_plain(lc_value_walk *w, lc_value *slot, const lc_node *node, lc_value_shape want,
                   const lc_trail *trail);
/* Reads a node that is marked; `content` is what the marker applies to. */
void lc_walk_marked(lc_value_walk *w, lc_value *slot, lc_marker marker, const lc_node *node,
                    const lc_node *content, lc_value_shape want, const lc_trail *trail);

/* The path as text in quotes, cut at the first sensitive place. *hidden: it was cut there or is
 * sensitive, so nothing about the value may be named. */
lc_str lc_walk_place(const lc_value_walk *w, const lc_trail *trail, bool *hidden);
lc_str lc_walk_type(const lc_value_walk *w, const lc_type *type);
void lc_walk_report(lc_value_walk *w, const lc_node *node, const lc_trail *trail, const char *what);
/* Notes a string that its author may have meant as an unknown value (a lint). */
void lc_walk_note_text(lc_value_walk *w, const lc_node *node, const lc_trail *trail);
/* Reports a wrong type, and sets the slot to null. */
void lc_walk_wrong_type(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                        const lc_trail *trail);
void lc_walk_unknown_name(lc_value_walk *w, const lc_member *member, const lc_type *object,
                          const lc_trail *trail);
/* Makes the field undecodable. `below` is the path inside encoded bytes. Keeps the first problem.
 */
void lc_walk_undecodable(lc_value_walk *w, const lc_trail *trail, lc_wire_problem problem,
                         lc_path below);
/* Counts `count` more values. False: the limit is reached, which is reported once. */
bool lc_walk_take(lc_value_walk *w, const lc_node *node, size_t count);

#endif
