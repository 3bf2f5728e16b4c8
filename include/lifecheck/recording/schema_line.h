/* The line of a schema call, taken apart: a provider with thousands of types says them in one line,
 * of which nodes would need many times the memory. */
#ifndef LIFECHECK_RECORDING_SCHEMA_LINE_H
#define LIFECHECK_RECORDING_SCHEMA_LINE_H

#include "lifecheck/recording/recording.h"

/* Shorter lines are read as they are. */
#define LC_SCHEMA_LINE_LONG ((size_t)256 << 10)

typedef struct lc_schema_piece {
    lc_str group; /* "resource_schemas", ... as written */
    lc_str name;  /* JSON, with its quotes */
    lc_str value; /* JSON */
} lc_schema_piece;

typedef struct lc_schema_line {
    lc_limits limits; /* that each piece is parsed with */
    lc_buf rest;      /* the line without what the groups hold; released by the caller */
    LC_VEC(lc_schema_piece) pieces;
} lc_schema_line;

/* False: it is not the line of a schema call, or something about it is odd; it is read as other
 * lines are, which says what. Pieces are borrowed from `line`. */
bool lc_schema_line_split(lc_schema_line *out, lc_arena *arena, lc_str line,
                          const lc_limits *limits);

#endif
