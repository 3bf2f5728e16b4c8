/* Lines and columns in a large text, by offset. Module source.
 *
 * Costs one walk over the text at the first question, then next to nothing for each, cheapest in
 * order of the text. */
#ifndef LIFECHECK_TEXT_PLACES_H
#define LIFECHECK_TEXT_PLACES_H

#include "lifecheck/arena.h"
#include "lifecheck/diag.h"

typedef struct lc_text_mark {
    size_t offset;
    uint32_t line, column;
} lc_text_mark;

/* Borrows file and text; what it makes is in `arena`. */
typedef struct lc_text_places {
    lc_arena *arena;
    lc_str file, text;
    lc_text_mark *marks; /* NULL until the first question */
    lc_text_mark last;   /* the answer before */
    lc_loc all_at;       /* with a line: every place is this one */
} lc_text_places;

void lc_text_places_init(lc_text_places *places, lc_arena *arena, lc_str file, lc_str text);
/* As lc_loc_at. */
lc_loc lc_text_places_at(lc_text_places *places, size_t offset);

#endif
