/* A mutable document: nodes that can be taken out and put back, printed as JSON or YAML. All nodes
 * live in the arena given. */
#ifndef LC_EXTRACT_MUTABLE_H
#define LC_EXTRACT_MUTABLE_H

#include "lifecheck/extract/extract.h"

typedef struct lc_mutable lc_mutable;
struct lc_mutable {
    lc_node_kind kind;
    bool gone;          /* removed: not printed, with everything below */
    lc_str key;         /* of a member, else "" */
    lc_str text;        /* of a string, decoded; of other scalars the literal */
    lc_mutable **items; /* members or items */
    size_t count, capacity;
};

lc_mutable *lc_mutable_new(lc_arena *arena, lc_node_kind kind, const char *key);
lc_mutable *lc_mutable_text(lc_arena *arena, const char *key, lc_str text);
/* From JSON that this program wrote; NULL if it cannot be parsed. */
lc_mutable *lc_mutable_from_json(lc_arena *arena, lc_str json, const lc_limits *limits);
void lc_mutable_push(lc_arena *arena, lc_mutable *parent, lc_mutable *child);
/* The member `key` that was not removed, or NULL. */
lc_mutable *lc_mutable_get(const lc_mutable *mapping, const char *key);
/* How many members or items it has, without removed ones. */
size_t lc_mutable_count(const lc_mutable *tree);

void lc_mutable_add_json(lc_buf *out, const lc_mutable *tree);
void lc_mutable_add_yaml(lc_buf *out, const lc_mutable *root);

#endif
