/* Expressions of the configuration language as they stand in JSON configurations, parsed once and
 * evaluated in a scope. Module configuration. Source: runs-and-providers 5.3, HCL's expression syntax
 * and its JSON profile.
 *
 * What is not evaluated here (functions that are not built in, files, directives of templates) is
 * no error: the value is unknown and bears a doubt, which says why and where. A doubt spreads like
 * a mark, to what depends on it and to nothing else. */
#ifndef LIFECHECK_EXPRESSION_H
#define LIFECHECK_EXPRESSION_H

#include "lifecheck/node.h"
#include "lifecheck/table.h"
#include "lifecheck/value.h"

/* A place within a document, told as line and column when somebody asks. */
typedef struct lc_source_pos {
    const lc_source *source; /* NULL: nowhere */
    uint64_t where;          /* of a node or key */
    uint32_t offset;         /* bytes into the decoded text of a string */
} lc_source_pos;
lc_source_pos lc_source_pos_of(const lc_source *source, const lc_node *node);
lc_loc lc_source_pos_loc(lc_source_pos place);
/* The same for many places: `lines` is of the place's source. */
lc_loc lc_source_pos_loc_in(const lc_lines *lines, lc_source_pos place);

/* ---- Trees. */

typedef struct lc_expr lc_expr;

typedef enum lc_root {
    LC_ROOT_VARIABLE,  /* var.NAME */
    LC_ROOT_LOCAL,     /* local.NAME */
    LC_ROOT_EACH,      /* each.NAME */
    LC_ROOT_COUNT,     /* count.NAME */
    LC_ROOT_SELF,      /* self: no name */
    LC_ROOT_PATH,      /* path.NAME */
    LC_ROOT_TERRAFORM, /* terraform.NAME, tofu.NAME */
    LC_ROOT_MODULE,    /* module.NAME */
    LC_ROOT_DATA,      /* data.TYPE.NAME */
    LC_ROOT_EPHEMERAL, /* ephemeral.TYPE.NAME */
    LC_ROOT_RESOURCE,  /* TYPE.NAME */
    LC_ROOT_BAD,       /* a name that is followed by too little, or by no attribute */
} lc_root;

typedef enum lc_ref_step_kind { LC_REF_ATTR, LC_REF_INDEX } lc_ref_step_kind;

typedef struct lc_ref_step {
    lc_ref_step_kind kind;
    lc_str name;          /* LC_REF_ATTR; `.0` has the name "0" */
    const lc_expr *index; /* LC_REF_INDEX */
    const lc_value *key;  /* LC_REF_INDEX: a text or a number that is written there; else NULL */
    lc_source_pos place;
} lc_ref_step;

typedef struct lc_reference {
    lc_root root;
    lc_str head;              /* the first name as written: "var", "terraform_data", ... */
    lc_str type, name;        /* what the root has of them */
    const lc_ref_step *steps; /* after these */
    size_t count;
    const lc_ref_step *path; /* all after the first name */
    size_t path_count;
    lc_source_pos place;
    lc_str text; /* as written, from the first name to the last step */
} lc_reference;

/* What stops the core, in its words, or (an empty summary) stops us. */
typedef struct lc_eval_error {
    lc_str summary;
    lc_str detail;
    lc_source_pos place;
} lc_eval_error;

/* The expression in `text`, whole. False: it is none; see `trouble`. */
bool lc_expr_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                   lc_eval_error *trouble);
/* The same of a bare reference, which may begin with any name, `null` too. */
bool lc_traversal_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                        lc_eval_error *trouble);
/* A template: text with `${...}`. One `${...}` alone keeps the type of its value. */
bool lc_template_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                       lc_eval_error *trouble);
/* A node as the value of an argument: strings are templates, also as keys; at any depth. */
bool lc_expr_from_node(const lc_expr **out, lc_arena *arena, const lc_source *source,
                       const lc_node *node, lc_eval_error *trouble);
/* The same of a body's argument or block of that name: what stands below `dynamic` is not
 * evaluated, only its references are known. */
bool lc_expr_from_member(const lc_expr **out, lc_arena *arena, const lc_source *source,
                         const lc_member *member, lc_eval_error *trouble);
/* A node as it stands: strings are text. */
const lc_expr *lc_expr_literal(lc_arena *arena, const lc_source *source, const lc_node *node);
/* Nothing that we evaluate, and why. */
const lc_expr *lc_expr_undecided(lc_arena *arena, lc_str reason, lc_source_pos place);
/* The same of an expression that is not there, only what it refers to. `about` is taken over. */
const lc_expr *lc_expr_doubt_about(lc_arena *arena, lc_str reason, const lc_expr *const *about,
                                   size_t count, lc_source_pos place);
/* An object of arguments, by name. `values` is taken over. */
typedef struct lc_expr_member {
    lc_str name;
    const lc_expr *value;
} lc_expr_member;
const lc_expr *lc_expr_object(lc_arena *arena, const lc_expr_member *members, size_t count,
                              lc_source_pos place);

/* Where it is written. */
lc_source_pos lc_expr_pos(const lc_expr *expr);
/* The reference that the expression is and nothing else (no splat), or NULL. */
const lc_reference *lc_expr_reference(const lc_expr *expr);
/* A value that is written there, without anything to evaluate, or NULL. */
const lc_value *lc_expr_constant(const lc_expr *expr);
bool lc_expr_is_object(const lc_expr *expr);
/* The key of the member at `i` of an object expression, or NULL after the last one; *name is its
 * text where that is written there, else empty. */
const lc_expr *lc_expr_key_at(lc_str *name, const lc_expr *object, size_t i);
/* The argument `name` of an object expression whose keys are all plain text; else NULL. */
const lc_expr *lc_expr_member_of(const lc_expr *object, lc_str name);

typedef struct lc_references {
    lc_arena *arena;
    LC_VEC(const lc_reference *) list;
} lc_references;
/* Every reference within, in order of the text. Names that `for` gives are none. */
void lc_expr_references(lc_references *out, const lc_expr *expr);
/* Are they the same as they are written, white space and parentheses aside? */
bool lc_expr_same(const lc_expr *a, const lc_expr *b);

/* ---- Values with marks. */

enum {
    LC_MARK_SENSITIVE = 1,
    LC_MARK_EPHEMERAL = 2,
    LC_MARK_UNDECIDED = 4, /* we cannot tell */
};

typedef struct lc_undecided {
    lc_str reason; /* one line, nothing secret */
    lc_source_pos place;
} lc_undecided;

/* Marks of a value and, in the order of its elements, of what is within. NULL: none. */
typedef struct lc_marks lc_marks;
struct lc_marks {
    unsigned self;                 /* of the value itself */
    unsigned all;                  /* and of everything within */
    const lc_undecided *undecided; /* the first, here or within */
    size_t count;                  /* of children; sets have none */
    const lc_marks *const *children;
};

typedef struct lc_marked {
    const lc_value *value;
    const lc_marks *marks;
} lc_marked;

static inline unsigned lc_marks_self(lc_marked v)
{
    return v.marks ? v.marks->self : 0;
}
static inline unsigned lc_marks_all(lc_marked v)
{
    return v.marks ? v.marks->all : 0;
}
/* Marks of a whole of which `children` are the parts; takes the array over. NULL: none. */
const lc_marks *lc_marks_join(lc_arena *arena, const lc_marks **children, size_t count);
/* With more marks on the value itself. */
lc_marked lc_marked_with(lc_arena *arena, lc_marked v, unsigned marks,
                         const lc_undecided *undecided);
/* An unknown of which nothing is said but why. */
lc_marked lc_undecided_value(lc_arena *arena, lc_str reason, lc_source_pos place);
/* The same in another arena; of the value see lc_value_copy. */
lc_marked lc_marked_copy(lc_arena *arena, lc_marked v, const lc_type *shared);
const lc_undecided *lc_doubt_new(lc_arena *arena, lc_str reason, lc_source_pos place);
const lc_undecided *lc_undecided_copy(lc_arena *arena, const lc_undecided *undecided);
/* Conversion; marks follow. False: `why`, as lc_value_convert. */
bool lc_marked_convert(lc_marked *out, lc_arena *arena, lc_marked v, const lc_type *want,
                       lc_str *why);

/* ---- Evaluation. */

/* One question of the evaluator, and its answer. */
typedef struct lc_lookup {
    lc_arena *arena;
    const lc_reference *reference;
    /* The first step, if it is an index whose value is known, unmarked, and text or number. The
     * scope may answer with the instance of that key and set `took_key`. */
    const lc_value *key;
    bool took_key;
    lc_marked value;
    lc_eval_error trouble; /* where the answer is false */
    unsigned depth;        /* of evaluation; goes on in what the scope evaluates */
} lc_lookup;

typedef struct lc_scope {
    void *context;
    /* What the root with its name stands for; steps are applied by the evaluator. */
    bool (*lookup)(void *context, lc_lookup *ask);
} lc_scope;

/* The value of `expr`. False: the core would stop, or (empty summary) the value is beyond our
 * bounds. `depth` is 0, or that of the question that is being answered. */
bool lc_evaluate(lc_marked *out, lc_arena *arena, const lc_expr *expr, const lc_scope *scope,
                 unsigned depth, lc_eval_error *trouble);

#endif
