/* How two values differ: the answers that rules ask for (form.c), and the closer look of those who
 * explain findings (form_close.c and the files it asks). */
#ifndef LC_CONTRACT_FORM_H
#define LC_CONTRACT_FORM_H

#include "lifecheck/contract.h"
#include "lifecheck/node.h"

/* The same content, whatever the order of members. Tags count. */
bool lc_nodes_same(lc_arena *arena, const lc_node *a, const lc_node *b);
/* Both are JSON objects or arrays. */
bool lc_parse_both_json(lc_source out[2], lc_arena *arena, lc_str a, lc_str b);
/* The same elements in another order, each as often as before. */
bool lc_list_is_permuted(lc_arena *arena, const lc_value *a, const lc_value *b);

/* lc_compare_form and more: what is LC_UNLIKE there may be told apart here. A verdict must not
 * depend on it. *where: places in the values, or empty. */
lc_likeness lc_compare_closely(lc_arena *arena, const lc_value *promised, const lc_value *broken,
                               lc_str *where);

/* Two texts for one thing; each is exact. */
bool lc_same_instant(lc_str a, lc_str b);  /* RFC 3339 */
bool lc_same_duration(lc_str a, lc_str b); /* as Go and ISO 8601 write them; days have 24 hours */
bool lc_same_address(lc_str a, lc_str b);  /* IP with or without mask, or hardware address */

/* `broken` is `promised` with something like asterisks in its place, or in place of a part. */
bool lc_is_masked(lc_str promised, lc_str broken);
/* Where two JSON documents differ, as JSON pointers; false: one of them is none, or they do not. */
bool lc_json_differences(lc_arena *arena, lc_str promised, lc_str broken, lc_str *where,
                         bool *all_masked);

#endif
