/* Lines and columns in a large text, by offset. Module yaml_json.
 *
 * The first look-up scans the text once; then each costs little, least in the order of the text. */
#ifndef LIFECHECK_YAML_JSON_TEXT_PLACES_H
#define LIFECHECK_YAML_JSON_TEXT_PLACES_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/diag.h"

/* A position with its line and column. */
typedef struct lc_text_mark {
    size_t offset;
    uint32_t line, column;
} lc_text_mark;

/* File and text are borrowed; marks live in `arena`. */
typedef struct lc_text_places {
    lc_arena *arena;
    lc_str file, text;
    lc_text_mark *marks; /* NULL until the first look-up */
    lc_text_mark last;   /* the previous result */
    lc_loc all_at;       /* if it has a line, every look-up gives this location */
} lc_text_places;

/* Prepares look-ups in `text`, which must be UTF-8. */
void lc_text_places_init(lc_text_places *places, lc_arena *arena, lc_str file, lc_str text);
/* The location of an offset, as lc_loc_at. */
lc_loc lc_text_places_at(lc_text_places *places, size_t offset);

#endif
