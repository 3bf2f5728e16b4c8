/* The line of a schema call, split into its parts: a provider with thousands of types returns them
 * in one line, and nodes of that line would need many times the memory. */
#ifndef LIFECHECK_RECORDING_SCHEMA_LINE_H
#define LIFECHECK_RECORDING_SCHEMA_LINE_H

#include "lifecheck/recording/recording.h"

/* Shorter lines are read as they are. */
#define LC_SCHEMA_LINE_LONG ((size_t)256 << 10)

/* The schema of one type in the line. */
typedef struct lc_schema_piece {
    lc_str group; /* "resource_schemas", ... as written */
    lc_str name;  /* JSON, with its quotes */
    lc_str value; /* JSON */
} lc_schema_piece;

/* A line that is too long to be read as a whole, in pieces. */
typedef struct lc_schema_line {
    lc_limits limits; /* that each piece is parsed with */
    lc_buf rest;      /* the line without what the groups hold; released by the caller */
    LC_VEC(lc_schema_piece) pieces;
} lc_schema_line;

/* False: it is not the line of a schema call, or something about it is odd; then it is read as
 * other lines are, which reports the problem. Pieces are borrowed from `line`. */
bool lc_schema_line_split(lc_schema_line *out, lc_arena *arena, lc_str line,
                          const lc_limits *limits);

#endif
