/* The walk down nodes and schema together, shared by the files that read values. */
#ifndef LC_SCENARIO_WALK_H
#define LC_SCENARIO_WALK_H

#include "scenario/internal.h"

/* What may stand at a place: a type, the object of a block, or all nested blocks of one type. */
typedef struct lc_value_shape {
    const lc_type *type;
    const lc_block *block;     /* an object of this block, or NULL */
    const lc_block_type *many; /* all nested blocks of one type, or NULL */
} lc_value_shape;

typedef struct lc_value_walk {
    lc_value_reader *reader;
    const lc_block *block; /* of the root, for the schema's sensitive flags; may be NULL */
    lc_field *field;
    lc_places *places;
    const lc_trail *secret; /* nearest enclosing place marked sensitive */
    bool in_secret;
    bool undecodable;
    bool raw;
    size_t depth;
} lc_value_walk;

static inline lc_value_shape shape_of(const lc_type *type)
{
    return (lc_value_shape){type, NULL, NULL};
}

/* The value of `node`, with its markers; without looking for a marker of its own. */
void lc_walk_node(lc_value_walk *w, lc_value *slot, const lc_node *node, lc_value_shape want,
                  const lc_trail *trail);
void lc_walk_plain(lc_value_walk *w, lc_value *slot, const lc_node *node, lc_value_shape want,
                   const lc_trail *trail);
/* The value of a marked node. */
void lc_walk_marked(lc_value_walk *w, lc_value *slot, lc_marker marker, const lc_node *node,
                    const lc_node *content, lc_value_shape want, const lc_trail *trail);

/* The place as text in quotes, no further than the first sensitive one; *hidden says that what
 * stands there is not to be named. */
lc_str lc_walk_place(const lc_value_walk *w, const lc_trail *trail, bool *hidden);
lc_str lc_walk_type(const lc_value_walk *w, const lc_type *type);
void lc_walk_report(lc_value_walk *w, const lc_node *node, const lc_trail *trail, const char *what);
/* A text that its author may have meant as an unknown value is noted. */
void lc_walk_note_text(lc_value_walk *w, const lc_node *node, const lc_trail *trail);
/* Reports, and leaves a null in the slot. */
void lc_walk_wrong_type(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                        const lc_trail *trail);
void lc_walk_unknown_name(lc_value_walk *w, const lc_member *member, const lc_type *object,
                          const lc_trail *trail);
/* The field is evidence of a value that is none of the type. The first problem is kept. */
void lc_walk_undecodable(lc_value_walk *w, const lc_trail *trail, lc_wire_problem problem,
                         lc_path below);
/* Room for `count` more values. False: the limit is reached, reported once. */
bool lc_walk_take(lc_value_walk *w, const lc_node *node, size_t count);

#endif
