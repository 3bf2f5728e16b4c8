/* Answers to recorded expressions: what each client gets for the expression of a line. */
#ifndef LC_S_VECTORS_EXPRESSIONS_H
#define LC_S_VECTORS_EXPRESSIONS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/configuration/scope.h"

/* The clients, by the names that recorded lines have for them. */
typedef struct vectors_client {
    const char *name;
    lc_profile profile;
} vectors_client;
extern const vectors_client vectors_clients[2];

/* A module with the variables of a line, to evaluate in. */
typedef struct vectors_scope {
    lc_configuration config;
    lc_eval_context context;
    lc_module_scope *scope;
} vectors_scope;
/* `line` has the members `vars`, `files` and `files_base64`, each optional. */
void vectors_scope_make(vectors_scope *out, lc_arena *arena, lc_profile profile,
                        const lc_node *line);

/* What a client makes of an expression. */
typedef struct vectors_result {
    bool ok;
    lc_marked value;       /* if `ok` */
    lc_eval_error trouble; /* otherwise */
} vectors_result;
vectors_result vectors_evaluate(lc_arena *arena, const vectors_scope *scope, const lc_expr *expr);
vectors_result vectors_evaluate_text(lc_arena *arena, const vectors_scope *scope, lc_str text);
/* Why lifecheck itself has no answer; an empty text: it has one. */
lc_str vectors_undecided(const vectors_result *result);
/* Appends an object: the value, or its errors. `back`: columns of line 1 before the text. */
void vectors_result_write(lc_buf *out, const vectors_result *result, uint32_t back);

/* Append `,"ot":...,"tf":...`, or `,"skipped":REASON`, for a parsed line. */
void vectors_expression_answer(lc_buf *out, lc_arena *arena, const lc_node *line);

#endif
