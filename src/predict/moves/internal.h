/* Moves: `moved` blocks and implied moves as statements. Everything is in the predictor's arena. */
#ifndef LC_PREDICT_MOVES_INTERNAL_H
#define LC_PREDICT_MOVES_INTERNAL_H

#include "predict/internal.h"

/* What an end of a statement addresses: a module call with all its instances, one module instance,
 * a resource with all its instances, or one resource instance. */
typedef enum lc_move_endpoint_kind {
    END_CALL,
    END_MODULE,
    END_RESOURCE,
    END_INSTANCE
} lc_move_endpoint_kind;

/* One end of a statement, as seen from the root. The first `declared` steps of the address are the
 * module that contains the statement; they match any of its instances. */
typedef struct lc_move_endpoint {
    lc_move_endpoint_kind kind;
    size_t declared;
    lc_address address; /* the steps of the declaring module have no keys */
    lc_str config;      /* text without any keys */
} lc_move_endpoint;

/* A move, explicit or implied. */
typedef struct lc_move_statement {
    lc_move_endpoint from, to;
    const lc_config_moved *block; /* NULL: implied by a change of repetition */
    lc_source_pos place;
    lc_id_list after; /* statements that must run before this one */
} lc_move_statement;

typedef struct lc_move_endpoint_list {
    LC_VEC(const lc_move_endpoint *) list;
} lc_move_endpoint_list;

/* All statements, and the order in which they run. */
typedef struct lc_moves {
    LC_VEC(lc_move_statement) list;
    uint32_t *order; /* indices in `list`; incomplete if cyclic */
    bool cyclic;
} lc_moves;

/* Reads the `moved` blocks of all modules, then adds the implied moves. */
void lc_predict_moves_read(lc_moves *out, lc_predictor *pred);
/* Computes m->order. */
void lc_predict_moves_order(lc_predictor *pred, lc_moves *m);
/* The address of an object or module after the move. False: the statement does not apply to it. */
bool lc_predict_move_destination(lc_address *out, lc_arena *arena, const lc_move_statement *s,
                                 const lc_address *address);

#endif
