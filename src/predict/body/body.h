/* Decoding bodies of blocks: body.c attributes, blocks.c blocks. */
#ifndef LC_PREDICT_BODY_H
#define LC_PREDICT_BODY_H

#include "predict/internal.h"

/* The state of decoding one body. */
typedef struct lc_body_decoder {
    const lc_eval_scope *scope;
    lc_arena *arena;
    /* The instance of the block, with the iterators of the dynamic blocks around. */
    lc_repetition instance;
    lc_source_pos place; /* of the argument being decoded */
    bool native;         /* the body being decoded is in native syntax */
    bool form_only;      /* nothing is evaluated */
    size_t blocks;       /* made by dynamic blocks so far */
    /* Errors: the first is in *trouble. */
    lc_eval_error *trouble, *last;
    bool failed;
    /* Required attributes that are null, as errors. */
    LC_VEC(lc_eval_error) nulls;
} lc_body_decoder;

/* Appends an error. */
void lc_body_complain(lc_body_decoder *d, const char *summary, lc_str detail, lc_source_pos place);
/* Appends required attributes that are null, if there is no other error. */
void lc_body_complain_of_nulls(lc_body_decoder *d);
/* False: the errors are appended. */
bool lc_body_evaluate(lc_marked *out, lc_body_decoder *d, const lc_expr *expr);

lc_marked lc_body_null(lc_body_decoder *d, const lc_type *type);
/* An unknown value with all of the marks, which may be NULL. */
lc_marked lc_body_unknown(lc_body_decoder *d, const lc_type *type, const lc_marks *marks);
/* The value of an attribute that is given; unknown if there is something wrong with it. */
lc_marked lc_body_attribute(lc_body_decoder *d, const lc_expr *expr, const lc_attribute *a);
/* The blocks of a type that is not single. `names`: their labels, or NULL. */
lc_marked lc_body_collect(lc_body_decoder *d, const lc_block_type *type, lc_marked *items,
                          const lc_str *names, size_t count);

#endif
