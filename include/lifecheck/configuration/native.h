/* Bodies in the native syntax of HCL: `.tf`, `.tofu` and `.tfvars` files. Module configuration.
 * Source: HCL 2.24, hclsyntax.
 *
 * A body holds arguments and blocks by their syntax only; the reader decides which names are
 * allowed. All is allocated in the arena that is passed and borrows from the text. */
#ifndef LIFECHECK_CONFIGURATION_NATIVE_H
#define LIFECHECK_CONFIGURATION_NATIVE_H

#include "lifecheck/configuration/expression.h"

/* Bytes `from` up to, but not including `to` of the file. */
typedef struct lc_native_range {
    uint32_t from, to;
} lc_native_range;

/* `name = expr`. */
typedef struct lc_native_argument {
    lc_str name;
    lc_native_range at;  /* of the name */
    const lc_expr *expr; /* never NULL; see lc_expr_pos and lc_expr_end */
    lc_str text;         /* of the expression, as written */
    uint32_t number;     /* order of arguments and blocks in the body, from 0 */
} lc_native_argument;

/* A label of a block, quoted or not. */
typedef struct lc_native_label {
    lc_str text; /* without quotes, escapes resolved */
    lc_native_range at;
} lc_native_label;

typedef struct lc_native_body lc_native_body;

/* `type "label" ... { body }`. */
typedef struct lc_native_block {
    lc_str type;
    lc_native_range at; /* of the type */
    const lc_native_label *labels;
    size_t label_count;
    lc_native_range open, close; /* the braces; of a block without them the type */
    const lc_native_body *body;  /* never NULL */
    uint32_t number;             /* as above */
} lc_native_block;

/* Arguments and blocks, each in the order of the file. An argument that is set twice is an error,
 * and only the first one is here. */
struct lc_native_body {
    const lc_native_argument *arguments;
    size_t argument_count;
    const lc_native_block *blocks;
    size_t block_count;
    /* From the opening to the closing brace; of a block on one line its argument, of a file from
     * the first token. HCL reports a missing argument at `from`. */
    lc_native_range range;
};

/* A file, also one with errors: what was understood in spite of them is there. */
typedef struct lc_native {
    const lc_source *source;
    const lc_native_body *body;  /* never NULL */
    const lc_eval_error *errors; /* in HCL's order; NULL: none. An empty summary: a limit of ours */
} lc_native;

/* Parses source->text; sets source->native, and what positions in it need. */
void lc_native_parse(lc_native *out, lc_arena *arena, lc_source *source);
/* The position of a byte of the file. */
static inline lc_source_pos lc_native_pos(const lc_native *native, uint32_t at)
{
    return (lc_source_pos){native->source, 0, at};
}

#endif
