/* How two values differ: the answers that rules ask for (value_diff.c), and the closer look of
 * those who explain findings (near.c and the files it asks). */
#ifndef LC_CONTRACT_DIFF_VALUE_DIFF_H
#define LC_CONTRACT_DIFF_VALUE_DIFF_H

#include "lifecheck/contract.h"
#include "lifecheck/node.h"

/* Both are JSON objects or arrays. */
bool lc_parse_both_json(lc_source out[2], lc_arena *arena, lc_str a, lc_str b);
/* Both are JSON objects or arrays, or both are one YAML mapping or sequence of several lines. */
bool lc_parse_both_documents(lc_source out[2], lc_arena *arena, lc_str a, lc_str b);
/* The same elements in another order, each as often as before. */
bool lc_list_is_permuted(lc_arena *arena, const lc_value *a, const lc_value *b);

/* Texts of this length are read in an arena of their own: a case may have many of them. */
#define LC_BIG_TEXTS ((size_t)16 << 10)

/* lc_compare_form and more: what is LC_UNLIKE there may be told apart here. A verdict must not
 * depend on it. *where: places in the values, or empty. */
lc_difference_kind lc_compare_closely(lc_arena *arena, const lc_value *promised,
                                      const lc_value *broken, lc_str *where);

/* Two texts for one thing; each is exact. */
bool lc_same_instant(lc_str a, lc_str b);  /* RFC 3339 */
bool lc_same_duration(lc_str a, lc_str b); /* as Go and ISO 8601 write them; days have 24 hours */
bool lc_same_address(lc_str a, lc_str b);  /* IP with or without mask, or hardware address */

/* `broken` is `promised` with something like asterisks in its place, or in place of a part. */
bool lc_is_masked(lc_str promised, lc_str broken);
/* A place in a document; NULL is its root. */
typedef struct lc_document_step {
    const struct lc_document_step *up;
    lc_str key; /* of a member, or */
    size_t index;
    bool in_array;
} lc_document_step;
/* As a JSON pointer, fit to be printed: long keys are cut. */
void lc_pointer_add(lc_buf *out, const lc_document_step *at);
/* What stands there; NULL: nothing. */
const lc_node *lc_document_at(const lc_node *root, const lc_document_step *at);

typedef struct lc_document_difference {
    const lc_document_step *at;
    const lc_node *a, *b; /* NULL: only the other document has the place */
} lc_document_difference;
#define LC_MOST_DIFFERENCES 20
typedef struct lc_document_differences {
    LC_VEC(lc_document_difference) first; /* at most LC_MOST_DIFFERENCES */
    size_t count, masked;                 /* of all: how many, and with asterisks for a text */
} lc_document_differences;
/* Steps lie in `arena`. */
void lc_documents_compare(lc_document_differences *out, lc_arena *arena, const lc_node *a,
                          const lc_node *b);
/* Where two documents differ, as JSON pointers; false: they do not. */
bool lc_document_differences_text(lc_arena *arena, const lc_source both[2], lc_str *where,
                                  bool *all_masked);
/* The objects of two equal JSON documents whose members are in another order; empty: none. */
lc_str lc_json_orders(lc_arena *arena, lc_str a, lc_str b);

#endif
