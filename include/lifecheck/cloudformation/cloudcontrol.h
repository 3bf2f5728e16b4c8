/* The JSON documents that the Cloud Control provider and the service exchange: desired state, JSON
 * Patch (RFC 6902) and current state. Module cloudformation. Source: the resource behavior
 * document, sections "Create", "Read" and "Update", and cloudformation.md 8.
 *
 * Documents are mutable, and may share parts with each other. They live in the arena they were made
 * in. A member that is absent is a NULL pointer.
 *
 * They are not nodes (lc_node): those have the content of a source, as arrays that do not change,
 * each with its place. A patch adds, moves and removes members of a document, a copy shares the
 * parts that stay, and each part knows whether it is secret; none of them has a place.
 */
#ifndef LIFECHECK_CLOUDFORMATION_CLOUDCONTROL_H
#define LIFECHECK_CLOUDFORMATION_CLOUDCONTROL_H

#include "lifecheck/base/enum.h"
#include "lifecheck/cloudformation/cloudformation.h"

/* One node of a document. */
typedef struct lc_cfn_doc lc_cfn_doc;
struct lc_cfn_doc {
    lc_node_kind kind;
    bool boolean;
    bool secret; /* must not appear in output */
    lc_str text; /* strings: decoded; numbers: the literal */
    LC_VEC(lc_cfn_doc *) items;
    LC_VEC(lc_str) keys; /* for objects: one key for each item */
};

/* A document with the contents of a node. The strings of the node are borrowed. */
lc_cfn_doc *lc_cfn_doc_from_node(lc_arena *arena, const lc_node *node);
/* The document that the provider sends for an object of the type. Members have CloudFormation's
 * names. Null, unknown and empty values are left out, and so is `id`. Never NULL: an object without
 * values gives an empty object. */
lc_cfn_doc *lc_cfn_doc_root(lc_arena *arena, const lc_cfn_type *type, const lc_value *object);
/* The same without write-only properties, which the service never returns. */
lc_cfn_doc *lc_cfn_doc_readable(lc_arena *arena, const lc_cfn_type *type, const lc_value *object);
/* Marks what a path of the Terraform object leads to as secret. `shape` is that of `doc`; a NULL
 * document is ignored. */
void lc_cfn_doc_hide(lc_cfn_doc *doc, const lc_cfn_shape *shape, lc_path path);
/* A member of an object; NULL if the object does not have it, or `object` is NULL or not an object.
 */
lc_cfn_doc *lc_cfn_doc_get(const lc_cfn_doc *object, lc_str key);
/* Appends compact JSON with sorted keys. `hide`: secrets are replaced. */
void lc_cfn_doc_add_json(lc_buf *out, const lc_cfn_doc *doc, bool hide);

/* Do the documents mean the same to the service? Null and empty members count as absent, sets and
 * unordered lists have no order, numbers are compared by value. If not, *where is a JSON pointer to
 * the first difference, in `arena`. Without a shape (NULL), arrays are ordered. Either document may
 * be NULL. */
bool lc_cfn_doc_same(lc_arena *arena, const lc_cfn_shape *shape, const lc_cfn_doc *a,
                     const lc_cfn_doc *b, lc_str *where);

/* ---- JSON Patch. */

/* The operations of RFC 6902. */
#define LC_CFN_PATCH_OPS(X)                                                                        \
    X(LC_CFN_ADD, "add")                                                                           \
    X(LC_CFN_REMOVE, "remove")                                                                     \
    X(LC_CFN_REPLACE, "replace")                                                                   \
    X(LC_CFN_MOVE, "move")                                                                         \
    X(LC_CFN_COPY, "copy")                                                                         \
    X(LC_CFN_TEST, "test")
LC_ENUM(lc_cfn_patch_op, LC_CFN_PATCH_OPS);

/* One operation. Paths are JSON pointers; they and the value live in the arena of the patch. */
typedef struct lc_cfn_operation {
    lc_cfn_patch_op op;
    lc_str path;
    lc_str from;       /* for move and copy, else "" */
    lc_cfn_doc *value; /* for add, replace and test, else NULL */
} lc_cfn_operation;

/* A JSON patch (RFC 6902): operations in their order. */
typedef struct lc_cfn_patch {
    LC_VEC(lc_cfn_operation) list;
} lc_cfn_patch;

/* Limit for a patch that is read. */
#define LC_MAX_PATCH_OPERATIONS 10000
/* Reads a patch from its JSON document, whose parts are shared. False: it is not a patch, or too
 * long; *why has the reason (a constant), and *at is the index of the bad operation. */
bool lc_cfn_patch_read(lc_cfn_patch *out, lc_arena *arena, const lc_cfn_doc *doc, lc_str *why,
                       size_t *at);
/* Applies a patch to *doc, which changes. False: operation *at cannot be applied, for the reason
 * *why; *doc must not be used any more then. */
bool lc_cfn_patch_apply(lc_cfn_doc **doc, lc_arena *arena, const lc_cfn_patch *patch, lc_str *why,
                        size_t *at);
/* Makes the patch that the provider sends to change `before` into `after`. In the profile
 * LC_CFN_DOCUMENT the patch is corrected where the provider's would give another order of a list:
 * that list is then replaced as a whole. Values are copied into `arena`. */
void lc_cfn_patch_make(lc_cfn_patch *out, lc_arena *arena, const lc_cfn_type *type,
                       const lc_cfn_doc *before, const lc_cfn_doc *after);
/* Appends the patch as compact JSON; `hide` as in lc_cfn_doc_add_json. */
void lc_cfn_patch_add_json(lc_buf *out, const lc_cfn_patch *patch, bool hide);
/* Splits a JSON pointer into tokens, with ~0 and ~1 decoded, in `arena`. False: it is not a JSON
 * pointer. */
typedef LC_VEC(lc_str) lc_cfn_tokens;
bool lc_cfn_pointer_parse(lc_cfn_tokens *out, lc_arena *arena, lc_str pointer);

#endif
