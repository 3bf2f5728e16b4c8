/* An index of objects by 64-bit hashes, with removal. Module base.
 *
 * Several objects can have the same hash, equal or not: the caller compares them. Entries are
 * embedded in the indexed objects or stored next to them; the index owns only its buckets. */
#ifndef LIFECHECK_BASE_INDEX_H
#define LIFECHECK_BASE_INDEX_H

#include "lifecheck/base/str.h"

/* One indexed object. Zero-initialised it is in no index. It must not move while it is in one. */
typedef struct lc_index_entry {
    uint64_t hash;
    void *item;
    struct lc_index_entry *next, *before; /* neighbours in the bucket */
    bool in;
} lc_index_entry;

/* Zero-initialised it is empty. lc_index_release frees it. */
typedef struct lc_index {
    lc_index_entry **buckets; /* on the heap */
    size_t capacity;          /* a power of two, or 0 */
    size_t count;
} lc_index;

/* Adds an entry that is in no index. The entry added last is found first. `item` is borrowed. */
void lc_index_put(lc_index *index, lc_index_entry *entry, uint64_t hash, void *item);
/* Removes an entry; one that is in no index is ignored. */
void lc_index_take(lc_index *index, lc_index_entry *entry);
/* Iterate over the entries of one hash; NULL at the end. */
lc_index_entry *lc_index_first(const lc_index *index, uint64_t hash);
lc_index_entry *lc_index_next(const lc_index_entry *entry);
/* Frees the buckets; the entries keep saying that they are in an index. */
void lc_index_release(lc_index *index);

#endif
