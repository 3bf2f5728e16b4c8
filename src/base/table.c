/* Hash tables with open addressing and linear probing, and growing arrays. Nothing is ever removed
 * from a table, so it needs no tombstones. */
#include "lifecheck/base/table.h"
#include "lifecheck/base/arena.h"

#include <string.h>

struct lc_table_slot {
    lc_str key;
    uint64_t hash;
    void *value; /* NULL: free */
};

void lc_table_init(lc_table *table, lc_arena *arena)
{
    *table = (lc_table){arena, NULL, 0, 0};
}

/* The slot of the key, or the free slot where it belongs. Ends because a table is never full. */
static struct lc_table_slot *find(const lc_table *table, lc_str key, uint64_t hash)
{
    size_t mask = table->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct lc_table_slot *slot = &table->slots[i];
        if (!slot->value || (slot->hash == hash && lc_str_eq(slot->key, key)))
            return slot;
    }
}

void *lc_table_get(const lc_table *table, lc_str key)
{
    return table->capacity ? find(table, key, lc_str_hash(key))->value : NULL;
}

/* The old slots are released at once if they are large, so that a growing table does not keep
 * copies of itself in the arena. */
static void grow(lc_table *table)
{
    lc_table bigger = {table->arena, NULL, table->capacity ? table->capacity * 2 : 4, table->count};
    size_t bytes = lc_mul_size(bigger.capacity, sizeof *bigger.slots);
    bigger.slots = lc_arena_zalloc(table->arena, bytes);
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].value)
            *find(&bigger, table->slots[i].key, table->slots[i].hash) = table->slots[i];
    }
    lc_arena_release(table->slots, lc_mul_size(table->capacity, sizeof *table->slots));
    *table = bigger;
}

void *lc_table_put(lc_table *table, lc_str key, void *value)
{
    if (table->count * 4 >= table->capacity * 3)
        grow(table);
    uint64_t hash = lc_str_hash(key);
    struct lc_table_slot *slot = find(table, key, hash);
    void *former = slot->value;
    if (!former) {
        table->count++;
        slot->key = key;
        slot->hash = hash;
    }
    slot->value = value;
    return former;
}

void lc_table_release(lc_table *table)
{
    lc_arena_release(table->slots, lc_mul_size(table->capacity, sizeof *table->slots));
    *table = (lc_table){table->arena, NULL, 0, 0};
}

/* Doubles the capacity; the new element is zeroed. */
void *lc_grow(lc_arena *arena, void *items, size_t *count, size_t *capacity, size_t size)
{
    if (*count == *capacity) {
        size_t wider = *capacity ? lc_mul_size(*capacity, 2) : 4;
        items = lc_arena_resize(arena, items, *capacity * size, lc_mul_size(wider, size));
        *capacity = wider;
    }
    memset((char *)items + *count * size, 0, size);
    (*count)++;
    return items;
}
