/* Statements about moves. */
#ifndef LC_PLANNING_RUN_MOVES_H
#define LC_PLANNING_RUN_MOVES_H

#include "planning/run.h"

typedef enum endpoint_kind { END_CALL, END_MODULE, END_RESOURCE, END_INSTANCE } endpoint_kind;

/* One end of a statement, seen from the root. The first `declared` steps are those of the module
 * that holds the statement, in any of its instances. */
typedef struct endpoint {
    endpoint_kind kind;
    size_t declared;
    lc_address address; /* with the steps of the declaring module, without keys */
    lc_str config;      /* without keys */
} endpoint;

typedef struct statement {
    endpoint from, to;
    const lc_config_moved *block; /* NULL: implied */
    lc_place place;
    id_list after; /* statements that run first */
} statement;

typedef struct endpoint_list {
    LC_VEC(const endpoint *) list;
} endpoint_list;

typedef struct moves {
    LC_VEC(statement) list;
    uint32_t *order;
    bool cyclic;
} moves;

void lc_forecast_moves_read(moves *out, run *r);
/* The order in which they run. */
void lc_forecast_moves_order(run *r, moves *m);
/* The address that `address` has after it; modules too. False: the statement is not about it. */
bool lc_forecast_move_destination(lc_address *out, lc_arena *arena, const statement *s,
                                  const lc_address *address);

#endif
