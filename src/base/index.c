/* A hash index with removal: buckets of doubly linked entries. Growing keeps the order within a
 * bucket, so that the entry that was put in last is still found first. */
#include "lifecheck/base/index.h"
#include "lifecheck/base/arena.h"

#include <string.h>

static lc_index_entry **bucket_of(const lc_index *index, uint64_t hash)
{
    return &index->buckets[lc_hash_mix(hash, 1) & (index->capacity - 1)];
}

static void push_entry(lc_index *index, lc_index_entry *entry)
{
    lc_index_entry **bucket = bucket_of(index, entry->hash);
    entry->before = NULL;
    entry->next = *bucket;
    if (entry->next)
        entry->next->before = entry;
    *bucket = entry;
}

/* Pushing puts an entry in front, so entries are moved from the last to the first to keep their
 * order. */
static void move_bucket(lc_index *to, lc_index_entry *first)
{
    lc_index_entry *last = first;
    while (last && last->next)
        last = last->next;
    while (last) {
        lc_index_entry *before = last->before;
        push_entry(to, last);
        last = before;
    }
}

static void grow(lc_index *index)
{
    lc_index bigger = {NULL, index->capacity ? index->capacity * 2 : 16, index->count};
    bigger.buckets = lc_heap_alloc(lc_mul_size(bigger.capacity, sizeof(lc_index_entry *)));
    memset(bigger.buckets, 0, bigger.capacity * sizeof(lc_index_entry *));
    for (size_t i = 0; i < index->capacity; i++)
        move_bucket(&bigger, index->buckets[i]);
    lc_heap_free(index->buckets);
    *index = bigger;
}

/* Grows at one entry per bucket on average. */
void lc_index_put(lc_index *index, lc_index_entry *entry, uint64_t hash, void *item)
{
    if (index->count == index->capacity)
        grow(index);
    entry->hash = hash;
    entry->item = item;
    entry->in = true;
    index->count++;
    push_entry(index, entry);
}

void lc_index_take(lc_index *index, lc_index_entry *entry)
{
    if (!entry->in)
        return;
    if (entry->before)
        entry->before->next = entry->next;
    else
        *bucket_of(index, entry->hash) = entry->next;
    if (entry->next)
        entry->next->before = entry->before;
    entry->in = false;
    index->count--;
}

static lc_index_entry *same_hash(lc_index_entry *entry, uint64_t hash)
{
    while (entry && entry->hash != hash)
        entry = entry->next;
    return entry;
}

lc_index_entry *lc_index_first(const lc_index *index, uint64_t hash)
{
    return index->capacity ? same_hash(*bucket_of(index, hash), hash) : NULL;
}

lc_index_entry *lc_index_next(const lc_index_entry *entry)
{
    return same_hash(entry->next, entry->hash);
}

void lc_index_release(lc_index *index)
{
    lc_heap_free(index->buckets);
    *index = (lc_index){0};
}
