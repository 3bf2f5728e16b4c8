/* Expressions of the configuration language, in native and in JSON syntax: parsed once, then
 * evaluated in a scope. Module configuration. Source: runs-and-providers 5.3, HCL's expression
 * syntax and its JSON profile.
 *
 * Some things are not evaluated here: functions of providers, functions whose result is another one
 * in each run, files that lc_files refuses. They are not errors: the value is unknown and has the
 * mark LC_MARK_UNDECIDED with a reason and a position. Like other marks it spreads to everything
 * that depends on the value, and to nothing else.
 *
 * Trees and values are allocated in the arena that is passed, and are immutable. */
#ifndef LIFECHECK_CONFIGURATION_EXPRESSION_H
#define LIFECHECK_CONFIGURATION_EXPRESSION_H

#include "lifecheck/base/table.h"
#include "lifecheck/catalog/rule.h"
#include "lifecheck/configuration/files.h"
#include "lifecheck/value/value.h"
#include "lifecheck/yaml_json/node.h"

/* A position within a document. It is cheap to keep; line and column are computed on demand. */
typedef struct lc_source_pos {
    const lc_source *source; /* NULL: no position */
    uint64_t where;          /* JSON: the node's or key's `where`; native syntax: a byte offset */
    /* Byte offset from there: into the decoded text of a JSON string, or in the file. */
    uint32_t offset;
} lc_source_pos;
/* The position of a node, and a position as file, line and column. */
lc_source_pos lc_source_pos_of(const lc_source *source, const lc_node *node);
lc_loc lc_source_pos_loc(lc_source_pos place);
/* The same for many positions of one document: `lines` is the line index of place.source. */
lc_loc lc_source_pos_loc_in(const lc_lines *lines, lc_source_pos place);
/* The line of a position in native syntax, without what literals, heredocs and comments hold; the
 * text is in `arena`. Empty: no native syntax, or the line is too long. (syntax/quote.c) */
lc_quoted lc_source_pos_quote(lc_arena *arena, lc_source_pos place);

/* ---- Trees. */

/* A parsed expression; opaque outside of this module. */
typedef struct lc_expr lc_expr;

/* What a reference begins with. */
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
    LC_ROOT_BAD,       /* an incomplete reference, such as `var` or `data.x` */
} lc_root;

/* One step after the beginning of a reference: `.name` or `[expr]`. */
typedef enum lc_ref_step_kind { LC_REF_ATTR, LC_REF_INDEX } lc_ref_step_kind;

/* A step as it is written: an index may be any expression. */
typedef struct lc_ref_step {
    lc_ref_step_kind kind;
    lc_str name;          /* LC_REF_ATTR; `.0` has the name "0" */
    const lc_expr *index; /* LC_REF_INDEX, else NULL */
    /* LC_REF_INDEX with a literal string or number; else NULL */
    const lc_value *key;
    lc_source_pos place;
} lc_ref_step;

/* A reference: what it refers to and the steps from there. */
typedef struct lc_reference {
    lc_root root;
    lc_str head; /* the first name as written: "var", "terraform_data", ... */
    /* type: data, ephemeral and resources only; name: empty for self */
    lc_str type, name;
    const lc_ref_step *steps; /* the steps after type and name */
    size_t count;
    /* All steps after `head`, type and name among them. */
    const lc_ref_step *path;
    size_t path_count;
    lc_source_pos place;
    lc_str text; /* source text from the first name to the last step */
} lc_reference;

/* Why something failed. `summary` is the core's own; if it is empty, the core may well succeed and
 * only lifecheck gives up (unsupported syntax or a limit). */
typedef struct lc_eval_error lc_eval_error;
struct lc_eval_error {
    lc_str summary;
    lc_str detail;
    lc_source_pos place;
    /* The next error of the same parse or evaluation in the cores' order, in the same arena as the
     * strings; NULL: this is the last one. */
    const lc_eval_error *next;
};

/* Parses all of `text` as one expression. False: it does not parse; `trouble` has the error.
 * `place` is the position of the text's first byte. The tree borrows from `text`. */
bool lc_expr_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                   lc_eval_error *trouble);
/* The same for a bare reference with literal indices, whose first name may also be a keyword such
 * as `null`. Where the clients allow computed indices, they parse an expression. */
bool lc_traversal_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                        lc_eval_error *trouble);
/* Parses a template: text with `${...}`. A template that is one `${...}` keeps the value's type. */
bool lc_template_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                       lc_eval_error *trouble);
/* The expression of an argument's value in JSON syntax: strings and object keys are templates, at
 * any depth. */
bool lc_expr_from_node(const lc_expr **out, lc_arena *arena, const lc_source *source,
                       const lc_node *node, lc_eval_error *trouble);
/* The same for one member of a resource body, where `dynamic` may be a block; see lc_expr_block. */
bool lc_expr_from_member(const lc_expr **out, lc_arena *arena, const lc_source *source,
                         const lc_member *member, lc_eval_error *trouble);
/* A node taken literally: strings are text, not templates. Never NULL. */
const lc_expr *lc_expr_literal(lc_arena *arena, const lc_source *source, const lc_node *node);
/* An expression whose value is undecided for the given reason. */
const lc_expr *lc_expr_undecided(lc_arena *arena, lc_str reason, lc_source_pos place);
/* The same, with the expressions `about` as its parts, so that their references are found. Takes
 * the array over; drops it if the tree would become too deep. */
const lc_expr *lc_expr_undecided_about(lc_arena *arena, lc_str reason, const lc_expr *const *about,
                                       size_t count, lc_source_pos place);
/* A member of an object expression. */
typedef struct lc_expr_member {
    lc_str name;
    const lc_expr *value;
    lc_source_pos place; /* of the name; without a source: that of the value */
} lc_expr_member;
/* An object expression with the members in the order given. */
const lc_expr *lc_expr_object(lc_arena *arena, const lc_expr_member *members, size_t count,
                              lc_source_pos place);

/* Where the expression begins, and where it ends (exclusive). In JSON syntax both are known of
 * templates only; elsewhere the end is the beginning. */
lc_source_pos lc_expr_pos(const lc_expr *expr);
lc_source_pos lc_expr_end(const lc_expr *expr);
/* The position that HCL reports as the start of the expression, which for some kinds is not their
 * first character. */
lc_source_pos lc_expr_start(const lc_expr *expr);
/* True for a bare word as the key of an object constructor; lc_expr_constant is its text. */
bool lc_expr_is_bare_key(const lc_expr *expr);
/* The reference, if the expression is one and nothing else (no splat); else NULL. */
const lc_reference *lc_expr_reference(const lc_expr *expr);
/* The expression as a bare reference, if all its indices are literal; keywords such as `null` and
 * the keys of objects count as names too. Else NULL. Source: hcl.AbsTraversalForExpr. */
const lc_reference *lc_expr_as_traversal(lc_arena *arena, const lc_expr *expr);
/* The expression inside a template that is one `${...}` and nothing else; any other expression is
 * returned as it is. */
const lc_expr *lc_expr_unwrapped(const lc_expr *expr);
/* The value of a literal; NULL if anything has to be evaluated. */
const lc_value *lc_expr_constant(const lc_expr *expr);
/* True for an object constructor. */
bool lc_expr_is_object(const lc_expr *expr);
/* The key expression of member number `i` of an object, or NULL after the last one. *name is the
 * key's text if it is a literal, else empty. */
const lc_expr *lc_expr_key_at(lc_str *name, const lc_expr *object, size_t i);
/* The value of the last member `name` of an object; NULL if it has none, if `object` is not an
 * object or if a key is not a literal string. */
const lc_expr *lc_expr_member_of(const lc_expr *object, lc_str name);

/* The errors of the first template in JSON syntax within the expression that does not parse: its
 * evaluation reports them. NULL: all of them parse. */
const lc_eval_error *lc_expr_errors(const lc_expr *expr);
/* The value of member number `i` of an object; NULL after the last one. */
const lc_expr *lc_expr_value_at(const lc_expr *object, size_t i);

/* True for a tuple constructor; its items, NULL after the last one. */
bool lc_expr_is_tuple(const lc_expr *expr);
const lc_expr *lc_expr_item_at(const lc_expr *tuple, size_t i);

/* ---- Bodies. The arguments and nested blocks of a block are an object expression, with a member
 * for each in the order in which they are written. In native syntax a block is a member of its own,
 * of the kind below, so that a name may occur several times. In JSON syntax the schema decides what
 * is a block: an object or an array of objects; only `dynamic` is different, which is an object or
 * an array of objects with a member for each type, that is a block or an array of blocks. */

/* A nested block of native syntax, or a `dynamic` block of either. */
typedef struct lc_expr_block {
    lc_str type;                  /* of a dynamic block: of the blocks that it generates */
    lc_source_pos place;          /* of the type */
    const lc_expr *const *labels; /* strings; of a dynamic block the expressions in `labels` */
    size_t label_count;
    lc_source_pos labels_place; /* of `labels` */
    const lc_expr *body;        /* of a dynamic block: its `content`; NULL: missing */
    lc_source_pos inside;       /* where something missing in the block is reported */
    bool dynamic;
    /* Of a dynamic block. */
    const lc_expr *for_each; /* NULL: missing */
    lc_str iterator;         /* the name of the iterator; empty: `iterator` is not a name */
    lc_source_pos iterator_place;
    lc_source_pos second;  /* of a second `content`; no source: there is only one */
    lc_str strange;        /* a name that a dynamic block does not have, or empty */
    bool strange_is_block; /* ... of a block */
    lc_source_pos strange_place;
} lc_expr_block;
/* The block that the expression is, or NULL. Evaluated on its own, it is undecided. */
const lc_expr_block *lc_expr_block_of(const lc_expr *expr);
/* True for the body of a block of native syntax. */
bool lc_expr_is_native_body(const lc_expr *expr);

/* References of one or more expressions, which own them. */
typedef struct lc_references {
    lc_arena *arena;
    LC_VEC(const lc_reference *) list;
} lc_references;
/* Appends every reference in the expression in the order of the text. Names that a `for` declares
 * are not references, nor is the type that the function `convert` takes. */
void lc_expr_references(lc_references *out, const lc_expr *expr);
/* What else may determine the value of an expression, apart from references. */
enum {
    LC_EXPR_OWN = 1,  /* a literal, or something that is not evaluated */
    LC_EXPR_LATE = 2, /* a function whose result is not known before apply */
};
/* Bits of the above. Literal indices of a reference are part of the reference. */
unsigned lc_expr_contents(const lc_expr *expr);
/* Those that the core of the profile looks at before it evaluates anything: without what dynamic
 * blocks contain, which is evaluated only for the elements that there are; a client without
 * `convert` takes its type for a reference. */
void lc_expr_certain_references(lc_references *out, const lc_expr *expr, lc_profile profile);
/* Does the reference name a whole object, as the core of the profile requires before it evaluates
 * anything? False: `trouble` describes what is missing. */
bool lc_reference_check(const lc_reference *ref, lc_profile profile, lc_eval_error *trouble);
/* True if both are written alike, apart from white space and parentheses. */
bool lc_expr_same(const lc_expr *a, const lc_expr *b);

/* ---- Values with marks. */

/* What travels with a value through expressions, as bits. */
enum {
    LC_MARK_SENSITIVE = 1,
    LC_MARK_EPHEMERAL = 2,
    LC_MARK_UNDECIDED = 4, /* lifecheck cannot determine the value */
    /* Comes from a file, or from a sensitive output of another state: it may be used, but not be
     * shown. No client knows this mark, so it changes nothing else. */
    LC_MARK_HIDDEN = 8,
};

/* Why a value is undecided. */
typedef struct lc_undecided {
    lc_str reason; /* one line, nothing secret */
    lc_source_pos place;
} lc_undecided;

/* Marks of a value and of its elements, in the same order. NULL: no marks at all. */
typedef struct lc_marks lc_marks;
struct lc_marks {
    unsigned self; /* of the value itself */
    unsigned all;  /* union of `self` and of all elements' marks */
    /* The first reason, of the value or an element; else NULL. */
    const lc_undecided *undecided;
    /* Number of children; 0 for sets, whose elements cannot be addressed. */
    size_t count;
    const lc_marks *const *children;
};

/* A value with its marks. */
typedef struct lc_marked {
    const lc_value *value;
    const lc_marks *marks;
} lc_marked;

/* The marks of the value itself, and those of the value and everything within. */
static inline unsigned lc_marks_self(lc_marked v)
{
    return v.marks ? v.marks->self : 0;
}
/* True if all that lifecheck cannot determine about the value is unknown values of known types.
 * What fails for such a value because of its type also fails for the value that the cores have. */
bool lc_marked_type_is_sure(lc_marked v);
static inline unsigned lc_marks_all(lc_marked v)
{
    return v.marks ? v.marks->all : 0;
}
/* True if the value itself has a mark that a client knows, or if lifecheck cannot determine it. */
static inline bool lc_is_marked(lc_marked v)
{
    return lc_marks_self(v) & ~(unsigned)LC_MARK_HIDDEN;
}
/* The marks of a collection whose elements have the marks `children`; takes the array over. Returns
 * NULL if no element is marked. */
const lc_marks *lc_marks_join(lc_arena *arena, const lc_marks **children, size_t count);
/* `v` with more marks on the value itself. `undecided` is kept if there is no reason yet. */
lc_marked lc_marked_with(lc_arena *arena, lc_marked v, unsigned marks,
                         const lc_undecided *undecided);
/* `v` without some marks of the value itself; its elements keep theirs. */
lc_marked lc_marked_without(lc_arena *arena, lc_marked v, unsigned marks);
/* An unknown value of the type, without marks; in the arena. */
lc_marked lc_marked_unknown(lc_arena *arena, const lc_type *type);
/* An unknown value of unknown type with the mark LC_MARK_UNDECIDED. */
lc_marked lc_undecided_value(lc_arena *arena, lc_str reason, lc_source_pos place);
/* A deep copy into another arena; for `shared` see lc_value_copy. */
lc_marked lc_marked_copy(lc_arena *arena, lc_marked v, const lc_type *shared);
/* A reason, and a copy of one (NULL of NULL). */
const lc_undecided *lc_undecided_new(lc_arena *arena, lc_str reason, lc_source_pos place);
const lc_undecided *lc_undecided_copy(lc_arena *arena, const lc_undecided *undecided);
/* Converts the value; the marks of elements follow them where the elements are preserved. False:
 * not possible; *why has the reason, as of lc_value_convert. */
bool lc_marked_convert(lc_marked *out, lc_arena *arena, lc_marked v, const lc_type *want,
                       lc_str *why);

/* ---- Evaluation. */

/* One question of the evaluator to its scope, and the answer. */
typedef struct lc_lookup {
    lc_arena *arena;
    const lc_reference *reference;
    /* The first step, if it is an index whose value is a known, unmarked string or number; else
     * NULL. The scope may answer with just that instance (cheaper than all of them) and set
     * `took_key`. */
    const lc_value *key;
    bool took_key;
    lc_marked value;
    lc_eval_error trouble; /* set when the scope returns false */
    /* Evaluation depth; the scope passes it on, so that nested evaluation stays bounded. */
    unsigned depth;
} lc_lookup;

/* What all evaluations for one configuration may take. */
typedef struct lc_eval_budget {
    size_t steps;  /* so far */
    size_t memory; /* most bytes of values */
} lc_eval_budget;

/* Resolves references during an evaluation. */
/* A call of a function of a provider. The first members are set by the evaluator. */
typedef struct lc_provider_call {
    lc_arena *arena;
    lc_str provider, function;  /* the local name, and the name of the function */
    const lc_value **arguments; /* evaluated, not yet converted */
    size_t count;

    const lc_value *result; /* NULL: not known */
    bool failed;            /* the provider reports an error for these arguments */
    lc_str open_because;    /* why the result is not known; or empty */
} lc_provider_call;

/* What expressions are evaluated with: names, files, functions of providers. */
typedef struct lc_scope {
    void *context;
    /* Sets ask->value to the object that the reference's root, type and name denote; the evaluator
     * applies the remaining steps. False: ask->trouble has the error. */
    bool (*lookup)(void *context, lc_lookup *ask);
    /* Whose functions and errors, where the cores differ. */
    lc_profile profile;
    /* Where functions read files; NULL: nowhere, their results are undecided. */
    const lc_files *files;
    /* Is the local name of a provider declared in required_providers? Only then it may have
     * functions. NULL: none is. */
    bool (*has_provider)(void *context, lc_str name);
    /* Calls a function of a provider; NULL: results are undecided. */
    void (*call)(void *context, lc_provider_call *call);
    lc_eval_budget *budget;                 /* NULL: each evaluation has its own */
    lc_tri both_operands;                   /* as in lc_client_version */
    const struct lc_client_version *client; /* NULL: a current version */
    /* Without `lookup` names are not allowed; with this they are, and none has a value. */
    bool empty;
} lc_scope;

/* Evaluates `expr`. False: the core would report `trouble` and the errors after it, or (empty
 * summary) a limit of lifecheck is exceeded. `depth` is 0, or that of the question being answered.
 * The result is in the arena and may borrow from values that the scope returned. */
bool lc_evaluate(lc_marked *out, lc_arena *arena, const lc_expr *expr, const lc_scope *scope,
                 unsigned depth, lc_eval_error *trouble);

#endif
