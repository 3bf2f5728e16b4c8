/* How two values differ: the answers that rules depend on (value_diff.c), and closer comparisons
 * that only explanations use (near.c, units.c, json.c). Private to the module contract. Values and
 * strings are borrowed. */
#ifndef LC_CONTRACT_DIFF_VALUE_DIFF_H
#define LC_CONTRACT_DIFF_VALUE_DIFF_H

#include "lifecheck/contract/contract.h"
#include "lifecheck/yaml_json/node.h"

/* Parse both strings. False: one is not a JSON object or array. Nodes are in `arena`. */
bool lc_parse_both_json(lc_source out[2], lc_arena *arena, lc_str a, lc_str b);
/* The same, or else both as YAML documents, each a mapping or sequence, one of them of several
 * lines. */
bool lc_parse_both_documents(lc_source out[2], lc_arena *arena, lc_str a, lc_str b);
/* Two known lists with the same elements in another order, each as often as before. */
bool lc_list_is_permuted(lc_arena *arena, const lc_value *a, const lc_value *b);

/* Strings longer than this together are parsed in an arena of their own, which is freed at once: a
 * case may have many of them. */
#define LC_BIG_TEXTS ((size_t)16 << 10)

/* Do two strings mean the same? Each is exact, without rounding; false if one does not parse. */
bool lc_same_instant(lc_str a, lc_str b);  /* RFC 3339 */
bool lc_same_duration(lc_str a, lc_str b); /* as Go and ISO 8601 write them; days have 24 hours */
bool lc_same_address(lc_str a,
                     lc_str b); /* IP address with or without prefix length, or hardware address */

/* Is `broken` the string `promised`, replaced by asterisks or the like, in whole or in part? */
bool lc_is_masked(lc_str promised, lc_str broken);
/* A place in a document, as a chain of steps upwards; NULL is the root. */
typedef struct lc_document_step {
    const struct lc_document_step *up;
    lc_str key;   /* key of the member, or */
    size_t index; /* index of the item, if `in_array` */
    bool in_array;
} lc_document_step;
/* Append a place as a JSON pointer that can be printed: control characters are escaped, long keys
 * are cut. */
void lc_pointer_add(lc_buf *out, const lc_document_step *at);
/* The node at a place, borrowed; NULL: the document has no such place. */
const lc_node *lc_document_at(const lc_node *root, const lc_document_step *at);

/* One place in which two documents differ. */
typedef struct lc_document_difference {
    const lc_document_step *at;
    const lc_node *a, *b; /* NULL: this document does not have the place */
} lc_document_difference;
#define LC_MOST_DIFFERENCES 20
typedef struct lc_document_differences {
    LC_VEC(lc_document_difference) first; /* at most LC_MOST_DIFFERENCES */
    size_t count,
        masked; /* number of all differences, and of those with asterisks instead of a string */
} lc_document_differences;
/* Find the places in which two documents differ. Steps are copied into `arena`; nodes stay
 * borrowed. */
void lc_documents_compare(lc_document_differences *out, lc_arena *arena, const lc_node *a,
                          const lc_node *b);
/* *where: the places in which two documents differ, as JSON pointers. False: they do not differ. */
bool lc_document_differences_text(lc_arena *arena, const lc_source both[2], lc_str *where,
                                  bool *all_masked);
/* JSON pointers of the objects in two equal JSON documents whose members are in another order;
 * empty: none. */
lc_str lc_json_orders(lc_arena *arena, lc_str a, lc_str b);

#endif
