/* An index of things by 64-bit hashes, from which they can be taken out again. Module base.
 *
 * Several things may stand under one hash, equal or not: whoever looks compares them. Entries stand
 * in what they find, or beside it; the index owns nothing but its buckets. */
#ifndef LIFECHECK_INDEX_H
#define LIFECHECK_INDEX_H

#include "lifecheck/str.h"

/* Zeroed: in no index. It does not move while it is in one. */
typedef struct lc_index_entry {
    uint64_t hash;
    void *item;
    struct lc_index_entry *next, *before; /* of the same bucket */
    bool in;
} lc_index_entry;

/* Zeroed: empty. */
typedef struct lc_index {
    lc_index_entry **buckets; /* on the heap */
    size_t capacity;          /* a power of two, or 0 */
    size_t count;
} lc_index;

/* `entry` is in no index. What is put in last is found first. */
void lc_index_put(lc_index *index, lc_index_entry *entry, uint64_t hash, void *item);
/* Nothing happens to an entry that is in none. */
void lc_index_take(lc_index *index, lc_index_entry *entry);
/* The entries of one hash, one after the other; NULL: no more. */
lc_index_entry *lc_index_first(const lc_index *index, uint64_t hash);
lc_index_entry *lc_index_next(const lc_index_entry *entry);
void lc_index_release(lc_index *index);

#endif
