/* The JSON documents that the Cloud Control provider and the service exchange: desired state, JSON
 * Patch (RFC 6902) and current state. Module cloudformation. Source: the resource behavior
 * document, sections "Create", "Read" and "Update", and cloudformation.md 8.
 *
 * Documents may be changed; they share parts, and live in the arena they were made in. Absent is a
 * NULL pointer. */
#ifndef LIFECHECK_CLOUDCONTROL_H
#define LIFECHECK_CLOUDCONTROL_H

#include "lifecheck/cloudformation.h"
#include "lifecheck/enum.h"

typedef struct lc_cfn_doc lc_cfn_doc;
struct lc_cfn_doc {
    lc_node_kind kind;
    bool boolean;
    bool secret; /* not to be shown */
    lc_str text; /* strings: decoded; numbers: the literal */
    LC_VEC(lc_cfn_doc *) items;
    LC_VEC(lc_str) keys; /* of objects, one for each item */
};

/* Borrows the texts of the node. */
lc_cfn_doc *lc_cfn_doc_from_node(lc_arena *arena, const lc_node *node);
/* What the provider sends for a value: members by CloudFormation's names; what is null, unknown or
 * empty is absent, and so is `id`. The root is at least an empty object. */
lc_cfn_doc *lc_cfn_doc_root(lc_arena *arena, const lc_cfn_type *type, const lc_value *object);
/* The same without what is write-only, which the service does not show. */
lc_cfn_doc *lc_cfn_doc_readable(lc_arena *arena, const lc_cfn_type *type, const lc_value *object);
/* Mark what stands at a path of the object. */
void lc_cfn_doc_hide(lc_cfn_doc *doc, const lc_cfn_shape *shape, lc_path path);
lc_cfn_doc *lc_cfn_doc_get(const lc_cfn_doc *object, lc_str key);
/* Compact, keys in order. `hide`: of secrets one word. */
void lc_cfn_doc_add_json(lc_buf *out, const lc_cfn_doc *doc, bool hide);

/* Do they say the same? Empty and null are absent, sets and unordered lists have no order, numbers
 * are compared by value. If not, *where is a JSON pointer to the first place. `shape` NULL: by
 * nothing but JSON. */
bool lc_cfn_doc_same(lc_arena *arena, const lc_cfn_shape *shape, const lc_cfn_doc *a,
                     const lc_cfn_doc *b, lc_str *where);

/* ---- JSON Patch. */

#define LC_CFN_PATCH_OPS(X)                                                                        \
    X(LC_CFN_ADD, "add")                                                                           \
    X(LC_CFN_REMOVE, "remove")                                                                     \
    X(LC_CFN_REPLACE, "replace")                                                                   \
    X(LC_CFN_MOVE, "move")                                                                         \
    X(LC_CFN_COPY, "copy")                                                                         \
    X(LC_CFN_TEST, "test")
LC_ENUM(lc_cfn_patch_op, LC_CFN_PATCH_OPS);

typedef struct lc_cfn_operation {
    lc_cfn_patch_op op;
    lc_str path;
    lc_str from;       /* move and copy */
    lc_cfn_doc *value; /* add, replace and test */
} lc_cfn_operation;

typedef struct lc_cfn_patch {
    LC_VEC(lc_cfn_operation) list;
} lc_cfn_patch;

#define LC_MAX_PATCH_OPERATIONS 10000
/* False: it is no patch, or too long; *why says so, and *at is the operation. */
bool lc_cfn_patch_read(lc_cfn_patch *out, lc_arena *arena, const lc_cfn_doc *doc, lc_str *why,
                       size_t *at);
/* `doc` is changed. False: an operation has no target, and `doc` is of no more use. */
bool lc_cfn_patch_apply(lc_cfn_doc **doc, lc_arena *arena, const lc_cfn_patch *patch, lc_str *why,
                        size_t *at);
/* What the provider sends to make `before` into `after`. By the document's profile a list that
 * would come out in another order is replaced as a whole. */
void lc_cfn_patch_make(lc_cfn_patch *out, lc_arena *arena, const lc_cfn_type *type,
                       const lc_cfn_doc *before, const lc_cfn_doc *after);
void lc_cfn_patch_add_json(lc_buf *out, const lc_cfn_patch *patch, bool hide);
/* The tokens of a JSON pointer, unescaped. */
typedef LC_VEC(lc_str) lc_cfn_tokens;
bool lc_cfn_pointer_parse(lc_cfn_tokens *out, lc_arena *arena, lc_str pointer);

#endif
